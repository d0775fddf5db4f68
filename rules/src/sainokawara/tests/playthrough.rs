//! A whole match in plain text, replayed line by line.
//!
//! `playthrough.txt` holds a set-up, then each action (`> seconds seat action`) with the events that
//! came of it, those that the clock brought first. `UPDATE_PLAYTHROUGH=1` writes it anew.

use std::fmt::Write;

use super::table::Played;

const TEXT: &str = include_str!("playthrough.txt");

/// The rest of the line that begins so.
fn field(name: &str) -> &'static str {
    TEXT.lines().find_map(|line| line.strip_prefix(name)).unwrap()
}

#[test]
fn the_playthrough_replays_line_by_line() {
    let dice: Vec<u32> = field("dice ").split(' ').map(|die| die.parse().unwrap()).collect();
    let options = serde_json::from_str(field("options ")).unwrap();
    let mut played = Played::new(field("seats ").parse().unwrap(), options, &dice);
    let mut text = String::new();
    for line in TEXT.lines().filter(|line| !line.starts_with("  ")) {
        writeln!(text, "{line}").unwrap();
        let Some(line) = line.strip_prefix("> ") else { continue };
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap();
        let before = played.events.len();
        let (seconds, seat) = (word().parse().unwrap(), word().parse().unwrap());
        played.until(seconds).act(seat, serde_json::from_str(word()).unwrap());
        for event in &played.events[before..] {
            writeln!(text, "  {}", serde_json::to_string(event).unwrap()).unwrap();
        }
    }
    assert!(played.is_finished());
    writeln!(text, "  {}", serde_json::to_string(&played.table.head().outcome).unwrap()).unwrap();
    if std::env::var_os("UPDATE_PLAYTHROUGH").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/sainokawara/tests/playthrough.txt"), &text).unwrap();
        return;
    }
    for (number, (found, expected)) in text.lines().zip(TEXT.lines()).enumerate() {
        assert_eq!(found, expected, "line {}", number + 1);
    }
    assert_eq!(text.lines().count(), TEXT.lines().count());
}
