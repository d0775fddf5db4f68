//! How many words can answer a word.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::length_of;
use super::link::{begins, first_mora, loses};
use super::rules::{FinalN, Rules};
use crate::own::Lists;
use crate::{ClassSet, Lexicon};

/// What the number of words depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    classes: ClassSet,
    n_loses: bool,
    min_length: u8,
}

/// Words by their first mora.
type ByStart = HashMap<(char, Option<char>), usize>;

/// How many kinds of rules are remembered.
const REMEMBERED: usize = 16;

/// The numbers that were asked for lately; counting takes one pass over the lexicon.
#[derive(Debug, Default)]
pub(crate) struct AnswerCounts(Mutex<HashMap<Kind, Arc<ByStart>>>);

impl AnswerCounts {
    fn of(&self, lexicon: &Lexicon, rules: &Rules) -> Arc<ByStart> {
        let kind = Kind { classes: rules.classes, n_loses: rules.n == FinalN::Loses, min_length: rules.min_length };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(counts) = known.get(&kind) {
            return counts.clone();
        }
        if known.len() == REMEMBERED {
            known.clear();
        }
        let counts = Arc::new(count(lexicon, rules));
        known.insert(kind, counts.clone());
        counts
    }
}

fn count(lexicon: &Lexicon, rules: &Rules) -> ByStart {
    let mut counts = ByStart::new();
    let mut counted = "";
    for entry in lexicon.words().rows(0..lexicon.words().row_count()) {
        // Rows are sorted by reading: one of several classes makes the word count.
        if entry.reading != counted
            && rules.classes.contains(entry.class)
            && can_be_said(entry.reading, rules)
            && let Some(start) = first_mora(entry.reading)
        {
            counted = entry.reading;
            *counts.entry(start).or_default() += 1;
        }
    }
    counts
}

/// Whether a word is long enough and does not lose at once.
pub(super) fn can_be_said(reading: &str, rules: &Rules) -> bool {
    !loses(reading, rules) && length_of(reading) >= rules.min_length.into()
}

/// The answers that are left in one game.
pub(super) struct Answers {
    all: Arc<ByStart>,
    /// Readings that can be said by the lexicon but not in this game, and those only it knows.
    less: Vec<String>,
    more: Vec<String>,
}

impl Answers {
    pub fn new(lexicon: &Lexicon, rules: &Rules, lists: Lists<'_>, used: &[String]) -> Self {
        let known = |reading: &str| can_be_said(reading, rules) && lexicon.has_reading(reading, rules.classes);
        let mut less: Vec<String> = used
            .iter()
            .map(String::as_str)
            .chain(lists.banned())
            .filter(|reading| known(reading))
            .map(String::from)
            .collect();
        less.sort_unstable();
        less.dedup();
        let mut more: Vec<String> = lists
            .extra()
            .filter(|reading| can_be_said(reading, rules) && !known(reading))
            .filter(|reading| !used.iter().any(|word| word == reading))
            .map(String::from)
            .collect();
        more.sort_unstable();
        more.dedup();
        Self { all: lexicon.words().answers.of(lexicon, rules), less, more }
    }

    /// How many words can follow a word that leads to these starts.
    pub fn count(&self, reading: &str, starts: &[String]) -> usize {
        let follows = |word: &str| starts.iter().any(|start| begins(word, start));
        let all: usize = starts.iter().map(|start| self.beginning(start)).sum();
        let less = self.less.iter().filter(|word| *word != reading && follows(word)).count();
        let more = self.more.iter().filter(|word| *word != reading && follows(word)).count();
        // The word itself is used once it is said.
        let itself = usize::from(follows(reading));
        (all + more).saturating_sub(less + itself)
    }

    fn beginning(&self, start: &str) -> usize {
        let mut kana = start.chars();
        let (Some(first), second) = (kana.next(), kana.next()) else {
            return 0;
        };
        let counts =
            self.all.iter().filter(|((kana, small), _)| *kana == first && (second.is_none() || *small == second));
        counts.map(|(_, count)| count).sum()
    }
}
