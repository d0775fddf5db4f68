//! The server's clock.

use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use rules::time::Timestamp;
use tokio_util::sync::CancellationToken;

/// What the server's clock shows.
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
