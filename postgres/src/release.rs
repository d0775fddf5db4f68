use std::fmt;
use std::str::FromStr;

/// The oldest major version that is accepted: what is used of PostgreSQL is all there since then.
pub(crate) const OLDEST_MAJOR: u32 = 14;

/// What decides whether a `postgres` program can read a cluster: who makes it, and its major version.
///
/// Printed and parsed as one line, e.g. `PostgreSQL 15`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The name in the program's own version line; forks write their own.
    pub flavour: String,
    /// The major version, e.g. 15.
    pub major: u32,
}

impl Release {
    /// Reads the answer of `postgres --version`, such as `postgres (PostgreSQL) 15.4 (Debian 15.4-1)`.
    pub(crate) fn from_version_line(line: &str) -> Option<Self> {
        let (_, rest) = line.split_once('(')?;
        let (flavour, rest) = rest.split_once(')')?;
        let version = rest.trim_start();
        let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
        Some(Self { flavour: flavour.to_owned(), major: version[..digits].parse().ok()? })
    }

    pub(crate) fn is_supported(&self) -> bool {
        self.major >= OLDEST_MAJOR
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.flavour, self.major)
    }
}

impl FromStr for Release {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let (flavour, major) = line.trim_end().rsplit_once(' ').ok_or(())?;
        Ok(Self { flavour: flavour.to_owned(), major: major.parse().map_err(drop)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_lines_of_packages_forks_and_previews_are_read() {
        let read = |line| Release::from_version_line(line).map(|release| release.to_string());
        assert_eq!(read("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n").as_deref(), Some("PostgreSQL 15"));
        assert_eq!(read("postgres (EnterpriseDB) 16.2.0").as_deref(), Some("EnterpriseDB 16"));
        assert_eq!(read("postgres (PostgreSQL) 18beta1").as_deref(), Some("PostgreSQL 18"));
        assert_eq!(read("not a version line"), None);
    }

    #[test]
    fn a_release_survives_being_written_down() {
        let release = Release { flavour: "Postgres Pro (certified)".to_owned(), major: 17 };
        assert_eq!(format!("{release}\n").parse(), Ok(release));
    }
}
