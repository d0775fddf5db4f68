//! Is it a word? What a client is told.

use serde::Serialize;
use utoipa::ToSchema;

use crate::fold::Kana;
use crate::lexicon::counting;
use crate::{Entry, FoldError, Lexicon, OwnWords, Policy, Spelling};

/// Why a text is not a valid word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The lexicon does not have it, or it is banned.
    Unknown,
    /// The lexicon has it, in classes that the policy leaves out.
    ClassNotAllowed,
    /// Something in it is neither kana nor a known written form.
    NotKana,
    /// It is kana that has no letters, such as a leading ー.
    NoSpelling,
}

/// The answer about one word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Verdict<'a> {
    /// The text as it was asked.
    #[schema(example = "いなずま")]
    pub input: &'a str,
    /// Whether it is a word under the policy.
    pub valid: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What the lexicon has under this reading or written form, whatever its class. A word that
    /// only the caller's own list knows has none.
    pub entries: Vec<Entry<'a>>,
    /// Every way to lay it in cards, in gojūon order: of the entries that count, or of all where
    /// none does.
    pub spellings: Vec<Spelling>,
    /// Whether it can be played in 八築: valid, with a spelling of at least two letters that are
    /// all different.
    pub playable: bool,
    /// How many letters it captures in 八築, all but the last; left out where its spellings
    /// differ in that.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = 3)]
    pub captures: Option<usize>,
    /// Whether it ends in ん; left out where its spellings differ in that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends_with_n: Option<bool>,
    /// Whether it is no word because the caller or the server bans it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub banned: bool,
}

impl Lexicon {
    /// Judges a text: a reading in any kana, or a written form.
    ///
    /// A text in kana stands for the entries that are read exactly so or, where there are none, for
    /// those with the same letters that are written exactly so (パラグワヰ, read ぱらぐわい);
    /// another text for those that it is a written form of. It is a word when one of them is of an
    /// allowed class and its reading is not banned, or when somebody adds it as a reading.
    ///
    /// ```
    /// # use dictionary::{Class, Lexicon, OwnWords, Policy, Reason, Row};
    /// let lexicon = Lexicon::build([Row::new("かくれる", Class::Verb, &["隠れる"])]).unwrap();
    /// let verdict = lexicon.judge("隠れる", &Policy::default(), &OwnWords::default());
    /// assert_eq!(verdict.reason, Some(Reason::ClassNotAllowed));
    /// ```
    pub fn judge<'a>(&'a self, text: &'a str, policy: &Policy, own: &OwnWords) -> Verdict<'a> {
        let lists = self.lists(own);
        let mut banned = false;
        let mut keep = |entry: &Entry<'_>| {
            let bans = lists.bans(entry.reading);
            banned |= bans;
            !bans
        };
        let mut spellings = Vec::new();
        let (entries, reason, extra): (Vec<_>, _, _) = match Kana::parse(text) {
            Ok(kana) => {
                spellings.extend(kana.spellings());
                let mut entries = self.entries_in_kana(text, &kana);
                entries.retain(&mut keep);
                let extra = lists.adds(&kana.reading);
                (entries, Reason::Unknown, extra)
            }
            Err(FoldError::NotKana { .. }) => {
                let entries: Vec<_> = self.entries_written(text).filter(&mut keep).collect();
                let counting = counting(&entries, policy.classes);
                for kana in counting.filter_map(|entry| Kana::parse(entry.reading).ok()) {
                    spellings.extend(kana.spellings());
                }
                spellings.sort_unstable();
                spellings.dedup();
                let reason = if banned { Reason::Unknown } else { Reason::NotKana };
                (entries, reason, false)
            }
            Err(FoldError::NoSpelling { .. }) => (Vec::new(), Reason::NoSpelling, false),
            Err(FoldError::TooLong) => (Vec::new(), Reason::Unknown, false),
        };
        let valid = extra || entries.iter().any(|entry| policy.classes.contains(entry.class));
        let reason = match (valid, entries.is_empty()) {
            (true, _) => None,
            (false, true) => Some(reason),
            (false, false) => Some(Reason::ClassNotAllowed),
        };
        Verdict {
            input: text,
            valid,
            reason,
            playable: valid && spellings.iter().any(|s| s.len() >= 2 && s.is_distinct()),
            captures: common(spellings.iter().map(|s| s.len() - 1)),
            ends_with_n: common(spellings.iter().map(Spelling::ends_with_n)),
            banned: banned && !valid,
            entries,
            spellings,
        }
    }
}

/// What all have in common, if they do.
fn common<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}
