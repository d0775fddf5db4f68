//! The simulated tower: sai.stack, sai.collapse, sai.one-hand, sai.blame, and records without physics.

use physics::decimal::Milli;

use super::super::{Action, Cause, Event, Landing, Options, Stacking, Tremor};
use super::table::{PAUSE, Played, REPORT, TAKE, seat};
use crate::chance::{Chance, Key};
use crate::game::{Game, Level};
use crate::table::{Move, Status, Step, Table};

fn stack(x: f64, y: f64) -> Action {
    Action::Stack { x: Milli::round(x), y: Milli::round(y), turn: Milli::default(), face: 1 }
}

fn adjust(die: u8, x: f64) -> Action {
    Action::Adjust { die, x: Milli::round(x), y: Milli::default(), turn: Milli::default() }
}

fn options(tremor: Tremor) -> Options {
    Options { stacking: Stacking::Simulated, tremor, ..Options::default() }
}

/// The start is rolled; large and medium cubes lie in the ring.
fn begun() -> Played {
    let mut played = Played::new(3, options(Tremor::Steady), &[1, 1]);
    played.prepare(|duty| (duty.number() - 3) % 3).go(&[Action::RollStart {}]);
    played
}

fn landing(played: &Played) -> Option<Landing> {
    played.events.iter().rev().find_map(|event| match event {
        Event::SetDown { landing, .. } => Some(*landing),
        _ => None,
    })
}

#[test]
fn centred_stacking_by_a_steady_hand_builds_all_fourteen() {
    let mut played = begun();
    for count in 1..=13 {
        played.go(&[stack(0.0, 0.0)]);
        assert_eq!((played.view().tower.len(), landing(&played)), (count, Some(Landing::Stands)));
    }
    played.go(&[stack(0.0, 0.0)]);
    assert!(played.events.contains(&Event::TowerCompleted { seat: seat(2) }));
    assert_eq!(played.track(), [0, 0, 5]);
}

/// What takes milliseconds is worked out beside the threads that answer requests; all else is not.
#[test]
fn only_placements_are_slow() {
    let mut played = begun();
    assert!(played.table.game().is_slow());
    played.go(&[stack(0.0, 0.0), stack(0.0, 0.0), adjust(2, 10.0)]);
    assert!(!played.table.game().is_slow(), "it fell, and dice are placed again");
    assert!(!Played::rolled(3).table.game().is_slow(), "real dice fall without the server");
}

#[test]
fn the_same_seed_builds_the_same_tower() {
    let build = || {
        let mut played = begun();
        played.go(&[stack(0.0, 0.0), stack(1.0, 0.0), stack(-1.0, 2.0)]);
        played.view().tower
    };
    assert_eq!(build(), build());
}

#[test]
fn stack_misses_may_be_tried_again_until_the_clock_ends() {
    let mut played = begun();
    played.go(&[stack(0.0, 0.0), stack(30.0, 0.0)]);
    assert_eq!((landing(&played), played.view().tower.len(), played.fell()), (Some(Landing::Missed), 1, None));
    assert_eq!(played.to_act(), 0);
    played.go(&[stack(0.0, 0.0)]);
    assert_eq!(played.view().tower.len(), 2);
    assert_eq!(played.until(120.0).fell(), Some((0, 3)));
}

#[test]
fn collapse_is_what_the_world_says() {
    let mut played = begun();
    played.go(&[stack(0.0, 0.0), stack(0.0, 0.0), adjust(2, 10.0)]);
    assert_eq!(played.fell(), Some((0, 3)), "the second die was pushed over the edge of the first");
    assert!(matches!(played.events.iter().rev().nth(2), Some(Event::TowerFell { cause: Cause::World, .. })));
    assert_eq!(begun().refused(0, REPORT), "sai.collapse");
}

#[test]
fn collapse_comes_of_leaning_past_the_support() {
    let mut played = begun();
    for _ in 0..6 {
        if played.fell().is_none() {
            played.go(&[stack(5.0, 0.0)]);
        }
    }
    assert!(played.fell().is_some(), "{:?}", played.view().tower);
}

