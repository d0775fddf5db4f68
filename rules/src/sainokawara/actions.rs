//! What a seat may do, and how it is carried out.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::board::{Duty, Space};
use super::dice::Die;
use super::events::Event;
use super::state::{Phase, Sainokawara};
use super::{preparation, reported};
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

/// What a seat may do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[schema(as = sainokawara::Action)]
pub enum Action {
    /// Put one to three dice of the supply on vacant spaces.
    PlaceDice {
        /// Which die on which space, in any order.
        #[schema(value_type = Vec<Placement>, min_items = 1, max_items = 3)]
        dice: ArrayVec<Placement, 3>,
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
        }
    }

    /// Visits the legal actions of the seat that owes a decision.
    pub(super) fn options_of(&self, visit: Visit<'_, Action>) -> Completeness {
        match &self.phase {
            Phase::Preparation { ring, duties, .. } => preparation::visit(ring, duties, self.supply, visit),
            Phase::StartRoll { .. } => {
                let _ = visit(Action::RollStart {});
                Completeness::Complete
            }
            Phase::Stacking(site) => reported::visit(site, visit),
            Phase::Over => Completeness::Complete,
        }
    }
}

/// The refusal of something that belongs to another part of the round.
pub(super) fn not_now(rule: &'static str, en: &'static str, ja: &'static str) -> Refusal {
    Refusal::new(rule, Text::fixed(en, ja))
}
