//! A stored match that cannot be read hurts only itself.

use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::play::humans;
use crate::server::{Match, Server, database};
use crate::socket_client::Socket;

/// What goes wrong with rows: each makes one match unreadable.
const DAMAGE: [(&str, &str); 6] = [
    (
        "events that are none",
        "UPDATE steps SET events = '[{\"type\":\"castled\"}]' WHERE match_id = $1 AND version = 1",
    ),
    ("no list of events", "UPDATE steps SET events = '7' WHERE match_id = $1 AND version = 1"),
    ("a missing step", "DELETE FROM steps WHERE match_id = $1 AND version = 1"),
    ("an unknown game", "UPDATE matches SET game = 'chess' WHERE match_id = $1"),
    ("options that are none", "UPDATE matches SET options = '{\"games\":\"many\"}' WHERE match_id = $1"),
    ("a missing seat", "DELETE FROM seats WHERE match_id = $1 AND seat = 1"),
];

#[actix_web::test]
async fn only_the_damaged_match_is_out_of_order() {
    let database = database().await;
    let maker = Server::on(&database, |_| {}).await;
    let mut sql = PgConnection::connect(&database).await.unwrap();
    let mut damaged = Vec::new();
    for (what, statement) in DAMAGE {
        let table = maker.create(&json!({"game": "twenty_one", "seats": [{}, {}], "turn_seconds": 1})).await;
        let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
        table.act(seat, json!({"type": "roll"})).await.expect(200);
        let statement = statement.replace("$1", &format!("'{}'", table.path.rsplit('/').next().unwrap()));
        let done = sql.execute(AssertSqlSafe(statement)).await.unwrap();
        assert!(done.rows_affected() > 0, "{what}");
        damaged.push((what, table));
    }
    let broken_outcome = maker.create(&humans("twenty_one", 2)).await;
    broken_outcome.act(0, json!({"type": "resign"})).await.expect(200);
    let id = broken_outcome.path.rsplit('/').next().unwrap();
    sql.execute(AssertSqlSafe(format!("UPDATE matches SET outcome = '[]' WHERE match_id = '{id}'"))).await.unwrap();

    // One that has none of them in memory.
    let server = Server::on(&database, |_| {}).await;
    let well = server.create(&json!({"game": "hachiku", "seats": [{}, {}], "turn_seconds": 1})).await;
    for (what, table) in &damaged {
        let table = Match { server: &server, path: table.path.clone(), tokens: table.tokens.clone() };
        for path in ["", "/events", "/events/stream", "/at/1", "/legal-actions"] {
            let answer = server.get(&format!("{}{path}", table.path), Some(&table.tokens[0])).await;
            assert_eq!(answer.code(500), "match-damaged", "{what}: {path}");
        }
        assert_eq!(table.act(0, json!({"type": "roll"})).await.code(500), "match-damaged", "{what}");
        assert_eq!(Socket::open(&table, "", &[]).await.err().unwrap().1, "match-damaged", "{what}");
    }
    let listed = server.get("/v1/matches?game=twenty_one", None).await.expect(200);
    assert!(listed["matches"].as_array().unwrap().len() > DAMAGE.len() - 2);
    assert_eq!(server.get("/readyz", None).await.status, 200);
    // The clock goes on for the others, though the damaged were due before.
    assert_eq!(well.finished().await["outcome"]["reason"], "resigned");
}
