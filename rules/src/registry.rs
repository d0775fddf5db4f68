//! The games there are: adding one is a module and a line here.

use crate::sainokawara::Sainokawara;
use crate::table::{AnyGame, entry};

/// Every game, in the order in which they are listed.
pub fn games() -> [&'static dyn AnyGame; 1] {
    [const { &entry::<Sainokawara>() }]
}

/// The game with this id.
pub fn game(id: &str) -> Option<&'static dyn AnyGame> {
    games().into_iter().find(|game| game.facts().id == id)
}
