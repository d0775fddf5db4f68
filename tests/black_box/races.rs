//! What must hold when requests come at once.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};

use crate::server::{Server, database};

/// Of many posts that name one version exactly one wins; the others learn where the match stands.
#[actix_web::test]
async fn of_posts_for_one_version_exactly_one_wins() {
    let server = Server::start().await;
    let duel = server.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    for _ in 0..5 {
        let before = duel.public().await;
        let (version, seat) = (before["version"].clone(), before["to_act"][0].as_u64().unwrap() as usize);
        let body = json!({"action": {"type": "roll"}, "version": version});
        let answers = join_all((0..16).map(|_| duel.post_action(seat, &body))).await;
        let won = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(won, 1);
        for answer in answers.into_iter().filter(|answer| answer.status != 200) {
            assert_eq!(answer.code(409), "stale-version");
        }
        assert_eq!(duel.public().await["version"], version.as_u64().unwrap() + 1);
    }
}

/// The same with two servers on one database, each with the match in memory.
#[actix_web::test]
async fn two_servers_on_one_database_agree() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    let there = crate::server::Match { server: &two, path: here.path.clone(), tokens: here.tokens.clone() };
    for round in 0..6 {
        let before = if round % 2 == 0 { here.public().await } else { there.public().await };
        let (version, seat) = (before["version"].as_u64().unwrap(), before["to_act"][0].as_u64().unwrap() as usize);
        let body = json!({"action": {"type": "roll"}, "version": version});
        let posts = (0..8).map(|n| if n % 2 == 0 { &here } else { &there }.post_action(seat, &body));
        let answers = join_all(posts).await;
        assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
        for seen in [here.public().await, there.public().await] {
            assert_eq!(seen["version"], version + 1);
        }
    }
}

/// Who waits on one server is told of what another commits, and reads nothing old from then on.
#[actix_web::test]
async fn a_commit_on_one_server_wakes_who_waits_on_another() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    for round in 0..4 {
        let before = two.get(&here.path, None).await;
        let tag = before.headers["etag"].to_str().unwrap().to_owned();
        let version = before.json()["version"].as_u64().unwrap();
        let waiting = two.request(Method::GET, &format!("{}?wait=20", here.path)).header("If-None-Match", tag);
        let (seen, acted) = futures_util::join!(two.send(waiting), async {
            actix_web::rt::time::sleep(std::time::Duration::from_millis(100)).await;
            here.act(round % 2, json!({"type": "roll"})).await
        });
        assert_eq!(acted.expect(200)["version"], version + 1);
        assert_eq!(seen.expect(200)["version"], version + 1);
    }
}

/// Of two claims for one seat exactly one gets it.
#[actix_web::test]
async fn a_seat_is_claimed_once() {
    let server = Server::start().await;
    let duel = server.create(&json!({"game": "twenty_one", "seats": [{}, {"open": true}]})).await;
    let claim = format!("{}/seats/1/claim", duel.path);
    let answers = join_all((0..12).map(|n| {
        let body = json!({"name": format!("p{n}")});
        let (server, claim) = (&server, &claim);
        async move { server.post(claim, None, &body).await }
    }))
    .await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    for answer in answers.into_iter().filter(|answer| answer.status != 200) {
        assert_eq!(answer.code(409), "seat-taken");
    }
    assert_eq!(duel.public().await["status"], "active");
}

/// Also where there is no room in memory.
#[actix_web::test]
async fn a_seat_is_claimed_once_though_its_match_is_dropped_from_memory() {
    let server = Server::on(&database().await, |settings| settings.cached_matches = 1).await;
    for _ in 0..6 {
        let set_up = json!({"game": "twenty_one", "seats": [{}, {"open": true}]});
        let tables = join_all((0..6).map(|_| server.create(&set_up))).await;
        let claims = (0..8).flat_map(|_| &tables).map(|table| async {
            let answer = server.post(&format!("{}/seats/1/claim", table.path), None, &json!({})).await;
            (&table.path, answer)
        });
        let mut winners = std::collections::HashMap::<_, Vec<_>>::new();
        for (path, answer) in join_all(claims).await {
            if answer.status == 200 {
                winners.entry(path).or_default().push(answer.json()["token"].as_str().unwrap().to_owned());
            } else {
                assert_eq!(answer.code(409), "seat-taken");
            }
        }
        assert_eq!(winners.len(), tables.len());
        for (path, tokens) in winners {
            assert_eq!(tokens.len(), 1, "one claim wins");
            let legal = server.get(&format!("{path}/legal-actions"), Some(&tokens[0])).await;
            assert_eq!(legal.status, 200, "{}", legal.text);
        }
    }
}

