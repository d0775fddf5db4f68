//! The one die of the game.

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::chance::Chance;
use crate::text::Text;

/// What a six-sided die shows: 1 to 6.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(as = twenty_one::Face, value_type = u8, minimum = 1, maximum = 6, examples(5))]
pub struct Face(u8);

impl Face {
    /// How many sides the die has.
    pub const SIDES: u8 = 6;

    /// The face with this many pips, if the die has it.
    pub const fn new(pips: u8) -> Option<Self> {
        if pips >= 1 && pips <= Self::SIDES { Some(Self(pips)) } else { None }
    }

    /// The number of pips.
    pub const fn pips(self) -> u8 {
        self.0
    }

    /// Every face, lowest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=Self::SIDES).map(Self)
    }

    /// Rolls the die. The faces of a script were checked when the match was created.
    pub(super) fn roll(chance: &mut Chance) -> Self {
        Self(chance.die(Self::SIDES.into()) as u8)
    }
}

impl<'de> Deserialize<'de> for Face {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pips = u8::deserialize(deserializer)?;
        Self::new(pips).ok_or_else(|| {
            serde::de::Error::custom(Text::new(
                format!("{pips} is no face of the die: they are 1 to 6"),
                format!("{pips}の目はありません。目は1から6までです"),
            ))
        })
    }
}
