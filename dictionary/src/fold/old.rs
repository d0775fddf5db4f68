//! ゐ is い and ゑ is え; を stays.

use super::Text;

pub(super) fn apply(text: &mut Text) {
    for c in text.iter_mut() {
        *c = modern(*c);
    }
}

/// The kana as it is read today.
pub(crate) fn modern(kana: char) -> char {
    match kana {
        'ゐ' => 'い',
        'ゑ' => 'え',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_kana_are_read_as_today() {
        let mut text = "ゐろはゑを".chars().collect();
        apply(&mut text);
        assert_eq!(text.iter().collect::<String>(), "いろはえを");
    }
}
