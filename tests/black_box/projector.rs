//! Each finished match is folded exactly once: by several processes, killed as they work.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection, Row};

use crate::history::settled;
use crate::play::humans;
use crate::program::Folder;
use crate::server::{Server, database};

/// A command of the program on a database.
pub fn takujo(folder: &Folder, database: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
    command.args(arguments).args(["--log", "warn", "--database-connections", "4", "--data-dir"]).arg(folder.path());
    command.env("DATABASE_URL", database).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Runs a command that must end well.
pub async fn done(mut command: Command) {
    let status = tokio::task::spawn_blocking(move || command.status().unwrap()).await.unwrap();
    assert!(status.success(), "{status}");
}

/// A generated history of one game over so many months, not yet folded.
pub async fn generate(folder: &Folder, database: &str, game: &str, matches: u32, months: u32) {
    let (matches, months) = (matches.to_string(), months.to_string());
    let arguments =
        ["generate", "--game", game, "--matches", &matches, "--seed", "7", "--players", "6", "--months", &months];
    done(takujo(folder, database, &arguments)).await;
}

/// Rows of a query, each as one text.
pub async fn rows(connection: &mut PgConnection, query: &'static str) -> Vec<String> {
    let rows = sqlx::query(query).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0)).collect()
}

/// Everything that is projected, but for the order of what is kept without one.
async fn projected(connection: &mut PgConnection) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for query in [
        "SELECT concat_ws(' ', game, seats, composition, options, grain, period, measure, key, n, hits,
                          round(sum), round(squares / 1e6))
         FROM history.counts JOIN history.groups USING (group_id) ORDER BY 1",
        "SELECT concat_ws(' ', path, game, seats, composition, options, month, token, n, wins, samples)
         FROM history.moves JOIN history.groups USING (group_id) ORDER BY 1",
        "SELECT concat_ws(' ', match_id, finished_at, winners, prefix, line, sheet) FROM history.lines ORDER BY 1",
        "SELECT concat_ws(' ', player_id, match_id) FROM history.participants ORDER BY 1",
        "SELECT concat_ws(' ', game, player_id, mu, sigma, matches, rated_at) FROM history.ratings ORDER BY 1",
    ] {
        all.push(rows(connection, query).await);
    }
    all
}

#[actix_web::test]
async fn three_processes_killed_as_they_work_fold_each_match_once() {
    const MATCHES: u32 = 2_000;
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", MATCHES, 3).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let waiting = rows(&mut connection, "SELECT count(*)::text FROM history.pending").await;
    assert_eq!(waiting, [MATCHES.to_string()]);

    let start = || takujo(&folder, &database, &["project"]).spawn().unwrap();
    let mut projectors: Vec<_> = (0..3).map(|_| start()).collect();
    for round in 0..6 {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let killed = &mut projectors[round % 3];
        killed.kill().unwrap();
        killed.wait().unwrap();
        *killed = start();
    }
    for mut projector in projectors {
        let status = tokio::task::spawn_blocking(move || projector.wait().unwrap()).await.unwrap();
        assert!(status.success(), "{status}");
    }
    let by_many = projected(&mut connection).await;
    // In the group of all matches, and in the others together.
    let total = "SELECT sum(n)::text FROM history.counts JOIN history.groups USING (group_id)
                 WHERE grain = 0 AND measure = 'reason' GROUP BY composition = 'any'";
    assert_eq!(rows(&mut connection, total).await, [MATCHES.to_string(), MATCHES.to_string()]);
    assert_eq!(by_many[2].len(), MATCHES as usize);
    assert!(by_many[4].len() == 6, "{:?}", by_many[4]);

    // One process from the log alone makes the same of it, the ratings to the last digit.
    done(takujo(&folder, &database, &["project", "--rebuild"])).await;
    let by_one = projected(&mut connection).await;
    for (many, one) in by_many.iter().zip(&by_one) {
        let differ = many.iter().zip(one).find(|(many, one)| many != one);
        assert_eq!((many.len(), differ), (one.len(), None));
    }
}

#[actix_web::test]
async fn a_match_that_cannot_be_read_is_set_aside_and_named() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "salamander", 20, 1).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let broken = rows(
        &mut connection,
        r#"UPDATE steps SET events = '[{"type": "castled", "seat": 0}]' WHERE version = 3
               AND match_id IN (SELECT match_id FROM matches ORDER BY match_id LIMIT 2) RETURNING match_id::text"#,
    )
    .await;
    // An unlisted one is not named.
    let unlisted = "UPDATE matches SET listed = false WHERE match_id = $1::uuid";
    sqlx::query(unlisted).bind(&broken[0]).execute(&mut connection).await.unwrap();
    let server = Server::on(&database, |_| {}).await;
    let summary = settled(&server, "/v1/analytics/salamander/summary", 18).await;
    let fresh = &summary["fresh"];
    assert_eq!((&fresh["set_aside"], &fresh["set_aside_matches"]), (&json!(2), &json!(broken[1..])));
    // Others go on to be counted.
    let table = server.create(&humans("salamander", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    settled(&server, "/v1/analytics/salamander/summary", 19).await;
}

/// A log that breaks the rules is not studied: what is counted relies on them.
#[actix_web::test]
async fn a_log_that_breaks_the_rules_keeps_no_other_match_waiting() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 20, 1).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    // In the fourth roll of the first seat the total is less than the die.
    let broken = rows(
        &mut connection,
        r#"WITH rolled AS (
               SELECT match_id, version, row_number() OVER (PARTITION BY match_id ORDER BY version) AS number
               FROM steps WHERE events -> 0 @> '{"type": "rolled", "seat": 0}'
                 AND match_id IN (SELECT match_id FROM matches ORDER BY match_id LIMIT 10))
           UPDATE steps SET events = jsonb_set(events, '{0,total}', '0') FROM rolled
           WHERE number = 4 AND steps.match_id = rolled.match_id AND steps.version = rolled.version
           RETURNING steps.match_id::text"#,
    )
    .await;
    assert!(!broken.is_empty());
    let server = Server::on(&database, |_| {}).await;
    let summary = settled(&server, "/v1/analytics/twenty_one/summary", 20 - broken.len()).await;
    assert_eq!(summary["fresh"]["set_aside"], broken.len());
}

