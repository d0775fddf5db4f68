//! Rolling, stopping, paying, busting.

use super::*;

#[test]
fn rule_21_order_the_dealer_rolls_first_then_clockwise() {
    let play = Play::new(3, one_game(), &[]);
    let mut seen = Vec::new();
    let mut play = play;
    for _ in 0..7 {
        seen.push(play.turn().number());
        play = play.play("r");
    }
    assert_eq!(seen, [0, 1, 2, 0, 1, 2, 0]);
}

#[test]
fn rule_21_order_the_next_seat_deals_the_next_game() {
    let play = Play::new(3, Options::default(), &[1; 27]);
    let play = play.play("rrr rrr rrr sss");
    assert_eq!((play.view().game_no, play.view().dealer, play.turn()), (2, seat(1), seat(1)));
    let play = play.play("rrr rrr rrr sss");
    assert_eq!((play.view().game_no, play.view().dealer, play.turn()), (3, seat(2), seat(2)));
}

#[test]
fn rule_21_order_who_is_out_or_has_stopped_is_passed_over() {
    let play = Play::new(3, one_game(), &[6, 1, 1, 6, 1, 1, 6, 1, 1, 6]).play("rrr rrr rrr r");
    assert_eq!(play.turn(), seat(1));
    let play = play.play("sr");
    assert_eq!(play.turn(), seat(2));
    assert_eq!(play.view().standing, [Standing::Bust, Standing::Stopped, Standing::Rolling]);
}

#[test]
fn rule_21_roll_adds_to_the_total_and_pays_the_pot() {
    let play = Play::new(2, one_game(), &[5, 3, 6]).play("rrr");
    let view = play.view();
    assert_eq!((view.chips, view.pot, view.totals), (vec![89, 97], 14, vec![11, 3]));
    assert_eq!(serde_json::to_value(view.rolls).unwrap(), serde_json::json!([[5, 6], [3]]));
    assert_eq!(play.log.last(), Some(&Event::Rolled { seat: seat(0), die: Face::new(6).unwrap(), total: 11 }));
}

#[test]
fn rule_21_roll_the_roll_that_busts_is_paid_too() {
    let play = Play::new(2, one_game(), &[6, 1, 6, 1, 6, 1, 4]).play("rr rr rr r");
    assert_eq!((play.view().chips, play.view().pot), (vec![78, 97], 25));
}

#[test]
fn rule_21_roll_balances_may_go_below_zero() {
    let options = Options { starting_chips: 5, ..one_game() };
    let play = Play::new(2, options, &[6, 6, 6, 6, 6, 6, 4]).play("rr rr rr rs");
    assert_eq!(play.view().chips, [-17, 27]);
}

#[test]
fn rule_21_three_rounds_everybody_rolls_and_nobody_stops() {
    let mut play = Play::new(2, one_game(), &[1; 6]);
    for round in 1..=3 {
        for _ in 0..2 {
            assert_eq!(play.view().round, round);
            assert_eq!(play.legal(play.turn()), [Action::Roll {}]);
            let before = (format!("{:?}", play.game), play.log.len(), play.chance.position());
            let refusal = play.act(Action::Stop {}).unwrap_err();
            assert_eq!(refusal.rule, "21.three-rounds");
            assert!(refusal.detail.en.starts_with(&format!("Round {round}:")), "{}", refusal.detail.en);
            assert_eq!((format!("{:?}", play.game), play.log.len(), play.chance.position()), before);
            play = play.play("r");
        }
    }
    assert_eq!((play.view().round, play.legal(seat(0))), (4, vec![Action::Roll {}, Action::Stop {}]));
}

#[test]
fn rule_21_stop_ends_the_seats_rolling_in_this_game() {
    let play = Play::new(2, one_game(), &[6, 1, 6, 1, 6, 1, 1, 1, 1]).play("rr rr rr s rrr");
    assert_eq!(play.turn(), seat(1), "only the other seat is asked again");
    assert_eq!(play.legal(seat(0)), []);
    assert!(!play.game.may_act(seat(0), &Action::Roll {}));
    assert!(play.log.contains(&Event::Stopped { seat: seat(0), total: 18 }));
}

#[test]
fn rule_21_bust_22_is_out_at_once_and_21_is_not() {
    let play = Play::new(2, one_game(), &[6, 6, 6, 6, 6, 6, 3, 4]).play("rr rr rr rr");
    assert_eq!(play.view().standing, [Standing::Rolling, Standing::Bust]);
    assert_eq!(play.log.last(), Some(&Event::Bust { seat: seat(1), total: 22 }));
}

#[test]
fn rule_21_showdown_reaching_21_does_not_stop_by_itself() {
    let play = Play::new(2, one_game(), &[6, 1, 6, 1, 6, 1, 3, 1, 1]).play("rr rr rr rr");
    assert_eq!((play.turn(), play.legal(seat(0))), (seat(0), vec![Action::Roll {}, Action::Stop {}]));
    assert_eq!(play.play("r").view().standing[0], Standing::Bust);
}

#[test]
fn rule_21_bust_the_longest_run_is_21_ones_and_one_more() {
    let mut dice = vec![1; 6];
    dice.extend([1; 19]);
    let play = Play::new(2, one_game(), &dice).play("rr rr rr r s rrr rrr rrr rrr rrr rrr");
    assert_eq!((play.view().totals[0], play.view().rolls[0].len()), (22, 22));
    assert_eq!(play.wins(), [(1, WonBy::Total)]);
}

#[test]
fn rule_21_order_a_seat_that_is_not_to_act_has_no_actions() {
    let play = Play::new(2, one_game(), &[]);
    assert_eq!((play.legal(seat(0)).len(), play.legal(seat(1)).len()), (1, 0));
    assert!(!play.game.may_act(seat(1), &Action::Roll {}));
}
