//! The words that a hand of cards can make, found by walking the FST.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;
use fst::raw::{Node, Output};

use super::Lexicon;
use super::alphabet::{byte_of, letter_of};
use crate::own::Lists;
use crate::{Letter, LetterSet, OwnWords, Policy};

/// A word under the hand's letters: no letter twice.
type Word = ArrayVec<Letter, { Letter::COUNT }>;

struct Walk<'a, F> {
    lexicon: &'a Lexicon,
    policy: &'a Policy,
    lists: Lists<'a>,
    word: Word,
    visit: F,
}

impl<F: FnMut(&[Letter]) -> ControlFlow<()>> Walk<'_, F> {
    fn from(&mut self, node: &Node<'_>, sum: Output, hand: LetterSet) -> ControlFlow<()> {
        if node.is_final() && self.word.len() >= 2 {
            let key = sum.cat(node.final_output()).value() as usize;
            if self
                .lexicon
                .is_allowed(key, &self.word, self.policy, self.lists)
            {
                (self.visit)(&self.word)?;
            }
        }
        for transition in node.transitions() {
            let Some(letter) = letter_of(transition.inp).filter(|&letter| hand.contains(letter))
            else {
                continue;
            };
            let next = self.lexicon.words.forward.node(transition.addr);
            self.word.push(letter);
            let flow = self.from(&next, sum.cat(transition.out), hand.without(letter));
            self.word.pop();
            flow?;
        }
        ControlFlow::Continue(())
    }
}

impl Lexicon {
    /// Visits every word that begins with `head` and whose other letters are different cards of
    /// the hand: at least two letters, none twice. Words come in gojūon order, those that only
    /// `own` knows after them. The visitor may break off.
    ///
    /// ```
    /// # use dictionary::{Class, Lexicon, OwnWords, Policy, Row};
    /// # use std::ops::ControlFlow;
    /// let lexicon = Lexicon::build([
    ///     Row::new("かえる", Class::Common, &["蛙"]),
    ///     Row::new("かき", Class::Common, &["柿"]),
    /// ]).unwrap();
    /// let mut words = Vec::new();
    /// lexicon.playable(
    ///     'か'.try_into().unwrap(),
    ///     "える".parse().unwrap(),
    ///     &Policy::default(),
    ///     &OwnWords::default(),
    ///     &mut |letters| {
    ///         words.push(dictionary::Spelling::from(letters).to_string());
    ///         ControlFlow::Continue(())
    ///     },
    /// );
    /// assert_eq!(words, ["かえる"]);
    /// ```
    pub fn playable(
        &self,
        head: Letter,
        hand: LetterSet,
        policy: &Policy,
        own: &OwnWords,
        visit: &mut dyn FnMut(&[Letter]) -> ControlFlow<()>,
    ) {
        let lists = self.lists(own);
        let hand = hand.without(head);
        let root = self.words.forward.root();
        let mut word = Word::new();
        word.push(head);
        let mut walk = Walk {
            lexicon: self,
            policy,
            lists,
            word,
            visit: &mut *visit,
        };
        if let Some(place) = root.find_input(byte_of(head)) {
            let transition = root.transition(place);
            let next = self.words.forward.node(transition.addr);
            if walk.from(&next, transition.out, hand).is_break() {
                return;
            }
        }
        for spelling in lists.extra_spellings() {
            let letters = spelling.letters();
            let fits = spelling.len() >= 2
                && spelling.first() == Some(head)
                && spelling.is_distinct()
                && hand.with(head).is_superset(spelling.set());
            let known = || {
                let key = self.words.key(letters);
                key.is_some_and(|key| self.is_allowed(key, letters, policy, lists))
            };
            if fits && !known() && visit(letters).is_break() {
                return;
            }
        }
    }
}
