//! News from other server processes: what they commit is read again here.
//!
//! A notification only wakes; the rows are read. While the connection is away nothing in memory is
//! trusted.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgListener;
use tokio_util::sync::CancellationToken;

use super::desk::Desk;
use super::live::Live;
use super::presence;
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
    listener.listen_all([CHANNEL, presence::CHANNEL]).await?;
    // What was committed before anybody listened.
    desk.forget_all();
    desk.presence.start_over();
    while let Some(news) = listener.try_recv().await? {
        if news.channel() == presence::CHANNEL {
            desk.presence.hear(news.payload());
            continue;
        }
        for (id, version) in news.payload().split(',').filter_map(read) {
            if let Some(live) = desk.note(id, version).await {
                // One match that takes its time to be read holds up no other.
                tokio::spawn(read_again(desk.clone(), live, version));
            }
        }
    }
    Ok(())
}

async fn read_again(desk: Desk, live: Arc<Live>, version: u32) {
    if let Err(problem) = desk.bring_to(&live, version).await {
        tracing::warn!(id = %live.facts.id, %problem, "a match cannot be read again");
    }
}

fn read(item: &str) -> Option<(MatchId, u32)> {
    let (id, version) = item.split_once(' ')?;
    Some((id.parse().ok()?, version.parse().ok()?))
}
