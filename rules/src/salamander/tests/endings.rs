//! How matches end, and where the cards are until then.

use super::*;
use crate::salamander::cards::Counts;

#[test]
fn sal_target_ends_the_match_at_once() {
    let mut play = play(2, &[2, 2, 3], "fire stone-3 number-7 air");
    play.moves(0, By::Difference).plays(0, [announce(&[(1, "number-7")])]);
    let outcome = play.game.outcome().unwrap();
    assert_eq!((outcome.ranks, outcome.reason.as_ref()), (vec![1, 2], "target"));
    assert!(play.game.to_act().is_empty());
    assert_eq!(serde_json::to_value(play.log.last()).unwrap(), json!({"type": "ended", "reason": "target"}));
}

#[test]
fn sal_target_one_point_short_goes_on() {
    let mut play = seeded(
        2,
        19,
        Script { dice: vec![2, 2, 3], deck: ["earth", "number-2", "stone-3", "air"].map(String::from).to_vec() },
        7,
    );
    play.moves(0, By::Difference).plays(0, [announce(&[(1, "stone-3")])]);
    assert_eq!((play.public().scores[0], play.game.outcome()), (18, None));
}

#[test]
fn sal_reshuffle_the_discards_make_the_deck_at_the_next_draw() {
    let mut play = play(2, &[2, 3, 1], "air stone-2 earth number-5");
    play.game.deck.clear();
    play.game.discards.add(card("air"));
    play.game.discards.add(card("air"));
    let events = play.act(0, &throw()).unwrap();
    assert_eq!(events[1], Event::Shuffled { deck_size: 2, deck: Some(vec![card("air"); 2]) });
    assert_eq!(Salamander::redact(&events[1], Viewer::Seat(seat(0))), Event::Shuffled { deck_size: 2, deck: None });
    assert_eq!(events[2], Event::Drew { seat: seat(0), card: Some(card("air")) });
    assert_eq!(play.public().deck_size, 1);
}

#[test]
fn sal_reshuffle_with_neither_deck_nor_discards_the_draw_is_skipped() {
    let mut play = play(2, &[2, 3, 1], "air stone-2 earth number-5");
    play.game.deck.clear();
    let events = play.act(0, &throw()).unwrap();
    assert_eq!(events[1..], [Event::DrewNothing { seat: seat(0) }]);
    assert_eq!(play.legal(0)[0], walk(By::Sum));
}

/// All 47 cards are in the deck, the discards, the hands and the sets, whatever happens.
#[test]
fn sal_reshuffle_the_47_cards_are_kept_and_the_last_set_ends_the_match() {
    for seats in 2..=4 {
        let mut play = seeded(seats, 500, Script::default(), 11);
        let mut choices = choices(5);
        while play.plays_at_random(&mut choices) {
            let game = &play.game;
            let mut counts = game.discards.clone();
            let hands = game.seats.seats().flat_map(|seat| game.hands[seat].cards());
            let sets = game.sets.iter().flat_map(|scored| scored.set.cards());
            for card in game.deck.iter().chain(hands).copied().chain(sets) {
                counts.add(card);
            }
            assert_eq!(counts, Counts::FULL);
            for seat in game.seats.seats().filter(|&seat| !game.to_act().contains(seat)) {
                assert!(!game.hands[seat].is_overfull());
            }
        }
        let outcome = play.game.outcome().unwrap();
        let scores = play.public().scores;
        assert_eq!((outcome.reason.as_ref(), play.game.sets.len()), ("no_set_left", 15));
        let best = *scores.iter().max().unwrap();
        for (winner, score) in outcome.ranks.iter().map(|&rank| rank == 1).zip(scores) {
            assert_eq!(winner, score == best);
        }
        assert!(play.log.iter().filter(|event| matches!(event, Event::Shuffled { .. })).count() > 1);
    }
}

#[test]
fn everything_is_open_after_the_end() {
    let play = play(2, &[], "fire stone-3 number-7 air");
    let view = play.game.view(Viewer::Everything);
    assert_eq!(view.hands.unwrap()[0], [card("fire"), card("stone-3")]);
    assert_eq!(view.deck.unwrap().len(), 43);
}
