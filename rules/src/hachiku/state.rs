//! The table of a match: where the 46 cards lie, and what is owed.

use std::ops::{Index, IndexMut};
use std::sync::Arc;

use dictionary::{Letter, LetterSet};

use super::options::Options;
use super::vocabulary::Vocabulary;
use super::word::{FinalChoice, Word};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet};

/// 先攻: moves first.
pub(super) const FIRST: Seat = Seat::FIRST;
/// 後攻: chooses the head.
pub(super) const SECOND: Seat = Seat::new(1).expect("a table can have a second seat");

/// The other seat.
pub(super) const fn opponent(seat: Seat) -> Seat {
    if seat.number() == FIRST.number() { SECOND } else { FIRST }
}

/// One thing for each of the two seats; indexed by seat.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Pair<T>(pub [T; 2]);

impl<T> Index<Seat> for Pair<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[usize::from(seat != FIRST)]
    }
}

impl<T> IndexMut<Seat> for Pair<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[usize::from(seat != FIRST)]
    }
}

/// A match of 八築.
///
/// Every card lies in exactly one place: the field, a hand, the captures or, as the head, between
/// them. Only the head of the final words may count among the captures of both.
#[derive(Clone, Debug)]
pub struct Hachiku {
    pub(super) options: Arc<Options>,
    /// The words that the options let in.
    pub(super) words: Arc<Vocabulary>,
    /// The cards anybody may gather.
    pub(super) field: LetterSet,
    /// The cards words are made of.
    pub(super) hands: Pair<LetterSet>,
    /// The cards that count.
    pub(super) captured: Pair<LetterSet>,
    /// Turns taken by both seats together.
    pub(super) turns: u16,
    /// The last word that stood, and who said it.
    pub(super) last_word: Option<(Seat, Arc<Word>)>,
    pub(super) phase: Phase,
}

/// What is owed now.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// The second seat takes the head from the field.
    ChooseHead,
    /// One seat takes its turn.
    Turns { head: Letter, to_move: Seat },
    /// The speaker's opponent judges a word that nobody knows.
    Judging { head: Letter, speaker: Seat, word: Arc<Word> },
    /// The field is empty: each seat gives its last word in secret.
    FinalWords { head: Letter, given: Pair<Option<FinalChoice>> },
    /// The result is known.
    Over { head: Letter, finals: Pair<Option<FinalChoice>>, outcome: Outcome },
}

impl Hachiku {
    /// All cards in the field (`hachiku.field`).
    pub(super) fn new(options: &Arc<Options>) -> Self {
        Self {
            options: Arc::clone(options),
            words: Arc::new(Vocabulary::new(options)),
            field: LetterSet::ALL,
            hands: Pair::default(),
            captured: Pair::default(),
            turns: 0,
            last_word: None,
            phase: Phase::ChooseHead,
        }
    }

    /// The head letter, once it is chosen.
    pub(super) fn head(&self) -> Option<Letter> {
        match self.phase {
            Phase::ChooseHead => None,
            Phase::Turns { head, .. }
            | Phase::Judging { head, .. }
            | Phase::FinalWords { head, .. }
            | Phase::Over { head, .. } => Some(head),
        }
    }

    /// The seats that owe a decision.
    pub(super) fn owing(&self) -> SeatSet {
        match &self.phase {
            Phase::ChooseHead => SeatSet::one(SECOND),
            Phase::Turns { to_move, .. } => SeatSet::one(*to_move),
            Phase::Judging { speaker, .. } => SeatSet::one(opponent(*speaker)),
            Phase::FinalWords { given, .. } => {
                [FIRST, SECOND].into_iter().filter(|&seat| given[seat].is_none()).collect()
            }
            Phase::Over { .. } => SeatSet::EMPTY,
        }
    }

    /// How many cards each seat has captured.
    pub(super) fn scores(&self) -> Pair<usize> {
        Pair(self.captured.0.map(LetterSet::len))
    }
}
