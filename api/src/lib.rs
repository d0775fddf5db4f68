//! The takujo server: referees matches over HTTP, keeps them in PostgreSQL, and serves words.

pub mod cli;
pub mod config;
pub mod exports;
pub mod games;
pub mod history;
pub mod housekeeping;
pub mod http;
pub mod ids;
pub mod leaderboards;
pub mod matches;
pub mod openapi;
pub mod operations;
pub mod pages;
pub mod players;
pub mod serve;
pub mod shiritori;
pub mod startup;
pub mod words;

/// Requests allocate many small things: with the system's allocator a sixth of their time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
