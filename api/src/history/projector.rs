//! Folds finished matches, each once, on any number of processes.
//!
//! The database notes a match in the transaction that finishes it. A projector locks some of those
//! notes, passing over what others have locked, and deletes them in the transaction that adds up
//! what came of the matches: either both happen or neither does, whatever becomes of the process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use sqlx::{PgPool, Postgres, Transaction};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::fold::{Folded, fold};
use super::{ratings, source, store};
use crate::http::problem::passes;

/// How often to look for finished matches when there are none.
const IDLE: Duration = Duration::from_millis(250);
/// How long to wait when the database is away.
const PAUSE: Duration = Duration::from_secs(1);
/// How many matches share a transaction.
const BATCH: i64 = 1000;

/// Folds what is finished until the server stops.
pub async fn run(pool: PgPool, stop: CancellationToken) {
    loop {
        let pause = match once(&pool).await {
            Ok(Done { folded: 0, rated: 0 }) => IDLE,
            Ok(_) => Duration::ZERO,
            Err(error) => {
                tracing::warn!(%error, "finished matches cannot be folded");
                PAUSE
            }
        };
        if stop.run_until_cancelled(tokio::time::sleep(pause)).await.is_none() {
            return;
        }
    }
}

/// How many matches were dealt with.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Done {
    /// Folded, or set aside.
    pub folded: usize,
    /// Rated: those of two or more registered players, a moment after their end.
    pub rated: usize,
}

/// Folds and rates some of the matches that wait; none when none is left to this process, and while
/// the projections are made again.
///
/// # Errors
/// Where the database is away, full, or busy otherwise: the same may be tried again.
pub async fn once(pool: &PgPool) -> Result<Done, sqlx::Error> {
    let mut taken = Vec::new();
    let folded = match fold_some(pool, BATCH, &mut taken).await {
        // What is too much in one transaction may be done in smaller ones.
        Err(error) if error.as_database_error().is_some() || !passes(&error) => {
            tracing::warn!(%error, matches = taken.len(), "a shared transaction failed; trying one by one");
            one_by_one(pool, taken.len()).await?
        }
        result => result?,
    };
    Ok(Done { folded, rated: ratings::rate_some(pool).await? })
}

/// Has the matches that were set aside tried again; how many.
///
/// # Errors
/// Where the database is away.
pub async fn take_up(pool: &PgPool) -> Result<u64, sqlx::Error> {
    let taken_up = sqlx::query!("UPDATE history.pending SET set_aside = NULL WHERE set_aside IS NOT NULL");
    Ok(taken_up.execute(pool).await?.rows_affected())
}

/// Keeps projectors out until the transaction ends, after those that are at it.
///
/// # Errors
/// Where the database is away.
pub(super) async fn keep_out(transaction: &mut Transaction<'_, Postgres>) -> Result<(), sqlx::Error> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('takujo.projector'))").execute(&mut **transaction).await?;
    Ok(())
}

/// Folds matches each in a transaction of its own; what the database refuses hurts only itself.
async fn one_by_one(pool: &PgPool, count: usize) -> Result<usize, sqlx::Error> {
    let mut done = 0;
    for _ in 0..count {
        let mut taken = Vec::new();
        match fold_some(pool, 1, &mut taken).await {
            Ok(folded) => done += folded,
            Err(error) if passes(&error) => return Err(error),
            Err(error) => {
                let mut transaction = pool.begin().await?;
                for id in taken {
                    set_aside(&mut transaction, id, &error.to_string()).await?;
                }
                transaction.commit().await?;
                done += 1;
            }
        }
    }
    Ok(done)
}

/// Folds up to so many matches in one transaction and answers with how many it has dealt with.
/// `taken` names them, also where the transaction fails.
async fn fold_some(pool: &PgPool, limit: i64, taken: &mut Vec<Uuid>) -> Result<usize, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    // Any number of projectors hold the lock together.
    let may_fold =
        sqlx::query_scalar!(r#"SELECT pg_try_advisory_xact_lock_shared(hashtext('takujo.projector')) AS "may_fold!""#);
    if !may_fold.fetch_one(&mut *transaction).await? {
        return Ok(0);
    }
    *taken = sqlx::query_scalar!(
        "SELECT match_id FROM history.pending WHERE set_aside IS NULL
         ORDER BY finished_at, match_id LIMIT $1 FOR UPDATE SKIP LOCKED",
        limit,
    )
    .fetch_all(&mut *transaction)
    .await?;
    if taken.is_empty() {
        return Ok(0);
    }
    let sources = source::read(&mut transaction, taken).await?;
    let results = tokio::task::spawn_blocking(move || {
        let fold_one = |(id, finished): (Uuid, Result<source::Finished, String>)| {
            (id, finished.and_then(|finished| caught(|| fold(&finished))))
        };
        sources.into_iter().map(fold_one).collect::<Vec<_>>()
    });
    // It breaks off only where the runtime ends: what panics is caught match by match.
    let results = results.await.map_err(|_| sqlx::Error::WorkerCrashed)?;
    let mut matches: Vec<Folded> = Vec::with_capacity(results.len());
    let mut missing = taken.clone();
    for (id, result) in results {
        missing.retain(|other| *other != id);
        match result {
            Ok(folded) => matches.push(folded),
            Err(what) => set_aside(&mut transaction, id, &what).await?,
        }
    }
    for id in missing {
        set_aside(&mut transaction, id, "it is not in the database").await?;
    }
    if !matches.is_empty() {
        store::add(&mut transaction, &matches).await?;
        let done: Vec<_> = matches.iter().map(|folded| folded.id).collect();
        sqlx::query!("DELETE FROM history.pending WHERE match_id = ANY($1)", &done).execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    Ok(taken.len())
}

/// What comes of a match; a defect that panics over it is that match's own.
fn caught<T>(fold: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    // Nothing that the panic may have left halfway is looked at again.
    catch_unwind(AssertUnwindSafe(fold)).unwrap_or_else(|_| Err("the program fails over it".to_owned()))
}

/// Sets a match aside that cannot be folded: it keeps no other waiting.
async fn set_aside(transaction: &mut Transaction<'_, Postgres>, id: Uuid, what: &str) -> Result<(), sqlx::Error> {
    tracing::error!(%id, what, "a finished match cannot be folded; it is set aside until takujo project tries it again");
    sqlx::query!("UPDATE history.pending SET set_aside = $2 WHERE match_id = $1", id, what)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_over_a_match_is_that_matchs_own() {
        let panics: fn() -> Result<u8, String> = || panic!("a defect");
        let one_by_one = [|| Ok(1), panics, || Err("castled".to_owned()), || Ok(2)].map(caught);
        assert!(matches!(&one_by_one, [Ok(1), Err(_), Err(what), Ok(2)] if what == "castled"), "{one_by_one:?}");
    }
}
