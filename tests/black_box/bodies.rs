//! Bodies: which may be left out, and how they may be sent.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use reqwest::Method;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE};
use serde_json::json;

use crate::play::{all_that_is_seen, humans};
use crate::routes;
use crate::server::Server;

#[actix_web::test]
async fn a_body_without_a_field_that_must_be_there_may_be_left_out() {
    let server = Server::start().await;
    let table = server.create(&json!({"game": "twenty_one", "seats": [{}, {"open": true}]})).await;
    let mut optional = Vec::new();
    for route in routes::all(&server, &table).await.into_iter().filter(routes::Route::takes_a_body) {
        let may_be_left_out = route.operation["requestBody"]["required"] == false;
        let post = |kind: Option<&str>, body: Option<&'static str>| {
            let request = server.request(Method::POST, &route.path).bearer_auth(&table.tokens[0]);
            let request = if let Some(kind) = kind { request.header(CONTENT_TYPE, kind) } else { request };
            server.send(if let Some(body) = body { request.body(body) } else { request })
        };
        let name = &route.pattern;
        // A body that is there says what it is, whether it may be left out or not.
        for kind in [None, Some("text/plain"), Some("application/x-www-form-urlencoded")] {
            assert_eq!(post(kind, Some("{}")).await.code(415), "unsupported-media-type", "{name} as {kind:?}");
        }
        for (kind, body) in [
            (None, None),
            (None, Some("")),
            (Some("application/json"), None),
            (Some("application/json"), Some("")),
            // As `curl -d ''` sends it.
            (Some("application/x-www-form-urlencoded"), Some("")),
        ] {
            let (answer, object) = (post(kind, body).await, post(Some("application/json"), Some("{}")).await);
            let (status, same) = (answer.status.as_u16(), object.status.as_u16());
            // A seat is claimed once, and an empty body has done it.
            let claimed = name.ends_with("/claim") && (status, same) == (200, 409);
            if same != 400 {
                assert!(status == same || claimed, "{name} {kind:?}: {status} {}", answer.text);
            } else if kind == Some("application/json") {
                assert_eq!(answer.code(400), "bad-request", "{name} {body:?}");
            } else {
                assert_eq!(answer.code(415), "unsupported-media-type", "{name} {kind:?}");
            }
            assert!(!may_be_left_out || same != 400, "{name}: {}", object.text);
        }
        if may_be_left_out {
            optional.push(route.pattern.rsplit('/').next().unwrap().to_owned());
        }
    }
    for expected in ["analysis", "claim"] {
        assert!(optional.iter().any(|name| name == expected), "{optional:?}");
    }
    assert_eq!(table.public().await["status"], "active", "the claim without a body took the seat");
}

#[actix_web::test]
async fn a_packed_body_is_refused_by_the_name_of_its_coding() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let before = all_that_is_seen(&table).await;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(br#"{"action":{"type":"roll"}}"#).unwrap();
    let gzip = packed.finish().unwrap();
    // A few kilobytes that would be many megabytes.
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&vec![b' '; 20_000_000]).unwrap();
    let bomb = packed.finish().unwrap();
    for route in routes::all(&server, &table).await.into_iter().filter(routes::Route::takes_a_body) {
        for (coding, body) in [
            ("gzip", &gzip),
            ("gzip", &bomb),
            ("br", &gzip),
            ("zstd", &gzip),
            ("deflate", &gzip),
            ("identity, gzip", &gzip),
            ("nonsense", &gzip),
            ("gzip", &Vec::new()),
        ] {
            let request = server.request(Method::POST, &route.path).bearer_auth(&table.tokens[0]);
            let request = request.header(CONTENT_TYPE, "application/json").header(CONTENT_ENCODING, coding);
            let answer = server.send(request.body(body.clone())).await;
            assert_eq!(answer.headers["accept-encoding"], "identity", "{}: {coding}", route.pattern);
            assert!(answer.json()["detail"].as_str().unwrap().contains(coding), "{}", answer.text);
            assert_eq!(answer.code(415), "unsupported-content-encoding", "{}: {coding}", route.pattern);
        }
    }
    assert_eq!(all_that_is_seen(&table).await, before);
    let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
    let request = server.request(Method::POST, &format!("{}/actions", table.path)).bearer_auth(&table.tokens[seat]);
    let request = request.header(CONTENT_ENCODING, "identity").json(&json!({"action": {"type": "roll"}}));
    assert_eq!(server.send(request).await.status, 200);
}
