//! 発: which words can be laid, how they are spelled, and who judges them.

use dictionary::OwnWords;

use super::*;
use crate::hachiku::UnknownWords;
use serde_json::json;

fn asking() -> Options {
    Options { unknown_words: UnknownWords::Ask, ..Options::default() }
}

#[test]
fn capture_takes_all_letters_but_the_last_which_is_the_new_head() {
    let mut game = turn(Options::default(), "か", ["えるぬ", "あい"]);
    let events = play(&mut game, FIRST, &say("かえる"));
    assert_eq!(
        serde_json::to_value(&events).unwrap(),
        json!([{"type": "said", "seat": 0, "word": {"letters": "かえる", "readings": ["かえる"]}, "captured": "えか", "head": "る"}]),
    );
    assert_eq!(game.captured[FIRST].to_string(), "えか");
    assert_eq!((game.hands[FIRST].to_string(), game.head().unwrap().to_string()), ("ぬ".into(), "る".into()));
    assert_eq!((owing(&game), game.turns), (vec![1], 1));
}

#[test]
fn a_refused_word_tells_what_would_help() {
    let mut game = turn(Options::default(), "か", ["え", ""]);
    assert_eq!(refused(&mut game, FIRST, &say("かえる")).extras["missing_letters"], json!(["る"]));
    assert_eq!(refused(&mut game, FIRST, &say("えか")).extras["head"], "か");
    assert_eq!(refused(&mut game, FIRST, &say("かかええ")).extras["repeated_letters"], json!(["え", "か"]));
}

#[test]
fn the_rules_of_laying_are_asked_before_the_lexicon_and_in_their_order() {
    let mut game = turn(Options { banned_words: vec!["えき".into()], ..Options::default() }, "か", ["え", ""]);
    for (letters, rule) in [
        ("", "hachiku.min-length"),
        ("え", "hachiku.min-length"),
        ("ええぬ", "hachiku.starts-with-head"),
        ("かぬぬ", "hachiku.distinct-letters"),
        ("かぬ", "hachiku.letters-in-hand"),
        ("かえ", "hachiku.not-a-word"),
    ] {
        assert_eq!(refused(&mut game, FIRST, &say(letters)).rule, rule, "{letters}");
    }
}

#[test]
fn fold_makes_letters_of_any_reading_or_form() {
    for (head, hand, word, letters) in [
        ("こ", "おと", "コート", "こおと"),
        ("こ", "おと", "ｺｰﾄ", "こおと"),
        ("き", "やへつ", "キャベツ", "きやへつ"),
        ("き", "よとう", "京都", "きようと"),
        ("か", "き", "がき", "かき"),
        ("ひ", "しかわもろのふ", "ひしかわもろのぶ", "ひしかわもろのふ"),
        ("す", "つむし", "鈴虫", "すつむし"),
    ] {
        let mut game = turn(Options::default(), head, [hand, ""]);
        play(&mut game, FIRST, &say_word(word));
        let (seat, said) = game.last_word.clone().unwrap();
        assert_eq!((seat, said.letters.to_string(), said.written.as_deref()), (FIRST, letters.into(), Some(word)));
    }
}

#[test]
fn a_word_says_how_it_is_read_for_ever() {
    let mut game = turn(Options::default(), "か", ["き", ""]);
    let events = play(&mut game, FIRST, &say("かき"));
    let Event::Said { word, .. } = &events[0] else { panic!("{events:?}") };
    assert_eq!((&word.written, word.readings.as_slice()), (&None, &["かき".to_owned(), "がき".to_owned()][..]));
}

#[test]
fn distinct_letters_makes_tomatoes_impossible() {
    let mut game = turn(Options::default(), "と", ["ま", ""]);
    assert_eq!(refused(&mut game, FIRST, &say_word("トマト")).rule, "hachiku.distinct-letters");
    assert_eq!(refused(&mut game, FIRST, &say("とまと")).rule, "hachiku.distinct-letters");
}

