//! How likely a seat holds cards, for a player who knows what the view tells.

use super::actions::Claim;
use super::cards::{Card, Counts};
use super::hand::Hand;
use super::knowledge::Hands;
use super::state::PerSeat;
use super::view::View;
use crate::seat::Seat;

/// The hands that each other seat may hold, with their weights: each unseen card is as likely to
/// be in a hand as any other. The seats are weighed apart from each other.
pub struct Beliefs(PerSeat<Vec<(Hand, f64)>>);

impl Beliefs {
    /// What a view gives to believe.
    pub fn of(view: &View, own: Seat) -> Self {
        let unseen = view.unseen();
        let mut beliefs = PerSeat::new([const { Vec::new() }; 4]);
        let known = view.known.as_deref().unwrap_or_default();
        for (seat, about) in (0..).map_while(Seat::new).zip(known) {
            let size = view.hand_sizes[seat.index()].into();
            let others = known.iter().enumerate().filter(|&(at, _)| at != seat.index() && at != own.index());
            let free = without(&unseen, others.flat_map(|(_, known)| known.holds.iter().copied()));
            beliefs[seat] = Hands::of(size, &about.holds, &about.lacks)
                .iter()
                .map(|hand| {
                    let unknown = hand.cards().iter().filter(|card| !about.holds.contains(card));
                    let weight = unknown.map(|&card| f64::from(free.get(card))).product();
                    (hand, weight)
                })
                .collect();
        }
        Self(beliefs)
    }

    /// The chance that the seat holds all of these cards.
    pub fn holds(&self, seat: Seat, cards: &[Card]) -> f64 {
        let sum = |wanted: &[Card]| -> f64 {
            let fitting = self.0[seat].iter().filter(|(hand, _)| wanted.iter().all(|&card| hand.has(card)));
            fitting.map(|(_, weight)| weight).sum()
        };
        let all = sum(&[]);
        if all > 0.0 { sum(cards) / all } else { 0.0 }
    }

    /// The chance that all of these claims are so.
    pub fn truth_of(&self, claims: &[Claim]) -> f64 {
        match *claims {
            [one, other] if one.seat == other.seat => self.holds(one.seat, &[one.card, other.card]),
            _ => claims.iter().map(|claim| self.holds(claim.seat, &[claim.card])).product(),
        }
    }
}

fn without(counts: &Counts, cards: impl Iterator<Item = Card>) -> Counts {
    let mut left = counts.clone();
    cards.for_each(|card| {
        left.take(card);
    });
    left
}
