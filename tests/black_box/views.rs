//! The schema `analytics`: described to the last column, open to its reader and to nobody's secrets.

use embedded_postgres::Cluster;
use serde_json::{Value, json};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection, PgPool};
use takujo::exports::dataset::ALL;
use takujo::startup;

use crate::play::{GAMES, humans};
use crate::played::{DAY, EVE, database_of, history, played};
use crate::program::Folder;
use crate::projector::{done, generate, takujo};
use crate::server::{Server, database};

/// The comments on views (without a column) and their columns.
const COMMENTS: &str = "SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod),
        col_description(c.oid, a.attnum), obj_description(c.oid, 'pg_class')
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE n.nspname = 'analytics' AND c.relkind = 'v' AND a.attnum > 0
    ORDER BY c.relname, a.attnum";

type Described = (String, String, String, Option<String>, Option<String>);

#[actix_web::test]
async fn every_view_and_column_is_described_and_the_exports_say_the_same() {
    let (_url, pool) = database_of(&[]).await;
    let columns: Vec<Described> = sqlx::query_as(COMMENTS).fetch_all(&pool).await.unwrap();
    for (view, column, _, about, about_view) in &columns {
        assert!(about.as_ref().is_some_and(|text| text.ends_with('.')), "{view}.{column} has no comment");
        assert!(about_view.is_some(), "{view} has no comment");
    }
    let page = include_str!("../../docs/exports.md");
    for dataset in ALL {
        for column in dataset.columns {
            let found = columns.iter().find(|(view, name, ..)| view == dataset.name && name == column.name);
            let Some((.., about, _)) = found else { panic!("{}.{} is in no view", dataset.name, column.name) };
            assert_eq!(about.as_deref(), Some(column.about), "{}.{}", dataset.name, column.name);
            let nullable = if column.nullable { "yes" } else { "" };
            let line = format!("| `{}` | {} | {nullable} | {} |", column.name, column.kind.name(), column.about);
            assert!(page.contains(&line), "docs/exports.md lacks of {}: {line}", dataset.name);
        }
    }
}

/// Lets somebody look as the reader does.
async fn as_reader(pool: &PgPool) -> sqlx::pool::PoolConnection<sqlx::Postgres> {
    let mut reader = pool.acquire().await.unwrap();
    reader.execute("SET ROLE takujo_reader").await.unwrap();
    reader
}

async fn count(connection: &mut PgConnection, sql: &str) -> Result<i64, String> {
    let counted = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned())).fetch_one(connection).await;
    counted.map_err(|error| error.to_string())
}

#[actix_web::test]
async fn the_reader_reads_the_views_and_nothing_else() {
    let (_url, pool) = database_of(&history(1)).await;
    let mut reader = as_reader(&pool).await;
    for view in ["matches", "seats", "actions", "events", "words"] {
        let rows = count(&mut reader, &format!("SELECT count(*) FROM analytics.{view}")).await.unwrap();
        assert!(rows > 0, "{view}");
    }
    for view in ["players", "ratings"] {
        count(&mut reader, &format!("SELECT count(*) FROM analytics.{view}")).await.unwrap();
    }
    let tables =
        "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                  WHERE c.relkind IN ('r', 'p', 'v', 'm') AND n.nspname = 'public'";
    let tables: Vec<String> = sqlx::query_scalar(tables).fetch_all(&pool).await.unwrap();
    assert!(tables.iter().any(|table| table == "public.matches") && tables.len() > 8, "{tables:?}");
    for table in tables {
        let refused = count(&mut reader, &format!("SELECT count(*) FROM {table}")).await.unwrap_err();
        assert!(refused.contains("permission denied"), "{table}: {refused}");
    }
    for change in [
        "DELETE FROM analytics.seats",
        "UPDATE analytics.players SET name = 'x'",
        "INSERT INTO analytics.players VALUES (gen_random_uuid(), 'x', now())",
        "CREATE TABLE analytics.mine (x int)",
        "SELECT analytics.open_to_reader()",
    ] {
        let refused = reader.execute(change).await.unwrap_err().to_string();
        assert!(refused.contains("permission denied") || refused.contains("cannot delete"), "{change}: {refused}");
    }
    reader.execute("RESET ROLE").await.unwrap();
}

