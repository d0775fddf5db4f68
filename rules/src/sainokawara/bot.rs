//! The built-in player: takes any duty but the first, places large dice, and stacks without haste.

use std::cmp::Reverse;

use super::actions::Action;
use super::board::Duty;
use super::dice::Die;
use super::view::View;
use crate::chance::Chance;
use crate::game::Advice;
use crate::seat::Seat;

/// What the bot thinks of the actions, best first.
pub(super) fn advise(view: &View, seat: Seat, legal: Vec<Action>, random: &mut Chance) -> Vec<Advice<Action>> {
    let best = prospects(view, seat);
    let mut ranked: Vec<_> = legal.into_iter().map(|action| (merit(&action, random), action)).collect();
    ranked.sort_by_key(|&(merit, _)| Reverse(merit));
    let top = ranked.first().map_or(1, |&(merit, _)| merit).max(1);
    ranked
        .into_iter()
        .map(|(merit, action)| Advice { action, value: best * f64::from(merit) / f64::from(top) })
        .collect()
}

/// The seat's share of the way to the goal that all have gone, everybody one step ahead.
fn prospects(view: &View, seat: Seat) -> f64 {
    let steps = |step: &u8| f64::from(*step) + 1.0;
    let all: f64 = view.track.iter().map(steps).sum();
    view.track.get(seat.index()).map_or(0.0, steps) / all
}

/// How good an action is, among those of its phase.
fn merit(action: &Action, random: &mut Chance) -> u32 {
    match action {
        // Three dice on one card are the most work, and the first to be blamed for gains nothing.
        Action::TakeDuty { duty: Duty::OneToThree } => 30,
        // Nobody knows where a tower falls. Bots that all chose alike would share out the same
        // duties round after round.
        Action::TakeDuty { .. } => 50 + random.below(50),
        Action::PlaceDice { dice } => dice.iter().map(|placement| steadiness(placement.die)).sum(),
        Action::TakeDie {} | Action::ReleaseDie {} | Action::RollStart {} => 100,
        Action::RequestPause {} => 10,
        // It has no eyes for the table, so it never says that a tower fell.
        Action::ReportCollapse {} => 1,
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
