//! How written forms are compared, and which are looked up.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::fold::Kana;

/// The form as it is compared. Full-width letters and compatibility ideographs do not matter
/// (NFKC), nor which glyph a variation selector asks for, nor which of two glyphs with code points
/// of their own was typed (叱る, 𠮟る).
pub(super) fn normalized(form: &str) -> Cow<'_, str> {
    let is_plain = form.chars().all(|c| !is_variation_selector(c) && usual(c) == c);
    if is_plain && is_nfkc_quick(form.chars()) == IsNormalized::Yes {
        return form.into();
    }
    form.chars().filter(|&c| !is_variation_selector(c)).nfkc().map(usual).collect::<String>().into()
}

/// Whether a character only chooses the glyph of the one before it.
fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The glyph that most people type. The table of jōyō kanji (2010) prints the first four in the
/// form on the left and allows the one on the right; 𠮷 is 吉 as some names write it.
fn usual(c: char) -> char {
    match c {
        '𠮟' => '叱',
        '塡' => '填',
        '剝' => '剥',
        '頰' => '頬',
        '𠮷' => '吉',
        other => other,
    }
}

/// Whether a form is looked up as one: not where it is the word's reading in kana, by which the word
/// is found anyway. Few are in kana and read otherwise: カンヷス, read かんばす.
pub(super) fn is_indexed(form: &str, reading: &str) -> bool {
    let is_kana = form.chars().all(|c| matches!(c, 'ぁ'..='ゖ' | 'ァ'..='ー'));
    !is_kana || Kana::parse(form).is_ok_and(|kana| *kana.reading != *reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_differ_in_glyphs_alone_are_equal() {
        for (form, same) in [
            ("Ｔシャツ", "Tシャツ"),
            ("葛\u{e0100}飾", "葛飾"),
            ("神\u{fe00}", "神"),
            ("\u{fa19}", "神"),
            ("𠮟る", "叱る"),
            ("𠮷野", "吉野"),
            ("塡補", "填補"),
            ("剝製", "剥製"),
            ("頰\u{e0101}", "頬"),
            ("𩸽", "𩸽"),
        ] {
            assert_eq!(normalized(form), same, "{form}");
        }
        assert!(matches!(normalized("猫"), Cow::Borrowed("猫")));
    }

    #[test]
    fn the_reading_in_kana_is_no_form_to_look_up() {
        assert!(is_indexed("猫", "ねこ") && is_indexed("𩸽", "ほっけ") && !is_indexed("ネコ", "ねこ"));
        assert!(is_indexed("カンヷス", "かんばす") && is_indexed("いもジー", "いもじい"));
    }
}
