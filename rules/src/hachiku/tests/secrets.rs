//! What a viewer may not know.

use super::*;
use crate::hachiku::FinalChoice;

const VIEWERS: [Viewer; 3] = [Viewer::Public, Viewer::Seat(FIRST), Viewer::Seat(SECOND)];

#[test]
fn hands_are_open_by_default() {
    let game = turn(Options::default(), "か", ["え", "る"]);
    for viewer in VIEWERS {
        assert_eq!(game.view(viewer).hands.map(|hand| hand.unwrap().to_string()), ["え", "る"]);
    }
}

#[test]
fn closed_hands_show_their_size_alone() {
    let game = turn(Options { closed_hands: true, ..Options::default() }, "か", ["え", "るを"]);
    let hands = |viewer| game.view(viewer).hands.map(|hand| hand.map(|hand| hand.to_string()));
    assert_eq!(hands(Viewer::Public), [None, None]);
    assert_eq!(hands(Viewer::Seat(FIRST)), [Some("え".into()), None]);
    assert_eq!(hands(Viewer::Seat(SECOND)), [None, Some("るを".into())]);
    assert_eq!(hands(Viewer::Everything), [Some("え".into()), Some("るを".into())]);
    assert_eq!(game.view(Viewer::Public).hand_sizes, [1, 2]);
}

#[test]
fn final_words_stay_secret_until_both_are_given() {
    let given = |action: &str| {
        let mut game = finals(Options::default(), "さ", ["けかすめ", "あきつと"]);
        let events = play(&mut game, FIRST, action);
        assert_eq!(owing(&game), [1]);
        (game, events)
    };
    let (word, word_events) = given(&final_word("さけかす"));
    let (pass, pass_events) = given(FINAL_PASS);
    for viewer in [Viewer::Public, Viewer::Seat(SECOND)] {
        assert_eq!(word.view(viewer), pass.view(viewer));
        let seen = |events: &[Event]| events.iter().map(|event| Hachiku::redact(event, viewer)).collect::<Vec<_>>();
        assert_eq!(seen(&word_events), seen(&pass_events));
        assert_eq!(serde_json::to_string(&seen(&word_events)).unwrap(), r#"[{"type":"final_given","seat":0}]"#);
    }
    assert_eq!(legal(&word, SECOND, true), legal(&pass, SECOND, true));
    assert_eq!(pass.view(Viewer::Seat(FIRST)).final_words, [Some(FinalChoice::Pass), None]);
    assert_eq!(Hachiku::redact(&word_events[0], Viewer::Seat(FIRST)), word_events[0]);

    let mut game = word;
    play(&mut game, SECOND, FINAL_PASS);
    for viewer in VIEWERS {
        let shown = serde_json::to_value(game.view(viewer).final_words).unwrap();
        assert_eq!(shown[0]["word"]["letters"], "さけかす");
        assert_eq!(shown[1], "pass");
    }
}

#[test]
fn a_final_word_is_given_once() {
    let mut game = finals(Options::default(), "さ", ["めけ", "か"]);
    play(&mut game, FIRST, &final_word("さめ"));
    assert!(!game.may_act(FIRST, &Action::FinalPass {}));
    assert!(legal(&game, FIRST, true).is_empty());
}
