//! What holds on every table that can be reached.

use proptest::prelude::*;

use super::super::state::{Occasion, Reception, Step};
use super::*;

/// All cards, wherever they are: 12 of each kind.
fn all_cards(game: &Kamudakara) -> Cards {
    let mut all: Cards = game.deck.iter().copied().collect();
    for seat in 0..game.seats.get() {
        all.add(game.hands[seat]);
        all.add(game.storehouses[seat].open);
        game.storehouses[seat].veiled.iter().for_each(|&cards| all.add(cards));
    }
    all.add(game.offered().map_or(Cards::NONE, Cards::from));
    match &game.phase {
        Phase::Ritual { drawn } => all.add(*drawn),
        Phase::Blessing(Reception { occasion, step, .. }) => {
            let leaving = match *step {
                Step::Give { count } => count,
                Step::Declare => u8::from(matches!(occasion, Occasion::Memorial)),
                Step::Draw { demons, .. } | Step::Void { demons } | Step::Put { demons, .. } => {
                    demons + u8::from(matches!(occasion, Occasion::Memorial))
                }
            };
            all.add(Cards::some(leaving, Card::Demon));
        }
        _ => {}
    }
    all
}

/// Plays at random to the end, and shows every table on the way.
pub(super) fn play_at_random(table: &mut Table, choices: &mut Chance, mut look: impl FnMut(&Table, u8, &Action)) {
    loop {
        let owing = table.owing();
        if owing.is_empty() {
            return;
        }
        let number = owing[choices.below(owing.len() as u32) as usize];
        let mut legal = table.legal(number);
        let action = legal.swap_remove(choices.below(legal.len() as u32) as usize);
        look(table, number, &action);
        table.act(number, &action);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_card_is_ever_lost_or_made(seats in 2_usize..=4, seed: u8, choices: u8) {
        let mut table = Table::dealt(seats, Options { rounds: 2, ..Options::default() }, "");
        table.chance = random(seed);
        let whole = Card::ALL.map(|_| Card::COPIES);
        play_at_random(&mut table, &mut random(choices), |table, _, _| {
            assert_eq!(Card::ALL.map(|card| all_cards(&table.game).of(card)), whole, "{:?}", table.game);
        });
        prop_assert_eq!(Card::ALL.map(|card| all_cards(&table.game).of(card)), whole);
    }

    #[test]
    fn an_only_selection_is_the_one_that_is_enumerated(counts in prop::array::uniform4(0_u8..4), count in 0_u8..8) {
        let mut held = Cards::NONE;
        Card::ALL.into_iter().zip(counts).for_each(|(card, count)| held.add(Cards::some(count, card)));
        let mut selections = Vec::new();
        let _ = held.selections(count, |cards| { selections.push(cards); ControlFlow::Continue(()) });
        prop_assert!(selections.iter().all(|&cards| cards.len() == count && held.contain(cards)));
        let only = match selections[..] { [only] => Some(only), _ => None };
        prop_assert_eq!(held.only_selection(count), only);
    }
}

#[test]
fn the_decisions_owed_one_after_another_are_as_many_as_counted() {
    fn count(table: &Table, plies: u32) -> u64 {
        let owing = table.owing();
        let Some(&number) = owing.first().filter(|_| plies > 0) else { return 1 };
        let after = |action| {
            let mut next = table.clone();
            next.act(number, &action);
            count(&next, plies - 1)
        };
        table.legal(number).into_iter().map(after).sum()
    }
    let table = Table::dealt(2, Options::default(), "smjdsmjdmsmjdsmjdd");
    assert_eq!([1, 2, 3, 4].map(|plies| count(&table, plies)), [7, 56, 440, 1786]);
}
