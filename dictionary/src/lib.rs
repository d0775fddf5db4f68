//! Japanese words for word games: kana folded to letters, a lexicon of half a million words, a
//! search, and しりとり by the rules that people really play.
//!
//! # Asking for a word
//!
//! [`Lexicon::standard`] opens the lexicon that comes with the crate. A word is asked by its
//! reading in any kana or by a written form, under a [`Policy`] that says which [classes](Class)
//! of words count; [`OwnWords`] adds and bans words for one match or request.
//!
//! ```
//! use dictionary::{Class, ClassSet, Lexicon, OwnWords, Policy, Reason};
//!
//! let lexicon = Lexicon::standard(None)?; // give it a folder, and it is mapped from there
//! let (nouns, none) = (Policy::default(), OwnWords::default());
//!
//! let coat = lexicon.judge("コート", &nouns, &none);
//! assert!(coat.valid && coat.playable);
//! assert_eq!(coat.spellings[0].to_string(), "こおと");
//!
//! // 稲妻 can be laid in two ways.
//! assert_eq!(lexicon.spellings_of("稲妻", &nouns, &none).len(), 2);
//!
//! let hide = lexicon.judge("隠れる", &nouns, &none);
//! assert_eq!(hide.reason, Some(Reason::ClassNotAllowed));
//! let verbs = Policy { classes: ClassSet::of(Class::Verb) };
//! assert!(lexicon.judge("隠れる", &verbs, &none).valid);
//! # Ok::<(), dictionary::LexiconError>(())
//! ```
//!
//! # Letters, readings, written forms
//!
//! - A [`Letter`] is one of the 46 basic hiragana, a [`Spelling`] a word in them: what lies on the
//!   table in 八築. [`fold()`] leads from a text to its spellings, [`trace`] tells how;
//!   the [steps](mod@fold) are documented one by one.
//! - A *reading* keeps marks, small kana and ー: こーと. The lexicon keeps readings, because
//!   しりとり and people need them. A text in kana is a word if some entry is read exactly so, or,
//!   where none is, if some entry is written exactly so: パラグワヰ, which is read ぱらぐわい.
//! - A *written form* is what people write: コート, 稲妻.
//!
//! # Words from a hand of cards
//!
//! [`Lexicon::playable`] walks the index with the hand as a 46-bit [`LetterSet`]: it passes by the
//! branches that the hand cannot make, and tests what is left of each by the sets of its letters.
//!
//! ```
//! # use dictionary::{Lexicon, OwnWords, Policy, Spelling};
//! # use std::ops::ControlFlow;
//! # let lexicon = Lexicon::standard(None)?;
//! let mut words = Vec::new();
//! let hand = "えるきし".parse()?;
//! lexicon.playable('か'.try_into()?, hand, &Policy::default(), &OwnWords::default(), &mut |word| {
//!     words.push(Spelling::from(word).to_string());
//!     ControlFlow::Continue(())
//! });
//! assert!(words.contains(&"かえる".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Searching, and しりとり
//!
//! [`Lexicon::search`] finds words by start, end, rack, contents, length and class, page by page
//! ([`search`]). [`Lexicon::check_chain`] judges a chain of しりとり, [`Lexicon::next_words`]
//! finds what may follow, if need be the words that leave the opponent the fewest answers
//! ([`shiritori`]).
//!
//! ```
//! # use dictionary::Lexicon;
//! use dictionary::shiritori::{ChainRequest, NextOrder, NextRequest};
//! # let lexicon = Lexicon::standard(None)?;
//! let words = ["しりとり", "リス", "西瓜"].map(String::from).to_vec();
//! let chain = ChainRequest { words, ..ChainRequest::default() };
//! let answer = lexicon.check_chain(&chain)?;
//! assert!(answer.valid);
//! assert_eq!(answer.next_must_start_with, ["か"]);
//!
//! let strongest = lexicon.next_words(&NextRequest {
//!     after: Some("西瓜".into()),
//!     used: chain.words.clone(),
//!     order: NextOrder::FewestAnswers,
//!     ..NextRequest::default()
//! })?;
//! assert!(strongest.words[0].leaves < Some(1000));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The data
//!
//! The words come from SudachiDict (Apache-2.0) and, with the feature `share-alike` (on by
//! default), from JMdict and JMnedict (CC BY-SA 4.0); [`Lexicon::info`] says which, with the
//! notices that whoever shows the words must pass on. `data/README.md` tells how they were made
//! and how to make them again. A lexicon of your own is built from [rows](Row), or from a data file
//! by [`Lexicon::open`]; a [`Library`] holds several, and a list of words of the operator's own.
//!
//! # What a caller can rely on
//!
//! Nothing panics, whatever is passed. Texts are bounded ([`fold::MAX_LENGTH`]), so are lists and
//! pages. A [`Lexicon`] is shared between threads and cheap to clone; its
//! [version](Lexicon::version) names exactly what a verdict was given by.

mod checksum;
mod class;
pub mod fold;
mod letter;
mod lexicon;
mod library;
mod own;
pub mod search;
pub mod shiritori;
mod verdict;

pub use class::{Class, ClassSet, NotAClass, Policy};
pub use fold::{FoldError, Folded, SpellingFault, Step, fold, trace};
pub use letter::{Letter, LetterSet, NotALetter, Spelling};
pub use lexicon::{Entry, EntryCounts, Forms, Lexicon, LexiconError, LexiconInfo, Row, Source};
pub use library::{HouseWordsError, Library, MAX_HOUSE_WORDS};
pub use own::{MAX_OWN_WORDS, OwnWords, OwnWordsError};
pub use search::{FoundWord, Order, SearchError, SearchPage, SearchQuery};
pub use verdict::{Reason, Verdict};
