//! How a match ends.

use super::*;
use crate::hachiku::Preset;

fn target(target: u8) -> Options {
    Options { capture_target: Some(target), ..Options::default() }
}

#[test]
fn eight_letters_win_at_once() {
    let mut game = turn(Options::default(), "ひ", ["しかわもろのふ", ""]);
    play(&mut game, FIRST, &say_word("菱川師宣"));
    assert_eq!(result(&game), ([1, 2], "eight".into()));
    assert_eq!((game.captured[FIRST].len(), game.head().unwrap().to_string()), (7, "ふ".into()));
}

#[test]
fn eight_letters_win_though_they_end_in_n() {
    let mut game = turn(Options::default(), "い", ["るみねえしよん", ""]);
    play(&mut game, FIRST, &say_word("イルミネーション"));
    assert_eq!(result(&game), ([1, 2], "eight".into()));
}

#[test]
fn ends_with_n_loses_at_once() {
    for (head, hand, word) in [("は", "いん", "パイン"), ("か", "あねえしよん", "カーネーション")] {
        let mut game = turn(Options::default(), head, [hand, ""]);
        play(&mut game, FIRST, &say_word(word));
        assert_eq!(result(&game), ([2, 1], "ends_with_n".into()));
    }
}

#[test]
fn target_wins_though_the_word_ends_in_n_and_the_last_letter_never_counts() {
    // かあてん captures three: 12 become 15, 11 become 14.
    for (captured, ranks, reason) in
        [("さしすせそたちつとなにぬ", [1, 2], "target"), ("さしすせそたちつとなに", [2, 1], "ends_with_n")]
    {
        let mut game = turn(Options::default(), "か", ["あてん", ""]);
        capture(&mut game, FIRST, captured);
        play(&mut game, FIRST, &say_word("カーテン"));
        assert_eq!(result(&game), (ranks, reason.into()), "{captured}");
    }
}

#[test]
fn target_is_the_presets_or_the_explicit_one() {
    let preset = |preset| Options { preset, ..Options::default() };
    for (options, least) in [
        (preset(Preset::Standard), 15),
        (preset(Preset::Light), 13),
        (preset(Preset::Easy), 11),
        (Options { capture_target: Some(20), ..preset(Preset::Easy) }, 20),
    ] {
        let pile = "さしすせそたちつてとなにぬねのはひふへほ";
        for (captures, wins) in [(least - 2, false), (least - 1, true)] {
            let mut game = turn(options.clone(), "か", ["き", ""]);
            assert_eq!(game.view(Viewer::Public).capture_target, least as u8);
            capture(&mut game, FIRST, &pile.chars().take(captures).collect::<String>());
            play(&mut game, FIRST, &say("かき"));
            assert_eq!(game.outcome().is_some(), wins, "{captures} and one more of {least}");
        }
    }
}

#[test]
fn target_asks_for_finish_min_length_and_a_later_word_that_has_it_wins() {
    let options = Options { finish_min_length: Some(3), ..target(5) };
    let mut game = turn(options.clone(), "か", ["き", "あ"]);
    capture(&mut game, FIRST, "たちてと");
    play(&mut game, FIRST, &say("かき"));
    assert!(game.outcome().is_none(), "five captures by a word of two letters");
    play(&mut game, SECOND, &gather("ま"));
    game.hands[FIRST] = "つね".parse().unwrap();
    play(&mut game, FIRST, &say("きつね"));
    assert_eq!(result(&game), ([1, 2], "target".into()));

    let mut game = turn(Options { finish_min_length: Some(4), ..options }, "は", ["いん", ""]);
    capture(&mut game, FIRST, "たちてと");
    play(&mut game, FIRST, &say("はいん"));
    assert_eq!(result(&game), ([2, 1], "ends_with_n".into()), "too short a word does not win by the target");
}

