//! A turn of the bot: 集, 発 or 臨.

use std::ops::ControlFlow;

use dictionary::{Letter, LetterSet};

use super::super::actions::Action;
use super::super::word::Spoken;
use super::Worth;
use super::foresight::{Foresight, PerLetter};
use super::mind::{Mind, Word};
use crate::game::Level;

/// What a turn costs, in captures.
const TURN: f64 = 1.2;
/// What gathering is worth with an empty hand, and how much less with each card in it.
const GATHER: f64 = 0.9;
const FULL: f64 = 0.05;
/// What it costs to put two cards back, and what a head nobody can go on from makes of it.
const SWAP: f64 = -1.5;
const STUCK: f64 = 3.0;
/// What an exchange costs that nothing asks for.
const IDLE: f64 = -12.0;
/// What is left of a word's worth for each card that it lacks.
const LACK: f64 = 0.2;
/// How many words the bot thinks of when it wants a card.
const WORDS: usize = 20_000;

/// What the actions come to, in their order.
pub(super) fn worths(mind: &Mind<'_>, legal: &[Action], level: Level) -> Vec<Worth> {
    let Some(head) = mind.head else { return vec![Worth::Lead(0.0); legal.len()] };
    let prospects = Prospects::of(mind, head);
    let mut foresight = Foresight::new(mind, level);
    let can_speak = mind.finds(head, mind.hand, |word| !word.ends_with_n);
    let swaps_matter = foresight.is_threat(head) || (!can_speak && !prospects.any);
    let mut heads: PerLetter<Option<bool>> = [None; Letter::COUNT];
    legal
        .iter()
        .map(|action| match action {
            Action::Say(Spoken::Letters(letters)) => {
                let word = Word::of(letters.letters());
                match letters.last() {
                    _ if mind.wins(word) => Worth::Won,
                    Some(last) if !word.ends_with_n => {
                        let gain = word.captures() as f64 - TURN;
                        Worth::Lead(mind.lead(0) + gain + foresight.of_head(last))
                    }
                    _ => Worth::Lost,
                }
            }
            Action::Gather { letter } => {
                let gain = GATHER - FULL * mind.hand.len() as f64 + prospects.share(*letter);
                Worth::Lead(mind.lead(0) + gain + foresight.of_head(head) + foresight.of_card(head, *letter))
            }
            Action::Swap { returned, head } => {
                let kept = returned.iter().map(|&letter| usefulness(letter)).sum::<f64>();
                let mut gain = SWAP - kept;
                if swaps_matter {
                    let fruitful = heads[head.index()].get_or_insert_with(|| mind.begins_a_word(*head));
                    gain += foresight.of_head(*head) + if *fruitful { 0.5 } else { 0.0 };
                    if !prospects.any {
                        gain += STUCK;
                    }
                } else {
                    gain += IDLE;
                }
                Worth::Lead(mind.lead(0) + gain)
            }
            _ => Worth::Lost,
        })
        .collect()
}

/// What the cards of the field would be good for, with the head as it is.
struct Prospects {
    worth: PerLetter<f64>,
    most: f64,
    /// Whether any word that does not lose can still be made.
    any: bool,
}

impl Prospects {
    /// Thinks of the words that hand and field together could make: each makes the cards that it
    /// lacks worth having, the fewer it lacks the more.
    fn of(mind: &Mind<'_>, head: Letter) -> Self {
        let mut worth = [0.0; Letter::COUNT];
        let mut left = WORDS;
        let mut any = false;
        mind.words(head, mind.hand.union(mind.field), &mut |letters| {
            let word = Word::of(letters);
            let wins = mind.wins(word);
            if wins || !word.ends_with_n {
                any = true;
                let missing = letters.iter().copied().collect::<LetterSet>().without(head).difference(mind.hand);
                let worth_of = if wins { 40.0 } else { (word.captures() * word.captures()) as f64 };
                let each = worth_of * LACK.powf(missing.len() as f64);
                missing.iter().for_each(|letter| worth[letter.index()] += each);
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let most = worth.iter().copied().fold(0.0, f64::max);
        Self { worth, most, any }
    }

    /// How good a card is beside the best one, 0 to 1; where no word is in sight, how useful it is
    /// in general.
    fn share(&self, letter: Letter) -> f64 {
        if self.most > 0.0 { self.worth[letter.index()] / self.most } else { usefulness(letter) }
    }
}

/// The letters by how many playable words of the default lexicon and policy hold them, most first.
const BY_USE: &str = "しいうんかきくつたとちあますりよこはえふらおさやみひるなてのゆけろわほせもにむれそへめねぬを";

/// How many words a letter is good for, from 0 to 1.
fn usefulness(letter: Letter) -> f64 {
    let rank = BY_USE.chars().position(|other| other == letter.to_char()).unwrap_or(Letter::COUNT);
    1.0 - rank as f64 / Letter::COUNT as f64
}
