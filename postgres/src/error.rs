use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::PROGRAMS_SETTING;
use crate::release::{OLDEST_MAJOR, Release};

/// Why the private PostgreSQL could not be started. Each message tells how to mend it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No usable programs on this machine.
    #[error(
        "no PostgreSQL {OLDEST_MAJOR} or newer was found (looked in {}). Install it with\n\n{install}\n\nor name the \
         folder of its programs in {PROGRAMS_SETTING}, or give a database of your own in DATABASE_URL.",
        Listed(looked_in)
    )]
    ProgramsMissing {
        /// The command that installs PostgreSQL here, or one for each known system.
        install: String,
        /// Every folder that was searched.
        looked_in: Vec<PathBuf>,
    },

    /// The data was made by a release that is not installed (any more).
    #[error(
        "the data in {} was made by {made_by}, but only {} is installed here. PostgreSQL cannot read the data of \
         another flavour or major version: install {made_by} beside it and name the folder of its programs in \
         {PROGRAMS_SETTING}, or move the data over with pg_dump or pg_upgrade.",
        data_folder.display(), Listed(found)
    )]
    ReleaseDiffers {
        /// The data folder.
        data_folder: PathBuf,
        /// What made the data.
        made_by: Release,
        /// What was found on this machine.
        found: Vec<Release>,
    },

    /// There is a cluster, but no readable note of what made it.
    #[error(
        "{} does not tell which PostgreSQL made the cluster beside it. Write one line into it, such as \
         `PostgreSQL 15`: the number stands in cluster/PG_VERSION.",
        record.display()
    )]
    ReleaseUnknown {
        /// The missing or unreadable record.
        record: PathBuf,
    },

    /// Another server uses the data folder.
    #[error(
        "another server{} already runs on the data folder {}. Stop it first, or give this one a folder of its own in \
         DATA_DIR.",
        process.as_ref().map(|id| format!(" (process {id})")).unwrap_or_default(), data_folder.display()
    )]
    InUse {
        /// The data folder.
        data_folder: PathBuf,
        /// The other server's process id, where it could be read.
        process: Option<u32>,
    },

    /// PostgreSQL of an earlier server still runs on the cluster and does not end.
    #[error(
        "PostgreSQL of an earlier server still runs on {} as process {process} and does not end. Stop that process, \
         then start again.",
        cluster.display()
    )]
    PredecessorLives {
        /// PostgreSQL's data directory.
        cluster: PathBuf,
        /// Its process id.
        process: i32,
    },

    /// The cluster belongs to another user, and this one is not root.
    #[error(
        "{} belongs to user {owner}. Start the server as that user or as root, or choose another folder in DATA_DIR.",
        cluster.display()
    )]
    OwnedByAnother {
        /// PostgreSQL's data directory.
        cluster: PathBuf,
        /// The owner's name or number.
        owner: String,
    },

    /// Root's server found nobody to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root, and this system has none of the users {}. Make one \
         (`useradd --system postgres`), or start the server as an ordinary user.",
        .tried.join(", ")
    )]
    NoUnprivilegedUser {
        /// The names that were tried.
        tried: &'static [&'static str],
    },

    /// Root's server runs PostgreSQL as a user who cannot get to a folder it needs.
    #[error(
        "PostgreSQL refuses to run as root and runs as user {user}, who may not enter {}, so that {} is out of reach. \
         Choose a folder that everybody may enter in DATA_DIR, such as {}, or `chmod o+x` the closed one.",
        blocked_at.display(), folder.display(), crate::default_data_folder().display()
    )]
    OutOfReach {
        /// The unprivileged user.
        user: String,
        /// The folder that is needed.
        folder: PathBuf,
        /// The first folder on the way that is closed to the user.
        blocked_at: PathBuf,
    },

    /// No folder for the socket.
    #[error(
        "the path of a unix socket in {} would be longer than the system's {limit} bytes, and no short folder could \
         be had instead: {reasons}. Choose a shorter DATA_DIR.",
        wanted.display()
    )]
    SocketPathTooLong {
        /// The folder that is too long.
        wanted: PathBuf,
        /// The longest path of a socket, in bytes.
        limit: usize,
        /// What stood against each short folder.
        reasons: String,
    },

    /// `initdb` or the making of the database failed.
    #[error("{program} could not make the database in {}; it said:\n{output}", data_folder.display())]
    Initdb {
        /// The program that failed.
        program: &'static str,
        /// The data folder.
        data_folder: PathBuf,
        /// The last lines it printed.
        output: String,
    },

    /// PostgreSQL ended before it was ready.
    #[error("PostgreSQL did not start ({outcome}). The end of its log, {}:\n{tail}", log.display())]
    Start {
        /// How it ended.
        outcome: String,
        /// The log file.
        log: PathBuf,
        /// The log's last lines since this start.
        tail: String,
    },

    /// The thread that supervises PostgreSQL has panicked: a fault of this library.
    #[error("the thread that supervises PostgreSQL has panicked; what it printed tells why")]
    Supervisor,

    /// The system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// What the system answered.
        source: io::Error,
    },
}

/// Names the file in an I/O error, and what was tried on it.
pub(crate) trait Context<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, Error>;
}

impl<T> Context<T> for io::Result<T> {
    fn context(self, action: &'static str, path: &Path) -> Result<T, Error> {
        self.map_err(|source| Error::Io { action, path: path.to_owned(), source })
    }
}

/// Prints a list with commas between.
struct Listed<'a, T>(&'a [T]);

trait Item {
    fn item(&self) -> impl Display;
}

impl Item for PathBuf {
    fn item(&self) -> impl Display {
        self.display()
    }
}

impl Item for Release {
    fn item(&self) -> impl Display {
        self
    }
}

impl<T: Item> Display for Listed<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, entry) in self.0.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { ", " }, entry.item())?;
        }
        Ok(())
    }
}
