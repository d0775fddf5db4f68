//! ゐ is い and ゑ is え; を stays.

use std::borrow::Cow;

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

/// The reading as it is read today: what two readings are compared by.
pub(crate) fn as_read_today(reading: &str) -> Cow<'_, str> {
    if reading.contains(['ゐ', 'ゑ']) {
        reading.chars().map(modern).collect::<String>().into()
    } else {
        reading.into()
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
        assert_eq!(as_read_today("ゑびす"), "えびす");
        assert_eq!(as_read_today("えびす"), "えびす");
    }
}
