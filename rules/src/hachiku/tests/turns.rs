//! Set-up, 集 and 臨, the order of turns and their number.

use super::*;
use crate::hachiku::PhaseName;

#[test]
fn field_holds_all_46_cards_and_hands_and_captures_are_empty() {
    let view = opening(Options::default()).view(Viewer::Public);
    assert_eq!(
        view.field.to_string(),
        "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
    );
    assert_eq!((view.phase, view.head, view.hand_sizes), (PhaseName::ChooseHead, None, [0, 0]));
    assert_eq!(view.captured, [LetterSet::EMPTY; 2]);
}

#[test]
fn choose_head_is_the_second_seats_and_any_card_will_do() {
    for head in Letter::all() {
        let mut game = opening(Options::default());
        assert_eq!(owing(&game), [1]);
        assert!(!game.may_act(FIRST, &Action::ChooseHead { letter: head }));
        let events = play(&mut game, SECOND, &format!(r#"{{"type":"choose_head","letter":"{head}"}}"#));
        assert_eq!(events, [Event::HeadChosen { seat: SECOND, letter: head }]);
        assert_eq!((owing(&game), game.head(), game.field.contains(head)), (vec![0], Some(head), false));
    }
}

#[test]
fn choose_head_comes_first_and_once() {
    let mut game = opening(Options::default());
    assert_eq!(refused(&mut game, SECOND, &gather("か")).rule, "hachiku.choose-head");
    play(&mut game, SECOND, r#"{"type":"choose_head","letter":"か"}"#);
    assert_eq!(refused(&mut game, FIRST, r#"{"type":"choose_head","letter":"き"}"#).rule, "hachiku.choose-head");
}

#[test]
fn gather_takes_a_card_of_the_field_and_passes_the_turn() {
    let mut game = turn(Options::default(), "か", ["あ", "い"]);
    let events = play(&mut game, FIRST, &gather("え"));
    assert_eq!(events, [Event::Gathered { seat: FIRST, letter: "え".parse().unwrap() }]);
    assert_eq!((game.hands[FIRST].to_string(), owing(&game), game.turns), ("あえ".into(), vec![1], 1));
    for taken in ["え", "あ", "い", "か"] {
        let refusal = refused(&mut game, SECOND, &gather(taken));
        assert_eq!(refusal.rule, "hachiku.gather");
        assert_eq!(refusal.extras["field"], game.field.to_string());
    }
}

#[test]
fn gather_has_no_hand_limit() {
    let mut game = turn(Options::default(), "ん", ["", ""]);
    for letter in LetterSet::ALL.without(Letter::N).iter() {
        let seat = game.to_act().iter().next().unwrap();
        play(&mut game, seat, &gather(&letter.to_string()));
    }
    assert_eq!(game.hands.0.map(LetterSet::len), [23, 22]);
}

#[test]
fn swap_puts_two_cards_back_and_exchanges_the_head() {
    let mut game = turn(Options::default(), "か", ["さし", "あい"]);
    let events = play(&mut game, FIRST, r#"{"type":"swap","return":["し","さ"],"head":"す"}"#);
    assert_eq!(
        serde_json::to_value(&events).unwrap(),
        serde_json::json!([{"type": "swapped", "seat": 0, "returned": ["し", "さ"], "old_head": "か", "head": "す"}])
    );
    assert_eq!((game.head().unwrap().to_string(), owing(&game), game.turns), ("す".into(), vec![1], 1));
    assert!(game.hands[FIRST].is_empty() && game.captured[FIRST].is_empty());
    assert!(game.field.is_superset("かさし".parse().unwrap()) && !game.field.contains("す".parse().unwrap()));
}

#[test]
fn swap_may_take_a_card_just_put_back_but_never_the_old_head() {
    let mut game = turn(Options::default(), "か", ["さし", "あい"]);
    assert_eq!(refused(&mut game, FIRST, r#"{"type":"swap","return":["さ","し"],"head":"か"}"#).rule, "hachiku.swap");
    play(&mut game, FIRST, r#"{"type":"swap","return":["さ","し"],"head":"し"}"#);
    assert_eq!(game.head().unwrap().to_string(), "し");
}

#[test]
fn swap_is_listed_once_for_each_pair_and_head() {
    let game = turn(Options::default(), "か", ["さしす", "あい"]);
    let swaps = legal(&game, FIRST, false).into_iter().filter(|action| matches!(action, Action::Swap { .. })).count();
    assert_eq!(swaps, 3 * (game.field.len() + 2));
    let game = turn(Options::default(), "か", ["さ", "あい"]);
    assert_eq!(legal(&game, FIRST, false).len(), game.field.len());
}

#[test]
fn legal_actions_leave_the_words_out_on_request() {
    let mut game = opening(Options::default());
    assert_eq!((legal(&game, SECOND, true).len(), legal(&game, FIRST, true).len()), (46, 0));
    play(&mut game, SECOND, r#"{"type":"choose_head","letter":"か"}"#);
    assert_eq!(legal(&game, FIRST, false).len(), 45);
    let game = turn(Options::default(), "か", ["える", ""]);
    let words = |words| legal(&game, FIRST, words).into_iter().filter(|action| matches!(action, Action::Say(_)));
    assert_eq!(words(true).collect::<Vec<_>>(), [read(&say("かえる"))]);
    assert_eq!(words(false).count(), 0);
}

#[test]
fn a_visitor_may_break_off_anywhere() {
    let game = turn(Options::default(), "か", ["えるき", ""]);
    let all = legal(&game, FIRST, true);
    for limit in 1..all.len() {
        let mut seen = Vec::new();
        game.legal_actions(FIRST, Inquiry { lexicon: &LEXICON, words: true }, &mut |action| {
            seen.push(action);
            if seen.len() == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(seen, all[..limit]);
    }
}

#[test]
fn move_cap_gives_the_match_to_more_captures_and_a_draw_to_equal_ones() {
    for (first, second, ranks) in [("あい", "う", [1, 2]), ("あ", "いう", [2, 1]), ("あ", "い", [1, 1])] {
        let mut game = turn(Options { max_turns: 20, ..Options::default() }, "か", ["", ""]);
        capture(&mut game, FIRST, first);
        capture(&mut game, SECOND, second);
        game.turns = 18;
        play(&mut game, FIRST, &gather("ま"));
        assert!(game.outcome().is_none());
        play(&mut game, SECOND, &gather("み"));
        assert_eq!(result(&game), (ranks, "move_cap".into()));
    }
}

#[test]
fn move_cap_counts_every_turn_but_no_choice_of_head_and_no_refused_judgement() {
    let mut game = opening(Options { unknown_words: crate::hachiku::UnknownWords::Ask, ..Options::default() });
    play(&mut game, SECOND, r#"{"type":"choose_head","letter":"か"}"#);
    assert_eq!(game.turns, 0);
    play(&mut game, FIRST, &gather("ぬ"));
    play(&mut game, SECOND, &gather("き"));
    play(&mut game, FIRST, &say("かぬ"));
    assert_eq!(game.turns, 2);
    play(&mut game, SECOND, r#"{"type":"judge","accept":false}"#);
    assert_eq!(game.turns, 2);
    play(&mut game, FIRST, &say("かぬ"));
    play(&mut game, SECOND, r#"{"type":"judge","accept":true}"#);
    assert_eq!(game.turns, 3);
}

#[test]
fn final_word_comes_before_the_move_cap() {
    let mut game = turn(Options { max_turns: 20, ..Options::default() }, "か", ["", ""]);
    game.field = "あ".parse().unwrap();
    game.turns = 19;
    play(&mut game, FIRST, &gather("あ"));
    assert!(matches!(game.phase, Phase::FinalWords { .. }));
}
