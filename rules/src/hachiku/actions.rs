//! What a seat may do, and the carrying out of it.

use dictionary::{Letter, LetterSet, Lexicon};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::events::Event;
use super::options::UnknownWords;
use super::refusal;
use super::state::{Hachiku, Pair, Phase};
use super::verdict::Verdict;
use super::word::{FinalChoice, Spoken, Word};
use crate::game::Game;
use crate::seat::Seat;
use crate::text::Refusal;

/// What a seat may do.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = hachiku::Action)]
pub enum Action {
    /// The second seat takes the first head from the field.
    ChooseHead {
        /// The head.
        letter: Letter,
    },
    /// 集: takes a card from the field.
    Gather {
        /// The card.
        letter: Letter,
    },
    /// 発: says a word that begins with the head and goes on in cards of the hand.
    Say(Spoken),
    /// 臨: puts two cards of the hand back and exchanges the head for a card of the field.
    Swap {
        /// The two cards, in any order.
        #[serde(rename = "return")]
        #[schema(value_type = Vec<Letter>, min_items = 2, max_items = 2)]
        returned: [Letter; 2],
        /// The new head; one of the two cards just put back is allowed.
        head: Letter,
    },
    /// Gives the final word in secret.
    FinalWord(Spoken),
    /// Gives no final word, in secret as well.
    FinalPass {},
    /// Accepts or refuses the word that the opponent put.
    Judge {
        /// Whether the word counts.
        accept: bool,
    },
}

impl Hachiku {
    /// Carries out an action of a seat that owes one.
    pub(super) fn carry_out(
        &mut self,
        seat: Seat,
        action: &Action,
        lexicon: &Lexicon,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        match (&self.phase, action) {
            (Phase::ChooseHead, Action::ChooseHead { letter }) => {
                self.emit(Event::HeadChosen { seat, letter: *letter }, log);
            }
            (Phase::Turns { .. }, Action::Gather { letter }) => {
                if !self.field.contains(*letter) {
                    return Err(refusal::not_in_field(*letter, self.field));
                }
                self.emit(Event::Gathered { seat, letter: *letter }, log);
            }
            (Phase::Turns { head, .. }, Action::Say(spoken)) => {
                match self.judge(seat, *head, spoken, self.options.unknown_words, lexicon)? {
                    Verdict::Stands(word) => self.say(seat, word, log),
                    Verdict::Asked(word) => self.emit(Event::Put { seat, word }, log),
                }
            }
            (Phase::Turns { head, .. }, Action::Swap { returned, head: new }) => {
                let old_head = *head;
                self.may_swap(seat, old_head, *returned, *new)?;
                self.emit(Event::Swapped { seat, returned: *returned, old_head, head: *new }, log);
            }
            (Phase::Judging { speaker, word, .. }, Action::Judge { accept }) => {
                let (speaker, word) = (*speaker, Word::clone(word));
                self.emit(Event::Judged { seat, accept: *accept }, log);
                if *accept {
                    self.say(speaker, word, log);
                }
            }
            (Phase::FinalWords { head, .. }, Action::FinalWord(spoken)) => {
                // Nobody can be asked about a secret, whatever the options say.
                let word = self.judge(seat, *head, spoken, UnknownWords::Reject, lexicon)?.into_word();
                self.give_final(seat, FinalChoice::Word(word), log);
            }
            (Phase::FinalWords { .. }, Action::FinalPass {}) => self.give_final(seat, FinalChoice::Pass, log),
            (phase, action) => return Err(refusal::wrong_phase(phase, action)),
        }
        Ok(())
    }

    /// `hachiku.capture`: all cards but the last are captured, the last is the new head.
    fn say(&mut self, seat: Seat, word: Word, log: &mut Vec<Event>) {
        if let Some((&head, captured)) = word.letters.letters().split_last() {
            let captured = captured.iter().copied().collect();
            self.emit(Event::Said { seat, word, captured, head }, log);
        }
    }

    /// `hachiku.swap`: two cards of the own hand, and a head that will then lie in the field.
    fn may_swap(&self, seat: Seat, head: Letter, returned: [Letter; 2], new: Letter) -> Result<(), Refusal> {
        let hand = self.hands[seat];
        let cards: LetterSet = returned.into_iter().collect();
        if cards.len() < returned.len() {
            return Err(refusal::same_card_twice(returned[0], hand));
        }
        if !hand.is_superset(cards) {
            return Err(refusal::not_in_hand(cards.difference(hand), hand));
        }
        let field = self.field.union(cards);
        if !field.contains(new) {
            return Err(refusal::no_such_head(new, head, field));
        }
        Ok(())
    }

    /// Takes a final word down; the second one opens both.
    fn give_final(&mut self, seat: Seat, choice: FinalChoice, log: &mut Vec<Event>) {
        self.emit(Event::FinalGiven { seat, choice: Some(choice) }, log);
        if let Phase::FinalWords { given: Pair([Some(first), Some(second)]), .. } = &self.phase {
            let choices = [first.clone(), second.clone()];
            let captured = choices.each_ref().map(|choice| {
                let letters = choice.spelling().map_or(&[][..], |word| word.letters());
                letters.split_last().map_or(LetterSet::EMPTY, |(_, captured)| captured.iter().copied().collect())
            });
            self.emit(Event::FinalsRevealed { choices, captured }, log);
        }
    }
}
