//! The takujo server: referees matches over HTTP, keeps them in PostgreSQL, and serves words.

pub mod cli;
pub mod config;
pub mod games;
pub mod history;
pub mod http;
pub mod ids;
pub mod leaderboards;
pub mod matches;
pub mod openapi;
pub mod operations;
pub mod players;
pub mod serve;
pub mod shiritori;
pub mod startup;
pub mod words;
