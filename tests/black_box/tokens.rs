//! Who may do what: every route of the description with no token, a wrong one, another's.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use crate::play::humans;
use crate::server::{Answer, Match, Server};

/// The routes of a match, as the description lists them: method, path, and whether a token is a must.
async fn match_routes(server: &Server) -> Vec<(Method, String, bool)> {
    let description = server.get("/openapi.json", None).await.expect(200);
    let mut routes = Vec::new();
    for (path, item) in description["paths"].as_object().unwrap() {
        let Some(tail) = path.strip_prefix("/v1/matches/{id}") else { continue };
        for (method, operation) in item.as_object().unwrap() {
            let security = operation["security"].as_array();
            // Of a finished match everybody may ask for an analysis; while it is played a seat must.
            let open = security.is_none_or(|ways| ways.contains(&json!({}))) && !path.ends_with("/analysis");
            let tail = tail.replace("{version}", "1").replace("{seat}", "1");
            routes.push((method.to_uppercase().parse().unwrap(), tail, !open));
        }
    }
    assert!(routes.len() >= 8, "{routes:?}");
    routes
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
    for (method, tail, needed) in match_routes(&server).await {
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
