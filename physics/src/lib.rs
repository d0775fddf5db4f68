//! Dice as solids on a table: what becomes of a tower when a hand lets go.
//!
//! [`world::World`] says where dice rest after a touch; [`world::Engine`] works it out with a
//! rigid-body engine. The crate knows nothing of any game.

pub mod decimal;
pub mod pose;
pub mod solid;
pub mod world;
