//! Months that are taken out of the service and brought back, and those that have no place of their own.

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use takujo::matches::store::months;

use crate::history::{explore, settled, summary};
use crate::import;
use crate::play::humans;
use crate::played::database_of;
use crate::program::Folder;
use crate::projector::{done, generate, rows, takujo};
use crate::server::{Server, database};

/// Takes out the month in which the first match was created.
const DETACH_OLDEST: &str = "SELECT detach_month((min(created_at) AT TIME ZONE 'UTC')::date) FROM matches";

#[actix_web::test]
async fn an_old_month_can_be_detached_and_its_figures_stay() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 300, 4).await;
    let server = Server::on(&database, |_| {}).await;
    let path = "/v1/analytics/twenty_one/summary";
    let before = settled(&server, path, 300).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let old = rows(
        &mut connection,
        "WITH old AS (SELECT min(created_at) AS at FROM matches)
         SELECT match_id::text FROM matches, old WHERE match_id < month_bound(date_trunc('month', at AT TIME ZONE 'UTC')
                                                             AT TIME ZONE 'UTC' + interval '1 month')",
    )
    .await;
    assert!((1..300).contains(&old.len()), "{}", old.len());
    connection.execute(DETACH_OLDEST).await.unwrap();

    let gone = format!("/v1/matches/{}/record", old[0]);
    assert_eq!(server.get(&gone, None).await.code(404), "not-found");
    let after = settled(&server, path, 300).await;
    for part in ["seats", "reasons", "first_moves", "length", "figures"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    let explored = server.get("/v1/analytics/twenty_one/explorer", None).await.expect(200);
    assert_eq!(explored["matches"], 300);
    for next in explored["next"].as_array().unwrap() {
        for link in next["matches"].as_array().unwrap() {
            server.get(link["record"].as_str().unwrap(), None).await.expect(200);
        }
    }
    // The service goes on, and what is new is counted on top.
    let table = server.create(&humans("twenty_one", 2)).await;
    table.act(0, json!({"type": "resign"})).await.expect(200);
    settled(&server, path, 301).await;
    // To make it again would forget the month, so that is asked about first.
    let mut refused = takujo(&folder, &database, &["project", "--rebuild"]);
    assert!(!refused.status().unwrap().success());
    assert_eq!(server.get(path, None).await.expect(200)["matches"], 301);
    let kept: Value = server.get(path, None).await.json();
    assert_eq!(kept["fresh"]["waiting"], 0);
}

/// The first day of the month in which the first match was created.
async fn oldest_month(connection: &mut PgConnection) -> String {
    let day = "SELECT date_trunc('month', min(created_at) AT TIME ZONE 'UTC')::date::text FROM matches";
    rows(connection, day).await.remove(0)
}

/// Whether each table of play has a partition of this month.
async fn attached(connection: &mut PgConnection, day: &str) -> Vec<bool> {
    let query = "SELECT coalesce((SELECT relispartition FROM pg_class WHERE oid = to_regclass(child)), false)
                 FROM partitions_of_month($1::date)";
    sqlx::query_scalar(query).bind(day).fetch_all(connection).await.unwrap()
}

/// What a statement is refused with.
async fn refused(connection: &mut PgConnection, function: &str, day: &str) -> String {
    let call = AssertSqlSafe(format!("SELECT {function}('{day}')"));
    connection.execute(call).await.unwrap_err().to_string()
}

#[actix_web::test]
async fn a_month_is_that_of_its_days_in_any_time_zone_and_comes_back_whole() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 100, 3).await;
    done(takujo(&folder, &database, &["project"])).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let content = "SELECT concat_ws(' ', match_id, version, line) FROM matches JOIN steps USING (match_id)
                   JOIN history.lines USING (match_id) ORDER BY match_id, version";
    let before = rows(&mut connection, content).await;
    let day = oldest_month(&mut connection).await;
    for zone in ["Asia/Tokyo", "America/New_York"] {
        connection.execute(AssertSqlSafe(format!("SET timezone = '{zone}'"))).await.unwrap();
        connection.execute(AssertSqlSafe(format!("SELECT detach_month('{day}')"))).await.unwrap();
        assert_eq!(attached(&mut connection, &day).await, [false; 4], "{zone}");
        assert!(rows(&mut connection, content).await.len() < before.len());
        assert!(refused(&mut connection, "detach_month", &day).await.contains("has no partitions"));
        connection.execute(AssertSqlSafe(format!("SELECT attach_month('{day}')"))).await.unwrap();
        assert_eq!(attached(&mut connection, &day).await, [true; 4], "{zone}");
        assert_eq!(rows(&mut connection, content).await, before, "{zone}");
    }
    // A month of which a table is not there is not brought back in part.
    connection.execute(AssertSqlSafe(format!("SELECT detach_month('{day}')"))).await.unwrap();
    let suffix = day[..7].replace('-', "_");
    connection.execute(AssertSqlSafe(format!("ALTER TABLE steps_{suffix} RENAME TO elsewhere"))).await.unwrap();
    assert!(refused(&mut connection, "attach_month", &day).await.contains(&format!("public.steps_{suffix}")));
    assert_eq!(attached(&mut connection, &day).await, [false; 4]);
}

