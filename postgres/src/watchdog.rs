//! Stops PostgreSQL when the server is killed, on systems where the kernel does not offer it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::account::Account;

/// A shell that waits for the end of its input, whose other end only this process holds, and then interrupts
/// PostgreSQL. Dropped, it does nothing any more.
#[derive(Debug)]
pub(crate) struct Watchdog(Child);

impl Watchdog {
    /// Guards the process `id`, which runs as `account`.
    pub(crate) fn guard(id: u32, account: Option<&Account>) -> io::Result<Self> {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", "cat >/dev/null; kill -INT \"$0\"", &id.to_string()]);
        shell.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        if let Some(account) = account {
            shell.uid(account.uid).gid(account.gid);
        }
        shell.spawn().map(Self)
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // Killed before its input ends, so that it can never reach a stranger who got the same process id.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use nix::sys::signal::{SigHandler, Signal, signal};

    use super::*;

    /// It heeds an interrupt also where the tests run behind a shell that ignores those: children inherit that.
    #[expect(unsafe_code, reason = "only between fork and exec can it be set what a child does with a signal")]
    fn sleeper() -> Child {
        let mut sleep = Command::new("sleep");
        sleep.arg("60");
        // SAFETY: the closure makes one system call, which is async-signal-safe.
        unsafe {
            sleep.pre_exec(|| {
                signal(Signal::SIGINT, SigHandler::SigDfl)?;
                Ok(())
            });
        }
        sleep.spawn().unwrap()
    }

    #[test]
    fn the_end_of_the_pipe_interrupts_the_guarded_process() {
        let mut sleeper = sleeper();
        let mut watchdog = Watchdog::guard(sleeper.id(), None).unwrap();
        drop(watchdog.0.stdin.take());
        assert_eq!(sleeper.wait().unwrap().signal(), Some(nix::libc::SIGINT));
    }

    #[test]
    fn dropping_it_leaves_the_process_alone() {
        let mut sleeper = sleeper();
        drop(Watchdog::guard(sleeper.id(), None).unwrap());
        assert_eq!(sleeper.try_wait().unwrap(), None);
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
    }
}
