//! 八築: the words and heads that are used, and those that win.

use std::collections::BTreeSet;

use rules::hachiku::{Event, FinalChoice, Word};
use rules::outcome::Outcome;
use rules::seat::Seat;
use serde_json::Value;

use super::{Figure, Form, Study, unknown, won};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

/// One of the 46 letters, as a pattern.
macro_rules! letter {
    () => {
        "[あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん]"
    };
}

const WORD: Measure = Measure("words");
const HEAD: Measure = Measure("heads");
const LENGTH: Measure = Measure("word_lengths");
const REFUSED: Measure = Measure("refused_words");

/// Whether no letter comes twice: there is one card of each.
fn are_different(letters: &str) -> bool {
    let mut seen = BTreeSet::new();
    letters.chars().all(|letter| seen.insert(letter))
}

/// The words of a match.
#[derive(Default)]
pub(super) struct Words {
    /// The word that the opponent judges.
    put: Option<String>,
}

impl Words {
    fn said(seat: Seat, word: &Word, outcome: &Outcome, sheet: &mut Sheet) {
        let won = won(outcome, seat);
        sheet.count(WORD, word.letters.to_string(), won);
        sheet.count(LENGTH, word.letters.len().to_string(), won);
        if let Some(head) = word.letters.first() {
            sheet.count(HEAD, head.to_string(), won);
        }
    }
}

impl Study for Words {
    type Event = Event;

    const FIGURES: &'static [Figure] = &[
        Figure {
            measure: WORD,
            meaning: "How often each spelling was said, final words among them; hits: its speaker won the match.",
            form: Form::Top,
        },
        Figure {
            measure: HEAD,
            meaning: "How often a word was said from each head letter; hits: its speaker won the match.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: LENGTH,
            meaning: "How often a word of so many letters was said; hits: its speaker won the match.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: REFUSED,
            meaning: "How often each unknown spelling was put to the opponent; hits: it was refused.",
            form: Form::Top,
        },
    ];

    const TOKENS: &'static [tokens::Shape] = &[
        tokens::Shape::new("0.choose_head=か", concat!(r"<seat>\.choose_head=", letter!())),
        tokens::Shape::new("0.gather=さ", concat!(r"<seat>\.gather=", letter!())),
        tokens::Shape::new("0.say=かさ", concat!(r"<seat>\.(?:say|put)=", letter!(), "{2,46}"))
            .only(|token| are_different(tokens::value(token))),
        tokens::Shape::new("1.judge=accept", r"<seat>\.judge=(?:accept|refuse)"),
        tokens::Shape::new("0.swap=あい>う", concat!(r"<seat>\.swap=", letter!(), "{2}>", letter!()))
            .only(|token| tokens::value(token).chars().take(2).is_sorted_by(|one, other| one < other)),
        tokens::Shape::new(
            "finals=さけかす,-",
            concat!("finals=(?:-|", letter!(), "{2,46}),(?:-|", letter!(), "{2,46})"),
        )
        .only(|token| tokens::value(token).split(',').all(are_different)),
    ];

    fn of(_options: &Value) -> Result<Self, String> {
        Ok(Self::default())
    }

    fn token(event: &Event) -> Option<String> {
        match event {
            Event::HeadChosen { seat, letter } => Some(format!("{seat}.choose_head={letter}")),
            Event::Gathered { seat, letter } => Some(format!("{seat}.gather={letter}")),
            Event::Said { seat, word, .. } => Some(format!("{seat}.say={}", word.letters)),
            Event::Put { seat, word } => Some(format!("{seat}.put={}", word.letters)),
            Event::Judged { seat, accept } => {
                Some(format!("{seat}.judge={}", if *accept { "accept" } else { "refuse" }))
            }
            Event::Swapped { seat, returned, head, .. } => {
                let mut returned = *returned;
                returned.sort_unstable();
                let [one, other] = returned;
                Some(format!("{seat}.swap={one}{other}>{head}"))
            }
            Event::FinalGiven { .. } => None,
            Event::FinalsRevealed { choices, .. } => {
                let [first, second] = choices.each_ref().map(|choice| match choice {
                    FinalChoice::Pass => "-".to_owned(),
                    FinalChoice::Word(word) => word.letters.to_string(),
                });
                Some(format!("finals={first},{second}"))
            }
        }
    }

    fn see(&mut self, event: &Event, outcome: &Outcome, sheet: &mut Sheet) {
        match event {
            Event::Said { seat, word, .. } => Self::said(*seat, word, outcome, sheet),
            Event::Put { word, .. } => self.put = Some(word.letters.to_string()),
            Event::Judged { accept, .. } => {
                if let Some(word) = self.put.take() {
                    sheet.count(REFUSED, word, !accept);
                }
            }
            Event::FinalsRevealed { choices, .. } => {
                for (seat, choice) in (0..).map_while(Seat::new).zip(choices) {
                    if let FinalChoice::Word(word) = choice {
                        Self::said(seat, word, outcome, sheet);
                    }
                }
            }
            _ => {}
        }
    }
}
