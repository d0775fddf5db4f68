//! ー is the vowel of the letter before it (`hachiku.fold-long`).

use super::{FoldError, SpellingFault, Text};

pub(super) fn apply(text: &mut Text) -> Result<(), FoldError> {
    for position in 0..text.len() {
        if text[position] != 'ー' {
            continue;
        }
        let before = position.checked_sub(1).map(|before| text[before]);
        let before = before.ok_or(SpellingFault::LongAtStart)?;
        text[position] = vowel_of(before).ok_or(SpellingFault::LongAfter(before))?;
    }
    Ok(())
}

/// The vowel in which a kana ends; ん and っ have none.
pub(crate) fn vowel_of(kana: char) -> Option<char> {
    Some(match kana {
        'あ' | 'ぁ' | 'か' | 'が' | 'ゕ' | 'さ' | 'ざ' | 'た' | 'だ' | 'な' | 'は' | 'ば' | 'ぱ' | 'ま' | 'や'
        | 'ゃ' | 'ら' | 'わ' | 'ゎ' => 'あ',
        'い' | 'ぃ' | 'き' | 'ぎ' | 'し' | 'じ' | 'ち' | 'ぢ' | 'に' | 'ひ' | 'び' | 'ぴ' | 'み' | 'り' | 'ゐ' => {
            'い'
        }
        'う' | 'ぅ' | 'ゔ' | 'く' | 'ぐ' | 'す' | 'ず' | 'つ' | 'づ' | 'ぬ' | 'ふ' | 'ぶ' | 'ぷ' | 'む' | 'ゆ'
        | 'ゅ' | 'る' => 'う',
        'え' | 'ぇ' | 'け' | 'げ' | 'ゖ' | 'せ' | 'ぜ' | 'て' | 'で' | 'ね' | 'へ' | 'べ' | 'ぺ' | 'め' | 'れ'
        | 'ゑ' => 'え',
        'お' | 'ぉ' | 'こ' | 'ご' | 'そ' | 'ぞ' | 'と' | 'ど' | 'の' | 'ほ' | 'ぼ' | 'ぽ' | 'も' | 'よ' | 'ょ'
        | 'ろ' | 'を' => 'お',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(text: &str) -> Result<String, FoldError> {
        let mut text = text.chars().collect();
        super::apply(&mut text).map(|()| text.iter().collect())
    }

    #[test]
    fn a_long_vowel_is_its_vowel() {
        assert_eq!(apply("こーと").unwrap(), "こおと");
        assert_eq!(apply("かーてん").unwrap(), "かあてん");
        assert_eq!(apply("きゃー").unwrap(), "きゃあ");
        assert_eq!(apply("てぃー").unwrap(), "てぃい");
        assert_eq!(apply("あーー").unwrap(), "あああ");
    }

    #[test]
    fn without_a_vowel_before_it_there_is_no_spelling() {
        assert_eq!(apply("ーか"), Err(SpellingFault::LongAtStart.into()));
        assert_eq!(apply("んー"), Err(SpellingFault::LongAfter('ん').into()));
        assert_eq!(apply("あっー"), Err(SpellingFault::LongAfter('っ').into()));
    }
}
