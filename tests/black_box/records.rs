//! Records checked by two programs: `takujo verify`, and one that was made from `docs/chance.md`
//! alone. They come to the same verdict and name the same first thing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use takujo::matches::record::RecordBody;

use crate::server::{LEXICON, Match, Server};

const CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/verify_record.py");
const PAGE_CHECKER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/verify_page.py");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/chance.md");

/// The matches whose records are checked: every game, and every way in which it asks for chance.
fn matches() -> Vec<Value> {
    let bots = |count: usize| {
        let mut seats = vec![json!({"bot": "easy"}); count];
        seats[0] = json!({"name": "先生", "entropy": "c0ffee"});
        seats
    };
    let deck = ["sword", "mirror", "jewel", "jewel", "sword", "demon"];
    vec![
        json!({"game": "hachiku", "seats": bots(2)}),
        json!({"game": "twenty_one", "seats": bots(4), "seat_order": "shuffled",
               "options": {"tie_rule": "sudden_death", "games": 12}}),
        json!({"game": "twenty_one", "seats": bots(2), "sandbox": {"dice": [6, 6, 6, 1, 2, 3]}}),
        json!({"game": "kamudakara", "seats": bots(3), "seat_order": "shuffled", "options": {"rounds": 2}}),
        json!({"game": "kamudakara", "seats": bots(2), "sandbox": {"deck": deck}}),
        json!({"game": "salamander", "seats": bots(2), "options": {"target": 49}}),
        json!({"game": "salamander", "seats": bots(4), "sandbox": {"deck": ["air", "fire", "number-7"], "dice": [1, 4]}}),
        json!({"game": "sainokawara", "seats": bots(3)}),
        json!({"game": "sainokawara", "seats": bots(3), "options": {"stacking": "simulated", "tremor": "shaky"}}),
    ]
}

/// Plays the human seat by the best bot's advice until the match is over.
async fn play_to_the_end(table: &Match<'_>) {
    // The first of the request, wherever the shuffle has put it.
    let (own, token) = (0, Some(table.tokens[0].as_str()));
    for _ in 0..10_000 {
        let now = table.seen_by(own).await;
        if now["status"] == "finished" {
            return;
        }
        let seat = now["seats"].as_array().unwrap().iter().position(|seat| seat["kind"] == "human").unwrap();
        if now["to_act"].as_array().unwrap().contains(&json!(seat)) {
            let path = format!("{}/analysis", table.path);
            let advice = table.server.post(&path, token, &json!({"limit": 1})).await.expect(200);
            table.act(own, advice["actions"][0]["action"].clone()).await.expect(200);
        } else {
            let request = table.server.request(Method::GET, &format!("{}?wait=1", table.path));
            let tag = table.server.get(&table.path, None).await.headers["etag"].clone();
            table.server.send(request.header("If-None-Match", tag)).await;
        }
    }
    panic!("the match does not end");
}

/// The check that failed first, as both programs name it: what stands before the details.
fn first_named(said: &str) -> String {
    let Some((_, flaw)) = said.split_once("does not follow: ") else { return "follows".to_owned() };
    let parts = if flaw.starts_with("version") { 2 } else { 1 };
    flaw.split(": ").take(parts).collect::<Vec<_>>().join(": ")
}

/// What the program of the page says of records.
fn by_the_page(paths: &[PathBuf]) -> Vec<String> {
    let out = Command::new("python3").arg(CHECKER).args(paths).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap();
    let named: Vec<_> = said.lines().map(first_named).collect();
    assert_eq!(named.len(), paths.len(), "{said}{}", String::from_utf8_lossy(&out.stderr));
    assert_eq!(out.status.success(), named.iter().all(|name| name == "follows"));
    named
}

/// What the rules say of a record.
fn by_the_rules(record: &Value) -> String {
    let checked = RecordBody::read(record.to_string().as_bytes()).and_then(|record| record.verify(&LEXICON));
    checked.map_or_else(|flaw| first_named(&format!("does not follow: {flaw}")), |()| "follows".to_owned())
}

