//! The exports: the same rows in every format, in one order, resumed without gap or repeat.

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use reqwest::Method;
use reqwest::header::ACCEPT_ENCODING;
use rules::time::Timestamp;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use takujo::exports::column::Kind;
use takujo::exports::dataset::{ALL, Dataset};
use takujo::matches::store::bulk::{Finished, load};

use crate::play::humans;
use crate::played::{DAY, EVE, database_of, history, played};
use crate::server::{Server, end_servers};

const FORMATS: [&str; 3] = ["ndjson", "csv", "parquet"];

/// A row: each value as text, nothing for null.
type Row = Vec<Option<String>>;

/// JSON and times in one spelling, whatever format they came in.
fn spelled(kind: Kind, text: &str) -> String {
    match kind {
        Kind::Json => serde_json::from_str::<Value>(text).unwrap().to_string(),
        Kind::Time => {
            let time: jiff::Timestamp = text.parse().unwrap();
            Timestamp::from_millis(time.as_millisecond()).to_string()
        }
        _ => text.to_owned(),
    }
}

fn ndjson(dataset: &Dataset, bytes: &[u8]) -> Vec<Row> {
    let read = |line: &str| {
        let object: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        assert_eq!(object.len(), dataset.columns.len());
        let value = |column: &takujo::exports::column::Column| match &object[column.name] {
            Value::Null => None,
            Value::String(text) => Some(spelled(column.kind, text)),
            other => Some(other.to_string()),
        };
        dataset.columns.iter().map(value).collect()
    };
    std::str::from_utf8(bytes).unwrap().lines().map(read).collect()
}

fn csv(dataset: &Dataset, bytes: &[u8]) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<_> = dataset.columns.iter().map(|column| column.name).collect();
    assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), names);
    let read = |row: csv::StringRecord| {
        let fields = row.iter().zip(dataset.columns);
        fields.map(|(text, column)| (!text.is_empty()).then(|| spelled(column.kind, text))).collect()
    };
    reader.records().map(|row| read(row.unwrap())).collect()
}

fn parquet(dataset: &Dataset, bytes: &[u8]) -> Vec<Row> {
    let file = SerializedFileReader::new(Bytes::copy_from_slice(bytes)).unwrap();
    let read = |row: parquet::record::Row| {
        let columns = row.into_columns().into_iter().zip(dataset.columns);
        let value = |((name, field), column): ((String, Field), &takujo::exports::column::Column)| {
            assert_eq!(name, column.name);
            match field {
                Field::Null => None,
                Field::Str(text) => Some(spelled(column.kind, &text)),
                Field::TimestampMillis(millis) => Some(Timestamp::from_millis(millis).to_string()),
                other => Some(other.to_string()),
            }
        };
        columns.map(value).collect()
    };
    file.get_row_iter(None).unwrap().map(|row| read(row.unwrap())).collect()
}

/// An export as it is sent.
async fn sent(server: &Server, dataset: &Dataset, query: &str) -> Vec<u8> {
    let request = server.request(Method::GET, &format!("/v1/exports/{}?{query}", dataset.name));
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200, "{} {query}", dataset.name);
    response.bytes().await.unwrap().to_vec()
}

async fn rows(server: &Server, dataset: &Dataset, format: &str, query: &str) -> Vec<Row> {
    let bytes = sent(server, dataset, &format!("format={format}&{query}")).await;
    match format {
        "ndjson" => ndjson(dataset, &bytes),
        "csv" => csv(dataset, &bytes),
        _ => parquet(dataset, &bytes),
    }
}

/// The key of a row, as the cursor takes it.
fn key(dataset: &Dataset, row: &Row) -> String {
    let value = |name: &str| {
        let place = dataset.columns.iter().position(|column| column.name == name).unwrap();
        row[place].clone().unwrap()
    };
    match dataset.place {
        None => value("match_id"),
        Some(place) => format!("{}.{}", value("match_id"), value(place)),
    }
}

#[actix_web::test]
async fn every_format_has_the_rows_of_the_view() {
    let (url, pool) = database_of(&history(2)).await;
    let server = Server::on(&url, |_| {}).await;
    for dataset in ALL {
        let names: Vec<_> = dataset.columns.iter().map(|column| column.name).collect();
        let order = dataset.place.map(|place| format!(", {place}")).unwrap_or_default();
        let view = format!(
            "SELECT to_jsonb(r) FROM (SELECT {} FROM analytics.{} ORDER BY match_id{order}) r",
            names.join(", "),
            dataset.name
        );
        let lines: Vec<Value> = sqlx::query_scalar(sqlx::AssertSqlSafe(view)).fetch_all(&pool).await.unwrap();
        let text: Vec<_> = lines.iter().map(Value::to_string).collect();
        let expected = ndjson(dataset, text.join("\n").as_bytes());
        assert!(!expected.is_empty(), "{}", dataset.name);
        for format in FORMATS {
            assert_eq!(rows(&server, dataset, format, "").await, expected, "{} {format}", dataset.name);
        }
    }
}

