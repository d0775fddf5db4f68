//! Black-box tests: the production server over HTTP, on a real PostgreSQL.

mod bad_input;
mod bad_setups;
mod clocks;
mod durable;
mod edge;
mod indistinguishable;
mod lifecycle;
mod play;
mod program;
mod races;
mod records;
mod referee;
mod replaying;
mod secrets;
mod server;
mod silence;
mod spec;
mod stream;
mod tokens;
mod watching;
mod words;
mod words_cli;