#[actix_web::test]
async fn a_month_that_is_needed_is_not_taken_out() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 100, 3).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    let day = oldest_month(&mut connection).await;
    assert!(refused(&mut connection, "detach_month", &day).await.contains("wait to be counted"));
    done(takujo(&folder, &database, &["project"])).await;
    let revived = rows(
        &mut connection,
        "UPDATE matches SET status = 'active', finished_at = NULL, outcome = NULL
         WHERE match_id = (SELECT match_id FROM matches ORDER BY match_id LIMIT 1) RETURNING match_id::text",
    )
    .await;
    let why = refused(&mut connection, "detach_month", &day).await;
    assert!(why.contains("1 matches") && why.contains(&revived[0]), "{why}");
    for ahead in ["", " + interval '1 month'"] {
        let day = rows_of(&mut connection, &format!("SELECT (now() AT TIME ZONE 'UTC'{ahead})::date::text")).await;
        assert!(refused(&mut connection, "detach_month", &day).await.contains("is not over"), "{day}");
    }
    sqlx::query(
        "UPDATE matches SET status = 'finished', finished_at = now(), outcome = '{}' WHERE match_id = $1::uuid",
    )
    .bind(&revived[0])
    .execute(&mut connection)
    .await
    .unwrap();
    done(takujo(&folder, &database, &["project"])).await;
    assert_eq!(attached(&mut connection, &day).await, [true; 4]);
    // Behind a statement that runs for long it gives up.
    let mut dump = PgConnection::connect(&database).await.unwrap();
    let mut dumping = dump.begin().await.unwrap();
    dumping.execute("LOCK TABLE history.lines IN SHARE UPDATE EXCLUSIVE MODE").await.unwrap();
    assert!(refused(&mut connection, "detach_month", &day).await.contains("lock timeout"));
    assert_eq!(attached(&mut connection, &day).await, [true; 4]);
    dumping.rollback().await.unwrap();
    connection.execute(AssertSqlSafe(format!("SELECT detach_month('{day}')"))).await.unwrap();
    let mut dumping = dump.begin().await.unwrap();
    dumping.execute("LOCK TABLE history.lines IN SHARE UPDATE EXCLUSIVE MODE").await.unwrap();
    assert!(refused(&mut connection, "attach_month", &day).await.contains("lock timeout"));
    dumping.rollback().await.unwrap();
    connection.execute(AssertSqlSafe(format!("SELECT attach_month('{day}')"))).await.unwrap();
    assert_eq!(attached(&mut connection, &day).await, [true; 4]);
}

async fn rows_of(connection: &mut PgConnection, query: &str) -> String {
    sqlx::query_scalar(AssertSqlSafe(query.to_owned())).fetch_one(connection).await.unwrap()
}

/// To make projections again would forget a month that is out, however many matches wait.
#[actix_web::test]
async fn a_rebuild_asks_before_it_forgets_a_month() {
    let (folder, database) = (Folder::new(), database().await);
    generate(&folder, &database, "twenty_one", 100, 3).await;
    done(takujo(&folder, &database, &["project"])).await;
    let mut connection = PgConnection::connect(&database).await.unwrap();
    connection.execute(DETACH_OLDEST).await.unwrap();
    // More matches than are missing.
    generate(&folder, &database, "kamudakara", 100, 1).await;
    let kept = "SELECT concat_ws(' ', (SELECT count(*) FROM history.pending), (SELECT sum(n) FROM history.counts
                                       JOIN history.groups USING (group_id)
                                       WHERE grain = 0 AND measure = 'reason' AND composition = 'any'))";
    assert_eq!(rows(&mut connection, kept).await, ["100 100"]);
    assert!(!takujo(&folder, &database, &["project", "--rebuild"]).status().unwrap().success());
    assert_eq!(rows(&mut connection, kept).await, ["100 100"]);
    done(takujo(&folder, &database, &["project", "--rebuild", "--forget-detached"])).await;
    let left = rows(&mut connection, "SELECT '0 ' || count(*) FROM matches").await;
    assert_eq!(rows(&mut connection, kept).await, left);
    // Nothing is missing then, and it may be done again.
    done(takujo(&folder, &database, &["project", "--rebuild"])).await;
    assert_eq!(rows(&mut connection, kept).await, left);
}

