//! ２１: where players stop, how often they bust, and how that compares with the optimum.

use rules::game::Level;
use rules::outcome::Outcome;
use rules::seat::Seat;
use rules::table::{AnyTable, Step};
use rules::twenty_one::Event;
use serde_json::Value;

use super::{Figure, Form, Study, unknown};
use crate::history::sheet::{Measure, Sheet};
use crate::history::tokens;

const STOP: Measure = Measure("stops");
const ROLL: Measure = Measure("rolls");
const CHOICE: Measure = Measure("choices");
const OPTIMUM: Measure = Measure("optimum");
const BUST: Measure = Measure("busts");

/// In the first rounds everybody must roll (rule `21.three-rounds`).
const FORCED: u8 = 3;
/// The highest total that is not bust.
const GOAL: u8 = 21;
/// Values closer than this are equally good.
const EQUAL: f64 = 1e-9;

/// What a seat has done in the game being played.
#[derive(Clone, Copy, Default)]
struct Run {
    rolls: u8,
    total: u8,
    stopped: bool,
}

/// The rolls of a match.
#[derive(Default)]
pub(super) struct Rolls {
    runs: [Run; Seat::LIMIT as usize],
}

impl Rolls {
    /// The game is over for the seats that stopped.
    fn settle(&self, wins: impl Fn(Seat) -> bool, sheet: &mut Sheet) {
        for (seat, run) in (0..).map_while(Seat::new).zip(&self.runs).filter(|(_, run)| run.rolls > 0) {
            sheet.count(BUST, run.rolls.to_string(), run.total > GOAL);
            if run.stopped {
                sheet.count(STOP, run.total.to_string(), wins(seat));
            }
        }
    }
}

/// How likely a roll from this total busts.
fn bust_chance(total: &str) -> Option<f64> {
    let total: u8 = total.parse().ok()?;
    Some(f64::from((total + 6).saturating_sub(GOAL).min(6)) / 6.0)
}

impl Study for Rolls {
    type Event = Event;

    const FIGURES: &'static [Figure] = &[
        Figure {
            measure: STOP,
            meaning: "How often a seat stopped at each total; hits: it won the game, or a share of it.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: ROLL,
            meaning: "How often a seat that could have stopped rolled on from each total; hits: it went bust. Expected: the chance of that.",
            form: Form::Rates(bust_chance),
        },
        Figure {
            measure: CHOICE,
            meaning: "How often a seat had the choice at each total; hits: it stopped.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: OPTIMUM,
            meaning: "How often a seat had the choice at each total; hits: it chose what the best bot would, the optimum for two seats without hands.",
            form: Form::Rates(unknown),
        },
        Figure {
            measure: BUST,
            meaning: "How often a seat ended a game after so many rolls; hits: bust.",
            form: Form::Rates(unknown),
        },
    ];

    const TOKENS: &'static [tokens::Shape] =
        &[tokens::Shape::new("0.roll=5", r"<seat>\.roll=[1-6]"), tokens::Shape::new("0.stop", r"<seat>\.stop")];

    fn of(_options: &Value) -> Result<Self, String> {
        Ok(Self::default())
    }

    fn token(event: &Event) -> Option<String> {
        match event {
            Event::Rolled { seat, die, .. } | Event::SuddenDeathRolled { seat, die } => {
                Some(format!("{seat}.roll={}", die.pips()))
            }
            Event::Stopped { seat, .. } => Some(format!("{seat}.stop")),
            _ => None,
        }
    }

    fn decided(&mut self, table: &dyn AnyTable, step: &Step, sheet: &mut Sheet) {
        let Some((seat, action)) = step.seat.zip(step.action.as_ref()) else { return };
        let run = self.runs[seat.index()];
        let stops = action["type"] == "stop";
        if run.rolls < FORCED || !(stops || action["type"] == "roll") {
            return;
        }
        let advice = table.advise(seat, Level::Standard, &dictionary::Lexicon::empty());
        // In sudden death there is no choice.
        let [best, other] = advice.as_slice() else { return };
        let total = run.total.to_string();
        sheet.count(CHOICE, total.as_str(), stops);
        let is_best = best.action == *action || best.value - other.value < EQUAL;
        sheet.count(OPTIMUM, total, is_best);
    }

    fn see(&mut self, event: &Event, _outcome: &Outcome, sheet: &mut Sheet) {
        match *event {
            Event::GameBegan { .. } => self.runs = <[Run; Seat::LIMIT as usize]>::default(),
            Event::Rolled { seat, die, total } => {
                let run = &mut self.runs[seat.index()];
                if run.rolls >= FORCED {
                    sheet.count(ROLL, (total - die.pips()).to_string(), total > GOAL);
                }
                run.rolls += 1;
                run.total = total;
            }
            Event::Stopped { seat, .. } => self.runs[seat.index()].stopped = true,
            Event::GameWon { seat, .. } => self.settle(|stopped| stopped == seat, sheet),
            Event::GameDrawn { seats, .. } => self.settle(|stopped| seats.contains(stopped), sheet),
            Event::PotKept { .. } => self.settle(|_| false, sheet),
            Event::Bust { .. } | Event::SuddenDeathBegan { .. } | Event::SuddenDeathRolled { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_busts_as_often_as_the_die_says() {
        let chances: Vec<_> = ["15", "16", "18", "20", "21"].map(bust_chance).into_iter().flatten().collect();
        assert_eq!(chances, [0.0, 1.0 / 6.0, 0.5, 5.0 / 6.0, 1.0]);
    }
}
