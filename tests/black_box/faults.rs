//! What fails around the server: its database, the disk, connections, a migration, the clock.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use embedded_postgres::Settings;
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection, Row};

use crate::durable::{Diary, a_while, answered, under_load};
use crate::fleet::Fleet;
use crate::play::humans;
use crate::program::{Folder, Program};
use crate::server::{Match, Server};
use crate::socket_client::Socket;

/// Waits until a server is ready again, without a restart.
async fn until_ready(server: &Server) {
    let begun = Instant::now();
    while server.get("/readyz", None).await.status != 200 {
        assert!(begun.elapsed() < Duration::from_mins(1), "it does not recover");
        a_while(0.1).await;
    }
}

/// Something was refused with 503, and everything answered is there.
async fn nothing_is_lost(diaries: &[Diary], server: &Server) {
    let refused: usize = diaries.iter().map(|diary| diary.unavailable).sum();
    assert!(answered(diaries) > 20 && refused > 0, "{} answered, {refused} refused", answered(diaries));
    for diary in diaries {
        diary.still_holds(server).await;
    }
}

#[actix_web::test]
async fn the_database_is_stopped_and_started_under_load() {
    let mut fleet = Fleet::start(1, &[]).await;
    let server = Server::at(fleet.programs[0].server.base.clone());
    let watched = server.create(&humans("twenty_one", 2)).await;
    let mut socket = Socket::of(&watched, None, Some(0)).await;
    let diaries = under_load(&server, async {
        a_while(1.0).await;
        fleet.stop_database().await;
        let answer = server.post("/v1/matches", None, &humans("twenty_one", 2)).await;
        assert!(answer.headers.contains_key("retry-after"));
        assert_eq!(answer.code(503), "unavailable");
        assert_eq!(server.get("/healthz", None).await.status, 200);
        a_while(1.0).await;
        fleet.start_database(Settings::default()).await;
        until_ready(&server).await;
        a_while(1.0).await;
    })
    .await;
    nothing_is_lost(&diaries, &server).await;
    // The socket is still there and goes on.
    watched.act(0, json!({"type": "resign"})).await.expect(200);
    let told = socket.all().await;
    let events = told.iter().filter(|message| message["message"] == "event").map(|message| message["data"].clone());
    let history = server.get(&format!("{}/events", watched.path), None).await.expect(200);
    assert!(events.eq(history["events"].as_array().unwrap().iter().cloned()));
}

/// A file system that is small enough to be filled: a `tmpfs`, which only root may mount.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(megabytes: u32) -> Option<Self> {
        let folder = tempfile::Builder::new().prefix("takujo-disk-").tempdir().unwrap().keep();
        let size = format!("size={megabytes}m,mode=0755");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&folder).status();
        if !mounted.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: no file system can be mounted here; the disk cannot be filled");
            return None;
        }
        Some(Self(folder))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _unmounted = Command::new("umount").arg("-l").arg(&self.0).status();
        let _gone = std::fs::remove_dir(&self.0);
    }
}