#[actix_web::test]
async fn whoever_was_cut_off_goes_on_after_the_last_row() {
    let (url, _pool) = database_of(&history(1)).await;
    let server = Server::on(&url, |_| {}).await;
    for dataset in ALL {
        let whole = rows(&server, dataset, "ndjson", "").await;
        for format in FORMATS {
            let (mut parts, mut cursor) = (Vec::new(), String::new());
            loop {
                let part = rows(&server, dataset, format, &format!("limit=17{cursor}")).await;
                parts.extend_from_slice(&part);
                if part.len() < 17 {
                    break;
                }
                cursor = format!("&cursor={}", key(dataset, &part[16]));
            }
            assert_eq!(parts, whole, "{} {format}", dataset.name);
        }
        // After each single row, the rest.
        for (place, row) in whole.iter().enumerate().step_by(5) {
            let rest = rows(&server, dataset, "csv", &format!("cursor={}", key(dataset, row))).await;
            assert_eq!(rest, whole[place + 1..], "{} after row {place}", dataset.name);
        }
    }
}

/// The same match again and again, under ids of its own.
fn copies(count: usize) -> Vec<Finished> {
    let original = played("twenty_one", 2, 5, EVE);
    let copy = |place: usize| {
        let mut one = original.clone();
        let time = EVE + place as i64 * 60_000;
        one.facts.id.0 = uuid::Builder::from_unix_timestamp_millis(time.cast_unsigned(), &[9; 10]).into_uuid();
        one.facts.created_at = Timestamp::from_millis(time);
        one
    };
    (0..count).map(copy).collect()
}

#[actix_web::test]
async fn pages_follow_each_other_without_gap_or_repeat() {
    let matches = copies(2_100);
    let (url, _pool) = database_of(&matches).await;
    let server = Server::on(&url, |_| {}).await;
    let [all, actions, _] = ALL;
    let ids: Vec<_> = matches.iter().map(|one| Some(one.facts.id.to_string())).collect();
    let exported = rows(&server, all, "csv", "").await;
    assert!(exported.iter().map(|row| &row[0]).eq(&ids));
    let each = matches[0].steps.len() - 1;
    for format in ["ndjson", "parquet"] {
        let exported = rows(&server, actions, format, "").await;
        assert_eq!(exported.len(), each * ids.len());
        assert!(exported.chunks(each).map(|rows| &rows[0][0]).eq(&ids));
        let keys: std::collections::HashSet<_> = exported.iter().map(|row| key(actions, row)).collect();
        assert_eq!(keys.len(), exported.len());
    }
    // Cut off in the middle of a line: what is whole is kept, the rest asked for.
    let mut answer = server.request(Method::GET, "/v1/exports/actions").send().await.unwrap();
    let mut got = Vec::new();
    while got.len() < 300_000 {
        got.extend_from_slice(&answer.chunk().await.unwrap().unwrap());
    }
    drop(answer);
    let end = got[..got.len() - 10].iter().rposition(|byte| *byte == b'\n').unwrap();
    let mut parts = ndjson(actions, &got[..=end]);
    let cursor = key(actions, parts.last().unwrap());
    parts.extend(rows(&server, actions, "ndjson", &format!("cursor={cursor}")).await);
    assert_eq!(parts.len(), each * ids.len());
    assert!(parts.chunks(each).map(|rows| &rows[0][0]).eq(&ids));
}

#[actix_web::test]
async fn an_export_is_narrowed_to_a_game_and_a_time() {
    let matches = history(2);
    let (url, _pool) = database_of(&matches).await;
    let server = Server::on(&url, |_| {}).await;
    let [all, actions, words] = ALL;
    let salamander = rows(&server, all, "ndjson", "game=salamander").await;
    assert_eq!(salamander.len(), 2);
    assert!(rows(&server, words, "ndjson", "game=salamander").await.is_empty());
    assert_eq!(rows(&server, words, "csv", "game=hachiku").await, rows(&server, words, "csv", "").await);
    for (from, to) in [(0, 4), (3, 7), (7, 20)] {
        let time = |place: usize| Timestamp::from_millis(EVE + place as i64 * (DAY / 4));
        let query = format!("from={}&to={}", time(from), time(to));
        let expected: Vec<_> = matches.iter().skip(from).take(to - from).collect();
        let ids: Vec<_> = expected.iter().map(|one| Some(one.facts.id.to_string())).collect();
        let exported = rows(&server, all, "parquet", &query).await;
        assert!(exported.iter().map(|row| &row[0]).eq(&ids), "{query}");
        let decisions: std::collections::BTreeSet<_> =
            rows(&server, actions, "csv", &query).await.into_iter().map(|row| row[0].clone()).collect();
        assert!(decisions.iter().eq(&ids), "{query}");
    }
}

