//! What a viewer sees does not depend on what is hidden from it.

use proptest::prelude::*;

use super::*;
use crate::salamander::hand::Hand;

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

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// A third seat, or the public, sees the same whether the answer was yes or no.
    #[test]
    fn sal_ask_yes_and_no_look_the_same_to_others(seats in 2..=4_usize, seed: u64, length in 0..200_usize, number in 0..5_u8) {
        let (mut play, mut choices) = some_state(seats, seed, length);
        let viewer = viewer(seats, number);
        for _ in 0..25 {
            let Some(asker) = play.game.to_act().iter().next() else { break };
            let questions: Vec<_> = play.legal(asker.number()).into_iter().filter_map(|action| match action {
                Action::Ask { seat, card } if !viewer.sees(asker) && !viewer.sees(seat) => Some((seat, card)),
                _ => None,
            }).collect();
            if !questions.is_empty() {
                let (target, card) = questions[choices.below(questions.len() as u32) as usize];
                let worlds: Vec<_> = [true, false].into_iter().filter_map(|held| {
                    (0..20).find_map(|_| another_world(&play, viewer, &mut choices)
                        .filter(|world| world.game.hands[target].has(card) == held))
                }).collect();
                let after: Vec<_> = worlds.into_iter().map(|mut world| {
                    let from = world.log.len();
                    world.act(asker.number(), &Action::Ask { seat: target, card }).unwrap();
                    (told(&world, from, viewer), seen(&world, viewer))
                }).collect();
                prop_assert!(after.windows(2).all(|two| two[0] == two[1]));
            }
            play.plays_at_random(&mut choices);
        }
    }

    /// Worlds that a viewer cannot tell apart look the same to it, and go on to do so as long as
    /// the same happens in them before its eyes.
    #[test]
    fn hidden_hands_and_deck_do_not_show(seats in 2..=4_usize, seed: u64, length in 0..300_usize, number in 0..5_u8) {
        let (mut play, mut choices) = some_state(seats, seed, length);
        let viewer = viewer(seats, number);
        let Some(mut other) = another_world(&play, viewer, &mut choices) else { return Ok(()) };
        prop_assert_eq!(seen(&play, viewer), seen(&other, viewer));
        for _ in 0..40 {
            let Some(actor) = play.game.to_act().iter().next() else { break };
            let there = other.legal(actor.number());
            let both: Vec<_> = play.legal(actor.number()).into_iter().filter(|action| there.contains(action)).collect();
            if both.is_empty() {
                break;
            }
            let action = both[choices.below(both.len() as u32) as usize].clone();
            let from = (play.log.len(), other.log.len());
            play.act(actor.number(), &action).unwrap();
            other.act(actor.number(), &action).unwrap();
            if told(&play, from.0, viewer) != told(&other, from.1, viewer) || play.public().phase != other.public().phase {
                break;
            }
            prop_assert_eq!(seen(&play, viewer), seen(&other, viewer));
        }
    }
}
