//! Which seats are connected, as streams and sockets tell it.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::play::humans;
use crate::server::{Match, Server, database};
use crate::socket_client::Socket;

/// Waits until a socket tells of these seats; how long that took.
async fn shows(socket: &mut Socket, seats: Value) -> Duration {
    let begun = Instant::now();
    while socket.next_of("presence").await["data"] != json!({"connected": seats}) {}
    begun.elapsed()
}

#[actix_web::test]
async fn who_is_connected_shows_on_every_server_and_nothing_else_does() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&humans("kamudakara", 3)).await;
    let there = Match { server: &two, path: here.path.clone(), tokens: here.tokens.clone() };
    let mut looker = Socket::of(&here, None, None).await;
    shows(&mut looker, json!([])).await;

    let first = Socket::of(&here, Some(2), None).await;
    assert!(shows(&mut looker, json!([2])).await < Duration::from_secs(1));
    let mut far = Socket::of(&there, Some(0), None).await;
    assert!(shows(&mut looker, json!([0, 2])).await < Duration::from_secs(1));
    shows(&mut far, json!([0, 2])).await;
    // A stream counts like a socket, and twice is once.
    let request = two.request(Method::GET, &format!("{}/events/stream", there.path)).bearer_auth(&there.tokens[2]);
    let stream = request.send().await.unwrap();
    drop(first);
    let again = Socket::of(&here, Some(2), None).await;
    drop(again);
    tokio::time::sleep(Duration::from_millis(500)).await;
    drop(stream);
    assert!(shows(&mut looker, json!([0])).await < Duration::from_secs(3));
    drop(far);
    assert!(shows(&mut looker, json!([])).await < Duration::from_secs(1));

    // It says which seats, and says it alike to everybody.
    let mut own = Socket::of(&here, Some(1), None).await;
    let told = own.next_of("presence").await;
    assert_eq!(told, json!({"message": "presence", "data": {"connected": [1]}}));
    assert_eq!(looker.next_of("presence").await, told);
    assert!(!here.public().await.to_string().contains("connected"));
}
