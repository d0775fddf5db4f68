//! What a match may choose.

use serde_json::{Value, json};

use super::*;
use crate::registry;
use crate::table::{Plan, Player};

/// The faults of a two-seat match with these options, as they are found at its creation.
fn faults(options: &Value) -> Vec<Fault> {
    let plan = Plan {
        seats: vec![("a".into(), Player::Human), ("b".into(), Player::Human)],
        turn_seconds: None,
        script: Arc::default(),
        virtual_clock: false,
        created_at: Timestamp::from_millis(0),
    };
    registry::game("twenty_one").unwrap().lay(options, plan).err().unwrap_or_default()
}

#[test]
fn the_defaults_are_the_rule_texts() {
    let options: Options = serde_json::from_value(json!({})).unwrap();
    assert_eq!(options, Options::default());
    assert_eq!(
        serde_json::to_value(options).unwrap(),
        json!({"starting_chips": 100, "tie_rule": "final", "roller_fallback": "draw", "hands": false})
    );
}

#[test]
fn options_that_cannot_be_are_refused() {
    for (options, field) in [
        (json!({"games": 0}), "options.games"),
        (json!({"games": 1001}), "options.games"),
        (json!({"games": -1}), "options.games"),
        (json!({"starting_chips": -1}), "options.starting_chips"),
        (json!({"starting_chips": 1_000_001}), "options.starting_chips"),
        (json!({"tie_rule": "coin"}), "options.tie_rule"),
        (json!({"tie_rule": "roller", "roller_fallback": "roller"}), "options.roller_fallback"),
        (json!({"stakes": 1}), "options"),
    ] {
        let faults = faults(&options);
        assert_eq!(faults.iter().map(|fault| fault.field.as_str()).collect::<Vec<_>>(), [field], "{options}");
    }
    assert_eq!(faults(&json!({"games": 0, "starting_chips": -1})).len(), 2, "all at once");
    for options in [json!(null), json!({"games": 1000, "starting_chips": 0}), json!({"roller_fallback": "final"})] {
        assert_eq!(faults(&options), []);
    }
}

#[test]
fn a_fallback_of_roller_itself_is_answered_with_the_rules_that_can_be() {
    let fault = &faults(&json!({"tie_rule": "roller", "roller_fallback": "roller"}))[0];
    assert!(fault.message.en.contains("`final`, `draw`, `carryover`, `sudden_death`"), "{}", fault.message.en);
}

#[test]
fn an_action_with_a_field_too_many_is_refused() {
    for action in [json!({"type": "roll", "die": 6}), json!({"type": "stop", "seat": 0}), json!({"type": "hold"})] {
        assert!(serde_json::from_value::<Action>(action.clone()).is_err(), "{action}");
    }
    assert_eq!(serde_json::to_value(Action::Roll {}).unwrap(), json!({"type": "roll"}));
    assert_eq!(serde_json::from_value::<Action>(json!({"type": "stop"})).unwrap(), Action::Stop {});
}

#[test]
fn a_die_has_six_faces() {
    assert!(serde_json::from_value::<Face>(json!(0)).is_err());
    assert!(serde_json::from_value::<Face>(json!(7)).is_err());
    assert_eq!(Face::all().map(Face::pips).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
}
