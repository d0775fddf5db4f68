//! How far the pieces move when a round has ended.

use arrayvec::ArrayVec;

use super::board::{Duty, GOAL, Owners};
use crate::seat::{Seat, SeatCount, SeatSet};

/// No table of this game has more seats.
pub const MOST_SEATS: usize = 6;

/// A number of steps for each seat.
pub type Steps = ArrayVec<u8, MOST_SEATS>;

/// How the tower of a round ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It fell (or the clock ran out, which counts the same).
    Fell {
        /// The die at which it fell, from 1 to 14.
        number: u8,
        /// The seat to blame.
        blamed: Seat,
    },
    /// All fourteen dice stand.
    Complete,
}

impl Ending {
    /// The seat whose turn the next round begins with (`sai.next-round`).
    pub fn next_to_begin(self, owners: &Owners) -> Seat {
        match self {
            Self::Fell { blamed, .. } => blamed,
            Self::Complete => owners.of(Duty::Fourteen),
        }
    }

    /// The steps that each seat's piece moves ahead.
    pub fn moves(self, owners: &Owners, seats: SeatCount) -> Steps {
        let mut moves: Steps = seats.seats().map(|_| 0).collect();
        let mut reward = |number: Option<u8>, steps: u8| {
            if let Some(duty) = number.and_then(Duty::numbered) {
                moves[owners.of(duty).index()] += steps;
            }
        };
        match self {
            Self::Complete => reward(Some(14), 5),
            Self::Fell { number: 0..=3, .. } => {
                reward(Some(4), 3);
                reward(Some(5), 1);
            }
            Self::Fell { number, .. } => {
                reward(number.checked_sub(1), 4);
                reward(number.checked_add(1), 3);
                reward(number.checked_sub(2), 2);
                reward(number.checked_add(2), 1);
            }
        }
        if let Self::Fell { blamed, .. } = self {
            moves[blamed.index()] = 0;
        }
        moves
    }

    /// Where the pieces stand after those moves, with the seat to blame back at the start.
    pub fn advance(self, track: &Steps, moves: &Steps) -> Steps {
        let mut track: Steps = track.iter().zip(moves).map(|(step, more)| step.saturating_add(*more)).collect();
        if let Self::Fell { blamed, .. } = self {
            track[blamed.index()] = 0;
        }
        track
    }
}

/// The seats that have reached the goal.
pub fn at_goal(track: &Steps, seats: SeatCount) -> SeatSet {
    seats.seats().filter(|seat| track[seat.index()] >= GOAL).collect()
}
