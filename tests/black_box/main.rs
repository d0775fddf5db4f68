//! Black-box tests: the production server over HTTP, on a real PostgreSQL.

mod races;
mod server;
mod spec;
mod words;
mod words_cli;
