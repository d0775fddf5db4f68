//! How likely a seat holds cards, for a player who knows what the view tells.

use super::actions::Claim;
use super::cards::{Card, Counts};
use super::hand::Hand;
use super::knowledge::Hands;
use super::state::PerSeat;
use super::view::View;
use crate::seat::Seat;

/// What a player believes of each other seat's hand, each weighed apart from the others.
pub struct Beliefs(PerSeat<Belief>);

#[derive(Default)]
struct Belief {
    /// The hands that the seat may hold, each with its chance.
    hands: Vec<(Hand, f64)>,
    /// The chance that it holds a card, by card.
    cards: [f64; Card::COUNT],
}

impl Beliefs {
    /// What the view of the player of `own` gives to believe.
    pub fn of(view: &View, own: Seat) -> Self {
        let unseen = view.unseen();
        let known = view.known.as_deref().unwrap_or_default();
        let mut beliefs = PerSeat::<Belief>::default();
        for (seat, about) in (0..).map_while(Seat::new).zip(known).filter(|&(seat, _)| seat != own) {
            let others = known.iter().enumerate().filter(|&(at, _)| at != seat.index() && at != own.index());
            let mut free = unseen.clone();
            for &card in others.flat_map(|(_, known)| &known.holds) {
                free.take(card);
            }
            let size = view.hand_sizes[seat.index()].into();
            beliefs[seat] = Belief::of(Hands::of(size, &about.holds, &about.lacks), &about.holds, &free);
        }
        Self(beliefs)
    }

    /// The chance that the seat holds the card.
    pub fn holds(&self, seat: Seat, card: Card) -> f64 {
        self.0[seat].cards[card.index()]
    }

    /// The chance that all of these claims are so.
    pub fn truth_of(&self, claims: &[Claim]) -> f64 {
        match *claims {
            [one, other] if one.seat == other.seat => {
                let both = |hand: &Hand| hand.has(one.card) && hand.has(other.card);
                self.0[one.seat].hands.iter().filter(|(hand, _)| both(hand)).map(|(_, chance)| chance).sum()
            }
            _ => claims.iter().map(|claim| self.holds(claim.seat, claim.card)).product(),
        }
    }
}

impl Belief {
    /// Any card that is `free` is as likely to be in the hand as any other, beside those that the
    /// seat surely holds.
    fn of(possible: Hands, holds: &[Card], free: &Counts) -> Self {
        let weigh = |hand: &Hand| -> f64 {
            let unknown = hand.cards().iter().filter(|card| !holds.contains(card));
            unknown.map(|&card| f64::from(free.get(card))).product()
        };
        let weighed = possible.iter().map(|hand| {
            let weight = weigh(&hand);
            (hand, weight)
        });
        let mut belief = Self { hands: weighed.collect(), cards: [0.0; Card::COUNT] };
        let all: f64 = belief.hands.iter().map(|(_, weight)| weight).sum();
        for (hand, chance) in &mut belief.hands {
            *chance = if all > 0.0 { *chance / all } else { 0.0 };
            for card in hand.cards() {
                belief.cards[card.index()] += *chance;
            }
        }
        belief
    }
}
