//! The bot's judgement.

use std::cmp::Ordering;

use super::*;

fn advice(play: &mut Play, level: Level) -> Vec<Advice<Action>> {
    let turn = play.turn();
    let (view, legal) = (play.game.view(Viewer::Seat(turn)), play.legal(turn));
    let options = Arc::clone(&play.game.options);
    let lexicon = &Lexicon::empty();
    TwentyOne::advise(&view, turn, &options, legal, &mut Thinking { level, lexicon, random: &mut play.chance })
}

fn choice(mut play: Play, level: Level) -> Action {
    advice(&mut play, level)[0].action
}

/// The chance of each action, as the standard bot sees it.
fn value(play: &mut Play, action: Action) -> f64 {
    advice(play, Level::Standard).into_iter().find(|advice| advice.action == action).unwrap().value
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
}

#[test]
fn it_rolls_while_it_is_behind_one_that_has_stopped_and_stops_once_ahead() {
    for level in [Level::Easy, Level::Standard] {
        // 18 has stopped, 12 has to go on.
        let behind = || Play::new(2, one_game(), &[6, 4, 6, 4, 6, 4, 6, 1]).play("rr rr rr s");
        assert_eq!(choice(behind(), level), Action::Roll {});
        // Rolling last it takes an equal total under `final`.
        assert_eq!(choice(behind().play("r"), level), Action::Stop {});
    }
}

#[test]
fn it_never_rolls_on_21_and_never_stops_where_every_roll_is_safe_and_others_roll() {
    for level in [Level::Easy, Level::Standard] {
        let on_21 = Play::new(2, one_game(), &[6, 6, 6, 6, 6, 6, 3, 1]).play("rr rr rr rr");
        assert_eq!(choice(on_21, level), Action::Stop {});
        let on_3 = Play::new(2, one_game(), &[1; 6]).play("rr rr rr");
        assert_eq!(choice(on_3, level), Action::Roll {});
    }
}

#[test]
fn with_everybody_else_bust_stopping_wins_for_certain() {
    let mut play = Play::new(2, one_game(), &[6, 1, 6, 1, 6, 1, 4]).play("rr rr rr r");
    assert_close(value(&mut play, Action::Stop {}), 1.0);
}

#[test]
fn a_tie_counts_as_the_tie_rule_has_it() {
    // 15 has stopped before 15: what is stopping worth to the second?
    let stopping = |options: Options| value(&mut Play::new(2, options, &[5; 6]).play("rr rr rr s"), Action::Stop {});
    let ruled = |tie_rule| stopping(Options { tie_rule, ..one_game() });
    assert_close(ruled(TieRule::Final), 1.0);
    assert_close(ruled(TieRule::Draw), 0.5);
    assert_close(ruled(TieRule::Carryover), 0.5);
    assert_close(ruled(TieRule::SuddenDeath), 0.5);
    assert_close(ruled(TieRule::Roller), 0.5);
    let roller_then_final = Options { tie_rule: TieRule::Roller, roller_fallback: RollerFallback::Final, ..one_game() };
    assert_close(stopping(roller_then_final), 1.0);
}

#[test]
fn a_hand_on_the_table_is_not_beaten_by_a_plain_21() {
    let options = Options { hands: true, ..one_game() };
    let dice = [1, 3, 2, 3, 3, 3, 4, 3, 5, 3, 6, 3, 3];
    let mut play = Play::new(2, options, &dice).play("rr rr rr rr rr rr s r");
    assert_close(value(&mut play, Action::Stop {}), 0.0);
}

#[test]
fn sudden_death_is_judged_by_the_dice_on_the_table() {
    let options = Options { tie_rule: TieRule::SuddenDeath, ..one_game() };
    let tie = || Play::new(2, options.clone(), &[5, 5, 5, 5, 5, 5, 4]).play("rr rr rr ss");
    assert_close(value(&mut tie(), Action::Roll {}), 0.5);
    // Against a 4: 5 and 6 win, 4 ties.
    assert_close(value(&mut tie().play("r"), Action::Roll {}), 2.5 / 6.0);
}

/// The optimum of the rest of a game of two seats without hands, by looking at everything that can
/// happen: the chance to win of the seat to act. `tie` is what an equal total is worth to it once
/// the other has stopped.
fn optimum(own: u8, other: u8, other_stopped: bool, tie: f64, known: &mut [Option<f64>]) -> f64 {
    let key = usize::from(own) * 44 + usize::from(other) * 2 + usize::from(other_stopped);
    if let Some(value) = known[key] {
        return value;
    }
    let stopping = if other_stopped {
        match own.cmp(&other) {
            Ordering::Less => 0.0,
            Ordering::Equal => tie,
            Ordering::Greater => 1.0,
        }
    } else {
        1.0 - optimum(other, own, true, tie, known)
    };
    let after = |reached: u8, known: &mut [Option<f64>]| match other_stopped {
        _ if reached > 21 => 0.0,
        true => optimum(reached, other, true, tie, known),
        false => 1.0 - optimum(other, reached, false, tie, known),
    };
    let value = stopping.max((1..=6).map(|die| after(own + die, known)).sum::<f64>() / 6.0);
    known[key] = Some(value);
    value
}

#[test]
fn standard_is_the_optimum_of_two_seats_where_the_other_has_stopped() {
    let mut known = vec![None; 22 * 44];
    for (first, second) in Face::all().flat_map(|a| Face::all().map(move |b| (a, b))) {
        let dice: Vec<u32> = [first, second].repeat(3).iter().map(|face| face.pips().into()).collect();
        let mut play = Play::new(2, one_game(), &dice).play("rr rr rr s");
        let expected = optimum(second.pips() * 3, first.pips() * 3, true, 1.0, &mut known);
        assert_close(advice(&mut play, Level::Standard)[0].value, expected);
    }
}

#[test]
fn standard_gives_away_next_to_nothing_where_two_seats_roll() {
    for (tie_rule, tie, most) in [(TieRule::Final, 1.0, 1e-9), (TieRule::Draw, 0.5, 0.01)] {
        let mut known = vec![None; 22 * 44];
        let options = Options { tie_rule, ..one_game() };
        let mut play = Play::new(2, options.clone(), &[]).play("rr rr rr");
        let (lexicon, legal) = (&Lexicon::empty(), play.legal(seat(0)));
        for (own, other) in (3..=21).flat_map(|own| (3..=21).map(move |other| (own, other))) {
            let view = View { totals: vec![own, other], ..play.view() };
            let thinking = &mut Thinking { level: Level::Standard, lexicon, random: &mut play.chance };
            let choice = TwentyOne::advise(&view, seat(0), &options, legal.clone(), thinking)[0].action;
            let chosen = match choice {
                Action::Stop {} => 1.0 - optimum(other, own, true, tie, &mut known),
                Action::Roll {} => {
                    let reached = (own + 1..=own + 6).filter(|&total| total <= 21);
                    reached.map(|total| 1.0 - optimum(other, total, false, tie, &mut known)).sum::<f64>() / 6.0
                }
            };
            let best = optimum(own, other, false, tie, &mut known);
            assert!(best - chosen < most, "{tie_rule:?}, {own} against {other}: {choice:?} loses {}", best - chosen);
        }
    }
}
