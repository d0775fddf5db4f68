//! In which ways the open words of a chain can be read at once: each follows the one before, and no
//! reading is said twice.
//!
//! Either alone is quickly found out; both together are a search. It begins at the words that need
//! a reading and goes from word to word, to neighbours and to words that share a reading, so that
//! it meets what stands in the way early; a bipartite matching of the words that are still to come
//! tells at once where one of them would be left without a reading.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet, VecDeque};

use super::Rules;
use super::link::{begins, starts_after};
use crate::fold::as_read_today;

/// How many readings may be looked at for one chain in all: some tens of milliseconds of work.
/// Chains that people say need a few for each open word.
pub(super) const MOST_LOOKS: usize = 500_000;

/// A reading of an open word.
struct Way<'a> {
    reading: &'a str,
    /// The same number for all that are read alike today.
    sound: usize,
    /// What may follow it.
    starts: OnceCell<Vec<String>>,
}

/// The open words of a chain with their readings.
pub(super) struct Ways<'a> {
    rules: &'a Rules,
    /// By the word's place in the chain.
    words: HashMap<usize, Vec<Way<'a>>>,
    /// By sound, the words that can be said so.
    sharing: Vec<Vec<usize>>,
}

/// What came of a search.
pub(super) enum Found {
    /// A chain: the words that were looked at, each with a reading of its own.
    Chain(Vec<(usize, String)>),
    /// There is none.
    Nothing,
    /// Too much was looked at to go on.
    BrokenOff,
}

impl<'a> Ways<'a> {
    /// Those of a chain's words that have several readings left. `looks` are those that may still be
    /// taken, here and below.
    pub fn new(rules: &'a Rules, words: &'a [Vec<String>], looks: &mut usize) -> Self {
        let mut sounds = HashMap::new();
        let mut sharing: Vec<Vec<usize>> = Vec::new();
        let open = words.iter().enumerate().filter(|(_, readings)| readings.len() > 1);
        let ways = open.map(|(place, readings)| {
            *looks = looks.saturating_sub(readings.len());
            let ways = readings.iter().map(|reading| {
                let sound = *sounds.entry(as_read_today(reading)).or_insert(sharing.len());
                if sound == sharing.len() {
                    sharing.push(Vec::new());
                }
                if sharing[sound].last() != Some(&place) {
                    sharing[sound].push(place);
                }
                Way { reading, sound, starts: OnceCell::new() }
            });
            (place, ways.collect())
        });
        let words = ways.collect();
        Self { rules, words, sharing }
    }

    /// Whether two words can be said alike: else it is enough that each follows the one before.
    pub fn overlap(&self) -> bool {
        self.sharing.iter().any(|words| words.len() > 1)
    }

    /// Looks for readings of these words and of all that depend on them; what the others `hold`
    /// stays. Where `only` names a reading of the first, it is read so.
    pub fn search(&self, wanting: &[usize], only: Option<&str>, holds: &[Option<String>], looks: &mut usize) -> Found {
        let order = self.connected(wanting);
        let place_of: HashMap<_, _> = order.iter().enumerate().map(|(at, &word)| (word, at)).collect();
        let mut search = Search {
            ways: order.iter().map(|word| self.words[word].iter().collect()).collect(),
            neighbours: order
                .iter()
                .map(|word| [word.checked_sub(1), Some(word + 1)].map(|word| place_of.get(&word?).copied()))
                .collect(),
            held: vec![None; order.len()],
            holders: vec![None; self.sharing.len()],
            rules: self.rules,
            looks,
        };
        *search.looks = search.looks.saturating_sub(search.ways.iter().map(Vec::len).sum());
        if let (Some(only), Some(first)) = (only, search.ways.first_mut()) {
            first.retain(|way| way.reading == only);
        }
        // As they are held so far, as far as that goes; the others are given what is left.
        for (at, word) in order.iter().enumerate() {
            let held = holds.get(*word).and_then(Option::as_deref);
            let way = search.ways[at].iter().position(|way| Some(way.reading) == held);
            if let Some(way) = way.filter(|&way| search.holders[search.ways[at][way].sound].is_none()) {
                search.set(at, way);
            }
        }
        for at in 0..order.len() {
            if *search.looks == 0 {
                return Found::BrokenOff;
            }
            if search.held[at].is_none() && !search.give(at, 0, &mut vec![false; self.sharing.len()]) {
                return Found::Nothing;
            }
        }
        match search.read(0) {
            None => Found::BrokenOff,
            Some(false) => Found::Nothing,
            Some(true) => {
                let held = order.iter().zip(&search.ways).zip(&search.held);
                let held = held.filter_map(|((&word, ways), held)| Some((word, ways[(*held)?].reading.to_owned())));
                Found::Chain(held.collect())
            }
        }
    }

