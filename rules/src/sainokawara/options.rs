//! What a match may choose at its creation.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::SPACES;
use super::dice::{Dice, Die};
use crate::text::{Fault, Text};

/// How the dice are stacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sainokawara::Stacking)]
pub enum Stacking {
    /// People stack real dice on a real table; the server is their referee.
    #[default]
    Reported,
    /// A physics engine holds the tower.
    Simulated,
}

/// How much the hand trembles that stacks in the simulated world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sainokawara::Tremor)]
pub enum Tremor {
    /// Hardly at all.
    Steady,
    /// As people's hands do.
    #[default]
    Normal,
    /// Badly.
    Shaky,
}

/// The options of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = sainokawara::Options)]
pub struct Options {
    /// How the dice are stacked.
    pub stacking: Stacking,
    /// Whether a stacker whose time runs out counts as having brought the tower down.
    pub enforce_clock: bool,
    /// How much the hand trembles; only for the simulated tower.
    pub tremor: Tremor,
    /// The stacking dice, by kind: at least 14 and at most 60.
    pub dice: Dice,
}

/// More dice than this make no other game.
const MOST_DICE: u32 = 60;

impl Default for Options {
    fn default() -> Self {
        Self { stacking: Stacking::default(), enforce_clock: true, tremor: Tremor::default(), dice: Dice::EXAMPLE }
    }
}

impl Options {
    /// What is wrong with the values.
    pub fn faults(&self) -> Vec<Fault> {
        let total = self.dice.total();
        if (SPACES as u32..=MOST_DICE).contains(&total) {
            return Vec::new();
        }
        let kinds = Die::ALL.len();
        vec![Fault::new(
            "options.dice",
            Text::new(
                format!(
                    "there are {total} dice: the {kinds} kinds together must be {SPACES} to {MOST_DICE}, to fill the {SPACES} spaces"
                ),
                format!(
                    "賽子が{total}個です。{kinds}種類あわせて{SPACES}個から{MOST_DICE}個にしてください（スペースは{SPACES}個あります）"
                ),
            ),
        )]
    }
}
