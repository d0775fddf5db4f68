//! The lexicon: words by their letters, their reading and their written forms.

mod alphabet;
mod build;
mod entry;
mod file;
mod forms;
mod info;
mod key_set;
mod lookup;
mod playable;
mod rows;
mod slots;
mod source;
mod walk;

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use fst::raw::Fst;

pub use build::Row;
pub(crate) use entry::counting;
pub use entry::{Entry, Forms};
pub use info::{EntryCounts, LexiconInfo, Source};
pub(crate) use key_set::{KeySet, SetTest};
pub(crate) use lookup::Keys;

use crate::own::Lists;
use crate::shiritori::AnswerCounts;
use crate::{FoldError, OwnWords};
use file::{Bytes, LexiconFile, Section};

/// Why there is no lexicon.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file is not a lexicon, or one of another version of this crate.
    #[error("this is not a lexicon file of this version; make it again from its data file")]
    NotALexicon,
    /// A file is not as it was written.
    #[error("{path} is damaged; remove it and it will be made again", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// A data file cannot be understood.
    #[error("line {line} of the data file: {fault}")]
    Data {
        /// The line, from 1; 0 where it cannot be unpacked at all.
        line: usize,
        /// What is wrong with it.
        fault: String,
    },
    /// A row's reading is none.
    #[error("“{reading}” is no reading: {fault}")]
    Row {
        /// The reading.
        reading: String,
        /// What is wrong with it.
        fault: FoldError,
    },
    /// More words than a lexicon file can hold.
    #[error("the data is too large for a lexicon file")]
    TooLarge,
    /// The FST was not accepted.
    #[error("the index of the lexicon: {0}")]
    Index(#[from] fst::Error),
}

/// A lexicon: cheap to clone and to share between threads.
///
/// ```
/// use dictionary::{Class, Lexicon, OwnWords, Policy, Row};
///
/// let lexicon = Lexicon::build([
///     Row::new("ねこ", Class::Common, &["猫"]),
///     Row::new("いなずま", Class::Common, &["稲妻"]),
/// ]).unwrap();
/// let verdict = lexicon.judge("稲妻", &Policy::default(), &OwnWords::default());
/// assert!(verdict.valid);
/// assert_eq!(verdict.spellings.len(), 2);
/// ```
#[derive(Clone)]
pub struct Lexicon {
    words: Arc<Words>,
    /// The server's own words, beside those of each request.
    house: Arc<OwnWords>,
    version: Arc<str>,
}

/// The sections of the lexicon's file, ready to be read.
pub(crate) struct Words {
    file: LexiconFile,
    info: LexiconInfo,
    forward: Fst<Bytes>,
    backward: Fst<Bytes>,
    backward_keys: Bytes,
    letter_starts: Bytes,
    letters: Bytes,
    key_starts: Bytes,
    key_rows: Bytes,
    key_classes: Bytes,
    key_ranks: Bytes,
    key_sets: Bytes,
    row_starts: Bytes,
    rows: Bytes,
    reading_slots: Bytes,
    form_slots: Bytes,
    pub(crate) answers: AnswerCounts,
}

impl Lexicon {
    /// The default lexicon, from the data in this crate.
    ///
    /// Its file is made in `cache_dir` at first use (2 to 3 seconds) and mapped into memory from then
    /// on; another version of the data makes another file. Without a folder, or where the
    /// folder cannot be written, it is built in memory at each call.
    ///
    /// # Errors
    /// When the data in the crate is not what it should be.
    pub fn standard(cache_dir: Option<&Path>) -> Result<Self, LexiconError> {
        let checksum = source::checksum(source::STANDARD);
        let cached = cache_dir.map(|folder| folder.join(format!("lexicon-{}.bin", &checksum[..16])));
        if let Some(lexicon) = cached.as_deref().and_then(|path| Self::map(path).ok()) {
            return Ok(lexicon);
        }
        let built = Self::from_data(Some("standard"), source::STANDARD, checksum)?;
        let mapped = cached.and_then(|path| {
            std::fs::create_dir_all(path.parent()?).ok()?;
            built.save(&path).ok()?;
            Self::map(&path).ok()
        });
        Ok(mapped.unwrap_or(built))
    }

