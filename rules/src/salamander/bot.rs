//! A player that uses what it was told: it asks for what it misses, goes home when it knows a set,
//! and announces what it knows or has good reason to believe.

use std::cell::OnceCell;

use super::actions::{Action, Claim};
use super::beliefs::Beliefs;
use super::board::{Piece, SQUARES};
use super::cards::{Card, Kind, Room};
use super::hand::{Hand, LIMIT};
use super::sticks::{By, Face, Picture, Throw};
use super::view::View;
use crate::chance::Chance;
use crate::game::Advice;
use crate::seat::{Seat, SeatCount};

/// What it costs, in points, to be jailed and to have shown one's hand.
const JAIL: f64 = 12.0;
/// What it costs to have shown one's hand in vain in jail.
const EXPOSED: f64 = 6.0;
/// What it is worth to send a rival to jail or to leave it.
const LIBERTY: f64 = 3.0;
/// A question tells everybody what its asker is after.
const CURIOSITY: f64 = 0.1;
/// What being as near home as can be is worth of what could be announced there.
const NEARNESS: f64 = 0.1;
/// What throwing again is worth beside ending the turn.
const THROW: f64 = 0.5;
/// Certainty about a card of a set is worth this part of the set.
const INSIGHT: f64 = 0.25;

/// Ranks the legal actions, best first.
pub fn advise(
    view: &View,
    seat: Seat,
    target: u16,
    mut legal: Vec<Action>,
    random: &mut Chance,
) -> Vec<Advice<Action>> {
    // Equals are tried in an order of chance.
    random.shuffle(&mut legal);
    let Some(mind) = Mind::of(view, seat) else { return Vec::new() };
    let mut advice: Vec<_> = legal
        .into_iter()
        .map(|action| {
            let value = mind.chance_to_win(mind.worth(&action), target);
            Advice { action, value }
        })
        .collect();
    advice.sort_by(|one, other| other.value.total_cmp(&one.value));
    advice
}

struct Mind<'a> {
    view: &'a View,
    seat: Seat,
    seats: SeatCount,
    hand: Hand,
    beliefs: Beliefs,
    /// What could be announced at best if the piece were at home, or nothing.
    ready: OnceCell<f64>,
}

impl<'a> Mind<'a> {
    fn of(view: &'a View, seat: Seat) -> Option<Self> {
        let seats = SeatCount::new(view.pieces.len())?;
        let hand = view.hand.iter().flatten().copied().collect();
        Some(Self { view, seat, seats, hand, beliefs: Beliefs::of(view, seat), ready: OnceCell::new() })
    }

    fn piece(&self) -> Piece {
        self.view.pieces[self.seat.index()]
    }

    fn others(&self) -> impl Iterator<Item = Seat> {
        self.seats.seats().filter(|&other| other != self.seat)
    }

    /// The chance to win that a gain of so many points gives.
    fn chance_to_win(&self, gain: f64, target: u16) -> f64 {
        let score = |seat: Seat| f64::from(self.view.scores[seat.index()]);
        let best_rival = self.others().map(score).fold(0.0, f64::max);
        let lead = (score(self.seat) + gain - best_rival) / f64::from(target);
        let odds = (3.0 * lead.clamp(-4.0, 4.0)).exp() / (self.seats.get() - 1) as f64;
        odds / (1.0 + odds)
    }

    /// What an action gains, in points.
    fn worth(&self, action: &Action) -> f64 {
        match *action {
            Action::Throw {} => THROW,
            Action::Discard { card } => {
                let mut kept = self.hand.clone();
                kept.remove(card);
                self.prospect(&kept)
            }
            Action::PlaceStone { element, stone, number } => {
                // A marker that stays where it is tells the others least.
                let stays = self.view.stones[self.seat.index()] == Some(Room { element, stone, number });
                f64::from(u8::from(stays))
            }
            Action::Move { by, enter_home } => self.view.throw.map_or(0.0, |throw| {
                let steps = throw.steps(by);
                let to = if enter_home { Piece::Home } else { self.piece().after(self.seat, steps, self.seats) };
                self.place(to)
            }),
            Action::Ask { seat, card } => {
                let freed = self.view.pieces[seat.index()] == Piece::Jail;
                self.insight(seat, card) - CURIOSITY - if freed { LIBERTY } else { 0.0 }
            }
            Action::Announce { ref claims } => self.announcement(claims),
            Action::EndTurn {} => 0.0,
            Action::ThrowKeys {} => LIBERTY * 0.4437,
        }
    }

