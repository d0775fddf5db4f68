//! What a seat may do, and how it is carried out.

use arrayvec::ArrayVec;
use physics::decimal::Milli;
use physics::world::Shift;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::{Duty, SPACES, Space};
use super::dice::Die;
use super::events::Event;
use super::state::{Phase, Sainokawara};
use super::{preparation, reported, simulated};
use crate::game::{Completeness, Context, Visit};
use crate::seat::Seat;
use crate::text::{Refusal, Text};

/// A die of the supply and the space it is put on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = sainokawara::Placement)]
pub struct Placement {
    /// A vacant space.
    pub space: Space,
    /// A die of the supply.
    pub die: Die,
}

/// Dice to be put on spaces. More than three are never right, and are read so that the refusal can
/// say why.
pub type Placements = ArrayVec<Placement, SPACES>;

/// What a seat may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sainokawara::Action)]
pub enum Action {
    /// Put one to three dice of the supply on vacant spaces.
    PlaceDice {
        /// Which die on which space, in any order.
        #[schema(value_type = Vec<Placement>, min_items = 1, max_items = 3)]
        dice: Placements,
    },
    /// Take a free duty card.
    TakeDuty {
        /// The card.
        duty: Duty,
    },
    /// Roll the two order dice: which die is stacked first.
    RollStart {},
    /// Take the next die: the blame moves to the seat that does.
    TakeDie {},
    /// Let go of the die: it stands.
    ReleaseDie {},
    /// Ask for the pause of ten seconds before taking the die.
    RequestPause {},
    /// Say that the tower has fallen; any seat may.
    ReportCollapse {},
    /// Simulated: set the next die down, just above what it would touch, and let go.
    Stack {
        /// Millimetres from the axis of the die below (of the table, for the first), −60 to 60.
        #[schema(value_type = f64, minimum = -60, maximum = 60)]
        x: Milli,
        /// Millimetres from the axis of the die below (of the table, for the first), −60 to 60.
        #[schema(value_type = f64, minimum = -60, maximum = 60)]
        y: Milli,
        /// Degrees about the vertical, −360 to 360.
        #[schema(value_type = f64, minimum = -360, maximum = 360)]
        turn: Milli,
        /// The face it stands on, from 1.
        #[schema(minimum = 1, maximum = 20)]
        face: u8,
    },
    /// Simulated: nudge a die that stands.
    Adjust {
        /// Its number in the tower, from 1 at the bottom.
        #[schema(minimum = 1, maximum = 13)]
        die: u8,
        /// Millimetres, −10 to 10.
        #[schema(value_type = f64, minimum = -10, maximum = 10)]
        x: Milli,
        /// Millimetres, −10 to 10.
        #[schema(value_type = f64, minimum = -10, maximum = 10)]
        y: Milli,
        /// Degrees about the vertical, −360 to 360.
        #[schema(value_type = f64, minimum = -360, maximum = 360)]
        turn: Milli,
    },
}

impl Sainokawara {
    /// Carries out an action.
    pub(super) fn act(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        match action {
            Action::PlaceDice { dice } => preparation::place_dice(self, seat, dice, log),
            Action::TakeDuty { duty } => preparation::take_duty(self, seat, *duty, log),
            Action::RollStart {} => preparation::roll_start(self, seat, context, log),
            Action::TakeDie {} => reported::take_die(self, seat, context.now, log),
            Action::ReleaseDie {} => reported::release_die(self, seat, context.now, log),
            Action::RequestPause {} => reported::request_pause(self, seat, context.now, log),
            Action::ReportCollapse {} => reported::report_collapse(self, seat, log),
            Action::Stack { x, y, turn, face } => {
                simulated::stack(self, seat, Shift { x: *x, y: *y, turn: *turn }, *face, context, log)
            }
            Action::Adjust { die, x, y, turn } => {
                simulated::adjust(self, seat, *die, Shift { x: *x, y: *y, turn: *turn }, context, log)
            }
        }
    }

    /// Visits the legal actions of the seat that owes a decision.
    pub(super) fn options_of_turn(&self, visit: Visit<'_, Action>) -> Completeness {
        match &self.phase {
            Phase::Preparation { ring, duties, .. } => preparation::visit(ring, duties, self.supply, visit),
            Phase::StartRoll { .. } => {
                let _ = visit(Action::RollStart {});
                Completeness::Complete
            }
            Phase::Stacking(site) if self.is_reported() => reported::visit(site, visit),
            Phase::Stacking(site) => simulated::visit(site, visit),
            Phase::Over => Completeness::Complete,
        }
    }

    /// Visits the legal actions of a seat that owes no decision: any may say that the tower has fallen.
    pub(super) fn options_of_others(&self, visit: Visit<'_, Action>) -> Completeness {
        match &self.phase {
            Phase::Stacking(site) if self.is_reported() => reported::visit_collapse(site, visit),
            Phase::Preparation { .. } | Phase::StartRoll { .. } | Phase::Stacking(_) | Phase::Over => {
                Completeness::Complete
            }
        }
    }
}

/// The refusal of something that belongs to another part of the round.
pub(super) fn not_now(rule: &'static str, en: &'static str, ja: &'static str) -> Refusal {
    Refusal::new(rule, Text::fixed(en, ja))
}
