//! sai.prepare, sai.place-dice, sai.take-duty, sai.start-roll.

use std::ops::ControlFlow;

use dictionary::Lexicon;
use proptest::prelude::*;

use super::super::{Action, Die, Duty, Event, Options, Sainokawara, Space};
use super::table::{Played, duty, place, seat, space};
use crate::game::{Completeness, Game, Inquiry};

fn fresh() -> Played {
    Played::new(3, Options::default(), &[3, 4])
}

fn legal(played: &Played, number: u8) -> (Vec<Action>, Completeness) {
    let mut actions = Vec::new();
    let lexicon = Lexicon::empty();
    let found =
        played.table.game().legal_actions(seat(number), Inquiry { lexicon: &lexicon, words: false }, &mut |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
    (actions, found)
}

#[test]
fn prepare_goes_clockwise_one_act_a_turn() {
    let mut played = fresh();
    assert_eq!(played.to_act(), 0);
    assert_eq!(played.refused(1, duty(4)), "not-your-turn");
    played.act(0, duty(14)).act(1, place(&[(0, Die::D8)])).act(2, duty(3));
    assert_eq!(played.to_act(), 0);
}

#[test]
fn place_dice_puts_one_to_three_dice_on_vacant_spaces() {
    let mut played = fresh();
    played.act(0, place(&[(0, Die::D20), (13, Die::D8), (5, Die::D6Small)]));
    let view = played.view();
    assert_eq!((view.spaces[0], view.spaces[5], view.spaces[13]), (Some(Die::D20), Some(Die::D6Small), Some(Die::D8)));
    assert_eq!((view.supply.count(Die::D8), view.supply.count(Die::D20)), (1, 0));
}

#[test]
fn place_dice_refuses_none_occupied_spaces_and_dice_that_are_used_up() {
    let mut played = fresh();
    for dice in [&[][..], &[(3, Die::D8), (3, Die::D20)], &[(0, Die::D6Small), (1, Die::D6Small)]] {
        assert_eq!(played.refused(0, place(dice)), "sai.place-dice", "{dice:?}");
    }
    let four_to_fourteen = (4..=14).map(|count| (0..count).map(|space| (space, Die::D6Large)).collect::<Vec<_>>());
    for dice in four_to_fourteen {
        assert_eq!(played.refused(0, place(&dice)), "sai.place-dice", "{} dice", dice.len());
    }
    played.act(0, place(&[(5, Die::D20)]));
    assert_eq!(played.refused(1, place(&[(4, Die::D8), (5, Die::D8)])), "sai.place-dice");
    assert_eq!(played.refused(1, place(&[(4, Die::D20)])), "sai.place-dice");
}

#[test]
fn actions_that_cannot_be_do_not_even_read() {
    for action in [
        r#"{"type":"place_dice","dice":[{"space":14,"die":"d8"}]}"#,
        r#"{"type":"place_dice","dice":[{"space":-1,"die":"d8"}]}"#,
        r#"{"type":"place_dice","dice":[{"space":0,"die":"d12"}]}"#,
        r#"{"type":"place_dice","dice":[{"space":0,"die":"d8","turn":1}]}"#,
        r#"{"type":"take_duty","duty":"3"}"#,
        r#"{"type":"take_duty","duty":"15"}"#,
        r#"{"type":"take_die","die":"d8"}"#,
        r#"{"type":"roll_start","dice":[3,4]}"#,
    ] {
        assert!(serde_json::from_str::<Action>(action).is_err(), "{action}");
    }
    let first: Action = serde_json::from_str(r#"{"type":"take_duty","duty":"1-3"}"#).unwrap();
    assert_eq!(first, Action::TakeDuty { duty: Duty::OneToThree });
}

#[test]
fn take_duty_takes_any_free_card() {
    let mut played = fresh();
    played.act(0, duty(14));
    assert_eq!(played.refused(1, duty(14)), "sai.take-duty");
    played.act(1, duty(3)).act(2, duty(7)).act(0, duty(8));
    let duties: Vec<_> = played.view().duties.into_iter().map(|(duty, seat)| (duty.number(), seat.number())).collect();
    assert_eq!(duties, [(3, 1), (7, 2), (8, 0), (14, 0)]);
}

#[test]
fn prepare_leaves_the_other_when_one_is_no_longer_possible() {
    let mut played = fresh();
    for number in 3..=14 {
        played.go(&[duty(number)]);
    }
    let (actions, _) = legal(&played, played.to_act());
    assert!(actions.iter().all(|action| matches!(action, Action::PlaceDice { .. })));
    assert_eq!(played.refused(played.to_act(), duty(3)), "sai.take-duty");

    let mut played = fresh();
    for first in [0, 3, 6, 9] {
        let cubes = if first < 6 { Die::D6Large } else { Die::D6Medium };
        played.go(&[place(&[(first, cubes), (first + 1, cubes), (first + 2, cubes)])]);
    }
    played.go(&[place(&[(12, Die::D8), (13, Die::D20)])]);
    let (actions, found) = legal(&played, played.to_act());
    assert_eq!((actions.len(), found), (12, Completeness::Complete));
    assert_eq!(played.refused(played.to_act(), place(&[(0, Die::D8)])), "sai.place-dice");
}

#[test]
fn prepare_takes_the_last_duty_for_the_seat_that_can_do_nothing_else() {
    let mut played = fresh();
    for first in [0, 3, 6, 9] {
        let cubes = if first < 6 { Die::D6Large } else { Die::D6Medium };
        played.go(&[place(&[(first, cubes), (first + 1, cubes), (first + 2, cubes)])]);
    }
    played.go(&[place(&[(12, Die::D8), (13, Die::D20)])]);
    for number in 4..=14 {
        played.go(&[duty(number)]);
    }
    let last = played.events.last().unwrap();
    assert_eq!(*last, Event::DutyTaken { seat: seat(1), duty: Duty::OneToThree, forced: true });
    assert_eq!(played.to_act(), 1, "the owner of 1–3 rolls");
}

#[test]
fn prepare_places_the_last_die_when_only_one_kind_is_left() {
    let dice = serde_json::from_str(r#"{"d6-large":14}"#).unwrap();
    let mut played = Played::new(3, Options { dice, ..Options::default() }, &[1, 1]);
    for number in 3..=14 {
        played.go(&[duty(number)]);
    }
    for first in [0, 3, 6, 9] {
        played.go(&[place(&[(first, Die::D6Large), (first + 1, Die::D6Large), (first + 2, Die::D6Large)])]);
    }
    played.go(&[place(&[(12, Die::D6Large)])]);
    assert!(
        matches!(played.events.last().unwrap(), Event::DicePlaced { forced: true, dice, .. } if dice[0].space == space(13))
    );
    played.go(&[Action::RollStart {}]);
    assert_eq!(played.view().order.unwrap(), [Die::D6Large; 14]);
}

#[test]
fn start_roll_counts_clockwise_over_the_three_spaces_without_a_number() {
    // Space k carries k + 2: twelve different places make the order tell where it began.
    let layout: [Die; 14] = [
        Die::D20,
        Die::D8,
        Die::D8,
        Die::D10Small,
        Die::D10Medium,
        Die::D10Medium,
        Die::D6Small,
        Die::D6Large,
        Die::D6Large,
        Die::D6Medium,
        Die::D6Large,
        Die::D6Medium,
        Die::D6Medium,
        Die::D6Large,
    ];
    for dice in (1..=6).flat_map(|a| (1..=6).map(move |b| [a, b])) {
        let mut played = Played::new(3, Options::default(), &dice);
        for number in 3..=14 {
            played.go(&[duty(number)]);
        }
        for (first, dice) in (0..).step_by(3).zip(layout.chunks(3)) {
            let placed: Vec<_> = (first..).zip(dice.iter().copied()).collect();
            played.go(&[place(&placed)]);
        }
        played.go(&[Action::RollStart {}]);
        let begin = (dice[0] + dice[1] - 2) as usize;
        let expected: Vec<_> = layout[begin..].iter().chain(&layout[..begin]).copied().collect();
        assert_eq!(played.view().order.unwrap().to_vec(), expected, "{dice:?}");
        let numbers = played.events.iter().rev().find_map(|event| match event {
            Event::StartRolled { space, .. } => Some(*space),
            _ => None,
        });
        assert_eq!(numbers, Space::all().nth(begin));
    }
}

#[test]
fn start_roll_is_the_owners_of_the_first_duty_and_once() {
    let mut played = fresh();
    assert_eq!(played.refused(0, Action::RollStart {}), "sai.start-roll");
    played.prepare(|duty| if duty == Duty::OneToThree { 2 } else { duty.number() % 2 });
    assert_eq!(played.refused(0, Action::RollStart {}), "not-your-turn");
    played.act(2, Action::RollStart {});
    assert_eq!(played.refused(2, Action::RollStart {}), "sai.start-roll");
    assert_eq!(played.refused(2, duty(3)), "sai.prepare");
    assert_eq!(played.refused(2, place(&[(0, Die::D8)])), "sai.prepare");
}

#[test]
fn options_need_dice_for_every_space() {
    let count = crate::seat::SeatCount::new(3).unwrap();
    let faults = |json: &str| {
        Sainokawara::check(&serde_json::from_str(json).unwrap(), count, &crate::chance::Script::default()).len()
    };
    assert_eq!(faults("{}"), 0);
    assert_eq!(faults(r#"{"dice":{"d20":14}}"#), 0);
    assert_eq!(faults(r#"{"dice":{"d20":13}}"#), 1);
    assert_eq!(faults(r#"{"dice":{"d20":60,"d8":1}}"#), 1);
    assert!(serde_json::from_str::<Options>(r#"{"dice":{"d12":14}}"#).is_err());
}

proptest! {
    /// sai.place-dice: exactly the placements of one to three dice of the supply on as many vacant
    /// spaces are accepted, whatever their order.
    #[test]
    fn place_dice_accepts_every_legal_placement(dice in proptest::collection::vec((0u8..14, 0usize..7), 0..=3)) {
        let mut played = fresh();
        played.act(0, place(&[(0, Die::D20), (7, Die::D6Small), (13, Die::D8)]));
        let dice: Vec<_> = dice.into_iter().map(|(space, kind)| (space, Die::ALL[kind])).collect();
        let distinct = dice.iter().enumerate().all(|(i, (space, _))| dice[..i].iter().all(|(other, _)| other != space));
        let vacant = dice.iter().all(|(space, _)| ![0, 7, 13].contains(space));
        let supplied = [(Die::D20, 0), (Die::D6Small, 0), (Die::D8, 1), (Die::D10Small, 1), (Die::D10Medium, 2)]
            .iter()
            .all(|&(kind, count)| dice.iter().filter(|(_, die)| *die == kind).count() <= count);
        if !dice.is_empty() && distinct && vacant && supplied {
            played.act(1, place(&dice));
        } else {
            prop_assert_eq!(played.refused(1, place(&dice)), "sai.place-dice");
        }
    }
}
