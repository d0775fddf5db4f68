//! Work that takes a while.

use std::sync::LazyLock;

use tokio::sync::Semaphore;

use crate::http::Problem;
use crate::http::problem::Kind;

/// Runs what takes a while beside the threads that answer requests.
///
/// # Errors
/// [`Kind::Internal`] where it breaks off.
pub async fn blocking<R: Send + 'static>(work: impl FnOnce() -> R + Send + 'static) -> Result<R, Problem> {
    static PLACES: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(places()));
    let place = PLACES.acquire().await;
    // The work has the place, not who waits for it: it goes on where its client has gone.
    let placed = move || {
        let _place = place;
        work()
    };
    tokio::task::spawn_blocking(placed).await.map_err(|error| {
        tracing::error!(%error, "a decision broke off");
        Problem::plain(Kind::Internal)
    })
}

/// As many at a time as there are cores, and one: what waits then takes no core from the rest.
fn places() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| cores.get() + 1)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[actix_web::test]
    async fn work_that_nobody_waits_for_keeps_its_place() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            MOST.fetch_max(RUNNING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(200));
            RUNNING.fetch_sub(1, Ordering::SeqCst);
        };
        for _ in 0..4 * places() {
            let given_up = tokio::time::timeout(Duration::from_millis(5), blocking(work)).await;
            assert!(given_up.is_err());
        }
        blocking(work).await.unwrap();
        assert!(MOST.load(Ordering::SeqCst) <= places(), "{MOST:?} run at a time");
    }
}
