//! 八築 rule by rule: set up in one line, act, expect.

mod bot;
mod cases;
mod endings;
mod forms;
mod playthrough;
mod properties;
mod secrets;
mod turns;
mod words;

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use dictionary::{Class, Letter, LetterSet, Lexicon, Row};
use physics::world::Engine;

use super::state::{FIRST, Pair, Phase, SECOND};
use super::{Action, Event, Hachiku, Options, Spoken};
use crate::chance::{Chance, Key};
use crate::game::{Context, Game, Inquiry};
use crate::seat::{Seat, Viewer};
use crate::text::Refusal;
use crate::time::Timestamp;

/// The words that the tests play with.
static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let nouns = [
        ("かえる", "蛙"),
        ("かき", "柿"),
        ("がき", "餓鬼"),
        ("きつね", "狐"),
        ("きゃべつ", "キャベツ"),
        ("こーと", "コート"),
        ("とまと", "トマト"),
        ("ぱいん", "パイン"),
        ("ねこ", "猫"),
        ("ねつ", "熱"),
        ("つくえ", "机"),
        ("いなずま", "稲妻"),
        ("いなづま", "稲妻"),
        ("すずむし", "鈴虫"),
        ("るす", "留守"),
        ("するめ", "鯣"),
        ("めいし", "名刺"),
        ("かーてん", "カーテン"),
        ("かーねーしょん", "カーネーション"),
        ("いるみねーしょん", "イルミネーション"),
        ("さけかす", "酒粕"),
        ("さーきっと", "サーキット"),
        ("さっしん", "刷新"),
        ("さめ", "鮫"),
        ("さん", "三"),
        ("さくらもち", "桜餅"),
        ("さくらもちのはかり", "桜餅の秤"),
        ("さつきあやめのゆり", "五月菖蒲の百合"),
    ];
    let others = [
        ("ひしかわもろのぶ", Class::Person, "菱川師宣"),
        ("きょうと", Class::Place, "京都"),
        ("かくれる", Class::Verb, "隠れる"),
        ("かく", Class::Verb, "書く"),
    ];
    let nouns = nouns.into_iter().map(|(reading, form)| Row::new(reading, Class::Common, &[form]));
    let others = others.into_iter().map(|(reading, class, form)| Row::new(reading, class, &[form]));
    Lexicon::build(nouns.chain(others)).unwrap()
});

/// A match at its beginning.
fn opening(options: Options) -> Hachiku {
    assert_eq!(options.faults(), []);
    Hachiku::new(&Arc::new(options))
}

/// Seat 0 to move with this head and these hands; the rest lies in the field.
fn turn(options: Options, head: &str, hands: [&str; 2]) -> Hachiku {
    let mut game = opening(options);
    let head: Letter = head.parse().unwrap();
    game.hands = Pair(hands.map(|hand| hand.parse().unwrap()));
    game.field = LetterSet::ALL.without(head).difference(game.hands[FIRST]).difference(game.hands[SECOND]);
    game.phase = Phase::Turns { head, to_move: FIRST };
    game
}

/// Both seats owe their final word.
fn finals(options: Options, head: &str, hands: [&str; 2]) -> Hachiku {
    let mut game = turn(options, head, hands);
    game.field = LetterSet::EMPTY;
    game.phase = Phase::FinalWords { head: head.parse().unwrap(), given: Pair::default() };
    game
}

/// These cards, moved from the field to a seat's captures.
fn capture(game: &mut Hachiku, seat: Seat, letters: &str) {
    let letters: LetterSet = letters.parse().unwrap();
    assert!(game.field.is_superset(letters));
    game.field = game.field.difference(letters);
    game.captured[seat] = game.captured[seat].union(letters);
}

fn chance() -> Chance {
    Chance::new(Key::derive(&[1; 32], &[1; 16], []), Arc::default())
}

fn act(game: &mut Hachiku, seat: Seat, action: &Action) -> Result<Vec<Event>, Refusal> {
    assert!(game.may_act(seat, action), "{seat:?} owes nothing");
    let before = format!("{game:?}");
    let mut log = Vec::new();
    let mut context =
        Context { chance: &mut chance(), now: Timestamp::default(), lexicon: &LEXICON, world: &mut Engine };
    match game.apply(seat, action, &mut context, &mut log) {
        Ok(()) => Ok(log),
        Err(refusal) => {
            assert_eq!((format!("{game:?}"), log.as_slice()), (before, &[][..]), "a refused action left a trace");
            Err(refusal)
        }
    }
}

/// Acts as a client does, and panics where it is refused.
fn play(game: &mut Hachiku, seat: Seat, action: &str) -> Vec<Event> {
    act(game, seat, &read(action)).unwrap_or_else(|refusal| panic!("{action}: {refusal:?}"))
}

/// Acts as a client does, and tells the rule that it breaks.
fn refused(game: &mut Hachiku, seat: Seat, action: &str) -> Refusal {
    act(game, seat, &read(action)).expect_err(action)
}

fn read(action: &str) -> Action {
    serde_json::from_str(action).unwrap_or_else(|error| panic!("{action}: {error}"))
}

fn gather(letter: &str) -> String {
    format!(r#"{{"type":"gather","letter":"{letter}"}}"#)
}

fn say(letters: &str) -> String {
    format!(r#"{{"type":"say","letters":"{letters}"}}"#)
}

fn say_word(word: &str) -> String {
    format!(r#"{{"type":"say","word":"{word}"}}"#)
}

fn final_word(letters: &str) -> String {
    format!(r#"{{"type":"final_word","letters":"{letters}"}}"#)
}

const FINAL_PASS: &str = r#"{"type":"final_pass"}"#;

fn legal(game: &Hachiku, seat: Seat, words: bool) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(seat, Inquiry { lexicon: &LEXICON, words }, &mut |action| {
        actions.push(action);
        ControlFlow::Continue(())
    });
    actions
}

/// The seats that owe a decision, as numbers.
fn owing(game: &Hachiku) -> Vec<u8> {
    game.to_act().iter().map(Seat::number).collect()
}

/// Ranks and reason of a finished match.
fn result(game: &Hachiku) -> ([u8; 2], String) {
    let outcome = game.outcome().expect("the match is over");
    assert_eq!(owing(game), [] as [u8; 0]);
    ([outcome.ranks[0], outcome.ranks[1]], outcome.reason.into_owned())
}
