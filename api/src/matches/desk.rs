//! The desk where matches are kept: reads them in, works decisions out, commits them, shows them.
//!
//! One decision at a time is worked out for a match in this process; among processes the unique
//! key of the log decides who was first, and the other judges again on the new state.

use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use dictionary::{Lexicon, Library};
use moka::future::Cache;
use rules::table::{AnyTable, Cause, Status, Step};
use rules::text::Text;
use rules::time::Timestamp;
use sqlx::PgPool;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::facts::Facts;
use super::live::{Credential, Live, Snapshot};
use super::metrics;
use super::presence::Presence;
use super::store::commit::{Claim, Commit, Numbered};
use super::store::committer::Committer;
use super::store::{load, to_db};
use crate::http::Problem;
use crate::http::idempotency::{Answer, Ticket};
use crate::http::problem::Kind;
use crate::ids::MatchId;

/// How many decisions of bots one request waits for, and for how long; what is left is played on
/// behind it.
const BOT_STEPS: usize = 64;
const BOT_TIME: Duration = Duration::from_millis(200);

/// How often a decision is judged anew because another process was faster.
const TRIES: usize = 8;

/// The desk.
#[derive(Clone)]
pub struct Desk {
    /// The database.
    pub pool: PgPool,
    /// Cancelled when the server is to stop: nobody is to be kept waiting from then on.
    pub closing: CancellationToken,
    /// Which seats are connected.
    pub presence: Presence,
    library: Arc<Library>,
    committer: Committer,
    live: Cache<MatchId, Arc<Live>>,
    /// Counts how often everything in memory was forgotten.
    forgotten: watch::Sender<u64>,
    /// The newest version of each match that a commit has lately told of.
    told: Cache<MatchId, u32>,
}

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
    /// A desk over a database.
    pub fn new(pool: PgPool, library: Arc<Library>, cached: u64, closing: CancellationToken) -> Self {
        let committer = Committer::start(&pool, 2);
        let live = Cache::builder()
            .max_capacity(cached)
            .time_to_idle(Duration::from_hours(1))
            // Who watches it looks for the copy that takes its place.
            .eviction_listener(|_, live: Arc<Live>, _| live.replace())
            .build();
        let told = Cache::builder().max_capacity(cached).time_to_live(Duration::from_mins(1)).build();
        Self {
            pool,
            closing,
            presence: Presence::new(),
            library,
            committer,
            live,
            forgotten: watch::Sender::new(0),
            told,
        }
    }

    /// The words as they are now: the operator's own may change between one decision and the next.
    pub fn lexicon(&self) -> Lexicon {
        self.library.default_lexicon()
    }

    /// The match, read in if it is not in memory.
    ///
    /// # Errors
    /// [`Kind::NotFound`] where there is none.
    pub async fn get(&self, id: MatchId) -> Result<Arc<Live>, Problem> {
        let read = async {
            let (facts, snapshot) = self.read(id, u32::MAX).await?;
            Ok(Arc::new(Live::new(facts, snapshot)))
        };
        let live = self.live.try_get_with(id, read).await.map_err(|problem: Arc<Problem>| (*problem).clone())?;
        // Told of while it was being read.
        if let Some(version) = self.told.get(&id).await {
            self.bring_to(&live, version).await?;
        }
        Ok(live)
    }

    /// Puts a match that has just been created into memory.
    pub async fn welcome(&self, live: Arc<Live>) {
        self.live.insert(live.facts.id, live).await;
    }

    /// Brings a match in memory up to what other processes have committed.
    ///
    /// # Errors
    /// Where the database is away or a row does not decode.
    pub async fn catch_up(&self, live: &Live) -> Result<(), Problem> {
        let id = live.facts.id;
        let before = live.snapshot();
        let new = load::steps(&self.pool, id, before.table.head().version, u32::MAX).await?;
        let has_claim = new.iter().any(|numbered| numbered.step.cause == Cause::Claim);
        let new: Arc<[_]> = new.into();
        let after = if has_claim {
            // Seats have been taken: who may see and do what, and perhaps the key of all chance.
            self.read(id, u32::MAX).await?.1
        } else {
            let (mut table, credentials) = (before.table.clone_box(), Arc::clone(&before.credentials));
            let steps = Arc::clone(&new);
            let redone = move || steps.iter().try_for_each(|numbered| table.redo(&numbered.step)).map(|()| table);
            let redone = blocking(redone);
            Snapshot::new(redone.await?.map_err(|what| load::corrupt(id, &what))?, credentials)
        };
        live.publish(after, new);
        Ok(())
    }

    /// Reads a match from the database, as it stood at a version or as it stands.
    async fn read(&self, id: MatchId, up_to: u32) -> Result<(Facts, Snapshot), Problem> {
        // The steps before the seats: a seat that is taken in between is then one that the steps do not
        // know yet, which the version tells, and not the other way round.
        let steps = load::steps(&self.pool, id, 0, up_to).await?;
        let mut loaded = load::facts(&self.pool, id).await?;
        blocking(move || {
            let steps: Vec<_> = steps.into_iter().map(|numbered| numbered.step).collect();
            let snapshot = loaded.snapshot(&steps)?;
            Ok((loaded.facts, snapshot))
        })
        .await?
    }

    /// Makes sure that what is in memory is not older than this request, where a client knows of more.
    ///
    /// # Errors
    /// Where the database is away or a row does not decode.
    pub async fn make_sure(&self, live: &Live) -> Result<(), Problem> {
        if self.is_behind(live).await? {
            let _turn = live.turn.lock().await;
            self.catch_up(live).await?;
        }
        Ok(())
    }

    /// Whether the database has a newer version than what is in memory.
    async fn is_behind(&self, live: &Live) -> Result<bool, Problem> {
        let version = live.snapshot().table.head().version;
        let newer = sqlx::query_scalar!(
            r#"SELECT EXISTS (SELECT 1 FROM steps WHERE match_id = $1 AND version > $2) AS "newer!""#,
            live.facts.id.0,
            i32::try_from(version).unwrap_or(i32::MAX),
        )
        .fetch_one(&self.pool)
        .await?;
        Ok(newer)
    }

    /// A match as it stood at a version, if it has reached that.
    ///
    /// # Errors
    /// [`Kind::NotFound`] for a version after `newest`.
    pub async fn snapshot_at(&self, id: MatchId, version: u32, newest: u32) -> Result<Snapshot, Problem> {
        if version > newest {
            return Err(Problem::new(
                Kind::NotFound,
                Text::new(
                    format!("The match has not reached version {version}; it is at {newest}."),
                    format!("版 {version} はまだありません（現在の版は {newest} です）。"),
                ),
            ));
        }
        Ok(self.read(id, version).await?.1)
    }

    /// Takes note that a match has reached a version; the match, if it is in memory without it.
    pub async fn note(&self, id: MatchId, version: u32) -> Option<Arc<Live>> {
        self.told.insert(id, version).await;
        self.live.get(&id).await.filter(|live| live.snapshot().table.head().version < version)
    }

    /// Reads a match again unless it has reached a version.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn bring_to(&self, live: &Live, version: u32) -> Result<(), Problem> {
        let is_behind = || live.snapshot().table.head().version < version;
        if is_behind() {
            // Whoever has the turn may be about to show that very version.
            let _turn = live.turn.lock().await;
            if is_behind() {
                self.catch_up(live).await?;
            }
        }
        Ok(())
    }

    /// Forgets every match in memory; they are read again when they are next asked for.
    pub fn forget_all(&self) {
        self.live.invalidate_all();
        self.forgotten.send_modify(|times| *times += 1);
    }

    /// Tells whenever everything in memory was forgotten: who watches a match looks for its new copy.
    pub fn forgotten(&self) -> watch::Receiver<u64> {
        self.forgotten.subscribe()
    }

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
                self.live.invalidate(&live.facts.id).await;
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

/// The server's clock.
pub fn now() -> Timestamp {
    Timestamp::from_millis(jiff::Timestamp::now().as_millisecond() + STEP.load(Ordering::Relaxed))
}

/// By how many milliseconds the server's clock differs from the system's.
static STEP: AtomicI64 = AtomicI64::new(0);

/// Steps the clock as a file says, until the server stops.
pub async fn follow_clock_file(path: PathBuf, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(Duration::from_millis(50))).await.is_some() {
        let step = std::fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok());
        STEP.store(step.unwrap_or(0), Ordering::Relaxed);
    }
}

/// Runs what takes a while beside the threads that answer requests.
///
/// # Errors
/// [`Kind::Internal`] where it breaks off.
pub async fn blocking<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Result<R, Problem> {
    /// As many at a time as there are cores, and one: what waits then takes no core from the rest.
    static PLACES: LazyLock<Semaphore> =
        LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, |cores| cores.get() + 1)));
    let _place = PLACES.acquire().await;
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a decision broke off");
        Problem::plain(Kind::Internal)
    })
}

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
