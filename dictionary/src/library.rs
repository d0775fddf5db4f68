//! The lexicons of one server, and its operator's own words.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};
use std::time::SystemTime;

use crate::{Lexicon, OwnWords, OwnWordsError};

/// How many words an operator may add, and how many ban.
pub const MAX_HOUSE_WORDS: usize = 10_000;

/// Lexicons by name, one of them the default, with the operator's words laid over each.
///
/// The operator's words are a text file, one reading a line: `+けぬむろ` or just `けぬむろ` adds a
/// word, `-ねこ` bans one. Empty lines and what follows a `#` are ignored. The file is read again by
/// [`Library::reload`] when it has changed; a file that cannot be understood changes nothing.
///
/// ```
/// use dictionary::{Class, Lexicon, Library, OwnWords, Policy, Row};
/// let folder = tempfile::tempdir().unwrap();
/// let list = folder.path().join("words.txt");
/// std::fs::write(&list, "けぬむろ # ours\n-ねこ\n").unwrap();
///
/// let lexicon = Lexicon::build([Row::new("ねこ", Class::Common, &["猫"])]).unwrap();
/// let library = Library::new("standard", lexicon).with_house_file(&list).unwrap();
/// let lexicon = library.get(None).unwrap();
/// let valid = |word| lexicon.judge(word, &Policy::default(), &OwnWords::default()).valid;
/// assert!(valid("けぬむろ") && !valid("ねこ"));
/// ```
#[derive(Debug)]
pub struct Library {
    default: String,
    shelves: RwLock<Shelves>,
    house_file: Option<PathBuf>,
}

#[derive(Debug)]
struct Shelves {
    lexicons: BTreeMap<String, Lexicon>,
    /// When the operator's file was written and how long it was.
    read: Option<(SystemTime, u64)>,
}

/// Why the operator's words cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HouseWordsError {
    /// The file cannot be read.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file holds something that is no reading, or too much.
    #[error("{path}: {source}", path = path.display())]
    Words {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: OwnWordsError,
    },
}

impl Library {
    /// A library of one lexicon, the default.
    pub fn new(name: &str, lexicon: Lexicon) -> Self {
        let lexicons = BTreeMap::from([(name.to_owned(), lexicon)]);
        let shelves = RwLock::new(Shelves { lexicons, read: None });
        Self { default: name.into(), shelves, house_file: None }
    }

    /// The library with one lexicon more.
    #[must_use]
    pub fn with_lexicon(mut self, name: &str, lexicon: Lexicon) -> Self {
        let shelves = self.shelves.get_mut().unwrap_or_else(PoisonError::into_inner);
        shelves.lexicons.insert(name.to_owned(), lexicon);
        self
    }

    /// The library with the operator's words; give it every lexicon before.
    ///
    /// # Errors
    /// When the file cannot be read or understood.
    pub fn with_house_file(mut self, path: &Path) -> Result<Self, HouseWordsError> {
        self.house_file = Some(path.into());
        self.reload()?;
        Ok(self)
    }

    /// A lexicon by name, or the default; None where there is none of that name. It stays as it is
    /// while it is held, whatever is reloaded.
    pub fn get(&self, name: Option<&str>) -> Option<Lexicon> {
        let shelves = self.shelves.read().unwrap_or_else(PoisonError::into_inner);
        shelves.lexicons.get(name.unwrap_or(&self.default)).cloned()
    }

    /// The default lexicon as it is now; like any other it stays so while it is held.
    pub fn default_lexicon(&self) -> Lexicon {
        let shelves = self.shelves.read().unwrap_or_else(PoisonError::into_inner);
        // It was there from the start, and none is ever taken away.
        shelves.lexicons[&self.default].clone()
    }

    /// The names of the lexicons, sorted.
    pub fn names(&self) -> Vec<String> {
        let shelves = self.shelves.read().unwrap_or_else(PoisonError::into_inner);
        shelves.lexicons.keys().cloned().collect()
    }

