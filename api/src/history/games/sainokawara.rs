//! 賽の河原: the die at which towers fall.

use rules::outcome::Outcome;
use rules::sainokawara::{Die, Event, SPACES};
use serde_json::Value;

use super::{Figure, Form, Study, name, names, unknown};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

/// A die on a space, as a pattern.
macro_rules! placed {
    () => {
        r"(?:\d|1[0-3]):(?:d6-(?:large|medium|small)|d8|d10-(?:medium|small)|d20)"
    };
}

const NUMBER: Measure = Measure("falls_by_number");
const KIND: Measure = Measure("falls_by_die");
const END: Measure = Measure("towers");

/// The space that a die is put on.
fn space(placed: &str) -> Option<u8> {
    placed.split_once(':')?.0.parse().ok()
}

/// The towers of a match: the dice of the one being built, from the bottom.
#[derive(Default)]
pub(super) struct Towers {
    order: Vec<Die>,
}

impl Towers {
    /// A tower ends: so many of its dice came to be stacked, and it fell at the last of them or not.
    fn end(&mut self, dice: usize, fell: bool, sheet: &mut Sheet) {
        for (number, die) in (1..=dice).zip(self.order.drain(..)) {
            let falls = fell && number == dice;
            sheet.count(NUMBER, number.to_string(), falls);
            sheet.count(KIND, name(&die), falls);
        }
    }
}

impl Study for Towers {
    type Event = Event;

    const FIGURES: &'static [Figure] = &[
        Figure {
            measure: NUMBER,
            meaning: "Towers that came to their n-th die; hits: they fell at it.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: KIND,
            meaning: "Dice of each kind that came to be stacked; hits: the tower fell at it.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: END,
            meaning: "How towers ended: complete, or fallen as reported, by the clock or in the simulated world.",
            form: Form::Shares,
        },
    ];

    const TOKENS: &'static [tokens::Shape] = &[
        tokens::Shape::new(
            "0.place_dice=0:d8+3:d20",
            concat!(r"<seat>\.place_dice=", placed!(), r"(?:\+", placed!(), "){0,2}"),
        )
        .only(|token| tokens::parts(token).map(space).is_sorted_by(|one, other| one < other)),
        tokens::Shape::new("0.take_duty=4", r"<seat>\.take_duty=(?:1-3|[4-9]|1[0-4])"),
        tokens::Shape::new("0.roll_start=7", r"<seat>\.roll_start=(?:[2-9]|1[0-2])"),
        tokens::Shape::new("0.take_die", r"<seat>\.(?:take_die|release_die|request_pause)"),
        tokens::Shape::new("0.stack=stands", r"<seat>\.stack=(?:stands|missed|felled)"),
        tokens::Shape::new("0.adjust=3", r"<seat>\.adjust=(?:[1-9]|1[0-4])"),
        tokens::Shape::new("fell=5", "fell=(?:[1-9]|1[0-4])"),
        tokens::Shape::new("complete", "complete"),
    ];

    fn of(_options: &Value) -> Result<Self, String> {
        Ok(Self::default())
    }

    fn token(event: &Event) -> Option<String> {
        Some(match event {
            Event::DicePlaced { seat, dice, .. } => {
                let mut dice = dice.clone();
                dice.sort_unstable_by_key(|placement| placement.space.index());
                let placed =
                    dice.iter().map(|placement| format!("{}:{}", placement.space.index(), name(&placement.die)));
                format!("{seat}.place_dice={}", names(placed))
            }
            Event::DutyTaken { seat, duty, .. } => format!("{seat}.take_duty={}", name(duty)),
            Event::StartRolled { seat, dice: [one, other], .. } => format!("{seat}.roll_start={}", one + other),
            Event::DieTaken { seat, .. } => format!("{seat}.take_die"),
            Event::DieReleased { seat, .. } => format!("{seat}.release_die"),
            Event::PauseRequested { seat, .. } => format!("{seat}.request_pause"),
            Event::SetDown { seat, landing, .. } => format!("{seat}.stack={}", name(landing)),
            Event::Adjusted { seat, number, .. } => format!("{seat}.adjust={number}"),
            Event::TowerFell { number, .. } => format!("fell={number}"),
            Event::TowerCompleted { .. } => "complete".to_owned(),
            Event::RoundBegan { .. } | Event::PauseEnded { .. } | Event::Cleared { .. } | Event::Scored { .. } => {
                return None;
            }
        })
    }

    fn see(&mut self, event: &Event, _outcome: &Outcome, sheet: &mut Sheet) {
        match event {
            Event::StartRolled { order, .. } => self.order = order.to_vec(),
            Event::TowerFell { number, cause, .. } => {
                sheet.count(END, name(cause), false);
                self.end(usize::from(*number), true, sheet);
            }
            Event::TowerCompleted { .. } => {
                sheet.count(END, "complete", false);
                self.end(SPACES, false, sheet);
            }
            _ => {}
        }
    }
}
