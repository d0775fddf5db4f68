//! The ring, the door and the home.

use super::*;

/// A throw by sum or difference takes a piece of `own` on the ring of `seats` seats there.
fn walked(seats: usize, own: u8, from: Piece, steps: u8) -> Piece {
    from.after(seat(own), steps, SeatCount::new(seats).unwrap())
}

#[test]
fn sal_road_is_a_ring_of_five_squares_for_each_seat() {
    assert_eq!(walked(2, 0, road(9), 2), road(1));
    assert_eq!(walked(3, 0, road(14), 2), road(1));
    assert_eq!(walked(4, 0, road(19), 2), road(1));
    for square in 0..20 {
        assert_eq!(road(square).visits(seat(3)).map(Seat::number), Some(square / 5).filter(|&host| host != 3));
    }
}

#[test]
fn sal_leave_home_counts_the_own_centre_as_one() {
    for (own, centre) in [(0, 2), (1, 7), (2, 12), (3, 17)] {
        assert_eq!(walked(4, own, Piece::Home, 0), Piece::Home);
        assert_eq!(walked(4, own, Piece::Home, 1), road(centre));
        assert_eq!(walked(4, own, Piece::Home, 8), road((centre + 7) % 20));
    }
}

#[test]
fn sal_enter_home_needs_one_more_than_the_way_to_the_centre() {
    for seats in 2..=4 {
        let count = SeatCount::new(seats).unwrap();
        for own in count.seats() {
            for square in 0..5 * seats as u8 {
                let piece = road(square);
                let steps = piece.steps_home(own, count).unwrap();
                assert_eq!(piece.after(own, steps - 1, count), road(5 * own.number() + 2), "{own:?} from {square}");
            }
            assert_eq!(Piece::Home.steps_home(own, count), None);
        }
    }
}

#[test]
fn sal_enter_home_is_a_choice() {
    let mut play = play(2, &[2, 3, 3, 1, 1, 3, 1, 2, 3], "earth number-2 stone-3 air");
    play.moves(0, By::Difference).moves(1, By::Difference).plays(1, [end_turn()]);
    assert_eq!(play.pieces()[0], road(2));
    play.plays(0, [throw(), place("earth", 1, 2)]);
    assert_eq!(play.legal(0), [walk(By::Sum), walk(By::Difference), enter(By::Difference)]);
    assert_eq!(play.refuses(0, &enter(By::Sum)), "sal.enter-home");
    let mut passing = play.clone();
    passing.plays(0, [walk(By::Difference)]);
    assert_eq!(passing.pieces()[0], road(3));
    play.plays(0, [enter(By::Difference)]);
    assert_eq!(play.pieces()[0], Piece::Home);
}

#[test]
fn sal_enter_home_not_from_home() {
    let mut play = play(2, &[1, 1, 3], "earth number-2 stone-3 air");
    play.plays(0, [throw(), place("earth", 1, 2)]);
    assert_eq!(play.refuses(0, &enter(By::Difference)), "sal.enter-home");
}

#[test]
fn sal_bump_sends_the_piece_landed_on_to_jail() {
    let mut play = play(2, &[2, 3, 3, 2, 3, 3, 1, 2, 3], "earth number-2 stone-3 air");
    play.moves(0, By::Sum).plays(0, [end_turn()]).moves(1, By::Difference);
    assert_eq!(play.pieces(), [road(6), road(7)]);
    play.moves(0, By::Difference);
    assert_eq!(play.pieces(), [road(7), Piece::Jail]);
}

#[test]
fn sal_bump_not_by_passing_nor_by_staying() {
    let mut play = play(2, &[2, 3, 3, 2, 3, 3, 1, 3, 3, 1, 1, 3], "earth number-2 stone-3 air");
    play.moves(0, By::Sum).plays(0, [end_turn()]).moves(1, By::Difference).moves(0, By::Difference);
    assert_eq!(play.pieces(), [road(8), road(7)]);
    play.plays(0, [end_turn()]).moves(1, By::Difference);
    assert_eq!(play.pieces(), [road(8), road(7)]);
}
