//! A match or player that cannot be set up as asked: every fault is told, and nothing is made.

use reqwest::Method;
use serde_json::{Value, json};

use crate::play::{GAMES, all_that_is_seen, humans};
use crate::server::{Answer, Server};

/// Set-ups that cannot be read.
pub fn unreadable() -> Vec<Value> {
    vec![
        json!({}),
        json!([]),
        json!({"game": "twenty_one"}),
        json!({"seats": [{}, {}]}),
        json!({"game": 21, "seats": [{}, {}]}),
        json!({"game": null, "seats": [{}, {}]}),
        json!({"game": "twenty_one", "seats": 2}),
        json!({"game": "twenty_one", "seats": {"0": {}}}),
        json!({"game": "twenty_one", "seats": [{}, null]}),
        json!({"game": "twenty_one", "seats": [[], []]}),
        json!({"game": "twenty_one", "seats": [{}, {"nmae": "a"}]}),
        json!({"game": "twenty_one", "seats": [{}, {"name": 7}]}),
        json!({"game": "twenty_one", "seats": [{}, {"bot": "godlike"}]}),
        json!({"game": "twenty_one", "seats": [{}, {"bot": true}]}),
        json!({"game": "twenty_one", "seats": [{}, {"open": "yes"}]}),
        json!({"game": "twenty_one", "seats": [{}, {"seat": 1}]}),
        json!({"game": "twenty_one", "seats": [{}, {}], "seat_order": "random"}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": -1}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 1.5}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 4_294_967_296_u64}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": "60"}),
        json!({"game": "twenty_one", "seats": [{}, {}], "listed": 1}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": []}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dices": [1]}}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dice": [-1]}}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dice": [4_294_967_296_u64]}}),
        json!({"game": "twenty_one", "seats": [{}, {}], "seed": "00"}),
    ]
}

/// Set-ups that can be read and cannot be.
pub fn impossible() -> Vec<Value> {
    let seats = |first: Value| json!({"game": "twenty_one", "seats": [first, {}]});
    let options = |game: &str, options: Value| {
        let count = GAMES.iter().find(|(id, _)| *id == game).unwrap().1;
        json!({"game": game, "seats": vec![json!({}); count], "options": options})
    };
    let mut setups = vec![
        json!({"game": "", "seats": [{}, {}]}),
        json!({"game": "chess", "seats": [{}, {}]}),
        json!({"game": "twenty_one\u{0}", "seats": [{}, {}]}),
        json!({"game": "か".repeat(50_000), "seats": [{}, {}]}),
        json!({"game": "twenty_one", "seats": []}),
        json!({"game": "twenty_one", "seats": [{}]}),
        json!({"game": "twenty_one", "seats": vec![json!({}); 11]}),
        json!({"game": "twenty_one", "seats": vec![json!({}); 10_000]}),
        json!({"game": "hachiku", "seats": [{}, {}, {}]}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 0}),
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 604_801}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dice": [7]}}),
        json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"deck": ["sword"]}}),
        json!({"game": "hachiku", "seats": [{}, {}], "sandbox": {"dice": [1]}}),
        json!({"game": "kamudakara", "seats": [{}, {}], "sandbox": {"deck": ["sword\u{0}"]}}),
        json!({"game": "salamander", "seats": [{}, {}], "sandbox": {"deck": vec!["fire"; 5]}}),
        seats(json!({"bot": "easy", "open": true})),
        seats(json!({"bot": "easy", "entropy": "00"})),
        seats(json!({"open": true, "name": "先生"})),
        options("hachiku", json!([])),
        options("hachiku", json!("standard")),
        options("hachiku", json!({"presett": "easy"})),
        options("hachiku", json!({"preset": "hard"})),
        options("hachiku", json!({"capture_target": 4})),
        options("hachiku", json!({"capture_target": 256})),
        options("hachiku", json!({"max_turns": 0})),
        options("hachiku", json!({"max_turns": 65_536})),
        options("hachiku", json!({"extra_words": vec!["かき"; 201]})),
        options("hachiku", json!({"extra_words": ["か\u{0}き"]})),
        options("hachiku", json!({"extra_words": [""]})),
        options("hachiku", json!({"banned_words": ["か".repeat(10_000)]})),
        options("hachiku", json!({"word_policy": {"classes": ["swear"]}})),
        options("hachiku", json!({"word_policy": ["common"]})),
        options("twenty_one", json!({"games": 0})),
        options("twenty_one", json!({"games": i64::MAX})),
        options("twenty_one", json!({"starting_chips": -1})),
        options("twenty_one", json!({"starting_chips": i64::MAX})),
        options("kamudakara", json!({"rounds": 0})),
        options("kamudakara", json!({"rounds": 255})),
        options("kamudakara", json!({"faces": {"sword": ["courage"]}})),
        options("kamudakara", json!({"faces": []})),
        options("salamander", json!({"target": 0})),
        options("salamander", json!({"target": 65_535})),
        options("sainokawara", json!({"dice": {"d12": 1}})),
        options("sainokawara", json!({"dice": {"d20": 255}})),
        options("sainokawara", json!({"stacking": "imagined"})),
    ];
    let long = "あ".repeat(65);
    setups.extend(
        ["", " ", "\u{3000}", "a\u{0}b", "\u{0}", "a\nb", "\u{7f}", "\u{85}", long.as_str()]
            .map(|name| seats(json!({"name": name}))),
    );
    let long = "00".repeat(65);
    setups.extend(["0", "xx", "０0", "00\u{0}", long.as_str()].map(|entropy| seats(json!({"entropy": entropy}))));
    setups
}

