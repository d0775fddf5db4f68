//! What the program does besides serving.

pub mod export_records;
pub mod import;
pub mod replay;
mod rule_args;
pub mod verify;
pub mod words;
