//! ゝ repeats the kana before it without its mark, ゞ with one: いすゞ is いすず.

use unicode_normalization::char::compose;

use super::{FoldError, SpellingFault, Text, marks};

pub(super) fn apply(text: &mut Text) -> Result<(), FoldError> {
    for position in 0..text.len() {
        let mark = text[position];
        if !matches!(mark, 'ゝ' | 'ゞ') {
            continue;
        }
        let before = text[..position].iter().rev().copied().find(|&c| !marks::is_combining(c));
        let base = match before {
            None | Some('ー') => return Err(SpellingFault::NothingToRepeat.into()),
            Some(kana) => marks::unmarked(kana),
        };
        text[position] = if mark == 'ゞ' { compose(base, '\u{3099}').unwrap_or(base) } else { base };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str) -> Result<String, FoldError> {
        let mut text = text.chars().collect();
        super::apply(&mut text).map(|()| text.iter().collect())
    }

    #[test]
    fn the_kana_before_is_repeated() {
        assert_eq!(apply("いすゞ").unwrap(), "いすず");
        assert_eq!(apply("みすゝ").unwrap(), "みすす");
        assert_eq!(apply("づゝ").unwrap(), "づつ");
        assert_eq!(apply("かゝゝ").unwrap(), "かかか");
        assert_eq!(apply("なゞ").unwrap(), "なな");
    }

    #[test]
    fn there_must_be_one() {
        for text in ["ゝか", "ゞ", "かーゝ"] {
            assert_eq!(apply(text), Err(SpellingFault::NothingToRepeat.into()), "{text}");
        }
    }
}
