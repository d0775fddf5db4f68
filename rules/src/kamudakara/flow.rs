//! What happens without a decision: deals, draws, forced choices, scores.

use arrayvec::ArrayVec;

use super::cards::{Blessing, Card, Cards};
use super::events::Event;
use super::options::pile;
use super::state::{Kamudakara, Phase, Reception, Rite, SEATS, Step};
use crate::chance::Chance;
use crate::seat::Seat;

impl Kamudakara {
    /// The event that follows now without anybody's decision; none while a decision is owed and
    /// after the end. A choice with one possible answer is taken here.
    pub(super) fn follows(&self, chance: &mut Chance) -> Option<Event> {
        match &self.phase {
            Phase::Dealing => Some(self.deal(chance)),
            Phase::Opening { chosen } => self.opening_follows(chosen),
            // Rite and memorial need a card.
            Phase::Turn if self.hands[self.turn.index()].is_empty() => Some(self.ritual(true)),
            Phase::Turn | Phase::Ritual { .. } | Phase::Offer(_) | Phase::Order(_) | Phase::Over => None,
            Phase::Rite(rite) => Some(Self::rite_follows(*rite)),
            Phase::Blessing(reception) => self.blessing_follows(reception),
            Phase::RoundOver => Some(self.score_round()),
        }
    }

    /// Rule `kd.deal`: one demon each, then the shuffled pile seat by seat from the round's first,
    /// who gets the fewest cards; each next seat gets one more.
    fn deal(&self, chance: &mut Chance) -> Event {
        let cards = pile(self.seats);
        let mut list = Vec::with_capacity(cards.len().into());
        list.extend(cards.iter());
        let mut pile = chance.pile(list, Card::parse).into_iter();
        let mut hands: ArrayVec<_, SEATS> = self.seats.seats().map(|_| Cards::from(Card::Demon)).collect();
        for (place, seat) in self.seats.clockwise_from(self.first).enumerate() {
            let fewest = 6 - self.seats.get();
            hands[seat.index()].add(pile.by_ref().take(fewest + place).collect::<Cards>());
        }
        Event::Dealt {
            round: self.round + 1,
            first: self.first,
            hand_sizes: hands.iter().map(|hand| hand.len()).collect(),
            hands: hands.into_iter().map(Some).collect(),
            deck_size: pile.len() as u8,
            deck: Some(pile.collect()),
        }
    }

    fn opening_follows(&self, chosen: &[Option<Cards>; SEATS]) -> Option<Event> {
        let forced = self.seats.seats().filter(|seat| chosen[seat.index()].is_none()).find_map(|seat| {
            let cards = self.hands[seat.index()].only_selection(2)?;
            Some(Event::OpeningChosen { seat, cards: Some(cards), forced: true })
        });
        forced.or_else(|| {
            let cards = chosen[..self.seats.get()].iter().copied().collect::<Option<_>>()?;
            Some(Event::Opened { cards })
        })
    }

    /// Rule `kd.ritual`.
    pub(super) fn ritual(&self, forced: bool) -> Event {
        let count = self.deck.len().min(2) as u8;
        Event::RitualDrawn { seat: self.turn, count, cards: Some(self.top(count)), forced }
    }

    /// The next cards of the deck.
    pub(super) fn top(&self, count: u8) -> Cards {
        self.deck.iter().rev().take(count.into()).copied().collect()
    }

    fn rite_follows(rite: Rite) -> Event {
        match rite.next {
            Some((seat, blessing)) => Event::BlessingBegun { seat, blessing },
            None => Event::TreasureStored { seat: rite.owner, card: rite.card },
        }
    }

    fn blessing_follows(&self, reception: &Reception) -> Option<Event> {
        let &Reception { seat, blessing, step, .. } = reception;
        match step {
            Step::Declare if self.most_demons(seat, blessing) == 0 => {
                Some(Event::DemonsUsed { seat, count: 0, forced: true })
            }
            Step::Declare => None,
            Step::Draw { count, .. } => Some(Event::Drew { seat, count, cards: Some(self.top(count)) }),
            Step::Void { .. } => Some(Event::Voided { seat }),
            Step::Put { count, .. } => {
                let cards = self.hands[seat.index()].only_selection(count)?;
                Some(Self::put(seat, blessing, cards, true))
            }
            Step::Give { count } => {
                let mut others = self.seats.seats().filter(|&other| other != seat);
                let (Some(only), None) = (others.next(), others.next()) else { return None };
                Some(Event::DemonsGiven { seat, to: (0..count).map(|_| only).collect(), forced: true })
            }
        }
    }

    /// Hand cards into the own storehouse: face down by 仁, face up by 知.
    pub(super) fn put(seat: Seat, blessing: Blessing, cards: Cards, forced: bool) -> Event {
        match blessing {
            Blessing::Benevolence => Event::Veiled { seat, count: cards.len(), cards: Some(cards), forced },
            Blessing::Courage | Blessing::Wisdom => Event::Stored { seat, cards, forced },
        }
    }

    pub(super) fn score_round(&self) -> Event {
        let scores: ArrayVec<_, SEATS> = self.seats.seats().map(|seat| self.score(seat)).collect();
        let totals = scores.iter().zip(self.points).map(|(score, before)| score + before).collect();
        Event::RoundScored { round: self.round + 1, scores, totals }
    }
}
