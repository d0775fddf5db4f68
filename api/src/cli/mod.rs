//! What the program does besides serving.

pub mod generate;
pub mod project;
mod rule_args;
pub mod words;
