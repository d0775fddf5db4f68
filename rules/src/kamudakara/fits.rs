//! Which events could happen at the table as it stands.

use super::cards::{Card, Cards};
use super::events::Event;
use super::state::{Kamudakara, Phase, Step};
use crate::seat::Seat;

impl Kamudakara {
    /// Whether the event could happen now: its phase is this one, its seats are there, and so are the
    /// cards that it moves.
    pub(super) fn event_fits(&self, event: &Event) -> bool {
        match (&self.phase, event) {
            (Phase::Dealing, Event::Dealt { round, first, hands, deck, .. }) => {
                let dealt = hands.iter().flatten().flat_map(|hand| hand.iter()).chain(deck.iter().flatten().copied());
                *round == self.round + 1 && self.seats.has(*first) && hands.len() == self.seats.get() && are_all(dealt)
            }
            (Phase::Opening { .. }, Event::OpeningChosen { seat, cards, .. }) => {
                self.seats.has(*seat) && cards.is_some_and(|cards| self.hands[seat.index()].contain(cards))
            }
            (Phase::Opening { chosen }, Event::Opened { cards }) => {
                chosen[..self.seats.get()].iter().copied().eq(cards.iter().copied().map(Some))
            }
            (Phase::Turn, Event::RitualDrawn { seat, count, cards, .. }) => {
                *seat == self.turn && (1..=2).contains(count) && self.are_on_top(*count, *cards)
            }
            (&Phase::Ritual { drawn }, &Event::RitualKept { seat, kept, returned, .. }) => {
                seat == self.turn && kept.into_iter().chain(returned).collect::<Cards>() == drawn
            }
            (Phase::Turn, &Event::Offered { seat, to, card, side, .. }) => {
                let in_hand = card.is_some_and(|card| self.hands[seat.index() % self.hands.len()].of(card) > 0);
                seat == self.turn && self.seats.has(to) && in_hand && side.is_some()
            }
            (Phase::Offer(offer), Event::OfferTaken { seat, .. }) => *seat == offer.to,
            (Phase::Order(offer), Event::OrderChosen { seat, first }) => {
                *seat == self.turn && self.blessings(*offer).contains(first)
            }
            (Phase::Turn, Event::MemorialHeld { seat, .. } | Event::DemonStored { seat }) => {
                *seat == self.turn && self.hands[seat.index()].of(Card::Demon) > 0
            }
            (Phase::Rite(rite), &Event::BlessingBegun { seat, blessing }) => rite.next == Some((seat, blessing)),
            (Phase::Rite(rite), &Event::TreasureStored { seat, card }) => {
                rite.next.is_none() && (seat, card) == (rite.owner, rite.card)
            }
            (Phase::Blessing(reception), event) => self.fits_blessing(reception.seat, reception.step, event),
            (Phase::RoundOver, Event::RoundScored { .. }) => *event == self.score_round(),
            _ => false,
        }
    }

    /// Whether the event could happen while a seat receives a blessing.
    fn fits_blessing(&self, receiver: Seat, step: Step, event: &Event) -> bool {
        let holds = |cards: Cards| self.hands[receiver.index()].contain(cards);
        match (step, event) {
            (Step::Declare, Event::DemonsUsed { seat, count, .. }) => {
                *seat == receiver && *count <= self.storehouses[receiver.index()].open.of(Card::Demon)
            }
            (Step::Draw { count, .. }, Event::Drew { seat, count: drawn, cards }) => {
                *seat == receiver && *drawn == count && self.are_on_top(count, *cards)
            }
            (Step::Void { .. }, Event::Voided { seat }) => *seat == receiver,
            (Step::Put { count, .. }, Event::Stored { seat, cards, .. }) => {
                *seat == receiver && cards.len() == count && holds(*cards)
            }
            (Step::Put { count, .. }, Event::Veiled { seat, cards, .. }) => {
                *seat == receiver && cards.is_some_and(|cards| cards.len() == count && holds(cards))
            }
            (Step::Give { count }, Event::DemonsGiven { seat, to, .. }) => {
                *seat == receiver && to.len() == usize::from(count) && to.iter().all(|&other| self.seats.has(other))
            }
            _ => false,
        }
    }

    /// Whether these are the next so many cards of the deck.
    fn are_on_top(&self, count: u8, cards: Option<Cards>) -> bool {
        usize::from(count) <= self.deck.len() && cards == Some(self.top(count))
    }
}

/// Whether these are all the cards of the game.
fn are_all(cards: impl Iterator<Item = Card>) -> bool {
    let copies = usize::from(Card::COPIES);
    let all: Cards = Card::ALL.into_iter().flat_map(|card| std::iter::repeat_n(card, copies)).collect();
    cards.take(Card::ALL.len() * copies + 1).collect::<Cards>() == all
}
