//! What happens in a match, and what it does to the table.

use std::sync::Arc;

use dictionary::{Letter, LetterSet};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ending;
use super::state::{FIRST, Hachiku, Pair, Phase, SECOND, opponent};
use super::word::{FinalChoice, Word};
use crate::outcome::Outcome;
use crate::seat::{Seat, Viewer};

/// Something that happened.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = hachiku::Event)]
pub enum Event {
    /// The head was taken from the field.
    HeadChosen {
        /// Who chose it.
        seat: Seat,
        /// The head.
        letter: Letter,
    },
    /// 集: a card went from the field to a hand.
    Gathered {
        /// Whose hand.
        seat: Seat,
        /// The card. Everybody saw it leave the field, whether hands are closed or not.
        letter: Letter,
    },
    /// 発: a word stood.
    Said {
        /// Who said it.
        seat: Seat,
        /// The word.
        word: Word,
        /// The cards it captured: all but its last.
        captured: LetterSet,
        /// The new head: its last card.
        head: Letter,
    },
    /// A word that nobody knows went to the opponent.
    Put {
        /// Who said it.
        seat: Seat,
        /// The word.
        word: Word,
    },
    /// The opponent judged the word: it stands, or the speaker's turn goes on.
    Judged {
        /// Who judged.
        seat: Seat,
        /// Whether the word counts.
        accept: bool,
    },
    /// 臨: two cards went back and the head was exchanged.
    Swapped {
        /// Who did it.
        seat: Seat,
        /// The cards that went from the hand to the field.
        #[schema(value_type = Vec<Letter>, min_items = 2, max_items = 2)]
        returned: [Letter; 2],
        /// The head that went to the field.
        old_head: Letter,
        /// The card of the field that is the head now.
        head: Letter,
    },
    /// A final word or a pass was given; which shows when both have.
    FinalGiven {
        /// Who gave it.
        seat: Seat,
        /// What it is; left out for others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<FinalChoice>,
    },
    /// Both final words are open.
    FinalsRevealed {
        /// What each seat gave.
        #[schema(value_type = Vec<FinalChoice>, min_items = 2, max_items = 2)]
        choices: [FinalChoice; 2],
        /// What each captures by it; the head counts for both.
        #[schema(value_type = Vec<LetterSet>, min_items = 2, max_items = 2)]
        captured: [LetterSet; 2],
    },
}

/// The event as the viewer may see it: only final words are secret.
pub(super) fn redact(event: &Event, viewer: Viewer) -> Event {
    match event {
        Event::FinalGiven { seat, .. } if !viewer.sees(*seat) => Event::FinalGiven { seat: *seat, choice: None },
        event => event.clone(),
    }
}

impl Hachiku {
    /// Whether the event could happen at the table as it stands: its seat is there, and so are the
    /// cards that it moves.
    pub(super) fn event_fits(&self, event: &Event) -> bool {
        let is_here = |seat: &Seat| [FIRST, SECOND].contains(seat);
        match event {
            Event::HeadChosen { seat, letter } | Event::Gathered { seat, letter } => {
                is_here(seat) && self.field.contains(*letter)
            }
            Event::Said { seat, word, .. } => {
                let laid = self.head().map(|head| word.letters.set().without(head));
                is_here(seat) && laid.is_some_and(|laid| self.hands[*seat].is_superset(laid))
            }
            Event::Swapped { seat, returned, .. } => {
                is_here(seat) && self.hands[*seat].is_superset(returned.iter().copied().collect())
            }
            Event::FinalGiven { seat, choice } => is_here(seat) && choice.is_some(),
            Event::Put { seat, .. } | Event::Judged { seat, .. } => is_here(seat),
            Event::FinalsRevealed { .. } => true,
        }
    }

    /// What the event does. The lexicon is never asked here: a word that stood stands for ever.
    pub(super) fn fold_event(&mut self, event: &Event) {
        match event {
            Event::HeadChosen { letter, .. } => {
                self.field.remove(*letter);
                self.phase = Phase::Turns { head: *letter, to_move: FIRST };
            }
            Event::Gathered { seat, letter } => {
                self.field.remove(*letter);
                self.hands[*seat].insert(*letter);
                if let Some(head) = self.head() {
                    self.end_turn(*seat, head, None);
                }
            }
            Event::Said { seat, word, captured, head } => {
                self.hands[*seat] = self.hands[*seat].difference(word.letters.set());
                self.captured[*seat] = self.captured[*seat].union(*captured);
                self.last_word = Some((*seat, Arc::new(word.clone())));
                let score = self.captured[*seat].len();
                self.end_turn(*seat, *head, ending::after_word(&self.options, *seat, &word.letters, score));
            }
            Event::Put { seat, word } => {
                if let Some(head) = self.head() {
                    self.phase = Phase::Judging { head, speaker: *seat, word: Arc::new(word.clone()) };
                }
            }
            Event::Judged { accept, .. } => {
                // An accepted word is said in the next event.
                if let Phase::Judging { head, speaker, .. } = self.phase
                    && !accept
                {
                    self.phase = Phase::Turns { head, to_move: speaker };
                }
            }
            Event::Swapped { seat, returned, old_head, head } => {
                let returned: LetterSet = returned.iter().copied().collect();
                self.hands[*seat] = self.hands[*seat].difference(returned);
                self.field = self.field.union(returned).with(*old_head).without(*head);
                self.end_turn(*seat, *head, None);
            }
            Event::FinalGiven { seat, choice } => {
                if let Phase::FinalWords { given, .. } = &mut self.phase {
                    given[*seat].clone_from(choice);
                }
            }
            Event::FinalsRevealed { choices, captured } => self.fold_finals(choices, captured),
        }
    }

    /// Counts the turn and sees whether the match goes on, and how.
    fn end_turn(&mut self, seat: Seat, head: Letter, outcome: Option<Outcome>) {
        self.turns = self.turns.saturating_add(1);
        let outcome = match outcome {
            // The empty field ends the turns whatever the cap says: the final words are no turn.
            None if self.field.is_empty() => {
                self.phase = Phase::FinalWords { head, given: Pair::default() };
                return;
            }
            None => ending::after_turn(&self.options, self.turns, &self.scores()),
            known => known,
        };
        self.phase = match outcome {
            Some(outcome) => Phase::Over { head, finals: Pair::default(), outcome },
            None => Phase::Turns { head, to_move: opponent(seat) },
        };
    }

    fn fold_finals(&mut self, choices: &[FinalChoice; 2], captured: &[LetterSet; 2]) {
        let Some(head) = self.head() else { return };
        for ((hand, pile), taken) in self.hands.0.iter_mut().zip(&mut self.captured.0).zip(captured) {
            *hand = hand.difference(*taken);
            *pile = pile.union(*taken);
        }
        let words = Pair(choices.each_ref().map(FinalChoice::spelling));
        let outcome = ending::after_finals(&self.options, &words, &self.scores());
        self.phase = Phase::Over { head, finals: Pair(choices.clone().map(Some)), outcome };
    }
}
