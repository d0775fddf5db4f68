//! What holds in every match.

use physics::world::Engine;
use proptest::prelude::*;

use super::*;

/// Every card lies in one place; only the head of revealed final words counts for both seats too.
fn assert_letters_are_conserved(game: &Hachiku) {
    let head: LetterSet = game.head().into_iter().collect();
    let places = [game.field, game.hands[FIRST], game.hands[SECOND], game.captured[FIRST], game.captured[SECOND]];
    let revealed = matches!(&game.phase, Phase::Over { finals: Pair([Some(_), Some(_)]), .. });
    let counted = if revealed { places.map(|place| place.difference(head)) } else { places };
    let all = counted.into_iter().fold(head, LetterSet::union);
    assert_eq!(all, LetterSet::ALL, "{game:?}");
    assert_eq!(counted.iter().map(|place| place.len()).sum::<usize>() + head.len(), 46, "{game:?}");
}

/// Plays to the end by the choices given, then by gathering.
fn play_out(mut game: Hachiku, choices: &[u16], mut check: impl FnMut(&Hachiku)) -> Hachiku {
    let mut choices = choices.iter();
    check(&game);
    while let Some(seat) = game.to_act().iter().next() {
        let actions = legal(&game, seat, true);
        let choice = usize::from(choices.next().copied().unwrap_or(0)) % actions.len();
        act(&mut game, seat, &actions[choice]).unwrap();
        check(&game);
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn letters_are_conserved_and_matches_end(choices in prop::collection::vec(any::<u16>(), 0..300)) {
        let game = play_out(opening(Options::default()), &choices, assert_letters_are_conserved);
        prop_assert!(game.outcome().is_some());
    }

    #[test]
    fn what_is_accepted_is_listed(
        head in 0..46_usize,
        hand in any::<u64>(),
        letters in prop::collection::vec(0..46_usize, 0..12),
        text in ".{0,12}|[ぁ-ー]{0,12}",
    ) {
        let hand: LetterSet = Letter::all().filter(|letter| hand >> letter.index() & 1 == 1).collect();
        let head = Letter::from_index(head).unwrap();
        let game = turn(Options::default(), &head.to_string(), [&hand.without(head).to_string(), ""]);
        let letters = letters.into_iter().filter_map(Letter::from_index).collect();
        let listed = legal(&game, FIRST, true);
        for spoken in [Spoken::Letters(letters), Spoken::Word(text)] {
            let mut after = game.clone();
            if act(&mut after, FIRST, &Action::Say(spoken)).is_ok() {
                let (_, word) = after.last_word.clone().unwrap();
                prop_assert!(listed.contains(&Action::Say(Spoken::Letters(word.letters.clone()))));
            }
            assert_letters_are_conserved(&after);
        }
    }
}

/// The positions reachable in `plies` actions, each way to one counted.
fn perft(game: &Hachiku, plies: u32) -> u64 {
    let Some(seat) = game.to_act().iter().next().filter(|_| plies > 0) else { return 1 };
    let actions = legal(game, seat, false);
    let mut context =
        Context { chance: &mut chance(), now: Timestamp::default(), lexicon: &LEXICON, world: &mut Engine };
    actions
        .iter()
        .map(|action| {
            let mut next = game.clone();
            next.apply(seat, action, &mut context, &mut Vec::new()).unwrap();
            perft(&next, plies - 1)
        })
        .sum()
}

#[test]
fn perft_from_the_beginning() {
    let game = opening(Options::default());
    assert_eq!(perft(&game, 1), 46);
    assert_eq!(perft(&game, 2), 46 * 45);
    assert_eq!(perft(&game, 3), 46 * 45 * 44);
}

#[test]
fn perft_with_swaps_and_final_words() {
    let mut game = turn(Options::default(), "か", ["きくけ", "さしす"]);
    game.field = "あい".parse().unwrap();
    for (plies, positions) in [(1, 14), (2, 284), (3, 2036), (4, 13034)] {
        assert_eq!(perft(&game, plies), positions);
        assert_eq!(counted(2, [3, 3], plies), positions);
    }
}

/// The same count from the numbers of cards alone: it matters to no rule which cards they are.
fn counted(field: u64, [own, other]: [u64; 2], plies: u32) -> u64 {
    if plies == 0 {
        return 1;
    }
    // The last gather leaves two passes, one possible action each.
    let after_gather = if field == 1 { 1 } else { counted(field - 1, [other, own + 1], plies - 1) };
    let pairs = own * own.saturating_sub(1) / 2;
    let after_swap = if pairs == 0 { 0 } else { counted(field + 2, [other, own - 2], plies - 1) };
    field * after_gather + pairs * (field + 2) * after_swap
}
