//! What was answered stays: over crashes of the server and of PostgreSQL, and over a stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use nix::sys::signal::{Signal, kill};
use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::play::humans;
use crate::program::{Folder, Program, command};
use crate::server::Server;

/// A request that was answered, and its answer.
pub struct Answered {
    path: String,
    token: Option<String>,
    key: String,
    body: Value,
    status: u16,
    text: String,
}

/// What happened to one player's requests.
#[derive(Default)]
pub struct Diary {
    pub answered: Vec<Answered>,
    /// How many were answered 503, each with the time to try again.
    pub unavailable: usize,
}

impl Diary {
    /// Sends a request with a key; its status where there is an answer.
    async fn send(
        &mut self,
        server: &Server,
        path: &str,
        token: Option<&str>,
        key: String,
        body: Value,
    ) -> Option<u16> {
        let request = server.request(Method::POST, path).header("Idempotency-Key", &key).json(&body);
        let request = if let Some(token) = token { request.bearer_auth(token) } else { request };
        let response = request.timeout(Duration::from_secs(20)).send().await.ok()?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.ok()?;
        if status == 503 {
            assert_eq!(headers["content-type"], "application/problem+json");
            assert!(headers.contains_key("retry-after"), "{text}");
            self.unavailable += 1;
        } else {
            assert!(matches!(status, 200 | 201 | 409), "{status} {text}");
            let token = token.map(str::to_owned);
            self.answered.push(Answered { path: path.to_owned(), token, key, body, status, text });
        }
        Some(status)
    }

    /// Every answer given is given again, byte for byte, and what it says has happened.
    pub async fn still_holds(&self, server: &Server) {
        for was in &self.answered {
            let request = server.request(Method::POST, &was.path).header("Idempotency-Key", &was.key).json(&was.body);
            let request = if let Some(token) = &was.token { request.bearer_auth(token) } else { request };
            let again = server.send(request).await;
            assert_eq!((again.status.as_u16(), &again.text), (was.status, &was.text), "{}", was.key);
            if was.status == 200 {
                let version = serde_json::from_str::<Value>(&was.text).unwrap()["version"].clone();
                let path = was.path.replace("/actions", "");
                let at = server.get(&format!("{path}/at/{version}"), was.token.as_deref()).await.expect(200);
                assert_eq!(at["version"], version);
                assert!(server.get(&path, None).await.expect(200)["version"].as_u64() >= version.as_u64());
            }
        }
    }
}

/// One player with a match after another, each action with a key of its own, until told to stop.
async fn play_on(server: &Server, name: usize, stop: &AtomicBool) -> Diary {
    let mut diary = Diary::default();
    let mut matches = 0;
    'matches: while !stop.load(Ordering::Relaxed) {
        matches += 1;
        let key = format!("player {name} creates {matches}");
        let Some(201) = diary.send(server, "/v1/matches", None, key, humans("twenty_one", 2)).await else {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let created: Value = serde_json::from_str(&diary.answered.last().unwrap().text).unwrap();
        let path = format!("/v1/matches/{}/actions", created["match"]["id"].as_str().unwrap());
        let tokens: Vec<_> = (0..2).map(|seat| created["seats"][seat]["token"].as_str().unwrap().to_owned()).collect();
        let mut now = created["match"].clone();
        for turn in 1.. {
            if stop.load(Ordering::Relaxed) {
                break 'matches;
            }
            let Some(seat) = now["to_act"][0].as_u64() else { break };
            let body = json!({"action": {"type": "roll"}, "version": now["version"]});
            let key = format!("player {name} match {matches} turn {turn}");
            match diary.send(server, &path, Some(&tokens[seat as usize]), key, body).await {
                Some(200) => {
                    let answer: Value = serde_json::from_str(&diary.answered.last().unwrap().text).unwrap();
                    now = answer["match"].clone();
                }
                _ => break,
            }
        }
    }
    diary
}

/// Six players play while something is done to the server.
pub async fn under_load(server: &Server, act: impl Future<Output = ()>) -> Vec<Diary> {
    let stop = AtomicBool::new(false);
    let players = join_all((0..6).map(|name| play_on(server, name, &stop)));
    let act = async {
        act.await;
        stop.store(true, Ordering::Relaxed);
    };
    tokio::join!(players, act).0
}

pub async fn a_while(seconds: f64) {
    tokio::time::sleep(Duration::from_secs_f64(seconds)).await;
}