#[actix_web::test]
async fn every_query_of_the_notebook_runs_for_the_reader() {
    let (folder, url) = (Folder::new(), database().await);
    for (game, _) in GAMES {
        generate(&folder, &url, game, 12, 3).await;
    }
    done(takujo(&folder, &url, &["project"])).await;
    let pool = PgPool::connect(&url).await.unwrap();
    let mut reader = as_reader(&pool).await;
    let page = include_str!("../../docs/notebook.md");
    let queries: Vec<_> = page.split("```sql\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    assert!(queries.len() >= 10);
    for query in queries {
        let rows =
            reader.fetch_all(sqlx::AssertSqlSafe(query)).await.unwrap_or_else(|error| panic!("{error}: {query}"));
        assert!(!rows.is_empty(), "it answers nothing: {query}");
    }
    for picture in page.split("](notebook-").skip(1) {
        let file = format!("{}/../docs/notebook-{}", env!("CARGO_MANIFEST_DIR"), picture.split_once(')').unwrap().0);
        assert!(std::path::Path::new(&file).exists(), "{file}");
    }
    reader.execute("RESET ROLE").await.unwrap();
}

#[actix_web::test]
async fn no_view_has_anything_of_a_match_that_is_played_or_of_a_sandbox() {
    let (url, pool) = database_of(&[]).await;
    let server = Server::on(&url, |_| {}).await;
    let live = server.create(&humans("hachiku", 2)).await;
    let sandbox = server.create(&json!({"game": "twenty_one", "seats": [{}, {}], "sandbox": {"dice": [1]}})).await;
    sandbox.act(0, json!({"type": "resign"})).await.expect(200);
    for view in ["matches", "seats", "actions", "events", "words"] {
        let rows = count(&mut pool.acquire().await.unwrap(), &format!("SELECT count(*) FROM analytics.{view}")).await;
        assert_eq!(rows, Ok(0), "{view}");
        // Nor does a function of the reader's own, however cheap it calls itself, get to see a row of them.
        let mut reader = as_reader(&pool).await;
        let peek = "CREATE OR REPLACE FUNCTION pg_temp.peek(id uuid) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS
                    $$ BEGIN RAISE EXCEPTION 'it saw %', id; END $$";
        reader.execute(peek).await.unwrap();
        let looked = format!("SELECT count(*) FROM analytics.{view} WHERE pg_temp.peek(match_id)");
        assert_eq!(count(&mut reader, &looked).await, Ok(0), "{view}");
        reader.execute("RESET ROLE").await.unwrap();
    }
    live.act(0, json!({"type": "resign"})).await.expect(200);
    let rows = count(&mut pool.acquire().await.unwrap(), "SELECT count(*) FROM analytics.matches").await;
    assert_eq!(rows, Ok(1));
}

#[actix_web::test]
async fn a_database_user_without_createrole_migrates_and_the_role_is_made_later() {
    let folder = tempfile::Builder::new().prefix("takujo-role-").tempdir().unwrap();
    let path = folder.path().to_owned();
    let cluster = tokio::task::spawn_blocking(move || Cluster::start(&path, &embedded_postgres::Settings::default()));
    let cluster = cluster.await.unwrap().unwrap();
    let options: PgConnectOptions = cluster.database_url().parse().unwrap();
    let mut operator = PgConnection::connect_with(&options).await.unwrap();
    operator.execute("CREATE ROLE plain LOGIN").await.unwrap();
    operator.execute("CREATE DATABASE managed OWNER plain").await.unwrap();
    let managed = options.clone().username("plain").database("managed");
    let pool = startup::database(managed.clone(), 2).await.unwrap();
    let roles = "SELECT count(*) FROM pg_roles WHERE rolname = 'takujo_reader'";
    assert_eq!(count(&mut operator, roles).await, Ok(0));
    assert_eq!(count(&mut pool.acquire().await.unwrap(), "SELECT count(*) FROM analytics.matches").await, Ok(0));
    // What the notice says to do.
    operator.execute("CREATE ROLE takujo_reader NOLOGIN").await.unwrap();
    pool.execute("SELECT analytics.open_to_reader()").await.unwrap();
    operator.execute("GRANT takujo_reader TO plain").await.unwrap();
    let mut reader = as_reader(&pool).await;
    assert_eq!(count(&mut reader, "SELECT count(*) FROM analytics.words").await, Ok(0));
    assert!(count(&mut reader, "SELECT count(*) FROM public.matches").await.unwrap_err().contains("permission denied"));
    drop(reader);
    pool.close().await;
    tokio::task::spawn_blocking(move || cluster.stop()).await.unwrap();
}

/// A word's seat, way, verdict, letters, what was written, how many cards it captured, and whether the seat won.
type Word = (i32, String, String, String, Option<String>, i32, bool);

#[actix_web::test]
async fn each_word_is_one_row_with_its_verdict() {
    let (url, pool) = database_of(&[]).await;
    let server = Server::on(&url, |_| {}).await;
    let options = json!({"unknown_words": "ask"});
    let table = server.create(&json!({"game": "hachiku", "seats": [{}, {}], "options": options})).await;
    let act = async |seat: usize, action: Value| table.act(seat, action).await.expect(200);
    act(1, json!({"type": "choose_head", "letter": "か"})).await;
    for (seat, letter) in [(0, "え"), (1, "む"), (0, "る"), (1, "ほ")] {
        act(seat, json!({"type": "gather", "letter": letter})).await;
    }
    // Nobody knows かるえ: put, refused; then 蛙, which the lexicon knows.
    act(0, json!({"type": "say", "letters": "かるえ"})).await;
    act(1, json!({"type": "judge", "accept": false})).await;
    act(0, json!({"type": "say", "word": "蛙"})).await;
    // The head is る now: るむほ is put and accepted.
    act(1, json!({"type": "say", "letters": "るむほ"})).await;
    act(0, json!({"type": "judge", "accept": true})).await;
    act(0, json!({"type": "gather", "letter": "し"})).await;
    act(1, json!({"type": "gather", "letter": "せ"})).await;
    act(0, json!({"type": "say", "letters": "ほし"})).await;
    act(1, json!({"type": "say", "letters": "しせ"})).await;
    act(1, json!({"type": "resign"})).await;
    let words: Vec<Word> =
        sqlx::query_as("SELECT seat, way, verdict, letters, written, captured, won FROM analytics.words ORDER BY seq")
            .fetch_all(&pool)
            .await
            .unwrap();
    let row = |seat, way: &str, verdict: &str, letters: &str, written: Option<&str>, captured| {
        (seat, way.to_owned(), verdict.to_owned(), letters.to_owned(), written.map(str::to_owned), captured, seat == 0)
    };
    assert_eq!(
        words,
        [
            row(0, "put", "refused", "かるえ", None, 0),
            row(0, "said", "known", "かえる", Some("蛙"), 2),
            row(1, "put", "accepted", "るむほ", None, 2),
            row(0, "said", "known", "ほし", None, 1),
            row(1, "put", "unjudged", "しせ", None, 0),
        ]
    );
    // What they captured is what the match says.
    let captured = table.public().await["view"]["captured"].clone();
    for (seat, cards) in (0..).zip(captured.as_array().unwrap()) {
        let sum: i32 = words.iter().filter(|word| word.0 == seat).map(|word| word.5).sum();
        assert_eq!(cards.as_str().unwrap().chars().count() as i32, sum);
    }
}

#[actix_web::test]
async fn the_words_of_bots_capture_what_the_log_says() {
    let matches: Vec<_> = (0..6).map(|number| played("hachiku", 2, number, EVE)).collect();
    let (_url, pool) = database_of(&matches).await;
    let mut pool = pool.acquire().await.unwrap();
    let said = count(&mut pool, "SELECT count(*) FROM analytics.events WHERE type = 'said'").await.unwrap();
    let finals = count(
        &mut pool,
        "SELECT count(*) FROM analytics.events WHERE type = 'final_given' AND event -> 'choice' ? 'word'",
    );
    let finals = finals.await.unwrap();
    assert!(said > 0);
    assert_eq!(count(&mut pool, "SELECT count(*) FROM analytics.words").await, Ok(said + finals));
}

#[actix_web::test]
async fn an_old_month_can_be_detached_put_away_and_brought_back() {
    let matches =
        [played("twenty_one", 2, 1, EVE), played("hachiku", 2, 2, EVE), played("twenty_one", 2, 3, EVE + DAY)];
    let (url, pool) = database_of(&matches).await;
    let server = Server::on(&url, |_| {}).await;
    let ids = async || {
        let text = server.get("/v1/exports/matches?format=csv", None).await.text;
        text.lines().skip(1).map(|line| line[..36].to_owned()).collect::<Vec<_>>()
    };
    let actions = async || server.get("/v1/exports/actions", None).await.text;
    let (all, every_action) = (ids().await, actions().await);
    assert_eq!(all.len(), 3);
    // The operator's lines of docs/exports.md, for October 2026.
    let page = include_str!("../../docs/exports.md");
    let block = |mark: &str| {
        let (_, rest) = page.split_once(mark).unwrap();
        let (_, rest) = rest.split_once("```sql\n").unwrap();
        rest.split_once("```").unwrap().0.to_owned()
    };
    // A month goes when all of its matches are in the summaries.
    while count(&mut pool.acquire().await.unwrap(), "SELECT count(*) FROM history.pending").await.unwrap() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    sqlx::raw_sql(sqlx::AssertSqlSafe(block("take it out:"))).execute(&pool).await.unwrap();
    let left = [matches[2].facts.id.to_string()];
    assert_eq!(ids().await, left);
    let views = "SELECT count(*) FROM analytics.events e JOIN analytics.matches USING (match_id)";
    let mut connection = pool.acquire().await.unwrap();
    assert!(count(&mut connection, views).await.unwrap() > 0);
    assert_eq!(count(&mut connection, "SELECT count(*) FROM analytics.words").await, Ok(0));
    drop(connection);
    // Away into a file and back, as pg_dump does it.
    let month = ["matches_2026_10", "seats_2026_10", "steps_2026_10", "history.lines_2026_10"];
    let programs = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let programs = programs.map(|version| version.path().join("bin")).find(|bin| bin.join("pg_dump").exists());
    if let Some(bin) = programs {
        let dump =
            std::process::Command::new(bin.join("pg_dump")).arg("--table=*.*_2026_10").arg(&url).output().unwrap();
        assert!(dump.status.success(), "{}", String::from_utf8_lossy(&dump.stderr));
        pool.execute(sqlx::AssertSqlSafe(format!("DROP TABLE {}", month.join(", ")))).await.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &dump.stdout).unwrap();
        let restore = std::process::Command::new(bin.join("psql"))
            .args(["-q", "-v", "ON_ERROR_STOP=1", "-f"])
            .arg(file.path())
            .arg(&url)
            .output();
        let restore = restore.unwrap();
        assert!(restore.status.success(), "{}", String::from_utf8_lossy(&restore.stderr));
    }
    sqlx::raw_sql(sqlx::AssertSqlSafe(block("bring it back:"))).execute(&pool).await.unwrap();
    assert_eq!((ids().await, actions().await), (all, every_action));
}
