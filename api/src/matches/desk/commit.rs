//! What a decision changes in the database.

use rules::table::{Status, Step};
use rules::time::Timestamp;

use super::Desk;
use crate::http::Problem;
use crate::ids::MatchId;
use crate::matches::live::{Live, Snapshot};
use crate::matches::store::commit::{Commit, Numbered};
use crate::matches::store::to_db;

/// Numbers the events of steps that follow the event `seq`.
pub fn number(seq: u32, steps: Vec<Step>) -> Vec<Numbered> {
    let mut first_seq = seq + 1;
    steps
        .into_iter()
        .map(|step| {
            let numbered = Numbered { first_seq, step };
            first_seq += numbered.step.events.len() as u32;
            numbered
        })
        .collect()
}

/// What leads from one snapshot to the next, ready to be written.
pub fn commit_of(id: MatchId, before: &Snapshot, after: &Snapshot, steps: Vec<Numbered>) -> Commit {
    let (old, new) = (before.table.head(), after.table.head());
    let due = next_due(after);
    Commit {
        id,
        steps: steps.into(),
        starts: old.status == Status::Waiting && new.status != Status::Waiting,
        finish: new.outcome.clone().map(|outcome| (outcome, new.now)),
        due: (due != next_due(before)).then_some(due),
        claim: None,
        sealed: None,
    }
}

/// When somebody has to look after the match next: a clock, or at once where a bot owes a decision.
pub fn next_due(snapshot: &Snapshot) -> Option<Timestamp> {
    let head = snapshot.table.head();
    if head.bot_to_act().is_some() {
        return Some(head.now);
    }
    snapshot.table.due().filter(|_| !head.virtual_clock)
}

impl Desk {
    /// Sets the row of what is due to what the match says, where another process left it behind, and
    /// gives the claim on it back. Where the claim is gone somebody has committed meanwhile, and set it.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn note_due(&self, live: &Live) -> Result<(), Problem> {
        match next_due(&live.snapshot()) {
            Some(at) => sqlx::query!(
                "UPDATE due SET due_at = $2, claimed_until = NULL
                 WHERE match_id = $1 AND claimed_until IS NOT NULL",
                live.facts.id.0,
                to_db(at)
            ),
            None => sqlx::query!("DELETE FROM due WHERE match_id = $1 AND claimed_until IS NOT NULL", live.facts.id.0),
        }
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
