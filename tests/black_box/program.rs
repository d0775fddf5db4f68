//! The program itself, as a process with a data folder of its own.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::server::{LEXICON, Server};

/// A data folder that goes away with the test.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty folder; the lexicon in it is the one that all tests share.
    pub fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("takujo-data-").tempdir().unwrap();
        std::sync::LazyLock::force(&LEXICON);
        std::os::unix::fs::symlink(env!("CARGO_TARGET_TMPDIR"), folder.path().join("lexicon")).unwrap();
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The process of the PostgreSQL that keeps its data here.
    pub fn postmaster(&self) -> Pid {
        let file = find(self.path(), "postmaster.pid").unwrap();
        let first = std::fs::read_to_string(file).unwrap().lines().next().unwrap().parse().unwrap();
        Pid::from_raw(first)
    }
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let (folders, files): (Vec<_>, Vec<_>) =
        entries.partition(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let here = files.into_iter().find(|file| file.file_name() == name).map(|file| file.path());
    here.or_else(|| folders.into_iter().find_map(|inner| find(&inner.path(), name)))
}

/// A running `takujo serve`.
pub struct Program {
    pub server: Server,
    child: Child,
    log: Arc<Mutex<String>>,
}

impl Program {
    /// Starts it on a folder, at whatever port is free, and waits until it listens.
    pub fn start(folder: &Folder, log: &str) -> Self {
        Self::run(command(folder, log))
    }

    /// Runs a command that serves, and waits until it listens.
    pub fn run(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let (found, address) = std::sync::mpsc::channel();
        let kept = Arc::clone(&log);
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if let Some((_, rest)) = line.split_once("takujo listens on ") {
                    let _gone = found.send(rest.split(' ').next().unwrap().to_owned());
                }
                let mut kept = kept.lock().unwrap();
                kept.push_str(&line);
                kept.push('\n');
            }
        });
        let address = address.recv_timeout(Duration::from_mins(1));
        let base = address.unwrap_or_else(|_| panic!("it does not listen:\n{}", log.lock().unwrap()));
        Self { server: Server::at(base), child, log }
    }

    /// Kills it as a crash would.
    pub fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Its process.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }

    /// Asks it to stop, as the system does; how it ended, and after how long.
    pub async fn terminate(&mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        kill(self.pid(), Signal::SIGTERM).unwrap();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, begun.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Everything it has logged.
    pub fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // PostgreSQL ends with it.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// The command that serves from a folder, at whatever port is free.
pub fn command(folder: &Folder, log: &str) -> Command {
    serving(folder, log, "127.0.0.1:0")
}

/// The command that serves from a folder at an address.
pub fn serving(folder: &Folder, log: &str, listen: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
    command.args(["serve", "--listen", listen, "--rate-limit", "0", "--log", log, "--data-dir"]).arg(folder.path());
    command.env_remove("DATABASE_URL").stdout(Stdio::null()).stderr(Stdio::piped());
    command
}
