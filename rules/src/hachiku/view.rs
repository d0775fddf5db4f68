//! What a viewer may know of the table.

use dictionary::{Letter, LetterSet};
use serde::Serialize;
use utoipa::ToSchema;

use super::state::{FIRST, Hachiku, Pair, Phase, SECOND};
use super::word::{FinalChoice, Word};
use crate::seat::{Seat, Viewer};

/// The table as a viewer sees it. Lists are per seat.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = hachiku::View)]
pub struct View {
    /// What is owed now.
    pub phase: PhaseName,
    /// The cards anybody may gather, in gojūon order.
    pub field: LetterSet,
    /// The head letter, once it is chosen.
    pub head: Option<Letter>,
    /// The hands; null where a closed hand is another's.
    #[schema(value_type = Vec<Option<LetterSet>>, min_items = 2, max_items = 2)]
    pub hands: [Option<LetterSet>; 2],
    /// How many cards each hand has.
    #[schema(value_type = Vec<u8>, min_items = 2, max_items = 2)]
    pub hand_sizes: [u8; 2],
    /// The cards that count; the head of the final words counts for both seats.
    #[schema(value_type = Vec<LetterSet>, min_items = 2, max_items = 2)]
    pub captured: [LetterSet; 2],
    /// The captures that win.
    pub capture_target: u8,
    /// The least number of letters of a word that wins by the target, if there is one.
    pub finish_min_length: Option<u8>,
    /// Whose turn it is: also while its word is being judged; null outside the turns.
    pub to_move: Option<Seat>,
    /// Turns taken by both seats together.
    pub turns: u16,
    /// The turns after which the match is cut off.
    pub max_turns: u16,
    /// The last word that stood.
    pub last_word: Option<SaidWord>,
    /// The word that waits for the opponent's judgement.
    pub pending_word: Option<SaidWord>,
    /// The final words: the own one once given, both once revealed.
    #[schema(value_type = Vec<Option<FinalChoice>>, min_items = 2, max_items = 2)]
    pub final_words: [Option<FinalChoice>; 2],
}

/// What is owed now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = hachiku::Phase)]
pub enum PhaseName {
    /// Seat 1 takes the first head.
    ChooseHead,
    /// A seat takes its turn.
    Turns,
    /// A word is being judged.
    Judging,
    /// Final words are given in secret.
    FinalWord,
    /// The result is known.
    Over,
}

/// A word and who said it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = hachiku::SaidWord)]
pub struct SaidWord {
    /// Who said it.
    pub seat: Seat,
    /// The word.
    pub word: Word,
}

impl Hachiku {
    /// What the viewer may know.
    pub(super) fn view_for(&self, viewer: Viewer) -> View {
        let hand = |seat| (!self.options.closed_hands || viewer.sees(seat)).then_some(self.hands[seat]);
        let said = |(seat, word): (Seat, &Word)| SaidWord { seat, word: word.clone() };
        let mut pending_word = None;
        let mut final_words = [None, None];
        let (phase, to_move) = match &self.phase {
            Phase::ChooseHead => (PhaseName::ChooseHead, None),
            Phase::Turns { to_move, .. } => (PhaseName::Turns, Some(*to_move)),
            Phase::Judging { speaker, word, .. } => {
                pending_word = Some(said((*speaker, word)));
                (PhaseName::Judging, Some(*speaker))
            }
            Phase::FinalWords { given, .. } => {
                final_words = [FIRST, SECOND].map(|seat| given[seat].clone().filter(|_| viewer.sees(seat)));
                (PhaseName::FinalWord, None)
            }
            Phase::Over { finals: Pair(finals), .. } => {
                final_words.clone_from(finals);
                (PhaseName::Over, None)
            }
        };
        View {
            phase,
            field: self.field,
            head: self.head(),
            hands: [FIRST, SECOND].map(hand),
            hand_sizes: self.hands.0.map(|hand| hand.len() as u8),
            captured: self.captured.0,
            capture_target: self.options.target(),
            finish_min_length: self.options.finish_min_length,
            to_move,
            turns: self.turns,
            max_turns: self.options.max_turns,
            last_word: self.last_word.as_ref().map(|(seat, word)| said((*seat, word))),
            pending_word,
            final_words,
        }
    }
}
