//! Group commit: decisions of different matches that arrive together share one transaction.
//!
//! While one transaction is on its way to the disk, what arrives waits for the next; so the more
//! there is to do, the more share a commit. Nobody's answer leaves before its commit.

use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use super::commit::{self, Commit};
use crate::http::Problem;
use crate::http::problem::Kind;

/// The most decisions that share a transaction.
const BATCH: usize = 128;

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
    /// Starts as many writers as given, each with one transaction at a time.
    pub fn start(pool: &PgPool, writers: usize) -> Self {
        let (jobs, queue) = mpsc::channel(4096);
        let queue = std::sync::Arc::new(tokio::sync::Mutex::new(queue));
        for _ in 0..writers.max(1) {
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

async fn write_batch(pool: &PgPool, jobs: Vec<Job>) {
    let commits: Vec<_> = jobs.iter().map(|job| &job.commit).collect();
    match commit::write(pool, &commits).await {
        Ok(first) => {
            for (job, first) in jobs.into_iter().zip(first) {
                let _gone = job.done.send(Ok(first));
            }
        }
        // A row that the database refuses must hurt only itself: each is tried alone.
        Err(sqlx::Error::Database(error)) if jobs.len() > 1 => {
            tracing::warn!(%error, jobs = jobs.len(), "a shared transaction failed; trying one by one");
            for job in jobs {
                let result = commit::write(pool, &[&job.commit]).await;
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
