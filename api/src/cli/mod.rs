//! What the program does besides serving.

mod rule_args;
pub mod words;
