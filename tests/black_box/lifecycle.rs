//! A match of every game from its creation to its record, as a user sees it.

use std::collections::BTreeMap;
use std::process::Command;

use dictionary::Lexicon;
use serde_json::{Value, json};
use takujo::matches::record::RecordBody;

use crate::play::{GAMES, Random};
use crate::server::{LEXICON, Match, Server};

/// A match of one human against bots.
async fn against_bots<'a>(server: &'a Server, game: &str, seats: usize) -> Match<'a> {
    let mut players = vec![json!({"bot": "easy"}); seats];
    players[0] = json!({"name": "先生", "entropy": "c0ffee"});
    server.create(&json!({"game": game, "seats": players, "seat_order": "as_given"})).await
}

/// Plays seat 0 by the first legal action whenever it is to act, and keeps what it and the public
/// saw, by version.
async fn play_to_the_end(table: &Match<'_>) -> BTreeMap<u64, [String; 2]> {
    let mut seen = BTreeMap::new();
    for _ in 0..5_000 {
        let [own, public] = [Some(table.tokens[0].as_str()), None].map(|viewer| table.server.get(&table.path, viewer));
        let (own, public) = (own.await, public.await);
        let now = own.json();
        if now["version"] == public.json()["version"] {
            seen.insert(now["version"].as_u64().unwrap(), [own.text, public.text]);
        }
        if now["status"] == "finished" {
            return seen;
        }
        if now["to_act"].as_array().unwrap().contains(&json!(0)) {
            let legal = table.legal(0).await;
            table.act(0, legal[0].clone()).await.expect(200);
        } else {
            let request = table.server.request(reqwest::Method::GET, &format!("{}?wait=5", table.path));
            let request = request.bearer_auth(&table.tokens[0]).header("If-None-Match", &own.headers["etag"]);
            table.server.send(request).await;
        }
        if seen.len() == 12 {
            as_it_stood(table, &seen).await;
        }
    }
    panic!("the match does not end");
}

/// While the match is played, each version is at its address what it was when it was current.
async fn as_it_stood(table: &Match<'_>, seen: &BTreeMap<u64, [String; 2]>) {
    for (version, [own, public]) in seen {
        let path = format!("{}/at/{version}", table.path);
        assert_eq!(&table.server.get(&path, Some(&table.tokens[0])).await.text, own, "version {version}");
        assert_eq!(&table.server.get(&path, None).await.text, public, "version {version}");
    }
}

#[actix_web::test]
async fn every_game_is_played_to_its_record() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let table = against_bots(&server, game, seats).await;
        let seen = play_to_the_end(&table).await;
        let end = table.public().await;
        let last = end["version"].as_u64().unwrap();
        assert_eq!(seen[&last][0], seen[&last][1], "after the end everybody sees the same");
        assert_eq!(server.get(&format!("{}/at/{last}", table.path), None).await.text, seen[&last][1]);
        assert_eq!(end["to_act"], json!([]));
        assert_eq!(end["outcome"]["ranks"].as_array().unwrap().len(), seats);
        history_is_whole(&table).await;
        the_record_follows(&table, game).await;
    }
}

/// The events are numbered without a gap, can be read in parts, and are those of the record.
async fn history_is_whole(table: &Match<'_>) {
    let read = async |query: &str| {
        let answer = table.server.get(&format!("{}/events{query}", table.path), None).await.expect(200);
        answer["events"].as_array().unwrap().clone()
    };
    let all = read("").await;
    assert!((1..).zip(&all).all(|(seq, event)| event["seq"] == seq));
    assert!(all.windows(2).all(|pair| pair[0]["version"].as_u64() <= pair[1]["version"].as_u64()));
    assert_eq!((&all[0]["type"], &all[all.len() - 1]["type"]), (&json!("started"), &json!("finished")));
    let mut parts = Vec::new();
    while parts.len() < all.len() {
        let part = read(&format!("?after={}&limit=100", parts.len())).await;
        assert!((1..=100).contains(&part.len()));
        parts.extend(part);
    }
    assert_eq!(parts, all);
    assert_eq!(read("?after=4294967295").await, Vec::<Value>::new());
    let record = table.server.get(&format!("{}/record", table.path), None).await.expect(200);
    let steps = record["steps"].as_array().unwrap();
    let recorded = steps.iter().flat_map(|step| step["events"].as_array().unwrap());
    for (event, recorded) in all.iter().zip(recorded) {
        for (field, value) in recorded.as_object().unwrap() {
            assert_eq!(&event[field], value);
        }
    }
}

/// The record follows; with one value changed it does not.
async fn the_record_follows(table: &Match<'_>, game: &str) {
    let record = table.server.get(&format!("{}/record", table.path), None).await.expect(200);
    let folder = tempfile::tempdir().unwrap();
    let verify = |record: &Value| {
        let path = folder.path().join("record.json");
        std::fs::write(&path, record.to_string()).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
        let out = command.arg("verify").arg(path).arg("--data-dir").arg(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
        (out.status.success(), String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap())
    };
    let (follows, said) = verify(&record);
    assert!(follows, "{game}: {said}");
    let mut changed = record.clone();
    changed["steps"][3]["at"] = json!("2026-01-01T00:00:00.000Z");
    let (follows, said) = verify(&changed);
    assert!(!follows && said.contains("version 4"), "{game}: {said}");

    let mut leaves = Vec::new();
    leaves_of(&record, String::new(), &mut leaves);
    let (mut steps, mut rest): (Vec<_>, Vec<_>) = leaves.into_iter().partition(|leaf| leaf.starts_with("/steps/"));
    let mut random = Random::new(last_digits(table));
    rest.extend((0..30).map(|_| steps.swap_remove(random.below(steps.len()))));
    let lexicon = LEXICON.clone();
    let unnoticed = tokio::task::spawn_blocking(move || {
        let changed = rest.into_iter().filter(|leaf| follows_without(&record, leaf, &lexicon));
        changed.collect::<Vec<_>>()
    });
    assert_eq!(unnoticed.await.unwrap(), Vec::<String>::new(), "{game}: values that can be changed unnoticed");
}

/// Whether a record still follows with another value at this place.
fn follows_without(record: &Value, leaf: &str, lexicon: &Lexicon) -> bool {
    let mut changed = record.clone();
    let value = changed.pointer_mut(leaf).unwrap();
    *value = match &*value {
        Value::Bool(on) => json!(!on),
        Value::Number(number) => number.as_u64().map_or(json!(0.123), |number| json!(number + 1)),
        Value::String(text) => match text.strip_suffix('0') {
            Some(start) => json!(format!("{start}1")),
            None => json!(format!("{text}0")),
        },
        _ => json!("something"),
    };
    serde_json::from_value::<RecordBody>(changed).is_ok_and(|record| record.verify(lexicon).is_ok())
}

fn leaves_of(value: &Value, path: String, leaves: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| leaves_of(item, format!("{path}/{at}"), leaves));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| leaves_of(item, format!("{path}/{name}"), leaves));
        }
        _ => leaves.push(path),
    }
}

/// A seed of the match's own.
fn last_digits(table: &Match<'_>) -> u64 {
    u64::from_str_radix(&table.path[table.path.len() - 8..], 16).unwrap()
}
