//! Japanese words for word games.

mod letter;

pub use letter::{Letter, LetterSet, NotALetter, Spelling};

/// The words of a match.
#[derive(Debug)]
pub struct Lexicon;

impl Lexicon {
    /// A lexicon without words.
    pub const fn empty() -> Self {
        Self
    }
}