#[actix_web::test]
async fn nothing_secret_private_or_unfinished_is_exported() {
    let server = Server::start().await;
    let waiting = server.create(&json!({"game": "twenty_one", "seats": [{}, {"open": true}]})).await;
    let live = server.create(&humans("kamudakara", 2)).await;
    let resigned = async |body: Value| {
        let table = server.create(&body).await;
        table.act(0, json!({"type": "resign"})).await.expect(200);
        table
    };
    let player = server.post("/v1/players", None, &json!({"name": "先生"})).await.expect(201);
    let seats = json!([{"player_token": player["token"], "entropy": "c0ffee00c0ffee"}, {"name": "弟子"}]);
    let sandbox =
        resigned(json!({"game": "twenty_one", "seats": [{}, {}], "listed": true, "sandbox": {"dice": [1]}})).await;
    let unlisted = resigned(json!({"game": "twenty_one", "seats": [{}, {}], "listed": false})).await;
    let open = resigned(json!({"game": "twenty_one", "seats": seats})).await;
    let seed = open.public().await["chance"]["server_seed"].as_str().unwrap().to_owned();
    for dataset in ALL {
        for format in FORMATS {
            let whole = sent(&server, dataset, &format!("format={format}")).await;
            let rows = rows(&server, dataset, format, "").await;
            let ids: Vec<_> = rows.iter().filter_map(|row| row[0].as_deref()).collect();
            for table in [&waiting, &live, &sandbox, &unlisted] {
                assert!(!ids.iter().any(|id| table.path.ends_with(id)), "{} {format}", dataset.name);
            }
            if dataset.name != "words" {
                assert!(ids.iter().all(|id| open.path.ends_with(id)) && !ids.is_empty(), "{}", dataset.name);
            }
            let text = format!("{}{rows:?}", String::from_utf8_lossy(&whole));
            let tokens = open.tokens.iter().map(String::as_str).chain([player["token"].as_str().unwrap()]);
            for secret in tokens.chain([seed.as_str(), "c0ffee00"]) {
                assert!(!text.contains(secret), "{} {format}", dataset.name);
            }
        }
    }
    let exported = rows(&server, ALL[0], "csv", "").await;
    let column = |name: &str| {
        let place = ALL[0].columns.iter().position(|column| column.name == name).unwrap();
        exported[0][place].clone()
    };
    assert_eq!(column("names").unwrap(), json!(["先生", "弟子"]).to_string());
    assert_eq!(column("players").unwrap(), json!([player["player"], null]).to_string());
    assert_eq!((column("reason").as_deref(), column("turn_seconds")), (Some("resigned"), None));
}

#[actix_web::test]
async fn an_export_of_nothing_is_valid_in_every_format() {
    let server = Server::start().await;
    for dataset in ALL {
        for format in FORMATS {
            assert!(rows(&server, dataset, format, "").await.is_empty());
        }
        assert!(sent(&server, dataset, "format=ndjson").await.is_empty());
        let header = String::from_utf8(sent(&server, dataset, "format=csv").await).unwrap();
        assert!(header.starts_with("match_id,") && header.ends_with("\r\n"), "{header}");
        assert_eq!(header.lines().count(), 1);
        let file = sent(&server, dataset, "format=parquet").await;
        let file = SerializedFileReader::new(Bytes::from(file)).unwrap();
        assert_eq!(file.metadata().file_metadata().schema().get_fields().len(), dataset.columns.len());
    }
}

