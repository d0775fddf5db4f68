//! What an earlier server may have left behind: files that keep PostgreSQL from starting, or PostgreSQL itself.
//!
//! PostgreSQL does not start where `postmaster.pid` names a living process, and after a crash that number may belong to
//! a zombie that nobody reaps or to some other program, as is usual in containers. The data folder's lock already keeps
//! other servers out, so here only a PostgreSQL that really works on the cluster counts. Should its backends have
//! outlived it, PostgreSQL notices by itself from the cluster's shared memory, with or without these files.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::Error;
use crate::error::Context as _;
use crate::socket;

/// What to send a PostgreSQL that has lost its server, and how long to wait for its end: first to shut down cleanly,
/// then to drop everything, which the next start recovers from.
const REQUESTS: [(Signal, Duration); 2] =
    [(Signal::SIGINT, Duration::from_secs(30)), (Signal::SIGQUIT, Duration::from_secs(10))];

/// Ends the PostgreSQL that an earlier server left on the cluster, and removes the files it left.
pub(crate) fn clear(cluster: &Path, socket_folder: &Path) -> Result<(), Error> {
    let cluster = &cluster.canonicalize().context("resolve", cluster)?;
    let pid_file = cluster.join("postmaster.pid");
    if let Some(id) = recorded_process(&pid_file).filter(|id| works_on(*id, cluster)) {
        end(id, cluster)?;
    }
    for file in [pid_file, socket::file_in(socket_folder), socket::lock_in(socket_folder)] {
        match fs::remove_file(&file) {
            Ok(()) => tracing::debug!(file = %file.display(), "removed what an earlier PostgreSQL had left"),
            Err(e) if e.kind() == ErrorKind::NotFound => (),
            Err(e) => Err(e).context("remove the stale", &file)?,
        }
    }
    Ok(())
}

fn recorded_process(pid_file: &Path) -> Option<Pid> {
    let id: i32 = fs::read_to_string(pid_file).ok()?.lines().next()?.trim().parse().ok()?;
    // A negative number would mean a whole process group, and 1 is never PostgreSQL.
    (id > 1).then(|| Pid::from_raw(id))
}

fn end(id: Pid, cluster: &Path) -> Result<(), Error> {
    for (signal, patience) in REQUESTS {
        tracing::warn!(process = id.as_raw(), %signal, "stopping the PostgreSQL of an earlier server");
        // It may end by itself in the meantime.
        let _ = kill(id, signal);
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            if !works_on(id, cluster) {
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
    Err(Error::PredecessorLives { cluster: cluster.to_owned(), process: id.as_raw() })
}

/// Whether the process is a living PostgreSQL on this cluster, its working folder.
#[cfg(target_os = "linux")]
fn works_on(id: Pid, cluster: &Path) -> bool {
    let process = Path::new("/proc").join(id.to_string());
    let state = fs::read_to_string(process.join("stat"))
        .ok()
        .and_then(|stat| stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()));
    // A zombie has no working folder any more; a process of another user does not tell it, and is not ours.
    !matches!(state, None | Some('Z' | 'X')) && fs::read_link(process.join("cwd")).is_ok_and(|cwd| cwd == cluster)
}

/// Whether the process is a living PostgreSQL. Only Linux tells its working folder.
#[cfg(not(target_os = "linux"))]
fn works_on(id: Pid, _: &Path) -> bool {
    std::process::Command::new("ps").args(["-o", "stat=", "-o", "comm=", "-p", &id.to_string()]).output().is_ok_and(
        |answer| {
            let line = String::from_utf8_lossy(&answer.stdout);
            !line.trim_start().starts_with('Z') && line.trim_end().ends_with("postgres")
        },
    )
}
