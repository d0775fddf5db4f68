//! Announcements, true and false.

use super::*;
use crate::salamander::JudgedClaim;

const DEAL: &str = "earth number-2 stone-3 air";

fn at_home(seats: usize, deck: &str) -> Play {
    let mut play = play(seats, &[2, 2, 3, 2, 2, 3], deck);
    play.moves(0, By::Difference);
    play
}

#[test]
fn sal_announce_the_texts_example_scores_18() {
    let mut play = at_home(2, DEAL);
    let events = play.act(0, &announce(&[(1, "stone-3")])).unwrap().to_vec();
    let shown = serde_json::to_value(&events).unwrap();
    assert_eq!(
        shown,
        json!([{
            "type": "announced", "seat": 0, "shown": ["earth", "number-2"],
            "claims": [{"seat": 1, "card": "stone-3", "held": true}], "points": 18,
        }])
    );
    let view = play.public();
    assert_eq!((view.scores, view.hand_sizes, view.stones), (vec![18, 0], vec![0, 1], vec![None, None]));
    assert_eq!(view.sets, [vec![room("earth", 3, 2).cards()], vec![]]);
    assert_eq!(view.discards, []);
    assert_eq!(play.legal(0), [throw(), end_turn()], "equal numbers were thrown");
}

#[test]
fn sal_announce_with_one_own_card_and_two_of_others_in_any_order() {
    let deck = "earth water stone-3 number-5 fire number-5";
    for claims in
        [[(1, "stone-3"), (2, "number-5")], [(2, "number-5"), (1, "stone-3")], [(1, "stone-3"), (1, "number-5")]]
    {
        let mut play = play(3, &[2, 2, 3], deck);
        play.plays(0, [discard("water")]).moves(0, By::Difference).plays(0, [announce(&claims)]);
        assert_eq!(play.public().scores, [45, 0, 0]);
        assert_eq!(play.public().hand_sizes.iter().sum::<u8>(), 2);
    }
}

#[test]
fn sal_announce_a_false_one_leads_to_jail_and_ends_the_turn() {
    let mut play = at_home(2, DEAL);
    play.plays(0, [announce(&[(1, "stone-2")])]);
    let view = play.public();
    assert_eq!((view.pieces[0], play.turn()), (Piece::Jail, 1));
    assert_eq!((view.scores, view.hand_sizes, view.discards), (vec![0, 0], vec![2, 2], vec![]));
    assert!(view.stones[0].is_some());
}

#[test]
fn sal_announce_every_statement_is_judged_and_what_was_shown_stays_known() {
    let mut play = play(3, &[2, 2, 3], "earth water stone-3 number-5 fire number-5");
    play.plays(0, [discard("water")]).moves(0, By::Difference);
    play.plays(0, [announce(&[(1, "stone-3"), (2, "number-4")])]);
    let judged = |seat_no, name, held| JudgedClaim { seat: seat(seat_no), card: card(name), held };
    let Some(Event::Announced { claims, points: None, .. }) =
        play.log.iter().rfind(|event| matches!(event, Event::Announced { .. }))
    else {
        panic!("it failed")
    };
    assert_eq!(claims[..], [judged(1, "stone-3", true), judged(2, "number-4", false)]);
    assert_eq!(play.known(2, 0).0, ["earth"]);
    assert_eq!(play.known(2, 1).0, ["stone-3"]);
    assert!(play.known(1, 2).1.contains(&"number-4"));
}

#[test]
fn sal_announce_lists_every_announcement_once() {
    let announcements = |play: &Play| {
        let mut listed = play.legal(0);
        listed.retain(|action| matches!(action, Action::Announce { .. }));
        listed.len()
    };
    assert_eq!(announcements(&at_home(2, DEAL)), 3);
    assert_eq!(announcements(&at_home(3, "earth stone-1 stone-3 air fire number-7")), 2 * 7);
    let mut play = play(3, &[2, 2, 3], "earth water stone-3 air fire number-7");
    play.plays(0, [discard("water")]).moves(0, By::Difference);
    assert_eq!(announcements(&play), (2 * 3) * (2 * 7));
}

#[test]
fn sal_announce_is_refused_where_it_makes_no_set() {
    let mut play = at_home(2, DEAL);
    for claims in [
        &[][..],
        &[(1, "air")],
        &[(0, "stone-3")],
        &[(2, "stone-3")],
        &[(1, "stone-3"), (1, "air")],
        &[(1, "stone-3"), (1, "stone-2")],
        &[(1, "stone-3"), (1, "air"), (1, "number-1")],
    ] {
        assert_eq!(play.refuses(0, &announce(claims)), "sal.announce");
    }
}

#[test]
fn sal_announce_with_an_empty_hand_or_on_the_road_is_refused() {
    let mut play = at_home(2, DEAL);
    play.plays(0, [announce(&[(1, "stone-3")])]).moves(0, By::Difference);
    assert_eq!(play.refuses(0, &announce(&[(1, "air"), (1, "stone-1"), (1, "number-1")])), "sal.announce");
    let mut play = self::play(2, &[2, 2, 3], DEAL);
    play.moves(0, By::Sum);
    assert_eq!(play.refuses(0, &announce(&[(1, "stone-3")])), "sal.announce");
}

#[test]
fn sal_announce_may_name_two_cards_of_a_seat_with_one() {
    let mut play = play(2, &[2, 2, 3], "earth fire stone-3 stone-1");
    play.plays(1, [discard("stone-1")]).plays(0, [discard("fire")]).moves(0, By::Difference);
    play.plays(0, [announce(&[(1, "stone-3"), (1, "number-1")])]);
    assert_eq!(play.pieces()[0], Piece::Jail);
}

#[test]
fn sal_picture_stone_does_nothing_without_a_card() {
    let mut play = at_home(2, DEAL);
    play.plays(0, [announce(&[(1, "stone-3")]), throw()]);
    assert_eq!(play.legal(0), [walk(By::Sum), walk(By::Difference)]);
}
