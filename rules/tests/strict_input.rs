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
    for (id, options) in [
        ("hachiku", json!([])),
        ("hachiku", json!({"preset": {"easy": null}})),
        ("hachiku", json!({"word_policy": [["common"]]})),
        ("hachiku", json!({"word_policy": {"classes": [{"common": null}]}})),
        ("kamudakara", json!({"faces": [["wisdom", "courage"], ["wisdom", "courage"], ["wisdom", "courage"]]})),
        ("sainokawara", json!({"stacking": {"reported": null}})),
        ("sainokawara", json!({"dice": [["d20", 14]]})),
        ("twenty_one", json!({"tie_rule": {"final": null}})),
    ] {
        assert_eq!(faults(id, options.clone()), ["options"], "{id} {options}");
    }
}
