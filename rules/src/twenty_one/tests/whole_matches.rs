//! Whole matches: how many games, who ranks where, and where the chips are.

use proptest::prelude::*;

use super::*;

#[test]
fn a_match_has_one_game_a_seat_unless_told_otherwise() {
    for seats in 2..=10 {
        let one_round = "r".repeat(3 * seats) + &"s".repeat(seats);
        let play = Play::new(seats, Options::default(), &[]).play(&one_round.repeat(seats));
        let view = play.view();
        assert_eq!((view.phase, view.game_no, view.games), (PhaseName::Over, seats as u32, i64::from(seats as u32)));
        assert_eq!(view.dealer.index(), seats - 1, "everybody has dealt once");
    }
    let play = Play::new(2, Options { games: Some(3), ..Options::default() }, &[]);
    let play = play.play(&"rr rr rr ss ".repeat(3));
    assert_eq!((play.view().phase, play.view().dealer), (PhaseName::Over, seat(0)));
}

#[test]
fn rule_21_ranking_most_chips_win_and_equal_chips_share_the_rank() {
    let options = Options { tie_rule: TieRule::Draw, ..one_game() };
    // Seats 0 and 1 share 39 and end at 101; seat 2 ends at 97.
    let play = Play::new(3, options, &[6, 6, 1, 6, 6, 1, 6, 6, 1]).play("rrr rrr rrr sss");
    let outcome = play.game.outcome().unwrap();
    assert_eq!(
        (outcome.ranks, outcome.winners, outcome.reason.as_ref()),
        (vec![1, 1, 3], vec![seat(0), seat(1)], "last_game")
    );
}

#[test]
fn rule_21_ranking_after_the_last_game_nobody_acts() {
    let mut play = Play::new(2, one_game(), &[]).play("rr rr rr ss");
    assert!(play.game.to_act().is_empty());
    assert_eq!((play.legal(seat(0)), play.legal(seat(1))), (vec![], vec![]));
    for action in [Action::Roll {}, Action::Stop {}] {
        let refused = play.game.apply(seat(0), &action, &mut context(&mut play.chance), &mut play.log);
        assert_eq!(refused.unwrap_err().rule, "21.ranking");
    }
    assert!(matches!(play.log.last(), Some(Event::GameWon { .. })), "no game begins after the last");
}

#[test]
fn rule_21_ranking_is_unknown_before_the_end() {
    assert_eq!(Play::new(2, one_game(), &[]).play("rr rr rr s").game.outcome(), None);
}

fn any_options() -> impl Strategy<Value = Options> {
    let tie_rules = vec![TieRule::Final, TieRule::Roller, TieRule::Draw, TieRule::Carryover, TieRule::SuddenDeath];
    let fallbacks =
        vec![RollerFallback::Final, RollerFallback::Draw, RollerFallback::Carryover, RollerFallback::SuddenDeath];
    (
        proptest::option::of(1_i64..6),
        0_i64..200,
        proptest::sample::select(tie_rules),
        proptest::sample::select(fallbacks),
        any::<bool>(),
    )
        .prop_map(|(games, starting_chips, tie_rule, roller_fallback, hands)| Options {
            games,
            starting_chips,
            tie_rule,
            roller_fallback,
            hands,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Chips are never made or lost: what the seats lack lies in the pot. Folding the events alone
    /// gives the same table, and the view is what the events say.
    #[test]
    fn chips_and_pot_are_conserved(
        seats in 2_usize..=10,
        options in any_options(),
        dice in proptest::collection::vec(1_u32..=6, 200..1500),
        stops in proptest::collection::vec(any::<bool>(), 200),
    ) {
        let mut play = Play::new(seats, options.clone(), &dice);
        let mut folded = TwentyOne::setup(&Arc::new(options.clone()), SeatCount::new(seats).unwrap());
        let mut read = 0;
        for &stop in stops.iter().cycle() {
            let Some(turn) = play.game.to_act().iter().next() else { break };
            let legal = play.legal(turn);
            let action = if stop { legal[legal.len() - 1] } else { legal[0] };
            play.act(action).unwrap();

            let view = play.view();
            let chips = view.chips.iter().sum::<i64>() + i64::from(view.pot);
            prop_assert_eq!(chips, view.chips.iter().map(|_| options.starting_chips).sum::<i64>());
            for (rolls, total) in view.rolls.iter().zip(&view.totals) {
                prop_assert_eq!(rolls.iter().map(|die| die.pips()).sum::<u8>(), *total);
            }
            for event in &play.log[read..] {
                folded.fold(&serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap());
            }
            read = play.log.len();
            prop_assert_eq!(folded.view(Viewer::Public), view);
        }
        let outcome = play.game.outcome().unwrap();
        let most = play.game.balances().iter().max();
        for winner in outcome.winners {
            prop_assert_eq!(play.game.balances().get(winner.index()), most);
        }
    }
}
