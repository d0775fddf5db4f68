//! The clock on the wall: carries out what falls due though nobody acts.
//!
//! Every process claims from the same table what is due, for a few seconds, so that no two work the
//! same out. Should two find the same match all the same, such as after a crash, the unique key of the
//! log lets one of them act, and the other then finds nothing left to do.

use std::sync::Arc;
use std::time::Duration;

use sqlx::PgPool;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use super::desk::{Desk, now};
use super::store::to_db;
use crate::http::problem::Kind;
use crate::ids::MatchId;

/// How often to look for what is due.
const TICK: Duration = Duration::from_millis(100);
/// How many matches are looked after at a time.
const AT_A_TIME: usize = 64;
/// How long a claim on a match holds; a match whose process was killed is that much later.
const CLAIM_SECONDS: f64 = 3.0;
/// How long a match that cannot be looked after is left alone.
const SET_ASIDE: f64 = 60.0;

/// Looks after what is due until the server stops.
pub async fn run(desk: Desk, stop: CancellationToken) {
    let places = Arc::new(Semaphore::new(AT_A_TIME));
    while stop.run_until_cancelled(tokio::time::sleep(TICK)).await.is_some() {
        if let Err(error) = tick(&desk, &places).await {
            tracing::warn!(%error, "what is due cannot be read");
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }
}

/// Claims as much as there is room for; what takes its time does not hold up the next tick.
async fn tick(desk: &Desk, places: &Arc<Semaphore>) -> Result<(), sqlx::Error> {
    let room = places.available_permits();
    if room == 0 {
        return Ok(());
    }
    for id in claim(&desk.pool, room).await? {
        let Ok(place) = Arc::clone(places).acquire_owned().await else { return Ok(()) };
        tokio::spawn(look_after(desk.clone(), id, place));
    }
    Ok(())
}

/// Claims matches in which something is due by this server's clock.
async fn claim(pool: &PgPool, room: usize) -> Result<Vec<MatchId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "UPDATE due SET claimed_until = now() + make_interval(secs => $2)
         WHERE match_id IN (
             SELECT match_id FROM due
             WHERE due_at <= $1 AND (claimed_until IS NULL OR claimed_until < now())
             ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING match_id",
        to_db(now()),
        CLAIM_SECONDS,
        room as i64,
    )
    .fetch_all(pool)
    .await?;
    Ok(ids.into_iter().map(MatchId).collect())
}

/// Carries out what is due in one match; one that cannot be read hurts only itself.
async fn look_after(desk: Desk, id: MatchId, _place: OwnedSemaphorePermit) {
    let done = async {
        let live = desk.get(id).await?;
        let _turn = live.turn.lock().await;
        desk.run_due(&live).await?;
        desk.note_due(&live).await
    };
    match done.await {
        Ok(()) => {}
        // The claim runs out, and whoever comes first tries again.
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
    sqlx::query!(
        "UPDATE due SET claimed_until = now() + make_interval(secs => $2) WHERE match_id = $1",
        id.0,
        SET_ASIDE
    )
    .execute(pool)
    .await?;
    Ok(())
}
