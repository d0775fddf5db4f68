//! Black-box tests: the production server over HTTP, on a real PostgreSQL.

mod bad_input;
mod bad_setups;
mod clocks;
mod durable;
mod edge;
mod history;
mod lifecycle;
mod play;
mod program;
mod projector;
mod races;
mod ratings;
mod secrets;
mod server;
mod spec;
mod stream;
mod tokens;
mod watching;
mod words;
mod words_cli;
