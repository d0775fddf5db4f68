//! Whatever a client sends, it gets a clear answer and the match is exactly as before.

use reqwest::Method;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::{Value, json};

use crate::play::{GAMES, all_that_is_seen, humans, one_of_each};
use crate::server::{Answer, Match, Server};

/// Posts bytes that call themselves JSON.
async fn post_bytes(server: &Server, path: &str, token: Option<&str>, body: impl Into<Vec<u8>>) -> Answer {
    let request = server.request(Method::POST, path).header(CONTENT_TYPE, "application/json").body(body.into());
    server.send(if let Some(token) = token { request.bearer_auth(token) } else { request }).await
}

/// The seat whose turn it is.
async fn to_act(table: &Match<'_>) -> usize {
    table.public().await["to_act"][0].as_u64().unwrap() as usize
}

/// Bodies that are no request to act in any game, with what is answered.
pub fn unreadable_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let texts = [
        ("nothing", ""),
        ("spaces", "   "),
        ("cut off", r#"{"action":{"type":"resign"}"#),
        ("single quotes", "{'action':{'type':'resign'}}"),
        ("a comma too many", r#"{"action":{"type":"resign"},}"#),
        ("something behind", r#"{"action":{"type":"resign"}} {}"#),
        ("a byte order mark", "\u{feff}{\"action\":{\"type\":\"resign\"}}"),
        ("null", "null"),
        ("a number", "7"),
        ("a list", "[]"),
        ("the fields as a list", r#"[{"type":"resign"},null,null]"#),
        ("no action", "{}"),
        ("null for an action", r#"{"action":null}"#),
        ("a word for an action", r#"{"action":"resign"}"#),
        ("a list for an action", r#"{"action":["resign"]}"#),
        ("no type", r#"{"action":{}}"#),
        ("a number for a type", r#"{"action":{"type":7}}"#),
        ("an unknown type", r#"{"action":{"type":"castle"}}"#),
        ("another case", r#"{"action":{"type":"Resign"}}"#),
        ("NUL in a type", r#"{"action":{"type":"resign\u0000"}}"#),
        ("half a surrogate pair", r#"{"action":{"type":"\ud800"}}"#),
        ("an unknown field", r#"{"action":{"type":"resign"},"verson":3}"#),
        ("an unknown field of an action", r#"{"action":{"type":"resign","seat":1}}"#),
        ("a doubled field", r#"{"action":{"type":"resign"},"action":{"type":"resign"}}"#),
        ("a doubled field of an action", r#"{"action":{"type":"castle","type":"resign"}}"#),
        ("a text for a version", r#"{"action":{"type":"resign"},"version":"1"}"#),
        ("half a version", r#"{"action":{"type":"resign"},"version":1.5}"#),
        ("a version below 0", r#"{"action":{"type":"resign"},"version":-1}"#),
        ("a huge version", r#"{"action":{"type":"resign"},"version":18446744073709551616}"#),
        ("a number without end", r#"{"action":{"type":"resign"},"at_s":1e400}"#),
        ("no number", r#"{"action":{"type":"resign"},"at_s":NaN}"#),
    ];
    let mut bodies: Vec<_> = texts.into_iter().map(|(name, text)| (name, text.as_bytes().to_vec())).collect();
    bodies.push(("broken UTF-8", b"{\"action\":{\"type\":\"\xff\xfe\"}}".to_vec()));
    bodies.push(("overlong UTF-8", b"{\"action\":{\"type\":\"\xc0\x80\"}}".to_vec()));
    bodies.push(("deep lists", [br#"{"action":"#.to_vec(), vec![b'['; 100_000]].concat()));
    bodies.push(("deep objects", r#"{"action":"#.repeat(20_000).into_bytes()));
    bodies.push(("a long unknown type", format!(r#"{{"action":{{"type":"{}"}}}}"#, "x".repeat(200_000)).into_bytes()));
    bodies.push(("a long unknown field", format!(r#"{{"{}":1}}"#, "か".repeat(60_000)).into_bytes()));
    bodies
}

/// Actions of each game with values that they cannot have.
pub fn impossible_actions(game: &str) -> Vec<Value> {
    let texts = match game {
        "hachiku" => return impossible_words(),
        "twenty_one" => [
            r#"{"type":"roll","face":6}"#,
            r#"{"type":"roll","seat":0}"#,
            r#"{"type":"stop","now":true}"#,
            r#"{"type":"gather","letter":"か"}"#,
        ]
        .as_slice(),
        "kamudakara" => &[
            r#"{"type":"choose_opening","cards":[]}"#,
            r#"{"type":"choose_opening","cards":["sword","sword","sword"]}"#,
            r#"{"type":"choose_opening","cards":"sword"}"#,
            r#"{"type":"rite","card":"sword","to":9,"show":"left"}"#,
            r#"{"type":"rite","card":"sword","to":255,"show":"left"}"#,
            r#"{"type":"rite","card":"sword","to":-1,"show":"left"}"#,
            r#"{"type":"rite","card":"ace","to":1,"show":"left"}"#,
            r#"{"type":"rite","card":"sword\u0000","to":1,"show":"left"}"#,
            r#"{"type":"use_demons","count":300}"#,
            r#"{"type":"give_demons","to":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}"#,
            r#"{"type":"ritual","card":"sword"}"#,
        ],
        "salamander" => &[
            r#"{"type":"throw","numbers":[1,1]}"#,
            r#"{"type":"discard","card":"stone-9"}"#,
            r#"{"type":"discard","card":null}"#,
            r#"{"type":"place_stone","element":"fire","stone":99,"number":1}"#,
            r#"{"type":"move","by":"product"}"#,
            r#"{"type":"move","by":"sum","enter_home":"yes"}"#,
            r#"{"type":"ask","seat":7,"card":"air"}"#,
            r#"{"type":"announce","claims":[]}"#,
            r#"{"type":"announce","claims":[{"seat":1,"card":"air"},{"seat":1,"card":"air"},{"seat":1,"card":"air"}]}"#,
            r#"{"type":"announce","claims":{"seat":1,"card":"air"}}"#,
        ],
        _ => &[
            r#"{"type":"place_dice","dice":[]}"#,
            r#"{"type":"place_dice","dice":[{"space":0,"die":"d8"}]}"#,
            r#"{"type":"place_dice","dice":[{"space":99,"die":"d8"}]}"#,
            r#"{"type":"place_dice","dice":[{"space":1,"die":"d12"}]}"#,
            r#"{"type":"place_dice","dice":[{"space":1,"die":"d8","x":1}]}"#,
            r#"{"type":"place_dice","dice":[{"space":1,"die":"d8"},{"space":1,"die":"d8"}]}"#,
            r#"{"type":"take_duty","duty":"15"}"#,
            r#"{"type":"take_duty","duty":4}"#,
            r#"{"type":"stack","x":1e308,"y":-1e308,"turn":1e300,"face":99}"#,
            r#"{"type":"roll_start","faces":[6]}"#,
        ],
    };
    texts.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
}

/// What is no word, as 八築 gets it.
fn impossible_words() -> Vec<Value> {
    let words = [
        "",
        " ",
        "\u{3000}",
        "ー",
        "ーー",
        "っ",
        "x",
        "7",
        "🀄",
        "\u{0}",
        "か\u{0}き",
        "\u{feff}",
        "か\nき",
        "\u{3099}",
        "カ\u{3099}キ\u{3099}ク\u{3099}ケ\u{3099}",
        "ｶﾞｷﾞｸﾞｹﾞ",
        "ﾞ",
        "か゛か゛き",
        "か\u{301}",
        "漢字仮名交文",
        "ゝゝゝ",
        "々",
    ];
    let mut actions: Vec<_> = words.iter().map(|word| json!({"type": "say", "word": word})).collect();
    actions.extend(words.iter().map(|word| json!({"type": "say", "letters": word})));
    actions.extend(
        ["か", "ー", "ｶ", "\u{3099}", "漢", "\u{0}"].map(|part| json!({"type": "say", "word": part.repeat(10_000)})),
    );
    actions.extend([
        json!({"type": "say", "letters": "か".repeat(10_000)}),
        json!({"type": "say"}),
        json!({"type": "say", "word": "かき", "letters": "かき"}),
        json!({"type": "say", "word": ["か", "き"]}),
        json!({"type": "say", "word": null}),
        json!({"type": "say", "words": "かき"}),
        json!({"type": "gather", "letter": ""}),
        json!({"type": "gather", "letter": "かき"}),
        json!({"type": "gather", "letter": "が\u{0}"}),
        json!({"type": "choose_head", "letter": "x"}),
        json!({"type": "swap", "return": ["か"], "head": "き"}),
        json!({"type": "swap", "return": ["か", "か", "か"], "head": "き"}),
        json!({"type": "judge", "accept": "yes"}),
        json!({"type": "final_word", "word": "\u{0}"}),
    ]);
    actions
}

#[actix_web::test]
async fn no_unreadable_body_changes_a_match() {
    let server = Server::start().await;
    for table in one_of_each(&server, 6).await {
        let before = all_that_is_seen(&table).await;
        let (seat, path) = (to_act(&table).await, format!("{}/actions", table.path));
        for (name, body) in unreadable_bodies() {
            for query in ["", "?dry_run=true"] {
                let answer =
                    post_bytes(&server, &format!("{path}{query}"), Some(&table.tokens[seat]), body.clone()).await;
                assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (400, "bad-request"), "{name}");
            }
        }
        assert_eq!(all_that_is_seen(&table).await, before);
    }
}

#[actix_web::test]
async fn no_impossible_action_changes_a_match() {
    let server = Server::start().await;
    for ((game, _), table) in GAMES.iter().zip(one_of_each(&server, 6).await) {
        let before = all_that_is_seen(&table).await;
        let seat = to_act(&table).await;
        for action in impossible_actions(game) {
            let answer = table.act(seat, action.clone()).await;
            let (status, code) = (answer.status.as_u16(), answer.problem());
            assert!(
                matches!(
                    (status, code.as_str()),
                    (400, "bad-request") | (422, "illegal-action") | (409, "not-your-turn")
                ),
                "{game}: {status} {code} for {action:.200}"
            );
        }
        assert_eq!(all_that_is_seen(&table).await, before, "{game}");
    }
}

#[actix_web::test]
async fn no_stale_or_conditional_action_changes_a_match() {
    let server = Server::start().await;
    for table in one_of_each(&server, 6).await {
        let before = all_that_is_seen(&table).await;
        let seat = to_act(&table).await;
        let action = table.legal(seat).await[0].clone();
        for version in [0, 1_000, u32::MAX] {
            let stale = table.post_action(seat, &json!({"action": action, "version": version})).await;
            assert_eq!(stale.json()["current_version"], table.public().await["version"]);
            assert_eq!(stale.code(409), "stale-version");
        }
        assert_eq!(
            table.post_action(seat, &json!({"action": action, "at_s": 1})).await.code(422),
            "invalid-parameters"
        );
        for tag in
            ["\"0123456789abcdef\"", "W/\"0123456789abcdef\", \"x\"", "0123456789abcdef", "\"", "", "\"a\" \"b\""]
        {
            let request = server.request(Method::POST, &format!("{}/actions", table.path));
            let request = request.bearer_auth(&table.tokens[seat]).header("If-Match", tag);
            let answer = server.send(request.json(&json!({"action": action}))).await;
            assert_eq!(answer.code(412), "version-mismatch", "If-Match: {tag}");
        }
        assert_eq!(all_that_is_seen(&table).await, before);
    }
}

#[actix_web::test]
async fn a_finished_match_stays_as_it_is() {
    let server = Server::start().await;
    for table in one_of_each(&server, 3).await {
        let seats = table.tokens.len();
        for seat in 0..seats {
            let answer = table.act(seat, json!({"type": "resign"})).await;
            if answer.status != 200 {
                assert_eq!(answer.code(409), "match-finished");
            }
        }
        table.finished().await;
        let before = all_that_is_seen(&table).await;
        for seat in 0..seats {
            assert_eq!(table.legal(seat).await, Vec::<Value>::new());
            let types = ["roll", "gather", "throw", "ritual", "take_die"];
            for kind in types {
                let answer = table.act(seat, json!({"type": kind})).await;
                assert!(matches!(answer.problem().as_str(), "match-finished" | "bad-request"), "{}", answer.text);
            }
            assert_eq!(table.act(seat, json!({"type": "resign"})).await.code(409), "match-finished");
        }
        assert_eq!(all_that_is_seen(&table).await, before);
    }
}

#[actix_web::test]
async fn a_body_is_declared_as_json_and_of_bounded_size() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let before = all_that_is_seen(&table).await;
    let path = format!("{}/actions", table.path);
    let post = |kind: Option<&str>, body: Vec<u8>| {
        let request = server.request(Method::POST, &path).bearer_auth(&table.tokens[0]);
        let request = if let Some(kind) = kind { request.header(CONTENT_TYPE, kind) } else { request };
        server.send(request.body(body))
    };
    let good = br#"{"action":{"type":"resign"}}"#.to_vec();
    for kind in [
        None,
        Some(""),
        Some("json"),
        Some("text/json"),
        Some("text/plain"),
        Some("application/jsonp"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/json, application/json"),
        Some("application/vnd.takujo+json"),
    ] {
        assert_eq!(post(kind, good.clone()).await.code(415), "unsupported-media-type", "{kind:?}");
    }
    for size in [256 * 1024 + 1, 300_000, 4_000_000] {
        let body = format!(r#"{{"action":{{"type":"{}"}}}}"#, "x".repeat(size)).into_bytes();
        assert_eq!(post(Some("application/json"), body).await.code(413), "payload-too-large", "{size}");
        let chunks =
            futures_util::stream::iter((0..=size / 10_000).map(|_| Ok::<_, std::io::Error>(vec![b' '; 10_000])));
        let request = server.request(Method::POST, &path).bearer_auth(&table.tokens[0]);
        let request = request.header(CONTENT_TYPE, "application/json").body(reqwest::Body::wrap_stream(chunks));
        assert_eq!(server.send(request).await.code(413), "payload-too-large", "{size} in chunks");
    }
    assert_eq!(all_that_is_seen(&table).await, before);
    for kind in ["application/json; charset=utf-8", "Application/JSON"] {
        let body = br#"{"action":{"type":"castle"}}"#.to_vec();
        assert_eq!(post(Some(kind), body).await.code(400), "bad-request", "{kind}");
    }
}

#[actix_web::test]
async fn only_what_can_be_answered_is_accepted() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    for accept in ["text/html", "image/png", "application/xml, text/html;q=0.9", "application/json;q=0", "*/*;q=0"] {
        let answer = server.send(server.request(Method::GET, &table.path).header(ACCEPT, accept)).await;
        assert_eq!(answer.code(406), "not-acceptable", "{accept}");
    }
    for accept in ["*/*", "application/*", "application/json", "text/html, application/json;q=0.1", "", "garbage"] {
        let answer = server.send(server.request(Method::GET, &table.path).header(ACCEPT, accept)).await;
        assert_eq!(answer.status, 200, "{accept}: {}", answer.text);
    }
}

#[actix_web::test]
async fn garbage_for_a_tag_is_no_tag() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    for tag in ["", "x", "\"", "\"x", "W/", "\"\u{e9}\"", "\"a\" \"b\""] {
        let request = server.request(Method::GET, &format!("{}?wait=0", table.path)).header("If-None-Match", tag);
        assert_eq!(server.send(request).await.status, 200, "{tag}");
    }
}

#[actix_web::test]
async fn odd_query_parameters_are_refused() {
    let server = Server::start().await;
    let table = server.create(&humans("hachiku", 2)).await;
    let token = Some(table.tokens[0].as_str());
    let here = &table.path;
    let of_match = |tail: &str| format!("{here}{tail}");
    for (path, status, code) in [
        (of_match("?wait=31"), 422, "invalid-parameters"),
        (of_match("?wait=-1"), 400, "bad-request"),
        (of_match("?wait=1e3"), 400, "bad-request"),
        (of_match("?wait="), 400, "bad-request"),
        (of_match("?wait=1&wait=1"), 400, "bad-request"),
        (of_match("?wait=99999999999999999999"), 400, "bad-request"),
        (of_match("?wiat=1"), 400, "bad-request"),
        (of_match("?seat=10"), 400, "bad-request"),
        (of_match("?seat=9"), 403, "forbidden"),
        (of_match("?seat=1"), 403, "forbidden"),
        (of_match("?seat=%00"), 400, "bad-request"),
        (of_match("?%00=1"), 400, "bad-request"),
        (of_match("?%ff=%fe"), 400, "bad-request"),
        (of_match("/events?after=-1"), 400, "bad-request"),
        (of_match("/events?after=4294967296"), 400, "bad-request"),
        (of_match("/events?limit=0"), 422, "invalid-parameters"),
        (of_match("/events?limit=501"), 422, "invalid-parameters"),
        (of_match("/events?version=1"), 400, "bad-request"),
        (of_match("/legal-actions?limit=0"), 422, "invalid-parameters"),
        (of_match("/legal-actions?limit=20001"), 422, "invalid-parameters"),
        (of_match("/legal-actions?words=1"), 400, "bad-request"),
        (of_match("/at/99"), 404, "not-found"),
        (of_match("/at/-1"), 404, "not-found"),
        (of_match("/at/1.0"), 404, "not-found"),
        (of_match("/at/99999999999999999999"), 404, "not-found"),
        (of_match("/at/1?seat=x"), 400, "bad-request"),
        ("/v1/matches?limit=0".into(), 422, "invalid-parameters"),
        ("/v1/matches?limit=501".into(), 422, "invalid-parameters"),
        ("/v1/matches?limit=x".into(), 400, "bad-request"),
        ("/v1/matches?game=chess".into(), 422, "invalid-parameters"),
        ("/v1/matches?game=%00".into(), 422, "invalid-parameters"),
        ("/v1/matches?game=%E3%81".into(), 422, "invalid-parameters"),
        ("/v1/matches?status=paused".into(), 400, "bad-request"),
        ("/v1/matches?player=me".into(), 400, "bad-request"),
        ("/v1/matches?from=yesterday".into(), 400, "bad-request"),
        ("/v1/matches?cursor=".into(), 422, "invalid-parameters"),
        ("/v1/matches?cursor=%00".into(), 422, "invalid-parameters"),
        ("/v1/matches?cursor=AAAA".into(), 422, "invalid-parameters"),
        (format!("/v1/matches?cursor={}", "A".repeat(5_000)), 422, "invalid-parameters"),
        ("/v1/matches?order=new".into(), 400, "bad-request"),
    ] {
        let answer = server.get(&path, token).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (status, code), "{path:.200}");
    }
    // Times that the database cannot hold are times all the same: nothing is before or after them.
    for (query, matches) in [
        ("from=-009000-01-01T00:00:00Z", 1),
        ("to=-009000-01-01T00:00:00Z", 0),
        ("from=9999-12-30T00:00:00Z", 0),
        ("to=9999-12-30T00:00:00Z", 1),
    ] {
        let list = server.get(&format!("/v1/matches?{query}"), None).await.expect(200);
        assert_eq!(list["matches"].as_array().unwrap().len(), matches, "{query}");
    }
}

#[actix_web::test]
async fn odd_paths_lead_nowhere() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let id = table.path.rsplit('/').next().unwrap();
    for path in [
        "/v1".to_owned(),
        "/v1/".into(),
        "/v2/games".into(),
        "/V1/games".into(),
        "/v1//games".into(),
        "/v1/games/".into(),
        "/v1/games/chess".into(),
        "/v1/games/%00".into(),
        "/v1/games/%E3%81".into(),
        "/v1/games/%F0%9F%80%84".into(),
        "/v1/games/hachiku%2Fevents".into(),
        "/v1/games/..%2f..%2fetc%2fpasswd".into(),
        "/v1/matches/".into(),
        "/v1/matches/x".into(),
        "/v1/matches/%00".into(),
        "/v1/matches/%zz".into(),
        "/v1/matches/%".into(),
        "/v1/matches/00000000-0000-0000-0000-000000000000".into(),
        format!("/v1/matches/{id}%00"),
        format!("/v1/matches/{id}%20"),
        format!("/v1/matches/{id}/"),
        format!("/v1/matches/{id}/view"),
        format!("/v1/matches/{id}%2Fevents"),
        format!("/v1/matches/{}", "a".repeat(5_000)),
        "/v1/players/x".into(),
        "/v1/players/%00".into(),
        "/problems/%00".into(),
        "/problems/none".into(),
        "/docs/../etc/passwd".into(),
    ] {
        assert_eq!(server.get(&path, None).await.code(404), "not-found", "{path:.100}");
    }
    for (method, path, allowed) in [
        (Method::DELETE, table.path.clone(), "GET"),
        (Method::PUT, table.path.clone(), "GET"),
        (Method::PATCH, "/v1/matches".into(), "GET, POST"),
        (Method::GET, format!("{}/actions", table.path), "POST"),
        (Method::POST, "/v1/games".into(), "GET"),
        (Method::from_bytes(b"BREW").unwrap(), "/healthz".into(), "GET"),
    ] {
        let answer = server.send(server.request(method.clone(), &path)).await;
        let allow = answer.headers["allow"].to_str().unwrap().to_owned();
        assert_eq!(answer.code(405), "method-not-allowed", "{method} {path}");
        assert!(allowed.split(", ").all(|method| allow.contains(method)), "{method} {path}: {allow}");
    }
    // Unusual spellings of one address are the same address.
    let spelled = format!("/v1/%6Datches/{}", id.to_uppercase());
    assert_eq!(server.get(&spelled, None).await.expect(200)["id"], *id);
}
