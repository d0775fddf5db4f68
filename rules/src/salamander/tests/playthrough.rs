//! A whole match, action by action and event by event.

use super::*;

const GOLDEN: &str = include_str!("../playthrough.txt");

/// What happened since `from`, a line an event.
fn events(play: &Play, from: usize) -> String {
    let line = |event| format!("  {}\n", serde_json::to_string(event).unwrap());
    play.log[from..].iter().map(line).collect()
}

#[test]
fn the_golden_playthrough_replays_line_by_line() {
    let mut play = seeded(3, 49, Script::default(), 1987);
    let mut transcript = format!("3 seats, target 49, seed 1987\n{}", events(&play, 0));
    for line in GOLDEN.lines().filter_map(|line| line.strip_prefix("seat ")) {
        let (number, text) = line.split_once(": ").unwrap();
        let number: u8 = number.parse().unwrap();
        let from = play.log.len();
        play.plays(number, [serde_json::from_str(text).unwrap()]);
        transcript += &format!("seat {line}\n{}", events(&play, from));
    }
    transcript += &format!("outcome {}\n", serde_json::to_string(&play.game.outcome()).unwrap());
    for (number, (expected, found)) in GOLDEN.lines().zip(transcript.lines()).enumerate() {
        assert_eq!(expected, found, "line {}", number + 1);
    }
    assert_eq!(GOLDEN.len(), transcript.len());
}
