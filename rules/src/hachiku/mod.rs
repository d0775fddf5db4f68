//! 八築 (hachiku): a duel of two who build words from one set of 46 letter cards.
//!
//! The rules are in `docs/rules/hachiku.md`; here a file holds one thing:
//! [`state`] where the cards lie, `actions` what a seat may do, `verdict` what a word is,
//! [`ending`] who wins.

mod actions;
mod bot;
mod ending;
mod events;
mod legal;
mod options;
mod refusal;
mod rule;
mod state;
mod verdict;
mod view;
mod vocabulary;
mod word;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use actions::Action;
pub use events::Event;
pub use options::{Options, Preset, UnknownWords};
pub use state::Hachiku;
pub use view::{PhaseName, SaidWord, View};
pub use word::{FinalChoice, Spoken, Word};

use crate::chance::Script;
use crate::game::{Advice, Completeness, Context, Facts, Game, Inquiry, Level, Thinking, Visit};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatCount, SeatSet, Viewer};
use crate::text::{Fault, Refusal, Text};
use state::Phase;

impl Game for Hachiku {
    type Options = Options;
    type Action = Action;
    type Event = Event;
    type View = View;

    const FACTS: Facts = Facts {
        id: "hachiku",
        name: Text::fixed("Hachiku", "八築"),
        seats: 2..=2,
        rules_version: 1,
        rules: rule::RULES,
        dice: None,
        deck: false,
        levels: &[Level::Easy, Level::Standard],
    };

    fn check(options: &Options, _seats: SeatCount, _script: &Script) -> Vec<Fault> {
        options.faults()
    }

    fn setup(options: &Arc<Options>, _seats: SeatCount) -> Self {
        Self::new(options)
    }

    fn start(&mut self, _context: &mut Context<'_>, _log: &mut Vec<Event>) {}

    fn to_act(&self) -> SeatSet {
        self.owing()
    }

    fn is_simultaneous(&self) -> bool {
        matches!(self.phase, Phase::FinalWords { .. })
    }

    fn legal_actions(&self, seat: Seat, inquiry: Inquiry<'_>, visit: Visit<'_, Action>) -> Completeness {
        self.visit_legal(seat, inquiry, visit)
    }

    fn apply(
        &mut self,
        seat: Seat,
        action: &Action,
        context: &mut Context<'_>,
        log: &mut Vec<Event>,
    ) -> Result<(), Refusal> {
        self.carry_out(seat, action, context.lexicon, log)
    }

    fn fits(&self, event: &Event) -> bool {
        self.event_fits(event)
    }

    fn fold(&mut self, event: &Event) {
        self.fold_event(event);
    }

    fn view(&self, viewer: Viewer) -> View {
        self.view_for(viewer)
    }

    fn redact(event: &Event, viewer: Viewer) -> Event {
        events::redact(event, viewer)
    }

    fn outcome(&self) -> Option<Outcome> {
        match &self.phase {
            Phase::Over { outcome, .. } => Some(outcome.clone()),
            _ => None,
        }
    }

    fn advise(
        view: &View,
        seat: Seat,
        options: &Options,
        legal: Vec<Action>,
        thinking: &mut Thinking<'_>,
    ) -> Vec<Advice<Action>> {
        bot::advise(view, seat, options, legal, thinking)
    }
}
