//! Is it a word, and can this seat lay it now?

use std::cmp::Reverse;

use dictionary::{Letter, LetterSet, Lexicon, Spelling, fold};

use super::options::UnknownWords;
use super::refusal::{self, Unknown};
use super::state::Hachiku;
use super::word::{Spoken, Word};
use crate::seat::Seat;
use crate::text::Refusal;

/// What becomes of a word that keeps the rules of laying it.
#[derive(Debug)]
pub(super) enum Verdict {
    /// It is one of the match's words.
    Stands(Word),
    /// It is not, but the opponent may accept it.
    Asked(Word),
}

impl Verdict {
    /// The word, whatever becomes of it.
    pub fn into_word(self) -> Word {
        match self {
            Self::Stands(word) | Self::Asked(word) => word,
        }
    }
}

/// The rules that a word can break, in the order in which they are asked.
const ORDER: [&str; 5] = [
    "hachiku.min-length",
    "hachiku.starts-with-head",
    "hachiku.distinct-letters",
    "hachiku.letters-in-hand",
    "hachiku.not-a-word",
];

/// Whether the cards can be laid: everything that needs no lexicon.
fn lay(word: &Spelling, head: Letter, hand: LetterSet) -> Result<(), Refusal> {
    let letters = word.letters();
    let [first, rest @ ..] = letters else { return Err(refusal::too_short(word)) };
    if rest.is_empty() {
        return Err(refusal::too_short(word));
    }
    if *first != head {
        return Err(refusal::wrong_start(*first, head));
    }
    let mut seen = LetterSet::EMPTY;
    let repeated: LetterSet = letters.iter().copied().filter(|&letter| !seen.insert(letter)).collect();
    if !repeated.is_empty() {
        return Err(refusal::repeats(repeated));
    }
    let missing = seen.without(head).difference(hand);
    if missing.is_empty() { Ok(()) } else { Err(refusal::missing(missing, hand)) }
}

impl Hachiku {
    /// Judges what a seat says to this head.
    ///
    /// A word in any form stands for all its spellings. Of several that can be laid the player has
    /// to choose; of several that cannot, the one that came furthest says why. An unknown word is only
    /// asked for where `unknown` says so.
    ///
    /// # Errors
    /// The first rule that the word breaks, or that it is ambiguous.
    pub(super) fn judge(
        &self,
        seat: Seat,
        head: Letter,
        spoken: &Spoken,
        unknown: UnknownWords,
        lexicon: &Lexicon,
    ) -> Result<Verdict, Refusal> {
        let hand = self.hands[seat];
        let text = match spoken {
            Spoken::Letters(letters) => {
                lay(letters, head, hand)?;
                return self.look_up(letters, None, unknown, lexicon);
            }
            Spoken::Word(text) => text,
        };
        let spellings = self.words.spellings(text, lexicon);
        if let (true, Err(fault)) = (spellings.is_empty(), fold(text)) {
            return Err(refusal::unreadable(&fault));
        }
        let (mut standing, mut asked, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for spelling in spellings {
            let verdict = lay(&spelling, head, hand);
            let verdict = verdict.and_then(|()| self.look_up(&spelling, Some(text), unknown, lexicon));
            match verdict {
                Ok(Verdict::Stands(word)) => standing.push(word),
                Ok(Verdict::Asked(word)) => asked.push(word),
                Err(refusal) => refused.push(refusal),
            }
        }
        let (candidates, verdict): (_, fn(Word) -> Verdict) =
            if standing.is_empty() { (asked, Verdict::Asked) } else { (standing, Verdict::Stands) };
        let spellings: Vec<_> = candidates.iter().map(|word| word.letters.clone()).collect();
        let mut candidates = candidates.into_iter();
        match (candidates.next(), candidates.next()) {
            (Some(word), None) => Ok(verdict(word)),
            (Some(_), Some(_)) => Err(refusal::ambiguous(&spellings)),
            (None, _) => {
                let depth = |refusal: &Refusal| ORDER.iter().position(|&rule| rule == refusal.rule);
                let furthest = refused.into_iter().min_by_key(|refusal| Reverse(depth(refusal)));
                Err(furthest.unwrap_or_else(|| refusal::not_a_word(text, Unknown::Unlisted)))
            }
        }
    }

    /// Whether a spelling is one of the match's words, or might become one by asking.
    fn look_up(
        &self,
        letters: &Spelling,
        written: Option<&str>,
        unknown: UnknownWords,
        lexicon: &Lexicon,
    ) -> Result<Verdict, Refusal> {
        let word = |readings| {
            let written = written.filter(|text| *text != letters.to_string()).map(str::to_owned);
            Word { letters: letters.clone(), written, readings }
        };
        if self.words.has(letters.letters(), lexicon) {
            return Ok(Verdict::Stands(word(self.words.readings(letters.letters(), lexicon))));
        }
        match (unknown, self.words.why_not(letters.letters(), lexicon)) {
            (UnknownWords::Ask, Unknown::Unlisted | Unknown::Class) => Ok(Verdict::Asked(word(Vec::new()))),
            (_, why) => Err(refusal::not_a_word(&letters.to_string(), why)),
        }
    }
}
