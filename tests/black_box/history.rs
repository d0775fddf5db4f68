//! What the summary and the explorer say is what the records of the same matches say.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::play::{Random, humans, play};
use crate::server::{Match, Server};

/// A path with its parameters, encoded.
fn address(path: &str, parameters: &[(&str, &str)]) -> String {
    let mut url = reqwest::Url::parse("http://takujo").unwrap();
    url.query_pairs_mut().extend_pairs(parameters);
    format!("{path}?{}", url.query().unwrap_or_default())
}

/// An answer about a game once nothing waits and it is about so many matches.
pub async fn settled(server: &Server, path: &str, matches: usize) -> Value {
    for _ in 0..600 {
        let answer = server.get(path, None).await.expect(200);
        if answer["fresh"]["waiting"] == 0 && answer["matches"] == matches {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{path} is not about {matches} matches: {}", server.get(path, None).await.text);
}

/// The summary of a game with such parameters, at once.
pub async fn summary(server: &Server, game: &str, parameters: &[(&str, &str)]) -> Value {
    server.get(&address(&format!("/v1/analytics/{game}/summary"), parameters), None).await.expect(200)
}

/// What the explorer says with such parameters, at once.
pub async fn explore(server: &Server, game: &str, parameters: &[(&str, &str)]) -> Value {
    server.get(&address(&format!("/v1/analytics/{game}/explorer"), parameters), None).await.expect(200)
}

/// Finished matches of a game: some among bots, some of humans who act at random and give up.
pub async fn some_matches<'a>(server: &'a Server, game: &str, seats: usize) -> Vec<Match<'a>> {
    let mut matches = Vec::new();
    for seed in 0..3 {
        matches.push(server.create(&json!({"game": game, "seats": vec![json!({"bot": "easy"}); seats]})).await);
        let table = server.create(&humans(game, seats)).await;
        play(&table, &mut Random::new(seed), 40).await;
        for seat in 0..seats {
            if table.public().await["status"] != "finished" {
                table.act(seat, json!({"type": "resign"})).await.expect(200);
            }
        }
        matches.push(table);
    }
    for table in &matches {
        table.finished().await;
    }
    matches
}

/// How often, and how often so, by key.
pub type Tallies = BTreeMap<String, (i64, i64)>;

/// One more of a key, which was so or not.
pub fn count(tallies: &mut Tallies, key: impl Into<String>, hit: bool) {
    let tally = tallies.entry(key.into()).or_default();
    tally.0 += 1;
    tally.1 += i64::from(hit);
}

/// The rates of an answer, each with a sound interval.
pub fn tallies(rates: &Value) -> Tallies {
    let rates = rates.as_array().unwrap().iter();
    rates
        .map(|rate| {
            assert_interval(rate);
            let key = rate["key"].as_str().unwrap().to_owned();
            (key, (rate["n"].as_i64().unwrap(), rate["hits"].as_i64().unwrap()))
        })
        .collect()
}

/// A rate lies in its interval, and that between 0 and 1.
fn assert_interval(rate: &Value) {
    let number = |value: &Value| value.as_f64().unwrap();
    let (low, high) = (number(&rate["interval"][0]), number(&rate["interval"][1]));
    let share = rate["hits"].as_f64().unwrap() / rate["n"].as_f64().unwrap();
    assert!((number(&rate["rate"]) - share).abs() < 1e-12, "{rate}");
    assert!(0.0 <= low && low <= share + 1e-12 && share <= high + 1e-12 && high <= 1.0, "{rate}");
}

