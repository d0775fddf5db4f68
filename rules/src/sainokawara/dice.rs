//! The stacking dice: their kinds, and heaps of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// A kind of stacking die. Equal dice are interchangeable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = sainokawara::Die)]
pub enum Die {
    /// A large cube.
    D6Large,
    /// A medium cube.
    D6Medium,
    /// A small cube.
    D6Small,
    /// An octahedron.
    D8,
    /// A medium pentagonal trapezohedron.
    D10Medium,
    /// A small pentagonal trapezohedron.
    D10Small,
    /// An icosahedron.
    D20,
}

impl Die {
    /// Every kind, in the order in which the rule text lists them.
    pub const ALL: [Self; 7] =
        [Self::D6Large, Self::D6Medium, Self::D6Small, Self::D8, Self::D10Medium, Self::D10Small, Self::D20];
}

/// How many dice of each kind there are in a heap, such as the supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ToSchema)]
#[schema(as = sainokawara::Dice, value_type = BTreeMap<Die, u8>)]
pub struct Dice([u8; Die::ALL.len()]);

impl Dice {
    /// The twenty dice of the rule text's example (内容物).
    pub const EXAMPLE: Self = Self([6, 7, 1, 2, 2, 1, 1]);

    /// How many of this kind there are.
    pub const fn count(&self, die: Die) -> u8 {
        self.0[die as usize]
    }

    /// How many dice there are.
    pub fn total(&self) -> u32 {
        self.0.iter().copied().map(u32::from).sum()
    }

    /// The kinds of which there is at least one.
    pub fn kinds(&self) -> impl Iterator<Item = Die> + Clone {
        let counts = self.0;
        Die::ALL.into_iter().filter(move |&die| counts[die as usize] > 0)
    }

    /// Takes one die out of the heap, if it holds one of this kind.
    #[must_use]
    pub fn less(mut self, die: Die) -> Option<Self> {
        let count = &mut self.0[die as usize];
        *count = count.checked_sub(1)?;
        Some(self)
    }
}

impl Serialize for Dice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Die::ALL.into_iter().map(|die| (die, self.count(die))))
    }
}

impl<'de> Deserialize<'de> for Dice {
    /// Kinds that are not named have no dice.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let named = BTreeMap::<Die, u8>::deserialize(deserializer)?;
        Ok(Self(Die::ALL.map(|die| named.get(&die).copied().unwrap_or_default())))
    }
}