/// The same key and body do one thing, however often and wherever they are sent.
#[actix_web::test]
async fn an_idempotent_request_is_carried_out_once() {
    let database = database().await;
    let (one, two) = (Server::on(&database, |_| {}).await, Server::on(&database, |_| {}).await);
    let here = one.create(&json!({"game": "twenty_one", "seats": [{}, {}]})).await;
    let roll = |server: &Server| {
        let request = server.request(Method::POST, &format!("{}/actions", here.path));
        request
            .bearer_auth(&here.tokens[0])
            .header("Idempotency-Key", "roll-1")
            .json(&json!({"action": {"type": "roll"}}))
    };
    let answers = join_all((0..10).map(|n| {
        let server = if n % 2 == 0 { &one } else { &two };
        server.send(roll(server))
    }))
    .await;
    let mut bodies: Vec<_> = answers.iter().filter(|answer| answer.status == 200).map(|answer| &answer.text).collect();
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "every answer is the first one");
    for answer in answers.iter().filter(|answer| answer.status != 200) {
        assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (409, Some("request-in-progress")));
    }
    let again = two.send(roll(&two)).await;
    assert_eq!(&again.text, bodies[0]);
    assert_eq!(again.headers["content-type"], "application/json");
    assert_eq!(here.public().await["version"], 2);

    let other = one.request(Method::POST, &format!("{}/actions", here.path));
    let other = other.bearer_auth(&here.tokens[0]).header("Idempotency-Key", "roll-1");
    let reused = one.send(other.json(&json!({"action": {"type": "resign"}}))).await;
    assert_eq!(reused.code(422), "idempotency-key-reused");
}

/// Waits until so many statements wait for a lock.
async fn until_waiting(sql: &mut PgConnection, statements: i64) {
    let waiting = "SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for _ in 0..500 {
        if sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut *sql).await.unwrap() == statements {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("there are never {statements}");
}

/// A first request may take so long that its retry takes the key over: one of them is carried out.
#[actix_web::test]
async fn a_request_whose_key_was_taken_over_comes_to_nothing() {
    let database = database().await;
    let server = Server::on(&database, |_| {}).await;
    let mut sql = PgConnection::connect(&database).await.unwrap();
    for (path, table, body) in [
        ("/v1/players", "players", json!({"name": "先生"})),
        ("/v1/matches", "matches", json!({"game": "twenty_one", "seats": [{}, {}]})),
    ] {
        let post = || server.send(server.request(Method::POST, path).header("Idempotency-Key", path).json(&body));
        let mut other = PgConnection::connect(&database).await.unwrap();
        let mut held = other.begin().await.unwrap();
        held.execute(sqlx::AssertSqlSafe(format!("LOCK TABLE {table} IN EXCLUSIVE MODE"))).await.unwrap();
        let (first, retry) = tokio::join!(post(), async {
            until_waiting(&mut sql, 1).await;
            let long_after = "UPDATE idempotency SET lease_until = now() - interval '1 second' WHERE answer IS NULL";
            sql.execute(long_after).await.unwrap();
            let release = async {
                until_waiting(&mut sql, 2).await;
                held.rollback().await.unwrap();
            };
            tokio::join!(post(), release).0
        });
        assert_eq!(first.code(409), "request-in-progress", "{path}");
        assert_eq!(retry.status, 201, "{path}: {}", retry.text);
        assert_eq!(post().await.text, retry.text);
        let rows = sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!("SELECT count(*) FROM {table}")));
        assert_eq!(rows.fetch_one(&mut sql).await.unwrap(), 1, "{path}");
    }
}
