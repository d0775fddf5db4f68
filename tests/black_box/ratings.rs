//! Ratings and leaderboards.

use std::time::Duration;

use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::play::{Random, play};
use crate::server::{Server, database, end_servers};

/// Registered players: id and token of each.
async fn register(server: &Server, count: usize) -> Vec<(String, String)> {
    let mut players = Vec::new();
    for number in 1..=count {
        let name = json!({"name": format!("Player {number}")});
        let player = server.post("/v1/players", None, &name).await.expect(201);
        let text = |field: &str| player[field].as_str().unwrap().to_owned();
        players.push((text("player"), text("token")));
    }
    players
}

/// A match that the seats leave in this order; among more than two, the one that is not named plays on and wins.
async fn lose(server: &Server, tokens: &[Option<&str>], order: &[usize], sandbox: bool) {
    let seats: Vec<_> =
        tokens.iter().map(|token| token.map_or_else(|| json!({}), |token| json!({"player_token": token}))).collect();
    let mut setup = json!({"game": "twenty_one", "seats": seats});
    if sandbox {
        setup["sandbox"] = json!({"dice": [1]});
    }
    let table = server.create(&setup).await;
    for seat in order {
        table.act(*seat, json!({"type": "resign"})).await.expect(200);
    }
    play(&table, &mut Random::new(1), 500).await;
    table.finished().await;
}

