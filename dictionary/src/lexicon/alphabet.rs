//! Letters as the bytes of FST keys.

use arrayvec::ArrayVec;

use crate::Letter;
use crate::fold::MAX_LENGTH;

/// The byte of each letter. They ascend, so that keys sort in gojūon order, and they are among
/// the bytes that the FST's node format stores without a byte of their own.
const BYTES: [u8; Letter::COUNT] = *b"0123456789ABCDEFIPSTabcdefghijklmnopqrstuvwxyz";

const NONE: u8 = u8::MAX;

/// The way back.
const INDEX: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut index = 0;
    while index < BYTES.len() {
        table[BYTES[index] as usize] = index as u8;
        index += 1;
    }
    table
};

/// A key of the FST.
pub(crate) type Key = ArrayVec<u8, MAX_LENGTH>;

pub(crate) const fn byte_of(letter: Letter) -> u8 {
    BYTES[letter.index()]
}

pub(crate) fn letter_of(byte: u8) -> Option<Letter> {
    Letter::from_index(usize::from(INDEX[usize::from(byte)]))
}

/// The key of a spelling, or None where it is longer than any word.
pub(crate) fn key_of(letters: &[Letter]) -> Option<Key> {
    (letters.len() <= MAX_LENGTH).then(|| letters.iter().copied().map(byte_of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_ascend_and_lead_back() {
        assert!(BYTES.is_sorted_by(|a, b| a < b));
        for letter in Letter::all() {
            assert_eq!(letter_of(byte_of(letter)), Some(letter));
        }
        assert_eq!(letter_of(b'!'), None);
    }
}