#[test]
fn target_counts_a_word_that_the_opponent_accepts() {
    let options = Options { unknown_words: crate::hachiku::UnknownWords::Ask, ..target(5) };
    let mut game = turn(options, "け", ["ぬむろ", ""]);
    capture(&mut game, FIRST, "たち");
    play(&mut game, FIRST, &say("けぬむろ"));
    play(&mut game, SECOND, r#"{"type":"judge","accept":true}"#);
    assert_eq!(result(&game), ([1, 2], "target".into()));
}

#[test]
fn final_word_begins_when_a_gather_takes_the_last_card() {
    let mut game = turn(Options::default(), "さ", ["け", "あ"]);
    game.field = "か".parse().unwrap();
    play(&mut game, FIRST, &gather("か"));
    assert_eq!((owing(&game), game.is_simultaneous()), (vec![0, 1], true));
    let view = game.view(Viewer::Public);
    assert_eq!((view.phase, view.head.unwrap().to_string()), (crate::hachiku::PhaseName::FinalWord, "さ".into()));
    for action in [gather("あ"), say("さけ"), r#"{"type":"swap","return":["け","か"],"head":"け"}"#.into()] {
        assert_eq!(refused(&mut game, FIRST, &action).rule, "hachiku.final-word");
    }
}

#[test]
fn final_word_comes_only_then() {
    let mut game = turn(Options::default(), "さ", ["け", "あ"]);
    assert_eq!(refused(&mut game, FIRST, FINAL_PASS).rule, "hachiku.final-word");
    assert_eq!(refused(&mut game, FIRST, &final_word("さけ")).rule, "hachiku.final-word");
}

/// One row a ruling: what both give (nothing is a pass), what they had captured, and who wins why.
#[test]
fn final_word_results() {
    let (many, few) = ("たちてなにぬねの", "はひふ");
    for (given, captured, ranks, reason) in [
        (["さけかす", "さあきつと"], ["", ""], [2, 1], "final_word"),
        (["さけかす", ""], ["", "はひふ"], [1, 1], "final_word"),
        (["", ""], ["", ""], [1, 1], "final_word"),
        (["", ""], [few, many], [2, 1], "final_word"),
        (["", "さつしん"], ["", ""], [1, 2], "ends_with_n"),
        (["", "さつしん"], ["", many], [1, 2], "ends_with_n"),
        (["さん", "さん"], [few, many], [1, 1], "ends_with_n"),
        (["さくらもちのはかり", ""], ["", "たてなにぬねひふ"], [1, 2], "eight"),
        (["さくらもちのはかり", "さつしん"], ["", "たてなにぬねひふ"], [1, 2], "eight"),
        (["さくらもちのはかり", "さつきあやめのゆり"], ["た", "てな"], [2, 1], "final_word"),
    ] {
        // The text's own hands could not hold all of these at once; no rule here looks at that.
        let hand = |word: &str| word.chars().skip(1).collect::<String>();
        let mut game = turn(Options::default(), "さ", ["", ""]);
        capture(&mut game, FIRST, captured[0]);
        capture(&mut game, SECOND, captured[1]);
        game.hands = Pair([hand(given[0]).parse().unwrap(), hand(given[1]).parse().unwrap()]);
        game.phase = finals(Options::default(), "さ", ["", ""]).phase;
        for (seat, word) in [FIRST, SECOND].into_iter().zip(given) {
            play(&mut game, seat, &if word.is_empty() { FINAL_PASS.into() } else { final_word(word) });
        }
        assert_eq!(result(&game), (ranks, reason.into()), "{given:?} {captured:?}");
    }
}

#[test]
fn final_word_in_n_that_reaches_the_target_stands() {
    for (options, ranks, reason) in [
        (target(5), [1, 2], "final_word"),
        (target(6), [2, 1], "ends_with_n"),
        (Options { finish_min_length: Some(5), ..target(5) }, [2, 1], "ends_with_n"),
    ] {
        let mut game = finals(options, "さ", ["つしん", "か"]);
        game.captured[FIRST] = "たち".parse().unwrap();
        play(&mut game, SECOND, FINAL_PASS);
        play(&mut game, FIRST, &final_word("さつしん"));
        assert_eq!(result(&game), (ranks, reason.into()));
    }
}

#[test]
fn final_words_capture_the_head_for_both_and_keep_their_last_letter() {
    let mut game = finals(Options::default(), "さ", ["けかす", "めん"]);
    play(&mut game, FIRST, &final_word("さけかす"));
    let events = play(&mut game, SECOND, &final_word("さめ"));
    let Event::FinalsRevealed { captured, .. } = &events[1] else { panic!("{events:?}") };
    assert_eq!(captured.map(|letters| letters.to_string()), ["かけさ", "さ"]);
    assert_eq!(game.hands.0.map(|letters| letters.to_string()), ["す", "めん"]);
    assert_eq!(game.head().unwrap().to_string(), "さ");
}

#[test]
fn final_words_are_never_put_to_the_opponent() {
    let options = Options { unknown_words: crate::hachiku::UnknownWords::Ask, ..Options::default() };
    let mut game = finals(options, "さ", ["ぬ", "め"]);
    assert_eq!(refused(&mut game, FIRST, &final_word("さぬ")).rule, "hachiku.not-a-word");
}

#[test]
fn final_words_that_are_unknown_are_refused_however_many_spellings_they_have() {
    let options = Options { unknown_words: crate::hachiku::UnknownWords::Ask, ..Options::default() };
    let mut game = finals(options, "む", ["すつ", "め"]);
    let refusal = refused(&mut game, FIRST, r#"{"type":"final_word","word":"むず"}"#);
    assert_eq!(refusal.rule, "hachiku.not-a-word");
}
