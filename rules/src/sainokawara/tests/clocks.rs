//! sai.stack, sai.clock, sai.collapse, sai.blame, sai.pause: who is to blame at every instant.

use dictionary::Lexicon;

use super::super::{Action, Cause, Event, Options};
use super::table::{PAUSE, Played, RELEASE, REPORT, TAKE, at, duty, seat};
use crate::game::{Inquiry, Level};

/// Seven dice stand at 0 s; seat 1 stacked die 7, seat 2 is next with die 8.
fn seven_stand() -> Played {
    Played::stacked(3, 7)
}

fn stacking(played: &Played) -> super::super::StackingView {
    played.view().stacking.unwrap()
}

#[test]
fn stack_goes_by_the_duties() {
    let mut played = Played::rolled(3);
    let mut stackers = Vec::new();
    for _ in 0..13 {
        stackers.push(played.to_act());
        assert_eq!(stacking(&played).stacker, seat(played.to_act()));
        played.go(&[TAKE, RELEASE]);
    }
    assert_eq!(stackers, [0, 0, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1]);
}

#[test]
fn stack_takes_and_releases_by_turns() {
    let mut played = Played::rolled(3);
    assert_eq!(played.refused(1, TAKE), "not-your-turn");
    assert_eq!(played.refused(0, RELEASE), "sai.stack");
    played.act(0, TAKE);
    assert_eq!(played.refused(0, TAKE), "sai.stack");
    assert_eq!(played.refused(1, RELEASE), "not-your-turn");
    assert_eq!(played.refused(0, duty(4)), "sai.prepare");
}

#[test]
fn stack_takes_the_die_off_its_space() {
    let mut played = Played::rolled(3);
    assert_eq!(played.view().spaces.iter().flatten().count(), 14);
    played.act(0, TAKE);
    assert_eq!(played.view().spaces[5], None, "3 and 4 make 7, on space 5");
    played.act(0, RELEASE);
    assert_eq!(played.view().spaces.iter().flatten().count(), 13);
}

#[test]
fn collapse_needs_two_standing_dice() {
    let mut played = Played::new(3, Options::default(), &[3, 4]);
    assert_eq!(played.refused(0, REPORT), "sai.collapse");
    assert_eq!(played.refused(2, REPORT), "sai.collapse");
    for count in 0..2 {
        let mut played = Played::stacked(3, count);
        assert_eq!(played.refused(2, REPORT), "sai.collapse");
        played.act(0, TAKE);
        assert_eq!(played.refused(0, REPORT), "sai.collapse");
    }
    assert_eq!(Played::stacked(3, 2).act(1, REPORT).fell(), Some((0, 2)));
}

#[test]
fn collapse_is_listed_for_every_seat_while_it_can_be_reported() {
    let listed = |played: &Played, number| {
        let lexicon = Lexicon::empty();
        played.table.legal_actions(seat(number), Inquiry { lexicon: &lexicon, words: false }, 100)
    };
    let played = Played::stacked(3, 1);
    assert_eq!((played.to_act(), listed(&played, 0).0), (0, vec![TAKE]));
    assert_eq!(listed(&played, 1), (vec![], true));
    let played = Played::stacked(3, 3);
    assert_eq!((played.to_act(), listed(&played, 1)), (1, (vec![TAKE, PAUSE, REPORT], true)));
    for onlooker in [0, 2] {
        assert_eq!(listed(&played, onlooker), (vec![REPORT], true));
        assert_eq!(played.table.advise(seat(onlooker), Level::Easy, &Lexicon::empty()), [], "it owes no decision");
    }
}

/// Nobody knows where a tower falls: only to lay the blame on oneself changes the prospects, and at
/// the start not even that.
#[test]
fn back_to_start_is_all_that_the_bot_values_otherwise() {
    let values = |played: &Played| {
        let advice = played.table.advise(seat(played.to_act()), Level::Easy, &Lexicon::empty());
        advice.into_iter().map(|advice| (advice.action, advice.value)).collect::<Vec<_>>()
    };
    let third = |(_, value): &(Action, f64)| (value - 1.0 / 3.0).abs() < 1e-9;
    let played = Played::stacked(3, 3);
    assert!(values(&played).len() == 3 && values(&played).iter().all(third), "{:?}", values(&played));
    assert_eq!(values(&played)[0].0, TAKE);
    assert!(values(&Played::new(3, Options::default(), &[])).iter().all(third));
}

#[test]
fn blame_is_nobodys_before_the_first_die_is_taken() {
    let mut played = Played::rolled(3);
    assert_eq!(stacking(&played).blame, None);
    played.act(0, TAKE);
    assert_eq!(stacking(&played).blame, Some(seat(0)));
}

#[test]
fn blame_moves_with_taking_the_die_whoever_reports() {
    for reporter in 0..3 {
        let mut played = seven_stand();
        assert_eq!((stacking(&played).stacker, stacking(&played).blame), (seat(2), Some(seat(1))));
        assert_eq!(played.act(reporter, REPORT).fell(), Some((1, 7)), "released, not yet taken");

        let mut played = seven_stand();
        played.until(12.0).act(2, TAKE);
        assert_eq!(stacking(&played).blame, Some(seat(2)));
        assert_eq!(played.act(reporter, REPORT).fell(), Some((2, 8)), "in the hand");

        let mut played = seven_stand();
        played.act(2, TAKE).until(9.0).act(2, RELEASE);
        assert_eq!(played.until(9.1).act(reporter, REPORT).fell(), Some((2, 8)), "just released");
    }
}

