//! Who takes the pot: totals, hands, and every tie rule.

use super::*;

fn with(tie_rule: TieRule) -> Options {
    Options { tie_rule, ..one_game() }
}

fn roller(roller_fallback: RollerFallback) -> Options {
    Options { tie_rule: TieRule::Roller, roller_fallback, ..one_game() }
}

fn with_hands() -> Options {
    Options { hands: true, ..one_game() }
}

/// Four fives each, both stop.
const FIVES: &[u32] = &[5; 8];
const FOUR_EACH: &str = "rr rr rr rr ss";

#[test]
fn rule_21_showdown_the_highest_total_takes_the_pot() {
    // 20 in four rolls against 21 in five.
    let play = Play::new(2, one_game(), &[5, 3, 5, 4, 5, 6, 5, 6, 2]).play("rr rr rr rr sr s");
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::Total)], vec![80, 120]));
}

#[test]
fn rule_21_showdown_19_cannot_come_back_after_20_has_stopped() {
    // The original's example of why stopping is for good: 19 stops, then 20 does.
    let play = Play::new(2, one_game(), &[5, 5, 5, 5, 5, 5, 4, 5]).play("rr rr rr rr ss");
    assert_eq!((play.wins(), play.view().totals), (vec![(1, WonBy::Total)], vec![19, 20]));
}

#[test]
fn rule_21_showdown_the_last_one_standing_wins_with_any_total() {
    let play = Play::new(2, one_game(), &[6, 1, 6, 1, 6, 1, 4]).play("rr rr rr rs");
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::Total)], vec![78, 122]));
}

#[test]
fn rule_21_all_bust_leaves_the_pot_to_the_next_winner_under_any_tie_rule() {
    let rules = [TieRule::Final, TieRule::Roller, TieRule::Draw, TieRule::Carryover, TieRule::SuddenDeath];
    for tie_rule in rules {
        let options = Options { tie_rule, games: Some(2), ..Options::default() };
        let play = Play::new(2, options, &[6, 6, 6, 6, 6, 6, 4, 4, 5, 6, 5, 6, 5, 6]).play("rr rr rr rr");
        assert!(play.log.contains(&Event::PotKept { reason: KeptBy::AllBust, pot: 44 }));
        assert_eq!(play.log.last(), Some(&Event::GameBegan { game_no: 2, dealer: seat(1), pot: 44 }));
        let play = play.play("rr rr rr ss");
        assert_eq!(play.view().chips, [137, 63], "{tie_rule:?}");
    }
}

#[test]
fn rule_21_all_bust_in_the_last_game_leaves_the_pot_to_nobody() {
    let play = Play::new(2, one_game(), &[6, 6, 6, 6, 6, 6, 4, 4]).play("rr rr rr rr");
    assert_eq!((play.view().chips, play.view().pot), (vec![78, 78], 44));
    assert_eq!(play.game.outcome().unwrap().ranks, [1, 1]);
}

#[test]
fn tie_final_is_the_default_and_goes_to_who_rolled_last() {
    // 20 in four against 20 in five.
    let play = Play::new(2, one_game(), &[5, 4, 5, 4, 5, 4, 5, 4, 4]).play("rr rr rr rr sr s");
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::Final)], vec![80, 120]));
    // Equally many rolls: the seat that comes later in the round.
    assert_eq!(Play::new(2, one_game(), FIVES).play(FOUR_EACH).wins(), [(1, WonBy::Final)]);
    // The dealer rolls first in a round, so a later round beats the later place.
    let play = Play::new(2, one_game(), &[4, 5, 4, 5, 4, 5, 4, 5, 4]).play("rr rr rr rr rs s");
    assert_eq!(play.wins(), [(0, WonBy::Final)]);
}

#[test]
fn tie_final_counts_places_from_the_dealer() {
    let options = Options { games: Some(2), ..Options::default() };
    let dice: Vec<u32> = FIVES.iter().chain(FIVES).copied().collect();
    let play = Play::new(2, options, &dice).play(FOUR_EACH).play(FOUR_EACH);
    assert_eq!(play.wins(), [(1, WonBy::Final), (0, WonBy::Final)]);
}

#[test]
fn tie_roller_goes_to_who_rolled_most() {
    // The original's example: 4,4,3,3,3,3 against 5,5,5,5.
    let play = Play::new(2, roller(RollerFallback::Draw), &[5, 4, 5, 4, 5, 3, 5, 3, 3, 3]).play("rr rr rr rr sr rs");
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::Roller)], vec![80, 120]));
}

#[test]
fn tie_roller_falls_back_among_those_with_the_most_rolls() {
    // Seats 0 and 2 reach 20 in five rolls, seat 1 in four.
    let dice = &[4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 5, 4, 4, 4];
    let actions = "rrr rrr rrr rrr rsr s s";
    let play = |fallback, more: &[u32]| Play::new(3, roller(fallback), &[dice, more].concat()).play(actions);

    assert_eq!(play(RollerFallback::Final, &[]).wins(), [(2, WonBy::Final)]);
    assert_eq!(play(RollerFallback::Draw, &[]).view().chips, [110, 80, 110]);
    let kept = play(RollerFallback::Carryover, &[]);
    assert_eq!((kept.view().pot, kept.view().chips), (60, vec![80, 80, 80]));
    let diced = play(RollerFallback::SuddenDeath, &[6, 2]);
    assert_eq!(diced.view().sudden_death.as_ref().unwrap().seats, [seat(0), seat(2)]);
    assert_eq!(diced.play("rr").wins(), [(0, WonBy::SuddenDeath)]);
}

