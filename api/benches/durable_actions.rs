//! Actions a second over HTTP with durable commits, and matches read a second, each beside the
//! least that does the like, in the same run on the same PostgreSQL:
//! - an endpoint of actix-web that does one guarded INSERT through sqlx (a row as large as a step's),
//! - the same INSERT without HTTP,
//! - an endpoint that answers a constant JSON as long as a match.
//!
//! `cargo bench -p takujo --bench durable_actions`

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::rt::task::spawn_blocking;
use actix_web::rt::{System, spawn};
use actix_web::{App, HttpResponse, HttpServer, web};
use dictionary::Lexicon;
use embedded_postgres::Cluster;
use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};
use sqlx::PgPool;
use takujo::config::Given;
use takujo::startup;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use uuid::Uuid;

const CLIENTS: [usize; 3] = [1, 8, 64];
const TIME: Duration = Duration::from_secs(5);
const CONNECTIONS: u32 = 16;

/// A kept-alive connection that costs next to nothing, so that the servers are what is measured.
struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    async fn connect(port: u16) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::with_capacity(16 << 10) }
    }

    /// Sends a request and reads its whole answer: the body.
    async fn ask(&mut self, method: &str, path: &str, token: Option<&str>, body: &str) -> &[u8] {
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{authorization}Content-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len(),
        );
        self.stream.write_all(request.as_bytes()).await.unwrap();
        self.buffer.clear();
        loop {
            assert!(self.stream.read_buf(&mut self.buffer).await.unwrap() > 0, "the server closed the connection");
            let Some(end) = self.buffer.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
            let head = std::str::from_utf8(&self.buffer[..end]).unwrap();
            assert!(head.starts_with("HTTP/1.1 2"), "{head}");
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            let whole = end + 4 + length.unwrap_or(0_usize);
            if self.buffer.len() >= whole {
                return &self.buffer[end + 4..whole];
            }
        }
    }

    async fn ask_json<'a, T: Deserialize<'a>>(&'a mut self, path: &str, token: Option<&str>, body: &str) -> T {
        serde_json::from_slice(self.ask("POST", path, token, body).await).unwrap()
    }
}

/// Lets as many clients as given do something again and again, on a thread of their own; how often
/// a second they did it.
async fn rate<F: Future<Output = ()> + 'static>(
    clients: usize,
    client: impl Fn(Rc<Cell<u64>>, Instant) -> F + Send + 'static,
) -> f64 {
    let run = move || {
        System::new().block_on(async {
            let (done, end) = (Rc::new(Cell::new(0)), Instant::now() + TIME);
            join_all((0..clients).map(|_| spawn(client(Rc::clone(&done), end)))).await;
            done.get() as f64 / TIME.as_secs_f64()
        })
    };
    spawn_blocking(run).await.unwrap()
}

fn count(done: &Cell<u64>) {
    done.set(done.get() + 1);
}

#[derive(Deserialize)]
struct Answer {
    r#match: Match,
}

#[derive(Deserialize)]
struct Match {
    to_act: Vec<usize>,
}

/// Creates a long match of ２１: its path and its seats' tokens, the one that is to act first.
async fn create(client: &mut Client) -> (String, [String; 2]) {
    let setup = json!({"game": "twenty_one", "seats": [{}, {}], "options": {"games": 100}}).to_string();
    let created: Value = client.ask_json("/v1/matches", None, &setup).await;
    let token = |seat: usize| created["seats"][seat]["token"].as_str().unwrap().to_owned();
    (format!("/v1/matches/{}", created["match"]["id"].as_str().unwrap()), [token(0), token(1)])
}

/// Plays ２１ to the bitter end and again: two seats, whoever is to act rolls.
async fn play(port: u16, done: Rc<Cell<u64>>, end: Instant) {
    let mut client = Client::connect(port).await;
    while Instant::now() < end {
        let (path, tokens) = create(&mut client).await;
        let started: Match = serde_json::from_slice(client.ask("GET", &path, None, "").await).unwrap();
        let (path, mut to_act) = (format!("{path}/actions"), started.to_act);
        while let (Some(&seat), true) = (to_act.first(), Instant::now() < end) {
            let roll = r#"{"action":{"type":"roll"}}"#;
            to_act = client.ask_json::<Answer>(&path, Some(&tokens[seat]), roll).await.r#match.to_act;
            count(&done);
        }
    }
}

