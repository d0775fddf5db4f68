//! What a seat may do, and what comes of it.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Piece;
use super::cards::{Card, Element, Number, Room, Stone};
use super::events::{Event, FreedBy, JailedFor, JudgedClaim};
use super::hand::LIMIT;
use super::refusals as refuse;
use super::state::{Ending, Phase, Salamander, Step};
use super::sticks::{By, KeyThrows, Picture, Throw};
use crate::game::{Context, Game};
use crate::seat::Seat;
use crate::text::Refusal;

/// A statement that a seat holds a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = salamander::Claim)]
pub struct Claim {
    /// The seat.
    pub seat: Seat,
    /// The card.
    pub card: Card,
}

/// The statements of an announcement. Three are never right, and are read so that the refusal can
/// say why.
pub type Claims = ArrayVec<Claim, 3>;

/// What a seat may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = salamander::Action)]
pub enum Action {
    /// Throw the three sticks: at the beginning of a turn, and again after a double.
    Throw {},
    /// Discard a card, face up: after the deal of two of a kind, or after drawing one too many.
    Discard {
        /// The card.
        card: Card,
    },
    /// Place the own stone marker in a room that agrees with the hand.
    PlaceStone {
        /// The wing.
        element: Element,
        /// The column, 1 to 3.
        stone: Stone,
        /// The row, 1 to 7.
        number: Number,
    },
    /// Move the piece by the sum or the difference of the number sticks.
    Move {
        /// Which.
        by: By,
        /// Whether the last step goes through the own door, where the count is exact.
        #[serde(default)]
        enter_home: bool,
    },
    /// Ask a seat whether it holds a card.
    Ask {
        /// The seat.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// Show the hand and name the cards of others that complete one element, one stone, one number.
    Announce {
        /// Two cards beside a hand of one, one card beside a hand of two.
        #[schema(value_type = Vec<Claim>, max_items = 2, examples(json!([{"seat": 1, "card": "stone-3"}])))]
        claims: Claims,
    },
    /// End the turn; in jail also without having done anything.
    EndTurn {},
    /// In jail: throw for keys, up to five times.
    ThrowKeys {},
}

type Log = Vec<Event>;

impl Salamander {
    pub(super) fn begin(&mut self, context: &mut Context<'_>, log: &mut Log) {
        self.shuffle(super::cards::Counts::FULL.iter().collect(), context, log);
        for seat in self.seats.seats() {
            if let [.., second, first] = self.deck[..] {
                self.emit(Event::Dealt { seat, cards: Some([first, second]) }, log);
            }
        }
        for seat in self.seats.seats() {
            self.discard_forced(seat, log);
        }
    }

    pub(super) fn act(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Log,
    ) -> Result<(), Refusal> {
        match (self.phase, action) {
            (Phase::Opening { .. } | Phase::Turn { step: Step::Discard { .. }, .. }, &Action::Discard { card }) => {
                if !self.hands[seat].surplus().any(|other| other == card) {
                    return Err(refuse::discard(&self.hands[seat], card, self.phase));
                }
                self.emit(Event::Discarded { seat, card, forced: false }, log);
                Ok(())
            }
            (Phase::Turn { step, .. }, _) => self.take_step(seat, step, action, context, log),
            (Phase::Opening { .. } | Phase::Over { .. }, _) => Err(refuse::opening(&self.hands[seat])),
        }
    }

    fn take_step(
        &mut self,
        seat: Seat,
        step: Step,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Log,
    ) -> Result<(), Refusal> {
        match (step, action) {
            (Step::Throw, Action::Throw {}) => self.throw(seat, context, log),
            (Step::PlaceStone { .. }, &Action::PlaceStone { element, stone, number }) => {
                let room = Room { element, stone, number };
                if !self.hands[seat].agrees_with(room) {
                    return Err(refuse::room(&self.hands[seat]));
                }
                self.emit(Event::PlacedStone { seat, room }, log);
            }
            (Step::Move { throw }, &Action::Move { by, enter_home }) => {
                self.move_piece(seat, throw, by, enter_home, log)?;
            }
            (Step::Act { throw, .. }, Action::Throw {}) if throw.is_double() => self.throw(seat, context, log),
            (Step::Act { asked, .. }, &Action::Ask { seat: target, card }) => {
                if self.askable(seat, asked) != Some(target) {
                    return Err(refuse::ask(self.pieces[seat].visits(seat), asked));
                }
                self.ask(seat, target, card, log);
                self.end_if_nothing_is_left(seat, log);
            }
            (Step::Act { .. }, Action::Announce { claims }) => {
                if !self.may_announce_at_home(seat) {
                    return Err(refuse::announce_here(&self.hands[seat]));
                }
                let set = self.set_of(seat, claims, "sal.announce")?;
                self.announce(seat, claims, set, log);
            }
            (Step::Act { .. } | Step::Jail, Action::EndTurn {}) => {
                self.emit(Event::TurnEnded { seat, forced: false }, log);
            }
            (Step::Jail, Action::ThrowKeys {}) => {
                let throws = KeyThrows::cast(context.chance);
                let freed = throws.open_the_jail();
                self.emit(Event::KeysThrown { seat, throws }, log);
                if freed {
                    self.emit(Event::Freed { seat, reason: FreedBy::Keys }, log);
                }
                self.emit(Event::TurnEnded { seat, forced: true }, log);
            }
            (Step::Jail, &Action::Ask { seat: target, card }) => {
                if target == seat || !self.seats.has(target) {
                    return Err(refuse::jail_ask());
                }
                self.ask(seat, target, card, log);
                self.emit(Event::TurnEnded { seat, forced: true }, log);
            }
            (Step::Jail, Action::Announce { claims }) => {
                let set = self.set_of(seat, claims, "sal.jail-announce")?;
                self.announce(seat, claims, set, log);
            }
            _ => return Err(refuse::untimely(step, action)),
        }
        Ok(())
    }