#[test]
fn one_hand_may_touch_any_standing_die() {
    let mut played = begun();
    assert_eq!(played.refused(0, adjust(1, 1.0)), "sai.one-hand");
    played.go(&[stack(0.0, 0.0), stack(0.0, 0.0)]);
    let before = played.view().tower[0].pose.centre()[0];
    played.go(&[adjust(1, 3.0)]);
    let after = played.view().tower[0].pose.centre()[0];
    assert!((after - before - 3.0).abs() < 1.5, "{before} {after}");
    assert_eq!(played.refused(0, adjust(3, 1.0)), "sai.one-hand");
    assert_eq!(played.refused(0, adjust(1, 10.5)), "sai.one-hand");
}

#[test]
fn blame_moves_with_the_first_touch() {
    let mut played = begun();
    played.go(&[stack(0.0, 0.0), stack(0.0, 0.0), stack(0.0, 0.0)]);
    assert_eq!(played.view().stacking.unwrap().blame, Some(seat(0)));
    played.go(&[adjust(3, 0.0)]);
    assert_eq!(played.view().stacking.unwrap().blame, Some(seat(1)));
}

#[test]
fn stack_refuses_what_cannot_be() {
    let mut played = begun();
    assert_eq!(played.refused(0, stack(60.5, 0.0)), "sai.stack");
    for face in [0, 7] {
        let action = Action::Stack { x: Milli::default(), y: Milli::default(), turn: Milli::default(), face };
        assert_eq!(played.refused(0, action), "sai.stack");
    }
    assert_eq!(played.refused(0, TAKE), "sai.stack");
    assert_eq!(played.refused(0, PAUSE), "sai.pause");
    assert_eq!(Played::rolled(3).refused(0, stack(0.0, 0.0)), "sai.stack");
    let text = r#"{"type":"stack","x":0.12345,"y":-3,"turn":90,"face":2}"#;
    let Action::Stack { x, .. } = serde_json::from_str(text).unwrap() else { panic!("it is a stack") };
    assert!((x.get() - 0.123).abs() < 1e-9);
}

/// Plays a match to its end, each seat stacking as the bot advises but now and then far off.
fn steps(played: &mut Played) -> Vec<Step> {
    let mut choices = Chance::new(Key::derive(&[5; 32], &[0; 16], []), std::sync::Arc::default());
    let lexicon = dictionary::Lexicon::empty();
    let mut steps = Vec::new();
    while !played.is_finished() {
        let at = played.table.head().now.plus_millis(1000);
        let owing = seat(played.to_act());
        let mut action = played.table.advise(owing, Level::Easy, &lexicon).remove(0).action;
        if matches!(action, Action::Stack { .. }) && choices.below(20) == 0 {
            action = stack(6.0, 0.0);
        }
        steps.push(played.table.act(owing, Move::Play(action), at, &lexicon).unwrap());
    }
    steps
}

#[test]
fn a_record_folds_and_verifies_without_physics() {
    let fresh = || Played::new(3, options(Tremor::Normal), &[]);
    let mut played = fresh();
    let steps = steps(&mut played);
    let (mut folded, mut verified) = (fresh().table, fresh().table);
    let lexicon = dictionary::Lexicon::empty();
    for step in &steps {
        let stored: Step = serde_json::from_str(&serde_json::to_string(step).unwrap()).unwrap();
        folded.redo(&stored).unwrap();
        verified.replay(&stored, &lexicon).unwrap();
    }
    for copy in [folded, verified] {
        assert_eq!(format!("{copy:?}"), format!("{:?}", played.table));
        assert_eq!(copy.head().status, Status::Finished);
    }
}

#[test]
fn a_record_is_taken_at_its_word_about_the_world_and_about_nothing_else() {
    let lexicon = dictionary::Lexicon::empty();
    let mut played = begun();
    let before = played.table.clone();
    let mut step = played.table.act(seat(0), Move::Play(stack(0.0, 0.0)), played.now, &lexicon).unwrap();
    let replay = |step: &Step| Table::clone(&before).replay(step, &lexicon);
    let at = step.events.iter().position(|event| event["type"] == "set_down").unwrap();

    step.events[at]["poses"][0]["position"][0] = serde_json::json!(12.5);
    assert_eq!(replay(&step), Ok(()), "a die that rests elsewhere is the engine's business");
    step.events[at]["landing"] = "missed".into();
    assert!(replay(&step).is_err(), "what follows from where it rests is the rules'");
    step.events[at]["landing"] = "stands".into();
    let pose = step.events[at]["poses"][0].clone();
    step.events[at]["poses"].as_array_mut().unwrap().push(pose);
    assert!(replay(&step).is_err(), "one die too many");
}
