//! What a match is created with; nothing of it ever changes.

use std::sync::Arc;

use rules::chance::{Key, Script};
use rules::table::{AnyGame, AnyTable, Plan, Player};
use rules::text::Fault;
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::ids::MatchId;

/// How the seats get their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatOrder {
    /// As the request lists them.
    #[default]
    AsGiven,
    /// Shuffled from the match's seed.
    Shuffled,
}

impl SeatOrder {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsGiven => "as_given",
            Self::Shuffled => "shuffled",
        }
    }
}

/// What a sandbox match scripts.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Sandbox {
    /// Dice in the order in which the game asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(examples(json!([5, 3, 6])))]
    pub dice: Vec<u32>,
    /// Cards of the pile, top first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(examples(json!(["sword", "mirror"])))]
    pub deck: Vec<String>,
    /// Whether time moves only by the actions' `at_s`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub virtual_clock: bool,
}

/// A match as it was created.
#[derive(Clone)]
pub struct Facts {
    /// Its id.
    pub id: MatchId,
    /// What is played.
    pub game: &'static dyn AnyGame,
    /// The options, with defaults filled in.
    pub options: Arc<Value>,
    /// The version of the game's rules that it is judged by.
    pub rules_version: i32,
    /// The lexicon that it was created with.
    pub lexicon_version: String,
    /// How the seats got their order.
    pub seat_order: SeatOrder,
    /// How long a seat may think.
    pub turn_seconds: Option<u32>,
    /// Whether it shows in the list.
    pub listed: bool,
    /// Whether it may be analysed while it is played.
    pub analysis: bool,
    /// What is scripted.
    pub sandbox: Option<Sandbox>,
    /// The server's seed: secret until the end.
    pub server_seed: [u8; 32],
    /// When it was created.
    pub created_at: Timestamp,
}

impl Facts {
    /// Lays the table that the match is played on.
    ///
    /// # Errors
    /// Everything that is wrong with the set-up.
    pub fn lay(&mut self, seats: Vec<(Arc<str>, Player)>) -> Result<Box<dyn AnyTable>, Vec<Fault>> {
        let sandbox = self.sandbox.clone().unwrap_or_default();
        let plan = Plan {
            seats,
            turn_seconds: self.turn_seconds,
            script: Arc::new(Script { dice: sandbox.dice, deck: sandbox.deck }),
            virtual_clock: sandbox.virtual_clock,
            created_at: self.created_at,
        };
        let (table, options) = self.game.lay(&self.options, plan)?;
        self.options = Arc::new(options);
        Ok(table)
    }

    /// The key of the match's chance, once every seat's entropy is known.
    pub fn key<'a>(&self, entropy: impl IntoIterator<Item = &'a [u8]>) -> Key {
        Key::derive(&self.server_seed, self.id.0.as_bytes(), entropy)
    }
}
