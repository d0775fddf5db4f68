//! A private PostgreSQL for one server, so that a durable server needs nothing set up.
//!
//! [`Cluster::start`] finds PostgreSQL's own programs on the machine, makes a database cluster in a data folder the
//! first time, runs it on a unix socket that only this user can reach, keeps it running, and stops it with the server.
//! There is no TCP port, and durability is never traded for speed.
//!
//! What lies in the data folder:
//!
//! | name | what it is |
//! |---|---|
//! | `server.lock` | locked while a server uses the folder; holds its process id |
//! | `release` | the flavour and major version that made the data, e.g. `PostgreSQL 15` |
//! | `cluster/` | PostgreSQL's own data directory |
//! | `cluster.partial-…/` | one that is being made; what an interrupted start leaves of it is thrown away |
//! | `socket/` | the unix socket, unless its path would be too long |
//! | `postgresql.log` | what PostgreSQL has to say |
//!
//! PostgreSQL refuses to run as root, so a server of root's runs it as an unprivileged user, who owns `cluster/` and
//! the socket's folder while the rest stays root's.

mod account;
mod cluster;
mod command;
mod connection;
mod error;
mod folder;
mod initdb;
mod install;
mod log;
mod predecessor;
mod programs;
mod release;
mod server;
mod settings;
mod socket;
#[cfg(any(test, not(target_os = "linux")))]
mod watchdog;

pub use cluster::Cluster;
pub use connection::Connection;
pub use error::Error;
pub use folder::default_data_folder;
pub use install::install_line;
pub use release::Release;
pub use settings::{PROGRAMS_SETTING, Settings};