#[actix_web::test]
async fn the_disk_of_the_database_is_full() {
    let Some(disk) = SmallDisk::mount(160) else { return };
    let folder = Folder::new();
    let settings = Settings {
        shared_buffers_megabytes: 16,
        // Otherwise the log alone would be kept at more than the disk has.
        parameters: [("max_wal_size", "48MB"), ("min_wal_size", "32MB")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec(),
        ..Settings::default()
    };
    let place = disk.0.join("postgres");
    let start = move || embedded_postgres::Cluster::start(&place, &settings).unwrap();
    let cluster = tokio::task::spawn_blocking(start).await.unwrap();
    let mut command = crate::program::command(&folder, "info");
    command.args(["--database-url", &cluster.database_url()]);
    let program = Program::run(command);
    let server = Server::at(program.server.base.clone());
    let filler = disk.0.join("filler");
    let diaries = under_load(&server, async {
        a_while(1.0).await;
        fill(&filler);
        let begun = Instant::now();
        // The space that the log has already is used up first.
        while server.post("/v1/matches", None, &wide()).await.status != 503 {
            assert!(begun.elapsed() < Duration::from_mins(1), "the disk is not full");
            fill(&filler);
        }
        a_while(1.0).await;
        std::fs::remove_file(&filler).unwrap();
        until_ready(&server).await;
        while server.post("/v1/matches", None, &wide()).await.status != 201 {
            assert!(begun.elapsed() < Duration::from_mins(2), "it does not recover");
            a_while(0.1).await;
        }
        a_while(1.0).await;
    })
    .await;
    nothing_is_lost(&diaries, &server).await;
    // What ended meanwhile waited for the disk.
    let mut sql = PgConnection::connect(&cluster.database_url()).await.unwrap();
    let set_aside = "SELECT count(*) FROM history.pending WHERE set_aside IS NOT NULL";
    assert_eq!(sqlx::query_scalar::<_, i64>(set_aside).fetch_one(&mut sql).await.unwrap(), 0);
    sql.close().await.unwrap();
    drop(program);
    cluster.stop();
}

/// A match whose row is a large one.
fn wide() -> Value {
    let words: Vec<_> = (0..200).map(|at| format!("{}{at}", "か".repeat(20))).collect();
    json!({"game": "twenty_one", "seats": [{"name": words[0]}, {"name": words[1]}]})
}

/// Fills a file with all the space there is.
fn fill(path: &Path) {
    use std::io::Write;
    let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
    let block = vec![1; 4096];
    while file.write_all(&block).is_ok() {}
}

#[actix_web::test]
async fn others_take_all_the_connections() {
    let settings = Settings { max_connections: 14, ..Settings::default() };
    let fleet = Fleet::on(settings, 1, &["--database-connections", "6"]).await;
    let server = Server::at(fleet.programs[0].server.base.clone());
    let diaries = under_load(&server, async {
        a_while(1.0).await;
        // What the server lets go of is taken before it comes back.
        let mut taken = vec![fleet.sql().await];
        let begun = Instant::now();
        let url = fleet.url().to_owned();
        while begun.elapsed() < Duration::from_secs(7) {
            taken[0]
                .execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'takujo'")
                .await
                .unwrap();
            while let Ok(another) = PgConnection::connect(&url).await {
                taken.push(another);
            }
            a_while(0.01).await;
        }
        let answer = server.post("/v1/matches", None, &humans("twenty_one", 2)).await;
        assert!(answer.headers.contains_key("retry-after"));
        assert_eq!(answer.code(503), "unavailable");
        drop(taken);
        until_ready(&server).await;
        a_while(1.0).await;
    })
    .await;
    nothing_is_lost(&diaries, &server).await;
}

/// A stop under load: streams and sockets are told to come again, and miss nothing when they do.
#[actix_web::test]
async fn a_stop_ends_streams_in_order() {
    let mut fleet = Fleet::start(2, &[]).await;
    let first = Server::at(fleet.programs[0].server.base.clone());
    let second = Server::at(fleet.programs[1].server.base.clone());
    let table = first.create(&humans("twenty_one", 2)).await;
    let mut socket = Socket::of(&table, Some(0), None).await;
    let request = first.request(Method::GET, &format!("{}/events/stream", table.path));
    let stream = request.header("Accept", "application/x-ndjson").send().await.unwrap();
    let mut ended = None;
    let diaries = under_load(&first, async {
        a_while(0.5).await;
        ended = Some(fleet.programs[0].terminate().await);
    })
    .await;
    let (status, time) = ended.unwrap();
    assert!(status.success() && time < Duration::from_secs(8), "{status} after {time:?}");
    let end = socket.next_of("end").await;
    assert_eq!(end["data"], json!({"reason": "stopping"}));
    assert_eq!(socket.closed().await.0, 1001);
    let text = stream.text().await.unwrap();
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last, end);

    let there = Match { server: &second, path: table.path.clone(), tokens: table.tokens.clone() };
    there.act(1, json!({"type": "resign"})).await.expect(200);
    let mut again = Socket::of(&there, Some(0), end["id"].as_u64()).await;
    assert_eq!(again.next_of("event").await["data"]["type"], "resigned");
    for diary in &diaries {
        diary.still_holds(&second).await;
    }
}

/// Everything that makes up a schema.
async fn schema(sql: &mut PgConnection) -> Vec<String> {
    let columns =
        "SELECT table_schema || '.' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
                   FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
                   UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname NOT IN ('pg_catalog')
                   UNION ALL SELECT version::text || encode(checksum, 'hex') || success FROM _sqlx_migrations
                   ORDER BY 1";
    sqlx::query(columns).fetch_all(sql).await.unwrap().iter().map(|row| row.get(0)).collect()
}

