//! `kd.rite`: who receives what, in which order.

use super::*;
use crate::kamudakara::{Blessing, Faces, Side, Take};

fn rite(card: Card, to: u8, show: Side) -> Action {
    Action::Rite { card, to: seat(to), show }
}

fn take(take: Take) -> Action {
    Action::RiteChoose { take }
}

/// What was received, by whom, and where the treasure went, in order.
fn course(log: &[Event]) -> Vec<(u8, &'static str)> {
    log.iter()
        .filter_map(|event| match event {
            Event::BlessingBegun { seat, blessing } => Some((
                seat.number(),
                match blessing {
                    Blessing::Courage => "courage",
                    Blessing::Wisdom => "wisdom",
                    Blessing::Benevolence => "benevolence",
                },
            )),
            Event::TreasureStored { seat, .. } => Some((seat.number(), "treasure")),
            _ => None,
        })
        .collect()
}

#[test]
fn kd_rite_offers_a_treasure_of_the_own_hand_to_another_seat() {
    let table = Table::bare(3).hand(0, "jd").hand(1, "j").deck("smdj");
    assert_eq!(table.refused(0, &rite(Card::Demon, 1, Side::Left)), "kd.rite");
    assert_eq!(table.refused(0, &rite(Card::Sword, 1, Side::Left)), "kd.rite");
    assert_eq!(table.refused(0, &rite(Card::Jewel, 0, Side::Left)), "kd.rite");
    assert_eq!(table.refused(0, &rite(Card::Jewel, 3, Side::Left)), "kd.rite");
    let rites = table.legal(0).into_iter().filter(|action| matches!(action, Action::Rite { .. }));
    assert_eq!(rites.count(), 4);
}

#[test]
fn kd_rite_the_card_is_out_of_the_hand_and_the_other_seat_answers() {
    let mut table = Table::bare(2).hand(0, "jd").hand(1, "j").deck("smdj");
    table.act(0, &rite(Card::Jewel, 1, Side::Left));
    assert_eq!((table.hand_of(0), table.owing()), (cards("d"), vec![1]));
    assert_eq!(table.legal(1), Take::ALL.map(take));
    assert_eq!(table.refused(1, &ritual()), "kd.rite");
    let offer = table.view(1).offer.expect("an offer is open");
    assert_eq!((offer.from, offer.to, offer.shown), (seat(0), seat(1), Blessing::Courage));
}

#[test]
fn kd_rite_the_hidden_half_is_unknown_to_the_one_who_chooses() {
    // Benevolence shows on the sword and on the mirror, here on different sides.
    let faces = Faces { mirror: [Blessing::Benevolence, Blessing::Courage], ..Faces::default() };
    let options = Arc::new(Options { faces, ..Options::default() });
    let offered = |card, show| {
        let mut table = Table::bare(3).hand(0, "smd").hand(1, "j").deck("smdj");
        table.game.options = Arc::clone(&options);
        let log = table.act(0, &rite(card, 1, show));
        [Viewer::Public, Viewer::Seat(seat(1)), Viewer::Seat(seat(2))].map(|viewer| {
            let events: Vec<_> = log.iter().map(|event| Kamudakara::redact(event, viewer)).collect();
            serde_json::to_string(&(events, table.game.view(viewer))).unwrap()
        })
    };
    assert_eq!(offered(Card::Sword, Side::Right), offered(Card::Mirror, Side::Left));
}

#[test]
fn kd_rite_who_offers_sees_the_card_until_it_lies_in_a_storehouse() {
    let mut table = Table::bare(2).hand(0, "jd").hand(1, "jj").open(1, "md").deck("smdj");
    table.act(0, &rite(Card::Jewel, 1, Side::Right));
    table.act(1, &take(Take::Shown));
    assert_eq!(table.owing(), [1]);
    assert_eq!(table.view(0).offered, Some(crate::kamudakara::Treasure::Jewel));
    assert_eq!((table.view(1).offered, table.view(1).offer), (None, None));
    assert_eq!(table.view(1).treasure_to, Some(seat(0)));
    table.act(1, &use_demons(1));
    assert_eq!(table.view(0).offered, None);
}

#[test]
fn kd_rite_the_shown_blessing_taken_leaves_the_hidden_one_and_the_treasure() {
    let mut table = Table::bare(2).hand(0, "jd").hand(1, "j").open(0, "m").open(1, "s").deck("smdj");
    table.act(0, &rite(Card::Jewel, 1, Side::Left));
    let log = table.act(1, &take(Take::Shown));
    assert_eq!(course(&log), [(1, "courage"), (0, "wisdom"), (0, "treasure")]);
    assert_eq!(table.hand_of(1), cards("js"));
    assert_eq!(table.open_of(0), cards("mdj"));
}

#[test]
fn kd_rite_the_hidden_blessing_taken_leaves_the_shown_one_and_the_treasure() {
    let mut table = Table::bare(2).hand(0, "jd").hand(1, "j").open(0, "s").deck("smdj");
    table.act(0, &rite(Card::Jewel, 1, Side::Left));
    let log = table.act(1, &take(Take::Hidden));
    assert_eq!(course(&log), [(1, "wisdom"), (0, "courage"), (0, "treasure")]);
    assert_eq!((table.hand_of(0), table.open_of(0)), (cards("ds"), cards("sj")));
}

#[test]
fn kd_rite_the_treasure_taken_leaves_both_blessings_in_the_order_of_choice() {
    for (first, drawn) in [(Blessing::Courage, "s"), (Blessing::Wisdom, "j")] {
        let deck = format!("{drawn}mdj");
        let mut table = Table::bare(2).hand(0, "jm").hand(1, "j").open(0, "sm").deck(&deck);
        table.act(0, &rite(Card::Jewel, 1, Side::Left));
        let log = table.act(1, &take(Take::Treasure));
        assert_eq!((course(&log), table.owing(), table.view(1).treasure_to), (vec![], vec![0], Some(seat(1))));
        assert_eq!(table.refused(0, &Action::BlessingOrder { first: Blessing::Benevolence }), "kd.rite");
        assert_eq!(table.refused(0, &ritual()), "kd.rite");
        table.act(0, &Action::BlessingOrder { first });
        // By 知 first, the single card in hand is stored before any is drawn.
        if first == Blessing::Courage {
            table.act(0, &store("m"));
        }
        assert_eq!((table.hand_of(0), table.open_of(0)), (cards(drawn), cards("smm")), "{first:?}");
        assert_eq!((table.open_of(1), table.owing()), (cards("j"), vec![1]), "{first:?}");
    }
}

#[test]
fn kd_rite_the_offered_treasure_counts_in_no_blessing_of_its_rite() {
    let mut table = Table::bare(2).hand(0, "m").hand(1, "j").open(0, "j").deck("smdj");
    table.game.options = Arc::new(Options {
        faces: Faces { mirror: [Blessing::Wisdom, Blessing::Courage], ..Faces::default() },
        ..Options::default()
    });
    table.act(0, &rite(Card::Mirror, 1, Side::Right));
    let log = table.act(1, &take(Take::Shown));
    // The offering seat has no mirror while it receives 知.
    assert!(log.contains(&Event::Stored { seat: seat(0), cards: Cards::NONE, forced: true }));
}
