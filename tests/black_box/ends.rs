//! How the program ends and what it says: exit codes, and no line of the log that is no news.

use std::process::Command;

use serde_json::json;

use crate::program::{Folder, Program};
use crate::server::database;

/// The program with arguments on a folder: its exit code, and what it said.
async fn takujo(folder: &Folder, database: Option<&str>, arguments: &[&str]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_takujo"));
    command.args(arguments).env("DATA_DIR", folder.path()).env("LOG", "off").env_remove("DATABASE_URL");
    if let Some(database) = database {
        command.env("DATABASE_URL", database);
    }
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (output.status.code().unwrap(), said)
}

#[actix_web::test]
async fn what_cannot_be_done_ends_with_2_and_what_does_not_hold_with_1() {
    let (folder, database) = (Folder::new(), database().await);
    let broken = folder.path().join("broken.json");
    std::fs::write(&broken, "{}").unwrap();
    let nowhere = folder.path().join("nowhere");
    let [there, nowhere] = [&broken, &nowhere].map(|path| path.to_str().unwrap());
    let away = Some("postgres://nobody@127.0.0.1:1/none");
    for (database, arguments, code) in [
        (None, &["verify", nowhere][..], 2),
        (None, &["verify"], 2),
        (None, &["verify", there], 1),
        (Some(database.as_str()), &["import", nowhere], 2),
        (Some(database.as_str()), &["import", there], 1),
        (Some(database.as_str()), &["replay"], 0),
        (Some(database.as_str()), &["replay", "--from", "2026-11-01", "--to", "2026-12-01"], 0),
        (Some(database.as_str()), &["replay", "--from", "yesterday"], 2),
        (Some(database.as_str()), &["export-records", "--from", "2026-11-01"], 0),
        (away, &["replay"], 2),
        (away, &["import", there], 2),
        (away, &["migrate"], 2),
        (None, &["castle"], 2),
        (None, &["--help"], 0),
    ] {
        let (ended, said) = takujo(&folder, database, arguments).await;
        assert_eq!(ended, code, "{arguments:?}: {said}");
    }
    for command in ["verify", "import", "replay"] {
        let (_, said) = takujo(&folder, None, &[command, "--help"]).await;
        let told = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("Exit code: 0 ") && told.contains(" 2 "), "{command}: {said}");
    }
    let (_, said) = takujo(&folder, None, &["--help"]).await;
    assert!(said.contains("Exit codes: 0 "), "{said}");
}

#[actix_web::test]
async fn what_is_folded_and_what_is_rated_are_told_apart() {
    let (folder, database) = (Folder::new(), database().await);
    let generate = ["generate", "--game", "twenty_one", "--matches", "120", "--seed", "7", "--players", "6"];
    let (code, said) = takujo(&folder, Some(&database), &generate).await;
    assert_eq!(code, 0, "{said}");
    let (code, said) = takujo(&folder, Some(&database), &["project"]).await;
    assert_eq!(code, 0, "{said}");
    let rated = said.split("folded 120, rated ").last().and_then(|rest| rest.split(' ').next()?.parse::<u32>().ok());
    assert!(rated.is_some_and(|rated| (1..=120).contains(&rated)), "{said}");
}

#[actix_web::test]
async fn a_server_that_starts_again_says_nothing_of_its_migrations() {
    let folder = Folder::new();
    for _ in 0..2 {
        let mut program = Program::start(&folder, "info");
        let ready = program.server.get("/readyz", None).await.expect(200);
        assert_eq!(ready["status"], json!("ready"));
        program.terminate().await;
        assert!(!program.log().contains("_sqlx_migrations"), "{}", program.log());
    }
}
