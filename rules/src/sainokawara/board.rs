//! The board: the ring of spaces, the duty cards and the track.

use arrayvec::ArrayVec;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::dice::Die;
use crate::seat::Seat;
use crate::text::Text;

/// How many spaces the ring has, and dice a whole tower.
pub const SPACES: usize = 14;
/// The step at which a seat has reached the goal.
pub const GOAL: u8 = 15;

/// A space of the ring, clockwise from 0; spaces 0 to 10 carry the numbers 2 to 12.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(as = sainokawara::Space, value_type = u8, minimum = 0, maximum = 13, examples(0))]
pub struct Space(u8);

impl Space {
    /// All spaces, clockwise.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..SPACES as u8).map(Self)
    }

    /// The space that carries the sum of the two order dice.
    pub const fn numbered(dice: [u8; 2]) -> Self {
        Self((dice[0] + dice[1]).saturating_sub(2) % SPACES as u8)
    }

    /// The space as an index into the ring.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The ring once round, clockwise from this space.
    pub fn clockwise(self) -> impl Iterator<Item = Self> + Clone {
        (0..SPACES as u8).map(move |step| Self((self.0 + step) % SPACES as u8))
    }
}

impl<'de> Deserialize<'de> for Space {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        if usize::from(number) < SPACES {
            return Ok(Self(number));
        }
        Err(serde::de::Error::custom(Text::new(
            format!("space {number} does not exist; spaces are numbered 0 to 13"),
            format!("スペース{number}はありません。番号は0から13までです"),
        )))
    }
}

/// The ring during the preparation: what lies on each space.
pub type Ring = [Option<Die>; SPACES];

/// The dice on the ring, once every space has one.
pub fn filled(ring: &Ring) -> Option<[Die; SPACES]> {
    ring.iter().copied().collect::<Option<ArrayVec<_, SPACES>>>()?.into_inner().ok()
}

/// A duty card: which dice of the tower its owner stacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = sainokawara::Duty)]
#[allow(missing_docs)]
pub enum Duty {
    #[serde(rename = "1-3")]
    OneToThree,
    #[serde(rename = "4")]
    Four,
    #[serde(rename = "5")]
    Five,
    #[serde(rename = "6")]
    Six,
    #[serde(rename = "7")]
    Seven,
    #[serde(rename = "8")]
    Eight,
    #[serde(rename = "9")]
    Nine,
    #[serde(rename = "10")]
    Ten,
    #[serde(rename = "11")]
    Eleven,
    #[serde(rename = "12")]
    Twelve,
    #[serde(rename = "13")]
    Thirteen,
    #[serde(rename = "14")]
    Fourteen,
}

impl Duty {
    /// Every card, in stacking order.
    pub const ALL: [Self; 12] = [
        Self::OneToThree,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Eleven,
        Self::Twelve,
        Self::Thirteen,
        Self::Fourteen,
    ];

    /// The card as the scoring counts it: "1–3" is 3 and only 3.
    pub const fn number(self) -> u8 {
        self as u8 + 3
    }

    /// The card that the scoring counts as this number, if there is one.
    pub fn numbered(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number.checked_sub(3)?)).copied()
    }

    /// The card whose owner stacks the die with this number, counted from 1.
    pub fn of_die(number: u8) -> Self {
        Self::numbered(number.clamp(3, SPACES as u8)).unwrap_or(Self::Fourteen)
    }
}

/// The duty cards during the preparation: who has taken which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Duties([Option<Seat>; Duty::ALL.len()]);

impl Duties {
    /// Who has taken the card.
    pub const fn owner(&self, duty: Duty) -> Option<Seat> {
        self.0[duty as usize]
    }

    /// The cards nobody has taken.
    pub fn free(&self) -> impl Iterator<Item = Duty> + Clone {
        let owners = self.0;
        Duty::ALL.into_iter().filter(move |&duty| owners[duty as usize].is_none())
    }

    /// The cards after a seat has taken one.
    #[must_use]
    pub fn with(mut self, duty: Duty, owner: Seat) -> Self {
        self.0[duty as usize] = Some(owner);
        self
    }

    /// The owners, once every card is taken.
    pub fn all_taken(&self) -> Option<Owners> {
        let mut owners = [Seat::FIRST; Duty::ALL.len()];
        for (owner, taken) in owners.iter_mut().zip(self.0) {
            *owner = taken?;
        }
        Some(Owners(owners))
    }
}

/// Who owns each duty card while the tower is built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Owners([Seat; Duty::ALL.len()]);

impl Owners {
    /// The owner of a card.
    pub const fn of(&self, duty: Duty) -> Seat {
        self.0[duty as usize]
    }

    /// Who stacks the die with this number, counted from 1.
    pub fn stacker(&self, number: u8) -> Seat {
        self.of(Duty::of_die(number))
    }
}

impl From<Owners> for Duties {
    fn from(owners: Owners) -> Self {
        Self(owners.0.map(Some))
    }
}
