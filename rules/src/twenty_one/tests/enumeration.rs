//! Exact figures, by giving the engine every face wherever it rolls.

use std::collections::BTreeMap;

use super::*;

/// A match in which seat 1 rolls three ones and stops, so that only seat 0 goes on after that.
struct Line {
    play: Play,
}

impl Line {
    /// Every line in which seat 0 has rolled three times and seat 1 has stopped or will at once.
    fn after_three_rolls() -> Vec<Self> {
        let faces = || Face::all().map(|face| u32::from(face.pips()));
        let triples = faces().flat_map(|a| faces().flat_map(move |b| faces().map(move |c| [a, b, c])));
        triples
            .map(|[a, b, c]| Self { play: Play::new(2, with_hands(), &[a, 1, b, 1, c, 1]).play("rr rr rr") })
            .collect()
    }

    /// The same line with each of the six faces as seat 0's next roll.
    fn next_roll(&self) -> impl Iterator<Item = Self> {
        Face::all().map(|face| {
            let script = Script { dice: vec![face.pips().into()], deck: vec![] };
            let chance = Chance::new(Key::derive(&[0; 32], &[0; 16], []), Arc::new(script));
            let game = self.play.game.clone();
            let play = Play { game, chance, log: Vec::new() }.play("r");
            let other_stops = !play.is_bust() && play.turn() == seat(1);
            Self { play: if other_stops { play.play("s") } else { play } }
        })
    }

    fn total(&self) -> u8 {
        self.play.view().totals[0]
    }
}

impl Play {
    fn is_bust(&self) -> bool {
        self.view().standing[0] == Standing::Bust
    }
}

fn with_hands() -> Options {
    Options { hands: true, ..one_game() }
}

/// 6ⁿ.
fn sequences(rolls: u32) -> u64 {
    6_u64.pow(rolls)
}

#[test]
fn rule_21_bust_is_5_in_432_at_the_fourth_roll() {
    let fourth: Vec<_> = Line::after_three_rolls().iter().flat_map(Line::next_roll).collect();
    assert_eq!(fourth.len() as u64, sequences(4));
    let busts = fourth.iter().filter(|line| line.play.is_bust()).count() as u64;
    assert_eq!(busts * 432, 5 * sequences(4));
}

#[test]
fn rolling_until_21_or_more_hits_21_exactly_as_often_as_computed() {
    // How many sequences of so many rolls lead to a total below 21: lines that stand equal go on
    // alike, so one of them stands for all.
    let mut standing: BTreeMap<u8, (Line, u64)> = BTreeMap::new();
    let mut hits = 0;
    let longest = 21;
    let mut arrive = |line: Line, count: u64, rolls: u32, next: &mut BTreeMap<u8, (Line, u64)>| match line.total() {
        21 => hits += count * sequences(longest - rolls),
        0..21 => next.entry(line.total()).or_insert((line, 0)).1 += count,
        _ => assert!(line.play.is_bust()),
    };
    for line in Line::after_three_rolls() {
        arrive(line, 1, 3, &mut standing);
    }
    for rolls in 4..=longest {
        let mut next = BTreeMap::new();
        for (line, count) in standing.into_values() {
            for longer in line.next_roll() {
                arrive(longer, count, rolls, &mut next);
            }
        }
        standing = next;
    }
    assert!(standing.is_empty(), "nobody rolls 21 times and stays below 21");
    // 6273265544452129 / 21936950640377856, whose denominator is 6²¹.
    assert_eq!((hits, sequences(longest)), (6_273_265_544_452_129, 21_936_950_640_377_856));
}

#[test]
fn rule_21_straight_and_double_come_up_exactly_as_often_as_computed() {
    let mut lines = Line::after_three_rolls();
    for _ in 4..=6 {
        lines = lines.iter().filter(|line| !line.play.is_bust()).flat_map(Line::next_roll).collect();
    }
    let mut hands: BTreeMap<Hand, u32> = BTreeMap::new();
    for line in lines.into_iter().filter(|line| line.total() == 21 && !line.play.is_bust()) {
        for event in line.play.play("s").log {
            if let Event::GameWon { hand: Some(hand), .. } = event {
                *hands.entry(hand).or_default() += 1;
            }
        }
    }
    // Of the 46,656 sequences of six rolls.
    let expected =
        [(Hand::DoubleThreeFour, 20), (Hand::DoubleTwoFive, 20), (Hand::DoubleOneSix, 20), (Hand::Straight, 720)];
    assert_eq!(hands.into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(sequences(6), 46_656);
}
