//! What lets the schema spread over a PostgreSQL that is distributed by match: every unique key of
//! what belongs to a match, and every statement on the way of an action, names the match.

use sqlx::{Connection, PgConnection, Row};

use crate::server::{Server, database};

/// The tables that grow with matches.
const OF_A_MATCH: [&str; 4] = ["matches", "seats", "steps", "due"];

#[actix_web::test]
async fn every_unique_key_begins_with_the_match() {
    let database = database().await;
    let _server = Server::on(&database, |_| {}).await;
    let mut sql = PgConnection::connect(&database).await.unwrap();
    let keys = sqlx::query(
        "SELECT t.relname, a.attname FROM pg_index i
         JOIN pg_class t ON t.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
         WHERE i.indisunique AND t.relname = ANY($1)",
    )
    .bind(OF_A_MATCH.map(str::to_owned).to_vec())
    .fetch_all(&mut sql)
    .await
    .unwrap();
    assert_eq!(keys.len(), OF_A_MATCH.len());
    for key in keys {
        assert_eq!(key.get::<&str, _>(1), "match_id", "{}", key.get::<&str, _>(0));
    }
}

/// The statements in a source file, as its macros have them.
fn statements(source: &str) -> Vec<&str> {
    let macros = source.split("sqlx::query").skip(1);
    macros
        .filter_map(|rest| {
            let (before, text) = rest.split_once('"')?;
            text.split(if before.ends_with('#') { "\"#" } else { "\"" }).next()
        })
        .collect()
}

#[test]
fn every_statement_of_an_action_names_the_match() {
    let sources = [
        include_str!("../../api/src/matches/store/commit.rs"),
        include_str!("../../api/src/matches/store/load.rs"),
        include_str!("../../api/src/matches/desk/mod.rs"),
        include_str!("../../api/src/matches/desk/commit.rs"),
    ];
    let statements: Vec<_> = sources.iter().flat_map(|source| statements(source)).collect();
    assert!(statements.len() > 10);
    for statement in statements {
        assert!(statement.contains("match_id"), "{statement}");
    }
}
