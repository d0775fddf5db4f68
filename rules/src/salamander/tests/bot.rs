//! The bot uses what it was told.

use super::*;
use crate::game::{Advice, Level, Thinking};

impl Play {
    fn advice(&self, number: u8, target: u16, random: &mut Chance) -> Vec<Advice<Action>> {
        let mut thinking = Thinking { level: Level::Easy, lexicon: &LEXICON, random };
        let (view, legal) = (self.view(number), self.legal(number));
        Salamander::advise(&view, seat(number), &Options { target }, legal, &mut thinking)
    }
}

#[test]
fn it_announces_the_set_that_it_knows() {
    let mut play = jail::jailed(&[]);
    play.plays(0, [ask(1, "stone-3")]).moves(1, By::Difference);
    while play.turn() == 1 {
        play.plays(1, [end_turn()]);
    }
    assert_eq!(play.advice(0, 84, &mut choices(1))[0].action, announce(&[(1, "stone-3")]));
}

#[test]
fn it_asks_for_what_it_misses_and_does_not_know() {
    let mut play = play(2, &[3, 3, 3, 1, 1, 3], "earth number-2 stone-3 air");
    play.moves(0, By::Sum).plays(0, [ask(1, "stone-3")]).moves(0, By::Difference);
    let first = play.advice(0, 84, &mut choices(1))[0].action.clone();
    assert!(!matches!(first, Action::Ask { .. }), "its set is known already: {first:?}");
}

/// Matches among bots end soon; none announces what it knows to be false or asks what it knows.
#[test]
fn bots_end_their_matches_and_waste_nothing() {
    for seed in 0..12 {
        let seats = 2 + seed as usize % 3;
        let mut play = seeded(seats, 84, Script::default(), seed);
        let mut random = choices(seed);
        let mut actions = 0;
        while let Some(actor) = play.game.to_act().iter().next() {
            let legal = play.legal(actor.number()).len();
            let advice = play.advice(actor.number(), 84, &mut random);
            assert_eq!(advice.len(), legal);
            assert!(advice.windows(2).all(|two| two[0].value >= two[1].value));
            assert!(advice.iter().all(|advice| (0.0..=1.0).contains(&advice.value)));
            let known = play.view(actor.number()).known.unwrap();
            match &advice[0].action {
                Action::Announce { claims } => assert!(
                    claims.iter().all(|claim| !known[claim.seat.index()].lacks.contains(&claim.card)),
                    "{claims:?} is known to be false"
                ),
                Action::Ask { seat, card } => {
                    let known = &known[seat.index()];
                    assert!(!known.holds.contains(card) && !known.lacks.contains(card), "{card:?} is known");
                }
                _ => {}
            }
            let action = advice[0].action.clone();
            play.plays(actor.number(), [action]);
            actions += 1;
            assert!(actions < 2000, "it does not end");
        }
    }
}
