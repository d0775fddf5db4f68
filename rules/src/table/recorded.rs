//! The physical world as a record tells of it.

use std::collections::VecDeque;

use physics::pose::Pose;
use physics::world::{Body, Touch, World};
use serde::Deserialize;

use super::{Entry, Step};
use crate::game::Game;

/// A world that does what it did when the step was taken, touch by touch.
pub(super) struct Recorded(VecDeque<Vec<Pose>>);

impl Recorded {
    /// The world of this step. Events that do not decode tell nothing of it.
    pub(super) fn of<G: Game>(step: &Step) -> Self {
        let events = step.events.iter().filter_map(|event| Entry::<G::Event>::deserialize(event).ok());
        let poses = events.filter_map(|event| match event {
            Entry::Game(event) => G::at_rest(&event).map(<[Pose]>::to_vec),
            Entry::Table(_) => None,
        });
        Self(poses.collect())
    }
}

impl World for Recorded {
    /// Where the record cannot be right (no pose for a die, or one too many) nothing moves, and the
    /// event that comes of it differs from the record's.
    fn touch(&mut self, standing: &[Body], touch: &Touch) -> Vec<Pose> {
        let bodies = standing.len() + usize::from(matches!(touch, Touch::SetDown { .. }));
        let stay = || standing.iter().map(|body| body.pose).collect();
        self.0.pop_front().filter(|poses| poses.len() == bodies).unwrap_or_else(stay)
    }
}