    /// These words and those that depend on them, so that words that follow each other stand together.
    fn connected(&self, wanting: &[usize]) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        let mut is_new = vec![true; self.sharing.len()];
        let (mut beside, mut alike) = (VecDeque::new(), VecDeque::from(wanting.to_vec()));
        while let Some(word) = beside.pop_front().or_else(|| alike.pop_front()) {
            let Some(ways) = self.words.get(&word).filter(|_| seen.insert(word)) else { continue };
            order.push(word);
            beside.extend(word.checked_sub(1));
            beside.push_back(word + 1);
            let sounds = ways.iter().map(|way| way.sound).filter(|&sound| std::mem::take(&mut is_new[sound]));
            alike.extend(sounds.flat_map(|sound| &self.sharing[sound]));
        }
        order
    }
}

/// A search; words are numbered in the order in which they are read.
struct Search<'s, 'a> {
    rules: &'a Rules,
    ways: Vec<Vec<&'s Way<'a>>>,
    /// The words before and after in the chain, where they are searched too.
    neighbours: Vec<[Option<usize>; 2]>,
    /// The way of each word: a matching of all words, whatever is decided so far.
    held: Vec<Option<usize>>,
    /// By sound, the word that holds it.
    holders: Vec<Option<usize>>,
    looks: &'s mut usize,
}

impl Search<'_, '_> {
    /// Reads a word and all after it; None where it takes too many looks.
    fn read(&mut self, word: usize) -> Option<bool> {
        let Some(ways) = self.ways.get(word) else {
            return Some(true);
        };
        // What it holds so far most often does.
        let first = self.held[word];
        let others = (0..ways.len()).filter(|&way| Some(way) != first);
        for way in first.into_iter().chain(others) {
            *self.looks = self.looks.checked_sub(1)?;
            if self.fits(word, way) && self.take(word, way) && self.read(word + 1)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether a word read so goes with its neighbours, as far as they are decided.
    fn fits(&self, word: usize, way: usize) -> bool {
        let way = self.ways[word][way];
        let decided = |other: Option<usize>| {
            let other = other.filter(|&other| other < word)?;
            Some(self.ways[other][self.held[other]?])
        };
        let [before, after] = self.neighbours[word];
        decided(before).is_none_or(|before| self.leads(before, way))
            && decided(after).is_none_or(|after| self.leads(way, after))
    }

    fn leads(&self, before: &Way<'_>, after: &Way<'_>) -> bool {
        let starts = before.starts.get_or_init(|| starts_after(before.reading, self.rules));
        starts.iter().any(|start| begins(after.reading, start))
    }

    /// Reads a word so, if each word after it can still have a reading of its own.
    fn take(&mut self, word: usize, way: usize) -> bool {
        let sound = self.ways[word][way].sound;
        let (before, holder) = (self.held[word], self.holders[sound]);
        if holder == Some(word) {
            self.held[word] = Some(way);
            return true;
        }
        if holder.is_some_and(|holder| holder < word) {
            return false;
        }
        let displaced = holder.map(|holder| (holder, self.held[holder]));
        self.free(word);
        self.set(word, way);
        let Some((holder, its)) = displaced else {
            return true;
        };
        self.held[holder] = None;
        if self.give(holder, word + 1, &mut vec![false; self.holders.len()]) {
            return true;
        }
        self.free(word);
        for (word, way) in [(word, before), (holder, its)] {
            if let Some(way) = way {
                self.set(word, way);
            }
        }
        false
    }

    /// Gives a word one of its readings, if need be by giving the word that holds it another one: an
    /// augmenting path of a bipartite matching. Words before `movable` keep theirs.
    fn give(&mut self, word: usize, movable: usize, tried: &mut [bool]) -> bool {
        *self.looks = self.looks.saturating_sub(1);
        let free = self.ways[word].iter().position(|way| self.holders[way.sound].is_none());
        let way = free.or_else(|| {
            (0..self.ways[word].len()).find(|&way| {
                let sound = self.ways[word][way].sound;
                let is_new = !std::mem::replace(&mut tried[sound], true);
                let holder = self.holders[sound].filter(|&holder| holder >= movable);
                is_new && holder.is_some_and(|holder| self.give(holder, movable, tried))
            })
        });
        way.inspect(|&way| self.set(word, way)).is_some()
    }

    fn set(&mut self, word: usize, way: usize) {
        self.held[word] = Some(way);
        self.holders[self.ways[word][way].sound] = Some(word);
    }

    fn free(&mut self, word: usize) {
        if let Some(way) = self.held[word].take() {
            self.holders[self.ways[word][way].sound] = None;
        }
    }
}
