//! Exact numbers: the rooms' products, the sticks, the keys.

use std::collections::BTreeMap;

use super::jail::jailed;
use super::*;
use crate::salamander::Throw;

#[test]
fn sal_rooms_84_with_33_products_that_sum_to_1680() {
    let products: Vec<_> = Room::all().map(Room::points).collect();
    assert_eq!(products.len(), 84);
    assert_eq!(products.iter().sum::<u16>(), 1680);
    assert_eq!(products.iter().collect::<std::collections::BTreeSet<_>>().len(), 33);
    assert_eq!((products.iter().min(), products.iter().max()), (Some(&1), Some(&84)));
    assert_eq!((room("earth", 3, 2).points(), room("air", 1, 1).points()), (18, 1));
}

#[test]
fn sal_rooms_47_cards_lead_to_them() {
    let of_kind = |kind: crate::salamander::Kind| kind.cards().iter().map(|card| card.copies()).sum::<u8>();
    assert_eq!(crate::salamander::Kind::ALL.map(of_kind), [16, 15, 16]);
    for card in Card::ALL {
        assert_eq!(Card::ALL[card.index()], card);
        assert_eq!(Card::from_name(card.name()), Some(card));
    }
}

/// Every one of the 64 throws, by what it shows.
fn tally<T: Ord>(of: impl Fn(Throw) -> T) -> BTreeMap<T, u32> {
    let mut tally = BTreeMap::new();
    for faces in 0..64 {
        let mut play = play(2, &[faces / 16 + 1, faces / 4 % 4 + 1, faces % 4 + 1], "air stone-2 earth number-5");
        let Event::Thrown { throw, .. } = play.act(0, &throw()).unwrap()[0] else { unreachable!() };
        *tally.entry(of(throw)).or_default() += 1;
    }
    tally
}

#[test]
fn sal_move_the_number_sticks_distributions() {
    assert_eq!(
        tally(|throw| throw.steps(By::Sum)).into_iter().collect::<Vec<_>>(),
        [(2, 4), (3, 8), (4, 12), (5, 16), (6, 12), (7, 8), (8, 4)]
    );
    assert_eq!(
        tally(|throw| throw.steps(By::Difference)).into_iter().collect::<Vec<_>>(),
        [(0, 16), (1, 24), (2, 16), (3, 8)]
    );
    assert_eq!(tally(Throw::is_double)[&true], 16);
}

#[test]
fn sal_picture_lizard_on_half_of_the_faces() {
    let pictures = tally(|throw| format!("{:?}", throw.picture));
    assert_eq!((pictures["Lizard"], pictures["Stone"]), (32, 32));
}

/// Adds up the weights of all ways in which the sticks can fall after those in `faces`, in parts
/// of 4^15: those that lead home, and all. A face that is no key stands for the three.
fn ways_home(faces: &mut Vec<u32>, weight: u64) -> (u64, u64) {
    let mut play = jailed(faces);
    let before = 6 + faces.len() as u32;
    let Event::KeysThrown { throws, .. } = play.act(0, &throw_keys()).unwrap()[0].clone() else { unreachable!() };
    let thrown: Vec<_> =
        throws.throws().iter().flat_map(|faces| (0..3).filter(|&stick| faces[stick].is_some())).collect();
    match thrown.get(faces.len()) {
        None => {
            assert_eq!(play.chance.position().dice, before);
            let weight = weight << (2 * (15 - faces.len()));
            (if play.pieces()[0] == Piece::Home { weight } else { 0 }, weight)
        }
        Some(stick) => {
            let key = [1, 1, 4][*stick];
            let mut sum = (0, 0);
            for (face, share) in [(key, 1), (2, 3)] {
                faces.push(face);
                let (home, all) = ways_home(faces, weight * share);
                faces.pop();
                sum = (sum.0 + home, sum.1 + all);
            }
            sum
        }
    }
}

#[test]
fn sal_keys_the_chance_to_leave_jail_is_exact() {
    assert_eq!(ways_home(&mut Vec::new(), 1), (476_379_541, 1_073_741_824));
}
