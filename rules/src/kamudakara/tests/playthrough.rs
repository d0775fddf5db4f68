//! A whole match, line by line: `playthrough.txt` holds the deck, every action, and what came of it.

use std::fmt::Write;

use super::*;

const GOLDEN: &str = include_str!("playthrough.txt");

/// The transcript of the match whose deck and actions the text names.
fn replayed(text: &str) -> String {
    let deck = text.lines().find_map(|line| line.strip_prefix("deck ")).expect("a line with the deck");
    let mut table = Table::dealt(3, Options::default(), deck);
    let mut written = format!("deck {deck}\n{}", board(&table));
    for line in text.lines() {
        let Some((number, action)) = line.split_once("> ") else { continue };
        let log = table.act(number.parse().unwrap(), &serde_json::from_str(action).unwrap());
        writeln!(written, "{line}").unwrap();
        for event in log {
            writeln!(written, "    {}", serde_json::to_string(&event).unwrap()).unwrap();
        }
        written += &board(&table);
    }
    if let Some(outcome) = table.game.outcome() {
        writeln!(written, "ranks {:?} {}", outcome.ranks, outcome.reason).unwrap();
    }
    written
}

/// Everything that lies on the table, a line a seat.
fn board(table: &Table) -> String {
    let game = &table.game;
    let initials = |cards: Cards| cards.iter().map(|card| &card.name()[..1]).collect::<String>();
    let mut text = format!("  deck {} owing {:?}\n", game.deck.len(), table.owing());
    for seat in game.seats.seats() {
        let storehouse = &game.storehouses[seat.index()];
        let (hand, open) = (initials(game.hands[seat.index()]), initials(storehouse.open));
        let (veiled, score) = (storehouse.veiled_count(), game.score(seat));
        writeln!(text, "  {seat}: hand {hand:10} open {open:10} veiled {veiled} = {score}").unwrap();
    }
    text
}

#[test]
fn the_playthrough_is_played_as_written() {
    let played = replayed(GOLDEN);
    for (number, (written, played)) in (1..).zip(GOLDEN.lines().zip(played.lines())) {
        assert_eq!(written, played, "line {number}");
    }
    assert_eq!(played, GOLDEN);
    assert!(played.contains("ranks "), "the match is played to its end");
}
