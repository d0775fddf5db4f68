//! The games there are: adding one is a module and a line here.

use crate::table::{AnyGame, entry};

static GAMES: [&dyn AnyGame; 1] = [&entry::<crate::kamudakara::Kamudakara>()];

/// Every game, in the order in which they are listed.
pub fn games() -> &'static [&'static dyn AnyGame] {
    &GAMES
}

/// The game with this id.
pub fn game(id: &str) -> Option<&'static dyn AnyGame> {
    GAMES.into_iter().find(|game| game.facts().id == id)
}
