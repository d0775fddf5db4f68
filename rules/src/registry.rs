//! The games there are: adding one is a module and a line here.

use crate::hachiku::Hachiku;
use crate::kamudakara::Kamudakara;
use crate::sainokawara::Sainokawara;
use crate::salamander::Salamander;
use crate::table::{AnyGame, entry};
use crate::twenty_one::TwentyOne;

/// Every game, in the order in which they are listed.
pub fn games() -> [&'static dyn AnyGame; 5] {
    [
        const { &entry::<Hachiku>() },
        const { &entry::<TwentyOne>() },
        const { &entry::<Kamudakara>() },
        const { &entry::<Salamander>() },
        const { &entry::<Sainokawara>() },
    ]
}

/// The game with this id.
pub fn game(id: &str) -> Option<&'static dyn AnyGame> {
    games().into_iter().find(|game| game.facts().id == id)
}
