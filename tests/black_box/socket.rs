//! A match followed and played over a WebSocket.

use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite::Message;

use crate::play::humans;
use crate::server::{Match, Server, database};
use crate::socket_client::Socket;

/// The messages of a stream of lines, to its end.
async fn lines(table: &Match<'_>, seat: Option<usize>, after: u64) -> Vec<Value> {
    let request = table.server.request(Method::GET, &format!("{}/events/stream?after={after}", table.path));
    let request = request.header("Accept", "application/x-ndjson");
    let request = match seat {
        Some(seat) => request.bearer_auth(&table.tokens[seat]),
        None => request,
    };
    let text = table.server.send(request).await.text;
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What does not depend on when it is told.
fn settled(messages: Vec<Value>) -> Vec<Value> {
    let passing = [json!("clock"), json!("presence")];
    messages.into_iter().filter(|message| !passing.contains(&message["message"])).collect()
}

#[actix_web::test]
async fn a_socket_tells_what_a_stream_tells_from_wherever_it_begins() {
    let server = Server::start().await;
    let duel = server.create(&humans("kamudakara", 2)).await;
    let mut early = Socket::of(&duel, Some(0), None).await;
    assert_eq!(early.next().await.unwrap()["message"], "snapshot");
    let action = duel.legal(0).await[0].clone();
    duel.act(0, action).await.expect(200);
    duel.act(1, json!({"type": "resign"})).await.expect(200);
    let live = settled(early.all().await);
    let history = server.get(&format!("{}/events", duel.path), None).await.expect(200);
    let last = history["events"].as_array().unwrap().len() as u64;
    assert_eq!(live.last().unwrap(), &json!({"message": "end", "id": last, "data": {"reason": "finished"}}));
    let ids: Vec<_> = live.iter().map(|message| message["id"].as_u64().unwrap()).collect();
    assert!(ids[..ids.len() - 1].windows(2).all(|pair| pair[0] + 1 == pair[1]), "{ids:?}");

    for seat in [None, Some(0), Some(1)] {
        for after in 0..=last {
            let seen = settled(Socket::of(&duel, seat, Some(after)).await.all().await);
            assert_eq!(seen, settled(lines(&duel, seat, after).await), "{seat:?} after {after}");
        }
    }
    assert_eq!(Socket::of(&duel, None, None).await.closed().await, (1000, "the match is over".to_owned()));
}

#[actix_web::test]
async fn actions_over_a_socket_get_the_answers_of_their_posts() {
    let server = Server::start().await;
    let (one, other) = (server.create(&humans("twenty_one", 2)).await, server.create(&humans("twenty_one", 2)).await);
    let seat = one.public().await["to_act"][0].as_u64().unwrap() as usize;
    let mut socket = Socket::of(&one, Some(seat), None).await;
    let ask = async |socket: &mut Socket, message: Value| -> (u64, Value) {
        let answer: Value = serde_json::from_str(&socket.ask(&message).await).unwrap();
        (answer["status"].as_u64().unwrap(), answer["data"].clone())
    };
    for refused in [
        json!({"action": {"type": "stop"}}),
        json!({"action": {"type": "castle"}}),
        json!({"action": {"type": "roll"}, "version": 77}),
        json!({"action": {"type": "roll"}, "at_s": 1.0}),
    ] {
        let posted = one.post_action(seat, &refused).await;
        assert_eq!(ask(&mut socket, refused).await, (u64::from(posted.status.as_u16()), posted.json()));
    }
    let (status, refused) = ask(&mut socket, json!({"action": {"type": "roll"}, "dry_run": true})).await;
    assert_eq!((status, &refused["events"]), (200, &json!([])));

    let roll = json!({"id": "first", "action": {"type": "roll"}, "version": 1});
    let first = socket.ask(&roll).await;
    let answer: Value = serde_json::from_str(&first).unwrap();
    assert_eq!(
        (&answer["to"], &answer["status"], &answer["data"]["version"]),
        (&json!("first"), &json!(200), &json!(2))
    );
    assert_eq!(answer["data"]["match"], one.seen_by(seat).await);
    let happened = &answer["data"]["events"][0];
    let before = happened["seq"].as_u64().unwrap() - 1;
    assert_eq!(&Socket::of(&one, Some(seat), Some(before)).await.next_of("event").await["data"], happened);

    // Another seat's turn, another match's token, none at all.
    let mut not_mine =
        Socket::open(&one, "", &[("authorization", &format!("Bearer {}", one.tokens[1 - seat]))]).await.unwrap();
    let (status, problem) = ask(&mut not_mine, json!({"action": {"type": "castle"}})).await;
    assert!(status >= 400, "{problem}");
    let mut foreign =
        Socket::open(&one, "", &[("authorization", &format!("Bearer {}", other.tokens[0]))]).await.unwrap();
    let (status, problem) = ask(&mut foreign, json!({"action": {"type": "roll"}})).await;
    assert_eq!((status, &problem["code"]), (403, &json!("forbidden")));
    let mut public = Socket::of(&one, None, None).await;
    let (status, problem) = ask(&mut public, json!({"action": {"type": "roll"}})).await;
    assert_eq!((status, &problem["code"]), (401, &json!("token-required")));
    assert_eq!(one.public().await["version"], 2);
}

/// The same message again, on this socket or another server's, is answered byte for byte as at first.
#[actix_web::test]
async fn a_message_sent_again_gets_its_first_answer() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&humans("twenty_one", 2)).await;
    let there = Match { server: &two, path: here.path.clone(), tokens: here.tokens.clone() };
    let seat = here.public().await["to_act"][0].as_u64().unwrap() as usize;
    let roll = json!({"id": "a", "action": {"type": "roll"}});
    let mut socket = Socket::of(&here, Some(seat), None).await;
    let first = socket.ask(&roll).await;
    assert_eq!(socket.ask(&roll).await, first);
    assert_eq!(Socket::of(&there, Some(seat), None).await.ask(&roll).await, first);
    assert_eq!(there.public().await["version"], 2);
    let other = socket.ask(&json!({"id": "a", "action": {"type": "stop"}})).await;
    assert!(
        other.contains("idempotency-key-reused")
            && other.starts_with("{\"message\":\"answer\",\"to\":\"a\",\"status\":422")
    );
    // A refusal is an answer too.
    let wrong = json!({"id": "b", "action": {"type": "castle"}});
    let refused = socket.ask(&wrong).await;
    assert_eq!(socket.ask(&wrong).await, refused);
    for id in [String::new(), "x".repeat(256)] {
        assert!(socket.ask(&json!({"id": id, "action": {"type": "roll"}})).await.contains("\"status\":400"));
    }
    // After the end there is still time to ask what became of the last message.
    let last = json!({"id": "c", "action": {"type": "resign"}});
    let resigned = socket.ask(&last).await;
    let mut again = Socket::of(&there, Some(seat), None).await;
    assert_eq!(again.next_of("end").await["data"]["reason"], "finished");
    assert_eq!(again.ask(&last).await, resigned);
}

