//! Readers that do not read: bounded, dropped with an end that can be resumed, nobody else's burden.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::server::{Match, Server, database};
use crate::socket_client::Socket;

/// A match with more events than the buffers on the way hold.
async fn long_match(server: &Server) -> Match<'_> {
    let table =
        server.create(&json!({"game": "twenty_one", "seats": vec![json!({}); 6], "options": {"games": 100}})).await;
    let mut seat = table.public().await["to_act"][0].as_u64().unwrap();
    for _ in 0..1_500 {
        let rolled = table.act(seat as usize, json!({"type": "roll"})).await.expect(200);
        seat = rolled["match"]["to_act"][0].as_u64().expect("it goes on");
    }
    table
}

/// Opens a stream over a connection that holds little on its way.
async fn narrow(table: &Match<'_>, tail: &str, headers: &str) -> TcpStream {
    let address = table.server.base.strip_prefix("http://").unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(2048).unwrap();
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let head = format!("GET {}{tail} HTTP/1.1\r\nHost: {address}\r\n{headers}\r\n", table.path);
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Everything that still comes, and whether it ended in order.
async fn rest(mut stream: TcpStream) -> (String, bool) {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 16 * 1024]);
    let in_order = loop {
        match tokio::time::timeout(Duration::from_secs(20), stream.read(&mut chunk)).await.expect("it stays open") {
            Ok(0) => break true,
            Ok(count) => bytes.extend_from_slice(&chunk[..count]),
            Err(_) => break false,
        }
        if bytes.ends_with(b"0\r\n\r\n") {
            break true;
        }
    };
    (String::from_utf8_lossy(&bytes).into_owned(), in_order)
}

/// The lines of a chunked answer: each message is a chunk of its own.
fn lines(text: &str) -> Vec<Value> {
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).filter(Value::is_object).collect()
}

fn last_id(messages: &[Value]) -> u64 {
    messages.iter().rev().find_map(|message| message["id"].as_u64()).unwrap()
}

const LINES: &str = "Accept: application/x-ndjson\r\n";
const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

#[actix_web::test]
async fn a_slow_reader_is_told_where_to_go_on_and_misses_nothing() {
    let server = Server::on(&database().await, |settings| settings.slow_reader_seconds = 1).await;
    let table = long_match(&server).await;
    let history = server.get(&format!("{}/events", table.path), None).await.expect(200);
    let history = history["events"].as_array().unwrap().clone();
    let stream = narrow(&table, "/events/stream?after=0", LINES).await;
    // Longer than the server's patience, shorter than the system's.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let (text, in_order) = rest(stream).await;
    assert!(in_order);
    let mut seen = lines(&text);
    let end = seen.pop().unwrap();
    assert_eq!(end, json!({"message": "end", "id": last_id(&seen), "data": {"reason": "slow"}}));
    let mut events: Vec<_> = seen.into_iter().filter(|message| message["message"] == "event").collect();
    assert!(!events.is_empty() && events.len() < history.len(), "{} of {}", events.len(), history.len());

    let mut again = Socket::of(&table, None, end["id"].as_u64()).await;
    while events.len() < history.len() {
        events.push(again.next_of("event").await);
    }
    assert_eq!(events.into_iter().map(|event| event["data"].clone()).collect::<Vec<_>>(), history);
}

#[actix_web::test]
async fn who_reads_nothing_is_dropped_and_slows_nobody() {
    let server = Server::on(&database().await, |settings| {
        (settings.slow_reader_seconds, settings.streams) = (1, 20);
    })
    .await;
    let table = long_match(&server).await;
    let mut deaf = Vec::new();
    for _ in 0..9 {
        deaf.push(narrow(&table, "/events/stream?after=0", LINES).await);
        deaf.push(narrow(&table, "/ws?after=0", UPGRADE).await);
    }
    // Another reads on as ever.
    let mut reader = Socket::of(&table, None, None).await;
    reader.next_of("clock").await;
    let begun = Instant::now();
    table.act(0, json!({"type": "resign"})).await.expect(200);
    reader.next_of("event").await;
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());

    // Their places are free again though they have never read a byte.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let mut fresh = Vec::new();
    for _ in 0..18 {
        fresh.push(Socket::open(&table, "", &[]).await.unwrap());
    }
    for stream in deaf {
        let (text, _) = rest(stream).await;
        assert!(text.len() < 512 * 1024, "{} bytes were held for one reader", text.len());
    }
}

/// A socket that reads again in time is closed with the code for it.
#[actix_web::test]
async fn a_slow_socket_is_closed_with_its_code() {
    let server = Server::on(&database().await, |settings| settings.slow_reader_seconds = 1).await;
    let table = long_match(&server).await;
    let mut stream = narrow(&table, "/ws?after=0", UPGRADE).await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let mut bytes = Vec::new();
    let read = stream.read_to_end(&mut bytes);
    tokio::time::timeout(Duration::from_secs(20), read).await.expect("it stays open").unwrap();
    let text = String::from_utf8_lossy(&bytes).into_owned();
    assert!(text.ends_with("too slow; come again with after="), "{:?}", &text[text.len() - 80..]);
    let at = bytes.len() - "too slow; come again with after=".len() - 2;
    assert_eq!(bytes[at - 2], 0x88);
    assert_eq!(u16::from_be_bytes([bytes[at], bytes[at + 1]]), 4008);
}
