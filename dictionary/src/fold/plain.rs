//! Texts of ordinary kana in one pass.
//!
//! Most texts hold nothing but kana that each step changes without looking at its neighbours, and
//! ー. What the steps make of each such kana is looked up in a table, which is made by the steps
//! themselves; a text with anything else goes through them one by one.

use std::sync::LazyLock;

use super::{Kana, MAX_LENGTH};
use crate::Letter;

/// The kana of the table: hiragana and katakana up to the one before ー.
const FIRST: u32 = 'ぁ' as u32;
const COUNT: usize = ('ー' as u32 - FIRST) as usize;

/// What the steps make of one kana.
#[derive(Clone, Copy)]
struct Plain {
    hiragana: char,
    /// Its letter; す for ず and づ.
    letter: Letter,
    /// Whether it is ず or づ.
    has_choice: bool,
    /// The letter of a ー after it.
    vowel: Option<Letter>,
}

static TABLE: LazyLock<[Option<Plain>; COUNT]> =
    LazyLock::new(|| std::array::from_fn(|place| char::from_u32(FIRST + place as u32).and_then(plain)));

/// None where the kana is more than one, depends on the one before it, or is none at all.
fn plain(kana: char) -> Option<Plain> {
    let alone = Kana::step_by_step(kana.encode_utf8(&mut [0; 4])).ok()?;
    let mut reading = alone.reading.chars();
    let (Some(hiragana), None, &[letter]) = (reading.next(), reading.next(), &alone.letters[..]) else {
        return None;
    };
    let long = Kana::step_by_step(&format!("{kana}ー")).ok();
    let vowel = long.and_then(|long| long.letters.last().copied());
    Some(Plain { hiragana, letter, has_choice: alone.has_choice(), vowel })
}

/// The text folded, or None where it must go through the steps.
pub(super) fn parse(text: &str) -> Option<Kana> {
    // Every kana of the table takes three bytes.
    if text.is_empty() || text.len() > MAX_LENGTH * 'ー'.len_utf8() {
        return None;
    }
    let table = &*TABLE;
    let mut folded = Kana::default();
    let mut vowel = None;
    for kana in text.chars() {
        let (hiragana, letter) = if kana == 'ー' {
            (kana, vowel?)
        } else {
            let place = (kana as u32).wrapping_sub(FIRST) as usize;
            let plain = table.get(place)?.as_ref()?;
            if plain.has_choice {
                folded.zu.try_push(folded.letters.len() as u8).ok()?;
            }
            vowel = plain.vowel;
            (plain.hiragana, plain.letter)
        };
        folded.reading.try_push(hiragana).ok()?;
        folded.letters.try_push(letter).ok()?;
    }
    Some(folded)
}
