//! ゝ repeats the kana before it without its mark, ゞ with one: いすゞ is いすず.

use unicode_normalization::char::compose;

use super::{FoldError, SpellingFault, Text, marks};

pub(super) fn apply(text: &mut Text) -> Result<(), FoldError> {
    if !text.iter().any(|c| matches!(c, 'ゝ' | 'ゞ')) {
        return Ok(());
    }
    let mut repeated = Text::new();
    for &c in &*text {
        let kana = match c {
            'ゝ' => base(&repeated)?,
            'ゞ' => {
                let base = base(&repeated)?;
                compose(base, '\u{3099}').unwrap_or(base)
            }
            // After ゝ (はゝ゜) the mark composes only now.
            mark if marks::is_combining(mark) => marks::composed(&mut repeated, mark),
            kana => kana,
        };
        repeated.push(kana);
    }
    *text = repeated;
    Ok(())
}

/// The kana before, without its mark.
fn base(text: &Text) -> Result<char, FoldError> {
    match text.iter().rev().copied().find(|&c| !marks::is_combining(c)) {
        None | Some('ー') => Err(SpellingFault::NothingToRepeat.into()),
        Some(kana) => Ok(marks::unmarked(kana)),
    }
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
        assert_eq!(apply("はゝ\u{309a}").unwrap(), "はぱ");
        assert_eq!(apply("はゞ\u{309a}").unwrap(), "はば\u{309a}");
    }

    #[test]
    fn there_must_be_one() {
        for text in ["ゝか", "ゞ", "かーゝ"] {
            assert_eq!(apply(text), Err(SpellingFault::NothingToRepeat.into()), "{text}");
        }
    }
}
