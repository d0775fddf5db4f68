//! Walking the FST with a hand of letters: only what the hand can make is ever looked at.

use std::ops::{ControlFlow, Range};

use arrayvec::ArrayVec;
use fst::raw::{Fst, Node, Output};

use super::alphabet::{byte_of, letter_of};
use super::file::Bytes;
use super::{Keys, Words};
use crate::{Letter, LetterSet};

/// A branch with no more keys than this is looked through before it is walked into: comparing a
/// few sets costs less than reading a node.
const FEW: usize = 16;

/// A word of different letters.
type Word = ArrayVec<Letter, { Letter::COUNT }>;

/// Visits every key from the number `from` on that begins with `start` and goes on with different
/// letters of the hand, in gojūon order: its number and its letters. The letters of `start` must be
/// different and not in the hand.
pub(super) fn walk(
    words: &Words,
    start: &[Letter],
    hand: LetterSet,
    from: usize,
    visit: &mut dyn FnMut(usize, &[Letter]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let index = &words.forward;
    let Ok(word) = Word::try_from(start) else {
        return ControlFlow::Continue(());
    };
    let mut node = index.root();
    let mut sum = Output::zero();
    for &letter in start {
        let Some(place) = node.find_input(byte_of(letter)) else {
            return ControlFlow::Continue(());
        };
        let transition = node.transition(place);
        sum = sum.cat(transition.out);
        node = index.node(transition.addr);
    }
    let all = start.iter().fold(hand, |all, &letter| all.with(letter));
    let end = words.beginning(start).end;
    Walk { keys: words.keys(), index, all, from, word, visit }.below(&node, sum, end, hand)
}

struct Walk<'a> {
    keys: Keys<'a>,
    index: &'a Fst<Bytes>,
    /// Every letter that a word may have.
    all: LetterSet,
    /// Keys before this one are passed over.
    from: usize,
    word: Word,
    visit: &'a mut dyn FnMut(usize, &[Letter]) -> ControlFlow<()>,
}

impl Walk<'_> {
    /// Visits what lies below a node: keys from `sum` to before `end`, since keys are numbered in
    /// their order and an FST keeps outputs as near to its root as can be.
    fn below(&mut self, node: &Node<'_>, sum: Output, end: usize, hand: LetterSet) -> ControlFlow<()> {
        if node.is_final() {
            let key = number(sum.cat(node.final_output()));
            if key >= self.from {
                (self.visit)(key, &self.word)?;
            }
        }
        let mut transitions = node.transitions().peekable();
        while let Some(transition) = transitions.next() {
            let first = sum.cat(transition.out);
            let end = transitions.peek().map_or(end, |next| number(sum.cat(next.out)));
            let Some(letter) = letter_of(transition.inp).filter(|&letter| hand.contains(letter)) else {
                continue;
            };
            if end <= self.from || end - number(first) <= FEW && !self.fits_any(number(first)..end) {
                continue;
            }
            let next = self.index.node(transition.addr);
            self.word.push(letter);
            let flow = self.below(&next, first, end, hand.without(letter));
            self.word.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }

    /// Whether one of these keys has different letters that are all allowed.
    fn fits_any(&self, mut keys: Range<usize>) -> bool {
        keys.any(|key| {
            let set = self.keys.set(key);
            self.all.is_superset(set.letters()) && set.letters().len() == set.length()
        })
    }
}

fn number(output: Output) -> usize {
    output.value() as usize
}
