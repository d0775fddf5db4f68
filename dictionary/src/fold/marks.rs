//! Voiced and semi-voiced marks are ignored (`hachiku.fold-marks`), but for the marks of ず and づ,
//! which are still to be told apart from す and つ.

use unicode_normalization::char::compose;

use super::Text;

pub(super) fn apply(text: &mut Text) {
    text.retain(|c| !is_combining(*c));
    for c in text.iter_mut().filter(|c| !matches!(c, 'ず' | 'づ')) {
        *c = unmarked(*c);
    }
}

/// Whether the character is a mark without a kana of its own.
pub(crate) fn is_combining(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309a}')
}

/// What a mark at the end of a text becomes: one with the kana before it, which is taken from the
/// text, where there is a character for both; else itself.
pub(super) fn composed(text: &mut Text, mark: char) -> char {
    match text.last().and_then(|&before| compose(before, mark)) {
        Some(marked) => {
            text.pop();
            marked
        }
        None => mark,
    }
}

/// The kana without its mark.
pub(crate) fn unmarked(kana: char) -> char {
    let steps_back = match kana {
        'が' | 'ぎ' | 'ぐ' | 'げ' | 'ご' | 'ざ' | 'じ' | 'ず' | 'ぜ' | 'ぞ' | 'だ' | 'ぢ' | 'づ' | 'で' | 'ど'
        | 'ば' | 'び' | 'ぶ' | 'べ' | 'ぼ' => 1,
        'ぱ' | 'ぴ' | 'ぷ' | 'ぺ' | 'ぽ' => 2,
        'ゔ' => return 'う',
        _ => return kana,
    };
    char::from_u32(kana as u32 - steps_back).unwrap_or(kana)
}

#[cfg(test)]
mod tests {
    fn apply(text: &str) -> String {
        let mut text = text.chars().collect();
        super::apply(&mut text);
        text.iter().collect()
    }

    #[test]
    fn marks_go() {
        assert_eq!(apply("ばなな"), "はなな");
        assert_eq!(apply("がぎぐげござじぜぞだぢでど"), "かきくけこさしせそたちてと");
        assert_eq!(apply("ばびぶべぼぱぴぷぺぽゔ"), "はひふへほはひふへほう");
        assert_eq!(apply("わ\u{3099}か\u{309a}"), "わか");
    }

    #[test]
    fn zu_waits_for_its_choice() {
        assert_eq!(apply("ずづ"), "ずづ");
    }
}