#[actix_web::test]
async fn an_answer_says_what_it_is_and_is_packed_as_agreed() {
    let (url, pool) = database_of(&[]).await;
    load(&pool, &copies(200)).await.unwrap();
    let server = Server::on(&url, |_| {}).await;
    let types = BTreeMap::from([
        ("ndjson", "application/x-ndjson"),
        ("csv", "text/csv; charset=utf-8; header=present"),
        ("parquet", "application/vnd.apache.parquet"),
    ]);
    for (format, media_type) in types {
        let path = format!("/v1/exports/actions?game=twenty_one&format={format}");
        let request = server.request(Method::GET, &path).header(ACCEPT_ENCODING, "zstd");
        let answer = request.send().await.unwrap();
        assert_eq!(answer.headers()["content-type"], media_type);
        assert_eq!(
            answer.headers()["content-disposition"],
            format!("attachment; filename=\"takujo-twenty_one-actions.{format}\"")
        );
        let packing = answer.headers().get("content-encoding").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(packing.as_deref() == Some("zstd"), format != "parquet", "{format} {packing:?}");
        let packed = answer.bytes().await.unwrap();
        let plain = sent(&server, ALL[1], &format!("game=twenty_one&format={format}")).await;
        if format == "parquet" {
            assert_eq!(packed.len(), plain.len());
        } else {
            assert_eq!(zstd::decode_all(&packed[..]).unwrap(), plain);
        }
        let head = server.send(server.request(Method::HEAD, &path)).await;
        assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    }
    let default = server.get("/v1/exports/matches", None).await;
    assert_eq!(default.headers["content-type"], "application/x-ndjson");
}

#[actix_web::test]
async fn for_few_rows_few_are_read() {
    let matches: Vec<_> = (0..200).map(|number| played("twenty_one", 2, number, EVE + number as i64 * 1000)).collect();
    let (url, _pool) = database_of(&matches).await;
    let mut sql = PgConnection::connect(&url).await.unwrap();
    // So few matches would be read whole and sorted.
    for way in ["seqscan", "bitmapscan", "sort"] {
        let off = format!(
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_{way} = off', current_database()); END $$"
        );
        sql.execute(sqlx::AssertSqlSafe(off)).await.unwrap();
    }
    let server = Server::on(&url, |_| {}).await;
    // They are folded first, which reads all of them.
    let waiting = "SELECT count(*) FROM history.pending";
    while sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut sql).await.unwrap() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let steps: usize = matches.iter().map(|one| one.steps.len()).sum();
    for (dataset, table, most) in [(ALL[0], "matches", 10), (ALL[1], "steps", steps as i64 / 10)] {
        let read = "SELECT sum(seq_tup_read + idx_tup_fetch)::bigint FROM pg_stat_user_tables
                    WHERE relid IN (SELECT relid FROM pg_partition_tree($1::text::regclass))";
        end_servers(&mut sql).await;
        let before: i64 = sqlx::query_scalar(read).bind(table).fetch_one(&mut sql).await.unwrap();
        assert_eq!(rows(&server, dataset, "ndjson", "limit=1").await.len(), 1);
        end_servers(&mut sql).await;
        let after: i64 = sqlx::query_scalar(read).bind(table).fetch_one(&mut sql).await.unwrap();
        assert!(after - before <= most, "{}: {} of {table} are read, of {steps}", dataset.name, after - before);
    }
}

#[actix_web::test]
async fn parameters_are_read_strictly() {
    let server = Server::start().await;
    let id = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab";
    for dataset in ALL {
        for query in [
            "fromat=csv",
            "format=xml",
            "format=CSV",
            "format=csv&format=csv",
            "from=yesterday",
            "limit=-1",
            "limit=many",
        ] {
            let answer = server.get(&format!("/v1/exports/{}?{query}", dataset.name), None).await;
            assert_eq!(answer.code(400), "bad-request", "{query}");
        }
        let foreign = if dataset.place.is_some() { id.to_owned() } else { format!("{id}.1") };
        for query in [
            "game=chess",
            "limit=0",
            "limit=1000000001",
            "cursor=",
            "cursor=1",
            "cursor=%00",
            &format!("cursor={foreign}"),
        ] {
            let answer = server.get(&format!("/v1/exports/{}?{query}", dataset.name), None).await;
            assert_eq!(answer.code(422), "invalid-parameters", "{query}");
        }
        // Whatever its row was, a key is a place in the order.
        let own = if dataset.place.is_some() { format!("{id}.1") } else { id.to_owned() };
        assert!(rows(&server, dataset, "csv", &format!("cursor={own}")).await.is_empty());
        let wide = "from=0001-01-01T00:00:00Z&to=9999-12-30T00:00:00Z";
        assert!(rows(&server, dataset, "csv", wide).await.is_empty());
    }
    assert_eq!(server.get("/v1/exports/seats", None).await.code(404), "not-found");
    assert_eq!(server.post("/v1/exports/matches", None, &json!({})).await.code(405), "method-not-allowed");
}
