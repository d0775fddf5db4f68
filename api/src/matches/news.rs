//! News from other server processes: what they commit is read again here.
//!
//! A notification only wakes; the rows are read. While the connection is away nothing in memory is
//! trusted.

use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use crate::ids::MatchId;

/// The channel on which every commit of steps is told: match ids, each with its newest version.
const CHANNEL: &str = "takujo_steps";

/// Listens until the server stops.
pub async fn listen(desk: Desk, stop: CancellationToken) {
    while !stop.is_cancelled() {
        match stop.run_until_cancelled(hear(&desk)).await {
            None => return,
            Some(Ok(())) => tracing::warn!("the connection for news of other processes was lost"),
            Some(Err(error)) => tracing::warn!(%error, "news of other processes cannot be had"),
        }
        desk.forget_all();
        stop.run_until_cancelled(tokio::time::sleep(Duration::from_secs(1))).await;
    }
}

/// Listens until the connection is lost.
async fn hear(desk: &Desk) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(&desk.pool).await?;
    listener.listen(CHANNEL).await?;
    // What was committed before anybody listened.
    desk.forget_all();
    while let Some(news) = listener.try_recv().await? {
        for (id, version) in news.payload().split(',').filter_map(read) {
            if let Err(problem) = desk.refresh(id, version).await {
                tracing::warn!(%id, %problem, "a match cannot be read again");
            }
        }
    }
    Ok(())
}

fn read(item: &str) -> Option<(MatchId, u32)> {
    let (id, version) = item.split_once(' ')?;
    Some((id.parse().ok()?, version.parse().ok()?))
}
