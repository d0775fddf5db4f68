//! The words that a hand of cards can make, found by walking the FST.

use std::ops::ControlFlow;

use super::Lexicon;
use super::key_set::SetTest;
use crate::{Letter, LetterSet, OwnWords, Policy};

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
        let keys = self.words.keys();
        let test = SetTest::new(hand.with(head), true, LetterSet::EMPTY);
        let flow = self.words.walk(&[head], hand, 0, &mut |range| {
            for key in keys.passing(range, test) {
                if keys.set(key).length() >= 2 && keys.classes(key).intersects(policy.classes) {
                    let letters = self.words.letters(key);
                    if !lists.bans_spelling(&letters) {
                        visit(&letters)?;
                    }
                }
            }
            ControlFlow::Continue(())
        });
        if flow.is_break() {
            return;
        }
        for spelling in lists.extra_spellings() {
            let letters = spelling.letters();
            let fits = spelling.len() >= 2
                && spelling.first() == Some(head)
                && spelling.is_distinct()
                && hand.with(head).is_superset(spelling.set());
            let known = || self.words.key(letters).is_some_and(|key| keys.classes(key).intersects(policy.classes));
            if fits && !known() && visit(letters).is_break() {
                return;
            }
        }
    }
}