#[test]
fn tie_roller_falls_back_to_a_draw_by_default() {
    let play = Play::new(2, with(TieRule::Roller), FIVES).play(FOUR_EACH);
    assert_eq!(play.view().chips, [100, 100]);
    assert_eq!(play.game.outcome().unwrap().winners, [seat(0), seat(1)]);
}

#[test]
fn tie_draw_shares_the_pot() {
    let play = Play::new(2, with(TieRule::Draw), &[5, 4, 5, 4, 5, 4, 5, 4, 4]).play("rr rr rr rr sr s");
    assert_eq!(play.view().chips, [100, 100]);
    let tied = [seat(0), seat(1)].into_iter().collect();
    assert!(play.log.contains(&Event::GameDrawn { seats: tied, total: 20, hand: None, share: 20, remainder: 0 }));
}

#[test]
fn tie_draw_leaves_the_remainder_to_the_next_game() {
    // Seats 0 and 1 tie at 18; seat 2 has put in 3: 39 = 2 × 19 + 1.
    let options = Options { tie_rule: TieRule::Draw, games: Some(2), ..Options::default() };
    let play = Play::new(3, options, &[6, 6, 1, 6, 6, 1, 6, 6, 1]).play("rrr rrr rrr sss");
    assert_eq!((play.view().chips, play.view().pot), (vec![101, 101, 97], 1));
    assert_eq!(play.log.last(), Some(&Event::GameBegan { game_no: 2, dealer: seat(1), pot: 1 }));
}

#[test]
fn tie_carryover_leaves_the_pot_to_the_next_winner() {
    let options = Options { tie_rule: TieRule::Carryover, games: Some(2), ..Options::default() };
    let dice = [5, 5, 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, 5, 6];
    let play = Play::new(2, options, &dice).play(FOUR_EACH);
    assert!(play.log.contains(&Event::PotKept { reason: KeptBy::Carryover, pot: 40 }));
    assert_eq!(play.play("rr rr rr ss").view().chips, [137, 63]);
}

#[test]
fn tie_carryover_adds_up_over_several_games() {
    let options = Options { tie_rule: TieRule::Carryover, games: Some(3), ..Options::default() };
    let play = Play::new(2, options, &[1; 18]).play("rr rr rr ss rr rr rr ss");
    assert_eq!((play.view().pot, play.view().game_no), (12, 3));
}

#[test]
fn tie_sudden_death_the_highest_die_takes_the_pot_free_of_chips() {
    let play = Play::new(2, with(TieRule::SuddenDeath), &[FIVES, &[2, 5]].concat()).play(FOUR_EACH);
    assert_eq!((play.view().phase, play.turn()), (PhaseName::SuddenDeath, seat(0)));
    let play = play.play("r");
    let round = play.view().sudden_death.unwrap();
    assert_eq!((round.dice, play.turn()), (vec![Face::new(2), None], seat(1)));
    let play = play.play("r");
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::SuddenDeath)], vec![80, 120]));
}

#[test]
fn tie_sudden_death_those_equal_at_the_top_roll_again() {
    // Three tie at 15; 4, 4, 1: two go on; 3, 3: again; 6, 2.
    let dice = [&[5; 9][..], &[4, 4, 1, 3, 3, 6, 2]].concat();
    let play = Play::new(3, with(TieRule::SuddenDeath), &dice).play("rrr rrr rrr sss rrr");
    assert_eq!(play.view().sudden_death.unwrap().seats, [seat(0), seat(1)]);
    let play = play.play("rr");
    assert_eq!(play.view().sudden_death.unwrap().dice, [None; 3]);
    let play = play.play("rr");
    assert_eq!((play.wins(), play.view().chips), (vec![(0, WonBy::SuddenDeath)], vec![130, 85, 85]));
}

#[test]
fn tie_sudden_death_the_dice_go_from_the_dealer_clockwise() {
    let options = Options { tie_rule: TieRule::SuddenDeath, games: Some(2), ..Options::default() };
    // Seat 1 wins the first game and deals the second, in which all tie.
    let dice = [&[1, 2, 1, 1, 2, 1, 1, 2, 1][..], &[3; 9], &[1, 2, 3]].concat();
    let mut play = Play::new(3, options, &dice).play("rrr rrr rrr sss rrr rrr rrr sss");
    let mut order = Vec::new();
    while !play.game.to_act().is_empty() {
        order.push(play.turn().number());
        play = play.play("r");
    }
    assert_eq!((order, play.wins()[1]), (vec![1, 2, 0], (0, WonBy::SuddenDeath)));
}

