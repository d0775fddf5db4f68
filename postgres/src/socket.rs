//! The folder of the unix socket.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, lchown};
use std::path::{Path, PathBuf};
use std::{env, iter};

use nix::unistd::geteuid;

use crate::Error;
use crate::account::Account;
use crate::connection::PORT;
use crate::error::Context as _;

/// The longest path of a unix socket, in bytes: the system keeps it in a small array with a zero at its end.
const LONGEST_PATH: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// The socket's file in its folder, as PostgreSQL names it.
pub(crate) fn file_in(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{PORT}"))
}

/// The file by which PostgreSQL keeps the socket to itself.
pub(crate) fn lock_in(folder: &Path) -> PathBuf {
    folder.join(format!(".s.PGSQL.{PORT}.lock"))
}

/// Makes the socket's folder, of mode 0700 and owned by the user who runs PostgreSQL: `wanted`, or a short one where
/// the socket's path would be too long there.
pub(crate) fn prepare(wanted: &Path, data_folder: &Path, account: Option<&Account>) -> Result<PathBuf, Error> {
    if fits(wanted) {
        claim(wanted, account).context("use for the socket", wanted)?;
        return Ok(wanted.to_owned());
    }
    // Named after the data folder's inode, so that each data folder has one of its own and finds it again.
    let identity = fs::metadata(data_folder).context("look at", data_folder)?;
    let name = format!("takujo-{:x}-{:x}", identity.dev(), identity.ino());
    let mut reasons = Vec::new();
    for folder in short_parents().map(|parent| parent.join(&name)).filter(|folder| fits(folder)) {
        match claim(&folder, account) {
            Ok(()) => {
                tracing::warn!(
                    wanted = %wanted.display(),
                    used = %folder.display(),
                    "the path of the database's socket would be longer than {LONGEST_PATH} bytes; a short folder is used"
                );
                return Ok(folder);
            }
            Err(e) => reasons.push(format!("{}: {e}", folder.display())),
        }
    }
    Err(Error::SocketPathTooLong { wanted: wanted.to_owned(), limit: LONGEST_PATH, reasons: reasons.join("; ") })
}

fn fits(folder: &Path) -> bool {
    file_in(folder).as_os_str().len() <= LONGEST_PATH
}

/// Short folders, the most private first.
fn short_parents() -> impl Iterator<Item = PathBuf> {
    let private = if geteuid().is_root() {
        Some(PathBuf::from("/run"))
    } else {
        env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    private.into_iter().chain(iter::once(PathBuf::from("/tmp")))
}

/// Makes the folder, or takes one that is there if nobody else can have put anything into it: a real folder, of the
/// right owner (or of root, who was about to give it away), and closed to all others.
fn claim(folder: &Path, account: Option<&Account>) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => (),
        made => made?,
    }
    let present = fs::symlink_metadata(folder)?;
    let refuse = |why: &str| {
        Err(io::Error::new(ErrorKind::PermissionDenied, format!("it is there already and {why}; remove it")))
    };
    if !present.is_dir() {
        return refuse("is not a folder");
    }
    if present.mode() & 0o077 != 0 {
        return refuse("is open to other users");
    }
    let own = geteuid().as_raw();
    match account {
        Some(account) if present.uid() == account.uid => Ok(()),
        Some(account) if present.uid() == own => lchown(folder, Some(account.uid), Some(account.gid)),
        None if present.uid() == own => Ok(()),
        _ => refuse("belongs to another user"),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_folder_that_somebody_else_could_have_prepared_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let open = place.path().join("open");
        fs::create_dir(&open).unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        assert!(claim(&open, None).unwrap_err().to_string().contains("open to other users"));

        let link = place.path().join("link");
        let target = place.path().join("target");
        DirBuilder::new().mode(0o700).create(&target).unwrap();
        symlink(&target, &link).unwrap();
        assert!(claim(&link, None).unwrap_err().to_string().contains("not a folder"));
        claim(&target, None).unwrap();
    }

    #[test]
    fn the_longest_path_that_fits_is_as_long_as_the_system_allows() {
        let rest = file_in(Path::new("/")).as_os_str().len();
        let longest = format!("/{}", "x".repeat(LONGEST_PATH - rest - 1));
        assert!(fits(Path::new(&longest)), "{longest}");
        assert!(!fits(Path::new(&format!("{longest}x"))));
    }
}
