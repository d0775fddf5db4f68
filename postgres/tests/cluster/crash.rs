//! What was acknowledged is there after any crash, and nothing a crash leaves behind is in the way.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::probe::{ask, lives, pid_file, place, postmaster, run, runtime, start, wait_for};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sqlx::{Connection as _, PgConnection};

/// The example `private_cluster` as a process of its own.
fn spawn_server(data_folder: &Path) -> Child {
    let own = std::env::current_exe().unwrap();
    let example: PathBuf = own.ancestors().nth(2).unwrap().join("examples/private_cluster");
    Command::new(&example)
        .arg(data_folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{}: {e}; `cargo test` builds it", example.display()))
}

/// Such a process when it is ready, and the URL it has printed.
fn server_process(data_folder: &Path) -> (Child, String) {
    let mut server = spawn_server(data_folder);
    let mut url = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut url).unwrap();
    (server, url.trim_end().to_owned())
}

/// Inserts numbers one by one until the connection breaks, and returns how many were acknowledged.
async fn insert_until_the_end(url: String, writer: i32) -> i32 {
    let mut connection = PgConnection::connect(&url).await.unwrap();
    for number in 0.. {
        let row = sqlx::query("INSERT INTO acknowledged VALUES ($1, $2)").bind(writer).bind(number);
        if row.execute(&mut connection).await.is_err() {
            return number;
        }
    }
    unreachable!("the server is killed before the numbers end");
}

#[test]
fn every_acknowledged_row_survives_the_killing_of_the_server() {
    let place = place();
    let (mut server, url) = server_process(place.path());
    run(&url, "CREATE TABLE acknowledged (writer int, number int, PRIMARY KEY (writer, number))");
    let process = postmaster(place.path());

    let acknowledged: Vec<i32> = runtime().block_on(async {
        let writers: Vec<_> = (0..4).map(|writer| tokio::spawn(insert_until_the_end(url.clone(), writer))).collect();
        tokio::time::sleep(Duration::from_millis(500)).await;
        server.kill().unwrap();
        let mut counts = Vec::new();
        for writer in writers {
            counts.push(writer.await.unwrap());
        }
        counts
    });
    server.wait().unwrap();
    assert!(acknowledged.iter().all(|count| *count > 0), "{acknowledged:?}");

    // At once: the start itself has to cope with the old processes.
    let begin = Instant::now();
    let cluster = start(place.path());
    eprintln!("start after a kill under load: {:?}", begin.elapsed());
    assert!(!lives(process), "PostgreSQL has outlived its server");
    for (writer, count) in (0..).zip(&acknowledged) {
        let stored: i64 = runtime().block_on(async {
            let mut connection = PgConnection::connect(&cluster.database_url()).await.unwrap();
            sqlx::query_scalar("SELECT count(*) FROM acknowledged WHERE writer = $1 AND number < $2")
                .bind(writer)
                .bind(count)
                .fetch_one(&mut connection)
                .await
                .unwrap()
        });
        assert_eq!(stored, i64::from(*count), "rows of writer {writer}");
    }
}

#[test]
fn postgresql_ends_with_its_killed_server() {
    let place = place();
    let (mut server, _) = server_process(place.path());
    let process = postmaster(place.path());
    server.kill().unwrap();
    server.wait().unwrap();
    let took = wait_for("the end of PostgreSQL", || !lives(process));
    eprintln!("PostgreSQL ended {took:?} after its server was killed");
}

#[test]
fn a_start_after_server_and_postgresql_were_killed_together_recovers() {
    let place = place();
    let (mut server, url) = server_process(place.path());
    run(&url, "CREATE TABLE kept AS SELECT 'kept' AS word");
    let process = postmaster(place.path());
    kill(Pid::from_raw(server.id().cast_signed()), Signal::SIGSTOP).unwrap();
    kill(process, Signal::SIGKILL).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(pid_file(place.path()).exists(), "a killed PostgreSQL leaves its file");
    let cluster = start(place.path());
    assert_eq!(ask(&cluster.database_url(), "SELECT word FROM kept").unwrap(), "kept");
}

