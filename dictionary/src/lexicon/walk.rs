//! Walking the FST with a hand of letters: only what the hand can make is ever looked at.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use fst::raw::{Fst, Node, Output};

use super::alphabet::{byte_of, letter_of};
use super::file::Bytes;
use crate::{Letter, LetterSet};

/// A word of different letters.
type Word = ArrayVec<Letter, { Letter::COUNT }>;

/// Visits every key that begins with `start` and goes on with different letters of the hand, in
/// gojūon order: its number and its letters. The letters of `start` must be different and not in
/// the hand.
pub(super) fn walk(
    index: &Fst<Bytes>,
    start: &[Letter],
    hand: LetterSet,
    visit: &mut dyn FnMut(usize, &[Letter]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut word = Word::new();
    let mut node = index.root();
    let mut sum = Output::zero();
    for &letter in start {
        let Some(place) = node.find_input(byte_of(letter)) else {
            return ControlFlow::Continue(());
        };
        let transition = node.transition(place);
        sum = sum.cat(transition.out);
        node = index.node(transition.addr);
        if word.try_push(letter).is_err() {
            return ControlFlow::Continue(());
        }
    }
    Walk { index, word, visit }.from(&node, sum, hand)
}

struct Walk<'a> {
    index: &'a Fst<Bytes>,
    word: Word,
    visit: &'a mut dyn FnMut(usize, &[Letter]) -> ControlFlow<()>,
}

impl Walk<'_> {
    fn from(&mut self, node: &Node<'_>, sum: Output, hand: LetterSet) -> ControlFlow<()> {
        if node.is_final() {
            let key = sum.cat(node.final_output()).value() as usize;
            (self.visit)(key, &self.word)?;
        }
        for transition in node.transitions() {
            let Some(letter) = letter_of(transition.inp).filter(|&letter| hand.contains(letter)) else {
                continue;
            };
            let next = self.index.node(transition.addr);
            self.word.push(letter);
            let flow = self.from(&next, sum.cat(transition.out), hand.without(letter));
            self.word.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }
}