    /// What an announcement gains where the piece stands.
    fn announcement(&self, claims: &[Claim]) -> f64 {
        if self.piece() == Piece::Jail { self.gamble(claims, LIBERTY, EXPOSED) } else { self.gamble(claims, 0.0, JAIL) }
    }

    /// The points of a set and more if the claims are so, against a loss if not.
    fn gamble(&self, claims: &[Claim], more: f64, loss: f64) -> f64 {
        let cards = self.hand.cards().iter().copied().chain(claims.iter().map(|claim| claim.card));
        let points = Room::of(cards).map_or(0.0, |set| f64::from(set.points()));
        let truth = self.beliefs.truth_of(claims);
        truth * (points + more) - (1.0 - truth) * loss
    }

    fn best_announcement(&self) -> f64 {
        let claims =
            |kind: Kind| self.others().flat_map(move |seat| kind.cards().iter().map(move |&card| Claim { seat, card }));
        let worth = |claims: &[Claim]| self.gamble(claims, 0.0, JAIL);
        match *self.hand.missing() {
            [kind] => claims(kind).map(|claim| worth(&[claim])).fold(0.0, f64::max),
            [first, second] => claims(first)
                .flat_map(|one| claims(second).map(move |other| [one, other]))
                .map(|claims| worth(&claims))
                .fold(0.0, f64::max),
            _ => 0.0,
        }
    }

    /// What a hand may become: the sets around it, more so the closer it is to one, and what is
    /// already believed of their missing cards.
    fn prospect(&self, hand: &Hand) -> f64 {
        let believed = Room::all()
            .filter(|&room| hand.agrees_with(room))
            .map(|room| {
                let missing = room.cards().into_iter().filter(|&card| !hand.has(card));
                let chance: f64 = missing
                    .map(|card| self.others().map(|seat| self.beliefs.holds(seat, card)).fold(0.0, f64::max))
                    .product();
                chance * f64::from(room.points())
            })
            .fold(0.0, f64::max);
        believed + INSIGHT * expected_points(hand) * hand.len() as f64 / LIMIT as f64
    }

    /// What the answer to a question is worth: most where it is open and the card completes a set.
    fn insight(&self, seat: Seat, card: Card) -> f64 {
        let chance = self.beliefs.holds(seat, card);
        let mut with_it = self.hand.clone();
        with_it.add(card);
        if with_it.repeated_kind().is_some() {
            return 0.0;
        }
        4.0 * chance * (1.0 - chance) * INSIGHT * expected_points(&with_it)
    }

    /// What it is worth to stand somewhere after a move.
    fn place(&self, piece: Piece) -> f64 {
        let ready = *self.ready.get_or_init(|| self.best_announcement());
        match piece {
            Piece::Home => ready,
            Piece::Jail => 0.0,
            Piece::Road { .. } => {
                let host = piece.visits(self.seat).filter(|host| self.view.pieces[host.index()] != Piece::Jail);
                let questions = host.into_iter().flat_map(|seat| Card::ALL.map(|card| self.insight(seat, card)));
                let answer = questions.fold(0.0, f64::max);
                let bumped = self.others().any(|other| self.view.pieces[other.index()] == piece);
                let way = piece.steps_home(self.seat, self.seats).unwrap_or(0);
                let nearness = 1.0 - f64::from(way) / f64::from(SQUARES * self.seats.get() as u8);
                let home_next = ready * (chance_of(way) + NEARNESS * nearness);
                answer + home_next + if bumped { LIBERTY } else { 0.0 }
            }
        }
    }
}

/// The mean score of the sets that a hand may be part of.
fn expected_points(hand: &Hand) -> f64 {
    let rooms = || Room::all().filter(|&room| hand.agrees_with(room));
    rooms().map(|room| f64::from(room.points())).sum::<f64>() / rooms().count().max(1) as f64
}

/// The chance that a throw can move so many steps, by sum or difference.
fn chance_of(steps: u8) -> f64 {
    let throws = Face::all().flat_map(|one| Face::all().map(move |other| [one, other]));
    let fitting = throws
        .map(|numbers| Throw { numbers, picture: Picture::Lizard })
        .filter(|throw| throw.steps(By::Sum) == steps || throw.steps(By::Difference) == steps);
    fitting.count() as f64 / 16.0
}