#[test]
fn zu_is_spelled_as_the_hand_allows() {
    for (zu, word) in [("す", "稲妻"), ("つ", "稲妻"), ("す", "いなづま"), ("つ", "イナズマ")] {
        let mut game = turn(Options::default(), "い", [&format!("なま{zu}"), ""]);
        play(&mut game, FIRST, &say_word(word));
        assert!(game.captured[FIRST].contains(zu.parse().unwrap()));
    }
}

#[test]
fn ambiguous_spelling_lists_the_candidates_and_nothing_happens() {
    let mut game = turn(Options::default(), "い", ["なますつ", ""]);
    for word in ["稲妻", "いなずま", "いなづま"] {
        let refusal = refused(&mut game, FIRST, &say_word(word));
        assert_eq!(refusal.rule, "hachiku.ambiguous-spelling");
        assert_eq!(refusal.extras["candidates"], json!(["いなすま", "いなつま"]));
    }
    play(&mut game, FIRST, &say("いなつま"));
    assert_eq!(game.hands[FIRST].to_string(), "す");
}

#[test]
fn a_word_of_several_spellings_is_refused_by_the_one_that_came_furthest() {
    // すすむし repeats; すつむし lacks only つ.
    let mut game = turn(Options::default(), "す", ["むし", ""]);
    let refusal = refused(&mut game, FIRST, &say_word("すずむし"));
    assert_eq!((refusal.rule, &refusal.extras["missing_letters"]), ("hachiku.letters-in-hand", &json!(["つ"])));
}

