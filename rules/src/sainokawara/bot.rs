//! The built-in player: takes any duty, places large dice, and stacks without haste.

use std::cmp::Reverse;

use physics::decimal::Milli;

use super::actions::Action;
use super::dice::Die;
use super::view::{TowerDie, View};
use crate::chance::Chance;
use crate::game::Advice;
use crate::seat::Seat;

/// What the bot thinks of the actions, best first.
pub(super) fn advise(view: &View, seat: Seat, legal: Vec<Action>, random: &mut Chance) -> Vec<Advice<Action>> {
    let careful = view.stacking.is_some().then(|| careful(view)).filter(|_| is_simulated(&legal));
    let mut ranked: Vec<_> = careful.into_iter().chain(legal).map(|action| (merit(&action, random), action)).collect();
    ranked.sort_by_key(|&(merit, _)| Reverse(merit));
    ranked.dedup_by(|later, kept| later.1 == kept.1);
    ranked.into_iter().map(|(_, action)| Advice { value: value(view, seat, &action), action }).collect()
}

fn is_simulated(legal: &[Action]) -> bool {
    legal.iter().any(|action| matches!(action, Action::Stack { .. }))
}

/// The next die on the middle of the one below, a little towards the axis of the bottom die, so that
/// a lean does not grow.
fn careful(view: &View) -> Action {
    const CORRECTION: f64 = 1.0;
    let centre = |die: &TowerDie| die.pose.centre();
    let lean = match (view.tower.first(), view.tower.last()) {
        (Some(bottom), Some(top)) => [0, 1].map(|axis| centre(bottom)[axis] - centre(top)[axis]),
        _ => [0.0; 2],
    };
    let [x, y] = lean.map(|part| Milli::round(part.clamp(-CORRECTION, CORRECTION)));
    Action::Stack { x, y, turn: Milli::default(), face: 1 }
}

/// The chance to win after an action. Nobody knows where a tower falls, so all leave it as it is, but
/// for a report that sends the seat itself back to the start.
fn value(view: &View, seat: Seat, action: &Action) -> f64 {
    let is_blamed = view.stacking.as_ref().is_some_and(|stacking| stacking.blame == Some(seat));
    let own = view.track.get(seat.index()).copied().unwrap_or_default();
    prospects(view, seat, if is_blamed && *action == (Action::ReportCollapse {}) { 0 } else { own })
}

/// The seat's share of the way to the goal that all have gone, everybody one step ahead, if it stood
/// at `step`.
fn prospects(view: &View, seat: Seat, step: u8) -> f64 {
    let ahead = |step: u8| f64::from(step) + 1.0;
    let others = view.track.iter().enumerate().filter(|(other, _)| *other != seat.index());
    ahead(step) / (ahead(step) + others.map(|(_, &step)| ahead(step)).sum::<f64>())
}

/// How good an action is, among those of its phase.
fn merit(action: &Action, random: &mut Chance) -> u32 {
    match action {
        // Nobody knows where a tower falls. Bots that shunned or sought the same duty would share
        // them out alike round after round, and a table of bots might never come to an end.
        Action::TakeDuty { .. } => 50 + random.below(50),
        Action::PlaceDice { dice } => dice.iter().map(|placement| steadiness(placement.die)).sum(),
        Action::TakeDie {} | Action::ReleaseDie {} | Action::RollStart {} | Action::Stack { .. } => 100,
        Action::RequestPause {} => 10,
        // It has no eyes for the table, so it never says that a tower fell, and it leaves well alone.
        Action::ReportCollapse {} | Action::Adjust { .. } => 1,
    }
}

/// The wider the face it stands on, the higher.
fn steadiness(die: Die) -> u32 {
    match die {
        Die::D6Large => 7,
        Die::D6Medium => 6,
        Die::D6Small => 5,
        Die::D8 => 4,
        Die::D10Medium => 3,
        Die::D10Small => 2,
        Die::D20 => 1,
    }
}
