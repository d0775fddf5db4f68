//! The road around the homes, and where the pieces stand.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::seat::{Seat, SeatCount};

/// How many squares lie in front of each home.
pub const SQUARES: u8 = 5;

/// Where a piece stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(tag = "at", rename_all = "snake_case")]
#[schema(as = salamander::Piece)]
pub enum Piece {
    /// In its own home.
    #[default]
    Home,
    /// On the ring.
    Road {
        /// The square, from 0 to 5 × seats − 1; seat s has the squares 5s to 5s + 4.
        square: u8,
    },
    /// In the jail.
    Jail,
}

/// The square that is the door of a home: the centre of its five.
pub const fn door(seat: Seat) -> u8 {
    seat.number() * SQUARES + SQUARES / 2
}

/// The seat in front of whose home a square lies.
pub const fn owner(square: u8) -> Option<Seat> {
    Seat::new(square / SQUARES)
}

impl Piece {
    /// Whether a table of so many seats has this place.
    pub fn is_on(self, seats: SeatCount) -> bool {
        match self {
            Self::Road { square } => usize::from(square / SQUARES) < seats.get(),
            Self::Home | Self::Jail => true,
        }
    }

    /// The other seat in front of whose home the piece of `own` stands.
    pub fn visits(self, own: Seat) -> Option<Seat> {
        match self {
            Self::Road { square } => owner(square).filter(|&host| host != own),
            Self::Home | Self::Jail => None,
        }
    }

    /// How many steps take the piece of `seat` home through its door (`sal.enter-home`).
    pub fn steps_home(self, seat: Seat, seats: SeatCount) -> Option<u8> {
        let length = SQUARES * seats.get() as u8;
        match self {
            Self::Road { square } => Some((door(seat) + length - square) % length + 1),
            Self::Home | Self::Jail => None,
        }
    }

    /// Where the piece of `seat` stands after so many steps along the road (`sal.road`,
    /// `sal.leave-home`); without a step it stays. A jailed piece does not move.
    #[must_use]
    pub fn after(self, seat: Seat, steps: u8, seats: SeatCount) -> Self {
        let length = SQUARES * seats.get() as u8;
        match self {
            Self::Home if steps > 0 => Self::Road { square: (door(seat) + steps - 1) % length },
            Self::Road { square } => Self::Road { square: (square + steps) % length },
            Self::Home | Self::Jail => self,
        }
    }
}
