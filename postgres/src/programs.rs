//! Finding PostgreSQL's programs.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use crate::install::install_line;
use crate::release::Release;
use crate::{Error, Settings};

/// Where packages keep one folder for each major version: the parent, what the version's folder is called before its
/// number, and where the programs are in it.
const VERSIONED: [(&str, &str, &str); 5] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
];

/// The programs of one release.
#[derive(Debug)]
pub(crate) struct Programs {
    pub(crate) folder: PathBuf,
    pub(crate) release: Release,
}

/// The programs to use: those of the release that made the data, or of the first release found where there is no data
/// yet. A newer release that was installed later is passed over while the old one is still there.
pub(crate) fn find(settings: &Settings, data_folder: &Path, made_by: Option<&Release>) -> Result<Programs, Error> {
    choose(candidates(settings), data_folder, made_by)
}

fn choose(
    candidates: impl Iterator<Item = PathBuf>,
    data_folder: &Path,
    made_by: Option<&Release>,
) -> Result<Programs, Error> {
    let mut looked_in = Vec::new();
    let mut found = Vec::new();
    for folder in candidates {
        if looked_in.contains(&folder) {
            continue;
        }
        let release = release_in(&folder);
        looked_in.push(folder.clone());
        let Some(release) = release.filter(Release::is_supported) else { continue };
        if made_by.is_none_or(|made_by| *made_by == release) {
            return Ok(Programs { folder, release });
        }
        if !found.contains(&release) {
            found.push(release);
        }
    }
    match made_by {
        Some(made_by) if !found.is_empty() => {
            Err(Error::ReleaseDiffers { data_folder: data_folder.to_owned(), made_by: made_by.clone(), found })
        }
        _ => Err(Error::ProgramsMissing { install: install_line(), looked_in }),
    }
}

/// Every folder worth a look, the likeliest first; lazy, because asking `pg_config` costs a process.
fn candidates(settings: &Settings) -> Box<dyn Iterator<Item = PathBuf>> {
    if let Some(folder) = &settings.programs {
        return Box::new(std::iter::once(folder.clone()));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    Box::new(
        std::iter::once_with(pg_config)
            .flatten()
            .chain(VERSIONED.into_iter().flat_map(|(parent, prefix, programs)| {
                newest_first(Path::new(parent), prefix).into_iter().map(move |folder| folder.join(programs))
            }))
            .chain(env::split_paths(&path).filter(|folder| folder.is_absolute()).collect::<Vec<_>>()),
    )
}

fn pg_config() -> Option<PathBuf> {
    let answer = Command::new("pg_config").arg("--bindir").stderr(Stdio::null()).output().ok()?;
    let folder = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| PathBuf::from(folder.trim_end()))
}

/// The sub-folders called `prefix` and a number, the highest number first.
fn newest_first(parent: &Path, prefix: &str) -> Vec<PathBuf> {
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(parent)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
            Some((number, entry.path()))
        })
        .collect();
    versions.sort_by_key(|(number, _)| Reverse(*number));
    versions.into_iter().map(|(_, folder)| folder).collect()
}

/// The release in a folder that holds both programs that are needed.
fn release_in(folder: &Path) -> Option<Release> {
    if !folder.join("initdb").is_file() {
        return None;
    }
    let answer = Command::new(folder.join("postgres")).arg("--version").stderr(Stdio::null()).output().ok()?;
    Release::from_version_line(&String::from_utf8_lossy(&answer.stdout))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// A folder with an `initdb` and a `postgres` that only tells its version.
    fn pretended(parent: &Path, name: &str, version: &str) -> PathBuf {
        let folder = parent.join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("initdb"), "").unwrap();
        let postgres = folder.join("postgres");
        fs::write(&postgres, format!("#!/bin/sh\necho 'postgres ({version}'\n")).unwrap();
        fs::set_permissions(&postgres, fs::Permissions::from_mode(0o755)).unwrap();
        wait_until_executable(&postgres);
        folder
    }

    /// A process that another test starts at this moment holds a copy of the descriptor that wrote `program`, until it
    /// has become its own program; so long the kernel refuses to run `program`. Afterwards no copy can be made any more.
    fn wait_until_executable(program: &Path) {
        while let Err(error) = Command::new(program).stdout(Stdio::null()).status() {
            assert_eq!(error.kind(), std::io::ErrorKind::ExecutableFileBusy, "{error}");
            std::thread::yield_now();
        }
    }

    #[test]
    fn the_release_that_made_the_data_is_preferred_to_a_newer_one() {
        let place = tempfile::tempdir().unwrap();
        let newer = pretended(place.path(), "17", "PostgreSQL) 17.1");
        let older = pretended(place.path(), "15", "PostgreSQL) 15.9");
        let made_by = "PostgreSQL 15".parse().unwrap();
        let both = || [newer.clone(), older.clone()].into_iter();
        assert_eq!(choose(both(), place.path(), None).unwrap().folder, newer);
        assert_eq!(choose(both(), place.path(), Some(&made_by)).unwrap().folder, older);
    }

    #[test]
    fn another_flavour_of_the_same_version_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let fork = pretended(place.path(), "fork", "EnterpriseDB) 15.9");
        let made_by = "PostgreSQL 15".parse().unwrap();
        let error = choose([fork].into_iter(), place.path(), Some(&made_by)).unwrap_err();
        assert!(error.to_string().contains("made by PostgreSQL 15, but only EnterpriseDB 15 is installed"), "{error}");
    }

    #[test]
    fn a_version_that_is_too_old_counts_as_none() {
        let place = tempfile::tempdir().unwrap();
        let old = pretended(place.path(), "13", "PostgreSQL) 13.20");
        let error = choose([old].into_iter(), place.path(), None).unwrap_err();
        assert!(matches!(error, Error::ProgramsMissing { .. }), "{error}");
    }

    #[test]
    fn versions_are_ordered_as_numbers() {
        let place = tempfile::tempdir().unwrap();
        for version in ["9", "15", "100", "common"] {
            fs::create_dir(place.path().join(version)).unwrap();
        }
        let names: Vec<_> = newest_first(place.path(), "").iter().map(|p| p.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["100", "15", "9"]);
    }
}