#[actix_web::test]
async fn sandbox_matches_and_live_ones_never_count() {
    let server = Server::start().await;
    let live = server.create(&humans("twenty_one", 2)).await;
    play(&live, &mut Random::new(1), 5).await;
    let sandbox = server.create(&json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dice": [1]}})).await;
    sandbox.act(0, json!({"type": "resign"})).await.expect(200);
    let counted = server.create(&humans("twenty_one", 2)).await;
    counted.act(1, json!({"type": "resign"})).await.expect(200);
    let summary = settled(&server, "/v1/analytics/twenty_one/summary", 1).await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    assert_eq!(settled(&server, "/v1/analytics/twenty_one/summary", 1).await["seats"], summary["seats"]);
    let other = settled(&server, "/v1/analytics/hachiku/summary", 0).await;
    assert_eq!(other["length"], json!({"n": 0, "quantiles": []}));
}

#[actix_web::test]
async fn filters_narrow_what_is_counted() {
    let server = Server::start().await;
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let seats = |first: Value, second: Value| json!([first, second]);
    let setups = [
        (seats(json!({}), json!({})), json!({"tie_rule": "draw"})),
        (seats(json!({}), json!({"bot": "easy"})), json!({"hands": true})),
        (seats(json!({"player_token": player["token"]}), json!({})), json!({"hands": true, "games": 3})),
        (json!([{}, {}, {}]), json!({})),
    ];
    for (seats, options) in &setups {
        let table = server.create(&json!({"game": "twenty_one", "seats": seats, "options": options})).await;
        for seat in 0..seats.as_array().unwrap().len() - 1 {
            table.act(seat, json!({"type": "resign"})).await.expect(200);
        }
        play(&table, &mut Random::new(1), 500).await;
        table.finished().await;
    }
    settled(&server, "/v1/analytics/twenty_one/summary", 4).await;
    let id = player["player"].as_str().unwrap();
    let now: String =
        server.get("/v1/matches", None).await.json()["matches"][0]["created_at"].as_str().unwrap()[..10].into();
    for (parameters, matches) in [
        (vec![("options", "hands=true")], 2),
        (vec![("options", "hands=false")], 2),
        (vec![("options", "hands=true,games=3")], 1),
        (vec![("options", "games=null")], 3),
        (vec![("options", "tie_rule=draw,hands=true")], 0),
        (vec![("composition", "humans")], 3),
        (vec![("composition", "mixed")], 1),
        (vec![("composition", "bots")], 0),
        (vec![("seats", "3")], 1),
        (vec![("seats", "2"), ("composition", "humans")], 2),
        (vec![("player", id)], 1),
        (vec![("player", id), ("options", "hands=false")], 0),
        (vec![("from", "2020-01-01"), ("to", "2021-01-01")], 0),
        (vec![("to", &*now)], 0),
        (vec![("from", &*now)], 4),
        (vec![("from", "2020-02-10"), ("to", "2099-01-01T12:00:00Z")], 4),
        (vec![("from", "2020-01-01"), ("player", id)], 1),
    ] {
        assert_eq!(summary(&server, "twenty_one", &parameters).await["matches"], matches, "{parameters:?}");
        assert_eq!(explore(&server, "twenty_one", &parameters).await["matches"], matches, "{parameters:?}");
    }
    // A player's own figures add up the same way.
    let own = summary(&server, "twenty_one", &[("player", id)]).await;
    assert_eq!(tallies(&own["seats"]), Tallies::from([("0".into(), (1, 0)), ("1".into(), (1, 1))]));
    assert_eq!(own["complete"], true);
}

#[actix_web::test]
async fn parameters_are_read_strictly() {
    let server = Server::start().await;
    for (path, status, code) in [
        ("/v1/analytics/chess/summary", 404, "not-found"),
        ("/v1/analytics/chess/explorer", 404, "not-found"),
        ("/v1/leaderboards/chess", 404, "not-found"),
        ("/v1/analytics/twenty_one/summary?form=2026-01-01", 400, "bad-request"),
        ("/v1/analytics/twenty_one/summary?from=2026-01-01&from=2026-01-02", 400, "bad-request"),
        ("/v1/analytics/twenty_one/summary?from=yesterday", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?from=2026-02-01&to=2026-02-01", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?options=hand=true", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?options=hands=maybe", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?options=%00=1", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?options=tie_rule=%00", 422, "invalid-parameters"),
        ("/v1/analytics/hachiku/summary?options=extra_words=%5B%5D", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?seats=1", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?seats=two", 400, "bad-request"),
        ("/v1/analytics/twenty_one/summary?composition=cyborgs", 400, "bad-request"),
        ("/v1/analytics/twenty_one/summary?player=0190a0a0-5c1e-7d3a-8b0e-0123456789ab", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/summary?player=me", 400, "bad-request"),
        ("/v1/analytics/twenty_one/explorer?path=/", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?path=0.roll=5/", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?path=%00", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?limit=0", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?path=nonsense", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?path=0.roll=5/0.roll=7", 422, "invalid-parameters"),
        ("/v1/analytics/hachiku/explorer?path=0.roll=5", 422, "invalid-parameters"),
        ("/v1/analytics/twenty_one/explorer?path=a&depth=3", 400, "bad-request"),
        ("/v1/leaderboards/twenty_one?limit=501", 422, "invalid-parameters"),
        ("/v1/leaderboards/twenty_one?cursor=x", 422, "invalid-parameters"),
        ("/v1/leaderboards/twenty_one?page=2", 400, "bad-request"),
    ] {
        assert_eq!(server.get(path, None).await.code(status), code, "{path}");
    }
    // A token that there can be and that was never played is found in no match.
    let unplayed = server.get("/v1/analytics/twenty_one/explorer?path=0.roll=5/9.resign", None).await.expect(200);
    assert_eq!((&unplayed["matches"], &unplayed["next"]), (&json!(0), &json!([])));
    let long = format!("/v1/analytics/twenty_one/explorer?path={}", "a/".repeat(3_000));
    assert_eq!(server.get(&long, None).await.code(422), "invalid-parameters");
}

/// A match that ended a moment ago may not be in the database yet.
#[actix_web::test]
async fn an_answer_is_complete_up_to_a_second_ago() {
    let server = Server::start().await;
    for path in ["analytics/twenty_one/summary", "analytics/twenty_one/explorer", "leaderboards/twenty_one"] {
        let answer = server.get(&format!("/v1/{path}"), None).await.expect(200);
        let complete_to: jiff::Timestamp = answer["fresh"]["complete_to"].as_str().unwrap().parse().unwrap();
        let age = jiff::Timestamp::now().duration_since(complete_to).as_secs_f64();
        assert!((1.0..60.0).contains(&age), "{path}: {age} s");
    }
}
