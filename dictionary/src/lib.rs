//! Japanese words for word games.

mod letter;

pub use letter::{Letter, LetterSet, NotALetter, Spelling};
