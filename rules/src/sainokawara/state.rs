//! The state of a match, and what follows from it without a decision.

use std::sync::Arc;

use super::board::{Duties, Duty, Owners, Ring, SPACES, Space};
use super::dice::{Dice, Die};
use super::options::{Options, Stacking};
use super::scoring::Steps;
use super::simulated::Tower;
use crate::seat::{Seat, SeatCount, SeatSet};
use crate::time::Timestamp;

/// The time for dice 1 to 3 together, in milliseconds.
pub(super) const FIRST_CLOCK_MS: i64 = 120_000;
/// The time for each later die, in milliseconds.
pub(super) const CLOCK_MS: i64 = 60_000;
/// The length of a pause, in milliseconds.
pub(super) const PAUSE_MS: i64 = 10_000;
/// Dice 1 to 3 are stacked by one seat on one clock.
pub(super) const FIRST_DICE: u8 = 3;

/// A match of 賽の河原.
#[derive(Clone, Debug)]
pub struct Sainokawara {
    pub(super) options: Arc<Options>,
    pub(super) seats: SeatCount,
    /// Counted from 1.
    pub(super) round: u32,
    pub(super) track: Steps,
    pub(super) supply: Dice,
    pub(super) phase: Phase,
}

/// What the table is busy with.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// Dice are placed and duties taken.
    Preparation { turn: Seat, ring: Ring, duties: Duties },
    /// All is prepared; the owner of "1–3" rolls for the die to begin with.
    StartRoll { ring: [Die; SPACES], owners: Owners },
    /// The tower is being built.
    Stacking(Site),
    /// Somebody has reached the goal.
    Over,
}

/// The place where a tower is built.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub owners: Owners,
    /// Where the first die lay.
    pub first: Space,
    /// The dice in stacking order.
    pub order: [Die; SPACES],
    /// The number of the die to be stacked next or in the hand, from 1.
    pub next: u8,
    pub hand: Hand,
    /// When the stacker's time runs out; none during a pause and where no clock is kept.
    pub deadline: Option<Timestamp>,
    /// Where the dice are; empty where they are real.
    pub tower: Tower,
}

/// What the stacker's hand is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    /// Nothing since the release before: the blame is still with that stacker.
    Idle,
    /// A pause was asked for; the blame stays where it was.
    Pausing { until: Timestamp },
    /// The pause is over: the blame has moved, though nothing is taken yet.
    Paused,
    /// A die has been taken.
    Holding,
}

impl Site {
    /// Whose die is next.
    pub fn stacker(&self) -> Seat {
        self.owners.stacker(self.next)
    }

    /// The kind of the next die.
    pub fn next_die(&self) -> Option<Die> {
        self.order.get(usize::from(self.next) - 1).copied()
    }

    /// How many dice stand.
    pub fn stacked(&self) -> u8 {
        self.next - 1
    }

    /// Who is to blame if the tower falls now, and at which die it then fell (`sai.blame`); nobody
    /// before the first die is taken.
    pub fn blame(&self) -> Option<(Seat, u8)> {
        let number = match self.hand {
            Hand::Idle | Hand::Pausing { .. } => self.next - 1,
            Hand::Paused | Hand::Holding => self.next,
        };
        (number > 0).then(|| (self.owners.stacker(number), number))
    }

    /// Whether there is anything that could fall (`sai.collapse`).
    pub fn can_fall(&self) -> bool {
        self.stacked() >= 2
    }

    /// Whether the stacker may ask for a pause now (`sai.pause`).
    pub fn can_pause(&self) -> bool {
        self.hand == Hand::Idle && self.next > FIRST_DICE
    }

    /// What still lies on the ring: a die leaves it when it is taken.
    pub fn ring(&self) -> Ring {
        let gone = usize::from(self.stacked()) + usize::from(self.hand == Hand::Holding);
        let mut ring = [None; SPACES];
        for (space, die) in self.first.clockwise().zip(self.order).skip(gone) {
            ring[space.index()] = Some(die);
        }
        ring
    }
}

impl Sainokawara {
    /// The table before the first round.
    pub(super) fn new(options: &Arc<Options>, seats: SeatCount) -> Self {
        Self {
            options: Arc::clone(options),
            seats,
            round: 1,
            track: seats.seats().map(|_| 0).collect(),
            supply: options.dice,
            phase: Phase::Preparation { turn: Seat::FIRST, ring: Ring::default(), duties: Duties::default() },
        }
    }

    /// Whether people stack real dice.
    pub(super) fn is_reported(&self) -> bool {
        self.options.stacking == Stacking::Reported
    }

    /// The one seat that owes a decision, until the match is over.
    pub(super) fn turn(&self) -> Option<Seat> {
        match &self.phase {
            Phase::Preparation { turn, .. } => Some(*turn),
            Phase::StartRoll { owners, .. } => Some(owners.of(Duty::OneToThree)),
            Phase::Stacking(site) => Some(site.stacker()),
            Phase::Over => None,
        }
    }

    /// [`turn`](Self::turn) as a set.
    pub(super) fn owing(&self) -> SeatSet {
        self.turn().map_or(SeatSet::EMPTY, SeatSet::one)
    }

    /// The end of the time for a die that falls to its stacker at `now`, if clocks are kept.
    pub(super) fn clock(&self, now: Timestamp, millis: i64) -> Option<Timestamp> {
        self.options.enforce_clock.then(|| now.plus_millis(millis))
    }

    /// What happens next if nobody acts: a pause ends or a clock runs out.
    pub(super) fn next_instant(&self) -> Option<Timestamp> {
        match &self.phase {
            Phase::Stacking(Site { hand: Hand::Pausing { until }, .. }) => Some(*until),
            Phase::Stacking(site) => site.deadline,
            Phase::Preparation { .. } | Phase::StartRoll { .. } | Phase::Over => None,
        }
    }
}
