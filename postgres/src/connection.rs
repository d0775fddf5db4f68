use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};

/// The name of the superuser.
pub(crate) const USER: &str = "takujo";
/// The name of the database.
pub(crate) const DATABASE: &str = "takujo";
/// No port is open: PostgreSQL only names the socket's file by it.
pub(crate) const PORT: u16 = 5432;

/// How to connect: to a unix socket, as the superuser, without a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    pub(crate) socket_folder: PathBuf,
}

impl Connection {
    /// The folder of the unix socket: what libpq and sqlx take as the host.
    pub fn socket_folder(&self) -> &Path {
        &self.socket_folder
    }

    /// The number in the name of the socket's file. No TCP port is open.
    pub fn port(&self) -> u16 {
        PORT
    }

    /// The user to connect as, a superuser of this private cluster.
    pub fn user(&self) -> &'static str {
        USER
    }

    /// The database, made at the first start.
    pub fn database(&self) -> &'static str {
        DATABASE
    }

    /// The same as one URL that libpq and sqlx understand. Every part is given, so that no `PG…` variable of the
    /// environment can change where it leads.
    pub fn url(&self) -> String {
        let folder = percent_encode(self.socket_folder.as_os_str().as_bytes(), NON_ALPHANUMERIC);
        format!("postgres:///{DATABASE}?host={folder}&port={PORT}&user={USER}&sslmode=disable")
    }
}
