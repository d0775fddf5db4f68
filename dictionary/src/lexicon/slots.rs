//! Hash tables from a text to the rows that it may stand for: open addressing, linear probing.
//!
//! A slot is a u64: the place of a row in its lower half, the upper half of the hash in its upper.
//! That spares reading most rows in vain; what a row really holds is for the reader to compare.

/// An empty slot; no row lies so far.
const EMPTY: u64 = u64::MAX;

/// The bytes of a text, eight at a time, each mixed in by a folded multiplication.
pub(super) fn hash(text: &str) -> u64 {
    let (words, rest) = text.as_bytes().as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    words.iter().chain([&last]).fold(text.len() as u64, |hash, word| mixed(hash ^ u64::from_le_bytes(*word)))
}

/// Both halves of a product with an odd constant (the golden ratio's digits) as one.
fn mixed(number: u64) -> u64 {
    let product = u128::from(number) * 0x9e37_79b9_7f4a_7c15;
    product as u64 ^ (product >> 64) as u64
}

fn slot(hash: u64, place: u32) -> u64 {
    hash >> 32 << 32 | u64::from(place)
}

/// The table of (hash of a text, place of a row) pairs, at most seven eighths full.
pub(super) fn table(pairs: &[(u64, u32)]) -> Vec<u8> {
    let size = (pairs.len() * 8 / 7 + 1).next_power_of_two();
    let mut slots = vec![EMPTY; size];
    for &(hash, place) in pairs {
        let new = slot(hash, place);
        let mut at = hash as usize & (size - 1);
        while slots[at] != EMPTY && slots[at] != new {
            at = (at + 1) & (size - 1);
        }
        slots[at] = new;
    }
    slots.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The places of the rows that a text of this hash may stand for.
pub(super) fn candidates(table: &[u8], hash: u64) -> impl Iterator<Item = u32> {
    let (slots, _) = table.as_chunks();
    let mask = slots.len().wrapping_sub(1);
    (0..slots.len())
        .map(move |step| u64::from_le_bytes(slots[(hash as usize).wrapping_add(step) & mask]))
        .take_while(|&found| found != EMPTY)
        .filter(move |&found| found >> 32 == hash >> 32)
        .map(|found| found as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_a_text_is_found_and_hardly_another() {
        let texts: Vec<_> = (0..10_000).map(|n| format!("言葉{}", n / 2)).collect();
        let pairs: Vec<_> = texts.iter().zip(0..).map(|(text, place)| (hash(text), place)).collect();
        let table = table(&pairs);
        let mut others = 0;
        for (text, place) in texts.iter().zip(0..) {
            let found: Vec<_> = candidates(&table, hash(text)).collect();
            assert!(found.contains(&place), "{text}");
            others += found.iter().filter(|&&found| found / 2 != place / 2).count();
        }
        assert!(others < 10, "{others}");
        assert_eq!(candidates(&table, hash("言葉")).count(), 0);
    }

    #[test]
    fn a_full_or_empty_table_is_left_again() {
        let full = [slot(1, 7), slot(1, 8)].map(u64::to_le_bytes).concat();
        assert_eq!(candidates(&full, 1).collect::<Vec<_>>(), [8, 7]);
        assert_eq!(candidates(&[], 1).count(), 0);
    }
}
