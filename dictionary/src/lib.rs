//! Japanese words for word games.

pub mod fold;
mod letter;

pub use fold::{FoldError, Folded, Step, fold, trace};
pub use letter::{Letter, LetterSet, NotALetter, Spelling};
