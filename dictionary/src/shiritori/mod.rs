//! しりとり by the rules that people really play.
//!
//! A word leads to the next by its *reading*: marks, small kana and ー count as the rules say. A
//! written form with several readings stands for all of them until the chain decides; the answer
//! names those that are left, and the client may choose one by sending the reading instead.
//!
//! A *dead end* is a word after which no word of the lexicon can follow under the rules: none
//! begins so, or all that do are used, banned, too short, or end in ん where that loses.
//!
//! ```
//! use dictionary::{Class, Lexicon, Row};
//! use dictionary::shiritori::{ChainRequest, ChainReason};
//! let lexicon = Lexicon::build([
//!     Row::new("しりとり", Class::Common, &["尻取り"]),
//!     Row::new("りす", Class::Common, &["栗鼠"]),
//!     Row::new("かめ", Class::Common, &["亀"]),
//! ]).unwrap();
//! let words = ["しりとり", "りす", "かめ"].map(String::from).to_vec();
//! let chain = ChainRequest { words, ..ChainRequest::default() };
//! let answer = lexicon.check_chain(&chain).unwrap();
//! let error = answer.first_error.unwrap();
//! assert_eq!((error.index, error.reason), (2, ChainReason::WrongStart));
//! assert_eq!(error.expected, ["す"]);
//! ```

mod answers;
mod chain;
mod link;
mod next;
mod rules;
mod said;
mod ways;

pub use chain::{ChainAnswer, ChainError, ChainReason, ChainRequest, ChainWord};
pub use next::{NextAnswer, NextOrder, NextRequest, NextWord};
pub use rules::{FinalN, JiZu, LongVowel, Preset, RULESET_VERSION, Repeats, RuleOptions, Rules, SmallKana, Voicing};

pub(crate) use answers::AnswerCounts;

use crate::fold::Kana;
use crate::lexicon::counting;
use crate::own::Lists;
use crate::search::MAX_LIMIT;
use crate::{ClassSet, FoldError, Lexicon, OwnWordsError};

/// How many words a chain may have, and how many may be named as used.
pub const MAX_CHAIN: usize = 1000;

/// Why a question about しりとり is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShiritoriError {
    /// A list has no words or too many.
    #[error("`{list}` must have from {least} to {MAX_CHAIN} words")]
    Count {
        /// Which list.
        list: &'static str,
        /// The fewest words it may have.
        least: usize,
    },
    /// The caller's own words are wrong.
    #[error(transparent)]
    OwnWords(#[from] OwnWordsError),
    /// Neither `after` nor `starts_with` is given, or both are.
    #[error("give either `after` or `starts_with`")]
    AfterOrStart,
    /// A word that is neither kana nor a known written form.
    #[error("`{parameter}`: {fault}")]
    Text {
        /// Which parameter.
        parameter: &'static str,
        /// What is wrong with it.
        fault: FoldError,
    },
    /// A page of no words or of too many.
    #[error("`limit` must be from 1 to {MAX_LIMIT}")]
    Limit,
    /// A cursor that is none, or that belongs to another question.
    #[error("`cursor` belongs to another question or another lexicon; begin without it")]
    Cursor,
}

impl ShiritoriError {
    /// The same message in Japanese.
    pub fn message_ja(&self) -> String {
        match self {
            Self::Count { list, least } => {
                format!("`{list}`は{least}語から{MAX_CHAIN}語までです。")
            }
            Self::OwnWords(fault) => fault.message_ja(),
            Self::AfterOrStart => "`after`か`starts_with`のどちらか一つを送ってください。".into(),
            Self::Text { parameter, fault } => format!("`{parameter}`：{}", fault.message_ja()),
            Self::Limit => format!("`limit`は1から{MAX_LIMIT}までです。"),
            Self::Cursor => "`cursor`が別の問いのものです。付けずにやり直してください。".into(),
        }
    }
}

/// The readings that a text may stand for: itself where it is kana and a reading or nothing known,
/// else those of its entries in an allowed class, or of all its entries where none is.
fn readings_of(lexicon: &Lexicon, text: &str, classes: ClassSet, lists: Lists<'_>) -> Result<Vec<String>, FoldError> {
    let kana = Kana::parse(text);
    let entries = lexicon.entries_of(text, &kana);
    let mut readings: Vec<_> = counting(&entries, classes).map(|entry| entry.reading.to_owned()).collect();
    readings.sort_unstable();
    readings.dedup();
    match kana {
        Ok(kana) if readings.is_empty() || lists.adds(&kana.reading) => Ok(vec![kana.reading.to_string()]),
        Err(fault) if readings.is_empty() => Err(fault),
        Ok(_) | Err(_) => Ok(readings),
    }
}

/// How many kana a reading has, marks not counted.
fn length_of(reading: &str) -> usize {
    reading.chars().filter(|&c| !crate::fold::is_combining(c)).count()
}