    fn throw(&mut self, seat: Seat, context: &mut Context<'_>, log: &mut Log) {
        let throw = Throw::cast(context.chance);
        self.emit(Event::Thrown { seat, throw }, log);
        if throw.picture == Picture::Lizard {
            self.draw_card(seat, context, log);
        }
    }

    fn draw_card(&mut self, seat: Seat, context: &mut Context<'_>, log: &mut Log) {
        if self.deck.is_empty() && !self.discards.is_empty() {
            self.shuffle(self.discards.iter().collect(), context, log);
        }
        match self.deck.last() {
            Some(&card) => {
                self.emit(Event::Drew { seat, card: Some(card) }, log);
                self.discard_forced(seat, log);
            }
            None => self.emit(Event::DrewNothing { seat }, log),
        }
    }

    fn shuffle(&mut self, cards: Vec<Card>, context: &mut Context<'_>, log: &mut Log) {
        let deck = context.chance.pile(cards, Card::from_name);
        self.emit(Event::Shuffled { deck_size: deck.len() as u8, deck: Some(deck) }, log);
    }

    /// Two equal cards leave no choice which one goes.
    fn discard_forced(&mut self, seat: Seat, log: &mut Log) {
        if let Some(card) = self.hands[seat].forced_discard() {
            self.emit(Event::Discarded { seat, card, forced: true }, log);
        }
    }

    fn move_piece(&mut self, seat: Seat, throw: Throw, by: By, enter_home: bool, log: &mut Log) -> Result<(), Refusal> {
        let (from, steps) = (self.pieces[seat], throw.steps(by));
        let piece = if enter_home {
            let needed = from.steps_home(seat, self.seats);
            if needed != Some(steps) {
                return Err(refuse::enter_home(steps, needed));
            }
            Piece::Home
        } else {
            from.after(seat, steps, self.seats)
        };
        let bumped = match piece {
            Piece::Road { .. } => self.seats.seats().find(|&other| other != seat && self.pieces[other] == piece),
            Piece::Home | Piece::Jail => None,
        };
        self.emit(Event::Moved { seat, by, steps, piece }, log);
        if let Some(bumped) = bumped {
            self.emit(Event::Jailed { seat: bumped, reason: JailedFor::Bump }, log);
        }
        self.end_if_nothing_is_left(seat, log);
        Ok(())
    }

    /// Ends the turn where the seat has nothing but its end to choose.
    fn end_if_nothing_is_left(&mut self, seat: Seat, log: &mut Log) {
        if let Phase::Turn { step: Step::Act { throw, asked }, .. } = self.phase {
            let choice = throw.is_double() || self.askable(seat, asked).is_some() || self.may_announce_at_home(seat);
            if !choice {
                self.emit(Event::TurnEnded { seat, forced: true }, log);
            }
        }
    }

    fn ask(&mut self, seat: Seat, target: Seat, card: Card, log: &mut Log) {
        let answer = self.hands[target].has(card);
        self.emit(Event::Asked { seat, target, card, answer: Some(answer) }, log);
        if self.pieces[target] == Piece::Jail {
            self.emit(Event::Freed { seat: target, reason: FreedBy::Question }, log);
        }
    }

    /// The set that the hand and the named cards of others make.
    fn set_of(&self, seat: Seat, claims: &[Claim], rule: &'static str) -> Result<Room, Refusal> {
        let hand = &self.hands[seat];
        let of_others = claims.iter().all(|claim| claim.seat != seat && self.seats.has(claim.seat));
        let cards = hand.cards().iter().copied().chain(claims.iter().map(|claim| claim.card));
        match Room::of(cards) {
            Some(set) if of_others && !hand.is_empty() && !claims.is_empty() => Ok(set),
            _ => Err(refuse::set(rule, hand)),
        }
    }

    fn announce(&mut self, seat: Seat, claims: &[Claim], set: Room, log: &mut Log) {
        let claims: ArrayVec<_, LIMIT> = claims
            .iter()
            .map(|&Claim { seat, card }| JudgedClaim { seat, card, held: self.hands[seat].has(card) })
            .take(LIMIT)
            .collect();
        let was_jailed = self.pieces[seat] == Piece::Jail;
        let all_true = claims.iter().all(|claim| claim.held);
        let shown = self.hands[seat].cards().iter().copied().take(LIMIT).collect();
        self.emit(Event::Announced { seat, shown, claims, points: all_true.then(|| set.points()) }, log);
        match (all_true, was_jailed) {
            (true, true) => self.emit(Event::Freed { seat, reason: FreedBy::Announcement }, log),
            (false, false) => self.emit(Event::Jailed { seat, reason: JailedFor::FalseAnnouncement }, log),
            (true, false) | (false, true) => {}
        }
        if all_true && self.score(seat) >= self.target {
            self.emit(Event::Ended { reason: Ending::Target }, log);
        } else if !self.has_set_left() {
            self.emit(Event::Ended { reason: Ending::NoSetLeft }, log);
        } else if was_jailed || !all_true {
            self.emit(Event::TurnEnded { seat, forced: true }, log);
        } else {
            self.end_if_nothing_is_left(seat, log);
        }
    }
}
