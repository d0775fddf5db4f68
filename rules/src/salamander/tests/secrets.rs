//! What a viewer sees does not depend on what is hidden from it.

use std::cell::Cell;

use proptest::prelude::any;
use proptest::test_runner::{Config, TestRunner};

use super::*;
use crate::salamander::hand::Hand;
use crate::salamander::state::Phase;

/// Everything that a viewer gets to see of a state, byte by byte.
fn seen(play: &Play, viewer: Viewer) -> String {
    let view = serde_json::to_string(&play.game.view(viewer)).unwrap();
    let legal = match viewer {
        Viewer::Seat(seat) => serde_json::to_string(&play.legal(seat.number())).unwrap(),
        Viewer::Public | Viewer::Everything => String::new(),
    };
    format!("{view} {legal} {:?}", play.game.to_act())
}

/// The events from `from` on, as the viewer sees them.
fn told(play: &Play, from: usize, viewer: Viewer) -> String {
    let events: Vec<_> = play.log[from..].iter().map(|event| Salamander::redact(event, viewer)).collect();
    serde_json::to_string(&events).unwrap()
}

/// The same table with other hands and another deck, as far as the viewer can tell; nothing while a
/// hand is not at rest or when the cards drawn do not fit.
fn another_world(play: &Play, viewer: Viewer, choices: &mut Chance) -> Option<Play> {
    let game = &play.game;
    let hidden: Vec<_> = game.seats.seats().filter(|&seat| viewer != Viewer::Seat(seat)).collect();
    if hidden.iter().any(|&seat| game.hands[seat].is_overfull()) {
        return None;
    }
    let mut other = play.clone();
    let mut pool: Vec<Card> = game.deck.iter().copied().collect();
    pool.extend(hidden.iter().flat_map(|&seat| game.hands[seat].cards()));
    choices.shuffle(&mut pool);
    for &seat in &hidden {
        let fits = |hand: &Hand| match viewer {
            Viewer::Seat(viewer) => game.knowledge.of(seat, viewer).allow(hand),
            Viewer::Public | Viewer::Everything => game.knowledge.of(seat, seat).allow(hand),
        };
        let size = game.hands[seat].len();
        let mut found = None;
        for _ in 0..40 {
            choices.shuffle(&mut pool);
            let hand: Hand = pool[..size].iter().copied().collect();
            if !hand.is_overfull() && fits(&hand) {
                found = Some(hand);
                break;
            }
        }
        other.game.hands[seat] = found?;
        pool.drain(..size);
    }
    other.game.deck = pool.into_iter().collect();
    Some(other)
}

fn some_state(seats: usize, seed: u64, length: usize) -> (Play, Chance) {
    let mut play = seeded(seats, 500, Script::default(), seed);
    let mut choices = choices(seed);
    for _ in 0..length {
        play.plays_at_random(&mut choices);
    }
    (play, choices)
}

fn viewer(seats: usize, number: u8) -> Viewer {
    if usize::from(number) < seats { Viewer::Seat(seat(number)) } else { Viewer::Public }
}

/// What the rules let the viewer learn from an event, said without regard to how events are redacted.
fn learnt(event: &Event, viewer: Viewer) -> String {
    let own = |seat: &Seat| viewer == Viewer::Seat(*seat);
    match event {
        Event::Shuffled { deck_size, .. } => format!("the deck has {deck_size} cards"),
        Event::Dealt { seat, cards } if own(seat) => format!("I was dealt {cards:?}"),
        Event::Dealt { seat, .. } => format!("{seat} was dealt to"),
        Event::Drew { seat, card } if own(seat) => format!("I drew {card:?}"),
        Event::Drew { seat, .. } => format!("{seat} drew"),
        Event::Asked { seat, target, card, answer } if own(seat) || own(target) => {
            format!("{seat} asked {target} for {card:?}: {answer:?}")
        }
        Event::Asked { seat, target, card, .. } => format!("{seat} asked {target} for {card:?}"),
        // All else happens before everybody's eyes.
        Event::Thrown { .. }
        | Event::DrewNothing { .. }
        | Event::Discarded { .. }
        | Event::PlacedStone { .. }
        | Event::Moved { .. }
        | Event::Jailed { .. }
        | Event::Freed { .. }
        | Event::Announced { .. }
        | Event::KeysThrown { .. }
        | Event::TurnEnded { .. }
        | Event::Ended { .. } => format!("{event:?}"),
    }
}

