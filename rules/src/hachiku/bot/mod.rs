//! The built-in bot: what it thinks of each action, from its own seat's view.
//!
//! `easy` looks one turn ahead: it takes a win, never ends in ん by choice, does not leave the
//! opponent a head to win from, says long words when it has them and gathers towards more.
//! `standard` weighs the next words of both seats as well, and what a card is worth to the other.

mod foresight;
mod mind;
mod turn;

use dictionary::{ClassSet, Policy};

use super::actions::Action;
use super::ending::EIGHT;
use super::options::Options;
use super::view::View;
use super::word::Spoken;
use crate::game::{Advice, Thinking};
use crate::seat::Seat;
use mind::{Mind, WIN, Word};

/// What the bot thinks of the legal actions, best first.
pub(super) fn advise(
    view: &View,
    seat: Seat,
    options: &Options,
    legal: Vec<Action>,
    thinking: &mut Thinking<'_>,
) -> Vec<Advice<Action>> {
    let mind = Mind::new(view, seat, options, thinking.lexicon);
    let worths: Vec<Worth> = match legal.first() {
        Some(Action::ChooseHead { .. }) => legal.iter().map(|action| first_head(&mind, action)).collect(),
        Some(Action::Judge { .. }) => legal.iter().map(|action| judgement(view, action, thinking)).collect(),
        Some(Action::FinalWord(_) | Action::FinalPass {}) => {
            legal.iter().map(|action| last_word(&mind, action)).collect()
        }
        _ => turn::worths(&mind, &legal, thinking.level),
    };
    let mut advice: Vec<_> = legal
        .into_iter()
        .zip(worths)
        .map(|(action, worth)| {
            let whim = f64::from(thinking.random.below(1000)) * WHIM / 1000.0;
            Advice { action, value: worth.value(whim) }
        })
        .collect();
    advice.sort_by(|a, b| b.value.total_cmp(&a.value));
    advice
}

/// How much the bot's fancy may add to an action, in captures.
const WHIM: f64 = 0.3;

/// What an action comes to.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Worth {
    /// It loses at once.
    Lost,
    /// The match goes on, as good as with this lead in captures.
    Lead(f64),
    /// It wins at once.
    Won,
}

impl Worth {
    /// The chance to win; only what is certain is 0 or 1, and only what is not gives way to a whim.
    fn value(self, whim: f64) -> f64 {
        match self {
            Self::Lost => 0.0,
            Self::Lead(lead) => 0.01 + 0.98 / (1.0 + (-0.25 * (lead + whim)).exp()),
            Self::Won => 1.0,
        }
    }
}

/// Any head will do that words begin with.
fn first_head(mind: &Mind<'_>, action: &Action) -> Worth {
    match action {
        Action::ChooseHead { letter } if mind.begins_a_word(*letter) => Worth::Lead(0.0),
        _ => Worth::Lead(-2.0),
    }
}

/// The bot accepts what the lexicon knows as a word of any class.
fn judgement(view: &View, action: &Action, thinking: &Thinking<'_>) -> Worth {
    let any = Policy { classes: ClassSet::ALL };
    let known = view.pending_word.as_ref().is_some_and(|pending| {
        thinking.lexicon.is_word(pending.word.letters.letters(), &any, &dictionary::OwnWords::default())
    });
    match action {
        Action::Judge { accept } if *accept == known => Worth::Lead(1.0),
        _ => Worth::Lead(-1.0),
    }
}

/// `hachiku.final-word`: eight letters win unless the opponent has them as well, ん loses unless it
/// reaches the target, and else what a word captures counts: the target by itself wins nothing here.
fn last_word(mind: &Mind<'_>, action: &Action) -> Worth {
    let Action::FinalWord(Spoken::Letters(letters)) = action else { return Worth::Lead(mind.lead(0)) };
    let word = Word::of(letters.letters());
    if word.ends_with_n && !mind.wins(word) {
        return Worth::Lost;
    }
    let eight = if word.length >= EIGHT { WIN } else { 0.0 };
    Worth::Lead(mind.lead(word.captures()) + eight)
}
