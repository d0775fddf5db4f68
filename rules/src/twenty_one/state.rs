//! The table as it stands: chips, pot, and everybody's run in the game being played.

use std::sync::Arc;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::die::Face;
use super::hand::{Hand, Strength};
use super::options::Options;
use crate::seat::{Seat, SeatCount, SeatSet};

/// The total that nobody may exceed.
pub(super) const GOAL: u8 = 21;
/// The rounds in which everybody has to roll.
pub(super) const FORCED_ROUNDS: usize = 3;
/// No run is longer: 21 ones, and the roll that busts.
const LONGEST_RUN: usize = GOAL as usize + 1;
const SEATS: usize = Seat::LIMIT as usize;

/// A match of ２１.
#[derive(Clone, Debug)]
pub struct TwentyOne {
    pub(super) options: Arc<Options>,
    pub(super) seats: SeatCount,
    /// The game being played, from 1.
    pub(super) game_no: u32,
    pub(super) dealer: Seat,
    pub(super) pot: u32,
    /// By seat; below zero is a debt.
    pub(super) chips: [i64; SEATS],
    /// By seat, of the game being played.
    pub(super) runs: [Run; SEATS],
    /// Who has neither stopped nor gone bust in this game.
    pub(super) rolling: SeatSet,
    pub(super) phase: Phase,
}

/// What is being decided.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// Roll or stop.
    Rolling { turn: Seat },
    /// The tied roll for the pot.
    SuddenDeath(SuddenDeath),
    /// The last game is settled.
    Over,
}

/// One round of dice for a tie.
#[derive(Clone, Debug)]
pub(super) struct SuddenDeath {
    pub contenders: SeatSet,
    /// By seat, of this round.
    pub dice: [Option<Face>; SEATS],
}

/// Whether a seat still rolls in this game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = twenty_one::Standing)]
pub enum Standing {
    /// It rolls, or may.
    Rolling,
    /// It has stopped and keeps its total.
    Stopped,
    /// Its total is above 21: it is out.
    Bust,
}

/// What a seat has rolled in this game.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    pub rolls: ArrayVec<Face, LONGEST_RUN>,
    pub total: u8,
}

impl Run {
    pub fn is_bust(&self) -> bool {
        self.total > GOAL
    }

    /// The total after one roll more.
    pub fn total_with(&self, die: Face) -> u8 {
        self.total.saturating_add(die.pips())
    }

    /// What the run is worth at the showdown; nothing once bust.
    pub fn strength(&self, hands: bool) -> Option<Strength> {
        let hand = if hands { Hand::of(&self.rolls) } else { None };
        (!self.is_bust()).then_some(Strength { total: self.total, hand })
    }
}

impl TwentyOne {
    pub(super) fn new(options: Arc<Options>, seats: SeatCount) -> Self {
        Self {
            chips: [options.starting_chips; SEATS],
            options,
            seats,
            game_no: 1,
            dealer: Seat::FIRST,
            pot: 0,
            runs: Default::default(),
            rolling: SeatSet::all(seats),
            phase: Phase::Rolling { turn: Seat::FIRST },
        }
    }

    /// The seat whose turn it is.
    pub(super) fn turn(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Rolling { turn } => Some(*turn),
            Phase::SuddenDeath(round) => self
                .seats
                .clockwise_from(self.dealer)
                .find(|&seat| round.contenders.contains(seat) && round.dice[seat.index()].is_none()),
            Phase::Over => None,
        }
    }

    /// The round being played, or the last one that was.
    pub(super) fn round(&self) -> usize {
        match self.phase {
            Phase::Rolling { turn } => self.run(turn).rolls.len() + 1,
            Phase::SuddenDeath(_) | Phase::Over => self.runs.iter().map(|run| run.rolls.len()).max().unwrap_or(0),
        }
    }

    pub(super) fn run(&self, seat: Seat) -> &Run {
        &self.runs[seat.index()]
    }

    /// Whether the seat has done the rolls that everybody has to.
    pub(super) fn may_stop(&self, seat: Seat) -> bool {
        self.run(seat).rolls.len() >= FORCED_ROUNDS
    }

    /// The next seat clockwise that still rolls, perhaps `seat` itself.
    pub(super) fn next_rolling(&self, seat: Seat) -> Option<Seat> {
        self.rolling.iter().find(|&other| other > seat).or_else(|| self.rolling.iter().next())
    }

    pub(super) fn standing(&self, seat: Seat) -> Standing {
        if self.rolling.contains(seat) {
            Standing::Rolling
        } else if self.run(seat).is_bust() {
            Standing::Bust
        } else {
            Standing::Stopped
        }
    }

    pub(super) fn is_last_game(&self) -> bool {
        i64::from(self.game_no) >= self.options.games(self.seats)
    }

    /// The chips of the seats there are.
    pub(super) fn balances(&self) -> &[i64] {
        &self.chips[..self.seats.get()]
    }
}