/// The leaderboard once it rests on so many seats' matches in all.
async fn board(server: &Server, matches: i64) -> Value {
    for _ in 0..200 {
        let board = server.get("/v1/leaderboards/twenty_one", None).await.expect(200);
        let rated: i64 =
            board["players"].as_array().unwrap().iter().map(|player| player["matches"].as_i64().unwrap()).sum();
        if rated == matches {
            return board;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{}", server.get("/v1/leaderboards/twenty_one", None).await.text);
}

#[actix_web::test]
async fn a_match_between_registered_players_is_rated_once() {
    let server = Server::start().await;
    let players = register(&server, 3).await;
    let token = |at: usize| Some(players[at].1.as_str());
    assert_eq!(server.get(&format!("/v1/players/{}", players[0].0), None).await.expect(200)["ratings"], json!([]));
    lose(&server, &[token(0), token(1)], &[1], false).await;
    let first = board(&server, 2).await;
    let standing = |board: &Value, at: usize| {
        let all = board["players"].as_array().unwrap().clone();
        all.into_iter().find(|player| player["player"] == players[at].0.as_str())
    };
    let [winner, loser] = [0, 1].map(|at| standing(&first, at).unwrap());
    assert_eq!((&first["players"][0], &winner["rank"], &loser["rank"]), (&winner, &json!(1), &json!(2)));
    // Weng & Lin, two players of the prior: 25 ± σ²/c · 1/2 with σ = 25/3, β = 25/6, c² = 2σ² + 2β².
    let c = (2.0 * (25.0_f64 / 3.0).powi(2) + 2.0 * (25.0_f64 / 6.0).powi(2)).sqrt();
    let step = (25.0_f64 / 3.0).powi(2) / c * 0.5;
    let number = |value: &Value| value.as_f64().unwrap();
    assert!((number(&winner["rating"]) - 25.0 - step).abs() < 1e-6, "{winner} {step}");
    assert!((number(&loser["rating"]) - 25.0 + step).abs() < 1e-6, "{loser}");
    for player in [&winner, &loser] {
        let (mu, sigma) = (number(&player["rating"]), number(&player["uncertainty"]));
        assert!(sigma < 25.0 / 3.0);
        assert!((number(&player["conservative"]) - (mu - 3.0 * sigma)).abs() < 1e-9);
        assert!((number(&player["interval"][0]) - (mu - 1.959_964 * sigma)).abs() < 1e-4);
        assert_eq!(player["matches"], 1);
    }
    let shown = server.get(&format!("/v1/players/{}", players[0].0), None).await.expect(200);
    assert_eq!(
        (&shown["ratings"][0]["game"], &shown["ratings"][0]["rating"]),
        (&json!("twenty_one"), &winner["rating"])
    );

    // None of these is between two registered players, or it is a sandbox.
    lose(&server, &[token(0), None], &[0], false).await;
    lose(&server, &[token(0), token(0)], &[0], false).await;
    lose(&server, &[token(0), token(1)], &[0], true).await;
    // Among more, by rank; the player with two seats counts by the better one.
    lose(&server, &[token(2), token(0), token(1), token(2)], &[1, 2, 0], false).await;
    let second = board(&server, 5).await;
    assert_eq!(second["players"].as_array().unwrap().len(), 3);
    assert_eq!(standing(&second, 2).unwrap()["matches"], 1);
    assert!(number(&standing(&second, 2).unwrap()["rating"]) > 25.0);
    assert!(number(&standing(&second, 0).unwrap()["rating"]) < number(&winner["rating"]));
}

/// What the bot gains for a seat that resigned is not its player's.
#[actix_web::test]
async fn who_resigns_is_rated_behind_all_who_did_not() {
    let server = Server::start().await;
    let players = register(&server, 3).await;
    let tokens: Vec<_> = players.iter().map(|(_, token)| Some(token.as_str())).collect();
    let mut before = 25.0;
    for rated in 1..=5 {
        lose(&server, &tokens, &[0], false).await;
        let board = board(&server, 3 * rated).await;
        let of = |player: &&Value| player["player"] == players[0].0.as_str();
        let rating = board["players"].as_array().unwrap().iter().find(of).unwrap()["rating"].as_f64().unwrap();
        assert!(rating < before, "{rating} after {before}");
        before = rating;
    }
}

#[actix_web::test]
async fn pages_of_a_leaderboard_follow_each_other_and_equals_share_a_place() {
    let server = Server::start().await;
    let players = register(&server, 8).await;
    for pair in players.chunks(2) {
        lose(&server, &[Some(&pair[0].1), Some(&pair[1].1)], &[1], false).await;
    }
    let whole = board(&server, 8).await;
    let whole = whole["players"].as_array().unwrap();
    let ranks: Vec<_> = whole.iter().map(|player| player["rank"].as_i64().unwrap()).collect();
    assert_eq!(ranks, [1, 1, 1, 1, 5, 5, 5, 5]);
    let ids: Vec<_> = whole.iter().map(|player| player["player"].as_str().unwrap()).collect();
    assert_eq!(ids, [0, 2, 4, 6, 1, 3, 5, 7].map(|at| players[at].0.as_str()));
    for limit in [1, 3, 4, 5, 8] {
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/v1/leaderboards/twenty_one?limit={limit}{cursor}");
            let page = server.get(&path, None).await.expect(200);
            paged.extend(page["players"].as_array().unwrap().clone());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(&paged, whole, "{limit}");
    }
}

#[actix_web::test]
async fn those_before_a_page_are_counted_once() {
    const PLAYERS: i64 = 3000;
    let url = database().await;
    let server = Server::on(&url, |_| {}).await;
    let mut sql = PgConnection::connect(&url).await.unwrap();
    let players = format!(
        "WITH new AS (INSERT INTO players (player_id, name, token_hash, created_at)
                      SELECT gen_random_uuid(), 'Player ' || n, sha256(n::text::bytea), now()
                      FROM generate_series(1, {PLAYERS}) AS n RETURNING player_id, name)
         INSERT INTO history.ratings (game, player_id, mu, sigma, matches, rated_at)
         SELECT 'twenty_one', player_id, split_part(name, ' ', 2)::int / 2, 1, 1, now() FROM new"
    );
    sql.execute(sqlx::AssertSqlSafe(players)).await.unwrap();
    sql.execute("ANALYZE history.ratings").await.unwrap();
    let mut cursor = String::new();
    let read = "SELECT seq_tup_read + (SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes i
                                       WHERE i.relid = t.relid)
                FROM pg_stat_user_tables t WHERE relname = 'ratings'";
    for page in 0..PLAYERS / 500 {
        end_servers(&mut sql).await;
        let before: i64 = sqlx::query_scalar(read).fetch_one(&mut sql).await.unwrap();
        let path = format!("/v1/leaderboards/twenty_one?limit=500{cursor}");
        let board = server.get(&path, None).await.expect(200);
        end_servers(&mut sql).await;
        let after: i64 = sqlx::query_scalar(read).fetch_one(&mut sql).await.unwrap();
        assert!(after - before < 3 * PLAYERS, "page {page}: {} are read", after - before);
        // The best stands alone, and after it two share each place.
        let ranks = board["players"].as_array().unwrap().iter().map(|player| player["rank"].as_i64().unwrap());
        assert!(ranks.eq((page * 500..).take(500).map(|at| if at == 0 { 1 } else { (at - 1) / 2 * 2 + 2 })), "{page}");
        cursor = board["next_cursor"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
    }
    assert!(cursor.is_empty(), "{cursor}");
}
