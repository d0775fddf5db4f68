//! What is set on every connection when it is accepted.

use std::any::Any;
use std::io;
use std::time::Duration;

use actix_web::rt::net::TcpStream;
use socket2::SockRef;

/// What may wait unsent in the system's own buffer, in bytes: a reader that takes nothing holds up
/// what this process still has, which is bounded, instead of filling megabytes of the system's.
#[cfg(target_os = "linux")]
const UNSENT: u32 = 16 * 1024;

/// Bounds what a peer that takes nothing can hold: the system drops the connection after `patience`
/// in which it took none of what waits for it.
///
/// A connection on which this cannot be set is served all the same: streams end by their own clock.
pub fn accepted(connection: &dyn Any, patience: Duration) {
    let bounded = connection.downcast_ref::<TcpStream>().map(|stream| bound(&SockRef::from(stream), patience));
    if let Some(Err(error)) = bounded {
        tracing::debug!(%error, "a connection cannot be bounded");
    }
}

#[cfg(target_os = "linux")]
fn bound(socket: &SockRef<'_>, patience: Duration) -> io::Result<()> {
    socket.set_tcp_user_timeout(Some(patience))?;
    socket.set_tcp_notsent_lowat(UNSENT)
}

/// Other systems give up on a silent peer by their own clocks.
#[cfg(not(target_os = "linux"))]
fn bound(socket: &SockRef<'_>, _: Duration) -> io::Result<()> {
    socket.set_keepalive(true)
}
