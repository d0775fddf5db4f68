//! Finding an entry by a written form: an open-addressed hash table of row numbers.
//!
//! Forms in kana alone are not in it: they are looked up by their reading.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// The form as it is compared: NFKC, so that full-width letters and compatibility ideographs do
/// not matter.
pub(super) fn normalized(form: &str) -> Cow<'_, str> {
    match is_nfkc_quick(form.chars()) {
        IsNormalized::Yes => form.into(),
        _ => form.nfkc().collect::<String>().into(),
    }
}

/// Whether a form is worth a place in the table.
pub(super) fn is_indexed(form: &str) -> bool {
    !form.chars().all(|c| matches!(c, 'ぁ'..='ゖ' | 'ァ'..='ー'))
}

/// FNV-1a, with the high half folded in: the table uses the low bits.
pub(super) fn hash(form: &str) -> u64 {
    let hash = form
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    hash ^ hash >> 32
}

/// An empty slot.
const EMPTY: u32 = u32::MAX;

/// The table for (hash of a form, row) pairs, at most two thirds full.
pub(super) fn table(forms: &[(u64, u32)]) -> Vec<u32> {
    let size = (forms.len() * 3 / 2 + 1).next_power_of_two();
    let mut slots = vec![EMPTY; size];
    for &(hash, row) in forms {
        let mut slot = hash as usize & (size - 1);
        while slots[slot] != EMPTY && slots[slot] != row {
            slot = (slot + 1) & (size - 1);
        }
        slots[slot] = row;
    }
    slots
}

/// The rows whose written forms may have this hash: `slot` reads the table, which has `size` slots.
pub(super) fn candidates(hash: u64, size: usize, slot: impl Fn(usize) -> Option<u32>) -> impl Iterator<Item = u32> {
    let start = hash as usize & size.wrapping_sub(1);
    (0..size).map_while(move |step| slot((start + step) & (size - 1)).filter(|&row| row != EMPTY))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_form_is_found() {
        let forms = ["猫", "稲妻", "旅行", "猫"];
        let pairs: Vec<_> = forms.iter().zip(0..).map(|(form, row)| (hash(form), row)).collect();
        let table = table(&pairs);
        for (form, row) in forms.iter().zip(0..) {
            let mut found = candidates(hash(form), table.len(), |slot| table.get(slot).copied());
            assert!(found.any(|candidate| candidate == row), "{form}");
        }
    }

    #[test]
    fn compatibility_forms_are_equal() {
        assert_eq!(normalized("Ｔシャツ"), "Tシャツ");
        assert!(is_indexed("猫") && !is_indexed("ネコ"));
    }
}
