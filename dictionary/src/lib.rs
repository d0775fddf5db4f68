//! Japanese words for word games.

mod letter;

pub use letter::{Letter, LetterSet, NotALetter, Spelling};

/// The words of a match.
#[derive(Debug)]
pub struct Lexicon;

impl Lexicon {
    /// Its version.
    pub const fn version(&self) -> &str {
        "empty"
    }

    /// A lexicon without words.
    pub const fn empty() -> Self {
        Self
    }
}
