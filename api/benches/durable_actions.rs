//! Actions a second over HTTP with durable commits, beside the bare database's own rate for one
//! guarded INSERT a transaction, in the same run on the same PostgreSQL.
//! `cargo bench -p takujo --bench durable_actions`

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::rt::{System, spawn};
use dictionary::Lexicon;
use embedded_postgres::Cluster;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use takujo::config::Given;
use takujo::startup;

const CLIENTS: [usize; 3] = [1, 8, 64];
const TIME: Duration = Duration::from_secs(5);
const CONNECTIONS: u32 = 16;

/// Lets as many clients as given do something again and again; how often a second they did it.
async fn rate<F: Future<Output = ()> + 'static>(
    clients: usize,
    client: impl Fn(usize, Arc<AtomicU64>, Instant) -> F,
) -> f64 {
    let (done, end) = (Arc::new(AtomicU64::new(0)), Instant::now() + TIME);
    let tasks = (0..clients).map(|number| spawn(client(number, Arc::clone(&done), end)));
    join_all(tasks).await;
    done.load(Ordering::Relaxed) as f64 / TIME.as_secs_f64()
}

/// Plays ２１ to the bitter end and again: two seats, whoever is to act rolls.
async fn play(http: reqwest::Client, base: String, done: Arc<AtomicU64>, end: Instant) {
    let post = async |path: &str, token: Option<&str>, body: &Value| -> Value {
        let request = http.post(format!("{base}{path}")).json(body);
        let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
        request.send().await.unwrap().json().await.unwrap()
    };
    while Instant::now() < end {
        let setup = json!({"game": "twenty_one", "seats": [{}, {}], "options": {"games": 100}});
        let created = post("/v1/matches", None, &setup).await;
        let token = |seat: usize| created["seats"][seat]["token"].as_str().unwrap().to_owned();
        let (tokens, path) =
            ([token(0), token(1)], format!("/v1/matches/{}/actions", created["match"]["id"].as_str().unwrap()));
        let mut seat = created["match"]["to_act"][0].as_u64();
        while let Some(to_act) = seat.filter(|_| Instant::now() < end) {
            let answer = post(&path, Some(&tokens[to_act as usize]), &json!({"action": {"type": "roll"}})).await;
            done.fetch_add(1, Ordering::Relaxed);
            seat = answer["match"]["to_act"][0].as_u64();
        }
    }
}

/// One guarded INSERT a transaction, of a row as large as a step's.
async fn insert(pool: PgPool, done: Arc<AtomicU64>, end: Instant) {
    let (id, mut version) = (uuid::Uuid::now_v7(), 0);
    let events = json!([{"type": "rolled", "seat": 0, "die": 5, "total": 17}]);
    while Instant::now() < end {
        version += 1;
        sqlx::query("INSERT INTO bare (match_id, version, events, at) VALUES ($1, $2, $3, now())")
            .bind(id)
            .bind(version)
            .bind(&events)
            .execute(&pool)
            .await
            .unwrap();
        done.fetch_add(1, Ordering::Relaxed);
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let cluster = Cluster::start(folder.path(), &embedded_postgres::Settings::default()).unwrap();
    System::new().block_on(async {
        let pool = startup::database(cluster.database_url().parse().unwrap(), CONNECTIONS).await.unwrap();
        sqlx::query("CREATE TABLE bare (match_id uuid, version int, events jsonb, at timestamptz, PRIMARY KEY (match_id, version))")
            .execute(&pool)
            .await
            .unwrap();
        let mut settings = Given::default().complete().unwrap();
        settings.listen = ([127, 0, 0, 1], 0).into();
        settings.rate_limit = 0;
        let running = startup::serve(settings, pool.clone(), Lexicon::empty()).unwrap();
        let base = format!("http://{}", running.address);
        spawn(running.until_stopped());
        let http = reqwest::Client::new();
        println!("clients  actions/s over HTTP  bare INSERTs/s  ratio");
        for clients in CLIENTS {
            let acted = rate(clients, |_, done, end| play(http.clone(), base.clone(), done, end)).await;
            let bare = rate(clients, |_, done, end| insert(pool.clone(), done, end)).await;
            println!("{clients:7}  {acted:19.0}  {bare:14.0}  {:5.2}", acted / bare);
        }
        System::current().stop();
    });
    cluster.stop();
}
