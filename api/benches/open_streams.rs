//! What one process carries: the memory of open matches and of open streams, and how long actions take
//! while the streams are open. `cargo bench -p takujo --bench open_streams`

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const MATCHES: usize = 10_000;
const ACTIVE: usize = 500;
const STREAMS: usize = 5_000;
const CLIENTS: usize = 64;
const TIME: Duration = Duration::from_secs(15);

/// The server as a process of its own, so that its memory is its alone.
struct Program {
    child: Child,
    base: String,
    _folder: tempfile::TempDir,
}

impl Program {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let child = Command::new(env!("CARGO_BIN_EXE_takujo"))
            .args(["serve", "--rate-limit", "0", "--stream-rate", "0", "--streams", "0", "--streams-per-address", "0"])
            .args(["--listen", &format!("127.0.0.1:{port}"), "--log", "warn", "--data-dir"])
            .arg(folder.path())
            .env_remove("DATABASE_URL")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, base: format!("127.0.0.1:{port}"), _folder: folder }
    }

    /// Its resident memory in bytes.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A match that is played.
struct Match {
    path: String,
    tokens: [String; 2],
    seat: Option<u64>,
}

#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    base: String,
}

impl Client {
    async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        let request = self.http.post(format!("http://{}{path}", self.base)).json(body);
        let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
        request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
    }

    async fn create(&self) -> Match {
        let setup = json!({"game": "twenty_one", "seats": [{}, {}], "options": {"games": 100}});
        let created = self.post("/v1/matches", None, &setup).await;
        let token = |seat: usize| created["seats"][seat]["token"].as_str().unwrap().to_owned();
        Match {
            path: format!("/v1/matches/{}", created["match"]["id"].as_str().unwrap()),
            tokens: [token(0), token(1)],
            seat: created["match"]["to_act"][0].as_u64(),
        }
    }

    /// One action; how long it took.
    async fn act(&self, table: &mut Match) -> Option<Duration> {
        let token = &table.tokens[table.seat? as usize];
        let begun = Instant::now();
        let (path, body) = (format!("{}/actions", table.path), json!({"action": {"type": "roll"}}));
        let answer = self.post(&path, Some(token), &body).await;
        table.seat = answer["match"]["to_act"][0].as_u64();
        Some(begun.elapsed())
    }
}

/// Reads a stream and counts its events.
async fn watch(base: String, path: String, seen: Arc<AtomicUsize>) {
    let mut stream = TcpStream::connect(&base).await.unwrap();
    let head = format!("GET {path}/events/stream HTTP/1.1\r\nHost: {base}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut chunk = [0; 8 * 1024];
    while let Ok(read @ 1..) = stream.read(&mut chunk).await {
        let events = chunk[..read].windows(13).filter(|part| *part == b"event: event\n").count();
        seen.fetch_add(events, Ordering::Relaxed);
    }
}

/// Plays all matches for a while with so many clients at a time; every action's time, sorted.
async fn play(client: &Client, matches: &mut [Match]) -> Vec<Duration> {
    let share = matches.len().div_ceil(CLIENTS);
    let clients = matches.chunks_mut(share).map(|own| async move {
        let (mut times, end) = (Vec::new(), Instant::now() + TIME);
        while Instant::now() < end {
            for table in &mut *own {
                times.extend(client.act(table).await);
            }
        }
        times
    });
    let mut times = join_all(clients).await.concat();
    times.sort_unstable();
    times
}

fn report(what: &str, times: &[Duration]) {
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1000.0;
    println!(
        "{what}: {:.0} actions/s, p50 {:.1} ms, p99 {:.1} ms, slowest {:.0} ms",
        times.len() as f64 / TIME.as_secs_f64(),
        at(50),
        at(99),
        at(100)
    );
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // Each stream is an open file here, too.
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, most, most).unwrap();

    let program = Program::start();
    let client = Client { http: reqwest::Client::new(), base: program.base.clone() };
    while client.http.get(format!("http://{}/readyz", client.base)).send().await.is_err() {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut matches = Vec::new();
    for _ in 0..ACTIVE {
        matches.push(client.create().await);
    }
    report(&format!("{ACTIVE} matches, no streams"), &play(&client, &mut matches).await);

    let before = program.memory();
    for _ in 0..MATCHES / CLIENTS {
        join_all((0..CLIENTS).map(|_| client.create())).await;
    }
    let each = program.memory().saturating_sub(before) as f64 / (MATCHES / CLIENTS * CLIENTS) as f64;
    println!("{MATCHES} open matches more: {:.1} KB each", each / 1024.0);

    for table in &mut matches {
        *table = client.create().await;
    }
    let (before, seen) = (program.memory(), Arc::new(AtomicUsize::new(0)));
    for at in 0..STREAMS {
        tokio::spawn(watch(client.base.clone(), matches[at % ACTIVE].path.clone(), Arc::clone(&seen)));
        if at % 100 == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    let quiet = program.memory();
    println!("{STREAMS} streams open: {:.1} KB each", quiet.saturating_sub(before) as f64 / STREAMS as f64 / 1024.0);
    let times = play(&client, &mut matches).await;
    report(&format!("{ACTIVE} matches, {STREAMS} streams"), &times);
    println!(
        "{STREAMS} streams after that: {:.1} KB each, {} events read",
        program.memory().saturating_sub(before) as f64 / STREAMS as f64 / 1024.0,
        seen.load(Ordering::Relaxed)
    );
}