/// A client that asks the same thing again and again.
fn repeat(
    port: u16,
    method: &'static str,
    path: &str,
    body: String,
) -> impl Fn(Rc<Cell<u64>>, Instant) -> Pin<Box<dyn Future<Output = ()>>> + Send + 'static {
    let path = path.to_owned();
    move |done, end| {
        let (path, body) = (path.clone(), body.clone());
        Box::pin(async move {
            let mut client = Client::connect(port).await;
            while Instant::now() < end {
                client.ask(method, &path, None, &body).await;
                count(&done);
            }
        })
    }
}

/// A row like a step's, for a match of its own.
#[derive(Deserialize)]
struct Row {
    events: Value,
}

async fn insert(pool: &PgPool, events: &Value) {
    sqlx::query("INSERT INTO bare (match_id, version, events, at) VALUES ($1, 1, $2, now())")
        .bind(Uuid::now_v7())
        .bind(events)
        .execute(pool)
        .await
        .unwrap();
}

async fn insert_over_http(pool: web::Data<PgPool>, row: web::Json<Row>) -> HttpResponse {
    insert(&pool, &row.events).await;
    HttpResponse::Ok().json(json!({"version": 1}))
}

async fn insert_again_and_again(pool: PgPool, events: Value, done: Rc<Cell<u64>>, end: Instant) {
    while Instant::now() < end {
        insert(&pool, &events).await;
        count(&done);
    }
}

/// The least server: one durable INSERT, one constant answer.
fn bare_server(pool: PgPool, constant: String) -> u16 {
    let server = HttpServer::new(move || {
        let constant = constant.clone();
        let answer = move || {
            let constant = constant.clone();
            async move { HttpResponse::Ok().content_type("application/json").body(constant) }
        };
        App::new()
            .app_data(web::Data::new(pool.clone()))
            .route("/rows", web::post().to(insert_over_http))
            .route("/constant", web::get().to(answer))
    })
    .workers(std::thread::available_parallelism().map_or(1, usize::from))
    .bind(("127.0.0.1", 0))
    .unwrap();
    let port = server.addrs()[0].port();
    spawn(server.run());
    port
}

async fn measure(pool: PgPool) {
    sqlx::query(
        "CREATE TABLE bare (match_id uuid, version int, events jsonb, at timestamptz, PRIMARY KEY (match_id, version))",
    )
    .execute(&pool)
    .await
    .unwrap();
    let mut settings = Given::default().complete().unwrap();
    settings.listen = ([127, 0, 0, 1], 0).into();
    settings.rate_limit = 0;
    let running = startup::serve(settings, pool.clone(), Lexicon::empty()).unwrap();
    let port = running.address.port();
    spawn(running.until_stopped());

    let mut client = Client::connect(port).await;
    let (path, _) = create(&mut client).await;
    let shown = String::from_utf8(client.ask("GET", &path, None, "").await.to_vec()).unwrap();
    let bare = bare_server(pool.clone(), shown);
    let events = json!([{"type": "rolled", "seat": 0, "die": 5, "total": 17}]);
    let row = json!({"events": events}).to_string();

    println!("durable actions, different matches");
    println!("clients  actions/s  bare actix + sqlx INSERT/s  ratio  INSERT/s without HTTP  ratio");
    for clients in CLIENTS {
        let acted = rate(clients, move |done, end| play(port, done, end)).await;
        let over_http = rate(clients, repeat(bare, "POST", "/rows", row.clone())).await;
        let (pool, events) = (pool.clone(), events.clone());
        let alone =
            rate(clients, move |done, end| insert_again_and_again(pool.clone(), events.clone(), done, end)).await;
        println!(
            "{clients:7}  {acted:9.0}  {over_http:26.0}  {:5.2}  {alone:21.0}  {:5.2}",
            acted / over_http,
            acted / alone,
        );
    }
    println!("reading a match from memory");
    println!("clients  matches/s  constant JSON/s  ratio");
    for clients in CLIENTS {
        let read = rate(clients, repeat(port, "GET", &path, String::new())).await;
        let constant = rate(clients, repeat(bare, "GET", "/constant", String::new())).await;
        println!("{clients:7}  {read:9.0}  {constant:15.0}  {:5.2}", read / constant);
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(folder.path(), &embedded_postgres::Settings::default()).unwrap();
    System::new().block_on(async {
        let pool = startup::database(cluster.database_url().parse().unwrap(), CONNECTIONS).await.unwrap();
        measure(pool).await;
        System::current().stop();
    });
    cluster.stop();
}
