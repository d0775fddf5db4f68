//! A log whose events were damaged is refused, or read to a table that still answers and plays on.
//! It never brings its reader down.

use std::sync::Arc;

use dictionary::{Class, Lexicon, Row};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rules::chance::{Chance, Key, Script};
use rules::game::{Inquiry, Level};
use rules::registry::game;
use rules::seat::{Seat, Viewer};
use rules::table::{AnyTable, Plan, Player, Status, Step};
use rules::time::Timestamp;
use serde_json::{Value, json};

const CREATED: Timestamp = Timestamp::from_millis(1_796_000_000_000);
/// Numbers at the edges of what games count, and of what machines do.
const NUMBERS: [i64; 22] =
    [0, 1, 2, 3, 4, 5, 6, 9, 10, 13, 14, 15, 20, 21, 22, 47, 48, 255, 256, 65_535, 4_294_967_295, -1];

fn table(id: &str, options: &Value, seats: usize) -> Box<dyn AnyTable> {
    let plan = Plan {
        seats: vec![(Arc::from("p"), Player::Human); seats],
        turn_seconds: Some(60),
        script: Arc::new(Script::default()),
        virtual_clock: false,
        created_at: CREATED,
    };
    let (mut table, _) = game(id).unwrap().lay(options, plan).unwrap();
    table.set_chance(Key::derive(&[7; 32], &[1; 16], []));
    table
}

fn seats(table: &dyn AnyTable) -> Vec<Seat> {
    table.head().count().seats().collect()
}

/// Plays at random for at most so many steps.
fn play(table: &mut dyn AnyTable, lexicon: &Lexicon, choices: &mut Chance, most: usize) -> Vec<Step> {
    let mut steps = vec![table.start(CREATED, lexicon).unwrap()];
    while table.head().status == Status::Active && steps.len() < most {
        let owing: Vec<_> = table.head().to_act.iter().collect();
        let seat = owing[choices.below(owing.len() as u32) as usize];
        let legal = table.legal_actions(seat, Inquiry { lexicon, words: true }, 200).actions;
        let action = serde_json::from_str(legal[choices.below(legal.len() as u32) as usize].get()).unwrap();
        steps.push(table.act(seat, &action, table.head().now.plus_millis(1000), lexicon).unwrap());
    }
    steps
}

/// The places of all values in a value, as JSON pointers.
fn places(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| places(item, format!("{path}/{at}"), found));
        }
        Value::Object(fields) => {
            fields.iter().for_each(|(name, item)| places(item, format!("{path}/{name}"), found));
        }
        _ => {}
    }
    found.push(path);
}

/// Puts something else into one place of the log's events, or leaves something out.
fn damage(steps: &mut [Step], choices: &mut Chance) {
    let mut pick = |count: usize| choices.below(count.max(1) as u32) as usize;
    let (here, there) = (pick(steps.len()), pick(steps.len()));
    let (event, other) = (pick(steps[here].events.len()), pick(steps[there].events.len()));
    let Some(elsewhere) = steps[there].events.get(other).cloned() else { return };
    let events = &mut steps[here].events;
    let Some(damaged) = events.get_mut(event) else { return };
    let (mut own, mut foreign) = (Vec::new(), Vec::new());
    places(damaged, String::new(), &mut own);
    places(&elsewhere, String::new(), &mut foreign);
    let (place, source) = (&own[pick(own.len())], &foreign[pick(foreign.len())]);
    let value = damaged.pointer_mut(place).unwrap();
    match pick(6) {
        0 => *value = json!(NUMBERS[pick(NUMBERS.len())]),
        1 => *value = elsewhere.pointer(source).unwrap().clone(),
        2 => match value {
            Value::Array(items) if !items.is_empty() => {
                items.remove(pick(items.len()));
            }
            Value::Array(items) => items.push(json!(0)),
            Value::Object(fields) => {
                let name = fields.keys().nth(pick(fields.len())).cloned();
                name.and_then(|name| fields.remove(&name));
            }
            Value::Bool(on) => *on = !*on,
            _ => *value = Value::Null,
        },
        3 => drop(events.remove(event)),
        4 => events.insert(event, elsewhere),
        _ => events.swap(event, 0),
    }
}

/// Everything that a server asks a table.
fn answers(table: &dyn AnyTable, lexicon: &Lexicon) {
    for viewer in seats(table).into_iter().map(Viewer::Seat).chain([Viewer::Public, Viewer::Everything]) {
        table.view(viewer);
    }
    assert!(table.head().to_act.iter().all(|seat| table.head().count().has(seat)));
    for seat in seats(table) {
        table.advise(seat, Level::Easy, lexicon);
        let legal = table.legal_actions(seat, Inquiry { lexicon, words: true }, 3).actions;
        for action in legal {
            let action = serde_json::from_str(action.get()).unwrap();
            let _either = table.clone_box().act(seat, &action, table.head().now, lexicon);
        }
    }
    if let Some(due) = table.due() {
        let _nothing = table.clone_box().expire(due, lexicon);
    }
}

fn survives_damage(id: &str, options: &Value, seats: usize, matches: u32, damages: u32) {
    let nouns = "かえる きつね ねこ こーと とけい いなずま まり りす すずむし しか かん さめ".split(' ');
    let lexicon = Lexicon::build(nouns.map(|reading| Row::new(reading, Class::Common, &[]))).unwrap();
    let mut runner = TestRunner::new(Config { cases: matches, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&any::<[u8; 32]>(), |choices| {
        let mut choices = Chance::new(Key::derive(&choices, &[0; 16], []), Arc::default());
        let steps = play(&mut *table(id, options, seats), &lexicon, &mut choices, 400);
        let (mut refused, mut read) = (0, 0);
        for _ in 0..damages {
            let mut damaged = steps.clone();
            (0..=choices.below(2)).for_each(|_| damage(&mut damaged, &mut choices));
            let mut table = table(id, options, seats);
            let fault = damaged.iter().find_map(|step| table.redo(step).err());
            if fault.is_some() {
                refused += 1;
            } else {
                read += 1;
            }
            answers(&*table, &lexicon);
        }
        prop_assert!(refused > 0, "{refused} refused and {read} read: the damage is too small");
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn hachiku() {
    survives_damage("hachiku", &json!({"capture_target": 6, "max_turns": 60}), 2, 4, 60);
}

#[test]
fn twenty_one() {
    let options = json!({"tie_rule": "roller", "roller_fallback": "sudden_death", "hands": true, "games": 8});
    survives_damage("twenty_one", &options, 3, 4, 60);
}

#[test]
fn kamudakara() {
    survives_damage("kamudakara", &json!({"rounds": 2}), 3, 4, 60);
}

#[test]
fn salamander() {
    survives_damage("salamander", &json!({"target": 49}), 3, 4, 60);
}

#[test]
fn sainokawara_reported() {
    survives_damage("sainokawara", &json!({}), 4, 4, 60);
}

#[test]
fn sainokawara_simulated() {
    survives_damage("sainokawara", &json!({"stacking": "simulated"}), 3, 1, 20);
}
