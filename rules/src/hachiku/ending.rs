//! How a match ends: eight letters, the target, ん, the final words, the move cap.

use dictionary::Spelling;

use super::options::Options;
use super::state::{FIRST, Pair, SECOND, opponent};
use crate::outcome::Outcome;
use crate::seat::Seat;

/// A word of this many letters wins at once.
pub(super) const EIGHT: usize = 8;

/// Whether a word of `length` letters wins by the target, its captures counted already
/// (`hachiku.target`).
pub(super) fn reaches_target(options: &Options, length: usize, captured: usize) -> bool {
    captured >= options.target().into() && length >= options.finish_min_length.unwrap_or(0).into()
}

/// The result right after a seat's word, its captures counted already.
pub(super) fn after_word(options: &Options, seat: Seat, word: &Spelling, captured: usize) -> Option<Outcome> {
    if word.len() >= EIGHT {
        return Some(Outcome::won_by(seat, 2, "eight"));
    }
    if reaches_target(options, word.len(), captured) {
        return Some(Outcome::won_by(seat, 2, "target"));
    }
    word.ends_with_n().then(|| Outcome::won_by(opponent(seat), 2, "ends_with_n"))
}

/// The result once the turns are used up (`hachiku.move-cap`).
pub(super) fn after_turn(options: &Options, turns: u16, captured: &Pair<usize>) -> Option<Outcome> {
    (turns >= options.max_turns).then(|| Outcome::by_score(&captured.0, "move_cap"))
}

/// The result of the final words, their captures counted already (`hachiku.final-word`).
pub(super) fn after_finals(options: &Options, words: &Pair<Option<&Spelling>>, captured: &Pair<usize>) -> Outcome {
    let eight = Pair(words.0.map(|word| word.is_some_and(|word| word.len() >= EIGHT)));
    if eight[FIRST] != eight[SECOND] {
        return Outcome::by_score(&eight.0, "eight");
    }
    let stands = |seat: Seat| {
        words[seat].is_none_or(|word| {
            !word.ends_with_n() || eight[seat] || reaches_target(options, word.len(), captured[seat])
        })
    };
    let stands = [stands(FIRST), stands(SECOND)];
    if stands == [true, true] {
        Outcome::by_score(&captured.0, "final_word")
    } else {
        Outcome::by_score(&stands, "ends_with_n")
    }
}
