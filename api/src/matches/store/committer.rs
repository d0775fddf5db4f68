//! Group commit: decisions that arrive together share one transaction.
//!
//! While one transaction is on its way to the disk, what arrives waits for the next; so the more
//! there is to do, the more share a commit. Nobody's answer leaves before its commit.

use std::time::Duration;

use sqlx::error::DatabaseError;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection, Executor, PgPool};
use tokio::sync::{mpsc, oneshot};

use super::commit::{self, Commit};
use crate::http::Problem;
use crate::http::idempotency::Undone;
use crate::http::problem::Kind;

/// The most decisions that share a transaction. What tells the other processes of them must fit
/// into one notification: 8,000 bytes, 48 for each.
const BATCH: usize = 128;
/// How long a transaction may take. A database that takes longer is not to keep everybody waiting:
/// whether it has been written is then as unknown as after a lost connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long after its last use a connection is taken to be there without asking.
const FRESH: Duration = Duration::from_millis(100);

struct Job {
    commit: Commit,
    done: oneshot::Sender<Result<bool, Problem>>,
}

/// Takes decisions to be written.
#[derive(Clone)]
pub struct Committer {
    jobs: mpsc::Sender<Job>,
}

impl Committer {
    /// Starts as many writers as given, each with a connection of its own and one transaction at a time.
    pub fn start(pool: &PgPool, writers: u32) -> Self {
        let pool = connections(pool, writers);
        let (jobs, queue) = mpsc::channel(4096);
        let queue = std::sync::Arc::new(tokio::sync::Mutex::new(queue));
        for _ in 0..writers {
            tokio::spawn(write_batches(pool.clone(), std::sync::Arc::clone(&queue)));
        }
        Self { jobs }
    }

    /// Writes a decision; false if another process was first at its version.
    ///
    /// # Errors
    /// [`Kind::Unavailable`] where the database is away: it may or may not have been written.
    pub async fn write(&self, commit: Commit) -> Result<bool, Problem> {
        let (done, answer) = oneshot::channel();
        let away = || Problem::plain(Kind::Unavailable).retry_after(1);
        self.jobs.send(Job { commit, done }).await.map_err(|_| away())?;
        answer.await.map_err(|_| away())?
    }
}

/// The writers' connections, to the database of `pool`. What they write is always the same statement over arrays:
/// planning it anew would take longer than carrying it out.
fn connections(pool: &PgPool, count: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(count)
        .acquire_timeout(pool.options().get_acquire_timeout())
        .after_connect(|connection, _| {
            Box::pin(async move {
                connection.execute("SET plan_cache_mode = force_generic_plan").await?;
                Ok(())
            })
        })
        // One that was in use a moment ago is still there.
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for > FRESH {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .connect_lazy_with((*pool.connect_options()).clone())
}

async fn write_batches(pool: PgPool, queue: std::sync::Arc<tokio::sync::Mutex<mpsc::Receiver<Job>>>) {
    loop {
        let mut jobs = Vec::with_capacity(BATCH);
        // The lock is held only while the batch is gathered, so that writers take turns.
        if queue.lock().await.recv_many(&mut jobs, BATCH).await == 0 {
            return;
        }
        write_batch(&pool, jobs).await;
    }
}

async fn write_batch(pool: &PgPool, mut jobs: Vec<Job>) {
    // All processes insert in one order, so that none waits for a row of another that waits for its own.
    jobs.sort_by_key(|job| job.commit.id);
    let commits: Vec<_> = jobs.iter().map(|job| &job.commit).collect();
    match write_in_time(pool, &commits).await {
        Ok(first) => {
            for (job, first) in jobs.into_iter().zip(first) {
                let _gone = job.done.send(Ok(first));
            }
        }
        // A row that the database refuses must hurt only itself: each is tried alone.
        Err(error) if jobs.len() > 1 && is_of_one(&error) => {
            tracing::warn!(%error, jobs = jobs.len(), "a shared transaction failed; trying one by one");
            for job in jobs {
                let result = write_in_time(pool, &[&job.commit]).await;
                let _gone = job.done.send(result.map(|first| first == [true]).map_err(Problem::from));
            }
        }
        Err(error) => {
            let problem = Problem::from(error);
            for job in jobs {
                let _gone = job.done.send(Err(problem.clone()));
            }
        }
    }
}

/// Whether it may be the fault of one decision alone, and nothing was written. A backend that is told to end (class
/// 57) may have committed before it says so.
fn is_of_one(error: &Undone) -> bool {
    let Undone::Database(error) = error else { return true };
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| !code.starts_with("57") && !code.starts_with("08"))
}

async fn write_in_time(pool: &PgPool, commits: &[&Commit]) -> Result<Vec<bool>, Undone> {
    let written = tokio::time::timeout(PATIENCE, commit::write(pool, commits)).await;
    written.unwrap_or_else(|_| Err(sqlx::Error::PoolTimedOut.into()))
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;

    use sqlx::error::ErrorKind;

    use super::*;

    /// What PostgreSQL answers with this SQLSTATE.
    #[derive(Debug)]
    struct Answer(&'static str);

    impl fmt::Display for Answer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Answer {}

    impl DatabaseError for Answer {
        fn message(&self) -> &str {
            self.0
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }

        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn refused(state: &'static str) -> bool {
        is_of_one(&sqlx::Error::Database(Box::new(Answer(state))).into())
    }

    #[test]
    fn only_what_certainly_was_not_written_is_tried_again() {
        // A check, a lock that was given up, a value too large.
        assert!(["23514", "40P01", "22003"].into_iter().all(refused));
        // An end by the administrator, a crash, a connection that failed.
        assert!(!["57P01", "57P02", "08006"].into_iter().any(refused));
        assert!(!is_of_one(&sqlx::Error::PoolTimedOut.into()));
        assert!(is_of_one(&Undone::TakenOver));
    }
}
