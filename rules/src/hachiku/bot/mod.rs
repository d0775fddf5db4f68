//! The built-in bot: what it thinks of each action, from its own seat's view.
//!
//! `easy` looks one turn ahead: it takes a win, never ends in ん by choice, does not leave the
//! opponent a head to win from, says long words when it has them and gathers towards more.

mod mind;
mod turn;

use dictionary::{ClassSet, Policy};

use super::actions::Action;
use super::options::Options;
use super::view::View;
use super::word::Spoken;
use crate::game::{Advice, Thinking};
use crate::seat::Seat;
use mind::{Mind, Word};

/// What the bot thinks of the legal actions, best first.
pub(super) fn advise(
    view: &View,
    seat: Seat,
    options: &Options,
    legal: Vec<Action>,
    thinking: &mut Thinking<'_>,
) -> Vec<Advice<Action>> {
    let mind = Mind::new(view, seat, options, thinking.lexicon);
    let values: Vec<f64> = match legal.first() {
        Some(Action::ChooseHead { .. }) => legal.iter().map(|action| first_head(&mind, action)).collect(),
        Some(Action::Judge { .. }) => legal.iter().map(|action| judgement(view, action, thinking)).collect(),
        Some(Action::FinalWord(_) | Action::FinalPass {}) => {
            legal.iter().map(|action| last_word(&mind, action)).collect()
        }
        _ => turn::values(&mind, &legal),
    };
    let mut advice: Vec<_> = legal
        .into_iter()
        .zip(values)
        .map(|(action, value)| {
            // Certain wins and losses stay what they are; among the rest the bot varies a little.
            let whim = f64::from(thinking.random.below(1000)) * WHIM / 1000.0;
            let value = if value > LOST && value < WON { (value + whim).clamp(LOST, WON) } else { value };
            Advice { action, value }
        })
        .collect();
    advice.sort_by(|a, b| b.value.total_cmp(&a.value));
    advice
}

/// The value of a match that is lost, and of one that is won.
const LOST: f64 = 0.0;
const WON: f64 = 1.0;
/// How much the bot's fancy may add to an action.
const WHIM: f64 = 0.02;

/// A lead in captures as a chance to win.
fn chance_of(lead: f64) -> f64 {
    1.0 / (1.0 + (-0.25 * lead).exp())
}

/// Any head will do that words begin with.
fn first_head(mind: &Mind<'_>, action: &Action) -> f64 {
    match action {
        Action::ChooseHead { letter } if mind.begins_a_word(*letter) => 0.5,
        _ => 0.3,
    }
}

/// The bot accepts what the lexicon knows as a word of any class.
fn judgement(view: &View, action: &Action, thinking: &Thinking<'_>) -> f64 {
    let any = Policy { classes: ClassSet::ALL };
    let known = view.pending_word.as_ref().is_some_and(|pending| {
        thinking.lexicon.is_word(pending.word.letters.letters(), &any, &dictionary::OwnWords::default())
    });
    match action {
        Action::Judge { accept } if *accept == known => 0.6,
        _ => 0.4,
    }
}

/// A final word wins by eight letters, loses by ん, and else counts what it captures.
fn last_word(mind: &Mind<'_>, action: &Action) -> f64 {
    let Action::FinalWord(Spoken::Letters(letters)) = action else { return chance_of(mind.lead(0)) };
    let word = Word::of(letters.letters());
    if mind.wins(word) {
        WON
    } else if word.ends_with_n {
        LOST
    } else {
        chance_of(mind.lead(word.captures()))
    }
}