#[test]
fn a_start_waits_for_the_end_of_a_postgresql_that_has_outlived_its_server() {
    let place = place();
    let (mut server, url) = server_process(place.path());
    run(&url, "CREATE TABLE kept AS SELECT 'kept' AS word");
    let process = postmaster(place.path());
    // It ends only when its checkpointer has. (Stopping the postmaster itself would not do: its
    // process group is orphaned when the server dies, and the kernel continues stopped members of
    // a group that becomes so.)
    let checkpointer = child_titled(process, "checkpointer");
    kill(checkpointer, Signal::SIGSTOP).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    let cluster = std::thread::scope(|scope| {
        let cluster = scope.spawn(|| start(place.path()));
        std::thread::sleep(Duration::from_millis(400));
        assert!(lives(process) && !cluster.is_finished(), "two PostgreSQLs must not work on one cluster");
        kill(checkpointer, Signal::SIGCONT).unwrap();
        cluster.join().unwrap()
    });
    assert!(!lives(process));
    assert_eq!(ask(&cluster.database_url(), "SELECT word FROM kept").unwrap(), "kept");
}

/// The child of a postmaster with this word in its title.
fn child_titled(postmaster: Pid, word: &str) -> Pid {
    let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap();
    let is_titled = |child: &&str| {
        let title = fs::read_to_string(format!("/proc/{child}/cmdline"));
        title.is_ok_and(|title| title.contains(word))
    };
    Pid::from_raw(children.split_whitespace().find(is_titled).unwrap().parse().unwrap())
}

/// Makes a cluster, then leaves the files behind that a crash would leave, in the name of `process`.
fn leave_stale_files(data_folder: &Path, process: u32) {
    let cluster = start(data_folder);
    let pid_text = fs::read_to_string(pid_file(data_folder)).unwrap();
    let socket_lock = cluster.socket_folder().join(".s.PGSQL.5432.lock");
    cluster.stop();
    let (_, rest) = pid_text.split_once('\n').unwrap();
    fs::write(pid_file(data_folder), format!("{process}\n{rest}")).unwrap();
    fs::write(socket_lock, format!("{process}\n{rest}")).unwrap();
}

#[test]
fn a_pid_file_whose_number_is_another_programs_is_no_obstacle() {
    let place = place();
    let mut stranger = Command::new("sleep").arg("60").spawn().unwrap();
    leave_stale_files(place.path(), stranger.id());
    start(place.path()).stop();
    assert_eq!(stranger.try_wait().unwrap(), None, "the other program is left alone");
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[test]
fn a_pid_file_whose_process_is_a_zombie_is_no_obstacle() {
    let place = place();
    let mut zombie = Command::new("true").spawn().unwrap();
    leave_stale_files(place.path(), zombie.id());
    start(place.path()).stop();
    zombie.wait().unwrap();
}

#[test]
fn a_pid_file_without_a_process_or_without_sense_is_no_obstacle() {
    let place = place();
    let mut gone = Command::new("true").spawn().unwrap();
    gone.wait().unwrap();
    leave_stale_files(place.path(), gone.id());
    start(place.path()).stop();
    for nonsense in ["", "-1\n", "not a number\n"] {
        fs::write(pid_file(place.path()), nonsense).unwrap();
        start(place.path()).stop();
    }
}

#[test]
fn an_interrupted_initdb_is_made_again() {
    let place = place();
    let partial = place.path().join("cluster.partial-1");
    fs::create_dir_all(partial.join("base")).unwrap();
    fs::write(partial.join("PG_VERSION"), "15\n").unwrap();
    let cluster = start(place.path());
    assert_eq!(ask(&cluster.database_url(), "SELECT 'whole'").unwrap(), "whole");
    assert!(!partial.exists());
}

#[test]
fn a_server_killed_at_any_moment_of_its_first_start_starts_the_next_time() {
    let place = place();
    for milliseconds in [30, 150, 300, 500, 700] {
        let mut server = spawn_server(place.path());
        std::thread::sleep(Duration::from_millis(milliseconds));
        server.kill().unwrap();
        server.wait().unwrap();
    }
    let cluster = start(place.path());
    assert_eq!(ask(&cluster.database_url(), "SELECT 'whole'").unwrap(), "whole");
}
