//! The spellings that may hold a word of the page, found the cheapest way.

use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};

use super::{Cursor, Filter, Order};
use crate::lexicon::Keys;
use crate::own::Lists;
use crate::{LetterSet, Lexicon, Spelling};

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
        let none = [Spelling::default()];
        let starts = self.filter.start.as_ref().map_or(&none[..], |start| &start.spellings);
        match (&self.filter.end, self.filter.rack) {
            (Some(end), _) => self.look_back(&end.spellings, starts),
            (None, Some(rack)) => self.walk(rack, starts),
            (None, None) => {
                let words = self.lexicon.words();
                starts.iter().try_for_each(|start| self.scan(words.beginning(start.letters())))
            }
        }
    }

    /// Looks at the words that end in one way and begin in another.
    fn look_back(&mut self, ends: &[Spelling], starts: &[Spelling]) -> ControlFlow<()> {
        let words = self.lexicon.words();
        let beginnings: Vec<_> = starts.iter().map(|start| words.beginning(start.letters())).collect();
        for place in ends.iter().flat_map(|end| words.ending(end.letters())) {
            let fits = |key: &usize| {
                beginnings.iter().any(|range| range.contains(key)) && self.filter.letters.passes(self.keys.set(*key))
            };
            if let Some(key) = words.backward_key(place).filter(fits) {
                // The keys come in no order that could end the search early.
                let _ = self.consider(key);
            }
        }
        ControlFlow::Continue(())
    }

    fn walk(&mut self, rack: LetterSet, starts: &[Spelling]) -> ControlFlow<()> {
        let begin = self.begin();
        for start in starts {
            if start.is_distinct() && rack.is_superset(start.set()) {
                let hand = rack.difference(start.set());
                self.lexicon.words().walk(start.letters(), hand, begin, &mut |keys| self.scan(keys))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn scan(&mut self, keys: Range<usize>) -> ControlFlow<()> {
        let range = keys.start.max(self.begin())..keys.end;
        self.keys.passing(range, self.filter.letters).try_for_each(|key| self.consider(key))
    }

    /// The first key that can be on the page.
    fn begin(&self) -> usize {
        if self.order == Order::Gojuon { self.from.key } else { 0 }
    }

    /// Keeps a key whose letters pass if it belongs on the page; breaks off when no later key can.
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