fn hashed(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// Makes the whole chain anew, as somebody would who wants a change to go unnoticed.
fn link(record: &mut Value) {
    let mut setup = record.clone();
    let fields = setup.as_object_mut().unwrap();
    fields.retain(|name, _| name != "steps" && name != "outcome");
    let mut before = hashed(&setup.to_string());
    for step in record["steps"].as_array_mut().unwrap() {
        step.as_object_mut().unwrap().remove("hash");
        before = hashed(&format!("{before}\n{step}"));
        step["hash"] = json!(before);
    }
}

/// The first event of these types: its step and its place there.
fn find(record: &Value, types: &[&str]) -> Option<(usize, usize)> {
    let steps = record["steps"].as_array().unwrap();
    steps.iter().enumerate().find_map(|(at, step)| {
        let events = step["events"].as_array().unwrap();
        let place = events.iter().position(|event| types.contains(&event["type"].as_str().unwrap()))?;
        Some((at, place))
    })
}

/// The events that show a die or a stick.
const DICE: [&str; 5] = ["rolled", "sudden_death_rolled", "thrown", "keys_thrown", "start_rolled"];

/// A die or a stick with another face.
fn change_a_die(record: &mut Value) -> Option<u64> {
    let (step, event) = find(record, &DICE)?;
    let event = &mut record["steps"][step]["events"][event];
    let other = |face: &Value| json!(face.as_u64().unwrap() % 4 + 1);
    match event["type"].as_str().unwrap() {
        "thrown" => event["throw"]["numbers"][1] = other(&event["throw"]["numbers"][1]),
        "keys_thrown" => event["throws"][0][0] = other(&event["throws"][0][0]),
        "start_rolled" => event["dice"][0] = other(&event["dice"][0]),
        _ => event["die"] = other(&event["die"]),
    }
    Some(step as u64 + 1)
}

fn change_a_tremor(record: &mut Value) -> Option<u64> {
    let (step, event) = find(record, &["set_down"])?;
    let x = &mut record["steps"][step]["events"][event]["at"]["x"];
    *x = json!(x.as_f64()? + 0.25);
    Some(step as u64 + 1)
}

fn swap_in_the_deck(record: &mut Value) -> Option<u64> {
    let (step, event) = find(record, &["dealt", "shuffled"])?;
    let deck = record["steps"][step]["events"][event]["deck"].as_array_mut()?;
    let other = deck.iter().position(|card| *card != deck[0])?;
    deck.swap(0, other);
    Some(step as u64 + 1)
}

fn remove_an_event(record: &mut Value) -> Option<u64> {
    let (step, event) = find(record, &DICE).or_else(|| find(record, &["dealt", "shuffled"]))?;
    record["steps"][step]["events"].as_array_mut()?.remove(event);
    Some(step as u64 + 1)
}

/// An action that asks for chance becomes one that does not.
fn change_an_action(record: &mut Value) -> Option<u64> {
    let (step, _) = find(record, &DICE)?;
    record["steps"][step]["action"] = json!({"type": "resign"});
    Some(step as u64 + 1)
}

/// Does something to a record, and says at which version; nothing where the record has no such thing.
type Change = fn(&mut Value) -> Option<u64>;

/// What is done to a record, and what both programs name first, `N` being the version it was done at.
struct Tampering {
    name: &'static str,
    change: Change,
    /// With the chain as it was.
    found: &'static str,
    /// With the whole chain made anew.
    found_in_a_new_chain: &'static str,
}

/// In every record.
fn tamperings() -> Vec<Tampering> {
    let table: Vec<(_, Change, _, _)> = vec![
        ("format", |record| set(record, "/format", "takujo-record-0"), "form", "form"),
        ("algorithm", |record| set(record, "/chance/algorithm", "chacha8-v1"), "algorithm", "algorithm"),
        ("seed", |record| flip(record, "/chance/server_seed"), "commitment", "commitment"),
        ("commitment", |record| flip(record, "/chance/commitment"), "commitment", "commitment"),
        ("rules", |record| set(record, "/rules_version", 99), "rules", "rules"),
        ("seat order", |record| set(record, "/seats/0/given", 9), "seat-order", "seat-order"),
        ("entropy too long", |record| set(record, "/seats/0/entropy", "ab".repeat(65)), "set-up", "set-up"),
        ("id", |record| flip(record, "/id"), "", ""),
        ("entropy", |record| set(record, "/seats/0/entropy", "dead"), "version 1: hash", ""),
        ("name", |record| set(record, "/seats/0/name", "x"), "version 1: hash", "follows"),
        ("die", change_a_die, "version N: hash", "version N: event"),
        ("tremor", change_a_tremor, "version N: hash", "version N: event"),
        ("deck", swap_in_the_deck, "version N: hash", "version N: event"),
        ("event removed", remove_an_event, "version N: hash", "version N: event"),
        ("action", change_an_action, "version N: hash", ""),
        ("chance used", |record| add(record, "/steps/2/chance_used/words", 3), "version N: hash", "version N: chance"),
        ("version", |record| add(record, "/steps/2/version", 4), "version N: hash", "version N: version"),
        ("hash", |record| flip(record, "/steps/2/hash").map(|_| 3), "version N: hash", "follows"),
        (
            "time",
            |record| set(record, "/steps/2/at", "2020-01-01T00:00:00.000Z").map(|_| 3),
            "version N: hash",
            "version N: time",
        ),
        ("step removed", |record| remove_a_step(record, 2), "version N: hash", "version N: version"),
        ("end removed", |record| remove_a_step(record, record["steps"].as_array()?.len() - 1), "outcome", "outcome"),
        ("outcome", |record| set(record, "/outcome/reason", "luck"), "outcome", "outcome"),
    ];
    let row = |(name, change, found, found_in_a_new_chain)| Tampering { name, change, found, found_in_a_new_chain };
    table.into_iter().map(row).collect()
}

fn set(record: &mut Value, place: &str, value: impl Into<Value>) -> Option<u64> {
    let (parent, field) = place.rsplit_once('/')?;
    record.pointer_mut(parent)?[field] = value.into();
    Some(0)
}

/// One hex digit becomes another.
fn flip(record: &mut Value, place: &str) -> Option<u64> {
    let text = record.pointer(place)?.as_str()?.to_owned();
    let (start, last) = text.split_at(text.len() - 1);
    set(record, place, format!("{start}{}", if last == "0" { "1" } else { "0" }))
}

fn add(record: &mut Value, place: &str, version: u64) -> Option<u64> {
    let value = record.pointer_mut(place)?;
    *value = json!(value.as_u64()? + 1);
    Some(version)
}

fn remove_a_step(record: &mut Value, at: usize) -> Option<u64> {
    record["steps"].as_array_mut()?.remove(at);
    Some(at as u64 + 2)
}

/// Tampers with a record in every way that the table tells, and has both programs judge.
fn both_name_the_first_thing(record: &Value, folder: &Path) -> usize {
    let (mut paths, mut expected, mut records) = (Vec::new(), Vec::new(), Vec::new());
    for Tampering { name, change, found, found_in_a_new_chain } in tamperings() {
        for (chain, found) in [("old", found), ("new", found_in_a_new_chain)] {
            let mut changed = record.clone();
            let Some(version) = change(&mut changed) else { continue };
            if chain == "new" {
                link(&mut changed);
            }
            let path = folder.join(format!("{}-{chain}.json", name.replace(' ', "-")));
            std::fs::write(&path, changed.to_string()).unwrap();
            paths.push(path);
            expected.push(found.replace('N', &version.to_string()));
            records.push(changed);
        }
    }
    let game = &record["game"];
    for ((path, expected), (record, named)) in paths.iter().zip(expected).zip(records.iter().zip(by_the_page(&paths))) {
        let place = format!("{game} {}", path.file_name().unwrap().display());
        assert_eq!(named, by_the_rules(record), "{place}: the page and the rules disagree");
        // Where nothing is expected by name, what comes first depends on the dice.
        if !expected.is_empty() {
            assert_eq!(named, expected, "{place}");
        }
    }
    paths.len()
}

/// What only the rules can tell: the program of the page says that it does not judge it.
fn only_the_rules_tell(record: &Value, folder: &Path) {
    let mut changed = record.clone();
    let last = changed["steps"].as_array().unwrap().len() - 1;
    let events = changed["steps"][last]["events"].as_array_mut().unwrap();
    let finished = events.last_mut().unwrap();
    finished["outcome"]["reason"] = json!("luck");
    changed["outcome"]["reason"] = json!("luck");
    link(&mut changed);
    let path = folder.join("outcome-in-both-places.json");
    std::fs::write(&path, changed.to_string()).unwrap();
    assert_eq!(by_the_page(&[path]), ["follows"]);
    assert_eq!(by_the_rules(&changed), format!("version {}: event", last + 1));
}

#[actix_web::test]
async fn two_programs_come_to_the_same_verdict_on_every_record() {
    let server = Server::start().await;
    for setup in matches() {
        let table = server.create(&setup).await;
        play_to_the_end(&table).await;
        let record = server.get(&format!("{}/record", table.path), None).await.expect(200);
        let checks = tokio::task::spawn_blocking(move || {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("record.json");
            std::fs::write(&path, record.to_string()).unwrap();
            assert_eq!(by_the_page(std::slice::from_ref(&path)), ["follows"], "{setup}");
            let mut verify = Command::new(env!("CARGO_BIN_EXE_takujo"));
            let out =
                verify.arg("verify").arg(&path).args(["--data-dir", env!("CARGO_TARGET_TMPDIR")]).output().unwrap();
            assert!(out.status.success(), "{setup}: {}", String::from_utf8_lossy(&out.stdout));
            only_the_rules_tell(&record, folder.path());
            both_name_the_first_thing(&record, folder.path())
        });
        assert!(checks.await.unwrap() > 30);
    }
}

/// Records of matches played long ago: they follow for ever, on any machine, by the rules of their
/// version.
#[test]
fn records_that_were_kept_still_follow() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/records")).unwrap();
    let mut paths: Vec<_> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut kept = BTreeSet::new();
    for (path, by_the_page) in paths.iter().zip(by_the_page(&paths)) {
        let record: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(
            (by_the_page.as_str(), by_the_rules(&record).as_str()),
            ("follows", "follows"),
            "{}",
            path.display()
        );
        kept.insert((record["game"].as_str().unwrap().to_owned(), record["options"]["stacking"].to_string()));
    }
    assert_eq!(kept.len(), 6, "every game, and 賽の河原 in both ways: {kept:?}");
}

#[test]
fn the_program_of_the_page_makes_the_numbers_of_the_page() {
    // -B: it leaves no compiled modules behind.
    let check = |page: &Path| Command::new("python3").arg("-B").arg(PAGE_CHECKER).arg(page).output().unwrap();
    let out = check(Path::new(PAGE));
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let vectors = std::fs::read_to_string(PAGE).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("chance.md");
    std::fs::write(&wrong, vectors.replacen("2117891631", "2117891632", 1)).unwrap();
    assert!(!check(&wrong).status.success());
}

#[actix_web::test]
async fn what_is_no_record_is_named_so() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["", "{", "[]", "{}", r#"{"format":"takujo-record-1"}"#] {
        let path = folder.path().join("none.json");
        std::fs::write(&path, text).unwrap();
        assert_eq!(by_the_page(std::slice::from_ref(&path)), ["form"], "{text}");
        let mut verify = Command::new(env!("CARGO_BIN_EXE_takujo"));
        let out = verify.arg("verify").arg(&path).args(["--data-dir", env!("CARGO_TARGET_TMPDIR")]).output().unwrap();
        assert_eq!(out.status.code(), Some(1));
        assert_eq!(first_named(&String::from_utf8(out.stdout).unwrap()), "form", "{text}");
    }
}
