//! The three four-faced sticks.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::pips::Pips;
use crate::chance::Chance;

/// A face of a stick. The number sticks show a key beside their 1; the picture stick has lizards
/// on 1 and 2, stones on 3 and 4, and a key beside the stone on 4.
pub type Face = Pips<4>;

/// What the picture stick shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::Picture)]
pub enum Picture {
    /// Draw a card.
    Lizard,
    /// Place the stone marker.
    Stone,
}

/// A throw of the three sticks to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = salamander::Throw)]
pub struct Throw {
    /// The two number sticks.
    #[schema(examples(json!([2, 3])))]
    pub numbers: [Face; 2],
    /// The picture stick.
    pub picture: Picture,
}

/// How the number sticks are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = salamander::By)]
pub enum By {
    /// Added up: 2 to 8.
    Sum,
    /// The smaller taken from the larger: 0 to 3.
    Difference,
}

impl Throw {
    /// Throws number, number, picture.
    pub(super) fn cast(chance: &mut Chance) -> Self {
        let numbers = [Face::thrown(chance), Face::thrown(chance)];
        let picture = if Face::thrown(chance).get() <= 2 { Picture::Lizard } else { Picture::Stone };
        Self { numbers, picture }
    }

    /// How many squares the piece moves.
    pub const fn steps(self, by: By) -> u8 {
        let [one, other] = [self.numbers[0].get(), self.numbers[1].get()];
        match by {
            By::Sum => one + other,
            By::Difference => one.abs_diff(other),
        }
    }

    /// Whether the numbers are equal: another throw may follow.
    pub fn is_double(self) -> bool {
        self.numbers[0] == self.numbers[1]
    }
}

/// How often a jailed seat may throw for keys in a turn.
pub const KEY_THROWS: usize = 5;

/// The face of each stick that shows a key: number, number, picture.
const KEYS: [u8; 3] = [1, 1, 4];

/// Up to five throws for keys: a stick that shows one is set aside and not thrown again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(as = salamander::KeyThrows, value_type = Vec<Vec<Option<Face>>>, examples(json!([[1, 3, 2], [null, 1, 4]])))]
pub struct KeyThrows(ArrayVec<[Option<Face>; 3], KEY_THROWS>);

impl KeyThrows {
    /// Throws until all three sticks show keys, at most five times.
    pub(super) fn cast(chance: &mut Chance) -> Self {
        let mut throws = ArrayVec::new();
        let mut aside = [false; 3];
        while !throws.is_full() && aside.contains(&false) {
            let faces = std::array::from_fn(|stick| (!aside[stick]).then(|| Face::thrown(chance)));
            for (stick, face) in faces.iter().enumerate() {
                aside[stick] |= face.is_some_and(|face| face.get() == KEYS[stick]);
            }
            throws.push(faces);
        }
        Self(throws)
    }

    /// The faces, throw by throw; a stick that was set aside shows none.
    pub fn throws(&self) -> &[[Option<Face>; 3]] {
        &self.0
    }

    /// Whether all three sticks came to show keys.
    pub fn open_the_jail(&self) -> bool {
        (0..3).all(|stick| self.0.iter().any(|faces| faces[stick].is_some_and(|face| face.get() == KEYS[stick])))
    }
}
