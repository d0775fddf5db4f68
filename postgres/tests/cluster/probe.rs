//! What the tests look at a cluster with.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use embedded_postgres::{Cluster, Settings};
use nix::sys::signal::kill;
use nix::unistd::Pid;
use sqlx::{Connection as _, PgConnection};
use tempfile::TempDir;

/// A temporary folder that the unprivileged user of root's PostgreSQL may pass through.
pub fn place() -> TempDir {
    let place = tempfile::Builder::new().prefix("takujo-test-").tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    place
}

/// Starts a cluster that has to start.
pub fn start(data_folder: &Path) -> Cluster {
    Cluster::start(data_folder, &Settings::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Starts a cluster that must not start, and returns what is said about it.
pub fn refusal(data_folder: &Path, settings: &Settings) -> String {
    match Cluster::start(data_folder, settings) {
        Ok(_) => panic!("a cluster has started in {}", data_folder.display()),
        Err(error) => error.to_string(),
    }
}

/// The answer to a statement that returns one text.
pub fn ask(url: &str, statement: &'static str) -> Result<String, sqlx::Error> {
    runtime().block_on(async {
        let mut connection = PgConnection::connect(url).await?;
        let answer = sqlx::query_scalar(statement).fetch_one(&mut connection).await;
        connection.close().await?;
        answer
    })
}

/// Runs a statement that has to succeed.
pub fn run(url: &str, statement: &'static str) {
    runtime()
        .block_on(async {
            let mut connection = PgConnection::connect(url).await?;
            sqlx::query(statement).execute(&mut connection).await?;
            connection.close().await
        })
        .unwrap();
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The process id of the cluster's PostgreSQL.
pub fn postmaster(data_folder: &Path) -> Pid {
    let text = fs::read_to_string(pid_file(data_folder)).unwrap();
    Pid::from_raw(text.lines().next().unwrap().trim().parse().unwrap())
}

pub fn pid_file(data_folder: &Path) -> PathBuf {
    data_folder.join("cluster/postmaster.pid")
}

/// Whether a process exists and is more than a zombie that nobody has reaped.
pub fn lives(process: Pid) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat"));
    let zombie = state.is_ok_and(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('Z')));
    kill(process, None) != Err(nix::errno::Errno::ESRCH) && !zombie
}

/// Waits until something holds, and returns how long that took.
pub fn wait_for(what: &str, holds: impl Fn() -> bool) -> Duration {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(20), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
    begin.elapsed()
}