#[test]
fn tie_sudden_death_has_one_action_and_it_is_no_stop() {
    let mut play = Play::new(2, with(TieRule::SuddenDeath), FIVES).play(FOUR_EACH);
    assert_eq!(play.legal(seat(0)), [Action::Roll {}]);
    assert_eq!(play.act(Action::Stop {}).unwrap_err().rule, "21.showdown");
}

/// 5,4,1,3,6,2 and seven threes: 21 both.
const STRAIGHT_AND_THREES: &[u32] = &[5, 3, 4, 3, 1, 3, 3, 3, 6, 3, 2, 3, 3];
const STRAIGHT_STOPS_FIRST: &str = "rr rr rr rr rr rr sr s";

#[test]
fn rule_21_straight_beats_a_plain_21_that_rolled_last() {
    let play = Play::new(2, with_hands(), STRAIGHT_AND_THREES).play(STRAIGHT_STOPS_FIRST);
    assert_eq!((play.wins(), play.view().chips), (vec![(0, WonBy::Hand)], vec![121, 79]));
    assert!(play.log.iter().any(|event| matches!(event, Event::GameWon { hand: Some(Hand::Straight), .. })));
}

#[test]
fn rule_21_straight_is_a_plain_21_where_hands_are_off() {
    let play = Play::new(2, one_game(), STRAIGHT_AND_THREES).play(STRAIGHT_STOPS_FIRST);
    assert_eq!((play.wins(), play.view().chips), (vec![(1, WonBy::Final)], vec![79, 121]));
    assert!(play.log.iter().any(|event| matches!(event, Event::GameWon { hand: None, .. })));
}

/// Six rolls each, seat 0's and seat 1's in turn.
fn six_each(first: [u32; 6], second: [u32; 6], options: Options) -> Play {
    let dice: Vec<u32> = first.into_iter().zip(second).flat_map(|(a, b)| [a, b]).collect();
    Play::new(2, options, &dice).play("rr rr rr rr rr rr ss")
}

#[test]
fn rule_21_straight_and_double_in_their_order() {
    let straight = [5, 4, 1, 3, 6, 2];
    let (one_six, two_five, three_four) = ([6, 1, 1, 6, 6, 1], [2, 2, 2, 5, 5, 5], [3, 4, 3, 4, 4, 3]);
    let plain = [3, 3, 3, 3, 3, 6];
    let order = [straight, one_six, two_five, three_four, plain];
    for (place, stronger) in order.iter().enumerate() {
        for weaker in &order[place + 1..] {
            // As the dealer the stronger would lose a tie by `final`.
            assert_eq!(
                six_each(*stronger, *weaker, with_hands()).wins(),
                [(0, WonBy::Hand)],
                "{stronger:?} {weaker:?}"
            );
            assert_eq!(six_each(*weaker, *stronger, with_hands()).wins(), [(1, WonBy::Hand)]);
            assert_eq!(six_each(*stronger, *weaker, one_game()).wins(), [(1, WonBy::Final)]);
        }
    }
}

#[test]
fn rule_21_double_equal_hands_go_to_the_tie_rule() {
    let options = Options { tie_rule: TieRule::Draw, ..with_hands() };
    let play = six_each([6, 6, 6, 1, 1, 1], [1, 6, 1, 6, 1, 6], options);
    let drawn = |event: &Event| matches!(event, Event::GameDrawn { hand: Some(Hand::DoubleOneSix), share: 21, .. });
    assert!(play.log.iter().any(drawn));
}

#[test]
fn rule_21_double_every_example_of_the_original_is_a_hand() {
    let hand = |pips: &[u8]| Hand::of(&pips.iter().map(|&pips| Face::new(pips).unwrap()).collect::<Vec<_>>());
    assert_eq!(hand(&[1, 1, 1, 6, 6, 6]), Some(Hand::DoubleOneSix));
    assert_eq!(hand(&[6, 6, 6, 1, 1, 1]), Some(Hand::DoubleOneSix));
    assert_eq!(hand(&[6, 1, 1, 6, 6, 1]), Some(Hand::DoubleOneSix));
    assert_eq!(hand(&[2, 2, 2, 5, 5, 5]), Some(Hand::DoubleTwoFive));
    assert_eq!(hand(&[3, 3, 3, 4, 4, 4]), Some(Hand::DoubleThreeFour));
    assert_eq!(hand(&[1, 2, 3, 4, 5, 6]), Some(Hand::Straight));
    assert_eq!(hand(&[5, 4, 1, 3, 6, 2]), Some(Hand::Straight));
    assert_eq!(hand(&[1; 21]), None, "21 ones are just a 21");
    assert_eq!(hand(&[3, 3, 3, 3, 3, 6]), None);
    assert_eq!(hand(&[1, 2, 3, 4, 5]), None);
}

#[test]
fn rule_21_showdown_a_hand_that_meets_no_other_21_wins_by_its_total() {
    let play = six_each([1, 2, 3, 4, 5, 6], [3, 3, 3, 3, 3, 5], with_hands());
    assert_eq!(play.wins(), [(0, WonBy::Total)]);
}
