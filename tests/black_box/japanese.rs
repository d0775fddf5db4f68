//! Who asks for Japanese is told in Japanese what is wrong, whatever it is.

use std::sync::LazyLock;

use regex_lite::Regex;
use reqwest::Method;
use reqwest::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use serde_json::{Value, json};

use crate::bad_input::{impossible_actions, unreadable_bodies};
use crate::bad_setups::{impossible, unreadable};
use crate::play::{GAMES, humans, one_of_each};
use crate::routes::{self, Route};
use crate::server::{Match, Server};
use crate::socket_client::Socket;

/// What is repeated: the names of fields, and what the client sent.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| Regex::new("「[^」]*」?|“[^”]*”?|`[^`]*`?").unwrap());
static ENGLISH: LazyLock<Regex> = LazyLock::new(|| Regex::new("[A-Za-z]+ [A-Za-z]+").unwrap());

/// Values of every kind that JSON has.
fn values() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(-1),
        json!(1.5),
        json!(1e300),
        json!(99_999_999_999_i64),
        json!("x"),
        json!(""),
        json!("\u{0}"),
        json!([]),
        json!([null]),
        json!([7, 7]),
        json!(["x", "x"]),
        json!([{"x": 1}]),
        json!({}),
        json!({"x": 1}),
    ]
}

/// Checks what a problem says; false where the answer is none.
#[track_caller]
fn is_told_in_japanese(problem: &Value, about: &str) -> bool {
    let faults = problem["faults"].as_array().into_iter().flatten().map(|fault| &fault["message"]);
    let told = [&problem["title"], &problem["detail"]].into_iter().chain(faults);
    if problem["code"].is_null() || problem["title"].is_null() {
        return false;
    }
    for text in told.map(|text| text.as_str().unwrap()) {
        assert!(!text.is_ascii(), "{about}: {text}");
        let own = QUOTED.replace_all(text, "");
        assert!(!ENGLISH.is_match(&own), "{about}: {text}");
    }
    true
}

/// Sends a request that prefers Japanese, and checks what it is told; whether it was a problem.
async fn asks(server: &Server, method: &Method, path: &str, token: Option<&str>, body: Option<Vec<u8>>) -> bool {
    let request = server.request(method.clone(), path).header(ACCEPT_LANGUAGE, "ja");
    let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
    let about = format!("{method} {path:.200} {:.200}", String::from_utf8_lossy(body.as_deref().unwrap_or_default()));
    let request = match body {
        Some(body) => request.header(CONTENT_TYPE, "application/json").body(body),
        None => request,
    };
    let answer = server.send(request).await;
    assert_ne!(answer.status.as_u16() / 100, 5, "{about}: {}", answer.text);
    let is_problem = answer.status.is_client_error();
    if is_problem {
        assert_eq!(answer.headers["content-language"], "ja", "{about}");
        assert!(is_told_in_japanese(&answer.json(), &about), "{about}: {}", answer.text);
    }
    is_problem
}

/// The properties of a body, by name.
fn properties(route: &Route, description: &Value) -> Vec<String> {
    let schema = &route.operation["requestBody"]["content"]["application/json"]["schema"];
    let named = schema["$ref"].as_str().map(|path| description.pointer(&path[1..]).unwrap());
    named.unwrap_or(schema)["properties"].as_object().unwrap().keys().cloned().collect()
}

async fn bad_queries(server: &Server, route: &Route, token: Option<&str>) -> usize {
    let mut refused = 0;
    for (name, _) in route.query() {
        for value in ["x", "", "-1", "1.5", "99999999999999999999", "%00", "%E3%81", "a,b", "%22", "1&nonsense=2"] {
            let path = format!("{}?{name}={value}", route.path);
            refused += usize::from(asks(server, &route.method, &path, token, None).await);
        }
        let path = format!("{}?{name}=1&{name}=1", route.path);
        assert!(asks(server, &route.method, &path, token, None).await, "{path}");
    }
    refused
}

