//! Searching the lexicon by what a word begins with, ends in, contains, or may be made of.
//!
//! Everything is asked in the letters of the cards: か finds かき and がっこう. Where the text of
//! `starts_with` or `ends_with` says more than letters (marks, small kana, ー), the reading must
//! have it too: が finds がっこう alone.
//!
//! Beginnings and ends are ranges of the FST and of its reverse; a rack walks the FST and passes by
//! the branches that it cannot make; everything else is one pass over the sets of letters of the
//! spellings, one number each. The worst question takes a few milliseconds and the memory of one
//! page.
//!
//! ```
//! use dictionary::{Class, Lexicon, OwnWords, Row, SearchQuery};
//! let lexicon = Lexicon::build([
//!     Row::new("かき", Class::Common, &["柿"]),
//!     Row::new("がっこう", Class::Common, &["学校"]),
//!     Row::new("ねこ", Class::Common, &["猫"]),
//! ]).unwrap();
//! let query = SearchQuery { starts_with: Some("か".into()), ..SearchQuery::default() };
//! let own = OwnWords::default();
//! let page = lexicon.search(&query, &own).unwrap();
//! let readings: Vec<_> = page.words.iter().map(|word| word.reading).collect();
//! assert_eq!(readings, ["かき", "がっこう"]);
//! ```

mod candidates;
mod cursor;
mod filter;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::own::Lists;
use crate::{Class, FoldError, Forms, Lexicon, NotAClass, NotALetter, OwnWords, Spelling};
use candidates::{Candidate, candidates};
pub(crate) use cursor::Cursor;
use filter::Filter;

/// How many words a page has when nobody says.
pub const DEFAULT_LIMIT: usize = 50;
/// How many words a page may have.
pub const MAX_LIMIT: usize = 500;

/// In which order words are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// あ to ん, letter by letter.
    #[default]
    Gojuon,
    /// The shortest first.
    Length,
    /// The most common first; those of which no source says how common they are come last.
    Common,
}

/// What to search for; everything that is given must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, IntoParams, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// What the word begins with, in kana. か also finds が; が finds が alone.
    #[param(example = "ね")]
    pub starts_with: Option<String>,
    /// What the word ends in, in kana.
    pub ends_with: Option<String>,
    /// The rack: the letters that the word may use, each once.
    #[param(example = "えかる")]
    pub letters: Option<String>,
    /// Letters that the word must have, in any place.
    pub contains: Option<String>,
    /// The fewest letters.
    #[param(minimum = 0, maximum = 100)]
    pub min_length: Option<usize>,
    /// The most letters.
    #[param(minimum = 1, maximum = 100)]
    pub max_length: Option<usize>,
    /// Whether all letters must be different.
    pub distinct: Option<bool>,
    /// The word classes, with commas between; the default is common, place, person, organization
    /// and proper.
    #[param(example = "common,place")]
    pub class: Option<String>,
    /// The order of the answer.
    #[param(inline)]
    pub order: Order,
    /// How many words a page has, 1 to 500; the default is 50.
    #[param(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// `next_cursor` of the page before, with everything else as it was.
    pub cursor: Option<String>,
    /// Which lexicon to search, where the server has several. The search itself ignores it.
    pub lexicon: Option<String>,
}

/// Why a search is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// A text is not kana.
    #[error("`{parameter}`: {fault}")]
    Text {
        /// Which parameter.
        parameter: &'static str,
        /// What is wrong with it.
        fault: FoldError,
    },
    /// A ー whose vowel nobody can know: words that end in ー do not all end in the same letter.
    #[error(
        "`{parameter}`: ー has no vowel before it here; send the vowel that it stands for (あ, い, う, え or お) or, in `ends_with`, the kana before it too (such as らー)"
    )]
    LongAlone {
        /// Which parameter.
        parameter: &'static str,
    },
    /// Letters that are none, or one of the rack given twice.
    #[error("`{parameter}`: {fault}; give each letter once")]
    Letters {
        /// Which parameter.
        parameter: &'static str,
        /// What is wrong with it.
        fault: NotALetter,
    },
    /// A class that does not exist.
    #[error("`class`: {0}")]
    Class(#[from] NotAClass),
    /// A page of no words or of too many.
    #[error("`limit` must be from 1 to {MAX_LIMIT}")]
    Limit,
    /// A cursor that is none, or that belongs to another question.
    #[error("`cursor` belongs to another question or another lexicon; begin without it")]
    Cursor,
}

