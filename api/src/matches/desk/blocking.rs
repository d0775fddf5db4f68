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
    /// As many at a time as there are cores, and one: what waits then takes no core from the rest.
    static PLACES: LazyLock<Semaphore> =
        LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(2, |cores| cores.get() + 1)));
    let _place = PLACES.acquire().await;
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "a decision broke off");
        Problem::plain(Kind::Internal)
    })
}