async fn bad_bodies(server: &Server, route: &Route, token: Option<&str>, description: &Value) -> usize {
    let mut refused = 0;
    for (_, body) in unreadable_bodies() {
        refused += usize::from(asks(server, &route.method, &route.path, token, Some(body)).await);
    }
    for name in properties(route, description) {
        for value in values() {
            let body = json!({name.as_str(): value}).to_string();
            refused += usize::from(asks(server, &route.method, &route.path, token, Some(body.into_bytes())).await);
        }
    }
    refused
}

#[actix_web::test]
async fn every_route_says_in_japanese_what_cannot_be_read() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let description = server.get("/openapi.json", None).await.expect(200);
    for route in routes::all(&server, &table).await {
        let token = Some(table.tokens[0].as_str());
        let about = format!("{} {}", route.method, route.pattern);
        if route.is_a_stream() {
            for query in ["after=x", "seat=x", "nonsense=1"] {
                assert!(asks(&server, &route.method, &format!("{}?{query}", route.path), token, None).await, "{about}");
            }
            continue;
        }
        if !route.query().is_empty() {
            assert!(bad_queries(&server, &route, token).await >= route.query().len(), "{about}");
        }
        if route.takes_a_body() {
            assert!(bad_bodies(&server, &route, token, &description).await >= 20, "{about}");
        }
    }
}

#[actix_web::test]
async fn every_game_says_in_japanese_what_no_action_can_be() {
    let server = Server::start().await;
    for ((game, _), table) in GAMES.iter().zip(one_of_each(&server, 6).await) {
        let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
        for action in impossible_actions(game) {
            let body = json!({"action": action}).to_string().into_bytes();
            let path = format!("{}/actions", table.path);
            assert!(
                asks(&server, &Method::POST, &path, Some(&table.tokens[seat]), Some(body)).await,
                "{game}: {action:.200}"
            );
        }
        socket_says_in_japanese(&table, seat, game).await;
    }
}

/// The same over a socket.
async fn socket_says_in_japanese(table: &Match<'_>, seat: usize, game: &str) {
    let token = format!("Bearer {}", table.tokens[seat]);
    let headers = [("authorization", token.as_str()), ("accept-language", "ja")];
    let mut socket = Socket::open(table, "", &headers).await.unwrap();
    for (number, action) in impossible_actions(game).into_iter().chain(values()).enumerate() {
        let id = number.to_string();
        let message = json!({"id": id, "action": action});
        if message.to_string().len() > 60_000 {
            continue;
        }
        let answer: Value = serde_json::from_str(&socket.ask(&message).await).unwrap();
        assert_eq!(answer["to"], *id, "{message:.200}");
        assert!(is_told_in_japanese(&answer["data"], &format!("{game}: {action:.200}")), "{answer}");
    }
}

#[actix_web::test]
async fn a_set_up_that_cannot_be_is_refused_in_japanese() {
    let server = Server::start().await;
    let per_game = GAMES.iter().flat_map(|(game, seats)| {
        values()
            .into_iter()
            .chain([json!({"nonsense": 1})])
            .map(move |options| json!({"game": game, "seats": vec![json!({}); *seats], "options": options}))
    });
    let scripts = GAMES.iter().flat_map(|(game, seats)| {
        [json!({"dice": [99]}), json!({"deck": ["x"]}), json!({"deck": vec!["fire"; 99]}), json!({"deck": 7})]
            .map(|sandbox| json!({"game": game, "seats": vec![json!({}); *seats], "sandbox": sandbox}))
    });
    let mut refused = 0;
    for setup in unreadable().into_iter().chain(impossible()).chain(per_game).chain(scripts) {
        let body = setup.to_string().into_bytes();
        refused += usize::from(asks(&server, &Method::POST, "/v1/matches", None, Some(body)).await);
    }
    assert!(refused > 100, "{refused}");
}
