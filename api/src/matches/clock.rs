//! The clock on the wall: carries out what falls due though nobody acts.
//!
//! Every process looks at the same table of what is due. Two may find the same match; the unique
//! key of the log lets one of them act, and the other then finds nothing left to do.

use std::time::Duration;

use actix_web::web;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use super::store::create::ensure_months;
use crate::http::idempotency;
use crate::http::limits::Budgets;
use crate::http::problem::Kind;
use crate::ids::MatchId;

/// How often to look for what is due.
const TICK: Duration = Duration::from_millis(100);
/// How many matches are looked after in one go.
const BATCH: i64 = 64;
/// How long a match that cannot be looked after is left alone.
const SET_ASIDE: f64 = 60.0;

/// Looks after what is due until the server stops.
pub async fn run(desk: Desk, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
        if let Err(error) = tick(&desk).await {
            tracing::warn!(%error, "what is due cannot be read");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

async fn tick(desk: &Desk) -> Result<(), sqlx::Error> {
    let ids = sqlx::query_scalar!("SELECT match_id FROM due WHERE due_at <= now() ORDER BY due_at LIMIT $1", BATCH)
        .fetch_all(&desk.pool)
        .await?;
    let tasks: Vec<_> = ids
        .into_iter()
        .map(|id| {
            let desk = desk.clone();
            tokio::spawn(async move { look_after(&desk, MatchId(id)).await })
        })
        .collect();
    for task in tasks {
        if let Err(error) = task.await {
            tracing::error!(%error, "looking after a match broke off");
        }
    }
    Ok(())
}

/// Carries out what is due in one match; one that cannot be read hurts only itself.
async fn look_after(desk: &Desk, id: MatchId) {
    let done = async {
        let live = desk.get(id).await?;
        let _turn = live.turn.lock().await;
        desk.run_due(&live).await?;
        desk.note_due(&live).await
    };
    match done.await {
        Ok(()) => {}
        Err(problem) if problem.kind() == Kind::Unavailable => {}
        Err(problem) => {
            tracing::error!(%id, %problem, "a match cannot be looked after; it is set aside");
            if let Err(error) = set_aside(&desk.pool, id).await {
                tracing::warn!(%id, %error, "it cannot be set aside either");
            }
        }
    }
}

async fn set_aside(pool: &PgPool, id: MatchId) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE due SET due_at = now() + make_interval(secs => $2) WHERE match_id = $1", id.0, SET_ASIDE)
        .execute(pool)
        .await?;
    Ok(())
}

/// Keeps house once an hour: partitions for the months ahead, answers older than a day, idle
/// clients' budgets.
pub async fn keep_house(pool: PgPool, budgets: web::Data<Option<std::sync::Arc<Budgets>>>, stop: CancellationToken) {
    loop {
        if let Err(error) = ensure_months(&pool).await {
            tracing::warn!(%error, "the partitions of the months ahead cannot be made");
        }
        match idempotency::forget_old(&pool).await {
            Ok(0) => {}
            Ok(count) => tracing::debug!(count, "old idempotent answers are forgotten"),
            Err(error) => tracing::warn!(%error, "old idempotent answers cannot be forgotten"),
        }
        if let Some(budgets) = budgets.as_ref() {
            budgets.forget_idle();
        }
        if stop.run_until_cancelled(tokio::time::sleep(Duration::from_hours(1))).await.is_none() {
            return;
        }
    }
}
