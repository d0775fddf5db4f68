//! What the players of each game ask of its history, one study a game.

mod hachiku;
mod kamudakara;
mod sainokawara;
mod salamander;
mod twenty_one;

use rules::outcome::Outcome;
use rules::seat::Seat;
use rules::table::{AnyTable, Entry, Step, TableEvent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::sheet::{Measure, Sheet};
use super::tokens;

/// A figure of a game's own.
pub struct Figure {
    /// What it counts; the measure's name is the figure's.
    pub measure: Measure,
    /// What it says, in a sentence.
    pub meaning: &'static str,
    /// What its counts are.
    pub form: Form,
}

/// What the counts of a figure are.
pub enum Form {
    /// For each key a rate, and what chance alone would make it, where that is known.
    Rates(fn(&str) -> Option<f64>),
    /// As [`Rates`](Self::Rates), of so many keys that only those used most, and those with the best
    /// rates, are given.
    Top,
    /// The keys share one whole.
    Shares,
    /// Values, by bucket.
    Values,
}

/// No expectation is known.
const fn unknown(_: &str) -> Option<f64> {
    None
}

/// Watches a match of one game go by.
trait Study: Sized {
    /// What happens in the game.
    type Event: DeserializeOwned;
    /// The figures that come of it.
    const FIGURES: &'static [Figure];
    /// What the tokens of its lines of play look like, beside those that every game has.
    const TOKENS: &'static [tokens::Shape];

    /// Before the first event of a match with these options.
    fn of(options: &Value) -> Result<Self, String>;

    /// The event as a token of the line of play: what everybody at the table saw of a decision and
    /// of the chance in it. Nothing for what only follows, and for what only some saw.
    fn token(event: &Self::Event) -> Option<String>;

    /// A seat decides something on this table.
    fn decided(&mut self, _table: &dyn AnyTable, _step: &Step, _sheet: &mut Sheet) {}

    /// An event happens.
    fn see(&mut self, event: &Self::Event, outcome: &Outcome, sheet: &mut Sheet);

    /// The match is over.
    fn close(&mut self, _sheet: &mut Sheet) {}
}

/// A study without its game's types.
pub trait AnyStudy {
    /// See [`Study::decided`].
    fn decided(&mut self, table: &dyn AnyTable, step: &Step, sheet: &mut Sheet);

    /// An event of the log happens; its token of the line of play, if it has one.
    ///
    /// # Errors
    /// Why the event does not decode.
    fn see(&mut self, event: &Value, outcome: &Outcome, sheet: &mut Sheet) -> Result<Option<String>, String>;

    /// See [`Study::close`].
    fn close(&mut self, sheet: &mut Sheet);
}

impl<S: Study> AnyStudy for S {
    fn decided(&mut self, table: &dyn AnyTable, step: &Step, sheet: &mut Sheet) {
        Study::decided(self, table, step, sheet);
    }

    fn see(&mut self, event: &Value, outcome: &Outcome, sheet: &mut Sheet) -> Result<Option<String>, String> {
        match Entry::<S::Event>::deserialize(event).map_err(|error| error.to_string())? {
            Entry::Table(TableEvent::Resigned { seat, .. }) => Ok(Some(format!("{seat}.resign"))),
            Entry::Table(_) => Ok(None),
            Entry::Game(event) => {
                Study::see(self, &event, outcome, sheet);
                Ok(S::token(&event))
            }
        }
    }

    fn close(&mut self, sheet: &mut Sheet) {
        Study::close(self, sheet);
    }
}

/// A game's history: how it is studied and what comes of it.
pub struct Subject {
    /// Begins to watch a match with these options.
    pub study: fn(&Value) -> Result<Box<dyn AnyStudy>, String>,
    /// The figures of the game's own.
    pub figures: &'static [Figure],
    /// What the tokens of the game's own look like.
    pub tokens: &'static [tokens::Shape],
}

const fn subject<S: Study + 'static>() -> Subject {
    Subject { study: |options| Ok(Box::new(S::of(options)?)), figures: S::FIGURES, tokens: S::TOKENS }
}

/// The subject of the game with this id.
pub fn of(game: &str) -> Option<Subject> {
    match game {
        "hachiku" => Some(subject::<hachiku::Words>()),
        "twenty_one" => Some(subject::<twenty_one::Rolls>()),
        "kamudakara" => Some(subject::<kamudakara::Offers>()),
        "salamander" => Some(subject::<salamander::Claims>()),
        "sainokawara" => Some(subject::<sainokawara::Towers>()),
        _ => None,
    }
}

/// The name of a value in JSON, such as a card's.
fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// Names with a plus between them.
fn names<T: Serialize>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| name(&value)).collect::<Vec<_>>().join("+")
}

/// Whether a seat won the match, alone or with others.
fn won(outcome: &Outcome, seat: Seat) -> bool {
    outcome.winners.contains(&seat)
}

#[cfg(test)]
mod tests {
    use rules::registry;

    #[test]
    fn every_game_has_a_subject() {
        for game in registry::games() {
            let subject = super::of(game.facts().id).unwrap();
            assert!(!subject.figures.is_empty());
        }
    }
}
