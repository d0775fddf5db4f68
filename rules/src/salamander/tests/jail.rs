//! What a jailed seat may do.

use super::*;

/// Seat 0 in jail and to act, seat 1 on its own centre; then these sticks.
pub(super) fn jailed(dice: &[u32]) -> Play {
    let dice: Vec<_> = [2, 4, 3, 2, 3, 3].iter().chain(dice).copied().collect();
    let mut play = play(2, &dice, "earth number-2 stone-3 air");
    play.moves(0, By::Sum).plays(0, [end_turn()]).moves(1, By::Difference);
    assert_eq!((play.pieces(), play.turn()), (vec![Piece::Jail, road(7)], 0));
    play
}

#[test]
fn sal_keys_no_throw_to_move_in_jail() {
    let mut play = jailed(&[]);
    assert_eq!(play.refuses(0, &throw()), "sal.keys");
    assert_eq!(play.refuses(0, &walk(By::Sum)), "sal.keys");
}

#[test]
fn sal_keys_three_lead_home_and_end_the_turn() {
    let mut play = jailed(&[1, 1, 4]);
    play.plays(0, [throw_keys()]);
    assert_eq!((play.pieces()[0], play.turn()), (Piece::Home, 1));
}

#[test]
fn sal_keys_are_set_aside() {
    let mut play = jailed(&[1, 2, 4, 3, 1, 2, 3, 4]);
    let Event::KeysThrown { throws, .. } = play.act(0, &throw_keys()).unwrap()[0].clone() else { panic!() };
    assert_eq!(serde_json::to_value(throws).unwrap(), json!([[1, 2, 4], [null, 3, null], [null, 1, null]]));
    assert_eq!((play.pieces()[0], play.chance.position().dice), (Piece::Home, 6 + 5));
}

#[test]
fn sal_keys_five_throws_at_most() {
    let mut play = jailed(&[4, 4, 1, 4, 4, 1, 4, 4, 1, 4, 4, 1, 4, 4, 1, 1, 1, 4]);
    play.plays(0, [throw_keys()]);
    assert_eq!((play.pieces()[0], play.turn(), play.chance.position().dice), (Piece::Jail, 1, 6 + 15));
}

#[test]
fn sal_jail_pass_is_to_end_the_turn() {
    let mut play = jailed(&[]);
    play.plays(0, [end_turn()]);
    assert_eq!((play.pieces()[0], play.turn()), (Piece::Jail, 1));
    assert_eq!(play.log.last(), Some(&Event::TurnEnded { seat: seat(0), forced: false }));
}

#[test]
fn sal_jail_ask_any_other_seat_and_stay() {
    let mut play = jailed(&[]);
    assert_eq!(play.refuses(0, &ask(0, "air")), "sal.jail-ask");
    assert_eq!(play.refuses(0, &ask(2, "air")), "sal.jail-ask");
    play.plays(0, [ask(1, "stone-3")]);
    assert_eq!((play.pieces()[0], play.turn()), (Piece::Jail, 1));
    assert_eq!(play.known(0, 1).0, ["stone-3"]);
}

#[test]
fn sal_jail_announce_success_leads_home() {
    let mut play = jailed(&[]);
    assert_eq!(play.refuses(0, &announce(&[(1, "air")])), "sal.jail-announce");
    play.plays(0, [announce(&[(1, "stone-3")])]);
    assert_eq!((play.pieces()[0], play.turn(), play.public().scores), (Piece::Home, 1, vec![18, 0]));
}

#[test]
fn sal_jail_announce_failure_stays() {
    let mut play = jailed(&[]);
    play.plays(0, [announce(&[(1, "stone-2")])]);
    assert_eq!((play.pieces()[0], play.turn(), play.public().scores), (Piece::Jail, 1, vec![0, 0]));
}

#[test]
fn a_jailed_seat_lists_keys_questions_announcements_and_passing() {
    let play = jailed(&[]);
    assert_eq!(play.legal(0).len(), 1 + 14 + 3 + 1);
}
