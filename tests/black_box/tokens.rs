//! Who may do what: every route of the description with no token, a wrong one, another's.

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::play::humans;
use crate::routes;
use crate::server::{Answer, Match, Server};
use crate::socket_client::Socket;

/// The routes of a match, as the description lists them: method, path, and whether a token is a must.
async fn match_routes(table: &Match<'_>) -> Vec<(Method, String, bool)> {
    let mut found = Vec::new();
    for route in routes::all(table.server, table).await {
        let Some(tail) = route.path.strip_prefix(&table.path) else { continue };
        let security = route.operation["security"].as_array();
        // Of a finished match everybody may ask for an analysis; while it is played a seat must.
        let open = security.is_none_or(|ways| ways.contains(&json!({}))) && !tail.ends_with("/analysis");
        found.push((route.method, tail.to_owned(), !open));
    }
    assert!(found.len() >= 8, "{found:?}");
    found
}

/// A request to a route of a match, with a body that the route takes.
async fn send(table: &Match<'_>, method: &Method, tail: &str, authorization: Option<&str>) -> Answer {
    let request = table.server.request(method.clone(), &format!("{}{tail}", table.path));
    let request = match tail {
        "/actions" => request.json(&json!({"action": {"type": "roll"}})),
        _ if method == Method::POST => request.json(&json!({})),
        _ => request,
    };
    let request = if let Some(value) = authorization { request.header("Authorization", value) } else { request };
    if tail.ends_with("/stream") { first_message(request).await } else { table.server.send(request).await }
}

/// The answer of a stream up to the end of its first message: a stream of a match that is played does not end.
async fn first_message(request: RequestBuilder) -> Answer {
    let mut response = request.send().await.unwrap();
    let (status, headers, mut bytes) = (response.status(), response.headers().clone(), Vec::new());
    while let Some(chunk) = response.chunk().await.unwrap() {
        bytes.extend_from_slice(&chunk);
        if status == 200 && bytes.windows(2).any(|end| end == b"\n\n") {
            break;
        }
    }
    let text = String::from_utf8(bytes).unwrap();
    let text = text.split_once("\n\n").map_or(text.clone(), |(first, _)| first.to_owned());
    Answer { status, headers, text }
}

#[actix_web::test]
async fn every_route_wants_the_right_token() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let other = server.create(&humans("twenty_one", 2)).await;
    let before = table.public().await;
    for (method, tail, needed) in match_routes(&table).await {
        let route = format!("{method} {tail}");
        let own = &table.tokens[0];
        let answer = send(&table, &method, &tail, None).await;
        assert_eq!(answer.status == 401, needed, "{route}: {}", answer.text);
        if needed {
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
            assert_eq!(answer.code(401), "token-required", "{route}");
        }
        let claims = tail.ends_with("/claim");
        for wrong in [
            "Bearer x".to_owned(),
            format!("Bearer {own}x"),
            format!("Bearer {}", &own[1..]),
            format!("Bearer {}", own.to_lowercase()),
            format!("Bearer {own} {own}"),
            "Bearer".into(),
            "Bearer ".into(),
            format!("Basic {own}"),
            format!("Token {own}"),
            own.clone(),
            String::new(),
            format!("Bearer {}", "x".repeat(4_000)),
        ] {
            let answer = send(&table, &method, &tail, Some(&wrong)).await;
            assert_eq!(answer.code(401), "unknown-token", "{route} with {wrong:.60}");
        }
        let foreign = send(&table, &method, &tail, Some(&format!("Bearer {}", other.tokens[0]))).await;
        if needed {
            assert_eq!(foreign.code(403), "forbidden", "{route}");
        } else if !claims && foreign.status == 200 {
            let public = send(&table, &method, &tail, None).await;
            assert_eq!(foreign.text, public.text, "{route}: another match's token sees what the public sees");
        }
    }
    assert_eq!(table.public().await, before);
    for spelled in [format!("bearer {}", table.tokens[0]), format!("BEARER   {}", table.tokens[0])] {
        assert_eq!(send(&table, &Method::GET, "/legal-actions", Some(&spelled)).await.status, 200);
    }
}

/// Routes that say they answer 401 refuse what is no token; all others take no notice of it.
#[actix_web::test]
async fn every_route_takes_such_notice_of_a_token_as_it_says() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let mut refusing = 0;
    for route in routes::all(&server, &table).await {
        let about = format!("{} {}", route.method, route.pattern);
        let request = || {
            let request = server.request(route.method.clone(), &route.path);
            if route.takes_a_body() { request.json(&json!({})) } else { request }
        };
        if route.answers(401) {
            // What must be in a body is looked for before anybody is asked who they are.
            let needs_more = route.operation["requestBody"]["required"] == true;
            let wrong = server.send(request().bearer_auth("x")).await;
            if !needs_more {
                assert_eq!(wrong.code(401), "unknown-token", "{about}");
            }
            refusing += 1;
        } else {
            let (with, without) = (server.send(request().bearer_auth("x")).await, server.send(request()).await);
            assert_eq!(with.status, without.status, "{about}: {}", with.text);
            assert_ne!(with.status, 401, "{about}");
        }
    }
    assert!(refusing >= 11, "{refusing}");
}

