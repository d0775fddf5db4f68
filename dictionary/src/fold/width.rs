//! Half-width, decomposed and compatibility forms become one form (NFKC).

use unicode_normalization::UnicodeNormalization;

use super::{FoldError, Text};

/// Normalizes what the text holds. Kana as most people type it passes untouched.
pub(super) fn apply(text: impl Iterator<Item = char> + Clone, into: &mut Text) -> Result<(), FoldError> {
    if text.clone().all(is_plain) {
        return fill(text, into);
    }
    // NFKC turns ゛ and ゜ into a space and a combining mark: give it the mark alone.
    let combining = text.map(|c| match c {
        '゛' => '\u{3099}',
        '゜' => '\u{309a}',
        other => other,
    });
    fill(combining.nfkc(), into)
}

fn fill(text: impl Iterator<Item = char>, into: &mut Text) -> Result<(), FoldError> {
    for c in text {
        into.try_push(c).map_err(|_| FoldError::TooLong)?;
    }
    Ok(())
}

/// Kana that normalization leaves alone and that no mark follows.
fn is_plain(c: char) -> bool {
    matches!(c, 'ぁ'..='ゖ' | 'ァ'..='ー')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str) -> String {
        let mut into = Text::new();
        super::apply(text.chars(), &mut into).unwrap();
        into.iter().collect()
    }

    #[test]
    fn half_width_kana_take_their_marks() {
        assert_eq!(apply("ｶﾞｷﾞﾊﾟｰｷｬｯｳﾞ"), "ガギパーキャッヴ");
    }

    #[test]
    fn combining_marks_and_marks_of_their_own_compose() {
        assert_eq!(apply("か\u{3099}は\u{309a}"), "がぱ");
        assert_eq!(apply("か゛は゜"), "がぱ");
        assert_eq!(apply("ウ゛ワ゛"), "ヴヷ");
    }

    #[test]
    fn squared_words_are_words() {
        assert_eq!(apply("㌢㍍"), "センチメートル");
    }

    #[test]
    fn more_kana_than_a_word_has_are_refused() {
        let text = "ｶ".repeat(101);
        assert_eq!(super::apply(text.chars(), &mut Text::new()), Err(FoldError::TooLong));
    }
}