#[actix_web::test]
async fn a_token_comes_in_the_header_or_as_a_subprotocol() {
    let server = Server::start().await;
    let duel = server.create(&humans("kamudakara", 2)).await;
    let own = duel.seen_by(1).await;
    let token = &duel.tokens[1];
    for headers in [
        vec![("authorization", format!("Bearer {token}"))],
        vec![("sec-websocket-protocol", format!("takujo.v1, bearer.{token}"))],
        vec![("sec-websocket-protocol", format!("bearer.{token}, takujo.v1"))],
    ] {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut socket = Socket::open(&duel, "", &headers).await.unwrap();
        assert_eq!(socket.next().await.unwrap()["data"], own);
    }
    let refused = async |query: &str, headers: &[(&'static str, &str)]| {
        let (status, code) = Socket::open(&duel, query, headers).await.err().unwrap();
        (status.as_u16(), code)
    };
    let (bearer, protocol) = (format!("Bearer {token}"), format!("takujo.v1, bearer.{token}"));
    let wrong = format!("takujo.v1, bearer.{token}x");
    assert_eq!(refused("", &[("sec-websocket-protocol", &wrong)]).await, (401, "unknown-token".into()));
    assert_eq!(refused("", &[("authorization", "Bearer x")]).await, (401, "unknown-token".into()));
    let both = [("authorization", bearer.as_str()), ("sec-websocket-protocol", protocol.as_str())];
    assert_eq!(refused("", &both).await, (400, "bad-request".into()));
    assert_eq!(refused(&format!("?token={token}"), &[]).await, (400, "bad-request".into()));
    assert_eq!(refused("?seat=0", &[("authorization", &bearer)]).await, (403, "forbidden".into()));
    assert_eq!(refused("?seat=0", &[]).await, (401, "token-required".into()));

    let plain = server.get(&format!("{}/ws", duel.path), None).await;
    assert_eq!(plain.headers["upgrade"], "websocket");
    assert_eq!(plain.code(426), "upgrade-required");
}

/// A page may act from where it may POST, and look on from anywhere.
#[actix_web::test]
async fn pages_of_other_origins_look_on() {
    let server =
        Server::on(&database().await, |settings| settings.cors_origins = vec!["https://own.example".into()]).await;
    let duel = server.create(&humans("twenty_one", 2)).await;
    let host = server.base.clone();
    let protocol = format!("takujo.v1, bearer.{}", duel.tokens[0]);
    for (origin, may) in [("https://own.example", true), (&host, true), ("https://any.example", false), ("null", false)]
    {
        let headers = [("origin", origin), ("sec-websocket-protocol", protocol.as_str())];
        let mut socket = Socket::open(&duel, "", &headers).await.unwrap();
        assert_eq!(socket.next().await.unwrap()["message"], "snapshot");
        let answer = socket.ask(&json!({"action": {"type": "roll"}, "dry_run": true})).await;
        assert_eq!(answer.contains("\"status\":403"), !may, "{origin}: {answer}");
    }
}

/// What is no message is refused, or closes the socket with a code that says why.
#[actix_web::test]
async fn what_is_no_message_is_told_so() {
    let server = Server::start().await;
    let duel = server.create(&humans("hachiku", 2)).await;
    let mut socket = Socket::of(&duel, Some(0), None).await;
    for text in [
        "",
        " ",
        "null",
        "[]",
        "7",
        "{}",
        "resign",
        r#"{"action":{"type":"resign"}} {}"#,
        r#"{"action":{"type":"resign"},"action":{"type":"resign"}}"#,
        r#"[null,{"type":"resign"}]"#,
        r#"{"id":7,"action":{"type":"resign"}}"#,
        r#"{"type":"resign"}"#,
        &"[".repeat(60_000),
    ] {
        socket.say(text).await;
        let answer = socket.next_of("answer").await;
        assert_eq!((&answer["status"], &answer["data"]["code"]), (&json!(400), &json!("bad-request")), "{text:.60}");
    }
    // Whatever is wrong with a message: where it has an id, the answer is to it.
    for (id, rest) in [
        ("a", ""),
        ("b", r#","action":null"#),
        ("c", r#","action":"resign""#),
        ("d", r#","action":{"type":7}"#),
        ("e", r#","action":{"type":"resign"},"version":"1""#),
        ("f", r#","action":{"type":"resign"},"nonsense":1"#),
    ] {
        socket.say(format!(r#"{{"id":"{id}"{rest}}}"#)).await;
        let answer = socket.next_of("answer").await;
        assert_eq!((&answer["to"], &answer["status"]), (&json!(id), &json!(400)), "{rest}: {answer}");
    }
    socket.0.send(Message::Ping(vec![7].into())).await.unwrap();
    assert!(matches!(socket.0.next().await.unwrap().unwrap(), Message::Pong(bytes) if bytes[..] == [7]));
    socket.0.send(Message::binary(vec![1])).await.unwrap();
    assert_eq!(socket.closed().await.0, 1003);
    let mut socket = Socket::of(&duel, Some(0), None).await;
    socket.say("x".repeat(65 * 1024)).await;
    assert_eq!(socket.closed().await.0, 1009);
    let mut socket = Socket::of(&duel, Some(0), None).await;
    socket.0.close(None).await.unwrap();
    assert_eq!(duel.public().await["status"], "active");

    let huge = [vec![0x81, 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0, 0, 0, 0, 0], vec![0; 200 * 1024]].concat();
    for (frame, code) in [
        (vec![0x81, 2, b'{', b'}'], 1002),                // not masked
        (vec![0x83, 0x80, 0, 0, 0, 0], 1002),             // a reserved opcode
        (vec![0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007), // no UTF-8
        (huge, 1009),                                     // of 2 GiB that are announced
    ] {
        assert_eq!(raw_frame(&duel, &frame).await, Some(code), "{:x?}", &frame[..2]);
    }
}

/// Sends bytes after the handshake; the code of the close frame that comes back.
async fn raw_frame(table: &Match<'_>, frame: &[u8]) -> Option<u16> {
    let address = table.server.base.strip_prefix("http://").unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!(
        "GET {}/ws HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        table.path
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let _refused_on_the_way = stream.write_all(frame).await;
    let mut received = Vec::new();
    let read = stream.read_to_end(&mut received);
    let read = tokio::time::timeout(std::time::Duration::from_secs(10), read).await;
    assert!(read.is_ok(), "it stays open after {:x?} and says {:x?}", &frame[..2], received.last_chunk::<8>());
    let at = received.windows(2).rposition(|pair| pair[0] == 0x88)?;
    Some(u16::from_be_bytes([*received.get(at + 2)?, *received.get(at + 3)?]))
}