async fn count(server: &Server) -> usize {
    let mut listed = 0;
    for query in ["", "&sandbox=true"] {
        let list = server.get(&format!("/v1/matches?limit=500{query}"), None).await.expect(200);
        listed += list["matches"].as_array().unwrap().len();
    }
    listed
}

#[actix_web::test]
async fn no_set_up_that_cannot_be_makes_a_match() {
    let server = Server::start().await;
    for setup in unreadable() {
        let answer = server.post("/v1/matches", None, &setup).await;
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (400, "bad-request"), "{setup:.200}");
    }
    let mut accepted = Vec::new();
    for setup in impossible() {
        let answer = server.post("/v1/matches", None, &setup).await;
        if answer.status == 201 {
            accepted.push(format!("{setup:.200}"));
            continue;
        }
        assert_eq!((answer.status.as_u16(), answer.problem().as_str()), (422, "invalid-options"), "{setup:.200}");
        let faults = answer.json()["faults"].as_array().cloned().unwrap_or_default();
        assert!(!faults.is_empty(), "{setup:.200}");
        assert!(faults.iter().all(|fault| fault["field"].is_string() && fault["message"].is_string()));
    }
    assert_eq!(accepted, Vec::<String>::new());
    assert_eq!(count(&server).await, 0);
}

#[actix_web::test]
async fn all_faults_are_told_at_once_in_both_languages() {
    let server = Server::start().await;
    let setup = json!({
        "game": "kamudakara", "seats": [{"name": ""}, {"entropy": "x"}], "turn_seconds": 0,
        "options": {"rounds": 0}, "sandbox": {"dice": [1]},
    });
    let fields = |answer: Answer| {
        let faults = answer.expect(422)["faults"].as_array().unwrap().clone();
        let of = |name: &str| faults.iter().map(|fault| fault[name].as_str().unwrap().to_owned()).collect::<Vec<_>>();
        (of("field"), of("message"))
    };
    let (english, said) = fields(server.post("/v1/matches", None, &setup).await);
    let request = server.request(Method::POST, "/v1/matches").header("Accept-Language", "ja-JP, en;q=0.5");
    let (japanese, told) = fields(server.send(request.json(&setup)).await);
    for field in ["turn_seconds", "seats[0].name", "seats[1].entropy", "options.rounds", "sandbox.dice"] {
        assert!(english.iter().any(|there| there == field), "{field} in {english:?}");
    }
    assert_eq!(english, japanese);
    assert!(said.iter().all(|text| text.is_ascii()) && !told.iter().any(|text| text.is_ascii()), "{said:?} {told:?}");
}

#[actix_web::test]
async fn names_are_kept_as_they_are() {
    let server = Server::start().await;
    for name in [
        "先生",
        "か\u{3099}",
        "ｶﾞ",
        "🀄",
        "'; DROP TABLE matches; --",
        "<script>",
        "%s\\",
        "\u{ffff}",
        "a".repeat(64).as_str(),
    ] {
        let table = server.create(&json!({"game": "twenty_one", "seats": [{"name": name}, {}]})).await;
        assert_eq!(table.public().await["seats"][0]["name"], name);
        let player = server.post("/v1/players", None, &json!({"name": name})).await.expect(201);
        let shown = server.get(&format!("/v1/players/{}", player["player"].as_str().unwrap()), None).await.expect(200);
        assert_eq!(shown["name"], name);
    }
}

#[actix_web::test]
async fn no_player_without_a_name_that_can_be_shown() {
    let server = Server::start().await;
    for body in [json!({}), json!([]), json!({"name": 7}), json!({"name": null}), json!({"name": "a", "rating": 3000})]
    {
        assert_eq!(server.post("/v1/players", None, &body).await.code(400), "bad-request", "{body}");
    }
    for name in ["", " ", "a\u{0}", "a\tb", "あ".repeat(65).as_str()] {
        let answer = server.post("/v1/players", None, &json!({"name": name})).await;
        assert_eq!(answer.code(422), "invalid-options", "{name:?}");
    }
}

#[actix_web::test]
async fn no_claim_that_cannot_be_takes_a_seat() {
    let server = Server::start().await;
    let table = server.create(&json!({"game": "twenty_one", "seats": [{}, {"open": true}]})).await;
    let before = all_that_is_seen(&table).await;
    let claim = format!("{}/seats/1/claim", table.path);
    for (body, status, code) in [
        (json!({"name": "\u{0}"}), 422, "invalid-options"),
        (json!({"name": ""}), 422, "invalid-options"),
        (json!({"entropy": "x"}), 422, "invalid-options"),
        (json!({"entropy": "00".repeat(65)}), 422, "invalid-options"),
        (json!({"player_token": "nobody's"}), 401, "unknown-token"),
        (json!({"player_token": "\u{0}"}), 401, "unknown-token"),
        (json!({"player_token": 7}), 400, "bad-request"),
        (json!({"seat": 1}), 400, "bad-request"),
        (json!([]), 400, "bad-request"),
    ] {
        assert_eq!(server.post(&claim, None, &body).await.code(status), code, "{body}");
    }
    for seat in ["2", "9", "10", "255", "256", "-1", "x", "%00", "1%00"] {
        let answer = server.post(&format!("{}/seats/{seat}/claim", table.path), None, &json!({})).await;
        assert_eq!(answer.code(404), "not-found", "{seat}");
    }
    let taken = server.post(&format!("{}/seats/0/claim", table.path), None, &json!({})).await;
    assert_eq!(taken.code(409), "seat-taken");
    assert_eq!(table.act(0, json!({"type": "roll"})).await.code(409), "match-waiting");
    assert_eq!(all_that_is_seen(&table).await, before);
    let full = server.create(&humans("twenty_one", 2)).await;
    assert_eq!(server.post(&format!("{}/seats/1/claim", full.path), None, &json!({})).await.code(409), "seat-taken");
}
