//! Actions and options are read in one form only: for an object no list will do, for a name no object.

use std::sync::Arc;

use rules::chance::Script;
use rules::game::Game;
use rules::hachiku::Hachiku;
use rules::kamudakara::Kamudakara;
use rules::registry::game;
use rules::sainokawara::Sainokawara;
use rules::salamander::Salamander;
use rules::table::{Plan, Player, read_move};
use rules::text::Text;
use rules::time::Timestamp;
use serde_json::{Value, json};

/// Whether a game reads an action.
type Reads = fn(&Value) -> bool;

fn reads<G: Game>(action: &Value) -> bool {
    read_move::<G::Action>(action).is_ok()
}

#[test]
fn actions_take_no_list_for_an_object_and_no_object_for_a_name() {
    let good: [(Reads, Value); 4] = [
        (reads::<Sainokawara>, json!({"type": "place_dice", "dice": [{"space": 0, "die": "d8"}]})),
        (reads::<Salamander>, json!({"type": "announce", "claims": [{"seat": 1, "card": "air"}]})),
        (reads::<Salamander>, json!({"type": "move", "by": "sum"})),
        (reads::<Hachiku>, json!({"type": "say", "word": "かえる"})),
    ];
    for (reads, action) in good {
        assert!(reads(&action), "{action}");
    }
    let bad: [(Reads, Value); 9] = [
        (reads::<Sainokawara>, json!({"type": "place_dice", "dice": [[0, "d8"]]})),
        (reads::<Sainokawara>, json!({"type": "place_dice", "dice": [{"space": 0, "die": {"d8": null}}]})),
        (reads::<Sainokawara>, json!({"type": "take_duty", "duty": {"4": null}})),
        (reads::<Salamander>, json!({"type": "announce", "claims": [[1, "air"]]})),
        (reads::<Salamander>, json!({"type": "move", "by": {"sum": null}})),
        (reads::<Kamudakara>, json!({"type": "rite_choose", "take": {"hidden": null}})),
        (reads::<Kamudakara>, json!({"type": "store", "cards": [{"sword": null}]})),
        (reads::<Kamudakara>, json!({"type": "rite", "card": {"sword": null}, "to": 1, "show": "left"})),
        (reads::<Hachiku>, json!({"type": "say", "word": ["かえる"]})),
    ];
    for (reads, action) in bad {
        assert!(!reads(&action), "{action}");
    }
}

#[test]
fn options_take_no_list_for_an_object_and_no_object_for_a_name() {
    let faults = |id: &str, options: Value| {
        let game = game(id).unwrap();
        let plan = Plan {
            seats: (0..*game.facts().seats.start()).map(|n| (Arc::from(format!("p{n}")), Player::Human)).collect(),
            turn_seconds: None,
            script: Arc::new(Script::default()),
            virtual_clock: false,
            created_at: Timestamp::default(),
        };
        game.lay(&options, plan).err().unwrap_or_default().into_iter().map(|fault| fault.field).collect::<Vec<_>>()
    };
    let none: [&str; 0] = [];
    for (id, options) in [
        ("hachiku", json!(null)),
        ("hachiku", json!({"preset": "easy", "capture_target": null, "word_policy": {"classes": ["place", "common"]}})),
        ("sainokawara", json!({"dice": {"d20": 14}})),
    ] {
        assert_eq!(faults(id, options.clone()), none, "{id} {options}");
    }
    for (id, options, field) in [
        ("hachiku", json!([]), "options"),
        ("hachiku", json!({"preset": {"easy": null}}), "options.preset"),
        ("hachiku", json!({"word_policy": [["common"]]}), "options.word_policy"),
        ("hachiku", json!({"word_policy": {"classes": [{"common": null}]}}), "options.word_policy.classes[0]"),
        ("kamudakara", json!({"faces": [["wisdom", "courage"], ["wisdom", "courage"]]}), "options.faces"),
        ("sainokawara", json!({"stacking": {"reported": null}}), "options.stacking"),
        ("sainokawara", json!({"dice": [["d20", 14]]}), "options.dice"),
        ("twenty_one", json!({"tie_rule": {"final": null}}), "options.tie_rule"),
    ] {
        assert_eq!(faults(id, options.clone()), [field], "{id} {options}");
    }
}

#[test]
fn what_a_type_says_itself_is_told_in_both_languages_with_its_field() {
    fn told<G: Game>(action: &Value) -> Text {
        Text::of(read_move::<G::Action>(action).unwrap_err())
    }
    for (text, en, ja) in [
        (
            told::<Hachiku>(&json!({"type": "gather", "letter": "が"})),
            "letter: “が” is not one of the 46 basic hiragana",
            "letter：「が」は 46 文字のひらがな",
        ),
        (
            told::<Hachiku>(&json!({"type": "say", "word": "柿", "letters": "かき"})),
            "letters: `letters` and `word` exclude each other",
            "letters：`letters` と `word` はどちらか一つです",
        ),
        (
            told::<Hachiku>(&json!({"type": "swap", "return": ["か"], "head": "く"})),
            "return: expected a list of 2, not one of 1",
            "return：2 個のリストにしてください（1 個でした）",
        ),
        (
            told::<Kamudakara>(&json!({"type": "rite", "card": "sword", "to": 17, "show": "left"})),
            "to: seat 17 does not exist",
            "to：席 17 はありません",
        ),
        (
            told::<Kamudakara>(&json!({"type": "store", "cards": vec!["sword"; 300]})),
            "cards: expected a list of at most",
            "cards：",
        ),
        (
            told::<Salamander>(&json!({"type": "discard", "card": "stone-9"})),
            "card: there is no “stone-9”; choose one of `air`",
            "card：「stone-9」はありません。`air`、",
        ),
        (
            told::<Salamander>(&json!({"type": "place_stone", "element": "fire", "stone": 9, "number": 1})),
            "stone: 9 is not a number from 1 to 3",
            "stone：9は1から3までの数ではありません",
        ),
        (
            told::<Sainokawara>(&json!({"type": "place_dice", "dice": [{"space": 14, "die": "d8"}]})),
            "dice: space 14 does not exist",
            "dice：スペース14はありません",
        ),
        (told::<Sainokawara>(&json!({"type": "resign", "seat": 1})), "there can be no `seat` here", "ここに `seat` は"),
        (told::<Sainokawara>(&json!(["resign"])), "expected an object, not a list", "オブジェクトにして"),
        (told::<Sainokawara>(&json!({"type": 7})), "type: expected a string, not 7", "type：文字列にして"),
    ] {
        assert!(text.en.starts_with(en) && text.ja.starts_with(ja), "{text:?}");
    }
}
