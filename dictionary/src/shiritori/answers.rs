//! How many words can answer a word.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::length_of;
use super::link::{begins, first_mora, loses};
use super::rules::{FinalN, Rules};
use crate::fold::as_read_today;
use crate::own::Lists;
use crate::{ClassSet, Lexicon};

/// What the number of words depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    classes: ClassSet,
    n_loses: bool,
    min_length: u8,
}

/// Words by their first mora.
type ByStart = HashMap<(char, Option<char>), usize>;

/// The numbers of one kind of rules, counted by whoever asks first.
type Counted = Arc<OnceLock<ByStart>>;

/// How many kinds of rules are remembered.
const REMEMBERED: usize = 16;

/// The numbers that were asked for lately, the latest first; counting takes one pass over the
/// lexicon, during which only those wait who ask for the same.
#[derive(Debug, Default)]
pub(crate) struct AnswerCounts(Mutex<VecDeque<(Kind, Counted)>>);

impl AnswerCounts {
    fn of(&self, lexicon: &Lexicon, rules: &Rules) -> Counted {
        let kind = Kind { classes: rules.classes, n_loses: rules.n == FinalN::Loses, min_length: rules.min_length };
        let counted = self.remembered(kind);
        counted.get_or_init(|| count(lexicon, rules));
        counted
    }

    /// The place of these numbers, which lets the one go that nobody has asked for the longest.
    fn remembered(&self, kind: Kind) -> Counted {
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = latest.iter().position(|(other, _)| *other == kind).and_then(|place| latest.remove(place));
        let (_, counted) = known.unwrap_or_else(|| (kind, Counted::default()));
        latest.truncate(REMEMBERED - 1);
        latest.push_front((kind, counted.clone()));
        counted
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
            && is_listed(lexicon, entry.reading, rules)
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

/// Whether a reading of the lexicon stands for its word: of えびす and ゑびす only the first does.
pub(super) fn is_listed(lexicon: &Lexicon, reading: &str, rules: &Rules) -> bool {
    matches!(as_read_today(reading), Cow::Borrowed(_)) || lexicon.listed_as(reading, rules.classes) == Some(reading)
}

/// The answers that are left in one game.
pub(super) struct Answers {
    all: Counted,
    /// Readings, as read today, that can be said by the lexicon but not in this game, and those
    /// that only its lists know.
    less: HashSet<String>,
    more: HashSet<String>,
}

impl Answers {
    /// The answers but for those that are used up.
    pub fn new(lexicon: &Lexicon, rules: &Rules, lists: Lists<'_>, used: &HashSet<String>) -> Self {
        let known = |reading: &str| can_be_said(reading, rules) && lexicon.has_reading(reading, rules.classes);
        let gone = used.iter().map(String::as_str).chain(lists.banned());
        let new = lists.extra().filter(|reading| can_be_said(reading, rules) && !used.contains(*reading));
        Self {
            all: lexicon.words().answers.of(lexicon, rules),
            less: gone.filter(|reading| known(reading)).map(String::from).collect(),
            more: new.filter(|reading| !known(reading)).map(String::from).collect(),
        }
    }

    /// How many words begin in one of these ways, none of which begins with another.
    pub fn count(&self, starts: &[String]) -> usize {
        let follows = |word: &&String| starts.iter().any(|start| begins(word, start));
        let all: usize = starts.iter().map(|start| self.beginning(start)).sum();
        let [less, more] = [&self.less, &self.more].map(|words| words.iter().filter(follows).count());
        (all + more).saturating_sub(less)
    }

    fn beginning(&self, start: &str) -> usize {
        let mut kana = start.chars();
        let (Some(first), second) = (kana.next(), kana.next()) else {
            return 0;
        };
        let counts = self.all.get().into_iter().flatten();
        let counts = counts.filter(|((kana, small), _)| *kana == first && (second.is_none() || *small == second));
        counts.map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, Row};

    #[test]
    fn the_kinds_asked_for_lately_are_remembered_and_each_is_counted_once() {
        let lexicon = Lexicon::build([Row::new("ねこ", Class::Common, &[])]).unwrap();
        let answers = AnswerCounts::default();
        let rules = |min_length| Rules { min_length, ..Rules::from(super::super::Preset::Everyday) };
        let first = answers.of(&lexicon, &rules(1));
        for min_length in 2..=REMEMBERED as u8 {
            answers.of(&lexicon, &rules(min_length));
            assert!(Arc::ptr_eq(&first, &answers.of(&lexicon, &rules(1))));
        }
        let second = answers.of(&lexicon, &rules(2));
        for min_length in 17..17 + REMEMBERED as u8 {
            answers.of(&lexicon, &rules(min_length));
        }
        assert_eq!(answers.0.lock().unwrap().len(), REMEMBERED);
        assert!(!Arc::ptr_eq(&second, &answers.of(&lexicon, &rules(2))));
    }
}
