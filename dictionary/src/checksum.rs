//! SHA-256 in hex: what tells one set of words from another.

use sha2::{Digest, Sha256};

/// The checksum of some parts; where one ends and the next begins counts.
pub(crate) fn sha256(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digits = |byte: u8| [byte >> 4, byte & 15].map(u32::from);
    let hex = hash.finalize().into_iter().flat_map(digits);
    hex.filter_map(|digit| char::from_digit(digit, 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_hex_and_parts_count() {
        assert_eq!(sha256(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_ne!(sha256(&[b"ab", b"c"]), sha256(&[b"a", b"bc"]));
    }
}
