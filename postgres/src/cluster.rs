//! The cluster as a server sees it, and the thread that keeps PostgreSQL running.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use crate::account::Account;
use crate::command::Runner;
use crate::error::{Context as _, Error};
use crate::folder::DataFolder;
use crate::server::Server;
use crate::{Connection, Release, Settings, initdb, predecessor, programs, socket};

/// How often the first start is tried: right after a crash the last of the old processes may still be ending.
const FIRST_ATTEMPTS: u32 = 3;
/// The pause before a restart: at first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// After a run of this length the pauses begin anew.
const GOOD_RUN: Duration = Duration::from_mins(1);
/// How long PostgreSQL may take to shut down cleanly before it is told to drop everything.
const STOP_PATIENCE: Duration = Duration::from_secs(30);

/// A running PostgreSQL of this process' own. It is restarted when it dies, and stopped when this is dropped.
#[derive(Debug)]
pub struct Cluster {
    connection: Connection,
    release: Release,
    shared: Arc<Shared>,
    supervisor: Option<JoinHandle<()>>,
}

impl Cluster {
    /// Starts PostgreSQL on the data folder and returns when it takes connections; the first time, the folder and the
    /// database are made. This blocks: call it outside of an async runtime's own threads.
    ///
    /// # Errors
    /// Everything that keeps PostgreSQL from starting, with what to do about it.
    pub fn start(data_folder: &Path, settings: &Settings) -> Result<Self, Error> {
        let folder = DataFolder::open(data_folder)?;
        let made_by = folder.made_by()?;
        let programs = programs::find(settings, folder.path(), made_by.as_ref())?;
        let release = programs.release.clone();
        let account = Account::for_cluster(&folder.cluster())?;
        let socket_folder = socket::prepare(&folder.socket_folder(), folder.path(), account.as_ref())?;
        let runner = Runner { programs, account, data_folder: folder.path().to_owned() };
        if made_by.is_none() {
            initdb::make_cluster(&runner, &folder)?;
        } else if let Some(account) = &runner.account {
            // Such as one that root has brought back from a backup.
            account.take_over_from_root(&folder.cluster())?;
        }

        let connection = Connection { socket_folder };
        let shared = Arc::new(Shared::default());
        let supervisor = Supervisor {
            runner,
            settings: settings.clone(),
            folder,
            connection: connection.clone(),
            shared: Arc::clone(&shared),
        };
        let (started, start) = mpsc::channel();
        // A thread of its own, because PostgreSQL is to end with the thread that has spawned it.
        let supervisor = thread::Builder::new()
            .name("postgres".to_owned())
            .spawn(move || supervisor.run(started))
            .context("start a thread for", data_folder)?;
        let cluster = Self { connection, release, shared, supervisor: Some(supervisor) };
        // The sender is only dropped without a word by a panic.
        start.recv().unwrap_or(Err(Error::Supervisor)).map(|()| cluster)
    }

    /// How to connect. It stays the same over restarts.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The folder of the unix socket.
    pub fn socket_folder(&self) -> &Path {
        self.connection.socket_folder()
    }

    /// The URL to connect to, for libpq and sqlx.
    pub fn database_url(&self) -> String {
        self.connection.url()
    }

    /// What runs.
    pub fn release(&self) -> &Release {
        &self.release
    }

    /// Whether PostgreSQL takes connections now. It does not while it is being restarted.
    pub fn is_ready(&self) -> bool {
        self.shared.lock().ready
    }

    /// How often PostgreSQL has died and was started again.
    pub fn restarts(&self) -> u64 {
        self.shared.lock().starts.saturating_sub(1)
    }

    /// Stops PostgreSQL: open connections are closed, everything is written out. Returns when it has ended.
    pub fn stop(mut self) {
        self.shut_down();
    }

    fn shut_down(&mut self) {
        let Some(supervisor) = self.supervisor.take() else { return };
        self.shared.stop(STOP_PATIENCE);
        if supervisor.join().is_err() {
            tracing::error!("the thread that supervised PostgreSQL had panicked");
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.shut_down();
    }
}

/// What the supervisor's thread and the others tell each other.
#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The process, from its start until it has ended.
    server: Option<Arc<Server>>,
    ready: bool,
    starts: u64,
    stopping: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts a process unless the cluster is being stopped, so that none is started behind the back of a stop.
    fn launch(&self, spawn: impl FnOnce() -> Result<Server, Error>) -> Result<Option<Arc<Server>>, Error> {
        let mut state = self.lock();
        if state.stopping {
            return Ok(None);
        }
        let server = Arc::new(spawn()?);
        state.server = Some(Arc::clone(&server));
        Ok(Some(server))
    }

    /// Waits before the next start. False when the cluster is being stopped.
    fn pause(&self, length: Duration) -> bool {
        let state = self.lock();
        let (state, _) = self
            .changed
            .wait_timeout_while(state, length, |state| !state.stopping)
            .unwrap_or_else(PoisonError::into_inner);
        !state.stopping
    }

    fn stop(&self, patience: Duration) {
        let mut state = self.lock();
        state.stopping = true;
        self.changed.notify_all();
        for (signal, patience) in [(Signal::SIGINT, patience), (Signal::SIGQUIT, patience)] {
            let Some(server) = state.server.clone() else { return };
            server.signal(signal);
            (state, _) = self
                .changed
                .wait_timeout_while(state, patience, |state| state.server.is_some())
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Keeps PostgreSQL running until the cluster is stopped.
struct Supervisor {
    runner: Runner,
    settings: Settings,
    folder: DataFolder,
    connection: Connection,
    shared: Arc<Shared>,
}

impl Supervisor {
    /// Reports the outcome of the first start to `started`.
    fn run(self, started: Sender<Result<(), Error>>) {
        let mut started = Some(started);
        let mut attempts = 1;
        let mut pause = FIRST_PAUSE;
        loop {
            let begin = Instant::now();
            let outcome = self.run_once(|| {
                if let Some(started) = started.take() {
                    // The other side waits for nothing else.
                    let _ = started.send(Ok(()));
                }
            });
            if self.shared.lock().stopping {
                return;
            }
            match outcome {
                Err(error) if started.is_some() && attempts == FIRST_ATTEMPTS => {
                    if let Some(started) = started {
                        let _ = started.send(Err(error));
                    }
                    return;
                }
                Err(error) => tracing::error!(%error, ?pause, "PostgreSQL did not start and is tried again"),
                Ok(status) => tracing::error!(?status, ?pause, "PostgreSQL has died and is started again"),
            }
            attempts += 1;
            if begin.elapsed() >= GOOD_RUN {
                pause = FIRST_PAUSE;
            }
            if !self.shared.pause(pause) {
                return;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Runs PostgreSQL until it has ended; `None` where it was not started any more.
    fn run_once(&self, on_ready: impl FnOnce()) -> Result<Option<ExitStatus>, Error> {
        predecessor::clear(&self.folder.cluster(), self.connection.socket_folder())?;
        let spawn = || Server::spawn(&self.runner, &self.settings, &self.folder, &self.connection);
        let Some(server) = self.shared.launch(spawn)? else { return Ok(None) };
        let outcome = server.wait_until_ready().and_then(|()| {
            let mut state = self.shared.lock();
            state.ready = true;
            state.starts += 1;
            drop(state);
            on_ready();
            server.wait()
        });
        let mut state = self.shared.lock();
        state.server = None;
        state.ready = false;
        self.shared.changed.notify_all();
        outcome.map(Some)
    }
}
