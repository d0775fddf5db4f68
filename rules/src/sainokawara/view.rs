//! What everybody may know: in this game nothing is hidden.

use std::collections::BTreeMap;

use physics::pose::Pose;
use serde::Serialize;
use utoipa::ToSchema;

use super::board::{Duties, Duty, Ring, SPACES};
use super::dice::{Dice, Die};
use super::scoring::Steps;
use super::state::{Hand, Phase, Sainokawara, Site};
use crate::seat::Seat;
use crate::time::Timestamp;

/// What the table is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = sainokawara::PhaseName)]
pub enum PhaseName {
    /// Dice are placed and duties taken.
    Preparation,
    /// The owner of "1–3" is to roll for the first die.
    StartRoll,
    /// The tower is being built.
    Stacking,
    /// The match is over.
    Over,
}

/// The hand at the tower.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = sainokawara::StackingView)]
pub struct StackingView {
    /// The number of the die that is next or in the hand, from 1 to 14.
    #[schema(minimum = 1, maximum = 14)]
    pub next_die: u8,
    /// Whose die it is.
    pub stacker: Seat,
    /// Whether the stacker has taken it.
    pub taken: bool,
    /// Who is to blame if the tower falls now; nobody before the first die is taken.
    pub blame: Option<Seat>,
    /// When the stacker's time runs out; null during a pause and where no clock is kept.
    pub deadline_at: Option<Timestamp>,
    /// When the pause is over; null when there is none.
    pub pause_until: Option<Timestamp>,
}

/// The table as anybody sees it.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = sainokawara::View)]
pub struct View {
    /// What the table is busy with.
    pub phase: PhaseName,
    /// The round, counted from 1.
    pub round: u32,
    /// The step of each seat's piece; 15 is the goal.
    #[schema(value_type = Vec<u8>)]
    pub track: Steps,
    /// The die on each space of the ring, clockwise; null where it is vacant.
    #[schema(value_type = Vec<Option<Die>>, min_items = 14, max_items = 14)]
    pub spaces: Ring,
    /// The owner of each duty that is taken.
    pub duties: BTreeMap<Duty, Seat>,
    /// The dice beside the board, by kind.
    pub supply: Dice,
    /// The dice in stacking order, once the start is rolled.
    pub order: Option<[Die; SPACES]>,
    /// The hand at the tower, while one is built.
    pub stacking: Option<StackingView>,
    /// The simulated dice that stand, from the bottom; empty where they are real.
    pub tower: Vec<TowerDie>,
}

/// A die of the simulated tower.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[schema(as = sainokawara::TowerDie)]
pub struct TowerDie {
    /// What it is.
    pub die: Die,
    /// Where it is and how it lies.
    pub pose: Pose,
}

fn tower(site: &Site) -> Vec<TowerDie> {
    site.order.iter().zip(&site.tower).map(|(&die, &pose)| TowerDie { die, pose }).collect()
}

impl StackingView {
    fn of(site: &Site) -> Self {
        Self {
            next_die: site.next,
            stacker: site.stacker(),
            taken: site.hand == Hand::Holding,
            blame: site.blame().map(|(seat, _)| seat),
            deadline_at: site.deadline,
            pause_until: match site.hand {
                Hand::Pausing { until } => Some(until),
                Hand::Idle | Hand::Paused | Hand::Holding => None,
            },
        }
    }
}

impl Sainokawara {
    /// The table as anybody sees it.
    pub(super) fn look(&self) -> View {
        let (phase, spaces, duties) = match &self.phase {
            Phase::Preparation { ring, duties, .. } => (PhaseName::Preparation, *ring, *duties),
            Phase::StartRoll { ring, owners } => (PhaseName::StartRoll, ring.map(Some), (*owners).into()),
            Phase::Stacking(site) => (PhaseName::Stacking, site.ring(), site.owners.into()),
            Phase::Over => (PhaseName::Over, Ring::default(), Duties::default()),
        };
        let site = match &self.phase {
            Phase::Stacking(site) => Some(site),
            Phase::Preparation { .. } | Phase::StartRoll { .. } | Phase::Over => None,
        };
        View {
            phase,
            round: self.round,
            track: self.track.clone(),
            spaces,
            duties: Duty::ALL.into_iter().filter_map(|duty| Some((duty, duties.owner(duty)?))).collect(),
            supply: self.supply,
            order: site.map(|site| site.order),
            stacking: site.map(StackingView::of),
            tower: site.map(tower).unwrap_or_default(),
        }
    }
}
