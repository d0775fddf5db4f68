//! What the program does besides serving.

pub mod replay;
mod rule_args;
pub mod verify;
pub mod words;
