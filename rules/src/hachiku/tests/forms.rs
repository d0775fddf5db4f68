//! The JSON that clients write and read.

use super::*;
use crate::chance::Script;
use crate::seat::SeatCount;
use serde_json::{Value, json};

#[test]
fn actions_round_trip() {
    for action in [
        json!({"type": "choose_head", "letter": "ん"}),
        json!({"type": "gather", "letter": "か"}),
        json!({"type": "say", "letters": "かえる"}),
        json!({"type": "say", "word": "蛙"}),
        json!({"type": "swap", "return": ["か", "き"], "head": "く"}),
        json!({"type": "final_word", "letters": "かえる"}),
        json!({"type": "final_word", "word": "カエル"}),
        json!({"type": "final_pass"}),
        json!({"type": "judge", "accept": true}),
    ] {
        let read: Action = serde_json::from_value(action.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), action);
    }
}

#[test]
fn actions_of_another_form_are_refused_with_the_reason() {
    for (action, reason) in [
        (r#"{"type":"say"}"#, "`word`"),
        (r#"{"type":"say","letters":"かき","word":"柿"}"#, "exclude each other"),
        (r#"{"type":"say","letters":null,"word":"柿"}"#, "null"),
        (r#"{"type":"say","letters":"かき","length":2}"#, "unknown field `length`"),
        (r#"{"type":"say","letters":"パイン"}"#, "46 basic hiragana"),
        (r#"{"type":"say","word":5}"#, "string"),
        (r#"{"type":"final_word"}"#, "`letters`"),
        (r#"{"type":"final_pass","word":"柿"}"#, "unknown field"),
        (r#"{"type":"gather","letter":"が"}"#, "46 basic hiragana"),
        (r#"{"type":"gather","letter":"かき"}"#, "46 basic hiragana"),
        (r#"{"type":"gather"}"#, "letter"),
        (r#"{"type":"swap","return":["か"],"head":"く"}"#, "length 1"),
        (r#"{"type":"swap","return":["か","き","く"],"head":"け"}"#, "length"),
        (r#"{"type":"judge","accept":"yes"}"#, "boolean"),
    ] {
        let error = serde_json::from_str::<Action>(action).expect_err(action).to_string();
        assert!(error.contains(reason), "{action}: {error}");
    }
}

#[test]
fn options_have_the_texts_defaults() {
    let options: Options = serde_json::from_str("{}").unwrap();
    assert_eq!(options, Options::default());
    assert_eq!(
        serde_json::to_value(&options).unwrap(),
        json!({
            "preset": "standard", "max_turns": 400, "extra_words": [], "banned_words": [], "unknown_words": "reject",
            "closed_hands": false,
            "word_policy": {"classes": ["common", "place", "person", "organization", "proper"]},
        })
    );
}

#[test]
fn options_that_cannot_be_are_all_named_at_once() {
    let faults = |options: Value| {
        let options: Options = serde_json::from_value(options).unwrap();
        let faults = Hachiku::check(&options, SeatCount::new(2).unwrap(), &Script::default());
        faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
    };
    assert_eq!(
        faults(json!({
            "capture_target": 41, "finish_min_length": 1, "max_turns": 19,
            "word_policy": {"classes": []}, "extra_words": vec!["ねこ"; 201], "banned_words": ["猫"],
        })),
        [
            "options.capture_target",
            "options.finish_min_length",
            "options.max_turns",
            "options.word_policy.classes",
            "options.extra_words",
            "options.banned_words"
        ]
    );
    assert_eq!(faults(json!({"capture_target": 4})), ["options.capture_target"]);
    assert_eq!(faults(json!({"max_turns": 2001})), ["options.max_turns"]);
    assert_eq!(faults(json!({"extra_words": vec!["ねこ"; 200], "capture_target": 5})), [] as [&str; 0]);
    assert_eq!(faults(json!({"banned_words": vec!["ねこ"; 200], "capture_target": 40})), [] as [&str; 0]);
    for options in [
        r#"{"preset":"hard"}"#,
        r#"{"unknown_words":"maybe"}"#,
        r#"{"capture_target":"15"}"#,
        r#"{"capture_target":-5}"#,
        r#"{"word_policy":{"classes":["noun"]}}"#,
        r#"{"closed_hand":true}"#,
    ] {
        assert!(serde_json::from_str::<Options>(options).is_err(), "{options}");
    }
}

#[test]
fn a_view_has_the_names_of_the_contract() {
    let view = serde_json::to_value(turn(Options::default(), "か", ["える", "あ"]).view(Viewer::Public)).unwrap();
    for (name, value) in [
        ("head", json!("か")),
        ("hands", json!(["える", "あ"])),
        ("hand_sizes", json!([2, 1])),
        ("captured", json!(["", ""])),
        ("phase", json!("turns")),
        ("to_move", json!(0)),
        ("turns", json!(0)),
        ("capture_target", json!(15)),
        ("last_word", Value::Null),
    ] {
        assert_eq!(view[name], value, "{name}");
    }
}

#[test]
fn every_refusal_speaks_both_languages() {
    let mut game = turn(Options::default(), "か", ["きえ", ""]);
    for action in [gather("か"), say("か"), say("きえ"), say("かか"), say("かぬ"), say("かえ"), FINAL_PASS.to_owned()]
    {
        let refusal = refused(&mut game, FIRST, &action);
        let en = without_letters(&refusal.detail.en);
        assert!(en.chars().any(|c| c.is_ascii_lowercase()) && !en.chars().any(|c| c > '\u{3000}'), "{en}");
        assert!(refusal.detail.ja.ends_with('。') && refusal.detail.ja.chars().any(|c| c > '\u{3000}'), "{action}");
        assert!(Hachiku::FACTS.rules.iter().any(|rule| rule.id == refusal.rule), "{}", refusal.rule);
    }
}

/// An English text without the letters that it speaks of: hiragana stands in it for nothing else.
fn without_letters(text: &str) -> String {
    text.chars().filter(|c| !('ぁ'..='ゖ').contains(c)).collect()
}
