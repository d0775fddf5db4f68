//! A whole match, action by action and event by event.

use super::*;

const GOLDEN: &str = include_str!("../playthrough.txt");

fn json_of<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap()
}

/// The first line names the match; each action follows as `seat N: …`, what came of it indented.
#[test]
fn the_golden_playthrough_replays_line_by_line() {
    let mut play = seeded(3, 84, Script::default(), 2179);
    let mut transcript = vec!["3 seats, target 84, seed 2179".to_owned()];
    let mut told = 0;
    let mut tell = |play: &Play, transcript: &mut Vec<String>| {
        transcript.extend(play.log[told..].iter().map(|event| format!("  {}", json_of(event))));
        told = play.log.len();
    };
    tell(&play, &mut transcript);
    for line in GOLDEN.lines().filter(|line| line.starts_with("seat ")) {
        let (number, text) = line["seat ".len()..].split_once(": ").unwrap();
        play.plays(number.parse().unwrap(), [serde_json::from_str(text).unwrap()]);
        transcript.push(line.to_owned());
        tell(&play, &mut transcript);
    }
    transcript.push(format!("outcome {}", json_of(&play.game.outcome().unwrap())));
    for (number, (expected, found)) in GOLDEN.lines().zip(&transcript).enumerate() {
        assert_eq!(expected, found, "line {}", number + 1);
    }
    assert_eq!(GOLDEN.lines().count(), transcript.len());
}
