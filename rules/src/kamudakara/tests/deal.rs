//! `kd.faces`, `kd.deal`, `kd.opening`, and the set-ups that cannot be.

use serde_json::json;

use super::*;
use crate::kamudakara::{Blessing, Faces};

fn faults(options: &Options, seats: usize, deck: Vec<&str>) -> Vec<String> {
    let script = Script { dice: Vec::new(), deck: deck.into_iter().map(str::to_owned).collect() };
    Kamudakara::check(options, SeatCount::new(seats).unwrap(), &script).into_iter().map(|fault| fault.field).collect()
}

#[test]
fn kd_faces_each_treasure_carries_the_blessings_that_are_not_its_own() {
    let faces = serde_json::to_value(Faces::default()).unwrap();
    assert_eq!(
        faces,
        json!({"sword": ["wisdom", "benevolence"], "mirror": ["courage", "benevolence"], "jewel": ["courage", "wisdom"]})
    );
}

#[test]
fn kd_faces_are_data_and_the_two_of_a_card_differ() {
    let options: Options = serde_json::from_value(json!({"faces": {
        "sword": ["courage", "wisdom"], "mirror": ["wisdom", "courage"], "jewel": ["benevolence", "courage"],
    }}))
    .unwrap();
    assert_eq!(faults(&options, 2, vec![]), [""; 0]);
    let same = Faces { jewel: [Blessing::Wisdom; 2], ..Faces::default() };
    assert_eq!(faults(&Options { faces: same, ..Options::default() }, 2, vec![]), ["options.faces.jewel"]);
}

#[test]
fn kd_tie_a_match_has_one_to_eight_rounds() {
    for (rounds, fine) in [(0, false), (1, true), (8, true), (9, false)] {
        let options = Options { rounds, ..Options::default() };
        assert_eq!(faults(&options, 3, vec![]).is_empty(), fine, "{rounds}");
    }
}

#[test]
fn kd_deal_a_script_names_cards_that_there_are() {
    let options = Options::default();
    assert_eq!(faults(&options, 2, vec!["jewel", "fire"]), ["sandbox.deck[1]"]);
    assert_eq!(faults(&options, 2, vec!["sword"; 12]), [""; 0]);
    assert_eq!(faults(&options, 2, vec!["sword"; 13]), ["sandbox.deck[12]"]);
    assert_eq!(faults(&options, 4, vec!["demon"; 8]), [""; 0]);
    assert_eq!(faults(&options, 4, vec!["demon"; 9]), ["sandbox.deck[8]"]);
}

/// A whole pile for two seats.
fn whole_pile() -> Vec<&'static str> {
    [["sword"; 12], ["mirror"; 12], ["jewel"; 12]].concat().into_iter().chain(["demon"; 10]).collect()
}

#[test]
fn kd_deal_a_script_goes_on_into_the_next_round() {
    let twice = [whole_pile(), vec!["sword"; 12]].concat();
    assert_eq!(faults(&Options::default(), 2, twice.clone()), ["sandbox.deck[46]"]);
    assert_eq!(faults(&Options { rounds: 2, ..Options::default() }, 2, twice), [""; 0]);
    let too_many = [whole_pile(), vec!["sword"; 13]].concat();
    assert_eq!(faults(&Options { rounds: 2, ..Options::default() }, 2, too_many), ["sandbox.deck[58]"]);
}

#[test]
fn kd_deal_a_demon_each_and_one_card_more_for_each_next_seat() {
    for (seats, sizes, deck) in [(2, vec![5, 6], 37), (3, vec![4, 5, 6], 33), (4, vec![3, 4, 5, 6], 30)] {
        let table = Table::dealt(seats, Options::default(), "");
        let view = table.game.view(Viewer::Public);
        assert_eq!((view.hand_sizes.to_vec(), view.deck_size), (sizes, deck));
        assert!((0..seats).all(|seat| table.hand_of(seat).of(Card::Demon) >= 1));
    }
}

#[test]
fn kd_deal_takes_the_cards_seat_by_seat_from_the_top() {
    let table = Table::dealt(2, Options::default(), "smjjsjmmjsmj");
    assert_eq!(table.hand_of(0), cards("dsmjj"));
    assert_eq!(table.hand_of(1), cards("dsjmmj"));
    assert!(table.game.deck.iter().rev().copied().take(3).eq(list("smj")));
}

#[test]
fn kd_opening_shows_nothing_before_all_have_chosen() {
    let mut table = Table::dealt(2, Options::default(), "smjjsjmmj");
    assert!(table.game.is_simultaneous());
    table.act(1, &opening("sj"));
    assert_eq!(table.owing(), [0]);
    assert_eq!(table.view(1).opening, Some(cards("sj")));
    assert_eq!(table.view(0).opening, None);
    assert_eq!((table.open_of(0), table.open_of(1)), (Cards::NONE, Cards::NONE));
    let log = table.act(0, &opening("ms"));
    assert_eq!(log.len(), 2);
    assert_eq!((table.open_of(0), table.open_of(1)), (cards("sm"), cards("sj")));
    assert_eq!((table.hand_of(0), table.hand_of(1)), (cards("djj"), cards("dmmj")));
    assert_eq!(table.owing(), [0]);
    assert!(!table.game.is_simultaneous());
}

#[test]
fn kd_opening_takes_exactly_two_cards_of_the_hand() {
    let table = Table::dealt(2, Options::default(), "smjjsjmmj");
    for wrong in ["", "s", "smj", "dd", "ss", "mm"] {
        assert_eq!(table.refused(0, &opening(wrong)), "kd.opening", "{wrong}");
    }
    assert_eq!(table.refused(0, &ritual()), "kd.opening");
    // Of demon, sword, mirror and two jewels: six pairs of different kinds, and the two jewels.
    assert_eq!(table.legal(0).len(), 7);
}

#[test]
fn kd_opening_of_equal_cards_is_taken_by_the_table() {
    let mut table = Table::dealt(4, Options::default(), "ddsmjssmmsssss");
    assert_eq!(table.owing(), [1, 2, 3]);
    table.act(1, &opening("sm"));
    table.act(2, &opening("sm"));
    assert_eq!(table.open_of(0), Cards::NONE);
    table.act(3, &opening("ss"));
    assert_eq!(table.open_of(0), cards("dd"));
}

#[test]
fn cards_are_written_as_a_list_in_any_order() {
    let action: Action =
        serde_json::from_value(json!({"type": "store", "cards": ["demon", "sword", "demon"]})).unwrap();
    assert_eq!(action, store("sdd"));
    assert_eq!(serde_json::to_value(&action).unwrap(), json!({"type": "store", "cards": ["sword", "demon", "demon"]}));
    let endless = json!({"type": "store", "cards": vec!["sword"; 300]});
    assert!(serde_json::from_value::<Action>(endless).unwrap_err().to_string().contains("at most 48 cards"));
    assert!(serde_json::from_value::<Action>(json!({"type": "ritual", "cards": []})).is_err());
}
