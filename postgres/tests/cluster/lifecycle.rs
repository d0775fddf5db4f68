//! A cluster from its first start to its stop.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::time::Instant;

use crate::probe::{ask, lives, pid_file, place, postmaster, refusal, run, start, wait_for};
use embedded_postgres::Settings;
use nix::sys::signal::{Signal, kill};
use nix::unistd::geteuid;

#[test]
fn the_first_start_makes_the_database_and_the_next_finds_it() {
    let place = place();
    let folder = place.path().join("data");

    let begin = Instant::now();
    let cluster = start(&folder);
    eprintln!("first start: {:?}", begin.elapsed());
    run(&cluster.database_url(), "CREATE TABLE kept AS SELECT '卓上'::text AS word");
    let process = postmaster(&folder);
    let begin = Instant::now();
    cluster.stop();
    eprintln!("stop: {:?}", begin.elapsed());
    assert!(!lives(process), "PostgreSQL runs on after the stop");
    assert!(!pid_file(&folder).exists(), "PostgreSQL was not shut down cleanly");

    let begin = Instant::now();
    let cluster = start(&folder);
    eprintln!("later start: {:?}", begin.elapsed());
    assert_eq!(ask(&cluster.database_url(), "SELECT word FROM kept").unwrap(), "卓上");
    assert_eq!(ask(&cluster.database_url(), "SELECT current_database()::text").unwrap(), "takujo");
    assert_eq!(cluster.restarts(), 0);
}

#[test]
fn the_data_is_safe_and_text_is_unicode() {
    let place = place();
    let careless = ["fsync", "synchronous_commit", "full_page_writes"].map(|name| (name.to_owned(), "off".to_owned()));
    let settings = Settings { shared_buffers_megabytes: 24, parameters: careless.to_vec(), ..Settings::default() };
    let cluster = embedded_postgres::Cluster::start(place.path(), &settings).unwrap();
    let shown = |statement| ask(&cluster.database_url(), statement).unwrap();
    assert_eq!(shown("SELECT current_setting('fsync')"), "on");
    assert_eq!(shown("SELECT current_setting('synchronous_commit')"), "on");
    assert_eq!(shown("SELECT current_setting('full_page_writes')"), "on");
    assert_eq!(shown("SELECT current_setting('data_checksums')"), "on");
    assert_eq!(shown("SELECT current_setting('shared_buffers')"), "24MB");
    assert_eq!(shown("SELECT current_setting('server_encoding')"), "UTF8");
    assert_eq!(shown("SELECT string_agg(x, '' ORDER BY x) FROM unnest('{い,ア,a,B}'::text[]) x"), "Baいア");
}

#[test]
fn no_tcp_port_is_open_and_the_socket_is_private() {
    let place = place();
    let cluster = start(place.path());
    assert_eq!(ask(&cluster.database_url(), "SELECT current_setting('listen_addresses')").unwrap(), "");
    let socket_folder = fs::metadata(cluster.socket_folder()).unwrap();
    assert_eq!(socket_folder.permissions().mode() & 0o777, 0o700);

    let table = |name| fs::read_to_string(format!("/proc/net/{name}")).unwrap_or_default();
    let inodes_of_tcp: HashSet<String> = [table("tcp"), table("tcp6")]
        .iter()
        .flat_map(|table| table.lines().skip(1))
        .filter_map(|line| line.split_whitespace().nth(9).map(str::to_owned))
        .collect();
    let files = fs::read_dir(format!("/proc/{}/fd", postmaster(place.path()))).into_iter().flatten().flatten();
    let sockets: Vec<String> = files
        .filter_map(|file| fs::read_link(file.path()).ok()?.to_str()?.strip_prefix("socket:[").map(str::to_owned))
        .map(|inode| inode.trim_end_matches(']').to_owned())
        .collect();
    assert!(cfg!(not(target_os = "linux")) || !sockets.is_empty(), "the unix socket itself has to be seen");
    assert!(sockets.iter().all(|inode| !inodes_of_tcp.contains(inode)));
}

#[test]
fn a_second_server_on_the_same_folder_says_so() {
    let place = place();
    let cluster = start(place.path());
    let said = refusal(place.path(), &Settings::default());
    let own_process = format!("another server (process {}) already runs", std::process::id());
    assert!(said.contains(&own_process), "{said}");
    assert_eq!(ask(&cluster.database_url(), "SELECT 'unharmed'").unwrap(), "unharmed");
}

#[test]
fn several_clusters_run_side_by_side() {
    let places = [place(), place()];
    let clusters = places.each_ref().map(|place| start(place.path()));
    for (cluster, name) in clusters.iter().zip(["CREATE TABLE first ()", "CREATE TABLE second ()"]) {
        run(&cluster.database_url(), name);
    }
    let table = "SELECT string_agg(tablename, ',') FROM pg_tables WHERE schemaname = 'public'";
    let tables = clusters.each_ref().map(|cluster| ask(&cluster.database_url(), table).unwrap());
    assert_eq!(tables, ["first", "second"]);
}

#[test]
fn postgresql_is_started_again_when_it_dies() {
    let place = place();
    let cluster = start(place.path());
    run(&cluster.database_url(), "CREATE TABLE kept AS SELECT 'kept' AS word");
    for deaths in 1..=2 {
        let process = postmaster(place.path());
        kill(process, Signal::SIGKILL).unwrap();
        let took = wait_for("a restart", || cluster.restarts() == deaths);
        eprintln!("ready again after the death of PostgreSQL: {took:?}");
        assert!(cluster.is_ready());
        assert_ne!(postmaster(place.path()), process);
        assert_eq!(ask(&cluster.database_url(), "SELECT word FROM kept").unwrap(), "kept");
    }
}

#[test]
fn a_stop_during_a_restart_starts_nothing_more() {
    let place = place();
    let cluster = start(place.path());
    kill(postmaster(place.path()), Signal::SIGKILL).unwrap();
    wait_for("the death to be noticed", || !cluster.is_ready());
    cluster.stop();
    if pid_file(place.path()).exists() {
        assert!(!lives(postmaster(place.path())));
    }
}

#[test]
fn roots_cluster_belongs_to_an_unprivileged_user_and_the_rest_stays_roots() {
    let place = place();
    let cluster = start(place.path());
    let owner = |name: &str| fs::metadata(place.path().join(name)).unwrap().uid();
    let process = fs::metadata(format!("/proc/{}", postmaster(place.path()))).map(|process| process.uid());
    if geteuid().is_root() {
        assert_ne!(owner("cluster"), 0);
        assert_eq!(owner("socket"), owner("cluster"));
        assert_eq!(process.unwrap(), owner("cluster"));
    }
    for name in ["postgresql.log", "release", "server.lock"] {
        assert_eq!(owner(name), geteuid().as_raw(), "{name}");
    }
    drop(cluster);
}
