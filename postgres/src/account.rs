//! The user that PostgreSQL runs as.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, lchown};
use std::path::Path;

use nix::unistd::{Uid, User, geteuid};

use crate::Error;
use crate::error::Context as _;

/// Who may run PostgreSQL for root, the likeliest first: its own user as Linux, macOS and the BSDs call it, then the
/// user that owns nothing.
const CANDIDATES: &[&str] = &["postgres", "_postgres", "pgsql", "nobody"];

/// An unprivileged user.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
}

impl Account {
    /// The user to change to before running PostgreSQL on `cluster`, or `None` where the server's own user does. A
    /// cluster stays with the user that owns it already.
    pub(crate) fn for_cluster(cluster: &Path) -> Result<Option<Self>, Error> {
        let owner = fs::metadata(cluster).ok();
        if !geteuid().is_root() {
            return match owner {
                Some(owner) if owner.uid() != geteuid().as_raw() => {
                    Err(Error::OwnedByAnother { cluster: cluster.to_owned(), owner: name_of(owner.uid()) })
                }
                _ => Ok(None),
            };
        }
        match owner {
            Some(owner) if owner.uid() != 0 => {
                Ok(Some(Self { name: name_of(owner.uid()), uid: owner.uid(), gid: owner.gid() }))
            }
            _ => CANDIDATES
                .iter()
                .find_map(|name| User::from_name(name).ok().flatten())
                .filter(|user| !user.uid.is_root())
                .map(|user| Some(Self { name: user.name, uid: user.uid.as_raw(), gid: user.gid.as_raw() }))
                .ok_or(Error::NoUnprivilegedUser { tried: CANDIDATES }),
        }
    }

    /// Takes over a cluster that is root's; one that is this user's already is left as it is.
    pub(crate) fn take_over_from_root(&self, cluster: &Path) -> Result<(), Error> {
        let cluster = cluster.canonicalize().context("resolve", cluster)?;
        let owner = fs::metadata(&cluster).context("look at", &cluster)?.uid();
        if owner == 0 { self.take_over(&cluster) } else { Ok(()) }
    }

    /// Gives a file or folder to this user, and all that is in it. Links themselves, never what they lead to.
    pub(crate) fn take_over(&self, path: &Path) -> Result<(), Error> {
        lchown(path, Some(self.uid), Some(self.gid)).context("change the owner of", path)?;
        if fs::symlink_metadata(path).context("look at", path)?.is_dir() {
            for entry in fs::read_dir(path).context("list", path)? {
                self.take_over(&entry.context("list", path)?.path())?;
            }
        }
        Ok(())
    }
}

/// The user's name, or its number where it has none.
fn name_of(uid: u32) -> String {
    User::from_uid(Uid::from_raw(uid)).ok().flatten().map_or_else(|| uid.to_string(), |user| user.name)
}
