//! A whole match in plain text, replayed line by line.
//!
//! `playthrough.txt` holds a set-up, then each action (`> seat action`) with the events that came
//! of it and, wherever a game ends, the view. Run with `UPDATE_PLAYTHROUGH=1` to write it anew.

use std::fmt::Write;

use serde_json::Value;

use super::*;
use crate::table::{AnyTable, Plan, Player, Status, Step};

const TEXT: &str = include_str!("playthrough.txt");

/// The rest of the first line that begins so.
fn field(name: &str) -> Value {
    let line = TEXT.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    serde_json::from_str(line).unwrap()
}

fn table() -> Box<dyn AnyTable> {
    let names: Vec<String> = serde_json::from_value(field("seats ")).unwrap();
    let plan = Plan {
        seats: names.into_iter().map(|name| (name.into(), Player::Human)).collect(),
        turn_seconds: None,
        script: Arc::new(serde_json::from_value(field("script ")).unwrap()),
        virtual_clock: false,
        created_at: Timestamp::from_millis(0),
    };
    let (mut table, _) = crate::registry::game("twenty_one").unwrap().lay(&field("options "), plan).unwrap();
    table.set_chance(Key::derive(&[0; 32], &[0; 16], []));
    table
}

fn write_step(text: &mut String, step: &Step, table: &dyn AnyTable) {
    for event in &step.events {
        writeln!(text, "  {event}").unwrap();
    }
    let settled = |event: &Value| matches!(event["type"].as_str(), Some("game_won" | "game_drawn" | "pot_kept"));
    if step.events.iter().any(settled) || table.head().status == Status::Finished {
        writeln!(text, "  = {}", table.view(Viewer::Public)).unwrap();
    }
}

/// A line for comparing: of an event or a view it is the JSON that counts, in whatever order.
fn content(line: &str) -> (&str, Option<Value>) {
    let start = line.find('{').filter(|_| line.starts_with("  ")).unwrap_or(line.len());
    (&line[..start], serde_json::from_str(&line[start..]).ok())
}

#[test]
fn the_playthrough_replays_line_by_line() {
    let lexicon = &Lexicon::empty();
    let mut table = table();
    let mut text = String::new();
    for line in TEXT.lines() {
        if let Some(line) = line.strip_prefix("> ") {
            let (number, action) = line.split_once(' ').unwrap();
            let (seat, action) = (seat(number.parse().unwrap()), serde_json::from_str(action).unwrap());
            writeln!(text, "> {line}").unwrap();
            let step = table.act(seat, &action, Timestamp::from_millis(0), lexicon).unwrap();
            write_step(&mut text, &step, &*table);
        } else if line == "start" {
            writeln!(text, "{line}").unwrap();
            let step = table.start(Timestamp::from_millis(0), lexicon).unwrap();
            write_step(&mut text, &step, &*table);
        } else if !line.starts_with("  ") {
            writeln!(text, "{line}").unwrap();
        }
    }
    assert_eq!(table.head().status, Status::Finished);
    if std::env::var_os("UPDATE_PLAYTHROUGH").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/twenty_one/tests/playthrough.txt"), &text).unwrap();
        return;
    }
    for (number, (found, expected)) in text.lines().zip(TEXT.lines()).enumerate() {
        assert_eq!(content(found), content(expected), "line {}", number + 1);
    }
    assert_eq!(text.lines().count(), TEXT.lines().count());
}
