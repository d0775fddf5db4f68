//! The desk where matches are kept: reads them in, works decisions out, commits them, shows them.
//!
//! One decision at a time is worked out for a match in this process; among processes the unique
//! key of the log decides who was first, and the other judges again on the new state.

mod blocking;
mod commit;
mod decide;
mod held;
mod now;

use std::sync::Arc;
use std::time::Duration;

use dictionary::{Lexicon, Library};
use moka::future::Cache;
use rules::table::Cause;
use rules::text::Text;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

pub use blocking::blocking;
pub use commit::{commit_of, next_due, number};
pub use decide::Decided;
pub use now::{follow_clock_file, now};

use self::held::Held;
use super::facts::Facts;
use super::live::{Live, Snapshot};
use super::presence::Presence;
use super::store::committer::Committer;
use super::store::load;
use crate::http::Problem;
use crate::http::problem::Kind;
use crate::ids::MatchId;

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
    /// The matches that were asked for lately.
    cache: Cache<MatchId, Arc<Live>>,
    /// These, and those that somebody still has.
    held: Arc<Held>,
    /// The newest version of each match that a commit has lately told of.
    told: Cache<MatchId, u32>,
}

impl Desk {
    /// A desk over a database.
    pub fn new(pool: PgPool, library: Arc<Library>, cached: u64, closing: CancellationToken) -> Self {
        let committer = Committer::start(&pool, 2);
        let cache = Cache::builder().max_capacity(cached).time_to_idle(Duration::from_hours(1)).build();
        let told = Cache::builder().max_capacity(cached).time_to_live(Duration::from_mins(1)).build();
        Self { pool, closing, presence: Presence::new(), library, committer, cache, held: Arc::default(), told }
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
        let live = loop {
            let live = self.cache.try_get_with(id, self.find_or_read(id)).await;
            let live = live.map_err(|problem: Arc<Problem>| (*problem).clone())?;
            if !live.is_retired() {
                break live;
            }
            self.cache.invalidate(&id).await;
        };
        // Told of while it was being read.
        if let Some(version) = self.told.get(&id).await {
            self.bring_to(&live, version).await?;
        }
        Ok(live)
    }

    /// The copy that somebody has, or else one that is read.
    async fn find_or_read(&self, id: MatchId) -> Result<Arc<Live>, Problem> {
        if let Some(live) = self.held.find(id) {
            return Ok(live);
        }
        let (facts, snapshot) = self.read(id, u32::MAX).await?;
        let live = Arc::new(Live::new(facts, snapshot));
        self.held.note(&live);
        Ok(live)
    }

    /// Puts a match that has just been created into memory.
    pub async fn welcome(&self, live: Arc<Live>) {
        self.held.note(&live);
        self.cache.insert(live.facts.id, live).await;
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
        self.held.find(id).filter(|live| live.snapshot().table.head().version < version)
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
        self.held.retire_all();
        self.cache.invalidate_all();
    }
}
