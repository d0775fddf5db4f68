//! One run of PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::thread;
use std::time::Duration;

use nix::sys::signal::Signal;
use shared_child::SharedChild;
use shared_child::unix::SharedChildExt as _;

use crate::command::Runner;
use crate::connection::PORT;
use crate::error::{Context as _, Error};
use crate::folder::DataFolder;
use crate::log::Log;
use crate::{Connection, Settings};

/// The line of `postmaster.pid` that tells how far PostgreSQL is, counted from 0.
const STATUS_LINE: usize = 7;
/// How often that is looked at: at first, and at most, as recovery after a crash may take long.
const FIRST_LOOK: Duration = Duration::from_millis(2);
const LAST_LOOK: Duration = Duration::from_millis(25);

/// A process of PostgreSQL that was started.
#[derive(Debug)]
pub(crate) struct Server {
    process: SharedChild,
    pid_file: PathBuf,
    log: Log,
    #[cfg(not(target_os = "linux"))]
    _watchdog: crate::watchdog::Watchdog,
}

impl Server {
    /// Starts PostgreSQL. The calling thread has to live as long as the server shall.
    pub(crate) fn spawn(
        runner: &Runner,
        settings: &Settings,
        folder: &DataFolder,
        connection: &Connection,
    ) -> Result<Self, Error> {
        let log = Log::open(&folder.log())?;
        let mut command = runner.command("postgres");
        command.arg("-D").arg(folder.cluster()).stdout(log.writer()?).stderr(log.writer()?);
        for (name, value) in parameters(settings, connection.socket_folder()) {
            command.arg("-c").arg(format!("{name}={value}"));
        }
        let process = SharedChild::spawn(&mut command).map_err(|e| runner.explain("postgres", e))?;
        Ok(Self {
            #[cfg(not(target_os = "linux"))]
            _watchdog: crate::watchdog::Watchdog::guard(process.id(), runner.account.as_ref())
                .context("run", Path::new("/bin/sh"))?,
            process,
            pid_file: folder.cluster().join("postmaster.pid"),
            log,
        })
    }

    /// Waits until PostgreSQL takes connections, however long it recovers from a crash.
    ///
    /// # Errors
    /// It ended instead: the error quotes its log.
    pub(crate) fn wait_until_ready(&self) -> Result<(), Error> {
        let mut pause = FIRST_LOOK;
        while !self.is_ready() {
            if let Some(status) = self.process.try_wait().context("wait for", &self.pid_file)? {
                return Err(Error::Start {
                    outcome: status.to_string(),
                    log: self.log.path.clone(),
                    tail: self.log.tail(),
                });
            }
            thread::sleep(pause);
            pause = (pause * 2).min(LAST_LOOK);
        }
        Ok(())
    }

    fn is_ready(&self) -> bool {
        let Ok(text) = fs::read_to_string(&self.pid_file) else { return false };
        let mut lines = text.lines().map(str::trim);
        lines.next().and_then(|id| id.parse().ok()) == Some(self.process.id())
            && lines.nth(STATUS_LINE - 1) == Some("ready")
    }

    /// Waits for the end of PostgreSQL.
    pub(crate) fn wait(&self) -> Result<ExitStatus, Error> {
        self.process.wait().context("wait for", &self.pid_file)
    }

    /// Sends a signal, unless the process has ended and its number may be another's.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Err(error) = self.process.send_signal(signal as i32) {
            tracing::error!(%signal, %error, "cannot signal PostgreSQL");
        }
    }
}

/// The parameters PostgreSQL is run with. Of two for one name the later counts.
fn parameters(settings: &Settings, socket_folder: &Path) -> Vec<(String, String)> {
    // The value is a list, in which quotes keep a comma or a space of the path from ending an entry.
    let quoted_folder = format!("\"{}\"", socket_folder.display().to_string().replace('"', "\"\""));
    let defaults = [
        ("shared_buffers", format!("{}MB", settings.shared_buffers_megabytes)),
        ("max_connections", settings.max_connections.to_string()),
        ("timezone", "UTC".to_owned()),
        ("log_timezone", "UTC".to_owned()),
    ];
    let fixed = [
        ("listen_addresses", String::new()),
        ("port", PORT.to_string()),
        ("unix_socket_directories", quoted_folder),
        ("unix_socket_permissions", "0700".to_owned()),
        ("fsync", "on".to_owned()),
        ("synchronous_commit", "on".to_owned()),
        ("full_page_writes", "on".to_owned()),
        ("log_destination", "stderr".to_owned()),
        ("logging_collector", "off".to_owned()),
    ];
    let owned = |(name, value): (&str, String)| (name.to_owned(), value);
    defaults
        .into_iter()
        .map(owned)
        .chain(settings.parameters.iter().cloned())
        .chain(fixed.into_iter().map(owned))
        .collect()
}