/// The same over a socket, where the token comes as a browser sends it; nothing of it is in the answer.
#[actix_web::test]
async fn a_socket_wants_the_right_token() {
    let server = Server::start().await;
    let (table, other) = (server.create(&humans("kamudakara", 2)).await, server.create(&humans("kamudakara", 2)).await);
    let before = table.public().await;
    let own = &table.tokens[0];
    for wrong in ["x", &format!("{own}x"), &own[1..], &own.to_uppercase(), "", &"x".repeat(2_000)] {
        let protocol = format!("takujo.v1, bearer.{wrong}");
        let refused = Socket::open(&table, "", &[("sec-websocket-protocol", &protocol)]).await.err();
        assert_eq!(refused.unwrap(), (StatusCode::UNAUTHORIZED, "unknown-token".to_owned()), "{wrong:.60}");
    }
    let foreign = format!("takujo.v1, bearer.{}", other.tokens[0]);
    let mut socket = Socket::open(&table, "", &[("sec-websocket-protocol", &foreign)]).await.unwrap();
    assert_eq!(socket.next().await.unwrap()["data"], before, "it sees what the public sees");
    let action = json!({"action": table.legal(0).await[0]});
    assert!(socket.ask(&action).await.contains("\"code\":\"forbidden\""));
    for seat in [0, 1] {
        let protocol = format!("takujo.v1, bearer.{}", table.tokens[1 - seat]);
        let refused = Socket::open(&table, &format!("?seat={seat}"), &[("sec-websocket-protocol", &protocol)]).await;
        assert_eq!(refused.err().unwrap(), (StatusCode::FORBIDDEN, "forbidden".to_owned()));
    }
    assert_eq!(table.public().await, before);
}

#[actix_web::test]
async fn a_seat_neither_acts_nor_looks_as_another() {
    let server = Server::start().await;
    let table = server.create(&humans("kamudakara", 2)).await;
    for path in ["?seat=1", "/events?seat=1", "/legal-actions?seat=1", "/at/1?seat=1"] {
        let answer = server.get(&format!("{}{path}", table.path), Some(&table.tokens[0])).await;
        assert_eq!(answer.code(403), "forbidden", "{path}");
        let answer = server.get(&format!("{}{path}", table.path), None).await;
        assert_eq!(answer.code(401), "token-required", "{path}");
    }
    let action = table.legal(1).await[0].clone();
    let body = json!({"action": action});
    let answer = server.post(&format!("{}/actions?seat=1", table.path), Some(&table.tokens[0]), &body).await;
    assert_eq!(answer.code(403), "forbidden");
    let analysis = format!("{}/analysis", table.path);
    assert_eq!(server.post(&analysis, Some(&table.tokens[0]), &json!({"seat": 1})).await.code(403), "forbidden");
    // What each sees is its own.
    let (own, theirs) = (table.seen_by(0).await, table.seen_by(1).await);
    assert!(own["view"]["hand"].is_array() && theirs["view"]["hand"].is_array());
    assert!(table.public().await["view"].get("hand").is_none_or(Value::is_null));
}

#[actix_web::test]
async fn a_player_token_works_for_every_seat_the_player_holds() {
    let server = Server::start().await;
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let token = player["token"].as_str().unwrap();
    let holds = json!({"player_token": token});
    let table = server.create(&json!({"game": "twenty_one", "seats": [holds, {}, holds, {"open": true}]})).await;
    server.post(&format!("{}/seats/3/claim", table.path), None, &holds).await.expect(200);
    let shown = table.public().await;
    for seat in [0, 2, 3] {
        assert_eq!(
            (&shown["seats"][seat]["name"], &shown["seats"][seat]["player"]),
            (&json!("先生"), &player["player"])
        );
    }
    assert_eq!(shown["seats"][1].get("player"), None);
    for seat in 0..4 {
        let legal = server.get(&format!("{}/legal-actions?seat={seat}", table.path), Some(token)).await;
        if seat == 1 {
            assert_eq!(legal.code(403), "forbidden");
        } else {
            assert_eq!(legal.expect(200)["seat"], seat);
        }
    }
    // The seat to act is the one meant where it is one of the player's.
    let turns = server.create(&json!({"game": "twenty_one", "seats": [holds, holds]})).await;
    for _ in 0..3 {
        let owing = turns.public().await["to_act"][0].clone();
        let path = format!("{}/actions", turns.path);
        let events = server.post(&path, Some(token), &json!({"action": {"type": "roll"}})).await.expect(200);
        assert_eq!(events["events"][0]["seat"], owing);
    }
    // In another's match it is nobody's.
    let foreign = server.create(&humans("twenty_one", 2)).await;
    let answer =
        server.post(&format!("{}/actions", foreign.path), Some(token), &json!({"action": {"type": "roll"}})).await;
    assert_eq!(answer.code(403), "forbidden");
    let found =
        server.get(&format!("/v1/matches?player={}", player["player"].as_str().unwrap()), None).await.expect(200);
    assert_eq!(found["matches"].as_array().unwrap().len(), 2);
}

/// Which of its seats a player means may change with the action: a retry asks for the first answer.
#[actix_web::test]
async fn a_retry_of_a_players_action_gets_its_first_answer() {
    let server = Server::start().await;
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let holds = json!({"player_token": player["token"]});
    let table = server.create(&json!({"game": "twenty_one", "seats": [holds, {}, holds]})).await;
    let act = |action: Value, key: String| {
        let request = server.request(Method::POST, &format!("{}/actions", table.path));
        let request = request.bearer_auth(player["token"].as_str().unwrap()).header("Idempotency-Key", key);
        server.send(request.json(&json!({"action": action})))
    };
    let mut mine = 0;
    while mine < 3 {
        let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
        if seat == 1 {
            table.act(1, json!({"type": "roll"})).await.expect(200);
            continue;
        }
        let first = act(json!({"type": "roll"}), format!("roll-{mine}")).await;
        let again = act(json!({"type": "roll"}), format!("roll-{mine}")).await;
        assert_eq!((first.status.as_u16(), &first.text), (200, &again.text));
        mine += 1;
    }
}
