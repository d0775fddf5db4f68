//! sai.back-to-start, sai.complete, sai.early, sai.neighbours, sai.goal, sai.next-round.

use super::super::board::{Duties, Owners};
use super::super::scoring::{Ending, Steps};
use super::super::{Action, Duty, Event};
use super::table::{Played, RELEASE, REPORT, TAKE, seat};
use crate::seat::SeatCount;

/// What the rule text gives, by the die at which the tower fell: (duty, steps). Written out by hand.
const FALLS: [&[(u8, u8)]; 14] = [
    &[(4, 3), (5, 1)],
    &[(4, 3), (5, 1)],
    &[(4, 3), (5, 1)],
    &[(3, 4), (5, 3), (6, 1)],
    &[(4, 4), (6, 3), (3, 2), (7, 1)],
    &[(5, 4), (7, 3), (4, 2), (8, 1)],
    &[(6, 4), (8, 3), (5, 2), (9, 1)],
    &[(7, 4), (9, 3), (6, 2), (10, 1)],
    &[(8, 4), (10, 3), (7, 2), (11, 1)],
    &[(9, 4), (11, 3), (8, 2), (12, 1)],
    &[(10, 4), (12, 3), (9, 2), (13, 1)],
    &[(11, 4), (13, 3), (10, 2), (14, 1)],
    &[(12, 4), (14, 3), (11, 2)],
    &[(13, 4), (12, 2)],
];

/// The owners of the cards that are rewarded and of the one that is blamed, in every pattern of six
/// seats; all other cards are seat 5's, which must gain nothing by them.
fn every_pattern(cards: &[u8], mut check: impl FnMut(&Owners)) {
    for pattern in 0..6_u32.pow(cards.len() as u32) {
        let mut duties = Duty::ALL.into_iter().fold(Duties::default(), |duties, duty| duties.with(duty, seat(5)));
        for (place, &card) in cards.iter().enumerate() {
            let owner = pattern / 6_u32.pow(place as u32) % 6;
            duties = duties.with(Duty::numbered(card).unwrap(), seat(owner as u8));
        }
        check(&duties.all_taken().unwrap());
    }
}

#[test]
fn every_fall_gives_what_the_table_says_in_every_owner_pattern() {
    let seats = SeatCount::new(6).unwrap();
    let before: Steps = [9, 2, 14, 0, 7, 5].into_iter().collect();
    for (number, rewards) in (1..).zip(FALLS) {
        let mut cards: Vec<_> = rewards.iter().map(|&(card, _)| card).collect();
        cards.push(number.max(3));
        every_pattern(&cards, |owners| {
            let blamed = owners.stacker(number);
            let mut moves = [0; 6];
            for &(card, steps) in rewards {
                moves[owners.of(Duty::numbered(card).unwrap()).index()] += steps;
            }
            moves[blamed.index()] = 0;
            let ending = Ending::Fell { number, blamed };
            assert_eq!(ending.moves(owners, seats).as_slice(), moves, "n = {number}, {owners:?}");
            let track = ending.advance(&before, &ending.moves(owners, seats));
            for seat in seats.seats() {
                let expected = if seat == blamed { 0 } else { before[seat.index()] + moves[seat.index()] };
                assert_eq!(track[seat.index()], expected);
            }
        });
    }
}

#[test]
fn complete_moves_the_owner_of_fourteen_alone() {
    let seats = SeatCount::new(6).unwrap();
    every_pattern(&[14, 13, 12, 3], |owners| {
        let mut moves = [0; 6];
        moves[owners.of(Duty::Fourteen).index()] = 5;
        assert_eq!(Ending::Complete.moves(owners, seats).as_slice(), moves);
    });
}

#[test]
fn early_falls_score_at_dice_one_to_three() {
    assert_eq!(Played::stacked(3, 2).go(&[TAKE]).act(1, REPORT).track(), [0, 3, 1]);
}

#[test]
fn neighbours_count_the_first_duty_as_three_only() {
    assert_eq!(Played::stacked(4, 3).go(&[TAKE]).act(1, REPORT).track(), [4, 0, 3, 1]);
    assert_eq!(Played::stacked(3, 4).go(&[TAKE]).act(1, REPORT).track(), [5, 5, 0]);
}

#[test]
fn neighbours_add_up_for_one_seat_and_miss_what_does_not_exist() {
    assert_eq!(Played::stacked(4, 7).go(&[TAKE]).act(1, REPORT).track(), [4, 0, 3, 3]);
    assert_eq!(Played::stacked(3, 12).go(&[TAKE]).act(2, REPORT).track(), [4, 0, 5]);
}

#[test]
fn back_to_start_gets_nothing_for_other_duties() {
    let owners = |duty: Duty| match duty.number() {
        3..=5 | 12 => 0,
        6..=8 | 13 => 1,
        _ => 2,
    };
    let mut played = Played::new(3, super::super::Options::default(), &[3, 4]);
    played.prepare(owners).go(&[Action::RollStart {}]);
    played.go(&[TAKE, RELEASE, TAKE, RELEASE, TAKE, RELEASE, TAKE, RELEASE, TAKE]).act(0, REPORT);
    assert_eq!((played.track(), played.to_act()), (vec![0, 4, 0], 0));
}

#[test]
fn next_round_begins_with_the_seat_to_blame_and_all_back_in_place() {
    let mut played = Played::stacked(3, 4);
    played.go(&[TAKE]).act(0, REPORT);
    assert_eq!((played.to_act(), played.view().round), (2, 2));
    assert!(played.is_cleared());
}

#[test]
fn next_round_begins_with_the_owner_of_fourteen_after_a_whole_tower() {
    let mut played = Played::stacked(3, 14);
    assert_eq!((played.track(), played.to_act()), (vec![0, 0, 5], 2));
    assert!(played.is_cleared() && !played.is_finished());
    assert!(played.events.contains(&Event::TowerCompleted { seat: seat(2) }));
    assert_eq!(played.refused(0, REPORT), "sai.collapse", "the new round has no tower yet");
}

#[test]
fn goal_is_reached_at_fifteen_and_ends_the_match() {
    let mut played = Played::stacked(3, 14);
    for expected in [10, 15] {
        played.prepare(|duty| (duty.number() - 3) % 3).go(&[Action::RollStart {}]);
        for _ in 0..14 {
            played.go(&[TAKE, RELEASE]);
        }
        assert_eq!(played.track(), [0, 0, expected]);
    }
    assert!(played.is_finished());
    let outcome = played.table.head().outcome.clone().unwrap();
    assert_eq!((outcome.ranks, outcome.reason.as_ref()), (vec![2, 2, 1], "goal"));
    assert_eq!(played.refused(0, TAKE), "match-finished");
}

#[test]
fn goal_is_shared_by_all_who_reach_it() {
    let mut played = Played::rolled(3);
    // Falls at die 8: seat 1 (7 and 10) moves 5 a time, seat 0 (6 and 9) moves 5, seat 2 is to blame.
    for round in 1..=3 {
        for _ in 0..7 {
            played.go(&[TAKE, RELEASE]);
        }
        played.go(&[TAKE]).act(0, REPORT);
        assert_eq!(played.track(), [5 * round, 5 * round, 0]);
        if round < 3 {
            played.prepare(|duty| (duty.number() - 3) % 3).go(&[Action::RollStart {}]);
        }
    }
    assert_eq!(played.table.head().outcome.clone().unwrap().ranks, [1, 1, 3]);
}