#[actix_web::test]
async fn a_migration_that_was_killed_is_completed_by_the_next_start() {
    let fleet = Fleet::start(1, &[]).await;
    let whole = schema(&mut fleet.sql().await).await;
    let mut sql = fleet.sql().await;
    for (at, wait) in [0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 140, 200].into_iter().enumerate() {
        let name = format!("killed_{at}");
        sql.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        let url = fleet.url().replacen("/takujo?", &format!("/{name}?"), 1);
        let migrate = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
            command.args(["migrate", "--database-url", &url]).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let mut killed = migrate().spawn().unwrap();
        a_while(f64::from(wait) / 1000.0).await;
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(migrate().status().unwrap().success(), "after {wait} ms");
        let mut there = PgConnection::connect(&url).await.unwrap();
        assert_eq!(schema(&mut there).await, whole, "after {wait} ms");
    }
}

/// Killed in the very middle: a lock holds the last migration up.
#[actix_web::test]
async fn a_migration_that_waits_may_be_killed_too() {
    let mut fleet = Fleet::start(1, &[]).await;
    let whole = schema(&mut fleet.sql().await).await;
    fleet.programs[0].terminate().await;
    let mut sql = fleet.sql().await;
    sql.execute("ALTER TABLE due DROP COLUMN claimed_until").await.unwrap();
    sql.execute("DELETE FROM _sqlx_migrations WHERE version = 20261130000001").await.unwrap();
    let mut lock = sql.begin().await.unwrap();
    lock.execute("LOCK TABLE due IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let mut killed = fleet.command("127.0.0.1:0").spawn().unwrap();
    a_while(1.5).await;
    killed.kill().unwrap();
    killed.wait().unwrap();
    lock.rollback().await.unwrap();
    fleet.start_again(0).await;
    assert_eq!(schema(&mut fleet.sql().await).await, whole);
    let table = fleet.programs[0].server.create(&humans("twenty_one", 2)).await;
    assert_eq!(table.public().await["status"], "active");
}

/// The clock is stepped by more than a turn and back: what is due then happens once, times never go back.
#[actix_web::test]
async fn a_step_of_the_clock_hurts_no_match() {
    let step = tempfile::NamedTempFile::new().unwrap();
    let set = |milliseconds: i64| std::fs::write(step.path(), milliseconds.to_string()).unwrap();
    set(0);
    let fleet = Fleet::start(1, &["--clock-step-file", step.path().to_str().unwrap()]).await;
    let server = &fleet.programs[0].server;
    let slow = server.create(&json!({"game": "hachiku", "seats": [{}, {}], "turn_seconds": 600})).await;
    let timed_out = async || {
        let history = server.get(&format!("{}/events", slow.path), None).await.expect(200);
        let history = history["events"].as_array().unwrap().clone();
        history.iter().filter(|event| event["type"] == "timed_out").count()
    };
    set(700_000);
    a_while(2.0).await;
    // One turn is over, and the next has begun.
    assert_eq!(timed_out().await, 1);
    set(0);
    a_while(2.0).await;
    assert_eq!(timed_out().await, 1);
    let seat = slow.public().await["to_act"][0].as_u64().unwrap() as usize;
    let action = slow.legal(seat).await[0].clone();
    slow.act(seat, action).await.expect(200);
    let mut socket = Socket::of(&slow, None, None).await;
    assert_eq!(socket.next_of("clock").await["data"]["to_act"].as_array().unwrap().len(), 1);
    slow.act(seat, json!({"type": "resign"})).await.expect(200);
    let history = server.get(&format!("{}/events", slow.path), None).await.expect(200);
    let times: Vec<_> = history["events"].as_array().unwrap().iter().map(|event| event["at"].to_string()).collect();
    assert!(times.is_sorted(), "{times:?}");
    // New matches go by the clock as it is now.
    let quick = server.create(&json!({"game": "twenty_one", "seats": [{}, {"bot": "easy"}], "turn_seconds": 1})).await;
    assert_eq!(quick.finished().await["status"], "finished");
}