    /// Opens a lexicon file ([`Lexicon::save`]), which is mapped into memory, or a data file
    /// (`.tsv.zst`), which is built in memory.
    ///
    /// # Errors
    /// When the file cannot be read or is neither.
    pub fn open(path: &Path) -> Result<Self, LexiconError> {
        let at = |source| LexiconError::Io { path: path.into(), source };
        let mut file = std::fs::File::open(path).map_err(at)?;
        let mut magic = [0; 4];
        file.read_exact(&mut magic).map_err(at)?;
        if magic != source::ZSTD_MAGIC {
            return Self::map(path);
        }
        let data = std::fs::read(path).map_err(at)?;
        Self::from_data(None, &[&data], source::checksum(&[&data]))
    }

    fn map(path: &Path) -> Result<Self, LexiconError> {
        Self::from_file(LexiconFile::map(path)?)
    }

    fn from_data(name: Option<&str>, files: &[&[u8]], checksum: String) -> Result<Self, LexiconError> {
        let texts: Vec<_> = files.iter().map(|file| source::unpack(file)).collect::<Result<_, _>>()?;
        let mut rows = Vec::new();
        let headers: Vec<_> = texts.iter().map(|text| source::parse(text, &mut rows)).collect::<Result<_, _>>()?;
        Self::from_file(build::build(rows, source::info(name, headers, checksum))?)
    }

    /// Builds a lexicon in memory. Rows of the same reading and class become one; a reading that
    /// has no spelling is left out.
    ///
    /// # Errors
    /// When a reading is not kana or longer than a word can be.
    pub fn build<'a>(rows: impl IntoIterator<Item = Row<'a>>) -> Result<Self, LexiconError> {
        let rows: Vec<_> = rows.into_iter().collect();
        let mut text = String::new();
        for row in &rows {
            text.extend([&row.reading, "\t", row.class.name(), "\t", &row.forms, "\n"]);
        }
        let checksum = source::checksum(&[text.as_bytes()]);
        Self::from_file(build::build(rows, source::info(Some("built"), Vec::new(), checksum))?)
    }

    /// A lexicon without words, for games that need none. It is built once; asking again costs nothing.
    pub fn empty() -> Self {
        static EMPTY: LazyLock<Lexicon> =
            LazyLock::new(|| Lexicon::build([]).expect("building from no rows meets nothing that can fail"));
        EMPTY.clone()
    }

    fn from_file(file: LexiconFile) -> Result<Self, LexiconError> {
        let section = |name| file.section(name);
        let info: LexiconInfo =
            serde_json::from_slice(section(Section::Info).as_ref()).map_err(|_| LexiconError::NotALexicon)?;
        let version = info.version.as_str().into();
        let words = Words {
            info,
            forward: Fst::new(section(Section::Forward))?,
            backward: Fst::new(section(Section::Backward))?,
            backward_keys: section(Section::BackwardKeys),
            letter_starts: section(Section::LetterStarts),
            letters: section(Section::Letters),
            key_starts: section(Section::KeyStarts),
            key_rows: section(Section::KeyRows),
            key_classes: section(Section::KeyClasses),
            key_ranks: section(Section::KeyRanks),
            key_sets: section(Section::KeySets),
            row_starts: section(Section::RowStarts),
            rows: section(Section::Rows),
            reading_slots: section(Section::ReadingSlots),
            form_slots: section(Section::FormSlots),
            answers: AnswerCounts::default(),
            file,
        };
        Ok(Self { words: words.into(), house: Arc::default(), version })
    }

    /// Writes the lexicon file, to be opened by [`Lexicon::open`]. It is moved to its place whole.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), LexiconError> {
        self.words.file.save(path)
    }

    /// What names this lexicon in verdicts and records: the version of its data, and of the
    /// server's own words where there are any.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the lexicon is made of.
    pub fn info(&self) -> &LexiconInfo {
        &self.words.info
    }

    /// The same lexicon with words that the server's operator adds or bans, for every judgement.
    #[must_use]
    pub fn with_house_words(&self, house: OwnWords) -> Self {
        let version = match house.fingerprint() {
            None => self.words.info.version.as_str().into(),
            Some(fingerprint) => format!("{}+{fingerprint}", self.words.info.version).into(),
        };
        Self { words: self.words.clone(), house: house.into(), version }
    }

    pub(crate) fn words(&self) -> &Words {
        &self.words
    }

    pub(crate) fn lists<'a>(&'a self, own: &'a OwnWords) -> Lists<'a> {
        Lists([&self.house, own])
    }
}

impl fmt::Debug for Lexicon {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lexicon").field("version", &self.version).finish_non_exhaustive()
    }
}
