//! A match followed live: nothing missed, nothing twice, nothing of others.

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};

use crate::play::{GAMES, Random, humans, play};
use crate::server::{Match, Server, database};
use crate::socket_client::Socket;

/// A message of a stream of lines: its kind, its id and what it says.
type Message = (String, Option<u64>, Value);

/// Reads a stream of lines until `enough`.
async fn follow(
    duel: &Match<'_>,
    seat: Option<usize>,
    last: Option<u64>,
    enough: impl Fn(&[Message]) -> bool,
) -> Vec<Message> {
    let mut request = duel.server.request(Method::GET, &format!("{}/events/stream", duel.path));
    request = request.header("Accept", "application/x-ndjson");
    if let Some(seat) = seat {
        request = request.bearer_auth(&duel.tokens[seat]);
    }
    if let Some(last) = last {
        request = request.header("Last-Event-ID", last);
    }
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let (mut bytes, mut text, mut messages) = (response.bytes_stream(), String::new(), Vec::new());
    while !enough(&messages) {
        let Some(chunk) = bytes.next().await else { break };
        text += std::str::from_utf8(&chunk.unwrap()).unwrap();
        while let Some((line, rest)) = text.split_once('\n') {
            if !line.is_empty() {
                let value: Value = serde_json::from_str(line).unwrap();
                messages.push((
                    value["message"].as_str().unwrap().to_owned(),
                    value["id"].as_u64(),
                    value["data"].clone(),
                ));
            }
            text = rest.to_owned();
        }
    }
    messages
}

fn events(messages: &[Message]) -> Vec<&Value> {
    messages.iter().filter(|(kind, ..)| kind == "event").map(|(_, _, data)| data).collect()
}

#[actix_web::test]
async fn a_stream_begins_with_the_match_and_resumes_without_gap_or_repeat() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&json!({"game": "hachiku", "seats": [{}, {}]})).await;
    let there = Match { server: &two, path: here.path.clone(), tokens: here.tokens.clone() };

    let play = async {
        actix_web::rt::time::sleep(std::time::Duration::from_millis(200)).await;
        here.act(1, json!({"type": "choose_head", "letter": "か"})).await.expect(200);
        here.act(0, json!({"type": "gather", "letter": "え"})).await.expect(200);
        here.act(1, json!({"type": "resign"})).await.expect(200);
    };
    let (seen, ()) = futures_util::join!(follow(&there, None, None, |_| false), play);
    assert_eq!((seen[0].0.as_str(), &seen[0].2["view"]["phase"]), ("snapshot", &json!("choose_head")));
    assert_eq!(seen.last().unwrap().0, "end");
    assert!(seen.iter().any(|(kind, _, data)| kind == "clock" && data["to_act"] == json!([1])));

    let all = two.get(&format!("{}/events", here.path), None).await.expect(200);
    let all = all["events"].as_array().unwrap();
    let after = seen[0].1.unwrap();
    let expected: Vec<_> = all.iter().filter(|event| event["seq"].as_u64() > Some(after)).collect();
    assert_eq!(events(&seen), expected);

    for last in 0..=all.len() as u64 {
        let again = follow(&here, None, Some(last), |_| false).await;
        let expected: Vec<_> = all.iter().skip(last as usize).collect();
        assert_eq!(events(&again), expected, "after {last}");
    }
}

/// Until the end a stream tells a viewer what the history tells it, and no more.
#[actix_web::test]
async fn a_stream_shows_each_viewer_its_own() {
    let server = Server::start().await;
    let duel = server.create(&json!({"game": "kamudakara", "seats": [{}, {}]})).await;
    for seat in [None, Some(0), Some(1)] {
        let token = seat.map(|seat: usize| duel.tokens[seat].as_str());
        let history = server.get(&format!("{}/events", duel.path), token).await.expect(200);
        let history = history["events"].as_array().unwrap();
        let seen = follow(&duel, seat, Some(0), |messages| events(messages).len() >= history.len()).await;
        assert_eq!(events(&seen), history.iter().collect::<Vec<_>>());
    }
}

/// What followers are told from memory, as it happens, is what the history tells them afterwards from the log,
/// to each its own.
#[actix_web::test]
async fn what_is_told_at_once_is_what_the_log_tells() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let table = server.create(&humans(game, seats)).await;
        let viewers = || [None, None].into_iter().chain((0..seats).map(Some));
        let mut sockets = Vec::new();
        for seat in viewers() {
            sockets.push(Socket::of(&table, seat, Some(0)).await);
        }
        assert!(play(&table, &mut Random::new(7), 12).await, "{game} ended, and with it all secrets");
        for (seat, mut socket) in viewers().zip(sockets) {
            let token = seat.map(|seat: usize| table.tokens[seat].as_str());
            let history = server.get(&format!("{}/events?limit=500", table.path), token).await.expect(200);
            for event in history["events"].as_array().unwrap() {
                assert_eq!(socket.next_of("event").await["data"], *event, "{game}, {seat:?}");
            }
        }
    }
}

#[actix_web::test]
async fn a_stream_of_server_sent_events_has_ids_and_refuses_what_is_none() {
    let server = Server::start().await;
    let duel = server.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    duel.act(0, json!({"type": "resign"})).await.expect(200);
    let path = format!("{}/events/stream", duel.path);
    let stream = server.get(&format!("{path}?after=0"), None).await;
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    assert!(stream.text.starts_with("event: snapshot\nid: 0\ndata: {"), "{}", stream.text);
    assert!(stream.text.contains("event: event\nid: 1\ndata: {\"seq\":1,"), "{}", stream.text);
    let (_, end) = stream.text.split_once("event: end\n").unwrap();
    assert!(end.starts_with("id: ") && end.ends_with("\ndata: {\"reason\":\"finished\"}\n\n"), "{end}");

    let bad = server.request(Method::GET, &path).header("Last-Event-ID", "x");
    assert_eq!(server.send(bad).await.code(400), "bad-request");
}
