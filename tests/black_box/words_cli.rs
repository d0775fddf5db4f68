//! The word service on the command line: answers, standard input, exit codes.

use std::io::Write;
use std::process::{Command, Stdio};

/// What `takujo words` prints, and the code it ends with.
fn words(arguments: &[&str], input: &str) -> (String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_takujo"))
        .arg("words")
        .args(arguments)
        .env("DATA_DIR", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("DATABASE_URL")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A program that reads its arguments alone may have ended by now.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn arguments_and_lines_are_answered_alike() {
    let (given, code) = words(&["check", "稲妻", "けぬむろ"], "");
    assert_eq!(words(&["check"], "稲妻\n\n けぬむろ \n"), (given.clone(), 1));
    assert_eq!(code, 1);
    let lines: Vec<_> = given.lines().map(|line| line.split('\t').take(3).collect::<Vec<_>>()).collect();
    assert_eq!(lines, [["稲妻", "valid", "いなすま,いなつま"], ["けぬむろ", "unknown", "けぬむろ"]]);
    assert_eq!(words(&["check", "隠れる", "--class", "verb"], "").1, 0);
}

#[test]
fn every_condition_is_a_question_of_its_own() {
    for condition in [
        &["--ends-with", "ねこ"] as &[_],
        &["--letters", "ねこ"],
        &["--contains", "ねこ"],
        &["--min-length", "3"],
        &["--max-length", "3"],
        &["--distinct"],
        &["--class", "verb"],
    ] {
        let (text, code) = words(&[&["search", "--limit", "5"], condition].concat(), "");
        assert!(!text.is_empty() && code == 0, "{condition:?} waits for the standard input");
    }
}

#[test]
fn the_exit_code_says_yes_no_or_refused() {
    for (arguments, input, code) in [
        (&["check", "ねこ"] as &[_], "", 0),
        (&["check", "ねこ", "けぬむろ"], "", 1),
        (&["check", "隠れる"], "", 1),
        (&["check", "abc"], "", 1),
        (&["search", "ねこ"], "", 0),
        (&["search", "けぬむ"], "", 1),
        (&["search", "けぬむ", "ねこ"], "", 1),
        (&["search", "猫"], "", 2),
        (&["search", "--ends-with", "ー"], "", 2),
        (&["search", "--letters", "ねね"], "", 2),
        (&["search", "--class", "noun", "ね"], "", 2),
        (&["search"], "けぬむ\n猫\nねこ\n", 2),
        (&["next", "しりとり", "りす"], "", 0),
        (&["next"], "しりとり りんかん\n", 1),
        (&["next", "abc"], "", 2),
        (&["chain", "しりとり", "りす", "すいか"], "", 0),
        (&["chain"], "しりとり かめ\n", 1),
        (&["chain", "しりとり", "abc"], "", 1),
        (&["normalize", "ｷｬﾍﾞﾂ"], "", 0),
        (&["normalize", "猫"], "", 1),
        (&["normalize", "ねこ", "ンー"], "", 1),
        (&["check", "--class", "noun", "ねこ"], "", 2),
        (&["check", "--lexicon", "/nowhere", "ねこ"], "", 2),
        (&["check", "--own-words", "/nowhere", "ねこ"], "", 2),
        (&["next", "--order", "best", "ねこ"], "", 2),
        (&["nonsense"], "", 2),
    ] {
        assert_eq!(words(arguments, input).1, code, "{arguments:?}");
    }
}

#[test]
fn json_is_what_the_server_answers_one_object_a_line() {
    let (text, code) = words(&["check", "--json", "ねこ", "いぬ"], "");
    let objects: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((objects.len(), code), (2, 0));
    assert!(objects[0]["lexicon"].as_str().unwrap().starts_with("standard-"));
    let (text, _) = words(&["next", "--json", "しりとり", "--order", "fewest_answers", "--limit", "3"], "");
    let next: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(next["words"].as_array().unwrap().len(), 3);
}

#[test]
fn a_search_goes_on_past_one_page() {
    let (text, code) = words(&["search", "か", "--limit", "1234"], "");
    let mut lines: Vec<_> = text.lines().collect();
    assert_eq!((lines.len(), code), (1234, 0));
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 1234);
}