/// What the viewer learns from the events from `from` on, and what everybody sees to be owed.
fn learnt_since(play: &Play, from: usize, viewer: Viewer) -> (Vec<String>, Phase) {
    (play.log[from..].iter().map(|event| learnt(event, viewer)).collect(), play.game.phase)
}

/// Checks random states, each with a viewer; the check says how much it has compared.
fn for_random_states(cases: u32, length: usize, least: usize, check: impl Fn(Play, Chance, Viewer) -> usize) {
    let compared = Cell::new(0);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    runner
        .run(&(2..=4_usize, any::<u64>(), 0..length, 0..5_u8), |(seats, seed, length, number)| {
            let (play, choices) = some_state(seats, seed, length);
            compared.set(compared.get() + check(play, choices, viewer(seats, number)));
            Ok(())
        })
        .unwrap();
    assert!(compared.get() >= least, "{} comparisons are too few", compared.get());
}

/// A third seat, or the public, sees the same whether the answer was yes or no.
#[test]
fn sal_ask_yes_and_no_look_the_same_to_others() {
    for_random_states(40, 100, 20, |mut play, mut choices, viewer| {
        let mut compared = 0;
        for _ in 0..60 {
            let Some(asker) = play.game.to_act().iter().next() else { break };
            let asked = play.legal(asker.number()).into_iter().filter_map(|action| match action {
                Action::Ask { seat, card } if !viewer.sees(asker) && !viewer.sees(seat) => Some((seat, card)),
                _ => None,
            });
            let questions: Vec<_> = asked.collect();
            if !questions.is_empty() {
                let (target, card) = questions[choices.below(questions.len() as u32) as usize];
                let mut world = |held| {
                    (0..40).find_map(|_| {
                        another_world(&play, viewer, &mut choices)
                            .filter(|world| world.game.hands[target].has(card) == held)
                    })
                };
                if let (Some(yes), Some(no)) = (world(true), world(false)) {
                    let [yes, no] = [yes, no].map(|mut world| {
                        let from = world.log.len();
                        world.act(asker.number(), &Action::Ask { seat: target, card }).unwrap();
                        (told(&world, from, viewer), seen(&world, viewer))
                    });
                    assert_eq!(yes, no);
                    compared += 1;
                }
            }
            play.plays_at_random(&mut choices);
        }
        compared
    });
}

/// Worlds that a viewer cannot tell apart look the same to it, and go on to do so as long as the
/// rules let it learn the same in both.
#[test]
fn hidden_hands_and_deck_do_not_show() {
    for_random_states(100, 300, 150, |mut play, mut choices, viewer| {
        let Some(mut other) = another_world(&play, viewer, &mut choices) else { return 0 };
        assert_eq!(seen(&play, viewer), seen(&other, viewer));
        for compared in 1..40 {
            let Some(actor) = play.game.to_act().iter().next() else { return compared };
            let there = other.legal(actor.number());
            let both: Vec<_> = play.legal(actor.number()).into_iter().filter(|action| there.contains(action)).collect();
            if both.is_empty() {
                return compared;
            }
            let action = both[choices.below(both.len() as u32) as usize].clone();
            let from = (play.log.len(), other.log.len());
            play.act(actor.number(), &action).unwrap();
            other.act(actor.number(), &action).unwrap();
            if learnt_since(&play, from.0, viewer) != learnt_since(&other, from.1, viewer) {
                return compared;
            }
            assert_eq!(told(&play, from.0, viewer), told(&other, from.1, viewer), "{viewer:?} {action:?}");
            assert_eq!(seen(&play, viewer), seen(&other, viewer), "{viewer:?} {action:?}");
        }
        40
    });
}
