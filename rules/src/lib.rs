//! The rules of five Japanese table games, as pure functions: no input or output, no clock, no
//! global state.
//!
//! [`game::Game`] is the one shape that every game has; [`table::Table`] is the referee around a
//! game; [`registry`] lists the games.

pub mod chance;
pub mod game;
pub mod hachiku;
pub mod kamudakara;
pub mod outcome;
pub mod registry;
pub mod sainokawara;
pub mod salamander;
pub mod seat;
pub mod strict;
pub mod table;
pub mod text;
pub mod time;
pub mod twenty_one;
