//! What the program does besides serving.

pub mod export_records;
pub mod generate;
pub mod import;
pub mod project;
pub mod replay;
mod rule_args;
mod selection;
pub mod verify;
pub mod words;
