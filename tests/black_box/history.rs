//! What the summary and the explorer say is what the records of the same matches say.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::play::{GAMES, Random, humans, play};
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
async fn summary(server: &Server, game: &str, parameters: &[(&str, &str)]) -> Value {
    server.get(&address(&format!("/v1/analytics/{game}/summary"), parameters), None).await.expect(200)
}

async fn explore(server: &Server, game: &str, parameters: &[(&str, &str)]) -> Value {
    server.get(&address(&format!("/v1/analytics/{game}/explorer"), parameters), None).await.expect(200)
}

/// Finished matches of a game: some among bots, some of humans who act at random and give up.
async fn some_matches<'a>(server: &'a Server, game: &str, seats: usize) -> Vec<Match<'a>> {
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

async fn records(matches: &[Match<'_>]) -> Vec<Value> {
    let mut records = Vec::new();
    for table in matches {
        records.push(table.server.get(&format!("{}/record", table.path), None).await.expect(200));
    }
    records
}

fn events(record: &Value) -> Vec<Value> {
    record["steps"].as_array().unwrap().iter().flat_map(|step| step["events"].as_array().unwrap().clone()).collect()
}

/// How often, and how often so, by key.
type Tallies = BTreeMap<String, (i64, i64)>;

fn count(tallies: &mut Tallies, key: impl Into<String>, hit: bool) {
    let tally = tallies.entry(key.into()).or_default();
    tally.0 += 1;
    tally.1 += i64::from(hit);
}

fn tallies(rates: &Value) -> Tallies {
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

fn time(text: &Value) -> f64 {
    let text = text.as_str().unwrap();
    let seconds: f64 = text[17..23].parse().unwrap();
    let part = |range: std::ops::Range<usize>| text[range].parse::<f64>().unwrap();
    part(8..10) * 86400.0 + part(11..13) * 3600.0 + part(14..16) * 60.0 + seconds
}

#[actix_web::test]
async fn a_summary_is_what_the_records_say() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let matches = some_matches(&server, game, seats).await;
        let path = format!("/v1/analytics/{game}/summary");
        let summary = settled(&server, &path, matches.len()).await;
        let records = records(&matches).await;

        let (mut wins, mut reasons, mut lengths, mut durations) = (Tallies::new(), Tallies::new(), 0, 0.0);
        let mut deciders = [0, 0];
        for record in &records {
            for seat in 0..seats {
                count(&mut wins, seat.to_string(), record["outcome"]["ranks"][seat] == 1);
            }
            count(&mut reasons, record["outcome"]["reason"].as_str().unwrap(), true);
            let steps = record["steps"].as_array().unwrap();
            lengths += steps.iter().filter(|step| step["action"].is_object()).count();
            durations += time(&steps.last().unwrap()["at"]) - time(&steps[0]["at"]);
            deciders[0] +=
                steps.iter().filter(|step| step["cause"] == "action" && step["action"]["type"] != "resign").count();
            deciders[1] += steps.iter().filter(|step| step["cause"] == "bot").count();
        }
        assert_eq!(tallies(&summary["seats"]), wins, "{game}");
        let shares = tallies(&summary["reasons"]);
        assert_eq!(shares.len(), reasons.len(), "{game}");
        for (reason, (n, _)) in reasons {
            assert_eq!(shares[&reason], (matches.len() as i64, n), "{game} {reason}");
        }
        let mean = |spread: &Value| spread["mean"].as_f64().unwrap();
        let of = matches.len() as f64;
        assert!((mean(&summary["length"]) - lengths as f64 / of).abs() < 1e-9, "{game}");
        assert!((mean(&summary["duration_s"]) - durations / of).abs() < 2e-3 * of, "{game}");
        assert_eq!(summary["decision_s"]["bot"]["n"], deciders[1], "{game}");
        // A seat may resign when it owes nothing; then no time is taken.
        let human = summary["decision_s"]["human"]["n"].as_u64().unwrap() as usize;
        assert!((deciders[0]..=deciders[0] + 2 * matches.len() * seats).contains(&human), "{game} {human}");
        let first: i64 = tallies(&summary["first_moves"]).values().map(|(n, _)| n).sum();
        assert_eq!(first, matches.len() as i64, "{game}");
        figures_agree(game, &summary["figures"], &records);
    }
}

