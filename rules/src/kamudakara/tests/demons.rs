//! `kd.demon-wild`: face-up demons as treasures, and where they go.

use super::*;
use crate::kamudakara::Blessing;

fn memorial(blessing: Blessing) -> Action {
    Action::Memorial { blessing }
}

#[test]
fn kd_demon_wild_counts_as_one_treasure_more_and_goes_to_another_seat() {
    let mut table = Table::bare(2).hand(0, "d").hand(1, "j").open(0, "sd").deck("jmdj");
    table.act(0, &memorial(Blessing::Courage));
    assert_eq!((table.owing(), table.view(1).count), (vec![0], Some(1)));
    assert_eq!(table.refused(0, &use_demons(2)), "kd.demon-wild");
    assert_eq!(table.refused(0, &store("d")), "kd.demon-wild");
    table.act(0, &use_demons(1));
    assert_eq!((table.hand_of(0), table.open_of(0)), (cards("jm"), cards("s")));
    // The demon declared and the one of the memorial.
    assert_eq!(table.veiled_of(1), 2);
}

#[test]
fn kd_demon_wild_may_stay_unused() {
    let mut table = Table::bare(2).hand(0, "d").hand(1, "j").open(0, "sd").deck("jmdj");
    table.act(0, &memorial(Blessing::Courage));
    table.act(0, &use_demons(0));
    assert_eq!((table.hand_of(0), table.open_of(0), table.veiled_of(1)), (cards("j"), cards("sd"), 1));
}

#[test]
fn kd_demon_wild_may_not_void_a_wisdom() {
    let mut table = Table::bare(2).hand(0, "dsj").hand(1, "j").open(0, "mddd").deck("jmdj");
    table.act(0, &memorial(Blessing::Wisdom));
    assert_eq!(table.legal(0), [use_demons(0), use_demons(1)]);
    assert_eq!(table.refused(0, &use_demons(2)), "kd.demon-wild");
    table.act(0, &use_demons(1));
    assert_eq!(table.open_of(0), cards("mddsj"));
}

#[test]
fn kd_demon_wild_a_wisdom_that_bears_none_is_not_asked_about() {
    let mut table = Table::bare(2).hand(0, "ds").hand(1, "j").open(0, "md").deck("jmdj");
    let log = table.act(0, &memorial(Blessing::Wisdom));
    assert!(log.contains(&Event::DemonsUsed { seat: seat(0), count: 0, forced: true }));
    assert_eq!((table.open_of(0), table.owing()), (cards("mds"), vec![1]));
}

#[test]
fn kd_demon_wild_all_leave_in_one_list_with_the_memorials_own() {
    let mut table = Table::bare(3).hand(0, "d").hand(1, "j").open(0, "dd").deck("jmdj");
    table.act(0, &memorial(Blessing::Courage));
    table.act(0, &use_demons(2));
    assert_eq!((table.view(0).count, table.open_of(0)), (Some(3), Cards::NONE));
    assert_eq!(table.view(1).blessing.map(|blessing| blessing.demons), Some(2));
    assert_eq!(table.legal(0), [give(&[1, 1, 1]), give(&[1, 1, 2]), give(&[1, 2, 2]), give(&[2, 2, 2])]);
    assert_eq!(table.refused(0, &give(&[1, 2])), "kd.demon-wild");
    // The order of the list means nothing: the demons are alike.
    let log = table.act(0, &give(&[2, 1, 2]));
    let Event::DemonsGiven { to, forced: false, .. } = &log[0] else { panic!("{log:?}") };
    assert!(to.iter().map(|seat| seat.number()).eq([1, 2, 2]));
    assert_eq!((table.veiled_of(1), table.veiled_of(2)), (1, 2));
    assert_eq!(table.view(0).veiled_cards.unwrap().to_vec(), [Cards::NONE, cards("d"), cards("dd")]);
}

#[test]
fn kd_demon_wild_leaves_after_the_blessing_and_before_the_next_one() {
    let mut table = Table::bare(3).hand(0, "jm").hand(1, "j").open(1, "d").open(0, "m").deck("jmdj");
    table.act(0, &Action::Rite { card: Card::Jewel, to: seat(1), show: crate::kamudakara::Side::Left });
    table.act(1, &Action::RiteChoose { take: crate::kamudakara::Take::Shown });
    table.act(1, &use_demons(1));
    assert_eq!((table.owing(), table.hand_of(1), table.open_of(0)), (vec![1], cards("jj"), cards("m")));
    table.act(1, &give(&[0]));
    assert_eq!((table.open_of(0), table.veiled_of(0)), (cards("mmj"), 1));
}
