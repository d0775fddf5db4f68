//! Reading matches: entity tags, long polls, dry runs, lists.

use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::header::{ETAG, HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};

use crate::play::{all_that_is_seen, humans, one_of_each};
use crate::server::{Answer, Match, Server, database};
use crate::socket_client::Socket;

async fn poll(table: &Match<'_>, wait: u32, tag: &HeaderValue) -> Answer {
    let request = table.server.request(Method::GET, &format!("{}?wait={wait}", table.path));
    table.server.send(request.header(IF_NONE_MATCH, tag)).await
}

#[actix_web::test]
async fn a_tag_tells_whether_the_match_has_changed() {
    let server = Server::start().await;
    for table in one_of_each(&server, 4).await {
        let first = server.get(&table.path, None).await;
        let tag = first.headers[ETAG].clone();
        let same = poll(&table, 0, &tag).await;
        assert_eq!((same.status.as_u16(), same.text.as_str(), &same.headers[ETAG]), (304, "", &tag));
        let one_of_many = HeaderValue::try_from(format!("\"x\", W/{}", tag.to_str().unwrap())).unwrap();
        assert_eq!(poll(&table, 0, &one_of_many).await.status, 304);
        assert_eq!(poll(&table, 0, &HeaderValue::from_static("*")).await.status, 304);
        assert_eq!(poll(&table, 0, &HeaderValue::from_static("\"x\"")).await.text, first.text);
        table.act(0, json!({"type": "resign"})).await.expect(200);
        let changed = poll(&table, 0, &tag).await;
        assert_eq!(changed.status, 200);
        assert_ne!(changed.headers[ETAG], tag);
    }
}

#[actix_web::test]
async fn a_long_poll_is_answered_when_something_changes() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let tag = server.get(&table.path, None).await.headers[ETAG].clone();
    let begun = Instant::now();
    assert_eq!(poll(&table, 1, &tag).await.status, 304);
    assert!(begun.elapsed() >= Duration::from_secs(1));

    let begun = Instant::now();
    let later = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        table.act(0, json!({"type": "roll"})).await.expect(200)
    };
    let (told, acted) = tokio::join!(poll(&table, 30, &tag), later);
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(told.expect(200), acted["match"]);
}

/// How many transactions the database has carried out so far.
async fn transactions(sql: &mut PgConnection) -> i64 {
    let count = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
    sqlx::query_scalar(count).fetch_one(sql).await.unwrap()
}

#[actix_web::test]
async fn more_matches_are_followed_than_the_cache_has_room_for() {
    let database = database().await;
    let server = Server::on(&database, |settings| {
        (settings.cached_matches, settings.streams_per_address, settings.stream_rate) = (1, 0, 0);
    })
    .await;
    let mut sql = PgConnection::connect(&database).await.unwrap();
    let (mut tables, mut sockets, mut tags) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..150 {
        let table = server.create(&humans("twenty_one", 2)).await;
        sockets.push(Socket::of(&table, None, None).await);
        tags.push(server.get(&table.path, None).await.headers[ETAG].clone());
        tables.push(table);
    }
    let polls =
        futures_util::future::join_all(tables.iter().zip(&tags).take(3).map(|(table, tag)| poll(table, 30, tag)));
    let acted = async {
        // What the opening took is counted a second after.
        tokio::time::sleep(Duration::from_secs(2)).await;
        let before = transactions(&mut sql).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        let idle = transactions(&mut sql).await - before;
        assert!(idle < 150, "{idle} transactions though nothing happens");
        for (table, socket) in tables.iter().zip(&mut sockets).take(3) {
            table.act(0, json!({"type": "roll"})).await.expect(200);
            let event = tokio::time::timeout(Duration::from_secs(1), socket.next_of("event")).await;
            assert_eq!(event.expect("it is told late")["data"]["type"], "rolled");
        }
        Instant::now()
    };
    let (polled, acted) = tokio::join!(polls, acted);
    assert!(acted.elapsed() < Duration::from_secs(5), "a long poll is answered late");
    assert!(polled.iter().all(|answer| answer.status == 200));
}