/// What is wrong with rows of a table that projections are written to, as long as the trigger is there.
fn refusing(table: &str, condition: &str, sqlstate: &str) -> sqlx::AssertSqlSafe<String> {
    sqlx::AssertSqlSafe(format!(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{sqlstate}'; END$$;
         CREATE TRIGGER refusing BEFORE INSERT ON {table} FOR EACH ROW {condition} EXECUTE FUNCTION refuse()"
    ))
}

#[actix_web::test]
async fn what_passes_sets_no_match_aside() {
    let database = database().await;
    let server = Server::on(&database, |_| {}).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    // As if the disk were full.
    connection.execute(sqlx::raw_sql(refusing("history.counts", "", "53100"))).await.unwrap();
    let table = server.create(&humans("twenty_one", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let waiting = "SELECT concat_ws(' ', count(*), count(set_aside)) FROM history.pending";
    assert_eq!(rows(&mut connection, waiting).await, ["1 0"]);
    connection.execute("DROP TRIGGER refusing ON history.counts").await.unwrap();
    settled(&server, "/v1/analytics/twenty_one/summary", 1).await;
}

#[actix_web::test]
async fn what_was_set_aside_is_tried_again_by_the_command() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 5, 1).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let first = rows(&mut connection, "SELECT match_id::text FROM matches ORDER BY match_id LIMIT 1").await;
    let condition = format!("WHEN (NEW.match_id = '{}')", first[0]);
    connection.execute(sqlx::raw_sql(refusing("history.lines", &condition, "23514"))).await.unwrap();
    done(takujo(&folder, &database, &["project"])).await;
    let set_aside = "SELECT match_id::text FROM history.pending WHERE set_aside IS NOT NULL";
    assert_eq!(rows(&mut connection, set_aside).await, first);
    let folded = "SELECT count(*)::text FROM history.lines";
    assert_eq!(rows(&mut connection, folded).await, ["4"]);
    connection.execute("DROP TRIGGER refusing ON history.lines").await.unwrap();
    done(takujo(&folder, &database, &["project"])).await;
    assert_eq!(rows(&mut connection, "SELECT count(*)::text FROM history.pending").await, ["0"]);
    assert_eq!(rows(&mut connection, folded).await, ["5"]);
}

#[actix_web::test]
async fn matches_end_while_a_rebuild_is_at_it() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 50, 1).await;
    let server = Server::on(&database, |_| {}).await;
    let path = "/v1/analytics/twenty_one/summary";
    settled(&server, path, 50).await;
    let table = server.create(&humans("twenty_one", 2)).await;
    // A reader whose transaction stays open holds the rebuild up in the middle.
    let mut reader = PgConnection::connect(&database).await.unwrap();
    let mut reading = reader.begin().await.unwrap();
    reading.execute("LOCK TABLE history.counts IN ACCESS SHARE MODE").await.unwrap();
    let mut rebuild = takujo(&folder, &database, &["project", "--rebuild"]).spawn().unwrap();
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let is_held_up = "SELECT (count(*) > 0)::text FROM pg_locks
                      WHERE relation = 'history.counts'::regclass AND NOT granted";
    while rows(&mut connection, is_held_up).await != ["true"] {
        assert!(rebuild.try_wait().unwrap().is_none(), "it is not held up");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let resign = table.act(0, json!({"type": "resign"}));
    tokio::time::timeout(Duration::from_secs(5), resign).await.expect("play goes on").expect(200);
    reading.rollback().await.unwrap();
    let status = tokio::task::spawn_blocking(move || rebuild.wait().unwrap()).await.unwrap();
    assert!(status.success(), "{status}");
    settled(&server, path, 51).await;
}

#[actix_web::test]
async fn a_generated_match_can_be_verified() {
    let (folder, database) = (Folder::new(), database().await);
    let server = Server::on(&database, |_| {}).await;
    for game in ["twenty_one", "hachiku", "kamudakara", "salamander", "sainokawara"] {
        generate(&folder, &database, game, 3, 2).await;
        let listed = server.get(&format!("/v1/matches?game={game}&status=finished"), None).await.expect(200);
        assert_eq!(listed["matches"].as_array().unwrap().len(), 3);
        for entry in listed["matches"].as_array().unwrap() {
            let path = format!("/v1/matches/{}/record", entry["id"].as_str().unwrap());
            let record = server.get(&path, None).await.expect(200);
            let record: takujo::matches::record::RecordBody = serde_json::from_value(record).unwrap();
            record.verify(&crate::server::LEXICON).unwrap();
        }
        settled(&server, &format!("/v1/analytics/{game}/summary"), 3).await;
    }
}
