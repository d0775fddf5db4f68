//! Katakana becomes hiragana; what is neither is refused here.

use super::{FoldError, Text, marks};

const VOICED: char = '\u{3099}';
const SEMI_VOICED: char = '\u{309a}';

/// How far a katakana lies behind its hiragana.
const DISTANCE: u32 = 'ア' as u32 - 'あ' as u32;

/// Hiragana of the small katakana for Ainu, ㇰ to ㇿ: there are no small hiragana for them.
const AINU: [char; 16] =
    ['く', 'し', 'す', 'と', 'ぬ', 'は', 'ひ', 'ふ', 'へ', 'ほ', 'む', 'ら', 'り', 'る', 'れ', 'ろ'];

pub(super) fn apply(text: &mut Text) -> Result<(), FoldError> {
    if text.iter().all(|c| matches!(c, 'ぁ'..='ゖ' | 'ー')) {
        return Ok(());
    }
    let mut hiragana = Text::new();
    for &c in &*text {
        push(&mut hiragana, c)?;
    }
    *text = hiragana;
    Ok(())
}

fn push(text: &mut Text, c: char) -> Result<(), FoldError> {
    let (kana, mark) = match c {
        'ぁ'..='ゖ' | 'ー' | 'ゝ' | 'ゞ' => (c, None),
        'ァ'..='ヶ' | 'ヽ' | 'ヾ' => (minus(c, DISTANCE), None),
        // No hiragana has these marks in one character.
        'ヷ' => ('わ', Some(VOICED)),
        'ヸ' => ('ゐ', Some(VOICED)),
        'ヹ' => ('ゑ', Some(VOICED)),
        'ヺ' => ('を', Some(VOICED)),
        'ㇰ'..='ㇿ' => (AINU[(c as usize) - ('ㇰ' as usize)], None),
        // The small kana of the supplementary planes.
        '\u{1b132}' | '\u{1b155}' => ('こ', None),
        '\u{1b150}' | '\u{1b164}' => ('ゐ', None),
        '\u{1b151}' | '\u{1b165}' => ('ゑ', None),
        '\u{1b152}' | '\u{1b166}' => ('を', None),
        '\u{1b167}' => ('ん', None),
        // After a small kana for Ainu (ㇷ゚) the mark composes only now.
        VOICED | SEMI_VOICED => (marks::composed(text, c), None),
        found => return Err(FoldError::NotKana { found }),
    };
    for c in std::iter::once(kana).chain(mark) {
        text.try_push(c).map_err(|_| FoldError::TooLong)?;
    }
    Ok(())
}

fn minus(c: char, distance: u32) -> char {
    char::from_u32(c as u32 - distance).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str) -> Result<String, FoldError> {
        let mut text = text.chars().collect();
        super::apply(&mut text).map(|()| text.iter().collect())
    }

    #[test]
    fn katakana_become_hiragana() {
        assert_eq!(apply("カタカナとひらがな").unwrap(), "かたかなとひらがな");
        assert_eq!(apply("ヴヵヶヮッー").unwrap(), "ゔゕゖゎっー");
        assert_eq!(apply("ヰヱヲンヽヾ").unwrap(), "ゐゑをんゝゞ");
    }

    #[test]
    fn marks_without_a_hiragana_stay_marks() {
        assert_eq!(apply("ヷヸヹヺ").unwrap(), "わ\u{3099}ゐ\u{3099}ゑ\u{3099}を\u{3099}");
    }

    #[test]
    fn small_ainu_kana_become_large() {
        assert_eq!(apply("アイヌイタㇰ").unwrap(), "あいぬいたく");
        assert_eq!(apply("ㇷ\u{309a}").unwrap(), "ぷ");
        assert_eq!(apply("ㇰㇿ").unwrap(), "くろ");
    }

    #[test]
    fn anything_else_is_named_and_refused() {
        for (text, found) in [("ねこA", 'A'), ("猫", '猫'), ("ね こ", ' '), ("1", '1'), ("𛀁", '𛀁'), ("々", '々')]
        {
            assert_eq!(apply(text), Err(FoldError::NotKana { found }), "{text}");
        }
    }
}
