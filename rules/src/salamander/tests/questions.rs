//! Questions, and who learns the answer.

use super::*;

const DEAL: &str = "earth number-2 stone-3 air";

fn asked(play: &Play) -> Event {
    play.log.iter().rfind(|event| matches!(event, Event::Asked { .. })).unwrap().clone()
}

#[test]
fn sal_ask_the_seat_before_whose_home_the_piece_stands_once_a_throw() {
    let mut play = play(2, &[3, 3, 3, 1, 1, 3], DEAL);
    play.moves(0, By::Sum);
    assert_eq!(play.pieces()[0], road(7));
    assert_eq!(play.refuses(0, &ask(0, "earth")), "sal.ask");
    assert_eq!(play.legal(0).len(), 14 + 2);
    play.plays(0, [ask(1, "air")]);
    assert_eq!(play.refuses(0, &ask(1, "stone-3")), "sal.ask");
    play.moves(0, By::Difference).plays(0, [ask(1, "stone-3")]);
    assert_eq!(play.refuses(0, &ask(1, "air")), "sal.ask");
    assert_eq!(play.pieces()[0], road(7));
}

#[test]
fn sal_ask_nobody_on_the_own_squares_or_at_home() {
    let mut play = play(2, &[1, 1, 3, 1, 1, 3], DEAL);
    play.moves(0, By::Difference);
    assert_eq!(play.refuses(0, &ask(1, "air")), "sal.ask");
    play.moves(0, By::Sum);
    assert_eq!(play.refuses(0, &ask(1, "air")), "sal.ask");
}

#[test]
fn sal_ask_nobody_but_the_host() {
    let mut play = play(3, &[2, 3, 3], "earth number-2 stone-3 air fire number-7");
    play.moves(0, By::Sum);
    assert_eq!(play.refuses(0, &ask(2, "air")), "sal.ask");
    assert_eq!(play.refuses(0, &ask(3, "air")), "sal.ask");
}

#[test]
fn sal_ask_the_answer_is_seen_by_asker_and_asked_alone() {
    for (wanted, held) in [("air", true), ("water", false)] {
        let mut play = play(3, &[2, 3, 3], "earth number-2 stone-3 air fire number-7");
        play.moves(0, By::Sum).plays(0, [ask(1, wanted)]);
        let event = asked(&play);
        let answer = |viewer| match Salamander::redact(&event, viewer) {
            Event::Asked { answer, .. } => answer,
            _ => unreachable!(),
        };
        assert_eq!(answer(Viewer::Seat(seat(0))), Some(held));
        assert_eq!(answer(Viewer::Seat(seat(1))), Some(held));
        assert_eq!((answer(Viewer::Seat(seat(2))), answer(Viewer::Public)), (None, None));
        let shown = serde_json::to_value(Salamander::redact(&event, Viewer::Public)).unwrap();
        assert_eq!(shown, json!({"type": "asked", "seat": 0, "target": 1, "card": wanted}));
    }
}

#[test]
fn sal_asked_in_jail_leaves_at_once() {
    let mut play = play(2, &[2, 4, 3, 2, 3, 3, 1, 3, 3], DEAL);
    play.moves(0, By::Sum).plays(0, [end_turn()]).moves(1, By::Difference);
    assert_eq!(play.pieces(), [Piece::Jail, road(7)]);
    play.plays(0, [ask(1, "stone-3")]).moves(1, By::Sum);
    assert_eq!(play.pieces(), [Piece::Jail, road(1)]);
    play.plays(1, [ask(0, "earth")]);
    assert_eq!(play.pieces(), [Piece::Home, road(1)]);
}
