//! What every table has whatever is played on it: seats, version, clocks, result.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chance::Position;
use crate::game::Level;
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet};
use crate::time::Timestamp;

/// Who decides for a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// A client that holds the seat's token.
    Human,
    /// The built-in bot.
    Bot(Level),
    /// Nobody yet.
    Open,
}

impl Player {
    /// The kind of seat, by its name in JSON.
    pub const fn kind(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Bot(_) => "bot",
            Self::Open => "open",
        }
    }

    /// How strong a bot is; nobody else has a level.
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Bot(level) => Some(level),
            Self::Human | Self::Open => None,
        }
    }
}

/// One seat as it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatState {
    /// The name shown to everybody.
    pub name: Arc<str>,
    /// Who decides for it.
    pub player: Player,
    /// Whether it has resigned; the bot plays on for it where others still play.
    pub resigned: bool,
    /// Decisions in a row that the turn clock took.
    pub strikes: u8,
    /// Since when it owes the decision that it owes now.
    pub owes_since: Option<Timestamp>,
}

/// Where a match stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats are still open.
    Waiting,
    /// It is being played.
    Active,
    /// The result is known.
    Finished,
}

impl Status {
    /// Its name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Active => "active",
            Self::Finished => "finished",
        }
    }
}

/// The referee's sheet of a table: what holds for all games.
#[derive(Clone, Debug)]
pub struct Head {
    /// Steps taken so far; the version of the state.
    pub version: u32,
    /// The oldest version that still counts as current (see `Game::is_simultaneous`).
    pub current_since: u32,
    /// Events so far; the `seq` of the last one.
    pub seq: u32,
    /// The instant of the last step, at first that of the creation.
    pub now: Timestamp,
    /// Where the match stands.
    pub status: Status,
    /// The seats in turn order.
    pub seats: Vec<SeatState>,
    /// The seats that owe a decision.
    pub to_act: SeatSet,
    /// How long a seat may think, if there is a limit.
    pub turn_seconds: Option<u32>,
    /// Whether time moves only as the actions say.
    pub virtual_clock: bool,
    /// The result, once known.
    pub outcome: Option<Outcome>,
}

/// How many decisions in a row the turn clock takes before the seat counts as resigned.
pub const STRIKES: u8 = 3;

impl Head {
    /// The number of seats.
    ///
    /// A table is only ever made with a number of seats that its game allows, hence at least two.
    pub fn count(&self) -> SeatCount {
        SeatCount::new(self.seats.len()).expect("a table has 2 to 10 seats")
    }

    /// The seat's state, if the table has the seat.
    pub fn seat(&self, seat: Seat) -> Option<&SeatState> {
        self.seats.get(seat.index())
    }

    /// The seats that have resigned.
    pub fn resigned(&self) -> SeatSet {
        self.count().seats().filter(|seat| self.seats[seat.index()].resigned).collect()
    }

    /// Whether the bot plays on for the seat because its player has resigned.
    pub fn plays_on(&self, seat: Seat) -> bool {
        self.status == Status::Active && self.seat(seat).is_some_and(|state| state.resigned)
    }

    /// The first seat that owes a decision which the built-in bot has to make, and how strong.
    pub fn bot_to_act(&self) -> Option<(Seat, Level)> {
        self.to_act.iter().find_map(|seat| {
            let state = &self.seats[seat.index()];
            match state.player {
                Player::Bot(level) => Some((seat, level)),
                _ if state.resigned => Some((seat, Level::Easy)),
                _ => None,
            }
        })
    }

    /// The seat whose turn clock runs out first, and when.
    pub fn turn_deadline(&self) -> Option<(Timestamp, Seat)> {
        let limit = i64::from(self.turn_seconds?) * 1000;
        self.to_act
            .iter()
            .filter(|seat| {
                let state = &self.seats[seat.index()];
                state.player == Player::Human && !state.resigned
            })
            .filter_map(|seat| Some((self.seats[seat.index()].owes_since?.plus_millis(limit), seat)))
            .min()
    }

    /// Brings the clocks up to date after a step at this instant: the seats of `anew` owe another
    /// decision than before it, if they owe one.
    pub(super) fn settle(&mut self, to_act: SeatSet, anew: SeatSet, at: Timestamp) {
        self.version += 1;
        self.now = at;
        self.to_act = to_act;
        for (seat, state) in (0..).map_while(Seat::new).zip(&mut self.seats) {
            state.owes_since = match state.owes_since {
                _ if !to_act.contains(seat) => None,
                Some(since) if !anew.contains(seat) => Some(since),
                _ => Some(at),
            };
        }
    }
}

/// What brought a step about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// All seats were taken at the creation.
    Start,
    /// An open seat was taken; the last one starts the match.
    Claim,
    /// A player acted.
    Action,
    /// The built-in bot acted for its seat or for one that resigned.
    Bot,
    /// The turn clock ran out and the bot made that one decision.
    Clock,
    /// A deadline of the game itself was reached.
    Deadline,
}

/// One step of a match: what happened and everything that came of it. The log is made of these.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The version that it leads to; the first step's is 1.
    pub version: u32,
    /// What brought it about.
    pub cause: Cause,
    /// Whose step it was, if it was a seat's.
    pub seat: Option<Seat>,
    /// What the seat did.
    pub action: Option<serde_json::Value>,
    /// What came of it, whole and with all secrets.
    pub events: Vec<serde_json::Value>,
    /// When it happened.
    pub at: Timestamp,
    /// The chance used up to its end.
    pub position: Position,
}

/// Why a table did not take an action.
#[derive(Clone, PartialEq, Debug)]
pub enum Judgement {
    /// Seats are still open.
    NotStarted,
    /// The match is over.
    Finished,
    /// Others owe the decision.
    NotYourTurn,
    /// The seat has been taken.
    SeatTaken,
    /// The action is none of this game's: what is wrong with its form.
    Unreadable(crate::strict::Unreadable),
    /// It is against a rule.
    Illegal(crate::text::Refusal),
}

impl From<crate::text::Refusal> for Judgement {
    fn from(refusal: crate::text::Refusal) -> Self {
        Self::Illegal(refusal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_named_as_in_json() {
        for status in [Status::Waiting, Status::Active, Status::Finished] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
    }
}
