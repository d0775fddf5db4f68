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
    /// These, which lead to the event `from`, and one more, which leads on to the event `to`. None are kept
    /// where the steps do not lead from the one to the other: a match that was read anew may be further than
    /// the steps that told of it.
    #[must_use]
    pub fn led(&self, from: u32, steps: Arc<[Numbered]>, to: u32) -> Self {
        let follows = steps.first().is_some_and(|first| first.first_seq == from + 1);
        if !follows || steps.last().is_none_or(|last| last.end() != to + 1) {
            return Self::default();
        }
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

#[cfg(test)]
mod tests {
    use rules::chance::Position;
    use rules::table::{Cause, Step};
    use rules::time::Timestamp;

    use super::*;

    /// A decision of so many events from this one on.
    fn decision(first_seq: u32, events: usize) -> Arc<[Numbered]> {
        let step = Step {
            version: first_seq,
            cause: Cause::Action,
            seat: None,
            action: None,
            events: vec![serde_json::Value::Null; events],
            at: Timestamp::from_millis(0),
            position: Position::default(),
        };
        [Numbered { first_seq, step }].into()
    }

    fn firsts(recent: &Recent) -> Vec<u32> {
        recent.0.iter().map(|decision| decision.steps[0].first_seq).collect()
    }

    #[test]
    fn decisions_that_join_are_kept_and_the_oldest_forgotten() {
        let mut recent = Recent::default();
        for number in 0..KEPT as u32 + 2 {
            recent = recent.led(2 * number, decision(2 * number + 1, 2), 2 * number + 2);
        }
        assert_eq!(firsts(&recent), (2..KEPT as u32 + 2).map(|number| 2 * number + 1).collect::<Vec<_>>());
    }

    #[test]
    fn nothing_is_kept_across_a_gap() {
        let recent = Recent::default().led(4, decision(5, 1), 5);
        assert_eq!(firsts(&recent), [5]);
        // Another process's step lies between what was kept and this one.
        assert!(firsts(&recent.led(5, decision(7, 1), 7)).is_empty());
        // The match was read after another process's next step.
        assert!(firsts(&recent.led(5, decision(6, 1), 7)).is_empty());
        assert!(firsts(&recent.led(5, [].into(), 6)).is_empty());
    }
}
