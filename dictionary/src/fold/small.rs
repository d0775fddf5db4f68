//! Small kana become full size (`hachiku.fold-small`).

use super::Text;

pub(super) fn apply(text: &mut Text) {
    for c in text.iter_mut() {
        *c = large(*c);
    }
}

/// The kana in full size.
pub(crate) fn large(kana: char) -> char {
    match kana {
        'ぁ' => 'あ',
        'ぃ' => 'い',
        'ぅ' => 'う',
        'ぇ' => 'え',
        'ぉ' => 'お',
        'っ' => 'つ',
        'ゃ' => 'や',
        'ゅ' => 'ゆ',
        'ょ' => 'よ',
        'ゎ' => 'わ',
        'ゕ' => 'か',
        'ゖ' => 'け',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_kana_has_a_large_one() {
        let mut text = "ゃゅょぁぃぅぇぉっゎゕゖねこ".chars().collect();
        apply(&mut text);
        assert_eq!(text.iter().collect::<String>(), "やゆよあいうえおつわかけねこ");
    }
}
