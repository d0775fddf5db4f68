//! `kd.memorial`, `kd.courage`, `kd.wisdom`, `kd.benevolence`, `kd.short-deck`.

use super::*;
use crate::kamudakara::Blessing;

fn memorial(blessing: Blessing) -> Action {
    Action::Memorial { blessing }
}

#[test]
fn kd_memorial_needs_a_demon_in_the_hand() {
    let table = Table::bare(2).hand(0, "s").open(0, "d").hand(1, "j").deck("smdj");
    assert_eq!(table.refused(0, &memorial(Blessing::Courage)), "kd.memorial");
    assert_eq!(table.refused(0, &Action::MemorialStore {}), "kd.memorial");
}

#[test]
fn kd_memorial_stores_the_demon_face_up_without_a_blessing() {
    let mut table = Table::bare(2).hand(0, "sd").hand(1, "j").open(0, "s").deck("smdj");
    table.act(0, &Action::MemorialStore {});
    assert_eq!((table.hand_of(0), table.open_of(0), table.owing()), (cards("s"), cards("sd"), vec![1]));
}

#[test]
fn kd_memorial_gives_the_demon_away_after_the_blessing() {
    let mut table = Table::bare(3).hand(0, "sd").hand(1, "j").open(0, "s").deck("jmdj");
    table.act(0, &memorial(Blessing::Courage));
    assert_eq!((table.hand_of(0), table.owing()), (cards("sj"), vec![0]));
    for wrong in [&[0][..], &[], &[1, 2], &[3]] {
        assert_eq!(table.refused(0, &give(wrong)), "kd.memorial", "{wrong:?}");
    }
    assert_eq!(table.refused(0, &ritual()), "kd.memorial");
    assert_eq!(table.legal(0), [give(&[1]), give(&[2])]);
    table.act(0, &give(&[2]));
    assert_eq!((table.veiled_of(1), table.veiled_of(2), table.owing()), (0, 1, vec![1]));
}

#[test]
fn kd_courage_draws_as_many_cards_as_swords() {
    let mut table = Table::bare(2).hand(0, "d").hand(1, "j").open(0, "ssj").deck("jmdj");
    table.act(0, &memorial(Blessing::Courage));
    assert_eq!((table.hand_of(0), table.game.deck.len()), (cards("jm"), 2));
}

#[test]
fn kd_wisdom_stores_exactly_as_many_as_mirrors_demons_too() {
    let mut table = Table::bare(2).hand(0, "ddsj").hand(1, "j").open(0, "mm").deck("jmdj");
    table.act(0, &memorial(Blessing::Wisdom));
    assert_eq!(table.view(0).count, Some(2));
    for wrong in ["", "s", "dsj", "dd", "ss", "mm"] {
        assert_eq!(table.refused(0, &store(wrong)), "kd.wisdom", "{wrong}");
    }
    assert_eq!(table.refused(0, &veil("ds")), "kd.wisdom");
    assert_eq!(table.legal(0), [store("jd"), store("sd"), store("sj")]);
    table.act(0, &store("ds"));
    // The sword stored gives no blessing: the turn is over.
    assert_eq!((table.open_of(0), table.owing()), (cards("mmsd"), vec![1]));
}

#[test]
fn kd_wisdom_with_a_hand_too_small_does_nothing() {
    let mut table = Table::bare(2).hand(0, "ds").hand(1, "j").open(0, "mm").deck("jmdj");
    let log = table.act(0, &memorial(Blessing::Wisdom));
    assert!(log.contains(&Event::Voided { seat: seat(0) }));
    assert_eq!((table.hand_of(0), table.open_of(0)), (cards("s"), cards("mm")));
}

#[test]
fn kd_wisdom_of_the_whole_hand_or_of_equal_cards_is_taken_by_the_table() {
    for (hand, stored) in [("dsj", "sj"), ("dsss", "ss")] {
        let mut table = Table::bare(2).hand(0, hand).hand(1, "j").open(0, "mm").deck("jmdj");
        let log = table.act(0, &memorial(Blessing::Wisdom));
        assert!(log.contains(&Event::Stored { seat: seat(0), cards: cards(stored), forced: true }));
    }
}

#[test]
fn kd_benevolence_veils_as_many_as_were_drawn() {
    let mut table = Table::bare(2).hand(0, "ds").hand(1, "j").open(0, "jj").deck("smdj");
    table.act(0, &memorial(Blessing::Benevolence));
    assert_eq!((table.hand_of(0), table.owing()), (cards("ssm"), vec![0]));
    for wrong in ["", "s", "ssm", "mm", "sd"] {
        assert_eq!(table.refused(0, &veil(wrong)), "kd.benevolence", "{wrong}");
    }
    assert_eq!(table.refused(0, &store("ss")), "kd.benevolence");
    table.act(0, &veil("sm"));
    assert_eq!((table.hand_of(0), table.open_of(0), table.veiled_of(0)), (cards("s"), cards("jj"), 2));
    assert_eq!(table.view(0).veiled_cards.unwrap()[0], cards("sm"));
    assert_eq!(table.view(1).veiled_cards.unwrap()[0], Cards::NONE);
    assert_eq!(table.game.view(Viewer::Public).veiled_cards, None);
}

#[test]
fn kd_benevolence_of_the_whole_hand_is_taken_by_the_table() {
    let mut table = Table::bare(2).hand(0, "d").hand(1, "j").open(0, "jj").deck("smdj");
    let log = table.act(0, &memorial(Blessing::Benevolence));
    assert!(log.contains(&Event::Veiled { seat: seat(0), count: 2, cards: Some(cards("sm")), forced: true }));
}

#[test]
fn kd_short_deck_draws_what_there_is() {
    let mut table = Table::bare(2).hand(0, "d").hand(1, "j").open(0, "sss").deck("jm");
    table.act(0, &memorial(Blessing::Courage));
    assert_eq!(table.hand_of(0), cards("jm"));
}

#[test]
fn kd_short_deck_veils_only_as_many_as_were_drawn() {
    let mut table = Table::bare(2).hand(0, "dsm").hand(1, "j").open(0, "jjj").deck("s");
    table.act(0, &memorial(Blessing::Benevolence));
    assert_eq!(table.refused(0, &veil("ss")), "kd.benevolence");
    table.act(0, &veil("s"));
    assert_eq!((table.veiled_of(0), table.hand_of(0)), (1, cards("sm")));
}

#[test]
fn kd_short_deck_nothing_drawn_is_nothing_veiled() {
    let mut table = Table::bare(2).hand(0, "ddd").hand(1, "j").open(0, "sjj").deck("s");
    // The turn that empties the deck goes on: a second blessing finds nothing to draw.
    table.game.hands[0].add(Card::Mirror);
    table.act(0, &Action::Rite { card: Card::Mirror, to: seat(1), show: crate::kamudakara::Side::Left });
    table.act(1, &Action::RiteChoose { take: crate::kamudakara::Take::Treasure });
    let log = table.act(0, &Action::BlessingOrder { first: Blessing::Courage });
    assert!(log.contains(&Event::Drew { seat: seat(0), count: 0, cards: Some(Cards::NONE) }));
    assert_eq!((table.veiled_of(0), table.hand_of(0)), (0, cards("ddds")));
    assert!(table.game.outcome().is_some());
}
