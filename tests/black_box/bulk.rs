//! Finished matches loaded in bulk: whole, each once, in the month that they belong in.

use serde_json::json;
use takujo::matches::store::bulk::{Fate, load};

use crate::played::{EVE, database_of, history, played};
use crate::server::{LEXICON, Server};

/// What counts the rows of each table.
async fn rows(pool: &sqlx::PgPool) -> Vec<i64> {
    let counts =
        "SELECT count(*) FROM matches UNION ALL SELECT count(*) FROM seats UNION ALL SELECT count(*) FROM steps";
    sqlx::query_scalar(counts).fetch_all(pool).await.unwrap()
}

#[actix_web::test]
async fn a_loaded_match_is_served_and_its_record_verifies() {
    let matches = history(1);
    let (url, _pool) = database_of(&matches).await;
    let server = Server::on(&url, |_| {}).await;
    for one in &matches {
        let path = format!("/v1/matches/{}", one.facts.id);
        let shown = server.get(&path, None).await.expect(200);
        assert_eq!((&shown["status"], &shown["game"]), (&json!("finished"), &json!(one.facts.game.facts().id)));
        assert_eq!(shown["outcome"], json!(one.outcome));
        assert_eq!(shown["seats"][0]["name"], *one.seats[0].name);
        assert_eq!(shown["version"], one.steps.len());
        let record = server.get(&format!("{path}/record"), None).await.expect(200);
        let record: takujo::matches::record::RecordBody = serde_json::from_value(record).unwrap();
        record.verify(&LEXICON).unwrap();
    }
    let listed = server.get("/v1/matches?status=finished", None).await.expect(200);
    assert_eq!(listed["matches"].as_array().unwrap().len(), matches.len());
}

#[actix_web::test]
async fn what_is_there_is_compared_and_never_doubled() {
    let mut matches = history(1);
    let (_url, pool) = database_of(&matches).await;
    let before = rows(&pool).await;
    let fates = load(&pool, &matches).await.unwrap();
    assert_eq!(fates, [Fate::There; 5]);
    // Another history under the same ids stays out, whatever part of it differs.
    matches[0].outcome = matches[1].outcome.clone();
    matches[0].steps[1].events.push(json!({"type": "more"}));
    matches[1].facts.turn_seconds = Some(17);
    matches[2].seats[1].entropy.push(1);
    matches[3].steps.pop();
    assert_eq!(
        load(&pool, &matches).await.unwrap(),
        [Fate::Different, Fate::Different, Fate::Different, Fate::Different, Fate::There]
    );
    assert_eq!(rows(&pool).await, before);
    // Twice in one batch is once.
    let twice = [played("twenty_one", 2, 77, EVE), played("twenty_one", 2, 77, EVE)];
    assert_eq!(load(&pool, &twice).await.unwrap(), [Fate::Written, Fate::There]);
}

#[actix_web::test]
async fn a_match_lies_in_the_month_of_its_id() {
    let day = crate::played::DAY;
    let matches = [played("twenty_one", 2, 1, EVE), played("twenty_one", 2, 2, EVE + day)];
    let (_url, pool) = database_of(&matches).await;
    let places: Vec<(String, i64)> =
        sqlx::query_as("SELECT tableoid::regclass::text AS place, count(*) FROM matches GROUP BY place ORDER BY place")
            .fetch_all(&pool)
            .await
            .unwrap();
    assert_eq!(places, [("matches_2026_10".to_owned(), 1), ("matches_2026_11".to_owned(), 1)]);
}

#[actix_web::test]
async fn two_loaders_of_the_same_matches_do_not_meet() {
    let matches = history(1);
    let (_url, pool) = database_of(&[]).await;
    let (one, other) = futures_util::future::join(load(&pool, &matches), load(&pool, &matches)).await;
    let fates: Vec<_> = one.unwrap().into_iter().zip(other.unwrap()).collect();
    assert!(fates.iter().all(|fates| matches!(fates, (Fate::Written, Fate::There) | (Fate::There, Fate::Written))));
}

#[actix_web::test]
async fn what_watches_matches_hears_of_each_new_one_once() {
    let matches = history(1);
    let (_url, pool) = database_of(&matches[..2]).await;
    let trigger = "CREATE TABLE heard (match_id uuid);
                   CREATE FUNCTION hear() RETURNS trigger LANGUAGE plpgsql AS
                   'BEGIN INSERT INTO heard VALUES (NEW.match_id); RETURN NULL; END';
                   CREATE TRIGGER heard_of AFTER INSERT ON matches FOR EACH ROW EXECUTE FUNCTION hear()";
    sqlx::raw_sql(trigger).execute(&pool).await.unwrap();
    load(&pool, &matches).await.unwrap();
    load(&pool, &matches).await.unwrap();
    let heard: Vec<uuid::Uuid> =
        sqlx::query_scalar("SELECT match_id FROM heard ORDER BY 1").fetch_all(&pool).await.unwrap();
    let mut new: Vec<_> = matches[2..].iter().map(|one| one.facts.id.0).collect();
    new.sort_unstable();
    assert_eq!(heard, new);
}