#[test]
fn not_a_word_are_other_classes_unless_the_policy_has_them() {
    let mut game = turn(Options::default(), "か", ["くれる", ""]);
    for action in [say("かく"), say_word("書く"), say_word("隠れる"), say("かくれる")] {
        let refusal = refused(&mut game, FIRST, &action);
        assert_eq!(refusal.rule, "hachiku.not-a-word");
        assert!(refusal.detail.en.contains("word_policy"), "{action}: {}", refusal.detail.en);
    }
    let verbs: Options = serde_json::from_str(r#"{"word_policy":{"classes":["verb"]}}"#).unwrap();
    let mut game = turn(verbs, "か", ["きくれる", ""]);
    assert_eq!(refused(&mut game, FIRST, &say("かき")).rule, "hachiku.not-a-word");
    play(&mut game, FIRST, &say_word("隠れる"));
}

#[test]
fn not_a_word_is_what_nobody_can_read() {
    let mut game = turn(Options::default(), "か", ["き", ""]);
    for (word, rule) in [
        ("", "hachiku.min-length"),
        ("ーか", "hachiku.fold-long"),
        ("かんー", "hachiku.fold-long"),
        ("鼈", "hachiku.not-a-word"),
        ("kaki", "hachiku.not-a-word"),
    ] {
        assert_eq!(refused(&mut game, FIRST, &say_word(word)).rule, rule, "{word}");
    }
    let long = "か".repeat(10_000);
    assert_eq!(refused(&mut game, FIRST, &say_word(&long)).rule, "hachiku.not-a-word");
    let refusal = refused(&mut game, FIRST, &say(&long));
    assert_eq!(refusal.rule, "hachiku.distinct-letters");
    assert!(refusal.detail.ja.len() < 500);
}

#[test]
fn extra_words_are_words_and_banned_words_are_none() {
    let options: Options =
        serde_json::from_str(r#"{"extra_words":["ケヌむろ","ぬね"],"banned_words":["ねこ","ぬね"]}"#).unwrap();
    let mut game = turn(options.clone(), "け", ["ぬむろ", ""]);
    assert_eq!(refused(&mut game, FIRST, &say("けぬむ")).rule, "hachiku.not-a-word");
    assert!(legal(&game, FIRST, true).contains(&read(&say("けぬむろ"))));
    let events = play(&mut game, FIRST, &say("けぬむろ"));
    assert_eq!(serde_json::to_value(&events[0]).unwrap()["word"]["readings"], json!(["けぬむろ"]));
    let mut game = turn(options.clone(), "ね", ["こつ", ""]);
    for action in [say("ねこ"), say_word("猫"), say_word("ネコ")] {
        let refusal = refused(&mut game, FIRST, &action);
        assert_eq!(refusal.rule, "hachiku.not-a-word");
        assert!(refusal.detail.en.contains("banned"), "{action}: {}", refusal.detail.en);
    }
    assert!(!legal(&game, FIRST, true).contains(&read(&say("ねこ"))));
    play(&mut game, FIRST, &say("ねつ"));
    // A ban beats an extra word.
    let mut game = turn(options, "ぬ", ["ね", ""]);
    assert_eq!(refused(&mut game, FIRST, &say("ぬね")).rule, "hachiku.not-a-word");
}

#[test]
fn banned_words_ban_their_letters_since_cards_have_no_marks() {
    let mut game = turn(Options { banned_words: vec!["がき".into()], ..Options::default() }, "か", ["き", ""]);
    for action in [say_word("餓鬼"), say_word("柿"), say("かき")] {
        assert_eq!(refused(&mut game, FIRST, &action).rule, "hachiku.not-a-word");
    }
}

#[test]
fn words_that_the_server_bans_are_none() {
    let house = LEXICON.clone().with_house_words(OwnWords::new([], ["がき"]).unwrap());
    for unknown_words in [UnknownWords::Reject, UnknownWords::Ask] {
        let game = turn(Options { unknown_words, ..Options::default() }, "か", ["き", ""]);
        for spoken in [Spoken::Letters("かき".parse().unwrap()), Spoken::Word("柿".into()), Spoken::Word("がき".into())]
        {
            let refusal = game.judge(FIRST, "か".parse().unwrap(), &spoken, unknown_words, &house).unwrap_err();
            assert_eq!(refusal.rule, "hachiku.not-a-word");
            assert!(refusal.detail.en.contains("banned"), "{}", refusal.detail.en);
        }
    }
}

#[test]
fn a_word_that_stands_has_the_readings_of_the_matchs_words_and_of_the_servers() {
    let house = LEXICON.clone().with_house_words(OwnWords::new(["けぬむろ", "がぎ"], []).unwrap());
    let options = Options { extra_words: vec!["かぎ".into()], ..Options::default() };
    for (head, hand, letters, readings) in
        [("け", "ぬむろ", "けぬむろ", &["けぬむろ"][..]), ("か", "き", "かき", &["かき", "かぎ", "がき", "がぎ"])]
    {
        let game = turn(options.clone(), head, [hand, ""]);
        let spoken = Spoken::Letters(letters.parse().unwrap());
        let verdict = game.judge(FIRST, head.parse().unwrap(), &spoken, UnknownWords::Reject, &house).unwrap();
        let found = verdict.into_word().readings;
        assert!(readings.iter().all(|reading| found.iter().any(|other| other == reading)), "{letters}: {found:?}");
    }
}

/// Some forms are in kana and read otherwise.
#[test]
fn fold_a_form_in_kana_that_is_read_otherwise_goes_by_its_reading() {
    let lexicon = Lexicon::build([Row::new("かんばす", Class::Common, &["カンヷス"])]).unwrap();
    let game = turn(Options::default(), "か", ["んはす", ""]);
    let spoken = Spoken::Word("カンヷス".into());
    let word = game.judge(FIRST, "か".parse().unwrap(), &spoken, UnknownWords::Reject, &lexicon).unwrap().into_word();
    assert_eq!((word.letters.to_string(), word.written.as_deref()), ("かんはす".to_owned(), Some("カンヷス")));
    assert_eq!(word.readings, ["かんばす"]);
}

#[test]
fn fold_marks_and_half_marks_are_ignored() {
    for (hand, word) in [("き", "がき"), ("き", "餓鬼"), ("き", "かき")] {
        let mut game = turn(Options::default(), "か", [hand, ""]);
        play(&mut game, FIRST, &say_word(word));
        assert_eq!(game.captured[FIRST].to_string(), "か", "{word}");
    }
}

#[test]
fn fold_small_kana_are_laid_as_large_ones() {
    let mut game = turn(Options::default(), "き", ["やへつ", ""]);
    play(&mut game, FIRST, &say_word("キャベツ"));
    assert_eq!(
        (game.captured[FIRST].to_string(), game.head().unwrap().to_string()),
        ("きへや".to_owned(), "つ".into())
    );
}

#[test]
fn judge_accepts_a_word_that_nobody_knows() {
    let mut game = turn(asking(), "け", ["ぬむろ", "い"]);
    let events = play(&mut game, FIRST, &say("けぬむろ"));
    assert_eq!(
        serde_json::to_value(&events).unwrap(),
        json!([{"type": "put", "seat": 0, "word": {"letters": "けぬむろ"}}])
    );
    assert_eq!((owing(&game), game.captured[FIRST].len(), game.turns), (vec![1], 0, 0));
    let view = game.view(Viewer::Public);
    assert_eq!(view.pending_word.unwrap().word.letters.to_string(), "けぬむろ");
    assert_eq!(view.to_move, Some(FIRST));
    assert_eq!(refused(&mut game, SECOND, &gather("あ")).rule, "hachiku.judge");
    let judgements = [true, false].map(|accept| Action::Judge { accept });
    assert_eq!(legal(&game, SECOND, true), judgements);
    let events = play(&mut game, SECOND, r#"{"type":"judge","accept":true}"#);
    assert!(matches!(events[..], [Event::Judged { seat: SECOND, accept: true }, Event::Said { seat: FIRST, .. }]));
    assert_eq!((game.captured[FIRST].to_string(), owing(&game)), ("けぬむ".into(), vec![1]));
}

#[test]
fn judge_refuses_and_the_speaker_keeps_the_turn() {
    let mut game = turn(asking(), "け", ["ぬむろ", "い"]);
    play(&mut game, FIRST, &say("けぬむろ"));
    play(&mut game, SECOND, r#"{"type":"judge","accept":false}"#);
    assert_eq!((owing(&game), game.turns, game.hands[FIRST].len()), (vec![0], 0, 3));
    assert_eq!(game.view(Viewer::Public).pending_word, None);
    assert_eq!(refused(&mut game, FIRST, r#"{"type":"judge","accept":true}"#).rule, "hachiku.judge");
    play(&mut game, FIRST, &gather("あ"));
}

#[test]
fn judge_is_asked_for_other_classes_and_forms_but_never_for_banned_or_known_words() {
    let mut game = turn(Options { banned_words: vec!["ぎぬ".into()], ..asking() }, "き", ["ぬつね", ""]);
    let refusal = refused(&mut game, FIRST, &say("きぬ"));
    assert_eq!(refusal.rule, "hachiku.not-a-word");
    assert!(refusal.detail.en.contains("banned"));
    assert!(matches!(play(&mut game, FIRST, &say("きつね"))[..], [Event::Said { .. }]));
    let mut game = turn(asking(), "か", ["くれる", ""]);
    assert_eq!(refused(&mut game, FIRST, &say_word("鰍")).rule, "hachiku.not-a-word");
    let events = play(&mut game, FIRST, &say_word("隠れる"));
    assert!(matches!(&events[..], [Event::Put { word, .. }] if word.letters.to_string() == "かくれる"));
}

#[test]
fn judge_is_asked_for_one_spelling_only() {
    let mut game = turn(asking(), "む", ["すつね", ""]);
    let refusal = refused(&mut game, FIRST, &say_word("むず"));
    assert_eq!((refusal.rule, &refusal.extras["candidates"]), ("hachiku.ambiguous-spelling", &json!(["むす", "むつ"])));
    play(&mut game, FIRST, &say("むつ"));
    assert!(matches!(game.phase, Phase::Judging { .. }));
}