pub fn answered(diaries: &[Diary]) -> usize {
    diaries.iter().map(|diary| diary.answered.len()).sum()
}

#[actix_web::test]
async fn what_was_answered_survives_a_crash() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "info");
    let base = Server::at(program.server.base.clone());
    let diaries = under_load(&base, async {
        a_while(3.0).await;
        program.crash();
    })
    .await;
    assert!(answered(&diaries) > 20, "{}", answered(&diaries));
    let again = Program::start(&folder, "info");
    for diary in &diaries {
        diary.still_holds(&again.server).await;
    }
}

/// What a server was carrying out when it was killed may be asked again as soon as the next one runs.
#[actix_web::test]
async fn a_request_that_died_with_its_server_is_repeated_at_once() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "info");
    let socket = folder.path().join("postgres/socket");
    let url = format!("postgres:///takujo?host={}&user=takujo", socket.display());
    let begun = "INSERT INTO idempotency (scope, key_hash, body_hash, lease_until)
                 VALUES (sha256('scope'), sha256('key'), sha256('body'), now() + interval '30 seconds')";
    PgConnection::connect(&url).await.unwrap().execute(begun).await.unwrap();
    program.crash();
    let _again = Program::start(&folder, "info");
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM idempotency WHERE answer IS NULL")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(left, 0);
}

#[actix_web::test]
async fn it_lives_through_a_crash_of_postgresql_and_stops_in_order() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "trace");
    let base = Server::at(program.server.base.clone());

    let diaries = under_load(&base, async {
        a_while(1.0).await;
        let before = folder.postmaster();
        kill(before, Signal::SIGKILL).unwrap();
        a_while(0.5).await;
        let begun = Instant::now();
        while base.get("/readyz", None).await.status != 200 {
            assert!(begun.elapsed() < Duration::from_secs(30), "it does not recover");
            a_while(0.1).await;
        }
        assert_ne!(folder.postmaster(), before);
        a_while(1.0).await;
    })
    .await;
    // Whether anybody is refused meanwhile depends on how soon it is back; nothing answered is lost.
    let unavailable: usize = diaries.iter().map(|diary| diary.unavailable).sum();
    assert!(answered(&diaries) > 20, "{} answered, {unavailable} refused", answered(&diaries));
    for diary in &diaries {
        diary.still_holds(&base).await;
    }

    let second = command(&folder, "info").output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success());
    assert!(said.contains(folder.path().to_str().unwrap()), "{said}");

    // A stop answers what runs, also who waits for a change, and loses nothing.
    let given_up = base.create(&humans("hachiku", 2)).await;
    given_up.act(0, json!({"type": "resign"})).await.expect(200);
    let table = base.create(&humans("hachiku", 2)).await;
    let shown = base.get(&table.path, None).await;
    let waiting = base.request(Method::GET, &format!("{}?wait=30", table.path));
    let waiting = base.send(waiting.header("If-None-Match", &shown.headers["etag"]));
    let mut ended = None;
    let stopping = under_load(&base, async {
        a_while(0.5).await;
        ended = Some(program.terminate().await);
    });
    let (waited, diaries_at_stop) = tokio::join!(waiting, stopping);
    let (status, time) = ended.unwrap();
    assert_eq!(waited.status, 304);
    assert!(status.success() && time < Duration::from_secs(8), "{status} after {time:?}:\n{:.4000}", program.log());

    let again = Program::start(&folder, "info");
    for diary in diaries.iter().chain(&diaries_at_stop) {
        diary.still_holds(&again.server).await;
    }
    no_secret_is_logged(&program.log(), &diaries, &again.server).await;
}

/// Neither tokens nor seeds stand in the log, whatever it is asked to tell.
async fn no_secret_is_logged(log: &str, diaries: &[Diary], server: &Server) {
    assert!(log.len() > 10_000);
    for was in diaries.iter().flat_map(|diary| &diary.answered) {
        if let Some(token) = &was.token {
            assert!(!log.contains(token.as_str()), "a token is in the log");
        }
    }
    let finished = server.get("/v1/matches?status=finished&limit=500", None).await.expect(200);
    let finished = finished["matches"].as_array().unwrap();
    assert!(!finished.is_empty());
    for listed in finished {
        let shown = server.get(&format!("/v1/matches/{}", listed["id"].as_str().unwrap()), None).await.expect(200);
        assert!(!log.contains(shown["chance"]["server_seed"].as_str().unwrap()), "a seed is in the log");
    }
}
