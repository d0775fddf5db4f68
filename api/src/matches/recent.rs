//! The last steps of a match that somebody follows, ready to be told: many who follow one match read
//! them from memory, and what they are told is written once for each kind of viewer.

use std::sync::{Arc, OnceLock};

use rules::seat::{Seat, Viewer};

use super::answer;
use super::facts::Facts;
use super::store::commit::Numbered;
use crate::http::Problem;

/// How many decisions are kept: who is further behind reads the log.
const KEPT: usize = 8;

/// An event as a kind of viewer is told of it.
#[derive(Clone)]
pub struct Telling {
    /// Its number.
    pub seq: u32,
    /// Its JSON, as the history has it.
    pub data: Arc<str>,
}

/// What one decision came to, with the answers of bots.
struct Decision {
    steps: Arc<[Numbered]>,
    /// By viewer: each seat, the public, who sees everything.
    tellings: [OnceLock<Arc<[Telling]>>; Seat::LIMIT as usize + 2],
}

/// The last decisions, the newest at the end, without a gap.
#[derive(Clone, Default)]
pub struct Recent(Vec<Arc<Decision>>);

impl Recent {
    /// These and one more.
    #[must_use]
    pub fn and(&self, steps: Arc<[Numbered]>) -> Self {
        let newest = Arc::new(Decision { steps, tellings: Default::default() });
        let kept = self.0.len().saturating_sub(KEPT - 1);
        Self(self.0[kept..].iter().cloned().chain([newest]).collect())
    }

    /// The events after `seq`, in order, as a viewer may see them; nothing where some of them are no
    /// longer kept.
    ///
    /// # Errors
    /// [`crate::http::problem::Kind::MatchDamaged`] where an event does not decode.
    pub fn after(&self, seq: u32, facts: &Facts, viewer: Viewer) -> Result<Option<Vec<Telling>>, Problem> {
        let first_kept = self.0.first().and_then(|decision| decision.steps.first());
        if first_kept.is_none_or(|step| step.first_seq > seq + 1) {
            return Ok(None);
        }
        let mut told = Vec::new();
        for decision in &self.0 {
            told.extend(decision.tellings(facts, viewer)?.iter().filter(|telling| telling.seq > seq).cloned());
        }
        Ok(Some(told))
    }
}

impl Decision {
    fn tellings(&self, facts: &Facts, viewer: Viewer) -> Result<&Arc<[Telling]>, Problem> {
        let slot = match viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Public => Seat::LIMIT as usize,
            Viewer::Everything => Seat::LIMIT as usize + 1,
        };
        if let Some(made) = self.tellings[slot].get() {
            return Ok(made);
        }
        let made = tell(facts, &self.steps, viewer)?;
        Ok(self.tellings[slot].get_or_init(|| made.into()))
    }
}

/// The events of steps as a viewer is told of them.
///
/// # Errors
/// [`crate::http::problem::Kind::MatchDamaged`] where an event does not decode.
pub fn tell(facts: &Facts, steps: &[Numbered], viewer: Viewer) -> Result<Vec<Telling>, Problem> {
    let mut told = Vec::new();
    for Numbered { first_seq, step } in steps {
        for event in answer::events(facts, step, *first_seq, viewer)? {
            let data = serde_json::to_string(&event).unwrap_or_else(|_| "null".to_owned());
            told.push(Telling { seq: event.seq(), data: data.into() });
        }
    }
    Ok(told)
}