    /// Reads the operator's words again if their file has changed; true if it had.
    ///
    /// # Errors
    /// When the file cannot be read or understood; the words stay as they were.
    pub fn reload(&self) -> Result<bool, HouseWordsError> {
        let Some(path) = &self.house_file else {
            return Ok(false);
        };
        let at = |source| HouseWordsError::Io { path: path.clone(), source };
        let meta = std::fs::metadata(path).map_err(at)?;
        let stamp = (meta.modified().map_err(at)?, meta.len());
        let read = self.shelves.read().unwrap_or_else(PoisonError::into_inner).read;
        if read == Some(stamp) {
            return Ok(false);
        }
        let text = std::fs::read_to_string(path).map_err(at)?;
        let words = house_words(&text).map_err(|source| HouseWordsError::Words { path: path.clone(), source })?;
        let mut shelves = self.shelves.write().unwrap_or_else(PoisonError::into_inner);
        for lexicon in shelves.lexicons.values_mut() {
            *lexicon = lexicon.with_house_words(words.clone());
        }
        shelves.read = Some(stamp);
        Ok(true)
    }
}

/// Reads the operator's list.
fn house_words(text: &str) -> Result<OwnWords, OwnWordsError> {
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let (banned, extra): (Vec<_>, Vec<_>) =
        lines.filter(|line| !line.is_empty()).partition(|line| line.starts_with('-'));
    let extra = extra.iter().map(|line| line.trim_start_matches('+').trim_start());
    let banned = banned.iter().map(|line| line.trim_start_matches('-').trim_start());
    OwnWords::with_limit(extra, banned, MAX_HOUSE_WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Policy, Row};

    fn valid(library: &Library, word: &str) -> bool {
        let lexicon = library.get(None).unwrap();
        lexicon.judge(word, &Policy::default(), &OwnWords::default()).valid
    }

    #[test]
    fn the_list_has_words_bans_and_comments() {
        let own = house_words("# ours\n+けぬむろ\n ぬこ # cat\n\n- ねこ\n").unwrap();
        let mut extra: Vec<_> = own.extra().collect();
        extra.sort_unstable();
        assert_eq!(extra, ["けぬむろ", "ぬこ"]);
        assert_eq!(own.banned().collect::<Vec<_>>(), ["ねこ"]);
    }

    #[test]
    fn a_changed_file_is_read_again_and_a_bad_one_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.txt");
        std::fs::write(&path, "けぬむろ\n").unwrap();
        let lexicon = Lexicon::build([Row::new("ねこ", Class::Common, &["猫"])]).unwrap();
        let version = lexicon.version().to_owned();
        let library = Library::new("standard", lexicon).with_house_file(&path).unwrap();
        assert!(valid(&library, "けぬむろ") && valid(&library, "ねこ"));
        assert!(!library.reload().unwrap());

        let held = library.get(None).unwrap();
        std::fs::write(&path, "-ねこ\n").unwrap();
        assert!(library.reload().unwrap());
        assert!(!valid(&library, "けぬむろ") && !valid(&library, "ねこ"));
        assert_ne!(library.get(None).unwrap().version(), held.version());

        std::fs::write(&path, "猫という字\n").unwrap();
        assert!(library.reload().is_err());
        assert!(!valid(&library, "ねこ"));

        std::fs::write(&path, "").unwrap();
        assert!(library.reload().unwrap());
        assert_eq!(library.get(None).unwrap().version(), version);
    }

    #[test]
    fn lexicons_are_found_by_name() {
        let library = Library::new("standard", Lexicon::empty())
            .with_lexicon("wide", Lexicon::build([Row::new("ねこ", Class::Common, &[])]).unwrap());
        assert_eq!(library.names(), ["standard", "wide"]);
        assert_eq!(library.get(Some("wide")).unwrap().info().entries.total, 1);
        assert_eq!(library.get(None).unwrap().info().entries.total, 0);
        assert!(library.get(Some("none")).is_none());
    }
}