#[actix_web::test]
async fn an_action_may_be_tied_to_a_tag() {
    let server = Server::start().await;
    let table = server.create(&humans("twenty_one", 2)).await;
    let own = server.get(&table.path, Some(&table.tokens[0])).await.headers[ETAG].clone();
    let roll = |tag: &HeaderValue| {
        let request = server.request(Method::POST, &format!("{}/actions", table.path)).bearer_auth(&table.tokens[0]);
        server.send(request.header(IF_MATCH, tag).json(&json!({"action": {"type": "roll"}})))
    };
    let rolled = roll(&own).await;
    assert_eq!(rolled.status, 200);
    let now = server.get(&table.path, Some(&table.tokens[0])).await;
    assert_eq!(rolled.headers[ETAG], now.headers[ETAG]);
    assert_eq!(rolled.json()["match"], now.json());
    assert_eq!(roll(&own).await.code(412), "version-mismatch");
}

#[actix_web::test]
async fn a_dry_run_does_nothing() {
    let server = Server::start().await;
    for table in one_of_each(&server, 5).await {
        let before = all_that_is_seen(&table).await;
        let seat = table.public().await["to_act"][0].as_u64().unwrap() as usize;
        let path = format!("{}/actions?dry_run=true", table.path);
        for action in table.legal(seat).await.iter().take(20) {
            let answer = server.post(&path, Some(&table.tokens[seat]), &json!({"action": action})).await.expect(200);
            assert_eq!(answer["events"], json!([]));
            assert_eq!(answer["match"], table.seen_by(seat).await);
        }
        let version = json!({"action": {"type": "resign"}, "version": 0});
        assert_eq!(server.post(&path, Some(&table.tokens[seat]), &version).await.code(409), "stale-version");
        assert_eq!(all_that_is_seen(&table).await, before);
    }
}

#[actix_web::test]
async fn a_resignation_ends_a_match_of_two() {
    let server = Server::start().await;
    for table in one_of_each(&server, 2).await {
        let seats = table.tokens.len();
        table.act(seats - 1, json!({"type": "resign"})).await.expect(200);
        let now = table.public().await;
        assert_eq!(now["seats"][seats - 1]["resigned"], true);
        if seats == 2 {
            assert_eq!(now["outcome"], json!({"ranks": [1, 2], "reason": "resigned", "winners": [0]}));
        } else {
            assert_eq!(now["status"], "active");
            let again = table.act(seats - 1, json!({"type": "resign"})).await;
            assert_eq!(again.json()["rule"], "table.resign");
            assert_eq!(again.code(422), "illegal-action");
        }
    }
}

#[actix_web::test]
async fn lists_are_read_page_by_page() {
    let server = Server::start().await;
    let mut made = Vec::new();
    for n in 0..7 {
        let game = if n % 3 == 0 { "hachiku" } else { "twenty_one" };
        let table = server.create(&humans(game, 2)).await;
        if n == 5 {
            table.act(0, json!({"type": "resign"})).await.expect(200);
        }
        made.push(table.path.rsplit('/').next().unwrap().to_owned());
    }
    made.reverse();
    server.create(&json!({"game": "twenty_one", "seats": [{}, {}], "listed": false})).await;
    let scripted = json!({"game": "twenty_one", "seats": [{}, {}], "listed": true, "sandbox": {"dice": [1]}});
    let scripted = server.create(&scripted).await;
    let waiting = server.create(&json!({"game": "twenty_one", "seats": [{}, {"open": true}]})).await;
    made.insert(0, waiting.path.rsplit('/').next().unwrap().to_owned());

    let ids = |list: &Value| {
        let matches = list["matches"].as_array().unwrap().iter();
        matches.map(|listed| listed["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let read = async |query: &str| server.get(&format!("/v1/matches?{query}"), None).await.expect(200);
    assert_eq!(ids(&read("").await), made);
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = read(&format!("limit=3{cursor}")).await;
        pages.extend(ids(&page));
        let Some(next) = page.get("next_cursor") else { break };
        cursor = format!("&cursor={}", next.as_str().unwrap());
    }
    assert_eq!(pages, made);
    for (query, expected) in [
        ("game=hachiku", 3),
        ("game=twenty_one", 5),
        ("status=finished", 1),
        ("status=active", 6),
        ("status=waiting", 1),
        ("game=hachiku&status=active", 3),
        ("from=2100-01-01T00:00:00Z", 0),
        ("to=2100-01-01T00:00:00Z", 8),
        // A day is its first moment, in UTC.
        ("from=2100-01-01", 0),
        ("from=2020-01-01&to=2100-01-01", 8),
        ("to=2020-01-01", 0),
        ("from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z", 0),
    ] {
        assert_eq!(ids(&read(query).await).len(), expected, "{query}");
    }
    assert_eq!(ids(&read("sandbox=true").await), [scripted.path.rsplit('/').next().unwrap()]);
}
