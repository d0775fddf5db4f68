//! Decisions: worked out, committed, shown.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rules::table::{AnyTable, Status, Step};
use rules::text::Text;
use rules::time::Timestamp;

use super::commit::{commit_of, number};
use super::{Desk, blocking, now};
use crate::http::Problem;
use crate::http::idempotency::{Answer, Ticket};
use crate::http::problem::Kind;
use crate::matches::live::{Credential, Live, Snapshot};
use crate::matches::metrics;
use crate::matches::store::commit::{Claim, Commit, Numbered};

/// How many decisions of bots one request waits for, and for how long; what is left is played on
/// behind it.
const BOT_STEPS: usize = 64;
const BOT_TIME: Duration = Duration::from_millis(200);

/// How often a decision is judged anew because another process was faster.
const TRIES: usize = 8;

/// What a decision comes to: the table after it, and the steps that lead there.
pub struct Decided {
    /// The table after all steps.
    pub table: Box<dyn AnyTable>,
    /// The steps, at least one.
    pub steps: Vec<Step>,
    /// The seat that is taken with it, and the credentials as they are then.
    pub claim: Option<(Claim, Arc<[Credential]>)>,
}

impl Desk {
    /// Works a decision out on the current state and commits it. `decide` is called again with the
    /// new state where another process was first; `answer` says what is answered, and kept for
    /// retries where there is a ticket.
    ///
    /// # Errors
    /// What `decide` refuses; [`Kind::Unavailable`] where the database is away.
    pub async fn decide(
        &self,
        live: &Live,
        ticket: Option<&Ticket>,
        mut decide: impl AsyncFnMut(&Snapshot) -> Result<Decided, Problem>,
        answer: impl Fn(&Snapshot, &[Numbered]) -> Result<Answer, Problem>,
    ) -> Result<Answer, Problem> {
        let _turn = live.turn.lock().await;
        for _ in 0..TRIES {
            self.run_due(live).await?;
            let before = live.snapshot();
            let decided = match decide(&before).await {
                Ok(decided) => self.play_bots(decided, before.table.head().virtual_clock).await?,
                // What another process has committed a moment ago may allow what was refused.
                Err(_) if self.is_behind(live).await? => {
                    self.catch_up(live).await?;
                    continue;
                }
                Err(problem) => return Err(problem),
            };
            let after = Snapshot::new(
                decided.table,
                decided.claim.as_ref().map_or_else(|| Arc::clone(&before.credentials), |(_, all)| Arc::clone(all)),
            );
            let steps = number(before.table.head().seq, decided.steps);
            let answer = answer(&after, &steps)?;
            let commit = Commit {
                claim: decided.claim.map(|(claim, _)| claim),
                sealed: ticket.map(|ticket| ticket.seal(&answer)).transpose()?,
                ..commit_of(live.facts.id, &before, &after, steps)
            };
            if self.commit(live, commit, after).await? {
                return Ok(answer);
            }
        }
        let busy = Text::fixed(
            "Others kept acting in this match at the same moment; try again.",
            "ほかの席の操作と重なり続けました。もう一度送ってください。",
        );
        Err(Problem::new(Kind::Unavailable, busy).retry_after(1))
    }

    /// Commits a decision and shows it; false if another process was first, whose state is then
    /// read in.
    async fn commit(&self, live: &Live, commit: Commit, after: Snapshot) -> Result<bool, Problem> {
        let (ends, steps) = (commit.finish.is_some(), Arc::clone(&commit.steps));
        match self.committer.write(commit).await {
            Ok(true) => {
                if ends {
                    metrics::finished(live.facts.game.facts().id);
                }
                live.publish(after, steps);
                Ok(true)
            }
            Ok(false) => {
                self.catch_up(live).await?;
                Ok(false)
            }
            Err(problem) => {
                // It may have been written all the same: what is in memory is no longer to be trusted.
                live.retire();
                Err(problem)
            }
        }
    }

    /// Carries out what is due by the server's clock. The caller holds the match's turn.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn run_due(&self, live: &Live) -> Result<(), Problem> {
        loop {
            let before = live.snapshot();
            let head = before.table.head();
            let now = now();
            let bots_wait = head.bot_to_act().is_some();
            let is_due = !head.virtual_clock && before.table.due().is_some_and(|due| due <= now);
            if head.status != Status::Active || !(bots_wait || is_due) {
                return Ok(());
            }
            let mut table = before.table.clone_box();
            let virtual_clock = head.virtual_clock;
            let lexicon = self.lexicon();
            let (table, steps) = blocking(move || {
                let steps = if bots_wait { Vec::new() } else { Vec::from_iter(table.expire(now, &lexicon)) };
                (table, steps)
            })
            .await?;
            let decided = self.play_bots(Decided { table, steps, claim: None }, virtual_clock).await?;
            if decided.steps.is_empty() {
                return Ok(());
            }
            let after = Snapshot::new(decided.table, Arc::clone(&before.credentials));
            let steps = number(before.table.head().seq, decided.steps);
            let commit = commit_of(live.facts.id, &before, &after, steps);
            self.commit(live, commit, after).await?;
        }
    }

    /// Lets the bots that owe a decision make theirs, as far as one request waits for.
    async fn play_bots(&self, mut decided: Decided, virtual_clock: bool) -> Result<Decided, Problem> {
        if decided.table.head().bot_to_act().is_none() {
            return Ok(decided);
        }
        let lexicon = self.lexicon();
        blocking(move || {
            let started = Instant::now();
            for _ in 0..BOT_STEPS {
                let head = decided.table.head();
                let at = if virtual_clock { head.now } else { now().max(head.now) };
                let Some(step) = decided.table.bot_step(at, &lexicon) else { break };
                decided.steps.push(step);
                if started.elapsed() > BOT_TIME {
                    break;
                }
            }
            decided
        })
        .await
    }

    /// The table with its first steps, for a match that starts at its creation.
    ///
    /// # Errors
    /// Where it cannot start.
    pub async fn first_steps(&self, mut table: Box<dyn AnyTable>, at: Timestamp) -> Result<Decided, Problem> {
        let step = table.start(at, &self.lexicon()).map_err(|_| Problem::plain(Kind::Internal))?;
        let virtual_clock = table.head().virtual_clock;
        self.play_bots(Decided { table, steps: vec![step], claim: None }, virtual_clock).await
    }
}
