//! 賽の河原: the referee's clock runs whether anybody looks or not, and once only.

use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{Folder, Program};
use crate::server::{Match, Server, database};

/// Plays to the pause that the owner of the duty "4" asks for before the fourth die.
async fn paused(server: &Server) -> Match<'_> {
    let table = server.create(&json!({"game": "sainokawara", "seats": [{}, {}, {}]})).await;
    let wanted = |now: &Value| match now["view"]["phase"].as_str().unwrap() {
        "preparation" => ["take_duty", "place_dice"],
        "start_roll" => ["roll_start", ""],
        _ if now["view"]["stacking"]["next_die"] == 4 => ["request_pause", ""],
        _ => ["take_die", "release_die"],
    };
    loop {
        let now = table.public().await;
        if now["view"]["stacking"]["pause_until"].is_string() {
            return table;
        }
        let seat = now["to_act"][0].as_u64().unwrap() as usize;
        let legal = table.legal(seat).await;
        let of_type = |kind: &&str| legal.iter().find(|action| action["type"] == **kind);
        let action = wanted(&now).iter().find_map(of_type).unwrap().clone();
        table.act(seat, action).await.expect(200);
    }
}

/// When the pause was to end, and the events after it was asked for, once there are any. Reading the
/// history brings nothing about: what is due has to happen by itself.
async fn after_the_pause(server: &Server, path: &str) -> (Value, Vec<Value>) {
    for _ in 0..300 {
        let history = server.get(&format!("{path}/events?limit=500"), None).await.expect(200);
        let events = history["events"].as_array().unwrap();
        let asked = events.iter().position(|event| event["type"] == "pause_requested").unwrap();
        if asked + 1 < events.len() {
            return (events[asked]["until"].clone(), events[asked + 1..].to_vec());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the pause of {path} does not end");
}

/// It ended at its very instant, once.
fn ended_once(until: &Value, events: &[Value]) {
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!((&events[0]["type"], &events[0]["at"]), (&json!("pause_ended"), until));
}

#[actix_web::test]
async fn a_pause_ends_by_itself_once_among_several_processes() {
    let database = database().await;
    let (one, other) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let (here, there) = (paused(&one).await, paused(&other).await);
    // Nobody asks for anything until it is over.
    tokio::time::sleep(Duration::from_millis(11_500)).await;
    for table in [&here, &there] {
        let (until, events) = after_the_pause(&one, &table.path).await;
        ended_once(&until, &events);
        assert_eq!(after_the_pause(&other, &table.path).await.1, events);
    }
}

#[actix_web::test]
async fn a_pause_that_ended_while_no_server_ran_has_ended_then() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "warn,takujo=info");
    let path = paused(&program.server).await.path;
    program.crash();
    tokio::time::sleep(Duration::from_millis(10_500)).await;
    let again = Program::start(&folder, "warn,takujo=info");
    let (until, events) = after_the_pause(&again.server, &path).await;
    ended_once(&until, &events);
}
