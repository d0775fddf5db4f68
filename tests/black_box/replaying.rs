//! `takujo replay`: all stored matches played again, and what is told of damaged ones.

use std::process::Command;

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::play::{GAMES, Random, humans, play};
use crate::program::{Folder, Program};
use crate::server::{Server, database};

/// What the command said, and how it ended.
fn replay(database: &str, arguments: &[&str]) -> (String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
    command.arg("replay").args(arguments).args(["--data-dir", env!("CARGO_TARGET_TMPDIR"), "--log", "off"]);
    let out = command.env("DATABASE_URL", database).output().unwrap();
    let said = String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap();
    (said, out.status.code())
}

async fn replayed(database: &str, arguments: &'static [&'static str]) -> (String, Option<i32>) {
    let database = database.to_owned();
    tokio::task::spawn_blocking(move || replay(&database, arguments)).await.unwrap()
}

async fn change(database: &str, statement: &str, id: &str) {
    let mut connection = PgConnection::connect(database).await.unwrap();
    let statement = AssertSqlSafe(statement.replace("ID", &format!("'{id}'")));
    let changed = connection.execute(statement).await.unwrap();
    assert_eq!(changed.rows_affected(), 1);
}

fn id(path: &str) -> String {
    path.rsplit('/').next().unwrap().to_owned()
}

#[actix_web::test]
async fn stored_matches_come_to_what_is_stored() {
    let database = database().await;
    let server = Server::on(&database, |_| {}).await;
    for (game, seats) in GAMES {
        // One that goes on, one that is over, one that waits.
        play(&server.create(&humans(game, seats)).await, &mut Random::new(3), 12).await;
        let bots = vec![json!({"bot": "easy"}); seats];
        server.create(&json!({"game": game, "seats": bots})).await.finished().await;
        let mut waiting = humans(game, seats);
        waiting["seats"][0] = json!({"open": true});
        server.create(&waiting).await;
    }
    let (said, code) = replayed(&database, &[]).await;
    assert!(said.contains("15 matches replayed") && said.contains("; 0 do not come"), "{said}");
    assert_eq!(code, Some(0));
    for (arguments, count) in [
        (&["--game", "salamander"][..], "3 matches"),
        (&["--to", "2020-01-01T00:00:00Z"], "0 matches"),
        (&["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z", "--game", "hachiku"], "3 matches"),
    ] {
        let (said, code) = replayed(&database, arguments).await;
        assert!(said.starts_with(count) && code == Some(0), "{arguments:?}: {said}");
    }
    for (arguments, expected) in [(&["--game", "chess"][..], "kamudakara"), (&["--from", "yesterday"], "--from")] {
        let (said, code) = replayed(&database, arguments).await;
        assert!(said.contains(expected) && code == Some(2), "{arguments:?}: {said}");
    }
}

/// What is done to a stored match, and what is told of it.
const DAMAGE: [(&str, &str); 12] = [
    (
        "UPDATE steps SET events = jsonb_set(events, '{0,die}', to_jsonb((events#>>'{0,die}')::int % 6 + 1)) WHERE version = 2 AND match_id = ID",
        "version 2: event: event 0",
    ),
    (
        "UPDATE steps SET events = jsonb_set(events, '{0,seat}', '9') WHERE version = 3 AND match_id = ID",
        "version 3: event: event 0",
    ),
    (
        "UPDATE steps SET events = '[{\"type\": \"nonsense\"}]' WHERE version = 3 AND match_id = ID",
        "version 3: event: event 0",
    ),
    ("UPDATE steps SET events = '{}' WHERE version = 3 AND match_id = ID", "form: "),
    ("UPDATE steps SET action = '{\"type\": \"stop\"}' WHERE version = 2 AND match_id = ID", "version 2: action: "),
    ("UPDATE steps SET at = at - interval '1 day' WHERE version = 3 AND match_id = ID", "version 3: time: "),
    ("UPDATE steps SET chance_words = chance_words + 1 WHERE version = 2 AND match_id = ID", "version 2: chance: "),
    ("UPDATE steps SET first_seq = first_seq + 1 WHERE version = 4 AND match_id = ID", "version 4: seq: "),
    ("DELETE FROM steps WHERE version = 3 AND match_id = ID", "version 4: "),
    ("UPDATE matches SET options = '{\"games\": -1}' WHERE match_id = ID", "set-up: "),
    (
        "UPDATE matches SET outcome = '{\"ranks\": \"first\"}', status = 'finished', finished_at = now() WHERE match_id = ID",
        "form: ",
    ),
    ("UPDATE matches SET rules_version = 99 WHERE match_id = ID", "rules: "),
];

