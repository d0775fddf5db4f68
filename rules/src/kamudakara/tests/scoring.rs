//! `kd.end`, `kd.score`, `kd.tie`, and series of rounds.

use super::*;
use crate::kamudakara::{Blessing, End};

#[test]
fn kd_score_the_worked_example() {
    let mut table = Table::bare(2).hand(0, "sd").open(0, "mmmmsss");
    table.game.storehouses[0].veiled[1] = cards("d");
    assert_eq!(table.game.score(seat(0)), 2 + 2 + 16 + 9);
    assert_eq!(table.view(1).standing[0], 29);
}

#[test]
fn kd_score_counts_no_demon_that_lies_face_up() {
    let table = Table::bare(2).open(0, "ddd");
    assert_eq!(table.game.score(seat(0)), 0);
}

#[test]
fn kd_end_the_turn_in_which_the_deck_ran_out_is_played_to_its_end() {
    let mut table = Table::bare(2).hand(0, "sm").hand(1, "jj").open(1, "j").open(0, "m").deck("s");
    table.act(0, &Action::Rite { card: Card::Sword, to: seat(1), show: crate::kamudakara::Side::Right });
    table.act(1, &Action::RiteChoose { take: crate::kamudakara::Take::Shown });
    assert_eq!((table.game.deck.len(), table.game.outcome()), (0, None));
    let log = table.act(1, &veil("s"));
    assert_eq!(table.open_of(0), cards("mms"));
    assert!(matches!(log.last(), Some(Event::RoundScored { round: 1, .. })));
    assert_eq!(table.game.outcome().map(|outcome| outcome.ranks), Some(vec![1, 1]));
    assert_eq!(table.owing(), [0; 0]);
}

#[test]
fn kd_tie_equal_highest_scores_share_the_win() {
    let mut table = Table::bare(3).hand(0, "j").hand(1, "jj").hand(2, "j").deck("s");
    table.act(0, &ritual());
    let outcome = table.game.outcome().expect("the round is over");
    assert_eq!((outcome.ranks, outcome.winners), (vec![1, 1, 3], vec![seat(0), seat(1)]));
    assert_eq!(table.view(0).scores.map(|scores| scores.to_vec()), Some(vec![2, 2, 1]));
}

/// Every seat in its turn draws and keeps, until the round is over.
fn draw_through(table: &mut Table) {
    let round = table.view(0).round;
    while table.view(0).round == round && table.game.outcome().is_none() {
        let number = table.owing()[0];
        let action = table.legal(number).swap_remove(0);
        table.act(number, &action);
    }
}

#[test]
fn kd_tie_points_of_the_rounds_add_up_and_each_begins_with_the_next_seat() {
    let mut table = Table::dealt(3, Options { rounds: 2, ..Options::default() }, "");
    assert_eq!((table.view(0).first, table.view(0).round), (seat(0), 1));
    draw_through(&mut table);
    let view = table.view(0);
    assert_eq!((view.first, view.round, view.scores), (seat(1), 2, None));
    // Seat 1 begins, so it has the fewest cards and seat 0 the most.
    assert_eq!((view.hand_sizes.to_vec(), view.deck_size), (vec![6, 4, 5], 33));
    let first_round = view.points.to_vec();
    assert!(first_round.iter().all(|&points| points > 0));
    while table.game.is_simultaneous() {
        let number = table.owing()[0];
        let action = table.legal(number).swap_remove(0);
        table.act(number, &action);
    }
    assert_eq!(table.owing(), [1]);
    draw_through(&mut table);
    let view = table.view(0);
    let total: Vec<_> = view.standing.iter().zip(first_round).map(|(now, before)| now + before).collect();
    assert_eq!(view.scores.map(|scores| scores.to_vec()), Some(total));
}

#[test]
fn kd_deal_the_next_round_goes_on_with_the_script() {
    let first = "sssssssssssmmmmmmmmmmmmjjjjjjjjjjjjddddddddds";
    let script = format!("{first}dddmmmmjjjjj");
    let mut table = Table::dealt(3, Options { rounds: 2, ..Options::default() }, &script);
    draw_through(&mut table);
    assert_eq!(table.view(0).round, 2);
    assert_eq!([0, 1, 2].map(|seat| table.hand_of(seat)), [cards("djjjjj"), cards("dddd"), cards("dmmmm")]);
}

#[test]
fn everything_is_open_to_who_sees_everything() {
    let mut table = Table::bare(2).hand(0, "dsm").hand(1, "j").open(0, "j").deck("smdj");
    table.act(0, &Action::Memorial { blessing: Blessing::Benevolence });
    table.act(0, &veil("m"));
    let view = table.game.view(Viewer::Everything);
    assert_eq!(view.hands.map(|hands| hands.to_vec()), Some(vec![cards("ss"), cards("j")]));
    assert_eq!(view.deck, Some(list("mdj")));
    assert_eq!(view.veiled_cards.map(|cards| cards.to_vec()), Some(vec![cards("m"), cards("d")]));
    table.act(1, &ritual());
    assert_eq!(table.game.view(Viewer::Everything).drawn, Some(cards("md")));
    table.act(1, &Action::RitualKeep { keep: Card::Demon, return_to: End::Top });
}
