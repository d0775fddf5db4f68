//! What the program does besides serving.

pub mod export_records;
pub mod import;
mod rule_args;
pub mod words;
