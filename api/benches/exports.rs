//! Rows a second that an export streams over HTTP in each format, beside a bare COPY of the same
//! rows in the same run on the same PostgreSQL; and the memory that the server grows by meanwhile.
//! `cargo bench -p takujo --bench exports`

use std::time::Instant;

use actix_web::rt::{System, spawn};
use dictionary::Lexicon;
use embedded_postgres::Cluster;
use futures_util::TryStreamExt;
use serde_json::{Value, json};
use sqlx::PgPool;
use sqlx::postgres::PgPoolCopyExt;
use takujo::config::Given;
use takujo::startup;

/// Matches that are played, and copies made of each.
const PLAYED: usize = 20;
const COPIES: i32 = 100;
const ROUNDS: usize = 3;

/// Lets bots play matches to their end.
async fn play(http: &reqwest::Client, base: &str) {
    for _ in 0..PLAYED {
        let setup = json!({"game": "salamander", "seats": [{"bot": "easy"}, {"bot": "easy"}, {"bot": "easy"}]});
        let created: Value =
            http.post(format!("{base}/v1/matches")).json(&setup).send().await.unwrap().json().await.unwrap();
        let url = format!("{base}/v1/matches/{}", created["match"]["id"].as_str().unwrap());
        loop {
            let shown: Value = http.get(&url).send().await.unwrap().json().await.unwrap();
            if shown["status"] == "finished" {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

/// Copies every match in the database, each copy under an id of its own.
async fn multiply(pool: &PgPool) {
    let copy = format!(
        "CREATE FUNCTION copied(id uuid, n int) RETURNS uuid LANGUAGE sql IMMUTABLE AS
             $$ SELECT (left(id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid $$;
         INSERT INTO matches SELECT (m).* FROM (SELECT jsonb_populate_record(m, jsonb_build_object('match_id',
             copied(match_id, n))) AS m FROM matches m, generate_series(1, {COPIES}) n) c;
         INSERT INTO seats SELECT (s).* FROM (SELECT jsonb_populate_record(s, jsonb_build_object('match_id',
             copied(match_id, n))) AS s FROM seats s, generate_series(1, {COPIES}) n) c;
         INSERT INTO steps SELECT (s).* FROM (SELECT jsonb_populate_record(s, jsonb_build_object('match_id',
             copied(match_id, n))) AS s FROM steps s, generate_series(1, {COPIES}) n) c;
         ANALYZE"
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(copy)).execute(pool).await.unwrap();
}

/// The bytes of a bare COPY.
async fn copy(pool: &PgPool, from: &str) -> u64 {
    let statement = format!("COPY {from} TO STDOUT (FORMAT binary)");
    let mut stream = pool.copy_out_raw(&statement).await.unwrap();
    let mut bytes = 0;
    while let Some(data) = stream.try_next().await.unwrap() {
        bytes += data.len() as u64;
    }
    bytes
}

/// The bytes of an export; nothing of it is kept.
async fn fetch(http: &reqwest::Client, url: &str) -> u64 {
    let mut answer = http.get(url).send().await.unwrap().error_for_status().unwrap();
    let mut bytes = 0;
    while let Some(data) = answer.chunk().await.unwrap() {
        bytes += data.len() as u64;
    }
    bytes
}

/// A line of /proc/self/status, in MiB.
fn memory(line: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let found =
        status.lines().find_map(|text| text.strip_prefix(line)?.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    found.unwrap_or(f64::NAN) / 1024.0
}

/// Does something a few times: the bytes, and the median of the seconds.
async fn timed<F: Future<Output = u64>>(work: impl Fn() -> F) -> (u64, f64) {
    let (mut seconds, mut bytes) = (Vec::new(), 0);
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        bytes = work().await;
        seconds.push(begun.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    (bytes, seconds[ROUNDS / 2])
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(folder.path(), &embedded_postgres::Settings::default()).unwrap();
    System::new().block_on(async {
        let pool = startup::database(cluster.database_url().parse().unwrap(), 8).await.unwrap();
        let mut settings = Given::default().complete().unwrap();
        settings.listen = ([127, 0, 0, 1], 0).into();
        settings.rate_limit = 0;
        let running = startup::serve(settings, pool.clone(), Lexicon::empty()).unwrap();
        let base = format!("http://{}", running.address);
        spawn(running.until_stopped());
        let http = reqwest::Client::new();
        play(&http, &base).await;
        multiply(&pool).await;
        let count = async |from: &'static str| -> i64 { sqlx::query_scalar(from).fetch_one(&pool).await.unwrap() };
        let actions = count("SELECT count(*) FROM analytics.actions").await;
        let matches = count("SELECT count(*) FROM analytics.matches").await;
        println!("{matches} matches, {actions} actions");
        println!(
            "what                                rows/s   MB/s   × COPY of the view   memory before, most, after (MiB)"
        );
        for (name, rows, table, view) in [
            ("actions", actions, "(SELECT * FROM steps)", "(SELECT * FROM analytics.actions)"),
            ("matches", matches, "(SELECT * FROM matches)", "(SELECT * FROM analytics.matches)"),
        ] {
            let line = |what: &str, bytes: u64, seconds: f64, rest: String| {
                let (rate, size) = (rows as f64 / seconds, bytes as f64 / seconds / 1e6);
                println!("{what:32} {rate:9.0} {size:6.1}   {rest}");
                rate
            };
            let (bytes, seconds) = timed(|| copy(&pool, table)).await;
            line(&format!("{name}: COPY of the table"), bytes, seconds, String::new());
            let (bytes, seconds) = timed(|| copy(&pool, view)).await;
            let bare = line(&format!("{name}: COPY of the view"), bytes, seconds, "1.00".to_owned());
            for format in ["ndjson", "csv", "parquet"] {
                let before = memory("VmRSS:");
                // From now on the most counts anew.
                let _not_linux = std::fs::write("/proc/self/clear_refs", "5");
                let url = format!("{base}/v1/exports/{name}?format={format}");
                let (bytes, seconds) = timed(|| fetch(&http, &url)).await;
                let (most, after) = (memory("VmHWM:"), memory("VmRSS:"));
                let ratio = rows as f64 / seconds / bare;
                line(
                    &format!("{name}: {format} over HTTP"),
                    bytes,
                    seconds,
                    format!("{ratio:.2}                  {before:.0}, {most:.0}, {after:.0}"),
                );
            }
        }
        System::current().stop();
    });
    cluster.stop();
}
