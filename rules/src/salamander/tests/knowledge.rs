//! What a seat can tell of the others' hands.

use super::*;
use crate::salamander::hand::Hand;
use crate::salamander::knowledge::Hands;

fn resting_hands() -> Vec<Hand> {
    [Hands::NO_CARD, Hands::ONE_CARD, Hands::TWO_CARDS].into_iter().flat_map(Hands::iter).collect()
}

fn set_of(hands: &[Hand]) -> Vec<Hand> {
    let mut hands = hands.to_vec();
    hands.sort_by_key(|hand| format!("{hand:?}"));
    hands.dedup();
    hands
}

#[test]
fn there_are_76_resting_hands() {
    let hands = resting_hands();
    assert_eq!(hands.len(), 1 + 14 + 61);
    assert!(hands.iter().all(|hand| !hand.is_overfull() && Hands::exactly(hand).iter().eq([hand.clone()])));
}

/// Drawing and discarding, worked out on sets, agree with doing it card by card.
#[test]
fn sets_of_hands_change_as_the_hands_do() {
    for hand in resting_hands() {
        let known = Hands::exactly(&hand);
        let mut kept = Vec::new();
        let mut discarded: Vec<(Card, bool, Hand)> = Vec::new();
        for drawn in Card::ALL {
            let mut full = hand.clone();
            full.add(drawn);
            if !full.is_overfull() {
                kept.push(full);
                continue;
            }
            let forced = full.forced_discard().is_some();
            for card in full.surplus() {
                let mut rest = full.clone();
                rest.remove(card);
                discarded.push((card, forced, rest));
            }
        }
        if hand.len() < 2 {
            assert_eq!(set_of(&known.after_drawing().iter().collect::<Vec<_>>()), set_of(&kept), "{hand:?}");
        }
        for card in Card::ALL {
            for forced in [false, true] {
                let expected: Vec<_> = discarded
                    .iter()
                    .filter(|(gone, by_table, _)| (*gone, *by_table) == (card, forced))
                    .map(|(_, _, rest)| rest.clone())
                    .collect();
                let found: Vec<_> = known.after_discarding(card, forced).iter().collect();
                if forced || !expected.is_empty() {
                    assert_eq!(set_of(&found), set_of(&expected), "{hand:?} without {card:?}, forced: {forced}");
                }
            }
            let mut rest = hand.clone();
            rest.remove(card);
            if hand.has(card) {
                assert_eq!(known.after_giving(card).iter().collect::<Vec<_>>(), [rest]);
            }
        }
    }
}

/// What a seat can tell is never wrong, in random matches of every size.
#[test]
fn what_is_known_is_so() {
    for seed in 0..6 {
        let mut play = seeded(2 + seed as usize % 3, 84, Script::default(), seed);
        let mut choices = choices(seed);
        for _ in 0..600 {
            if !play.plays_at_random(&mut choices) {
                break;
            }
            for observer in play.game.seats.seats() {
                let known = play.view(observer.number()).known.unwrap();
                for target in play.game.seats.seats() {
                    let hand = &play.game.hands[target];
                    let known = &known[target.index()];
                    assert!(known.holds.iter().all(|&card| hand.has(card)), "{observer:?} of {target:?}: {known:?}");
                    assert!(!known.lacks.iter().any(|&card| hand.has(card)), "{observer:?} of {target:?}: {known:?}");
                    assert!(hand.is_overfull() || play.game.knowledge.of(target, observer).allow(hand));
                }
            }
        }
    }
}

#[test]
fn an_answer_is_noted_and_implies_the_rest_of_its_kind() {
    let mut play = play(3, &[2, 3, 3], "earth number-2 stone-3 air fire number-7");
    play.moves(0, By::Sum).plays(0, [ask(1, "stone-3")]);
    let (holds, lacks) = play.known(0, 1);
    assert_eq!(holds, ["stone-3"]);
    assert_eq!(lacks, ["stone-1", "stone-2"]);
    assert_eq!(play.known(2, 1), (vec![], vec!["number-7"]), "seat 2 holds the only 7 itself");
    assert_eq!(play.view(1).exposed.unwrap(), [vec![card("stone-3")], vec![], vec![]]);
}

#[test]
fn a_no_is_noted_until_the_seat_draws() {
    let mut play = play(2, &[2, 4, 3, 2, 2, 1], "earth number-2 stone-3 air fire");
    play.moves(0, By::Sum).plays(0, [ask(1, "fire")]);
    assert_eq!(play.known(0, 1).1, ["fire"]);
    play.plays(1, [throw()]);
    assert_eq!(play.known(0, 1).1, [""; 0], "a drawn card may be any");
    play.plays(1, [discard("air")]);
    assert_eq!(play.known(0, 1), (vec![], vec!["air"]));
}

#[test]
fn a_stone_marker_tells_what_a_hand_agrees_with() {
    let mut play = play(2, &[1, 2, 3], "earth number-2 stone-3 air");
    play.plays(0, [throw(), place("earth", 1, 2)]);
    let (holds, lacks) = play.known(1, 0);
    assert_eq!(holds, [""; 0]);
    assert_eq!(lacks.len(), 14 - 3);
    assert!(!["earth", "stone-1", "number-2"].iter().any(|card| lacks.contains(card)));
}

#[test]
fn a_card_that_changes_hands_is_noted() {
    let mut play = play(2, &[2, 2, 3], "earth number-2 stone-3 air");
    play.moves(0, By::Difference).plays(0, [announce(&[(1, "stone-3")])]);
    assert_eq!(play.known(1, 0).1.len(), 14);
    assert_eq!(play.known(0, 1), (vec![], vec!["stone-1", "stone-2", "stone-3"]), "a second stone it never had");
}
