//! The spellings that may hold a word of the page, found the cheapest way.

use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};

use super::{Cursor, Filter, Order};
use crate::lexicon::Keys;
use crate::own::Lists;
use crate::{LetterSet, Lexicon, Spelling};

/// A rack up to this size is walked: beyond it, the pass over all keys is quicker.
const WALKED_RACK: usize = 16;

/// A spelling in the order of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Candidate {
    pub measure: u32,
    pub key: usize,
}

/// The first `count` spellings from a place on that hold a word, in order.
pub(super) fn candidates(
    lexicon: &Lexicon,
    filter: &Filter,
    order: Order,
    lists: Lists<'_>,
    from: Cursor,
    count: usize,
) -> Vec<Candidate> {
    if from.measure == Cursor::OWN {
        return Vec::new();
    }
    let best = BinaryHeap::with_capacity(count + 1);
    let mut page = Page { lexicon, keys: lexicon.words().keys(), filter, order, lists, from, count, best };
    // Breaking off means only that the page is full.
    let _ = page.gather();
    page.best.into_sorted_vec()
}

struct Page<'a> {
    lexicon: &'a Lexicon,
    keys: Keys<'a>,
    filter: &'a Filter,
    order: Order,
    lists: Lists<'a>,
    from: Cursor,
    count: usize,
    /// The best so far, the worst of them on top.
    best: BinaryHeap<Candidate>,
}

impl Page<'_> {
    fn gather(&mut self) -> ControlFlow<()> {
        let words = self.lexicon.words();
        let starts = self.filter.start.as_ref().map_or(&[][..], |start| &start.spellings);
        let mut ranges: Vec<_> = starts.iter().map(|s| words.beginning(s.letters())).collect();
        if self.filter.start.is_none() {
            ranges.push(0..words.len());
        }
        if let Some(end) = &self.filter.end {
            for place in end.spellings.iter().flat_map(|end| words.ending(end.letters())) {
                let begins = |key: &usize| ranges.iter().any(|range| range.contains(key));
                if let Some(key) = words.backward_key(place).filter(begins) {
                    // The keys come in no order that could end the search early.
                    let _ = self.consider(key);
                }
            }
            return ControlFlow::Continue(());
        }
        match self.filter.rack {
            Some(rack) if rack.len() <= WALKED_RACK => self.walk(rack, starts),
            _ => self.scan(ranges),
        }
    }

    fn walk(&mut self, rack: LetterSet, starts: &[Spelling]) -> ControlFlow<()> {
        let none = [Spelling::default()];
        let starts = if self.filter.start.is_some() { starts } else { &none };
        let begin = self.begin();
        for start in starts {
            if start.is_distinct() && rack.is_superset(start.set()) {
                let hand = rack.difference(start.set());
                let words = self.lexicon.words();
                words.walk(start.letters(), hand, begin, &mut |key, _| self.consider(key))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn scan(&mut self, ranges: Vec<Range<usize>>) -> ControlFlow<()> {
        let begin = self.begin();
        for range in ranges {
            for key in range.start.max(begin)..range.end {
                self.consider(key)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The first key that can be on the page.
    fn begin(&self) -> usize {
        if self.order == Order::Gojuon { self.from.key } else { 0 }
    }

    /// Keeps the key if it belongs on the page; breaks off when no later key can.
    fn consider(&mut self, key: usize) -> ControlFlow<()> {
        let keys = self.keys;
        if !self.filter.passes(keys, key) {
            return ControlFlow::Continue(());
        }
        let measure = match self.order {
            Order::Gojuon => 0,
            Order::Length => keys.set(key).length() as u32,
            Order::Common => keys.rank(key).into(),
        };
        let candidate = Candidate { measure, key };
        let before = Candidate { measure: self.from.measure, key: self.from.key };
        let full = self.best.len() == self.count;
        if candidate < before || full && self.best.peek().is_some_and(|worst| candidate > *worst) {
            return ControlFlow::Continue(());
        }
        if self.filter.must_read(keys, key, self.lists)
            && self.filter.entries(self.lexicon, key, self.lists).next().is_none()
        {
            return ControlFlow::Continue(());
        }
        self.best.push(candidate);
        if self.best.len() > self.count {
            self.best.pop();
        }
        // In gojūon order the keys come in the order of the answer, from one range after the other.
        let ascending = self.order == Order::Gojuon && self.filter.end.is_none();
        if ascending && self.best.len() == self.count {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