#[actix_web::test]
async fn a_month_whose_rows_lie_elsewhere_holds_up_no_other_and_can_be_mended() {
    let (_url, pool) = database_of(&[]).await;
    let mut connection = pool.acquire().await.unwrap();
    let month = async |ahead: i32| -> String {
        let query = "SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => $1))::date::text";
        sqlx::query_scalar(query).bind(ahead).fetch_one(&pool).await.unwrap()
    };
    let (next, after) = (month(1).await, month(2).await);
    for day in [&next, &after] {
        let suffix = day[..7].replace('-', "_");
        let drop = format!("DROP TABLE matches_{suffix}, seats_{suffix}, steps_{suffix}, history.lines_{suffix}");
        connection.execute(AssertSqlSafe(drop)).await.unwrap();
    }
    let stray = "INSERT INTO matches (match_id, game, options, rules_version, lexicon_version, seat_order, listed,
                                      analysis, server_seed, created_at, status)
                 VALUES (month_bound($1::timestamp AT TIME ZONE 'UTC'), 'hachiku', '{}', 1, '', 'shuffled', true,
                         true, decode(repeat('00', 32), 'hex'), now(), 'waiting')";
    sqlx::query(stray).bind(&next).execute(&mut *connection).await.unwrap();
    months::ensure_ahead(&pool).await.unwrap();
    assert_eq!(attached(&mut connection, &next).await, [false; 4]);
    assert_eq!(attached(&mut connection, &after).await, [true; 4]);

    connection.execute(AssertSqlSafe(format!("SELECT gather_month('{next}')"))).await.unwrap();
    assert_eq!(attached(&mut connection, &next).await, [true; 4]);
    let place = rows(&mut connection, "SELECT tableoid::regclass::text FROM matches").await;
    assert_eq!(place, [format!("matches_{}", next[..7].replace('-', "_"))]);
    months::ensure_ahead(&pool).await.unwrap();
}

/// A history of 100 matches over three months, all counted.
struct Old {
    database: String,
    folder: Folder,
    connection: PgConnection,
    /// The day that the first month with a registered player's match begins on.
    day: String,
    /// The records of that month's matches, a line each.
    records: String,
    /// How many those are.
    count: usize,
}

impl Old {
    async fn new() -> Self {
        let (folder, database) = (Folder::new(), database().await);
        generate(&folder, &database, "twenty_one", 100, 3).await;
        done(takujo(&folder, &database, &["project"])).await;
        let mut connection = PgConnection::connect(&database).await.unwrap();
        let day = "SELECT date_trunc('month', created_at AT TIME ZONE 'UTC')::date::text
                   FROM matches JOIN history.participants USING (match_id) ORDER BY match_id LIMIT 1";
        let day = rows_of(&mut connection, day).await;
        let ids = format!(
            "SELECT match_id::text FROM matches, partitions_of_month('{day}') AS part
             WHERE parent = 'matches'::regclass AND match_id >= part.first AND match_id < part.next"
        );
        let ids: Vec<String> = sqlx::query_scalar(AssertSqlSafe(ids)).fetch_all(&mut connection).await.unwrap();
        let exported = import::takujo(&database, &["export-records"], b"").await.out;
        let is_its = |line: &&str| ids.iter().any(|id| line.contains(id));
        let records: Vec<_> = exported.lines().filter(is_its).collect();
        let count = ids.len();
        assert!((1..100).contains(&count) && records.len() == count, "{count}");
        Self { database, folder, connection, day, records: records.join("\n"), count }
    }

    async fn detach(&mut self) {
        self.connection.execute(AssertSqlSafe(format!("SELECT detach_month('{}')", self.day))).await.unwrap();
    }

    /// What the import of its records says, and its exit code.
    async fn import(&self) -> (String, String, i32) {
        let ran = import::takujo(&self.database, &["import", "-"], self.records.as_bytes()).await;
        (ran.out, ran.err, ran.code)
    }

