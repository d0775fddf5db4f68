//! Is it a word? What a client is told.

use serde::Serialize;
use utoipa::ToSchema;

use crate::fold::Kana;
use crate::lexicon::counting;
use crate::{ClassSet, Entry, FoldError, Lexicon, OwnWords, Policy, Spelling};

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
    /// Whether it can be played in 八築: valid, with a spelling of at least two letters that are all
    /// different and that no banned reading has as well.
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
    /// those that are written exactly so (パラグワヰ, read ぱらぐわい); another text for those that
    /// it is a written form of. It is a word when one of them is of an
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
        let kana = Kana::parse(text);
        let mut entries = self.entries_of(text, &kana);
        let found = entries.len();
        entries.retain(|entry| !lists.bans(entry.reading));
        let banned = entries.len() < found;
        let extra = kana.as_ref().is_ok_and(|kana| lists.adds(&kana.reading));
        let valid = extra || entries.iter().any(|entry| policy.classes.contains(entry.class));
        let reason = match &kana {
            _ if valid => None,
            _ if !entries.is_empty() => Some(Reason::ClassNotAllowed),
            Err(FoldError::NotKana { .. }) if !banned => Some(Reason::NotKana),
            Err(FoldError::NoSpelling { .. }) => Some(Reason::NoSpelling),
            Ok(_) | Err(_) => Some(Reason::Unknown),
        };
        let spellings = spellings(&kana, &entries, policy.classes, extra);
        let is_laid = |spelling: &Spelling| {
            spelling.len() >= 2 && spelling.is_distinct() && !lists.bans_spelling(spelling.letters())
        };
        Verdict {
            input: text,
            valid,
            reason,
            playable: valid && spellings.iter().any(is_laid),
            captures: common(spellings.iter().map(|s| s.len() - 1)),
            ends_with_n: common(spellings.iter().map(Spelling::ends_with_n)),
            banned: banned && !valid,
            entries,
            spellings,
        }
    }

    /// Every way to lay a text in cards, word or not and banned or not, in gojūon order: a text in
    /// kana as it is read; another, or one that only is written so, as the entries of allowed
    /// classes are read, or as all are where none is allowed.
    pub fn spellings_of(&self, text: &str, policy: &Policy, own: &OwnWords) -> Vec<Spelling> {
        let kana = Kana::parse(text);
        let extra = kana.as_ref().is_ok_and(|kana| self.lists(own).adds(&kana.reading));
        spellings(&kana, &self.entries_of(text, &kana), policy.classes, extra)
    }

    /// What a text may stand for.
    pub(crate) fn entries_of(&self, text: &str, kana: &Result<Kana, FoldError>) -> Vec<Entry<'_>> {
        match kana {
            Ok(kana) => self.entries_in_kana(text, kana),
            Err(FoldError::NotKana { .. }) => self.entries_written(text).collect(),
            Err(FoldError::NoSpelling { .. } | FoldError::TooLong) => Vec::new(),
        }
    }
}

/// The spellings of a text that stands for these entries and, where somebody adds it as a reading,
/// for itself.
fn spellings(
    kana: &Result<Kana, FoldError>,
    entries: &[Entry<'_>],
    classes: ClassSet,
    is_extra: bool,
) -> Vec<Spelling> {
    let is_read = |entry: &Entry<'_>| kana.as_ref().is_ok_and(|kana| *kana.reading == *entry.reading);
    let itself = kana.as_ref().ok().filter(|_| is_extra || entries.iter().all(is_read));
    let mut spellings: Vec<_> = itself.into_iter().flat_map(Kana::spellings).collect();
    for kana in counting(entries, classes).filter(|entry| !is_read(entry)).filter_map(|e| Kana::parse(e.reading).ok()) {
        spellings.extend(kana.spellings());
    }
    spellings.sort_unstable();
    spellings.dedup();
    spellings
}

/// What all have in common, if they do.
fn common<T: PartialEq>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.all(|other| other == first).then_some(first)
}
