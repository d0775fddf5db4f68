//! One match from the first card to the last, line by line as `playthrough.txt` keeps it.

use std::fmt::Write;

use super::*;

/// Plays the lines that begin with `>` in a match of the options in the first line, and writes
/// down what comes of each.
fn transcript(script: &str) -> String {
    let (options, script) = script.split_once('\n').unwrap();
    let mut game = opening(serde_json::from_str(options).unwrap());
    let mut text = format!("{options}\n");
    for line in script.lines() {
        let Some(command) = line.strip_prefix("> ") else {
            if line.starts_with('#') {
                writeln!(text, "{line}").unwrap();
            }
            continue;
        };
        writeln!(text, "{line}").unwrap();
        let (seat, action) = command.split_once(' ').unwrap();
        let seat = Seat::new(seat.parse().unwrap()).unwrap();
        match act(&mut game, seat, &read(action)) {
            Ok(events) => {
                for event in events {
                    writeln!(text, "  {}", serde_json::to_string(&event).unwrap()).unwrap();
                }
            }
            Err(refusal) => writeln!(text, "  refused: {}: {}", refusal.rule, refusal.detail.en).unwrap(),
        }
        let view = game.view(Viewer::Everything);
        let [first, second] = view.hands.map(Option::unwrap_or_default);
        writeln!(
            text,
            "  = {:?} head {:?} hands [{first}] [{second}] captured [{}] [{}] field {} to act {:?}",
            view.phase,
            view.head,
            view.captured[0],
            view.captured[1],
            view.field.len(),
            game.to_act(),
        )
        .unwrap();
    }
    if let Some(outcome) = game.outcome() {
        writeln!(text, "= {}", serde_json::to_string(&outcome).unwrap()).unwrap();
    }
    text
}

#[test]
fn the_playthrough_is_replayed_line_by_line() {
    let golden = include_str!("../playthrough.txt");
    let played = transcript(golden);
    for (number, (ours, theirs)) in played.lines().zip(golden.lines()).enumerate() {
        assert_eq!(ours, theirs, "line {}; the whole transcript is now:\n{played}", number + 1);
    }
    assert_eq!(played.lines().count(), golden.lines().count(), "the whole transcript is now:\n{played}");
    assert!(played.ends_with("}\n"), "the match has to end");
}
