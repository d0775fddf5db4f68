//! Japanese words for word games.

mod class;
pub mod fold;
mod letter;
mod lexicon;
mod own;
pub mod search;
mod verdict;

pub use class::{Class, ClassSet, NotAClass, Policy};
pub use fold::{FoldError, Folded, Step, fold, trace};
pub use letter::{Letter, LetterSet, NotALetter, Spelling};
pub use lexicon::{Entry, EntryCounts, Forms, Lexicon, LexiconError, LexiconInfo, Row, Source};
pub use own::{MAX_OWN_WORDS, OwnWords, OwnWordsError};
pub use search::{FoundWord, Order, SearchError, SearchPage, SearchQuery};
pub use verdict::{Reason, Verdict};
