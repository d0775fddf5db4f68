//! Middle dots and the double hyphens of foreign names are not spoken; wave dashes stand for ー.
//!
//! This comes before NFKC, which would make punctuation of ＝ and ～.

/// The characters of the text without separators.
pub(super) fn apply(text: &str) -> impl Iterator<Item = char> + Clone + '_ {
    text.chars().filter_map(|c| match c {
        '・' | '･' | '＝' | '゠' => None,
        '〜' | '～' => Some('ー'),
        other => Some(other),
    })
}

#[cfg(test)]
mod tests {
    fn apply(text: &str) -> String {
        super::apply(text).collect()
    }

    #[test]
    fn separators_are_dropped() {
        assert_eq!(apply("レオナルド・ダ・ヴィンチ"), "レオナルドダヴィンチ");
        assert_eq!(apply("サン＝テグジュペリ"), "サンテグジュペリ");
        assert_eq!(apply("ｶ･ｶ゠カ"), "ｶｶカ");
    }

    #[test]
    fn a_wave_dash_is_a_long_vowel() {
        assert_eq!(apply("ら〜めん"), "らーめん");
        assert_eq!(apply("ら～めん"), "らーめん");
    }
}