#[actix_web::test]
async fn damaged_matches_are_named_and_bring_nothing_down() {
    let database = database().await;
    let server = Server::on(&database, |_| {}).await;
    let mut damaged = Vec::new();
    for (statement, told) in DAMAGE {
        let table = server.create(&humans("twenty_one", 2)).await;
        play(&table, &mut Random::new(5), 6).await;
        change(&database, statement, &id(&table.path)).await;
        damaged.push((table.path, told));
    }
    let sound = server.create(&humans("twenty_one", 2)).await;
    let (said, code) = replayed(&database, &[]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("13 matches replayed") && said.contains("12 do not come"), "{said}");
    let lines: Vec<_> = said.lines().collect();
    for ((path, told), line) in damaged.iter().zip(&lines) {
        let expected = format!("{} {told}", id(path));
        assert!(line.starts_with(&expected), "in the order of their ids: {expected}: {said}");
    }

    // A server that reads them anew says that something is wrong on its side, and serves the others.
    let fresh = Server::on(&database, |_| {}).await;
    for (path, told) in damaged {
        let answer = fresh.get(&path, None).await;
        let reads = ["version 2: action", "version 2: chance", "version 3: time", "version 4: seq", "rules"];
        if reads.iter().any(|read| told.starts_with(read)) {
            assert_eq!(answer.status, 200, "{told} {}", answer.text);
        } else if answer.status != 200 {
            assert_eq!(answer.code(500), "match-damaged", "{told}");
        }
    }
    assert_eq!(fresh.get(&sound.path, None).await.status, 200);
}

/// Without a server that holds it, the private PostgreSQL is opened for the command.
#[actix_web::test]
async fn the_own_database_is_replayed_when_no_server_holds_it() {
    let folder = Folder::new();
    let mut program = Program::start(&folder, "info");
    program
        .server
        .create(&json!({"game": "kamudakara", "seats": [{"bot": "easy"}, {"bot": "easy"}]}))
        .await
        .finished()
        .await;
    let ask = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
        command.args(["replay", "--log", "off", "--data-dir"]).arg(folder.path()).env_remove("DATABASE_URL");
        let out = command.output().unwrap();
        (String::from_utf8_lossy(&out.stdout).into_owned(), out.status.success())
    };
    assert!(!ask().1, "a server holds it");
    program.terminate().await;
    let (said, fine) = ask();
    assert!(fine && said.starts_with("1 matches replayed"), "{said}");
}

/// The documentation is served, may load nothing but its own style, and is described.
#[actix_web::test]
async fn the_documentation_is_served() {
    let server = Server::start().await;
    let page = server.get("/docs/chance", None).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    assert_eq!(page.headers["x-content-type-options"], "nosniff");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    for said in ["<h1>Verifiable chance</h1>", "<table>", "chacha20-v1", "サラマンダー"] {
        assert!(page.text.contains(said), "{said}");
    }
    for (path, said) in
        [("rules/hachiku", "hachiku.fold-marks"), ("analytics", "data:image/svg+xml"), ("words", "しりとり")]
    {
        assert!(server.get(&format!("/docs/{path}"), None).await.text.contains(said), "{path}");
    }
    for absent in ["nothing", "rules/nothing", "rules/", "NOTHING", "nothing.md", "a/b", "swagger-ui"] {
        assert_eq!(server.get(&format!("/docs/{absent}"), None).await.code(404), "not-found", "{absent}");
    }
    let description = server.get("/openapi.json", None).await.expect(200);
    let proof: &Value = &description["components"]["schemas"]["ChanceProof"]["description"];
    assert!(proof.as_str().unwrap().contains("(/docs/chance)"));
    assert!(description["paths"]["/docs/{id}"]["get"].is_object());
}
