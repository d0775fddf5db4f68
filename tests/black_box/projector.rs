//! Each finished match is folded exactly once: by several processes, killed as they work.

use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};

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

/// A generated history of one game, not yet folded.
pub async fn generate(folder: &Folder, database: &str, game: &str, matches: u32, months: u32) {
    let (matches, months) = (matches.to_string(), months.to_string());
    let arguments =
        ["generate", "--game", game, "--matches", &matches, "--seed", "7", "--players", "6", "--months", &months];
    done(takujo(folder, database, &arguments)).await;
}

/// Rows of a query, each as one text.
async fn rows(connection: &mut PgConnection, query: &'static str) -> Vec<String> {
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
        "SELECT concat_ws(' ', path, game, seats, composition, options, month, token, n, wins)
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
        r#"UPDATE steps SET events = '[{"type": "castled", "seat": 0}]'
           WHERE version = 3 AND match_id = (SELECT match_id FROM matches ORDER BY match_id LIMIT 1) RETURNING match_id::text"#,
    )
    .await;
    let server = Server::on(&database, |_| {}).await;
    let summary = settled(&server, "/v1/analytics/salamander/summary", 19).await;
    assert_eq!((&summary["fresh"]["set_aside"], &summary["fresh"]["set_aside_matches"]), (&json!(1), &json!(broken)));
    // Others go on to be counted.
    let table = server.create(&humans("salamander", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    settled(&server, "/v1/analytics/salamander/summary", 20).await;
}

#[actix_web::test]
async fn an_old_month_can_be_detached_and_its_figures_stay() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 300, 4).await;
    let server = Server::on(&database, |_| {}).await;
    let path = "/v1/analytics/twenty_one/summary";
    let before = settled(&server, path, 300).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let old = rows(
        &mut connection,
        "WITH old AS (SELECT min(created_at) AS at FROM matches)
         SELECT match_id::text FROM matches, old WHERE match_id < month_bound(date_trunc('month', at AT TIME ZONE 'UTC')
                                                             AT TIME ZONE 'UTC' + interval '1 month')",
    )
    .await;
    assert!((1..300).contains(&old.len()), "{}", old.len());
    sqlx::query("SELECT detach_month(min(created_at)) FROM matches").execute(&mut connection).await.unwrap();

    let gone = format!("/v1/matches/{}/record", old[0]);
    assert_eq!(server.get(&gone, None).await.code(404), "not-found");
    let after = settled(&server, path, 300).await;
    for part in ["seats", "reasons", "first_moves", "length", "figures"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    let explored = server.get("/v1/analytics/twenty_one/explorer", None).await.expect(200);
    assert_eq!(explored["matches"], 300);
    for next in explored["next"].as_array().unwrap() {
        for link in next["matches"].as_array().unwrap() {
            server.get(link["record"].as_str().unwrap(), None).await.expect(200);
        }
    }
    // The service goes on, and what is new is counted on top.
    let table = server.create(&humans("twenty_one", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    settled(&server, path, 301).await;
    // To make it again would forget the month, so that is asked about first.
    let mut refused = takujo(&folder, &database, &["project", "--rebuild"]);
    assert!(!refused.status().unwrap().success());
    assert_eq!(server.get(path, None).await.expect(200)["matches"], 301);
    let kept: Value = server.get(path, None).await.json();
    assert_eq!(kept["fresh"]["waiting"], 0);
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
