//! The production application on a port of its own, with a database of its own.

use std::sync::LazyLock;
use std::time::Duration;

use dictionary::Lexicon;
use embedded_postgres::Cluster;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use takujo::config::{Given, Settings};
use takujo::startup;

/// One PostgreSQL for all tests of this program.
static CLUSTER: LazyLock<Cluster> = LazyLock::new(|| {
    let folder = tempfile::Builder::new().prefix("takujo-test-").tempdir().unwrap().keep();
    Cluster::start(&folder, &embedded_postgres::Settings { max_connections: 400, ..Default::default() }).unwrap()
});

/// The real lexicon, made once for all test runs.
pub static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    Lexicon::standard(Some(folder)).unwrap()
});

/// A running server.
pub struct Server {
    /// Where it is, without a slash at the end.
    pub base: String,
    client: Client,
}

/// An answer: status, headers and body.
pub struct Answer {
    pub status: StatusCode,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The body of an answer that must have this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        if self.text.is_empty() { Value::Null } else { self.json() }
    }

    /// The code of a problem that must have this status.
    #[track_caller]
    pub fn code(self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        self.problem()
    }

    /// The code of a problem, which must have all that a problem has.
    #[track_caller]
    pub fn problem(&self) -> String {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text);
        assert!(self.headers.contains_key("x-request-id"));
        assert!(self.text.len() < 8 * 1024, "a problem says what it has to say in few words: {}", self.text.len());
        let problem = self.json();
        let code = problem["code"].as_str().unwrap();
        assert_eq!(problem["type"], format!("/problems/{code}"));
        assert_eq!(problem["status"], self.status.as_u16());
        for told in ["title", "detail"] {
            assert!(!problem[told].as_str().unwrap().is_empty(), "{told}: {}", self.text);
        }
        code.to_owned()
    }
}

/// A fresh, empty database and its address.
pub async fn database() -> String {
    let name = format!("test_{}", uuid::Uuid::now_v7().simple());
    let url = tokio::task::spawn_blocking(|| CLUSTER.database_url()).await.unwrap();
    let mut connection = PgConnection::connect(&url).await.unwrap();
    connection.execute(sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    url.replacen("/takujo?", &format!("/{name}?"), 1)
}

/// Ends the servers' connections to a database: what they have read is counted when they end.
pub async fn end_servers(sql: &mut PgConnection) {
    let theirs = "FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'takujo'";
    let end = format!("SELECT pg_terminate_backend(pid, 5000) {theirs}");
    sql.execute(sqlx::AssertSqlSafe(end)).await.unwrap();
    sql.execute("SELECT pg_stat_clear_snapshot()").await.unwrap();
}

impl Server {
    /// A server with a database of its own.
    pub async fn start() -> Self {
        Self::on(&database().await, |_| {}).await
    }

    /// A server on a database, with changed settings.
    pub async fn on(database: &str, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Given::default().complete().unwrap();
        settings.listen = ([127, 0, 0, 1], 0).into();
        settings.workers = 2;
        settings.rate_limit = 0;
        change(&mut settings);
        let pool = startup::database(database.parse().unwrap(), 8).await.unwrap();
        let lexicon = tokio::task::spawn_blocking(|| LEXICON.clone()).await.unwrap();
        let running = startup::serve(settings, pool, lexicon).unwrap();
        let base = format!("http://{}", running.address);
        actix_web::rt::spawn(running.until_stopped());
        Self::at(base)
    }

    /// A server that runs elsewhere.
    pub fn at(base: String) -> Self {
        // Shorter than the server keeps a connection, so that none is used in the moment it is closed.
        let client = Client::builder().pool_idle_timeout(Duration::from_secs(2)).build().unwrap();
        Self { base, client }
    }

    /// A request to a path.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a request.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, text: response.text().await.unwrap() }
    }

    /// GET, with a token where one is given.
    pub async fn get(&self, path: &str, token: Option<&str>) -> Answer {
        let request = self.request(Method::GET, path);
        self.send(with(request, token)).await
    }

    /// POST of JSON, with a token where one is given.
    pub async fn post(&self, path: &str, token: Option<&str>, body: &Value) -> Answer {
        let request = self.request(Method::POST, path).json(body);
        self.send(with(request, token)).await
    }

    /// A new match; its id and the tokens of its seats.
    pub async fn create(&self, body: &Value) -> Match<'_> {
        let created = self.post("/v1/matches", None, body).await.expect(201);
        let tokens = created["seats"].as_array().unwrap().iter();
        let tokens = tokens.map(|seat| seat["token"].as_str().unwrap_or_default().to_owned()).collect();
        let path = format!("/v1/matches/{}", created["match"]["id"].as_str().unwrap());
        Match { server: self, path, tokens }
    }
}

fn with(request: RequestBuilder, token: Option<&str>) -> RequestBuilder {
    match token {
        Some(token) => request.bearer_auth(token),
        None => request,
    }
}

/// A match of a server, with the tokens of all its seats.
pub struct Match<'a> {
    pub server: &'a Server,
    /// Its address on the server.
    pub path: String,
    pub tokens: Vec<String>,
}

impl Match<'_> {
    /// The match as a seat sees it.
    pub async fn seen_by(&self, seat: usize) -> Value {
        self.server.get(&self.path, Some(&self.tokens[seat])).await.expect(200)
    }

    /// The match as the public sees it.
    pub async fn public(&self) -> Value {
        self.server.get(&self.path, None).await.expect(200)
    }

    /// The match once it is over; bots may have to play it to its end.
    pub async fn finished(&self) -> Value {
        for _ in 0..600 {
            let now = self.public().await;
            if now["status"] == "finished" {
                return now;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("{} does not end", self.path);
    }

    /// Posts an action.
    pub async fn act(&self, seat: usize, action: Value) -> Answer {
        self.post_action(seat, &json!({"action": action})).await
    }

    /// Posts the body of an action.
    pub async fn post_action(&self, seat: usize, body: &Value) -> Answer {
        self.server.post(&format!("{}/actions", self.path), Some(&self.tokens[seat]), body).await
    }

    /// What a seat may do.
    pub async fn legal(&self, seat: usize) -> Vec<Value> {
        let path = format!("{}/legal-actions?words=false", self.path);
        let legal = self.server.get(&path, Some(&self.tokens[seat])).await.expect(200);
        legal["actions"].as_array().unwrap().clone()
    }
}
