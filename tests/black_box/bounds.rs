//! What one client can hold of the server: streams, time, sizes.

use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::play::humans;
use crate::server::{Server, database};
use crate::socket_client::Socket;

#[actix_web::test]
async fn streams_are_counted_by_token_by_address_and_in_all() {
    let database = database().await;
    let server = Server::on(&database, |settings| {
        (settings.streams_per_token, settings.streams_per_address, settings.streams) = (2, 4, 0);
    })
    .await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let refused = async |seat: Option<usize>| {
        let request = server.request(Method::GET, &format!("{}/events/stream", table.path));
        let request = if let Some(seat) = seat { request.bearer_auth(&table.tokens[seat]) } else { request };
        let answer = server.send(request).await;
        assert!(answer.headers.contains_key("retry-after"));
        answer.code(429)
    };
    let mut held = vec![Socket::of(&table, Some(0), None).await, Socket::of(&table, Some(0), None).await];
    assert_eq!(refused(Some(0)).await, "too-many-streams");
    held.push(Socket::of(&table, Some(1), None).await);
    held.push(Socket::of(&table, None, None).await);
    assert_eq!(refused(None).await, "too-many-streams");
    // What is refused a stream can still ask.
    assert_eq!(table.public().await["status"], "active");
    held.clear();
    tokio::time::sleep(Duration::from_millis(300)).await;
    held.push(Socket::of(&table, Some(0), None).await);

    let small = Server::on(&database, |settings| settings.streams = 1).await;
    let there = crate::server::Match { server: &small, path: table.path.clone(), tokens: table.tokens.clone() };
    let _held = Socket::of(&there, None, None).await;
    let answer = small.get(&format!("{}/events/stream", table.path), None).await;
    assert!(answer.headers.contains_key("retry-after"));
    assert_eq!(answer.code(503), "busy");
}

#[actix_web::test]
async fn opening_streams_and_asking_have_budgets_of_their_own() {
    let server = Server::on(&database().await, |settings| {
        (settings.rate_limit, settings.stream_rate) = (2, 1);
    })
    .await;
    let table = server.create(&humans("twenty_one", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    let stream = format!("{}/events/stream", table.path);
    let refused = loop {
        let answer = server.get(&stream, None).await;
        assert_eq!(answer.headers["ratelimit-limit"], "10");
        if answer.status != 200 {
            break answer;
        }
    };
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.code(429), "rate-limited");
    assert_eq!(Socket::open(&table, "", &[]).await.err().unwrap().1, "rate-limited");
    let asked = server.get(&table.path, None).await;
    assert_eq!((asked.status.as_u16(), &asked.headers["ratelimit-limit"]), (200, &"20".parse().unwrap()));
}

/// Actions over a socket are requests like any other.
#[actix_web::test]
async fn actions_over_a_socket_count_as_requests() {
    let server = Server::on(&database().await, |settings| settings.rate_limit = 1).await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let mut socket = Socket::of(&table, Some(0), None).await;
    let mut answered = 0;
    while !socket.ask(&json!({"action": {"type": "roll"}, "dry_run": true})).await.contains("rate-limited") {
        answered += 1;
    }
    assert!((5..=12).contains(&answered), "{answered}");
}

/// Sends bytes, then nothing, or a byte now and then; what comes back, and when the server gave up.
async fn dribble(server: &Server, head: &str, drop_by_drop: &str) -> (String, Duration) {
    let address = server.base.strip_prefix("http://").unwrap();
    let (begun, mut stream) = (Instant::now(), TcpStream::connect(address).await.unwrap());
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let mut received = Vec::new();
    let write = async {
        for byte in drop_by_drop.bytes().cycle() {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if writer.write_all(&[byte]).await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        read = tokio::time::timeout(Duration::from_secs(20), reader.read_to_end(&mut received)) => {
            drop(read.expect("the server waits for ever"));
        }
        () = write => {}
    }
    (String::from_utf8_lossy(&received).into_owned(), begun.elapsed())
}

#[actix_web::test]
async fn who_sends_drop_by_drop_is_not_waited_for() {
    let server = Server::on(&database().await, |settings| settings.request_seconds = 1).await;
    let post = "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n";
    for (what, head, more, status) in [
        ("nothing of a head", "", "", "408"),
        ("half a head", "GET /v1/games HTTP/1.1\r\nHost: x\r\n", "", "408"),
        ("a head drop by drop", "GET /v1/games HTTP/1.1\r\nHost: x\r\nX-Slow: ", "a", "408"),
        ("no body", post, "", "408"),
        ("a body drop by drop", post, " ", "408"),
    ] {
        let (text, time) = dribble(&server, head, more).await;
        let in_time = Duration::from_millis(400)..Duration::from_secs(6);
        assert!(in_time.contains(&time), "{what}: {time:?} {text}");
        assert!(text.is_empty() || text.starts_with(&format!("HTTP/1.1 {status}")), "{what}: {text}");
        if what.contains("body") {
            assert!(text.contains("\"code\":\"request-timeout\""), "{what}: {text}");
        }
    }
    // A connection that asks nothing more is closed by and by.
    let idle = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    let (text, time) = dribble(&server, idle, "").await;
    assert!(text.starts_with("HTTP/1.1 200") && time < Duration::from_secs(10), "{time:?}");
}

#[actix_web::test]
async fn a_head_has_a_size() {
    let server = Server::start().await;
    let many = "X-Many: y\r\n".repeat(200);
    let long = format!("X-Long: {}\r\n", "y".repeat(200 * 1024));
    for (what, head) in [
        ("many headers", format!("GET /v1/games HTTP/1.1\r\nHost: x\r\n{many}\r\n")),
        ("a long header", format!("GET /v1/games HTTP/1.1\r\nHost: x\r\n{long}\r\n")),
        ("a long path", format!("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", "y".repeat(200 * 1024))),
        ("no HTTP", "\u{16}\u{3}\u{1}\u{2}".repeat(100)),
    ] {
        let address = server.base.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).await.unwrap();
        let _refused_on_the_way = stream.write_all(head.as_bytes()).await;
        let mut received = Vec::new();
        let read = stream.read_to_end(&mut received);
        let _reset = tokio::time::timeout(Duration::from_secs(10), read).await.expect("it stays open");
        let text = String::from_utf8_lossy(&received);
        assert!(text.is_empty() || text.starts_with("HTTP/1.1 4"), "{what}: {text:.200}");
        assert!(!text.contains("<html"), "{what}: {text:.200}");
    }
    assert_eq!(server.get("/healthz", None).await.status, 200);
}

/// More connections than it takes wait, and are served when others leave.
#[actix_web::test]
async fn connections_over_the_limit_wait() {
    let server = Server::on(&database().await, |settings| {
        (settings.connections, settings.workers) = (8, 1);
    })
    .await;
    let address = server.base.strip_prefix("http://").unwrap();
    let mut held = Vec::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
        held.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut late = TcpStream::connect(address).await.unwrap();
    late.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    let mut text = String::new();
    let early = tokio::time::timeout(Duration::from_millis(500), late.read_to_string(&mut text)).await;
    assert!(early.is_err(), "{text}");
    held.clear();
    tokio::time::timeout(Duration::from_secs(10), late.read_to_string(&mut text))
        .await
        .expect("it is not served")
        .unwrap();
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
}
