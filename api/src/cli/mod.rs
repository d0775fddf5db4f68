//! What the program does besides serving.

pub mod export_records;
pub mod import;
pub mod replay;
pub mod generate;
pub mod project;
mod rule_args;
pub mod verify;
pub mod words;
