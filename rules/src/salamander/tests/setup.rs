//! The deal and the options.

use super::*;

#[test]
fn sal_deal_two_secret_cards_each_seat_by_seat() {
    let play = play(3, &[], "earth number-2 stone-3 air fire number-7");
    assert_eq!(play.hand(0), ["earth", "number-2"]);
    assert_eq!(play.hand(1), ["air", "stone-3"]);
    assert_eq!(play.hand(2), ["fire", "number-7"]);
    let public = play.public();
    assert_eq!((public.hand, public.known, public.hands, public.deck), (None, None, None, None));
    assert_eq!((public.hand_sizes, public.deck_size), (vec![2, 2, 2], 41));
    assert_eq!(play.turn(), 0);
}

#[test]
fn sal_deal_two_of_a_kind_leave_one_before_the_first_turn() {
    let mut play = play(2, &[], "number-4 number-6 fire air");
    assert_eq!(play.game.to_act().iter().collect::<Vec<_>>(), [seat(0), seat(1)]);
    assert!(play.game.is_simultaneous());
    assert_eq!(play.refuses(0, &throw()), "sal.deal");
    assert_eq!(play.refuses(0, &discard("number-5")), "sal.deal");
    assert_eq!(play.legal(1), [discard("air"), discard("fire")]);
    play.plays(1, [discard("air")]).plays(0, [discard("number-6")]);
    assert_eq!((play.hand(0), play.hand(1)), (vec!["number-4"], vec!["fire"]));
    assert_eq!(play.public().discards, [card("air"), card("number-6")]);
    assert_eq!((play.turn(), play.game.is_simultaneous()), (0, false));
}

#[test]
fn sal_deal_two_equal_cards_are_no_choice() {
    let play = play(2, &[], "earth earth fire stone-2");
    assert!(play.log.contains(&Event::Discarded { seat: seat(0), card: card("earth"), forced: true }));
    assert_eq!((play.hand(0), play.turn()), (vec!["earth"], 0));
}

#[test]
fn sal_target_is_from_1_to_500_and_a_script_has_no_more_cards_than_there_are() {
    let faults = |target, deck: &str| {
        let deck = deck.split_whitespace().map(String::from).collect();
        let faults = Salamander::check(&Options { target }, SeatCount::new(2).unwrap(), &Script { dice: vec![], deck });
        faults.into_iter().map(|fault| fault.field).collect::<Vec<_>>()
    };
    assert_eq!(faults(1, "number-4 number-4 number-4 number-4"), [""; 0]);
    assert_eq!(faults(500, ""), [""; 0]);
    assert_eq!(faults(0, "number-7 number-7"), ["options.target", "sandbox.deck[1]"]);
    assert_eq!(faults(501, "fire salamander"), ["options.target", "sandbox.deck[1]"]);
}
