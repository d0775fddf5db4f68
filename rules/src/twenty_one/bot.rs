//! How the bot judges rolling on and stopping: by the chance to win the game being played.
//!
//! A seat that stops at a total wins it if every other seat stays below (or loses the tie). Those
//! who still roll are taken one by one: at level `standard` each knows the total and rolls on just
//! as long as that is worth it, at level `easy` each stops at [`EASY_STOP`] whatever it sees. Rolling
//! on is worth the mean over the six faces of the better of the two decisions after it, with the
//! others' totals as they are now.
//!
//! For two seats without hands that is the optimum at `standard` under `final`, and within a
//! hundredth of it under `draw`; the tests compare them. Hands count where they lie on the table;
//! the chance to roll one is left out.

use std::cmp::Ordering;

use super::actions::Action;
use super::die::Face;
use super::hand::{Hand, Strength};
use super::options::{Options, RollerFallback, TieRule};
use super::state::{GOAL, Standing};
use super::view::{PhaseName, View};
use crate::game::{Advice, Level};
use crate::seat::Seat;

/// The total at which the easy bot expects others to stop.
const EASY_STOP: u8 = 18;

/// A tie that is shared, kept or diced for, against one other seat.
const EVEN: f64 = 0.5;

/// The legal actions with the chance to win of each, best first.
pub(super) fn judge(
    view: &View,
    seat: Seat,
    options: &Options,
    legal: Vec<Action>,
    level: Level,
) -> Vec<Advice<Action>> {
    let own = seat.index();
    let judge = Judge { view, own, options, level };
    let mut advice: Vec<_> = legal
        .into_iter()
        .map(|action| {
            let value = match (action, view.phase) {
                (Action::Roll {}, PhaseName::SuddenDeath) => judge.sudden_death(),
                (Action::Roll {}, _) => judge.rolling_from(view.totals[own]),
                (Action::Stop {}, _) => judge.stopped_at(judge.strength(own), After::Nothing),
            };
            Advice { action, value }
        })
        .collect();
    advice.sort_by(|a, b| b.value.total_cmp(&a.value));
    advice
}

/// What the own seat does between now and the stop that is judged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    Nothing,
    Rolling,
}

struct Judge<'a> {
    view: &'a View,
    own: usize,
    options: &'a Options,
    level: Level,
}

