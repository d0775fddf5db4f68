//! Black-box tests: the production server over HTTP, on a real PostgreSQL.

mod bad_input;
mod bad_setups;
mod bulk;
mod clocks;
mod durable;
mod edge;
mod exports;
mod history;
mod import;
mod lifecycle;
mod play;
mod program;
mod races;
mod secrets;
mod server;
mod spec;
mod stream;
mod tokens;
mod views;
mod watching;
mod words;
mod words_cli;
