//! What the words of a chain were said as: a written form may stand for several readings until
//! the words around it decide.

use std::collections::{HashMap, HashSet};

use super::Rules;
use super::link::follows;
use super::rules::Repeats;
use crate::fold::as_read_today;

/// The words of a chain as readings, each with all that are still possible.
pub(super) struct Said<'r> {
    rules: &'r Rules,
    /// For each word the readings that are left, sorted; never none.
    words: Vec<Vec<String>>,
    /// Where no reading may come twice, those of the words that have only one left, as read today.
    decided: HashSet<String>,
}

/// The chain would say a reading twice.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repeated;

/// What one word more has changed.
#[derive(Default)]
struct Changes {
    /// Readings that were taken from earlier words.
    taken: Vec<(usize, String)>,
    decided: Vec<String>,
}

impl<'r> Said<'r> {
    pub fn new(rules: &'r Rules) -> Self {
        Self { rules, words: Vec::new(), decided: HashSet::new() }
    }

    /// The readings that are left of each word.
    pub fn words(&self) -> &[Vec<String>] {
        &self.words
    }

    /// Adds a word with its readings, each of which follows the last word, and takes away what it
    /// decides. A chain that would repeat a reading stays as it was.
    pub fn add(&mut self, readings: Vec<String>) -> Result<(), Repeated> {
        let mut changes = Changes::default();
        self.words.push(readings);
        if self.settle(&mut changes) && self.can_all_differ() {
            return Ok(());
        }
        self.undo(changes);
        Err(Repeated)
    }

    /// The readings, as read today, that may not come again.
    pub fn used(&mut self) -> HashSet<String> {
        let mut used = self.decided.clone();
        if self.forbids() {
            let open: HashSet<String> = self.words.iter().filter(|word| word.len() > 1).flatten().cloned().collect();
            used.extend(open.into_iter().filter(|reading| !self.allows(reading)));
        }
        used
    }

    /// Whether a reading may be said now, if it follows.
    fn allows(&mut self, reading: &str) -> bool {
        let mut changes = Changes::default();
        self.words.push(vec![reading.to_owned()]);
        let allowed = self.settle(&mut changes) && self.can_all_differ();
        self.undo(changes);
        allowed
    }

    /// Takes the last word back, and what it changed.
    fn undo(&mut self, changes: Changes) {
        self.words.pop();
        for (word, reading) in changes.taken {
            // Some may have been the last word's own.
            if let Some(readings) = self.words.get_mut(word) {
                readings.push(reading);
                readings.sort_unstable();
            }
        }
        for reading in changes.decided {
            self.decided.remove(&reading);
        }
    }

    fn forbids(&self) -> bool {
        self.rules.repeats == Repeats::Forbidden
    }

    /// Beginning with the last word, takes from open words the readings that their neighbours rule
    /// out and those that another word is decided for. False where a word is left without any.
    fn settle(&mut self, changes: &mut Changes) -> bool {
        let forbids = self.forbids();
        let Self { rules, words, decided } = self;
        let last = words.len() - 1;
        words[last].retain(|reading| !decided.contains(&*as_read_today(reading)));
        let mut changed = vec![last];
        while let Some(word) = changed.pop() {
            let readings = words[word].clone();
            let only = match &readings[..] {
                [] => return false,
                [only] if forbids => Some(as_read_today(only)),
                _ => None,
            };
            for (other, open) in words.iter_mut().enumerate().filter(|(_, readings)| readings.len() > 1) {
                let differ = |a: &str, b: &str| !forbids || as_read_today(a) != as_read_today(b);
                let leads = |before: &str, after: &str| differ(before, after) && follows(after, before, rules);
                let stays = |reading: &str| {
                    (other + 1 != word || readings.iter().any(|after| leads(reading, after)))
                        && (other != word + 1 || readings.iter().any(|before| leads(before, reading)))
                        && only.as_ref().is_none_or(|only| *only != as_read_today(reading))
                };
                let before = changes.taken.len();
                changes.taken.extend(open.extract_if(.., |reading| !stays(reading)).map(|reading| (other, reading)));
                if changes.taken.len() > before {
                    changed.push(other);
                }
            }
            if let Some(only) = only.filter(|only| !decided.contains(&**only)) {
                decided.insert(only.clone().into_owned());
                changes.decided.push(only.into_owned());
            }
        }
        true
    }

    /// Whether each word can have a reading of its own, where no reading may come twice.
    fn can_all_differ(&self) -> bool {
        if !self.forbids() {
            return true;
        }
        let open: Vec<&[String]> = self.words.iter().filter(|word| word.len() > 1).map(Vec::as_slice).collect();
        let mut holders = HashMap::new();
        self.decided.len() + open.len() == self.words.len()
            && (0..open.len()).all(|word| give(word, &open, &mut holders, &mut HashSet::new()))
    }
}

/// Gives a word one of its readings, if need be by giving the word that holds it another one: an
/// augmenting path of a bipartite matching.
fn give<'a>(
    word: usize,
    open: &[&'a [String]],
    holders: &mut HashMap<&'a str, usize>,
    tried: &mut HashSet<&'a str>,
) -> bool {
    open[word].iter().any(|reading| {
        let free = tried.insert(reading)
            && holders.get(&**reading).copied().is_none_or(|holder| give(holder, open, holders, tried));
        if free {
            holders.insert(reading, word);
        }
        free
    })
}