impl Judge<'_> {
    /// The chance to win when rolling once more from this total.
    fn rolling_from(&self, total: u8) -> f64 {
        // From the highest total down, so that each is worked out once.
        let mut best_at = [0.0; GOAL as usize + 1];
        for reached in (total + 1..=GOAL).rev() {
            let stopping = self.stopped_at(Strength { total: reached, hand: None }, After::Rolling);
            best_at[usize::from(reached)] = mean_after_roll(&best_at, reached).max(stopping);
        }
        mean_after_roll(&best_at, total)
    }

    /// The chance to win for who stops with this.
    fn stopped_at(&self, own: Strength, after: After) -> f64 {
        let others = (0..self.view.totals.len()).filter(|&seat| seat != self.own);
        others.map(|seat| 1.0 - self.beaten_by(seat, own, after)).product()
    }

    /// The chance that another seat ends above who stops with `own`; half of it where they tie
    /// and nothing decides.
    fn beaten_by(&self, seat: usize, own: Strength, after: After) -> f64 {
        let theirs = self.strength(seat);
        match self.view.standing[seat] {
            Standing::Bust => 0.0,
            Standing::Stopped => worth(theirs, own, self.tie_of_stopped(seat, after)),
            // It will have stopped by then.
            Standing::Rolling if theirs.total == GOAL && after == After::Rolling => {
                worth(theirs, own, self.tie_of_stopped(seat, after))
            }
            Standing::Rolling => {
                let mut best_at = [0.0; GOAL as usize + 1];
                for total in (theirs.total + 1..=GOAL).rev() {
                    let stopping = worth(Strength { total, hand: None }, own, self.tie_by_rolling());
                    best_at[usize::from(total)] = self.going_on(&best_at, total, stopping);
                }
                self.going_on(&best_at, theirs.total, worth(theirs, own, self.tie_as_it_stands(seat)))
            }
        }
    }

    /// The chance of a seat that rolls at this total, where stopping has the chance `stopping`.
    fn going_on(&self, best_at: &[f64], total: u8, stopping: f64) -> f64 {
        match self.level {
            Level::Easy if total >= EASY_STOP => stopping,
            Level::Easy => mean_after_roll(best_at, total),
            Level::Standard | Level::Strong => mean_after_roll(best_at, total).max(stopping),
        }
    }

    /// What a tie is worth to a seat that has stopped. Its last roll was before the own one, and it
    /// has rolled as often only if it stopped in this very round and the own seat rolls no more.
    fn tie_of_stopped(&self, seat: usize, after: After) -> f64 {
        match self.options.tie_rule {
            TieRule::Final => 0.0,
            TieRule::Roller if after == After::Rolling || self.rolls(seat) < self.rolls(self.own) => 0.0,
            TieRule::Roller => self.fallback(0.0),
            TieRule::Draw | TieRule::Carryover | TieRule::SuddenDeath => EVEN,
        }
    }

    /// What a tie is worth to a seat that may still roll and stops as it stands. Its last roll was
    /// after the own one.
    fn tie_as_it_stands(&self, seat: usize) -> f64 {
        match self.options.tie_rule {
            TieRule::Final => 1.0,
            TieRule::Roller if self.rolls(seat) > self.rolls(self.own) => 1.0,
            TieRule::Roller => self.fallback(1.0),
            TieRule::Draw | TieRule::Carryover | TieRule::SuddenDeath => EVEN,
        }
    }

    /// What a tie is worth to a seat that gets there by rolling, later and more often.
    fn tie_by_rolling(&self) -> f64 {
        match self.options.tie_rule {
            TieRule::Final | TieRule::Roller => 1.0,
            TieRule::Draw | TieRule::Carryover | TieRule::SuddenDeath => EVEN,
        }
    }

    /// What a tie of equally many rolls is worth: `last` where the last roll decides.
    fn fallback(&self, last: f64) -> f64 {
        if self.options.roller_fallback == RollerFallback::Final { last } else { EVEN }
    }

    fn rolls(&self, seat: usize) -> usize {
        self.view.rolls[seat].len()
    }

    fn strength(&self, seat: usize) -> Strength {
        let hand = if self.options.hands { Hand::of(&self.view.rolls[seat]) } else { None };
        Strength { total: self.view.totals[seat], hand }
    }

    /// The chance to win a sudden death whose dice are partly rolled: by each face that the seat
    /// may show, with ties rolled again.
    fn sudden_death(&self) -> f64 {
        let Some(round) = &self.view.sudden_death else { return EVEN };
        let sides = f64::from(Face::SIDES);
        let rivals = round.seats.iter().filter(|seat| seat.index() != self.own);
        Face::all()
            .map(|own| {
                rivals
                    .clone()
                    .map(|seat| match round.dice[seat.index()] {
                        Some(die) if die > own => 0.0,
                        Some(die) if die == own => EVEN,
                        Some(_) => 1.0,
                        None => (f64::from(own.pips() - 1) + EVEN) / sides,
                    })
                    .product::<f64>()
            })
            .sum::<f64>()
            / sides
    }
}

/// What a seat has of stopping with `theirs` against `own`, where a tie is worth `tie` to it.
fn worth(theirs: Strength, own: Strength, tie: f64) -> f64 {
    match theirs.cmp(&own) {
        Ordering::Less => 0.0,
        Ordering::Equal => tie,
        Ordering::Greater => 1.0,
    }
}

/// The mean of what the six faces lead to; above 21 there is nothing.
fn mean_after_roll(best_at: &[f64], total: u8) -> f64 {
    let reached = |face: Face| best_at.get(usize::from(total + face.pips()));
    Face::all().filter_map(reached).sum::<f64>() / f64::from(Face::SIDES)
}
