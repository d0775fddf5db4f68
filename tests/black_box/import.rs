//! History from one server to another: records written, verified, loaded, and loaded once.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sqlx::PgPool;
use takujo::matches::store::bulk::Finished;

use crate::played::{DAY, database_of, history};
use crate::server::{LEXICON, Server, database};

/// What a command wrote and its exit code.
pub struct Ran {
    pub out: String,
    pub err: String,
    pub code: i32,
}

/// Runs the program on a database.
pub async fn takujo(database: &str, arguments: &[&str], input: &[u8]) -> Ran {
    std::sync::LazyLock::force(&LEXICON);
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(env!("CARGO_TARGET_TMPDIR"), folder.path().join("lexicon")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
    command.args(arguments).env("DATABASE_URL", database).env("DATA_DIR", folder.path());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let input = input.to_vec();
    let ran = tokio::task::spawn_blocking(move || {
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            // It may have stopped reading.
            let _written = stdin.write_all(&input);
        });
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    });
    let output = ran.await.unwrap();
    drop(folder);
    Ran {
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// A server's history as records, a line each.
async fn records(database: &str, flags: &[&str]) -> String {
    let ran = takujo(database, &[&["export-records"], flags].concat(), b"").await;
    assert_eq!(ran.code, 0, "{}", ran.err);
    ran.out
}

/// Everything that the database has of matches, but for tokens.
async fn everything(pool: &PgPool) -> Vec<Value> {
    let all = "SELECT to_jsonb(m) FROM matches m UNION ALL SELECT to_jsonb(s) - 'token_hash' FROM seats s
               UNION ALL SELECT to_jsonb(s) FROM steps s";
    let mut rows: Vec<Value> = sqlx::query_scalar(all).fetch_all(pool).await.unwrap();
    rows.sort_by_key(ToString::to_string);
    rows
}

async fn source() -> (String, PgPool, Vec<Finished>) {
    let matches = history(2);
    let (url, pool) = database_of(&matches).await;
    (url, pool, matches)
}

#[actix_web::test]
async fn a_history_moves_whole_and_moving_it_again_changes_nothing() {
    let (from, old, matches) = source().await;
    let lines = records(&from, &[]).await;
    assert_eq!(lines.lines().count(), matches.len());
    let to = database().await;
    let first = takujo(&to, &["import", "-"], lines.as_bytes()).await;
    assert_eq!((first.out.as_str(), first.code), ("imported 10, there already 0, refused 0\n", 0), "{}", first.err);
    let new = takujo::startup::database(to.parse().unwrap(), 2).await.unwrap();
    assert_eq!(everything(&new).await, everything(&old).await);
    let again = takujo(&to, &["import", "-"], lines.as_bytes()).await;
    assert_eq!((again.out.as_str(), again.code), ("imported 0, there already 10, refused 0\n", 0));
    assert_eq!(everything(&new).await, everything(&old).await);
    assert_eq!(records(&to, &[]).await, lines);
}

#[actix_web::test]
async fn files_may_be_packed_and_one_that_was_broken_off_is_gone_on_with() {
    let (from, old, matches) = source().await;
    let lines = records(&from, &[]).await;
    let id = matches[3].facts.id.to_string();
    let rest = records(&from, &["--after", &id]).await;
    assert_eq!(lines.lines().skip(4).collect::<Vec<_>>(), rest.lines().collect::<Vec<_>>());
    let folder = tempfile::tempdir().unwrap();
    let (gzip, zstandard) = (folder.path().join("first.gz"), folder.path().join("rest.zst"));
    let begun = lines.lines().take(6).collect::<Vec<_>>().join("\n");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(begun.as_bytes()).unwrap();
    std::fs::write(&gzip, packed.finish().unwrap()).unwrap();
    std::fs::write(&zstandard, zstd::encode_all(rest.as_bytes(), 1).unwrap()).unwrap();
    let to = database().await;
    let ran = takujo(&to, &["import", gzip.to_str().unwrap(), zstandard.to_str().unwrap()], b"").await;
    assert_eq!((ran.out.as_str(), ran.code), ("imported 10, there already 2, refused 0\n", 0), "{}", ran.err);
    let new = takujo::startup::database(to.parse().unwrap(), 2).await.unwrap();
    assert_eq!(everything(&new).await, everything(&old).await);
    for (arguments, code) in [
        (&["import", "/nowhere/records.ndjson"] as &[_], 2),
        (&["import"], 2),
        (&["export-records", "--from", "yesterday"], 2),
    ] {
        assert_eq!(takujo(&to, arguments, b"").await.code, code, "{arguments:?}");
    }
    let away = takujo("postgres://127.0.0.1:1/none", &["import", "-"], b"").await;
    assert_eq!(away.code, 2, "{}", away.err);
}

#[actix_web::test]
async fn a_record_that_does_not_follow_is_refused_with_its_line_and_the_rest_is_loaded() {
    let (from, _old, _) = source().await;
    let lines = records(&from, &[]).await;
    let mut lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (another, last) = (lines[1]["outcome"].clone(), lines[0]["steps"].as_array().unwrap().len() - 1);
    lines[0]["steps"][last]["at"] = json!("2031-01-01T00:00:00.000Z");
    lines[2]["chance"]["server_seed"] = json!("00".repeat(32));
    lines[3]["outcome"] =
        if lines[3]["outcome"] == another { json!({"ranks": [2, 1], "reason": "x", "winners": [1]}) } else { another };
    lines[4]["more"] = json!(1);
    lines[5]["seats"][0]["name"] = json!("a\u{0}b");
    lines[6]["id"] = json!("0190a0a0-5c1e-7d3a-8b0e-0123456789ab");
    let mut lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    lines.extend([String::new(), "{\"format\":".to_owned()]);
    let text = lines.join("\n");
    let to = database().await;
    let ran = takujo(&to, &["import", "-"], text.as_bytes()).await;
    assert_eq!((ran.out.as_str(), ran.code), ("imported 4, there already 0, refused 7\n", 1), "{}", ran.err);
    let refused: Vec<_> = ran.err.lines().filter(|line| line.contains(": refused: ")).collect();
    let numbers: Vec<_> = refused.iter().map(|line| line.split(':').nth(1).unwrap().parse::<u32>().unwrap()).collect();
    assert_eq!(numbers, [1, 3, 4, 5, 6, 7, 12], "{}", ran.err);
    assert!(refused[0].contains("version") && refused[1].contains("commitment"), "{}", ran.err);
}

#[actix_web::test]
async fn what_was_not_listed_stays_so() {
    let mut matches = history(1);
    matches[0].facts.listed = false;
    let (from, _old) = database_of(&matches).await;
    let (listed, unlisted) = (records(&from, &[]).await, records(&from, &["--unlisted"]).await);
    assert_eq!((listed.lines().count(), unlisted.lines().count()), (4, 1));
    let to = database().await;
    takujo(&to, &["import", "-"], listed.as_bytes()).await;
    let ran = takujo(&to, &["import", "--unlisted", "-"], unlisted.as_bytes()).await;
    assert_eq!(ran.out, "imported 1, there already 0, refused 0\n", "{}", ran.err);
    let server = Server::on(&to, |_| {}).await;
    let shown = server.get("/v1/matches?limit=50", None).await.expect(200);
    assert_eq!(shown["matches"].as_array().unwrap().len(), 4);
    let one = server.get(&format!("/v1/matches/{}", matches[0].facts.id), None).await.expect(200);
    assert_eq!(one["listed"], false);
    assert_eq!(server.get("/v1/exports/matches", None).await.text.lines().count(), 4);
}

#[actix_web::test]
async fn a_match_with_claimed_seats_moves_with_its_names() {
    let url = database().await;
    let server = Server::on(&url, |_| {}).await;
    let table = server.create(&json!({"game": "twenty_one", "seats": [{"entropy": "c0ffee"}, {"open": true}]})).await;
    let claim = json!({"name": "弟子", "entropy": "beef"});
    server.post(&format!("{}/seats/1/claim", table.path), None, &claim).await.expect(200);
    table.act(0, json!({"type": "resign"})).await.expect(200);
    let lines = records(&url, &[]).await;
    let to = database().await;
    let ran = takujo(&to, &["import", "-"], lines.as_bytes()).await;
    assert_eq!(ran.out, "imported 1, there already 0, refused 0\n", "{}", ran.err);
    let other = Server::on(&to, |_| {}).await;
    let (ours, mut theirs) = (table.public().await, other.get(&table.path, None).await.expect(200));
    assert_eq!(theirs["seats"][1]["name"], "弟子");
    theirs["analysis"] = ours["analysis"].clone();
    assert_eq!(theirs, ours);
    assert_eq!(records(&to, &[]).await, lines);
}

#[actix_web::test]
async fn a_record_that_follows_but_cannot_be_kept_is_refused() {
    let mut matches = history(1);
    matches[0].seats[0].name = "a\tb".into();
    matches[1].facts.created_at = matches[1].facts.created_at.plus_millis(-3 * DAY);
    matches[2].facts.lexicon_version = "stan\ndard".to_owned();
    matches[3].facts.turn_seconds = Some(0);
    let mut lines = String::new();
    for one in matches {
        // Where the database itself refuses it, it cannot come from one.
        let url = database().await;
        let pool = takujo::startup::database(url.parse().unwrap(), 2).await.unwrap();
        if takujo::matches::store::bulk::load(&pool, &[one]).await.is_ok() {
            lines.push_str(&records(&url, &[]).await);
        }
    }
    let to = database().await;
    let ran = takujo(&to, &["import", "-"], lines.as_bytes()).await;
    assert_eq!((ran.out.as_str(), ran.code), ("imported 1, there already 0, refused 3\n", 1), "{}", ran.err);
    for (line, why) in [(1, "a control character"), (2, "not of the time"), (3, "the name of its lexicon")] {
        assert!(
            ran.err.lines().any(|text| text.starts_with(&format!("-:{line}: ")) && text.contains(why)),
            "{}",
            ran.err
        );
    }
}
