//! What a run is worth at the showdown: its total, and the hands (役) among the 21s.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::die::Face;

/// A special 21, weakest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::Hand)]
pub enum Hand {
    /// Three 3s and three 4s.
    #[serde(rename = "double_3_4")]
    DoubleThreeFour,
    /// Three 2s and three 5s.
    #[serde(rename = "double_2_5")]
    DoubleTwoFive,
    /// Three 1s and three 6s.
    #[serde(rename = "double_1_6")]
    DoubleOneSix,
    /// Each face once.
    Straight,
}

impl Hand {
    /// The hand that these rolls make in whatever order they came. Every hand is six rolls, and
    /// each of them adds up to 21.
    pub fn of(rolls: &[Face]) -> Option<Self> {
        if rolls.len() != 6 {
            return None;
        }
        let mut counts = [0_u8; Face::SIDES as usize];
        for face in rolls {
            counts[usize::from(face.pips()) - 1] += 1;
        }
        match counts {
            [1, 1, 1, 1, 1, 1] => Some(Self::Straight),
            [3, 0, 0, 0, 0, 3] => Some(Self::DoubleOneSix),
            [0, 3, 0, 0, 3, 0] => Some(Self::DoubleTwoFive),
            [0, 0, 3, 3, 0, 0] => Some(Self::DoubleThreeFour),
            _ => None,
        }
    }
}

/// What runs are compared by: the total, then the hand, any hand above none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Strength {
    pub total: u8,
    pub hand: Option<Hand>,
}
