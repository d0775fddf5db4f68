//! Three processes, of which one after the other is killed: everything due happens once, and every
//! stream goes on without a gap.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::Row;

use crate::fleet::Fleet;
use crate::play::Random;
use crate::server::{Match, Server};
use crate::socket_client::Socket;

/// Matches whose clocks run out, and bots that play each other.
fn setups() -> Vec<Value> {
    let mut setups = Vec::new();
    for (game, seats) in [("twenty_one", 2), ("hachiku", 2), ("kamudakara", 3), ("salamander", 2)] {
        setups.push(json!({"game": game, "seats": vec![json!({}); seats], "turn_seconds": 1}));
        setups.push(json!({"game": game, "seats": vec![json!({}); seats], "turn_seconds": 2}));
        let mut mixed = vec![json!({"bot": "easy"}); seats];
        mixed[0] = json!({});
        setups.push(json!({"game": game, "seats": mixed, "turn_seconds": 1}));
        setups.push(json!({"game": game, "seats": vec![json!({"bot": "easy"}); seats]}));
    }
    [setups.clone(), setups].concat()
}

/// Follows a match to its end over whatever process can be reached, always from where it was.
async fn follow(bases: &[Server], path: &str, first: usize) -> Vec<Value> {
    let (mut events, mut last, mut which) = (Vec::new(), 0_u64, first);
    loop {
        let table = Match { server: &bases[which % bases.len()], path: path.to_owned(), tokens: Vec::new() };
        which += 1;
        let Ok(mut socket) = Socket::try_open(&table, &format!("?after={last}"), &[]).await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        while let Some(message) = socket.next().await {
            last = message["id"].as_u64().unwrap_or(last);
            match message["message"].as_str().unwrap() {
                "event" => events.push(message["data"].clone()),
                "end" if message["data"]["reason"] == "finished" => return events,
                _ => {}
            }
        }
    }
}

/// Each seat is late once, twice, three times: never twice the same, none left out.
fn lateness_follows(events: &[Value]) {
    let mut in_a_row = [0; 10];
    for event in events {
        let Some(seat) = event["seat"].as_u64().map(|seat| seat as usize) else { continue };
        if event["type"] == "timed_out" {
            in_a_row[seat] += 1;
            assert_eq!(event["in_a_row"], in_a_row[seat], "{event}");
        }
    }
    assert!(in_a_row.iter().all(|late| *late <= 3), "{in_a_row:?}");
}

#[actix_web::test]
async fn everything_due_happens_once_whoever_is_killed() {
    let mut fleet = Fleet::start(3, &["--streams-per-address", "0", "--stream-rate", "0"]).await;
    let bases: Vec<_> = fleet.programs.iter().map(|program| Server::at(program.server.base.clone())).collect();
    let mut paths = Vec::new();
    for (at, setup) in setups().into_iter().enumerate() {
        paths.push(bases[at % 3].create(&setup).await.path);
    }
    let followed = join_all(paths.iter().enumerate().map(|(at, path)| follow(&bases, path, at)));
    let killing = async {
        let mut random = Random::new(5);
        for _ in 0..12 {
            tokio::time::sleep(Duration::from_millis(400 + random.below(600) as u64)).await;
            fleet.crash(random.below(3)).await;
        }
    };
    let all = tokio::time::timeout(Duration::from_mins(4), async { tokio::join!(followed, killing).0 });
    let all = all.await.expect("a match does not end");

    let mut late = 0;
    for (path, followed) in paths.iter().zip(&all) {
        let history = bases[0].get(&format!("{path}/events"), None).await.expect(200);
        let history = history["events"].as_array().unwrap();
        // The end opens what was hidden before it: what was told is the same events.
        let told: Vec<_> = followed.iter().map(|event| (&event["seq"], &event["type"], &event["at"])).collect();
        let happened: Vec<_> = history.iter().map(|event| (&event["seq"], &event["type"], &event["at"])).collect();
        assert_eq!(told, happened, "{path}");
        assert!((1..).zip(history).all(|(seq, event)| event["seq"] == seq));
        lateness_follows(history);
        late += history.iter().filter(|event| event["type"] == "timed_out").count();
    }
    assert!(late >= 3 * 16, "{late}");
    let mut sql = fleet.sql().await;
    let gaps = sqlx::query("SELECT match_id FROM steps GROUP BY match_id HAVING count(*) <> max(version)");
    assert!(gaps.fetch_all(&mut sql).await.unwrap().is_empty());
    let left = sqlx::query("SELECT count(*) FROM due").fetch_one(&mut sql).await.unwrap();
    assert_eq!(left.get::<i64, _>(0), 0, "nothing is due any more");
}

/// Who is connected to a process that is killed is gone for the others before long.
#[actix_web::test]
async fn the_seats_of_a_killed_process_leave() {
    let mut fleet = Fleet::start(2, &[]).await;
    let bases: Vec<_> = fleet.programs.iter().map(|program| Server::at(program.server.base.clone())).collect();
    let here = bases[0].create(&crate::play::humans("hachiku", 2)).await;
    let there = Match { server: &bases[1], path: here.path.clone(), tokens: here.tokens.clone() };
    let mut looker = Socket::of(&here, None, None).await;
    let _far = Socket::of(&there, Some(1), None).await;
    let shows = async |looker: &mut Socket, seats: Value| {
        while looker.next_of("presence").await["data"]["connected"] != seats {}
    };
    shows(&mut looker, json!([1])).await;
    fleet.programs[1].crash();
    let gone = shows(&mut looker, json!([]));
    tokio::time::timeout(Duration::from_secs(25), gone).await.expect("it still counts");
}
