//! What the bot knows and can find out with the lexicon.

use std::ops::ControlFlow;

use dictionary::{Letter, LetterSet, Lexicon};

use super::super::ending::{EIGHT, reaches_target};
use super::super::options::Options;
use super::super::view::View;
use super::super::vocabulary::Vocabulary;
use crate::seat::Seat;

/// What matters about a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    /// How many letters it has.
    pub length: usize,
    /// Its last letter is ん.
    pub ends_with_n: bool,
}

impl Word {
    /// What matters about these letters.
    pub fn of(letters: &[Letter]) -> Self {
        Self { length: letters.len(), ends_with_n: letters.last() == Some(&Letter::N) }
    }

    /// How many cards it captures.
    pub fn captures(self) -> usize {
        self.length.saturating_sub(1)
    }
}

/// Whose words are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// The bot's.
    Own,
    /// Its opponent's.
    Theirs,
}

/// What a word that wins is worth, in captures.
pub(super) const WIN: f64 = 12.0;

/// The table as the bot's seat knows it.
pub(super) struct Mind<'a> {
    options: &'a Options,
    lexicon: &'a Lexicon,
    vocabulary: Vocabulary,
    /// The cards in the field.
    pub field: LetterSet,
    /// The bot's hand.
    pub hand: LetterSet,
    /// The opponent's hand: every card that is nowhere else, whether hands are closed or not.
    pub theirs: LetterSet,
    /// The head, if there is one.
    pub head: Option<Letter>,
    /// Captures of the bot and of its opponent.
    captured: [usize; 2],
}

impl<'a> Mind<'a> {
    /// What the view of a seat tells.
    pub fn new(view: &View, seat: Seat, options: &'a Options, lexicon: &'a Lexicon) -> Self {
        let (own, other) = if seat == Seat::FIRST { (0, 1) } else { (1, 0) };
        let hand = view.hands[own].unwrap_or_default();
        let head: LetterSet = view.head.into_iter().collect();
        let seen = [hand, head, view.captured[0], view.captured[1]].into_iter().fold(view.field, LetterSet::union);
        Self {
            options,
            lexicon,
            vocabulary: Vocabulary::new(options),
            field: view.field,
            hand,
            theirs: LetterSet::ALL.difference(seen),
            head: view.head,
            captured: [own, other].map(|seat| view.captured[seat].len()),
        }
    }

    /// Visits the words that begin with a head and go on in these letters.
    pub fn words(&self, head: Letter, letters: LetterSet, visit: &mut dyn FnMut(&[Letter]) -> ControlFlow<()>) {
        self.vocabulary.playable(head, letters, self.lexicon, visit);
    }

    /// Whether any word begins with the letter.
    pub fn begins_a_word(&self, letter: Letter) -> bool {
        self.finds(letter, LetterSet::ALL.without(letter), |_| true)
    }

    /// Whether these letters hold a word after the head that is as wanted.
    pub fn finds(&self, head: Letter, letters: LetterSet, wanted: impl Fn(Word) -> bool) -> bool {
        let mut found = false;
        self.words(head, letters, &mut |word| {
            found = wanted(Word::of(word));
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// How many captures the bot leads by after a word that captures so many.
    pub fn lead(&self, captures: usize) -> f64 {
        (self.captured[0] + captures) as f64 - self.captured[1] as f64
    }

    /// Whether the word wins for the bot.
    pub fn wins(&self, word: Word) -> bool {
        self.finishes(word, self.captured[0])
    }

    /// Whether the opponent can win at once from this head.
    pub fn is_threat(&self, head: Letter) -> bool {
        let longest = Word { length: 1 + self.theirs.without(head).len(), ends_with_n: false };
        let wins = |word| self.finishes(word, self.captured[1]);
        wins(longest) && self.finds(head, self.theirs, wins)
    }

    /// What the best word after the head is worth to a side that holds these letters.
    pub fn best_word(&self, side: Side, head: Letter, letters: LetterSet) -> f64 {
        let mut best = 0.0_f64;
        self.words(head, letters, &mut |word| {
            let word = Word::of(word);
            if self.finishes(word, self.captured[side as usize]) {
                best = WIN;
                return ControlFlow::Break(());
            }
            if !word.ends_with_n {
                best = best.max(word.captures() as f64);
            }
            ControlFlow::Continue(())
        });
        best
    }

    fn finishes(&self, word: Word, captured: usize) -> bool {
        word.length >= EIGHT || reaches_target(self.options, word.length, captured + word.captures())
    }
}
