//! The throw, its picture, its numbers, and doubles.

use super::*;

const DEAL: &str = "air stone-2 earth number-5";

#[test]
fn sal_picture_lizard_draws_and_a_second_kind_is_kept() {
    let mut play = play(2, &[2, 3, 1], "number-4 number-6 stone-3 air water");
    play.plays(0, [discard("number-6"), throw()]);
    assert_eq!(play.hand(0), ["water", "number-4"]);
    assert_eq!(play.legal(0)[0], walk(By::Sum));
}

#[test]
fn sal_picture_lizard_of_an_equal_card_is_discarded_by_the_table() {
    let mut play = play(2, &[2, 3, 2], &format!("{DEAL} air"));
    let events = play.act(0, &throw()).unwrap();
    assert_eq!(events[2], Event::Discarded { seat: seat(0), card: card("air"), forced: true });
    assert_eq!(play.hand(0), ["air", "stone-2"]);
    assert_eq!(play.legal(0)[0], walk(By::Sum));
}

#[test]
fn sal_one_per_kind_the_old_or_the_new_card_goes() {
    let mut play = play(2, &[2, 3, 1], &format!("{DEAL} fire"));
    play.plays(0, [throw()]);
    assert_eq!(play.legal(0), [discard("air"), discard("fire")]);
    assert_eq!(play.refuses(0, &discard("stone-2")), "sal.one-per-kind");
    assert_eq!(play.refuses(0, &discard("water")), "sal.one-per-kind");
    assert_eq!(play.refuses(0, &walk(By::Sum)), "sal.hand-limit");
    play.plays(0, [discard("air")]);
    assert_eq!(play.hand(0), ["fire", "stone-2"]);
    assert_eq!(play.public().discards, [card("air")]);
}

#[test]
fn sal_hand_limit_of_three_kinds_any_card_goes() {
    for gone in ["air", "stone-2", "number-4"] {
        let mut play = play(2, &[2, 3, 1], &format!("{DEAL} number-4"));
        play.plays(0, [throw()]);
        assert_eq!(play.legal(0), [discard("air"), discard("stone-2"), discard("number-4")]);
        assert_eq!(play.refuses(0, &discard("number-5")), "sal.hand-limit");
        play.plays(0, [discard(gone)]);
        assert!(!play.hand(0).contains(&gone) && play.hand(0).len() == 2);
    }
}

#[test]
fn sal_picture_stone_lists_the_rooms_that_agree_with_the_hand() {
    let rooms = |deck: &str| {
        let mut play = play(2, &[2, 3, 3], deck);
        play.plays(0, [throw()]);
        play.legal(0).len()
    };
    assert_eq!(rooms("air stone-2 earth number-5"), 7);
    assert_eq!(rooms("air number-2 earth number-5"), 3);
    assert_eq!(rooms("stone-1 number-2 earth number-5"), 4);
    assert_eq!(rooms("air air earth number-5"), 21);
    assert_eq!(rooms("stone-1 stone-1 earth number-5"), 28);
    assert_eq!(rooms("number-2 number-2 earth number-5"), 12);
}

#[test]
fn sal_picture_stone_agrees_with_every_card() {
    let mut play = play(2, &[2, 3, 3], "water stone-3 earth number-5");
    play.plays(0, [throw()]);
    assert_eq!(play.refuses(0, &walk(By::Sum)), "sal.picture-stone");
    assert_eq!(play.refuses(0, &place("water", 2, 1)), "sal.picture-stone");
    assert_eq!(play.refuses(0, &place("fire", 3, 1)), "sal.picture-stone");
    play.plays(0, [place("water", 3, 5)]);
    assert_eq!(play.public().stones, [Some(room("water", 3, 5)), None]);
}

#[test]
fn sal_move_comes_after_the_throw_and_once() {
    let mut play = play(2, &[2, 2, 4], DEAL);
    for early in [walk(By::Sum), end_turn(), ask(1, "air"), announce(&[(1, "number-5")])] {
        assert_eq!(play.refuses(0, &early), "sal.move");
    }
    assert_eq!(play.refuses(0, &throw_keys()), "sal.keys");
    play.moves(0, By::Difference);
    assert_eq!(play.refuses(0, &walk(By::Sum)), "sal.move");
}

#[test]
fn sal_doubles_offer_another_throw_and_only_they() {
    let mut play = play(2, &[2, 2, 3, 2, 3, 3], DEAL);
    play.moves(0, By::Difference);
    assert_eq!(play.legal(0)[play.legal(0).len() - 2..], [throw(), end_turn()]);
    play.moves(0, By::Sum);
    assert_eq!(play.pieces()[0], road(6));
    assert_eq!(play.refuses(0, &throw()), "sal.doubles");
}

#[test]
fn sal_doubles_are_not_forced() {
    let mut play = play(2, &[2, 2, 3], DEAL);
    play.moves(0, By::Sum).plays(0, [end_turn()]);
    assert_eq!(play.turn(), 1);
}

#[test]
fn a_turn_with_nothing_left_to_choose_is_ended_by_the_table() {
    let mut play = play(2, &[1, 2, 3], DEAL);
    play.moves(0, By::Sum);
    assert_eq!(play.pieces()[0], road(4));
    assert_eq!(play.log.last(), Some(&Event::TurnEnded { seat: seat(0), forced: true }));
    assert_eq!(play.turn(), 1);
}
