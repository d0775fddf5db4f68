//! Walking the FST with a hand of letters: whole branches that the hand cannot make are never
//! looked at.

use std::ops::{ControlFlow, Range};

use fst::raw::{Fst, Node, Output};

use super::alphabet::{byte_of, letter_of};
use super::file::Bytes;
use crate::{Letter, LetterSet};

/// A branch with no more keys than this is not walked into: to test the set of each of its keys
/// costs less than to read its nodes. Measured with hands of 5 to 40 letters, from 32 to 1,024.
const FEW: usize = 1024;

/// What lies below a node.
pub(super) struct Branch<'f> {
    node: Node<'f>,
    /// The number of its first key, since keys are numbered in their order and an FST keeps outputs
    /// as near to its root as can be.
    first: Output,
    /// The number after that of its last key.
    end: usize,
}

impl<'f> Branch<'f> {
    /// The keys that begin so, of an index with `len` keys.
    pub fn of(index: &'f Fst<Bytes>, start: impl Iterator<Item = Letter>, len: usize) -> Option<Self> {
        let mut branch = Self { node: index.root(), first: Output::zero(), end: len };
        for letter in start {
            let place = branch.node.find_input(byte_of(letter))?;
            let transition = branch.node.transition(place);
            if place + 1 < branch.node.len() {
                branch.end = number(branch.first.cat(branch.node.transition(place + 1).out));
            }
            branch.first = branch.first.cat(transition.out);
            branch.node = index.node(transition.addr);
        }
        Some(branch)
    }

    pub fn keys(&self) -> Range<usize> {
        number(self.first)..self.end
    }
}

fn number(output: Output) -> usize {
    output.value() as usize
}

/// A walk through an index.
pub(super) struct Walk<'f, 'v> {
    pub index: &'f Fst<Bytes>,
    /// Keys before this one are passed over.
    pub from: usize,
    /// Is given ranges of keys in gojūon order. They hold every key that the walk is for; other
    /// keys may lie among them.
    pub visit: &'v mut dyn FnMut(Range<usize>) -> ControlFlow<()>,
}

impl Walk<'_, '_> {
    /// Visits the keys of a branch that go on with different letters of the hand.
    pub fn below(&mut self, branch: &Branch<'_>, hand: LetterSet) -> ControlFlow<()> {
        let Branch { node, first, end } = branch;
        if node.is_final() {
            let key = number(first.cat(node.final_output()));
            self.visit(key..key + 1)?;
        }
        let mut transitions = node.transitions().peekable();
        while let Some(transition) = transitions.next() {
            let first = first.cat(transition.out);
            let end = transitions.peek().map_or(*end, |next| number(branch.first.cat(next.out)));
            let Some(letter) = letter_of(transition.inp).filter(|&letter| hand.contains(letter)) else {
                continue;
            };
            let keys = number(first)..end;
            if keys.len() <= FEW {
                self.visit(keys)?;
            } else if end > self.from {
                let node = self.index.node(transition.addr);
                self.below(&Branch { node, first, end }, hand.without(letter))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn visit(&mut self, keys: Range<usize>) -> ControlFlow<()> {
        if keys.end <= self.from {
            return ControlFlow::Continue(());
        }
        (self.visit)(keys.start.max(self.from)..keys.end)
    }
}