/// The figures of a game's own against what its events say.
fn figures_agree(game: &str, figures: &Value, records: &[Value]) {
    let mut found: BTreeMap<&str, Tallies> = BTreeMap::new();
    for record in records {
        let won = |event: &Value| {
            let seat = event["seat"].as_u64().unwrap();
            record["outcome"]["winners"].as_array().unwrap().contains(&json!(seat))
        };
        let mut tally = |figure, key: &Value, hit| {
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            count(found.entry(figure).or_default(), key, hit);
        };
        let mut stopped = Vec::new();
        let mut offer = Value::Null;
        for event in events(record) {
            match (game, event["type"].as_str().unwrap()) {
                ("hachiku", "said") => {
                    let word = event["word"]["letters"].as_str().unwrap();
                    tally("words", &json!(word), won(&event));
                    tally("heads", &json!(word.chars().next().unwrap().to_string()), won(&event));
                }
                ("twenty_one", "stopped") => stopped.push(event.clone()),
                ("twenty_one", "game_won" | "game_drawn" | "pot_kept") => {
                    for stop in stopped.drain(..) {
                        let shares = event["seats"].as_array().is_some_and(|seats| seats.contains(&stop["seat"]));
                        tally("stops", &stop["total"], shares || event["seat"] == stop["seat"]);
                    }
                }
                ("kamudakara", "offered") => offer = event.clone(),
                ("kamudakara", "offer_taken") => {
                    tally("shown_blessings", &offer["shown"], event["take"] == "shown");
                    tally("treasures", &offer["card"], event["take"] == "treasure");
                }
                ("salamander", "announced") => {
                    let claims = event["claims"].as_array().unwrap().len();
                    tally("announcements", &json!(claims), event["points"].is_u64());
                }
                ("salamander", "keys_thrown") => {
                    let last: Vec<Vec<Value>> = serde_json::from_value(event["throws"].clone()).unwrap();
                    let keys = [1, 1, 4]
                        .iter()
                        .enumerate()
                        .filter(|(stick, key)| last.iter().any(|faces| faces[*stick] == **key));
                    tally("keys", &json!("three"), keys.count() == 3);
                }
                ("sainokawara", "tower_fell") => tally("ended", &event["cause"], true),
                ("sainokawara", "tower_completed") => tally("ended", &json!("complete"), true),
                _ => {}
            }
        }
    }
    if game == "sainokawara" {
        let ended = found.remove("ended").unwrap_or_default();
        let all: i64 = ended.values().map(|(n, _)| n).sum();
        let expected: Tallies = ended.into_iter().map(|(cause, (n, _))| (cause, (all, n))).collect();
        assert_eq!(tallies(&figures["towers"]["rates"]), expected);
        let fell: i64 = tallies(&figures["falls_by_die"]["rates"]).values().map(|(_, hits)| hits).sum();
        let complete = expected.get("complete").map_or(0, |(_, hits)| *hits);
        assert_eq!(fell, all - complete);
    }
    for (figure, expected) in found {
        let got = tallies(&figures[figure]["rates"]);
        if figure == "words" {
            assert!(got.iter().all(|(word, tally)| expected[word] == *tally), "{figure}: {got:?}");
            assert_eq!(got.len(), expected.len().min(50));
        } else {
            assert_eq!(got, expected, "{game} {figure}");
        }
    }
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

#[actix_web::test]
async fn the_explorer_adds_up_down_the_tree() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let matches = some_matches(&server, game, seats).await;
        let root = settled(&server, &format!("/v1/analytics/{game}/explorer"), matches.len()).await;
        let summary = summary(&server, game, &[]).await;
        for (seat, rate) in root["seats"].as_array().unwrap().iter().enumerate() {
            assert_eq!(rate["hits"], summary["seats"][seat]["hits"], "{game}");
        }
        // Down the most frequent moves, beyond what is counted beforehand.
        let (mut path, mut here) = (String::new(), root);
        for depth in 0..12 {
            let all = here["matches"].as_i64().unwrap();
            let next = here["next"].as_array().unwrap().clone();
            let ended = here["ended"]["share"]["hits"].as_i64().unwrap_or_default();
            let played: i64 = next.iter().map(|next| next["share"]["hits"].as_i64().unwrap()).sum();
            assert_eq!((played + ended, here["moves"].as_u64()), (all, Some(next.len() as u64)), "{game} {path}");
            assert_eq!(here["complete"], true);
            let wins = |of: &Value, seat: usize| of["seats"][seat]["hits"].as_i64().unwrap_or_default();
            for seat in 0..seats {
                let sum: i64 = next.iter().chain([&here["ended"]]).map(|next| wins(next, seat)).sum();
                assert_eq!(sum, wins(&here, seat), "{game} {path} {depth}");
            }
            let Some(first) = next.first() else { break };
            first["share"].get("interval").unwrap();
            let link = first["matches"][0]["record"].as_str().unwrap();
            assert_eq!(server.get(link, None).await.expect(200)["game"], game);
            let token = first["token"].as_str().unwrap();
            path = if path.is_empty() { token.to_owned() } else { format!("{path}/{token}") };
            let below = explore(&server, game, &[("path", &path)]).await;
            assert_eq!(below["matches"], first["share"]["hits"], "{game} {path}");
            // What is counted and what is searched say the same.
            let searched = explore(&server, game, &[("path", &path), ("from", "2020-01-02")]).await;
            for part in ["matches", "seats", "moves"] {
                assert_eq!(below[part], searched[part], "{game} {path} {part}");
            }
            here = below;
        }
    }
}

#[actix_web::test]
async fn a_line_is_spelled_by_what_was_played() {
    let server = Server::start().await;
    let table = server.create(&humans("hachiku", 2)).await;
    table.act(1, json!({"type": "choose_head", "letter": "か"})).await.expect(200);
    table.act(0, json!({"type": "gather", "letter": "さ"})).await.expect(200);
    table.act(1, json!({"type": "gather", "letter": "き"})).await.expect(200);
    table.act(0, json!({"type": "say", "word": "カサ"})).await.expect(200);
    table.act(1, json!({"type": "resign"})).await.expect(200);
    settled(&server, "/v1/analytics/hachiku/explorer", 1).await;
    let mut path = Vec::new();
    for token in ["1.choose_head=か", "0.gather=さ", "1.gather=き", "0.say=かさ", "1.resign"] {
        let here = explore(&server, "hachiku", &[("path", &path.join("/"))]).await;
        assert_eq!(here["next"][0]["token"], token);
        path.push(token);
    }
    let end = explore(&server, "hachiku", &[("path", &path.join("/"))]).await;
    assert_eq!((&end["ended"]["share"]["hits"], &end["next"]), (&json!(1), &json!([])));
    assert_eq!(end["ended"]["seats"][0]["hits"], 1);
    let summary = summary(&server, "hachiku", &[]).await;
    assert_eq!(tallies(&summary["figures"]["words"]["rates"]), Tallies::from([("かさ".into(), (1, 1))]));
    assert_eq!(tallies(&summary["first_moves"]), Tallies::from([("1.choose_head=か".into(), (1, 0))]));
}
