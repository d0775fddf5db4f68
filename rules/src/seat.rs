//! Seats at the table: who acts, who looks.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::text::Text;

/// A place at the table, counted from 0 in clockwise turn order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = u8, minimum = 0, maximum = 9, examples(0))]
pub struct Seat(u8);

impl Seat {
    /// No game seats more than this many.
    pub const LIMIT: u8 = 10;
    /// The seat that comes first in turn order.
    pub const FIRST: Self = Self(0);

    /// The seat with this number, if a table can have it.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::LIMIT { Some(Self(number)) } else { None }
    }

    /// The number as an index into per-seat lists.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number as clients write it.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Self::new(number).ok_or_else(|| {
            serde::de::Error::custom(Text::new(
                format!("seat {number} does not exist; seats are numbered 0 to 9"),
                format!("席 {number} はありません。席の番号は 0 から 9 までです"),
            ))
        })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// How many seats a table has: 2 to 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeatCount(u8);

impl SeatCount {
    /// A table of this many seats, if there can be one.
    pub const fn new(count: usize) -> Option<Self> {
        if count >= 2 && count <= Seat::LIMIT as usize { Some(Self(count as u8)) } else { None }
    }

    /// The number of seats.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// Whether the table has this seat.
    pub const fn has(self, seat: Seat) -> bool {
        seat.0 < self.0
    }

    /// All seats in turn order, from seat 0.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..self.0).map(Seat)
    }

    /// All seats clockwise, beginning with `first`.
    pub fn clockwise_from(self, first: Seat) -> impl Iterator<Item = Seat> + Clone {
        (first.0..self.0).chain(0..first.0.min(self.0)).map(Seat)
    }

    /// The next seat clockwise.
    pub const fn after(self, seat: Seat) -> Seat {
        // A comparison: dividing is slow where games are played out by the million.
        if seat.0 + 1 >= self.0 { Seat::FIRST } else { Seat(seat.0 + 1) }
    }
}

/// A set of seats, such as those that owe a decision.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No seat.
    pub const EMPTY: Self = Self(0);

    /// One seat alone.
    pub const fn one(seat: Seat) -> Self {
        Self(1 << seat.0)
    }

    /// Every seat of the table.
    pub const fn all(count: SeatCount) -> Self {
        Self((1 << count.0) - 1)
    }

    /// Whether the seat is in the set.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat.0 & 1 == 1
    }

    /// This set and one seat more.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat.0)
    }

    /// This set less one seat.
    #[must_use]
    pub const fn without(self, seat: Seat) -> Self {
        Self(self.0 & !(1 << seat.0))
    }

    /// Whether no seat is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Seat> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = Seat::new(rest.trailing_zeros() as u8)?;
            rest &= rest - 1;
            Some(lowest)
        })
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Seat>::deserialize(deserializer)?.into_iter().collect())
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Seat::number)).finish()
    }
}

/// Whose eyes look at a table: a secret shows only to those it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// Somebody without a seat: sees what lies open.
    Public,
    /// The player of a seat: sees that seat's secrets as well.
    Seat(Seat),
    /// Anybody after the end, and the referee: sees everything.
    Everything,
}

impl Viewer {
    /// Whether this viewer may know the secrets of `seat`.
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Public => false,
            Self::Seat(own) => own == seat,
            Self::Everything => true,
        }
    }
}
