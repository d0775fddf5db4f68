//! `kd.ritual` and the end that it may bring.

use super::*;
use crate::kamudakara::End;

fn keep(card: Card, return_to: End) -> Action {
    Action::RitualKeep { keep: card, return_to }
}

#[test]
fn kd_ritual_the_card_put_back_on_the_top_is_drawn_next() {
    let mut table = Table::bare(2).hand(0, "j").hand(1, "j").deck("smds");
    table.act(0, &ritual());
    assert_eq!((table.owing(), table.view(0).drawn, table.view(1).drawn), (vec![0], Some(cards("sm")), None));
    table.act(0, &keep(Card::Mirror, End::Top));
    assert_eq!((table.hand_of(0), table.owing()), (cards("jm"), vec![1]));
    table.act(1, &ritual());
    assert_eq!(table.view(1).drawn, Some(cards("sd")));
}

#[test]
fn kd_ritual_the_card_put_back_on_the_bottom_is_drawn_last() {
    let mut table = Table::bare(2).hand(0, "j").hand(1, "j").deck("smdj");
    table.act(0, &ritual());
    table.act(0, &keep(Card::Sword, End::Bottom));
    assert!(table.game.deck.iter().rev().copied().eq(list("djm")));
}

#[test]
fn kd_ritual_one_of_the_two_drawn_is_kept_and_nothing_else_is_done() {
    let mut table = Table::bare(2).hand(0, "jd").hand(1, "j").deck("smdj");
    table.act(0, &ritual());
    assert_eq!(table.refused(0, &keep(Card::Jewel, End::Top)), "kd.ritual");
    assert_eq!(table.refused(0, &ritual()), "kd.ritual");
    assert_eq!(table.refused(0, &Action::MemorialStore {}), "kd.ritual");
    assert_eq!(table.legal(0).len(), 4);
}

#[test]
fn kd_ritual_two_equal_cards_leave_only_the_end_to_choose() {
    let mut table = Table::bare(2).hand(0, "j").hand(1, "j").deck("ssdj");
    table.act(0, &ritual());
    assert_eq!(table.legal(0), [keep(Card::Sword, End::Top), keep(Card::Sword, End::Bottom)]);
}

#[test]
fn kd_ritual_the_last_card_stays_in_the_hand_and_ends_the_round() {
    let mut table = Table::bare(2).hand(0, "j").hand(1, "j").deck("s");
    table.act(0, &ritual());
    assert_eq!(table.hand_of(0), cards("js"));
    assert!(table.game.outcome().is_some());
}

#[test]
fn kd_ritual_with_exactly_two_cards_left_the_round_goes_on() {
    let mut table = Table::bare(2).hand(0, "j").hand(1, "j").deck("sm");
    table.act(0, &ritual());
    assert_eq!(table.view(0).deck_size, 0);
    table.act(0, &keep(Card::Sword, End::Top));
    assert_eq!((table.view(0).deck_size, table.owing()), (1, vec![1]));
}

#[test]
fn kd_ritual_is_taken_by_the_table_when_the_hand_is_empty() {
    let mut table = Table::bare(2).hand(0, "d").deck("smj");
    let log = table.act(0, &Action::MemorialStore {});
    let drawn = Event::RitualDrawn { seat: seat(1), count: 2, cards: Some(cards("sm")), forced: true };
    assert_eq!(log.last(), Some(&drawn));
    assert_eq!(table.owing(), [1]);
}
