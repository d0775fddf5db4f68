//! The data folder: where things lie in it, and that one server at a time uses it.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, thread};

use nix::unistd::geteuid;

use crate::error::{Context as _, Error};
use crate::release::Release;

/// How long to wait for the lock: a server that was just killed is not gone at once.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);

/// What the names of half-made clusters begin with.
const PARTIAL: &str = "cluster.partial-";

/// A data folder that this process has to itself until it is dropped.
#[derive(Debug)]
pub(crate) struct DataFolder {
    /// Absolute and without links, so that it can be compared with what the system tells of processes.
    path: PathBuf,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder where it is missing, and locks it.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        make(path)?;
        let path = path.canonicalize().context("resolve", path)?;
        let lock = lock(&path)?;
        Ok(Self { path, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.path.join("cluster")
    }

    /// Where this process makes a cluster. The name is its own, because the `initdb` of a server that was just killed
    /// may still be clearing up behind itself.
    pub(crate) fn partial_cluster(&self) -> PathBuf {
        self.path.join(format!("{PARTIAL}{}", std::process::id()))
    }

    /// Every half-made cluster that is there.
    pub(crate) fn partial_clusters(&self) -> Result<Vec<PathBuf>, Error> {
        let entries = fs::read_dir(&self.path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.context("list", &self.path)?;
        let partial = entries.iter().filter(|entry| entry.file_name().as_bytes().starts_with(PARTIAL.as_bytes()));
        Ok(partial.map(fs::DirEntry::path).collect())
    }

    pub(crate) fn socket_folder(&self) -> PathBuf {
        self.path.join("socket")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.path.join("postgresql.log")
    }

    fn record(&self) -> PathBuf {
        self.path.join("release")
    }

    /// What made the cluster, or `None` where there is no cluster yet.
    pub(crate) fn made_by(&self) -> Result<Option<Release>, Error> {
        if !self.cluster().exists() {
            return Ok(None);
        }
        let record = self.record();
        match fs::read_to_string(&record).ok().and_then(|line| line.parse().ok()) {
            Some(release) => Ok(Some(release)),
            None => Err(Error::ReleaseUnknown { record }),
        }
    }

    /// Makes the finished partial cluster the cluster. What made it is written down first, so that there never is
    /// one without the other.
    pub(crate) fn adopt_partial_cluster(&self, made_by: &Release) -> Result<(), Error> {
        let record = self.record();
        File::create(&record)
            .and_then(|mut file| {
                writeln!(file, "{made_by}")?;
                file.sync_all()
            })
            .context("write", &record)?;
        let partial = self.partial_cluster();
        fs::rename(&partial, self.cluster()).context("rename", &partial)?;
        File::open(&self.path).and_then(|folder| folder.sync_all()).context("write out", &self.path)
    }
}

/// Makes a folder that nobody else can list. Root's has to be passable for the user who runs PostgreSQL.
fn make(path: &Path) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).context("make", parent)?;
    }
    let mode = if geteuid().is_root() { 0o711 } else { 0o700 };
    match DirBuilder::new().mode(mode).create(path) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => (),
        made => made.context("make", path)?,
    }
    let present = fs::metadata(path).context("look at", path)?.permissions().mode();
    if geteuid().is_root() && present & 0o011 != 0o011 {
        fs::set_permissions(path, Permissions::from_mode(present | 0o011)).context("open a way through", path)?;
    }
    Ok(())
}

fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join("server.lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .context("open", &path)?;
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                return Err(Error::InUse { data_folder: folder.to_owned(), process: holder.trim().parse().ok() });
            }
            Err(TryLockError::Error(source)) => return Err(Error::Io { action: "lock", path, source }),
        }
    }
    // Only for the message that a second server prints.
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .context("write", &path)?;
    Ok(file)
}

/// Where a server keeps its data when nothing else is said: for root under `/var/lib`, which the unprivileged user that
/// runs PostgreSQL can reach and `/root` is not; for everybody else in the user's own data folder.
pub fn default_data_folder() -> PathBuf {
    const NAME: &str = "takujo";
    let for_all = Path::new("/var/lib").join(NAME);
    if geteuid().is_root() {
        return for_all;
    }
    let own = env::var_os("XDG_DATA_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute()).or_else(|| {
        let below_home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
        env::home_dir().map(|home| home.join(below_home))
    });
    own.map_or(for_all, |own| own.join(NAME))
}