    /// How many matches are counted in all, and how many of them wait.
    async fn counted(&mut self) -> String {
        done(takujo(&self.folder, &self.database, &["project"])).await;
        let query = "SELECT concat_ws(' ', (SELECT sum(n) FROM history.counts JOIN history.groups USING (group_id)
                                            WHERE grain = 0 AND measure = 'reason' AND composition = 'any'),
                                           (SELECT count(*) FROM history.pending))";
        rows_of(&mut self.connection, query).await
    }
}

#[actix_web::test]
async fn what_lies_in_a_detached_month_is_not_imported_and_counts_once() {
    let mut old = Old::new().await;
    old.detach().await;
    let (out, err, code) = old.import().await;
    assert_eq!((out, code), (format!("imported 0, there already 0, refused {}\n", old.count), 1));
    let mending = format!("SELECT attach_month('{}')", old.day);
    assert!(err.contains(&mending) && err.contains("--forget-detached"), "{err}");
    assert_eq!(old.counted().await, "100 0");
    let gather = refused(&mut old.connection, "gather_month", &old.day).await;
    assert!(gather.contains("has been taken out"), "{gather}");
    old.connection.execute(AssertSqlSafe(mending)).await.unwrap();
    assert_eq!(attached(&mut old.connection, &old.day).await, [true; 4]);
    assert_eq!(old.import().await.0, format!("imported 0, there already {}, refused 0\n", old.count));
    assert_eq!(old.counted().await, "100 0");
}

#[actix_web::test]
async fn a_month_that_is_gone_for_good_can_be_forgotten_and_loaded_again() {
    let mut old = Old::new().await;
    old.detach().await;
    // Forgotten, but not gone: it can still come back, so nothing takes its place.
    done(takujo(&old.folder, &old.database, &["project", "--rebuild", "--forget-detached"])).await;
    assert_eq!(old.counted().await, format!("{} 0", 100 - old.count));
    assert_eq!(old.import().await.2, 1);
    let suffix = old.day[..7].replace('-', "_");
    let drop = format!("DROP TABLE matches_{suffix}, seats_{suffix}, steps_{suffix}, history.lines_{suffix}");
    old.connection.execute(AssertSqlSafe(drop)).await.unwrap();
    assert_eq!(old.import().await.2, 1);
    assert_eq!(attached(&mut old.connection, &old.day).await, [false; 4]);
    done(takujo(&old.folder, &old.database, &["project", "--rebuild", "--forget-detached"])).await;
    assert_eq!(old.import().await.0, format!("imported {}, there already 0, refused 0\n", old.count));
    assert_eq!(old.counted().await, "100 0");
    assert_eq!(attached(&mut old.connection, &old.day).await, [true; 4]);
}

#[actix_web::test]
async fn a_search_in_a_detached_month_says_that_it_is_not_all() {
    let mut old = Old::new().await;
    let player = "SELECT player_id::text FROM history.participants ORDER BY match_id LIMIT 1";
    let player = rows_of(&mut old.connection, player).await;
    old.detach().await;
    let after = "SELECT ((last_end AT TIME ZONE 'UTC')::date + 1)::text FROM detached_months";
    let after = rows_of(&mut old.connection, after).await;
    let server = Server::on(&old.database, |_| {}).await;
    let whole = async |parameters: &[(&str, &str)]| {
        let explored = explore(&server, "twenty_one", parameters).await["complete"].as_bool();
        let summed = summary(&server, "twenty_one", parameters).await["complete"].as_bool();
        (explored.unwrap(), summed.unwrap())
    };
    // Counted beforehand it is all there.
    assert_eq!(whole(&[]).await, (true, true));
    assert_eq!(whole(&[("from", &old.day)]).await, (true, true));
    assert_eq!(whole(&[("to", "2100-01-02")]).await, (false, true));
    assert_eq!(whole(&[("player", &player)]).await, (false, false));
    // A time in which none of its matches ended, and players who have none there.
    assert_eq!(whole(&[("from", &after)]).await, (true, true));
    assert_eq!(whole(&[("from", &after), ("player", &player)]).await, (true, true));
    let forget = "DELETE FROM history.participants WHERE match_id >= (SELECT first FROM detached_months)
                  AND match_id < (SELECT next FROM detached_months)";
    old.connection.execute(forget).await.unwrap();
    assert_eq!(whole(&[("player", &player)]).await, (true, true));
}
