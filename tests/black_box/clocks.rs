//! The turn clock on the wall, and the clock that only the actions move.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::play::GAMES;
use crate::server::{Match, Server};

async fn events(table: &Match<'_>) -> Vec<Value> {
    let history = table.server.get(&format!("{}/events", table.path), Some(&table.tokens[0])).await.expect(200);
    history["events"].as_array().unwrap().clone()
}

fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// Nobody acts: the bot decides three times, then the seat counts as resigned.
#[actix_web::test]
async fn three_times_late_is_a_resignation() {
    let server = Server::start().await;
    let table = server.create(&json!({"game": "hachiku", "seats": [{}, {"bot": "easy"}], "turn_seconds": 1})).await;
    let begun = Instant::now();
    assert!(table.public().await["deadline_at"].is_string());
    let end = table.finished().await;
    assert!((3..=8).contains(&begun.elapsed().as_secs()), "{:?}", begun.elapsed());
    assert_eq!(end["outcome"], json!({"ranks": [2, 1], "reason": "resigned", "winners": [1]}));
    let events = events(&table).await;
    let late: Vec<_> = of_type(&events, "timed_out").iter().map(|event| event["in_a_row"].as_u64()).collect();
    assert_eq!(late, [Some(1), Some(2), Some(3)]);
    assert_eq!(of_type(&events, "resigned")[0]["by_clock"], true);
}

/// A decision in time begins the count anew, and a match created late is not late.
#[actix_web::test]
async fn a_decision_in_time_begins_the_count_anew() {
    let server = Server::start().await;
    let setup =
        json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 10, "sandbox": {"virtual_clock": true}});
    let table = server.create(&setup).await;
    let owing = |now: &Value| now["to_act"][0].as_u64().unwrap() as usize;
    let now = table.public().await;
    let (seat, created) = (owing(&now), now["created_at"].clone());
    tokio::time::sleep(Duration::from_millis(50)).await;
    // Time moves only as the actions say.
    assert_eq!(table.public().await, now);
    let at = |seconds: f64| json!({"action": {"type": "roll"}, "at_s": seconds});
    let rolled = table.post_action(seat, &at(9.999)).await.expect(200);
    assert!(of_type(&events(&table).await, "timed_out").is_empty());
    assert_eq!(rolled["match"]["created_at"], created);
    // Going back moves nothing, nor does a refused action.
    let seat = owing(&table.public().await);
    let before = table.public().await;
    let back = table.post_action(seat, &at(3.0)).await;
    assert_eq!(back.json()["last_at_s"], 9.999);
    assert_eq!(back.code(422), "invalid-parameters");
    for at_s in [-1.0, 1e10] {
        assert_eq!(table.post_action(seat, &at(at_s)).await.code(422), "invalid-parameters");
    }
    let other = 1 - seat;
    assert_eq!(table.post_action(other, &at(15.0)).await.code(409), "not-your-turn");
    assert_eq!(table.public().await, before, "a refused action moves nothing, the clock included");
}

/// With a virtual clock what falls due by an action's time happens before it, in every game.
#[actix_web::test]
async fn what_is_due_happens_first() {
    let server = Server::start().await;
    for (game, seats) in GAMES {
        let setup = json!({
            "game": game, "seats": vec![json!({}); seats], "turn_seconds": 10, "sandbox": {"virtual_clock": true},
        });
        let table = server.create(&setup).await;
        let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
        let resigned = table.post_action(seat, &json!({"action": {"type": "resign"}, "at_s": 10.5})).await.expect(200);
        let kinds: Vec<_> =
            resigned["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect();
        let (late, gone) =
            (kinds.iter().position(|kind| *kind == "timed_out"), kinds.iter().position(|kind| *kind == "resigned"));
        assert!(late.is_some() && late < gone, "{game}: {kinds:?}");
    }
    let plain = server.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    let answer = plain.post_action(0, &json!({"action": {"type": "roll"}, "at_s": 1.0})).await;
    assert_eq!(answer.code(422), "invalid-parameters");
}

/// With a virtual clock the bots decide between what falls due, so that a seat's clock can run out
/// as often as the time given allows.
#[actix_web::test]
async fn a_virtual_clock_runs_on_past_what_bots_answer() {
    let server = Server::start().await;
    let set_up = json!({
        "game": "twenty_one", "seats": [{}, {"bot": "easy"}], "turn_seconds": 10,
        "sandbox": {"virtual_clock": true, "dice": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]},
    });
    let table = server.create(&set_up).await;
    let before = table.public().await["version"].as_u64().unwrap();
    let acted = table.post_action(0, &json!({"action": {"type": "roll"}, "at_s": 10.5})).await.expect(200);
    assert!(acted["version"].as_u64().unwrap() >= before + 3, "its own clock, the bot, its roll: {acted}");
    let types: Vec<_> = acted["events"].as_array().unwrap().iter().map(|event| event["type"].clone()).collect();
    assert!(
        types.contains(&json!("timed_out")) && types.iter().filter(|kind| **kind == "rolled").count() >= 3,
        "{types:?}"
    );
}
