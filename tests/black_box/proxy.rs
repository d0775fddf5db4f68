//! Three processes behind one address: a stock proxy sends each request to the next of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::StreamExt;
use reqwest::Method;
use serde_json::{Value, json};

use crate::fleet::Fleet;
use crate::play::humans;
use crate::server::{Match, Server};
use crate::socket_client::Socket;

/// A running `haproxy` in front of a fleet.
struct Proxy {
    child: Child,
    server: Server,
    _folder: tempfile::TempDir,
}

impl Proxy {
    /// Starts it; nothing where the machine has none, which is said aloud.
    async fn start(fleet: &Fleet) -> Option<Self> {
        if Command::new("haproxy").arg("-v").stdout(Stdio::null()).status().is_err() {
            eprintln!("SKIPPED: haproxy is not installed (tools/setup.sh installs it)");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut file = std::fs::File::create(folder.path().join("haproxy.cfg")).unwrap();
        let hosts = fleet.programs.iter().enumerate().map(|(at, program)| {
            let address = program.server.base.replacen("http://", "", 1);
            format!("  server p{at} {address} check inter 200ms fall 1 rise 1\n")
        });
        let hosts = hosts.collect::<Vec<_>>().concat();
        write!(
            file,
            "defaults\n  mode http\n  timeout connect 2s\n  timeout client 60s\n  timeout server 60s\n  \
             timeout tunnel 1h\n  retries 3\n  option redispatch 1\n  retry-on conn-failure empty-response\n\
             listen takujo\n  bind 127.0.0.1:{port}\n  balance roundrobin\n  option forwardfor\n  \
             option httpchk GET /healthz\n  http-response set-header X-Process %s\n{hosts}"
        )
        .unwrap();
        let child = Command::new("haproxy")
            .args(["-db", "-f"])
            .arg(folder.path().join("haproxy.cfg"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server::at(format!("http://127.0.0.1:{port}"));
        let proxy = Self { child, server, _folder: folder };
        for _ in 0..200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let asked = proxy.server.request(Method::GET, "/readyz").send().await;
            if asked.is_ok_and(|answer| answer.status() == 200) {
                return Some(proxy);
            }
        }
        panic!("the proxy does not serve");
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// A turn of ２１: whoever is to act rolls, for the version that the last answer told.
async fn roll(table: &Match<'_>, now: &Value, key: &str, processes: &mut BTreeSet<String>) -> Value {
    let seat = now["to_act"][0].as_u64().unwrap() as usize;
    let body = json!({"action": {"type": "roll"}, "version": now["version"]});
    let request = table.server.request(Method::POST, &format!("{}/actions", table.path));
    let request = request.bearer_auth(&table.tokens[seat]).header("Idempotency-Key", key).json(&body);
    let answer = table.server.send(request).await;
    processes.insert(answer.headers["x-process"].to_str().unwrap().to_owned());
    answer.expect(200)["match"].clone()
}

#[actix_web::test]
async fn one_match_is_served_by_three_in_turn() {
    let fleet = Fleet::start(3, &["--trust-proxy"]).await;
    let Some(proxy) = Proxy::start(&fleet).await else { return };
    let table = proxy.server.create(&humans("twenty_one", 2)).await;
    let mut socket = Socket::of(&table, Some(0), Some(0)).await;
    let (mut now, mut processes, mut turn) = (table.public().await, BTreeSet::new(), 0);
    while now["status"] != "finished" {
        turn += 1;
        now = roll(&table, &now, &format!("turn {turn}"), &mut processes).await;
        // What has just been answered is there, whoever is asked for it.
        let at = proxy.server.get(&format!("{}/at/{}", table.path, now["version"]), None).await;
        assert_eq!(at.expect(200)["version"], now["version"]);
    }
    assert_eq!(processes.len(), 3, "{processes:?}");
    let told = socket.all().await;
    let told: Vec<_> = told.iter().filter(|message| message["message"] == "event").collect();
    let history = proxy.server.get(&format!("{}/events", table.path), None).await.expect(200);
    let history = history["events"].as_array().unwrap();
    assert_eq!(told.iter().map(|message| &message["data"]).collect::<Vec<_>>(), history.iter().collect::<Vec<_>>());
}

/// A socket acts through the proxy, and sees who is connected elsewhere.
#[actix_web::test]
async fn sockets_act_through_the_proxy() {
    let fleet = Fleet::start(3, &[]).await;
    let Some(proxy) = Proxy::start(&fleet).await else { return };
    let table = proxy.server.create(&humans("twenty_one", 2)).await;
    let mut sockets = [Socket::of(&table, Some(0), None).await, Socket::of(&table, Some(1), None).await];
    for socket in &mut sockets {
        while socket.next_of("presence").await["data"]["connected"] != json!([0, 1]) {}
    }
    let mut seat = table.public().await["to_act"][0].as_u64();
    let mut version = 1;
    while let Some(to_act) = seat {
        let roll = json!({"id": format!("v{version}"), "action": {"type": "roll"}, "version": version});
        let answer: Value = serde_json::from_str(&sockets[to_act as usize].ask(&roll).await).unwrap();
        assert_eq!(answer["status"], 200, "{answer}");
        version = answer["data"]["version"].as_u64().unwrap();
        seat = answer["data"]["match"]["to_act"][0].as_u64();
    }
    assert_eq!(table.public().await["version"], version);
}

/// Reads Server-Sent Events from where the last connection broke off, until enough are there.
async fn events(table: &Match<'_>, seen: &mut BTreeMap<u64, Value>, last: &mut u64, enough: u64) {
    while *last < enough {
        let request = table.server.request(Method::GET, &format!("{}/events/stream", table.path));
        let Ok(response) = request.header("Last-Event-ID", *last).send().await else { continue };
        let (mut bytes, mut text) = (response.bytes_stream(), String::new());
        while let Some(Ok(chunk)) = bytes.next().await {
            text += &String::from_utf8_lossy(&chunk);
            while let Some((message, rest)) = text.split_once("\n\n") {
                let field = |name: &str| message.lines().find_map(|line| line.strip_prefix(name));
                if field("event: ") == Some("event") {
                    let id: u64 = field("id: ").unwrap().parse().unwrap();
                    assert_eq!(id, *last + 1, "a gap or a repeat");
                    seen.insert(id, serde_json::from_str(field("data: ").unwrap()).unwrap());
                    *last = id;
                }
                text = rest.to_owned();
            }
            if *last >= enough {
                return;
            }
        }
    }
}

#[actix_web::test]
async fn a_stream_goes_on_over_killed_processes() {
    let mut fleet = Fleet::start(3, &[]).await;
    let Some(proxy) = Proxy::start(&fleet).await else { return };
    let table = proxy.server.create(&json!({"game": "twenty_one", "seats": [{}, {}], "options": {"games": 100}})).await;
    let (mut seen, mut last) = (BTreeMap::new(), 0);
    let mut now = table.public().await;
    for round in 0..6 {
        let play = async {
            for turn in 0..5 {
                now = roll(&table, &now, &format!("{round} {turn}"), &mut BTreeSet::new()).await;
            }
            let history =
                fleet.programs[round % 3].server.get(&format!("{}/events", table.path), None).await.expect(200);
            history["events"].as_array().unwrap().len() as u64
        };
        let enough = play.await;
        let read = tokio::time::timeout(Duration::from_secs(30), events(&table, &mut seen, &mut last, enough));
        read.await.expect("the stream does not go on");
        fleet.crash(round % 3).await;
        // Until the proxy has noticed.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let history = proxy.server.get(&format!("{}/events", table.path), None).await.expect(200);
    assert!(seen.values().eq(history["events"].as_array().unwrap().iter().take(seen.len())));
}
