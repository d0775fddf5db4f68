//! Every legal action, one by one.

use std::ops::ControlFlow;

use super::actions::{Action, End, Recipients, Take};
use super::cards::{Blessing, Card};
use super::options::Side;
use super::state::{Kamudakara, Phase, Reception, Step};
use crate::game::Visit;
use crate::seat::Seat;

impl Kamudakara {
    /// Visits what the seat may do, if it owes a decision.
    pub(super) fn visit_legal(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        if !self.deciding().contains(seat) {
            return ControlFlow::Continue(());
        }
        match &self.phase {
            Phase::Opening { .. } => {
                self.hands[seat.index()].selections(2, |cards| visit(Action::ChooseOpening { cards }))
            }
            Phase::Turn => self.visit_turn(seat, visit),
            Phase::Ritual { drawn } => drawn.kinds().try_for_each(|keep| {
                [End::Top, End::Bottom]
                    .into_iter()
                    .try_for_each(|return_to| visit(Action::RitualKeep { keep, return_to }))
            }),
            Phase::Offer(_) => Take::ALL.into_iter().try_for_each(|take| visit(Action::RiteChoose { take })),
            Phase::Order(offer) => {
                self.blessings(*offer).into_iter().try_for_each(|first| visit(Action::BlessingOrder { first }))
            }
            Phase::Blessing(reception) => self.visit_decision(reception, visit),
            Phase::Dealing | Phase::Rite(_) | Phase::RoundOver | Phase::Over => ControlFlow::Continue(()),
        }
    }

    fn visit_turn(&self, seat: Seat, visit: Visit<'_, Action>) -> ControlFlow<()> {
        visit(Action::Ritual {})?;
        let hand = self.hands[seat.index()];
        for card in hand.kinds().filter(|&card| card != Card::Demon) {
            for to in self.others(seat) {
                for show in Side::BOTH {
                    visit(Action::Rite { card, to, show })?;
                }
            }
        }
        if hand.of(Card::Demon) == 0 {
            return ControlFlow::Continue(());
        }
        Blessing::ALL.into_iter().try_for_each(|blessing| visit(Action::Memorial { blessing }))?;
        visit(Action::MemorialStore {})
    }

    fn visit_decision(&self, reception: &Reception, visit: Visit<'_, Action>) -> ControlFlow<()> {
        let &Reception { seat, blessing, step, .. } = reception;
        match step {
            Step::Declare => {
                (0..=self.most_demons(seat, blessing)).try_for_each(|count| visit(Action::UseDemons { count }))
            }
            Step::Put { count, .. } => self.hands[seat.index()].selections(count, |cards| match blessing {
                Blessing::Benevolence => visit(Action::Veil { cards }),
                Blessing::Courage | Blessing::Wisdom => visit(Action::Store { cards }),
            }),
            Step::Give { count } => {
                let others: Recipients = self.others(seat).collect();
                spread(&others, count, &mut Recipients::new(), visit)
            }
            Step::Draw { .. } | Step::Void { .. } => ControlFlow::Continue(()),
        }
    }

    /// Every seat of the table but this one, lowest number first.
    pub(super) fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone {
        self.seats.seats().filter(move |&other| other != seat)
    }
}

/// Visits every way to spread `count` demons over the seats, the list of seats in order.
fn spread(seats: &[Seat], count: u8, to: &mut Recipients, visit: Visit<'_, Action>) -> ControlFlow<()> {
    if count == 0 {
        return visit(Action::GiveDemons { to: to.clone() });
    }
    for (at, &seat) in seats.iter().enumerate() {
        to.push(seat);
        spread(&seats[at..], count - 1, to, visit)?;
        to.pop();
    }
    ControlFlow::Continue(())
}
