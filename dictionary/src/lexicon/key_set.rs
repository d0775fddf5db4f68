//! What one number says of a key, so that a pass over all keys reads nothing else of most.

use crate::{Letter, LetterSet};

/// The letters of a key as a set (46 bits), above them its length (7 bits), in the highest bit
/// whether one of its readings can be spelled otherwise too, and in the next whether a letter
/// occurs twice.
#[derive(Clone, Copy)]
pub(crate) struct KeySet(pub(super) u64);

impl KeySet {
    const CHOICE: u64 = 1 << 63;
    const REPEATS: u64 = 1 << 62;
    const LENGTH: u64 = (1 << 7) - 1;

    /// What is said of letters; whether they have a choice is the reading's to know.
    pub fn of(letters: &[Letter], has_choice: bool) -> Self {
        let set: LetterSet = letters.iter().copied().collect();
        let choice = if has_choice { Self::CHOICE } else { 0 };
        let repeats = if set.len() < letters.len() { Self::REPEATS } else { 0 };
        Self(set.bits() | (letters.len() as u64) << Letter::COUNT | choice | repeats)
    }

    pub fn has_choice(self) -> bool {
        self.0 & Self::CHOICE != 0
    }

    pub fn is_distinct(self) -> bool {
        self.0 & Self::REPEATS == 0
    }

    pub fn length(self) -> usize {
        (self.0 >> Letter::COUNT & Self::LENGTH) as usize
    }
}

/// Which letters a key may have and which it must have, ready to be asked of many keys.
#[derive(Clone, Copy)]
pub(crate) struct SetTest {
    forbidden: u64,
    required: u64,
}

impl SetTest {
    /// Letters of `allowed` only, if `distinct` none of them twice, and all of `required`.
    pub fn new(allowed: LetterSet, distinct: bool, required: LetterSet) -> Self {
        let repeats = if distinct { KeySet::REPEATS } else { 0 };
        Self { forbidden: LetterSet::ALL.difference(allowed).bits() | repeats, required: required.bits() }
    }

    pub fn passes(self, key: KeySet) -> bool {
        key.0 & self.forbidden == 0 && key.0 & self.required == self.required
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spelling;

    fn key(text: &str) -> KeySet {
        KeySet::of(text.parse::<Spelling>().unwrap().letters(), false)
    }

    fn set(text: &str) -> LetterSet {
        text.parse().unwrap()
    }

    #[test]
    fn a_key_tells_its_length_and_whether_it_repeats_or_has_a_choice() {
        for (text, length, distinct) in [("ねこ", 2, true), ("ここ", 2, false), ("", 0, true), ("ん", 1, true)] {
            let key = key(text);
            assert_eq!((key.length(), key.is_distinct(), key.has_choice()), (length, distinct, false), "{text}");
        }
        let longest = KeySet::of(&[Letter::N; 100], true);
        assert_eq!((longest.length(), longest.is_distinct(), longest.has_choice()), (100, false, true));
    }

    #[test]
    fn a_test_knows_what_is_allowed_and_what_is_required() {
        let cat = SetTest::new(set("ねこい"), true, set("ね"));
        for (text, passes) in [("ねこ", true), ("ねい", true), ("こい", false), ("ねぬ", false), ("ねねこ", false)]
        {
            assert_eq!(cat.passes(key(text)), passes, "{text}");
        }
        assert!(SetTest::new(LetterSet::ALL, false, LetterSet::EMPTY).passes(key("ここ")));
    }
}
