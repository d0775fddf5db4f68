//! The explorer: what it adds up, how it spells what was played, which matches it names.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use takujo::history::tokens;
use takujo::matches::store::bulk::{Finished, load};

use crate::history::{Tallies, explore, settled, some_matches, summary, tallies};
use crate::play::{GAMES, Random, humans, play};
use crate::played::{DAY, EVE, database_of, history, played};
use crate::server::Server;

#[actix_web::test]
async fn the_explorer_adds_up_down_the_tree() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let matches = some_matches(&server, game, seats).await;
        let root = settled(&server, &format!("/v1/analytics/{game}/explorer"), matches.len()).await;
        let summary = summary(&server, game, &[]).await;
        for (seat, rate) in root["seats"].as_array().unwrap().iter().enumerate() {
            assert_eq!(*rate, summary["seats"][seat], "{game}");
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

#[actix_web::test]
async fn a_word_that_was_judged_is_counted() {
    let server = Server::start().await;
    let setup = json!({"game": "hachiku", "seats": [{}, {}], "options": {"unknown_words": "ask"}});
    for accept in [true, false] {
        let table = server.create(&setup).await;
        table.act(1, json!({"type": "choose_head", "letter": "か"})).await.expect(200);
        for (seat, letter) in [(0, "え"), (1, "む"), (0, "る"), (1, "ほ")] {
            table.act(seat, json!({"type": "gather", "letter": letter})).await.expect(200);
        }
        table.act(0, json!({"type": "say", "letters": "かるえ"})).await.expect(200);
        table.act(1, json!({"type": "judge", "accept": accept})).await.expect(200);
        table.act(1, json!({"type": "resign"})).await.expect(200);
    }
    let summary = settled(&server, "/v1/analytics/hachiku/summary", 2).await;
    assert_eq!(tallies(&summary["figures"]["refused_words"]["rates"]), Tallies::from([("かるえ".into(), (2, 1))]));
}

/// The ids of the matches that are named as examples of a move.
fn named(next: &Value) -> Vec<&str> {
    next["matches"].as_array().unwrap().iter().map(|link| link["id"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn an_unlisted_match_counts_and_is_never_named() {
    let server = Server::start().await;
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let mut listed = Vec::new();
    for is_listed in [true, true, false, false, false, false] {
        let seats = json!([{"player_token": player["token"]}, {}]);
        let table = server.create(&json!({"game": "twenty_one", "seats": seats, "listed": is_listed})).await;
        table.act(1, json!({"type": "resign"})).await.expect(200);
        if is_listed {
            listed.insert(0, table.path.rsplit('/').next().unwrap().to_owned());
        }
    }
    settled(&server, "/v1/analytics/twenty_one/explorer", 6).await;
    // Counted beforehand; searched by time, by player and beyond what is counted.
    let player = player["player"].as_str().unwrap();
    for parameters in [vec![], vec![("from", "2020-01-02")], vec![("player", player)]] {
        let explored = explore(&server, "twenty_one", &parameters).await;
        assert_eq!(explored["matches"], 6, "{parameters:?}");
        assert_eq!(named(&explored["next"][0]), listed, "{parameters:?}");
        let ended = explore(&server, "twenty_one", &[&*parameters, &[("path", "1.resign")]].concat()).await;
        assert_eq!(ended["ended"]["share"]["hits"], 6, "{parameters:?}");
        assert_eq!(named(&ended["ended"]), listed, "{parameters:?}");
    }
}

/// Matches of one day, a minute between one and the next.
fn of_a_day(numbers: std::ops::Range<u64>, day: i64) -> Vec<Finished> {
    numbers.map(|number| played("twenty_one", 2, number, day + number as i64 * 60_000)).collect()
}

/// The newest three of matches that are in order, by their first token.
fn newest(matches: &[Finished]) -> BTreeMap<String, Vec<String>> {
    let mut newest: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in matches.iter().rev() {
        let rolled = one.steps.iter().flat_map(|step| &step.events).find(|event| event["type"] == "rolled").unwrap();
        let ids = newest.entry(format!("{}.roll={}", rolled["seat"], rolled["die"])).or_default();
        if ids.len() < 3 {
            ids.push(one.facts.id.to_string());
        }
    }
    newest
}

/// The matches that are named, by token.
fn named_by_token(explored: &Value) -> BTreeMap<String, Vec<String>> {
    let next = explored["next"].as_array().unwrap().iter();
    next.map(|next| (next["token"].as_str().unwrap().to_owned(), named(next).into_iter().map(str::to_owned).collect()))
        .collect()
}

#[actix_web::test]
async fn the_newest_matches_are_named_first() {
    // All in one month, and many folded together.
    let matches = of_a_day(0..24, EVE + DAY);
    let (url, pool) = database_of(&matches[..12]).await;
    let server = Server::on(&url, |_| {}).await;
    settled(&server, "/v1/analytics/twenty_one/explorer", 12).await;
    load(&pool, &matches[12..]).await.unwrap();
    let explored = settled(&server, "/v1/analytics/twenty_one/explorer", 24).await;
    assert_eq!(named_by_token(&explored), newest(&matches));
}

#[actix_web::test]
async fn an_unlisted_match_takes_no_others_place() {
    let listed = of_a_day(0..24, EVE - DAY);
    // Newer, and in the next month.
    let mut unlisted = of_a_day(24..48, EVE + DAY);
    for one in &mut unlisted {
        one.facts.listed = false;
    }
    let (url, _pool) = database_of(&[listed.clone(), unlisted].concat()).await;
    let server = Server::on(&url, |_| {}).await;
    let explored = settled(&server, "/v1/analytics/twenty_one/explorer", 48).await;
    let mut named = named_by_token(&explored);
    named.retain(|_, ids| !ids.is_empty());
    assert_eq!(named, newest(&listed));
}

#[actix_web::test]
async fn whatever_is_played_can_be_asked_for() {
    let matches = history(4);
    let (url, pool) = database_of(&matches).await;
    let server = Server::on(&url, |_| {}).await;
    for (game, seats) in GAMES {
        let table = server.create(&humans(game, seats)).await;
        play(&table, &mut Random::new(11), 150).await;
        for seat in 0..seats {
            if table.public().await["status"] != "finished" {
                table.act(seat, json!({"type": "resign"})).await.expect(200);
            }
        }
        settled(&server, &format!("/v1/analytics/{game}/explorer"), 5).await;
    }
    let lines: Vec<(String, String)> =
        sqlx::query_as("SELECT game, line FROM history.lines").fetch_all(&pool).await.unwrap();
    assert_eq!(lines.len(), 25);
    for (game, line) in &lines {
        let played: Vec<_> = line.split('/').collect();
        tokens::check(game, &played).unwrap_or_else(|_| panic!("{game}: {line}"));
        // The whole of it, but for a last token after which nothing is kept.
        let path = played[..played.len().min(199)].join("/");
        assert!(explore(&server, game, &[("path", &path)]).await["matches"].as_i64().unwrap() >= 1, "{game}: {path}");
    }
}

#[actix_web::test]
async fn the_days_that_an_answer_is_about_are_told() {
    let server = Server::start().await;
    let times = [("from", "2026-01-03T12:00:00Z"), ("to", "2026-02-01T00:00:01Z")];
    for (asked, days) in [
        (&times[..], json!({"from": "2026-01-03", "to": "2026-02-02"})),
        (&times[1..], json!({"to": "2026-02-02"})),
        (&[], json!({})),
    ] {
        for answer in [explore(&server, "twenty_one", asked).await, summary(&server, "twenty_one", asked).await] {
            assert_eq!(answer["days"], days);
            assert_eq!(answer["filter"]["to"], json!(asked.last().map(|(_, to)| to)));
        }
    }
}

/// What a request with this query is refused with.
async fn refused(server: &Server, code: u16, query: &str) -> String {
    let answer = server.get(&format!("/v1/analytics/{query}"), None).await.expect(code);
    answer["detail"].as_str().unwrap().to_owned()
}

#[actix_web::test]
async fn what_is_wrong_in_a_query_is_named() {
    let server = Server::start().await;
    let space = refused(&server, 422, "kamudakara/explorer?path=open=sword+mirror,jewel+demon").await;
    assert!(space.contains("“open=sword mirror,jewel demon”") && space.contains("%2B"), "{space}");
    let line = "/v1/analytics/kamudakara/explorer?path=open=sword%2Bmirror,jewel%2Bdemon";
    server.get(line, None).await.expect(200);
    for what in ["summary", "explorer"] {
        let offset = refused(&server, 422, &format!("hachiku/{what}?from=2026-11-30T13:00:00+09:00")).await;
        assert!(offset.starts_with("from:") && offset.contains("%2B"), "{offset}");
        let seats = refused(&server, 400, &format!("hachiku/{what}?seats=abc")).await;
        assert_eq!(seats, "seats: expected a whole number from 2 to 10, not the string “abc”.");
        let option = refused(&server, 422, &format!("twenty_one/{what}?options=hands=TRUE")).await;
        assert_eq!(option, "options: hands cannot be “TRUE”; it can be true, false.");
    }
}

/// The limit of the code, of the description and of the documentation are one.
#[actix_web::test]
async fn a_path_of_all_tokens_fits_and_no_longer_one() {
    let server = Server::start().await;
    let path = vec!["0.discard=number-7"; 199].join("/");
    assert_eq!(explore(&server, "salamander", &[("path", &path)]).await["matches"], 0);
    let long = refused(&server, 422, &format!("salamander/explorer?path={}", "x".repeat(4_401))).await;
    assert_eq!(long, "path has at most 4400 characters.");
    let api = server.get("/openapi.json", None).await.expect(200);
    let parameters = api["paths"]["/v1/analytics/{game}/explorer"]["get"]["parameters"].as_array().unwrap();
    let path = parameters.iter().find(|parameter| parameter["name"] == "path").unwrap();
    assert_eq!(path["schema"]["maxLength"], 4_400);
    assert!(include_str!("../../docs/analytics.md").contains("a path has at most 199, and 4,400 characters"));
}
