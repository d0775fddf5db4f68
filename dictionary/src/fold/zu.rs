//! ず and づ may be spelled す or つ, each for itself (`hachiku.zu`).

use arrayvec::ArrayVec;

use super::{FoldError, MAX_LENGTH, MAX_ZU, SpellingFault, Text};
use crate::Letter;

/// The letters with every ず and づ as す, and the places where つ may stand instead.
pub(super) fn apply(text: &Text) -> Result<(ArrayVec<Letter, MAX_LENGTH>, ArrayVec<u8, MAX_ZU>), FoldError> {
    let mut letters = ArrayVec::new();
    let mut places = ArrayVec::new();
    for (place, &c) in text.iter().enumerate() {
        if matches!(c, 'ず' | 'づ') {
            places.try_push(place as u8).map_err(|_| SpellingFault::TooManyZu)?;
            letters.push(Letter::SU);
        } else {
            letters.push(Letter::of(c).ok_or(FoldError::NotKana { found: c })?);
        }
    }
    Ok((letters, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_zu_is_noted() {
        let (letters, places) = apply(&"ずつづく".chars().collect()).unwrap();
        assert_eq!(letters.iter().map(|l| l.to_char()).collect::<String>(), "すつすく");
        assert_eq!(places.as_slice(), [0, 2]);
    }

    #[test]
    fn spellings_do_not_explode() {
        assert!(apply(&"ず".repeat(6).chars().collect()).is_ok());
        let seven = apply(&"ず".repeat(7).chars().collect());
        assert_eq!(seven, Err(SpellingFault::TooManyZu.into()));
    }
}
