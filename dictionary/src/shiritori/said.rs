//! What the words of a chain were said as: a written form may stand for several readings until
//! the words around it decide.

use std::collections::HashSet;

use super::Rules;
use super::link::follows;
use super::rules::Repeats;
use super::ways::{Found, MOST_LOOKS, Ways};
use crate::fold::as_read_today;

/// The words of a chain as readings, each with all that are still possible.
pub(super) struct Said<'r> {
    rules: &'r Rules,
    /// For each word the readings that are left, sorted; never none.
    words: Vec<Vec<String>>,
    /// Where no reading may come twice, those of the words that have only one left, as read today.
    decided: HashSet<String>,
    /// Where no reading may come twice, a reading for each open word with which all can be read at
    /// once.
    held: Vec<Option<String>>,
    /// How many readings may still be looked at in searching for such.
    looks: usize,
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
        Self { rules, words: Vec::new(), decided: HashSet::new(), held: Vec::new(), looks: MOST_LOOKS }
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
        let ways = if self.settle(&mut changes) { self.ways() } else { None };
        let Some(ways) = ways else {
            self.undo(changes);
            return Err(Repeated);
        };
        self.held.push(None);
        for (place, reading) in ways {
            self.held[place] = Some(reading);
        }
        Ok(())
    }

    /// Whether all that was said is certain: the search for a way to read the words was never
    /// broken off.
    pub fn is_certain(&self) -> bool {
        self.looks > 0
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
        let allowed = self.settle(&mut changes) && self.ways().is_some();
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
        let Self { rules, words, decided, .. } = self;
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
            // A neighbour that is decided may have been so by the same word.
            let concerned = |other: usize, readings: &[String]| readings.len() > 1 || other.abs_diff(word) == 1;
            for (other, open) in words.iter_mut().enumerate().filter(|(other, word)| concerned(*other, word)) {
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

    /// The readings that some words have to hold instead of theirs, so that all can be read at once;
    /// None where they cannot.
    fn ways(&mut self) -> Option<Vec<(usize, String)>> {
        if !self.forbids() {
            return Some(Vec::new());
        }
        let is_held = |(place, readings): &(usize, &Vec<String>)| {
            self.held.get(*place).is_some_and(|held| held.as_ref().is_some_and(|held| readings.contains(held)))
        };
        let open = self.words.iter().enumerate().filter(|(_, readings)| readings.len() > 1);
        if self.decided.len() + open.clone().count() < self.words.len() {
            // Two words were decided for the same reading at once.
            return None;
        }
        let wanting: Vec<_> = open.filter(|word| !is_held(word)).map(|(place, _)| place).collect();
        let free = self.free(&wanting);
        if wanting.is_empty() || free.is_some() || !self.is_certain() {
            return Some(free.into_iter().collect());
        }
        let ways = Ways::new(self.rules, &self.words, &mut self.looks);
        match ways.search(&wanting, None, &self.held, &mut self.looks) {
            Found::Chain(held) => Some(held),
            Found::BrokenOff => Some(Vec::new()),
            Found::Nothing => None,
        }
    }

    /// A reading of the last word that nobody holds and that follows what the word before does, where
    /// the last word is the only one that wants one.
    fn free(&self, wanting: &[usize]) -> Option<(usize, String)> {
        let last = self.words.len() - 1;
        let before = last.checked_sub(1).filter(|&place| self.words[place].len() > 1);
        let before = before.and_then(|place| self.held[place].as_deref());
        let held: HashSet<_> = self.held.iter().flatten().map(|reading| as_read_today(reading)).collect();
        let is_free = |reading: &&String| {
            !held.contains(&as_read_today(reading)) && before.is_none_or(|before| follows(reading, before, self.rules))
        };
        let reading = self.words[last].iter().find(is_free).filter(|_| wanting == [last])?;
        Some((last, reading.clone()))
    }

    /// Takes from open words the readings with which the chain cannot be read.
    pub fn prune(&mut self) {
        let Self { rules, words, decided, held, looks } = self;
        if rules.repeats != Repeats::Forbidden {
            return;
        }
        let ways = Ways::new(rules, words, looks);
        if !ways.overlap() {
            return;
        }
        // Every way that is found tells of one reading of each word in it.
        let held_now = held.iter().enumerate().filter_map(|(place, held)| Some((place, held.clone()?)));
        let mut possible: HashSet<(usize, String)> = held_now.collect();
        let mut can_be = |place: usize, reading: &String| {
            possible.contains(&(place, reading.clone()))
                || match ways.search(&[place], Some(reading), held, looks) {
                    Found::Chain(way) => {
                        possible.extend(way);
                        true
                    }
                    Found::BrokenOff => true,
                    Found::Nothing => false,
                }
        };
        let left: Vec<Vec<_>> = words
            .iter()
            .enumerate()
            .map(|(place, word)| {
                let is_left = |reading: &&String| word.len() == 1 || can_be(place, reading);
                word.iter().filter(is_left).cloned().collect()
            })
            .collect();
        *words = left;
        let only = words.iter().filter(|word| word.len() == 1).flatten();
        decided.extend(only.map(|reading| as_read_today(reading).into_owned()));
    }
}
