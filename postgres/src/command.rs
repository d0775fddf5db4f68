//! Running PostgreSQL's programs: as the right user, in a clean environment, and no longer than the server lives.

use std::env;
use std::io::{self, ErrorKind};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Error;
use crate::account::Account;
use crate::programs::Programs;

/// What every program of PostgreSQL is run with.
#[derive(Debug)]
pub(crate) struct Runner {
    pub(crate) programs: Programs,
    pub(crate) account: Option<Account>,
    /// The working folder: the server's own may be closed to the account.
    pub(crate) data_folder: PathBuf,
}

impl Runner {
    /// A command that runs one of PostgreSQL's programs. On Linux its process is sent SIGINT when the *thread* that
    /// spawns it ends, so that thread has to live as long as the program shall.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = self.command_in(&self.data_folder, program);
        die_with_this_thread(&mut command);
        command
    }

    fn command_in(&self, folder: &Path, program: &str) -> Command {
        let mut command = Command::new(self.programs.folder.join(program));
        command.current_dir(folder).stdin(Stdio::null());
        // The user's settings for his own PostgreSQL are none of this one's, and messages shall be in one language.
        for (name, _) in env::vars_os().filter(|(name, _)| name.as_bytes().starts_with(b"PG")) {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C");
        // A Ctrl-C is for the server, which stops PostgreSQL when its own work is done.
        command.process_group(0);
        if let Some(account) = &self.account {
            // The standard library also gives up root's supplementary groups when it changes the user.
            command.uid(account.uid).gid(account.gid);
        }
        command
    }

    /// Turns the failure to run a program into an error that names the folder that is closed to the account.
    pub(crate) fn explain(&self, program: &'static str, failure: io::Error) -> Error {
        if let Some(account) = self.account.as_ref().filter(|_| failure.kind() == ErrorKind::PermissionDenied) {
            let enters = |folder: &Path| {
                let probe = self.command_in(folder, program).arg("--version").stdout(Stdio::null()).status();
                !matches!(probe, Err(e) if e.kind() == ErrorKind::PermissionDenied)
            };
            // Where even the top folder fails, it is the program that is out of reach.
            let needed = if enters(Path::new("/")) { &self.data_folder } else { &self.programs.folder };
            let mut way: Vec<&Path> = needed.ancestors().collect();
            way.reverse();
            let blocked_at = way.into_iter().skip(1).find(|folder| !enters(folder)).unwrap_or(needed);
            return Error::OutOfReach {
                user: account.name.clone(),
                folder: needed.clone(),
                blocked_at: blocked_at.to_owned(),
            };
        }
        Error::Io { action: "run", path: self.programs.folder.join(program), source: failure }
    }
}

/// Asks the kernel to stop the program when the spawning thread ends, however it ends. PostgreSQL takes SIGINT as
/// the order to shut down at once, with nothing lost.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "only between fork and exec can a process ask for its parent-death signal")]
fn die_with_this_thread(command: &mut Command) {
    use nix::sys::prctl::set_pdeathsig;
    use nix::sys::signal::Signal;
    use nix::unistd::{getpid, getppid};

    let parent = getpid();
    // SAFETY: the closure only makes two system calls, which are async-signal-safe, and allocates nothing. It runs
    // after the standard library has changed the user, which would have undone the request.
    unsafe {
        command.pre_exec(move || {
            set_pdeathsig(Signal::SIGINT)?;
            // The parent may have gone before the request was made.
            if getppid() == parent { Ok(()) } else { Err(io::Error::from_raw_os_error(nix::libc::ESRCH)) }
        });
    }
}

/// Elsewhere a watchdog process does it, see `watchdog.rs`.
#[cfg(not(target_os = "linux"))]
fn die_with_this_thread(_: &mut Command) {}
