//! The bot plays legally and without obvious blunders.

use super::*;
use crate::game::{Level, Thinking};

/// What the bot would play, at either level.
fn choice(game: &Hachiku, seat: Seat) -> Action {
    let [easy, standard] = [Level::Easy, Level::Standard].map(|level| choice_at(level, game, seat));
    assert_eq!(easy, standard);
    easy
}

fn choice_at(level: Level, game: &Hachiku, seat: Seat) -> Action {
    let mut random = chance();
    let mut thinking = Thinking { level, lexicon: &LEXICON, random: &mut random };
    let legal = legal(game, seat, true);
    let advice = Hachiku::advise(&game.view(Viewer::Seat(seat)), seat, &game.options, legal.clone(), &mut thinking);
    assert_eq!(advice.len(), legal.len());
    assert!(legal.iter().all(|action| advice.iter().any(|advice| advice.action == *action)));
    assert!(advice.iter().all(|advice| (0.0..=1.0).contains(&advice.value)));
    assert!(advice.is_sorted_by(|a, b| a.value >= b.value));
    advice.into_iter().next().unwrap().action
}

#[test]
fn takes_a_win_of_eight_letters() {
    let game = turn(Options::default(), "い", ["るみねえしよんなすま", ""]);
    assert_eq!(choice(&game, FIRST), read(&say("いるみねえしよん")));
}

#[test]
fn takes_a_win_by_the_target_also_with_n() {
    let mut game = turn(Options::default(), "か", ["あてんきえる", ""]);
    capture(&mut game, FIRST, "さしすせそたちつとなにぬ");
    assert_eq!(choice(&game, FIRST), read(&say("かあてん")));
}

#[test]
fn never_ends_in_n_by_choice() {
    let game = turn(Options::default(), "は", ["いん", ""]);
    assert_ne!(choice(&game, FIRST), read(&say("はいん")));
    let mut game = finals(Options::default(), "さ", ["つしん", "けかす"]);
    assert_eq!(choice(&game, FIRST), Action::FinalPass {});
    play(&mut game, FIRST, FINAL_PASS);
    assert_eq!(choice(&game, SECOND), read(&final_word("さけかす")));
}

/// What the bot holds a final word to be worth.
fn worth(game: &Hachiku, letters: &str) -> f64 {
    let mut random = chance();
    let mut thinking = Thinking { level: Level::Standard, lexicon: &LEXICON, random: &mut random };
    let view = game.view(Viewer::Seat(FIRST));
    let advice = Hachiku::advise(&view, FIRST, &game.options, legal(game, FIRST, true), &mut thinking);
    advice.iter().find(|advice| advice.action == read(&final_word(letters))).expect(letters).value
}

#[test]
fn final_words_that_reach_the_target_are_worth_what_they_capture() {
    let mut game = finals(Options { capture_target: Some(5), ..Options::default() }, "さ", ["けかすめんつし", "を"]);
    game.captured[FIRST] = "たちてと".parse().unwrap();
    let (long, short, n) = (worth(&game, "さけかす"), worth(&game, "さめ"), worth(&game, "さつしん"));
    assert!(1.0 > long && long > short, "{long} {short}");
    assert!(n > short, "ん stands where it reaches the target: {n}");
    game.captured[FIRST] = LetterSet::EMPTY;
    assert!(worth(&game, "さつしん") <= 0.0, "else it loses");
}

#[test]
fn final_words_of_eight_letters_are_worth_most_but_not_certain_to_win() {
    let game = finals(Options::default(), "さ", ["くらもちのはかり", "を"]);
    let (eight, less) = (worth(&game, "さくらもちのはかり"), worth(&game, "さくらもち"));
    assert!(1.0 > eight && eight > 0.95 && eight > less, "{eight} {less}");
}

#[test]
fn changes_a_head_from_which_the_opponent_would_win() {
    // The opponent holds all of いるみねえしよん but its head.
    let threat = "るみねえしよん";
    let game = turn(Options::default(), "い", ["なすま", threat]);
    assert_eq!(choice(&game, FIRST), read(&say("いなすま")));
    let game = turn(Options::default(), "い", ["なす", threat]);
    assert!(matches!(choice(&game, FIRST), Action::Swap { .. }), "no word, so the head is exchanged");
}

#[test]
fn does_not_hand_the_opponent_a_head_to_win_from() {
    // From ひ the opponent has eight letters, from え none.
    let game = turn(
        Options { extra_words: vec!["めひ".into(), "めえ".into()], ..Options::default() },
        "め",
        ["ひえ", "しかわもろのふ"],
    );
    for level in [Level::Easy, Level::Standard] {
        assert_ne!(choice_at(level, &game, FIRST), read(&say("めひ")));
    }
}

#[test]
fn sees_through_closed_hands_by_counting_cards_and_by_nothing_else() {
    let open = turn(Options::default(), "い", ["なすま", "るみねえしよん"]);
    let mut closed = open.clone();
    closed.options = Arc::new(Options { closed_hands: true, ..Options::default() });
    assert_eq!(choice(&closed, FIRST), choice(&open, FIRST));
}

#[test]
fn gathers_what_makes_words() {
    let game = turn(Options::default(), "か", ["え", ""]);
    assert_eq!(choice(&game, FIRST), read(&gather("る")));
}

#[test]
fn chooses_a_head_that_words_begin_with() {
    let Action::ChooseHead { letter } = choice(&opening(Options::default()), SECOND) else { panic!() };
    assert!("いかきこさすつとねはひめる".contains(letter.to_char()), "{letter}");
}

#[test]
fn accepts_what_the_lexicon_knows_in_any_class() {
    let options = Options { unknown_words: crate::hachiku::UnknownWords::Ask, ..Options::default() };
    let mut game = turn(options, "か", ["くぬ", ""]);
    play(&mut game, FIRST, &say("かく"));
    assert_eq!(choice(&game, SECOND), Action::Judge { accept: true });
    play(&mut game, SECOND, r#"{"type":"judge","accept":false}"#);
    play(&mut game, FIRST, &say("かぬ"));
    assert_eq!(choice(&game, SECOND), Action::Judge { accept: false });
}