impl SearchError {
    /// The parameter that is wrong.
    pub fn parameter(&self) -> &'static str {
        match self {
            Self::Text { parameter, .. } | Self::LongAlone { parameter } | Self::Letters { parameter, .. } => parameter,
            Self::Class(_) => "class",
            Self::Limit => "limit",
            Self::Cursor => "cursor",
        }
    }

    /// The same message in Japanese.
    pub fn message_ja(&self) -> String {
        match self {
            Self::Text { parameter, fault } => format!("`{parameter}`：{}", fault.message_ja()),
            Self::LongAlone { parameter } => format!(
                "`{parameter}`：「ー」の前に母音がありません。「ー」が表す母音（あ・い・う・え・お）を送るか、`ends_with`なら前の仮名も付けて（「らー」など）送ってください。"
            ),
            Self::Letters { parameter, fault } => format!(
                "`{parameter}`：「{}」は使えません。濁点のない大きなひらがな46文字を一度ずつ書いてください。",
                fault.found
            ),
            Self::Class(fault) => format!("`class`：{}", fault.message_ja()),
            Self::Limit => format!("`limit`は1から{MAX_LIMIT}までです。"),
            Self::Cursor => "`cursor`が別の問いのものです。付けずにやり直してください。".into(),
        }
    }
}

/// A word that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FoundWord<'a> {
    /// The reading in hiragana.
    #[schema(example = "ねこ")]
    pub reading: &'a str,
    /// The written forms, sorted.
    pub forms: Forms<'a>,
    /// The word class; `other` for a word that only the caller or the server adds.
    pub class: Class,
    /// The spellings that fit the search, in gojūon order.
    pub spellings: Vec<Spelling>,
}

/// One page of what was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SearchPage<'a> {
    /// The version of the lexicon.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub lexicon: &'a str,
    /// The words in order. Words that only the caller or the server adds come after the others.
    pub words: Vec<FoundWord<'a>>,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Lexicon {
    /// One page of the words that fit a query.
    ///
    /// # Errors
    /// When a parameter is not what it should be.
    pub fn search<'a>(&'a self, query: &SearchQuery, own: &'a OwnWords) -> Result<SearchPage<'a>, SearchError> {
        let filter = Filter::new(query)?;
        let limit = query.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(SearchError::Limit);
        }
        let question = SearchQuery { cursor: None, limit: None, ..query.clone() };
        let tag = Cursor::tag(&(self.version(), &question));
        let from = match &query.cursor {
            Some(text) => Cursor::read(text, tag).ok_or(SearchError::Cursor)?,
            None => Cursor::default(),
        };
        let lists = self.lists(own);
        // One more than the page tells whether there is a next one.
        let mut found = self.found(&filter, query.order, lists, from, limit + 1);
        let next_cursor = (found.len() > limit).then(|| found[limit].0.write(tag));
        found.truncate(limit);
        let words = found.into_iter().map(|(_, word)| word).collect();
        Ok(SearchPage { lexicon: self.version(), words, next_cursor })
    }

    /// Words from a place on, each with its place.
    fn found<'a>(
        &'a self,
        filter: &Filter,
        order: Order,
        lists: Lists<'a>,
        from: Cursor,
        count: usize,
    ) -> Vec<(Cursor, FoundWord<'a>)> {
        let mut found = Vec::new();
        for Candidate { measure, key } in candidates(self, filter, order, lists, from, count) {
            let skipped = if (measure, key) == (from.measure, from.key) { from.row } else { 0 };
            let words = filter.entries(self, key, lists).enumerate().skip(skipped);
            found.extend(words.map(|(row, word)| (Cursor { measure, key, row }, word)));
            if found.len() >= count {
                found.truncate(count);
                return found;
            }
        }
        let skipped = if from.measure == Cursor::OWN { from.row } else { 0 };
        let own = filter.own_words(self, lists).into_iter().enumerate().skip(skipped);
        let place = |row| Cursor { measure: Cursor::OWN, key: 0, row };
        found.extend(own.map(|(row, word)| (place(row), word)));
        found.truncate(count);
        found
    }
}