#[test]
fn pause_keeps_the_blame_for_ten_seconds_to_the_instant() {
    for (report_at, expected) in [(30.0, (1, 7)), (39.999, (1, 7)), (40.0, (2, 8)), (40.001, (2, 8)), (70.0, (2, 8))] {
        let mut played = seven_stand();
        played.until(30.0).act(2, PAUSE);
        assert_eq!(stacking(&played).pause_until, Some(at(40.0)));
        assert_eq!(played.until(report_at).act(0, REPORT).fell(), Some(expected), "at {report_at} s");
    }
}

#[test]
fn pause_ends_when_the_die_is_taken() {
    let mut played = seven_stand();
    played.until(30.0).act(2, PAUSE).until(33.0).act(2, TAKE);
    assert_eq!((stacking(&played).pause_until, stacking(&played).deadline_at), (None, Some(at(93.0))));
    assert_eq!(played.act(0, REPORT).fell(), Some((2, 8)));
}

#[test]
fn pause_is_asked_for_once_a_die_between_release_and_taking() {
    let mut played = seven_stand();
    assert_eq!(played.refused(0, PAUSE), "not-your-turn");
    assert_eq!(played.refused(1, PAUSE), "not-your-turn");
    played.until(10.0).act(2, PAUSE);
    assert_eq!(played.refused(2, PAUSE), "sai.pause");
    played.until(20.0);
    assert_eq!(played.refused(2, PAUSE), "sai.pause", "it was asked for already");
    played.until(26.0).act(2, TAKE);
    assert_eq!(played.refused(2, PAUSE), "sai.pause");
    played.until(28.0).act(2, RELEASE).until(29.0).act(0, PAUSE);
}

#[test]
fn pause_is_not_for_the_first_three_dice_and_is_for_the_fourth() {
    for count in 0..3 {
        let mut played = Played::stacked(3, count);
        assert_eq!(played.refused(0, PAUSE), "sai.pause");
    }
    Played::stacked(3, 3).act(1, PAUSE);
    assert_eq!(Played::new(3, Options::default(), &[]).refused(0, PAUSE), "sai.pause");
}

#[test]
fn clock_gives_two_minutes_for_the_first_three_dice_together() {
    let mut played = Played::rolled(3);
    played.until(5.0).act(0, TAKE).until(60.0).act(0, RELEASE).until(61.0).act(0, TAKE).until(110.0).act(0, RELEASE);
    assert_eq!(stacking(&played).deadline_at, Some(at(120.0)));
    assert_eq!(played.until(119.999).fell(), None);
    assert_eq!(played.until(120.0).fell(), Some((0, 3)));
    assert_eq!((played.track(), played.to_act()), (vec![0, 3, 1], 0));
}

#[test]
fn clock_gives_a_minute_from_the_release_before() {
    let mut played = Played::rolled(4);
    played.go(&[TAKE, RELEASE, TAKE, RELEASE]).until(29.0).act(0, TAKE).until(30.0).act(0, RELEASE);
    assert_eq!(stacking(&played).deadline_at, Some(at(90.0)));
    played.until(80.0).act(1, TAKE);
    assert_eq!(stacking(&played).deadline_at, Some(at(90.0)));
    assert_eq!(played.until(89.999).fell(), None);
    assert_eq!(played.until(90.0).fell(), Some((1, 4)));
    assert_eq!((played.track(), played.to_act()), (vec![4, 0, 3, 1], 1));
}

#[test]
fn clock_runs_against_the_stacker_though_the_blame_has_not_moved() {
    let mut played = seven_stand();
    assert_eq!(stacking(&played).blame, Some(seat(1)));
    assert_eq!(played.until(60.0).fell(), Some((2, 8)));
    let fall = played.events.iter().find(|event| matches!(event, Event::TowerFell { .. })).unwrap();
    assert!(matches!(fall, Event::TowerFell { cause: Cause::Clock, reporter: None, .. }));
}

#[test]
fn clock_begins_at_the_end_of_the_pause() {
    let mut played = seven_stand();
    played.until(59.999).act(2, PAUSE);
    assert_eq!(stacking(&played).deadline_at, None);
    played.until(69.999);
    assert_eq!(stacking(&played).deadline_at, Some(at(129.999)));
    assert_eq!(played.until(129.998).fell(), None);
    assert_eq!(played.until(129.999).fell(), Some((2, 8)));
}

#[test]
fn clock_is_not_kept_where_the_option_says_so() {
    let mut played = Played::new(3, Options { enforce_clock: false, ..Options::default() }, &[3, 4]);
    played.prepare(|duty| duty.number() % 3).go(&[Action::RollStart {}]);
    for _ in 0..3 {
        played.go(&[TAKE, RELEASE]);
    }
    assert_eq!(played.table.due(), None);
    assert_eq!(played.until(7200.0).go(&[PAUSE]).until(7210.0).fell(), None);
    assert_eq!(played.act(2, REPORT).fell(), Some((1, 4)), "the pause is kept all the same");
}

#[test]
fn an_action_at_the_very_instant_comes_after_the_clock() {
    let mut played = seven_stand();
    played.act(2, TAKE).until(60.0);
    assert_eq!(played.refused(2, RELEASE), "sai.stack");
    assert_eq!(played.fell(), Some((2, 8)));
}
