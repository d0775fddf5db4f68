//! The table as it stands.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::Piece;
use super::cards::{Card, Counts, Room};
use super::hand::Hand;
use super::knowledge::Knowledge;
use super::sticks::Throw;
use crate::seat::{Seat, SeatCount, SeatSet};

/// The most sets there can be: the stones are the fewest, 15.
pub(super) const MOST_SETS: usize = 15;

/// One thing for each of the up to four seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerSeat<T>([T; 4]);

impl<T> PerSeat<T> {
    /// Of the things in turn order.
    pub const fn new(things: [T; 4]) -> Self {
        Self(things)
    }

    /// The things in turn order, to change.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.0.iter_mut()
    }
}

/// The game is for at most four seats; a higher number can only come from a malformed log, which
/// must not bring the reader down.
impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index() % 4]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index() % 4]
    }
}

/// What a seat has to do next in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Throw the sticks.
    Throw,
    /// Choose what to do in jail.
    Jail,
    /// Discard a card after drawing one.
    Discard {
        /// The throw being played.
        throw: Throw,
    },
    /// Place the stone marker.
    PlaceStone {
        /// The throw being played.
        throw: Throw,
    },
    /// Move the piece.
    Move {
        /// The throw being played.
        throw: Throw,
    },
    /// Ask or announce where the place allows, throw again after a double, or end the turn.
    Act {
        /// The throw being played.
        throw: Throw,
        /// Whether this throw's question has been asked.
        asked: bool,
    },
}

/// What ended a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::Ending)]
pub enum Ending {
    /// A score reached the target.
    Target,
    /// The cards not yet scored no longer make one of each kind.
    NoSetLeft,
}

impl Ending {
    /// The word in the outcome.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Target => "target",
            Self::NoSetLeft => "no_set_left",
        }
    }
}

/// Where the match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Seats that were dealt two cards of a kind discard one.
    Opening {
        /// Those that still have to.
        owing: SeatSet,
    },
    /// A seat's turn.
    Turn {
        /// The seat.
        seat: Seat,
        /// What it has to do.
        step: Step,
    },
    /// The match is over.
    Over {
        /// Why.
        ending: Ending,
    },
}

/// A set that a seat has laid before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// Whose it is.
    pub seat: Seat,
    /// Its three cards.
    pub set: Room,
}

/// The state of a match.
#[derive(Clone, Debug)]
pub struct Salamander {
    pub(super) seats: SeatCount,
    pub(super) target: u16,
    /// The deck, its top card last.
    pub(super) deck: ArrayVec<Card, { Card::TOTAL }>,
    pub(super) discards: Counts,
    pub(super) hands: PerSeat<Hand>,
    pub(super) pieces: PerSeat<Piece>,
    pub(super) stones: PerSeat<Option<Room>>,
    /// The sets in the order in which they were announced.
    pub(super) sets: ArrayVec<Scored, MOST_SETS>,
    pub(super) knowledge: Knowledge,
    pub(super) phase: Phase,
}

impl Salamander {
    pub(super) fn new(target: u16, seats: SeatCount) -> Self {
        Self {
            seats,
            target,
            deck: ArrayVec::new(),
            discards: Counts::NONE,
            hands: PerSeat::default(),
            pieces: PerSeat::default(),
            stones: PerSeat::default(),
            sets: ArrayVec::new(),
            knowledge: Knowledge::NOTHING_DEALT,
            phase: Phase::Opening { owing: SeatSet::EMPTY },
        }
    }

    pub(super) fn score(&self, seat: Seat) -> u16 {
        self.sets.iter().filter(|scored| scored.seat == seat).map(|scored| scored.set.points()).sum()
    }

    /// How many of each card lie where `observer` does not see them: in the deck or another hand.
    pub(super) fn unseen_by(&self, observer: Seat) -> Counts {
        let own = self.hands[observer].cards().iter().copied();
        Counts::full_without(self.scored_cards().chain(self.discards.iter()).chain(own))
    }

    /// Whether the cards not yet scored still make one of each kind.
    pub(super) fn has_set_left(&self) -> bool {
        Counts::full_without(self.scored_cards()).make_a_set()
    }

    fn scored_cards(&self) -> impl Iterator<Item = Card> {
        self.sets.iter().flat_map(|scored| scored.set.cards())
    }

    /// The seat that may be asked after the move, if the piece stands before another's home.
    pub(super) fn askable(&self, seat: Seat, asked: bool) -> Option<Seat> {
        if asked { None } else { self.pieces[seat].visits(seat) }
    }

    /// Whether the seat may announce after its move: at home with a card to show.
    pub(super) fn may_announce_at_home(&self, seat: Seat) -> bool {
        self.pieces[seat] == Piece::Home && !self.hands[seat].is_empty()
    }

    /// What the first decision of a seat's turn is.
    pub(super) fn turn_of(&self, seat: Seat) -> Phase {
        let step = if self.pieces[seat] == Piece::Jail { Step::Jail } else { Step::Throw };
        Phase::Turn { seat, step }
    }
}
