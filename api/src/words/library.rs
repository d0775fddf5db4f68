//! The lexicons of the server: the default one, those that the settings add, and the operator's
//! own words over all of them.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use dictionary::{Lexicon, LexiconError, Library};
use serde::Deserialize;
use tokio_util::sync::CancellationToken;

use crate::config::Settings;

/// The name of the default lexicon.
pub const DEFAULT: &str = "standard";

/// How often the file of the operator's words is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A lexicon beside the default one, as the settings name it: `wide=/path/to/file`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct NamedLexicon {
    /// What `?lexicon=` calls it.
    pub name: String,
    /// A lexicon file, or a data file (`.tsv.zst`).
    pub path: PathBuf,
}

/// A text that names no lexicon.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "“{0}” names no lexicon; write NAME=FILE, with a name of 1 to 32 small letters, digits, - and _ other than {DEFAULT}"
)]
pub struct NotANamedLexicon(String);

impl FromStr for NamedLexicon {
    type Err = NotANamedLexicon;

    fn from_str(text: &str) -> Result<Self, NotANamedLexicon> {
        let is_name = |name: &str| {
            (1..=32).contains(&name.len())
                && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_'))
                && name != DEFAULT
        };
        match text.split_once('=') {
            Some((name, path)) if is_name(name) && !path.is_empty() => {
                Ok(Self { name: name.to_owned(), path: path.into() })
            }
            _ => Err(NotANamedLexicon(text.to_owned())),
        }
    }
}

impl TryFrom<String> for NamedLexicon {
    type Error = NotANamedLexicon;

    fn try_from(text: String) -> Result<Self, NotANamedLexicon> {
        text.parse()
    }
}

/// The lexicon that comes with the program, its file kept in the data folder.
///
/// # Errors
/// Where the data in the program is not what it should be.
pub fn standard(data_dir: &Path) -> Result<Lexicon, LexiconError> {
    Lexicon::standard(Some(&data_dir.join("lexicon")))
}

/// The default lexicon with what the settings lay beside and over it.
///
/// # Errors
/// Where a file cannot be read or understood; the message names it.
pub fn open(default: Lexicon, settings: &Settings) -> anyhow::Result<Library> {
    let mut library = Library::new(DEFAULT, default);
    for NamedLexicon { name, path } in &settings.lexicons {
        library = library.with_lexicon(name, open_file(path)?);
    }
    lay_over(library, settings.own_words.as_deref())
}

/// A lexicon file or a data file.
///
/// # Errors
/// Where it is neither; the message names it.
pub fn open_file(path: &Path) -> anyhow::Result<Lexicon> {
    // The dictionary's errors tell their cause themselves: it is not told again as a source.
    Lexicon::open(path).map_err(|error| anyhow!("the lexicon {} cannot be opened: {error}", path.display()))
}

/// The library with the operator's own words over every lexicon, where there is a file of them.
///
/// # Errors
/// Where the file cannot be read or understood; the message names it.
pub fn lay_over(library: Library, own_words: Option<&Path>) -> anyhow::Result<Library> {
    match own_words {
        None => Ok(library),
        Some(path) => library.with_house_file(path).map_err(|error| anyhow!("the own words cannot be used: {error}")),
    }
}

/// Reads the operator's words again whenever their file has changed, until it is stopped. A file
/// that cannot be understood changes nothing, and is complained of once.
pub async fn watch(library: Arc<Library>, stop: CancellationToken) {
    let mut complaint = None;
    while stop.run_until_cancelled(tokio::time::sleep(LOOK_EVERY)).await.is_some() {
        let looked = Arc::clone(&library);
        let Ok(reloaded) = tokio::task::spawn_blocking(move || looked.reload()).await else { return };
        match reloaded {
            Ok(changed) => {
                complaint = None;
                if changed {
                    tracing::info!(lexicon = library.default_lexicon().version(), "the own words were read again");
                }
            }
            Err(error) => {
                let said = error.to_string();
                if complaint.as_ref() != Some(&said) {
                    tracing::error!(error = said, "the own words stay as they were");
                    complaint = Some(said);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lexicon_is_named_and_has_a_file() {
        let wide = NamedLexicon { name: "wide".into(), path: "/var/lib/wide.tsv.zst".into() };
        assert_eq!("wide=/var/lib/wide.tsv.zst".parse(), Ok(wide));
        for bad in ["wide", "wide=", "=x", "Wide=x", "standard=x", "a b=x"] {
            assert!(bad.parse::<NamedLexicon>().is_err(), "{bad}");
        }
    }
}
