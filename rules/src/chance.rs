//! Verifiable chance: the one source of every die, stick and shuffle of a match.
//!
//! A server seed is committed to by its hash before the first die. The stream is ChaCha20 (20
//! rounds, 64-bit block counter from 0, nonce 0) under a key derived from that seed, the match and
//! what the players added, read as little-endian 32-bit words. `docs/chance.md` says the same with
//! test vectors, so that anybody can recompute a match.

use std::fmt;
use std::sync::Arc;

use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// The name of this way of making chance, as matches state it.
pub const ALGORITHM: &str = "chacha20-v1";

/// The commitment to a server seed: its SHA-256. It says nothing about the stream's key, which
/// [`Key::derive`] makes by another function.
pub fn commitment(server_seed: &[u8; 32]) -> [u8; 32] {
    Sha256::digest(server_seed).into()
}

/// The key of a match's stream.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// SHA-256 over the tag `takujo chance v1`, the server seed, the match id, and for each seat in
    /// order one byte with the length of its entropy and the entropy itself (≤ 64 bytes).
    pub fn derive<'a>(
        server_seed: &[u8; 32],
        match_id: &[u8; 16],
        entropy: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"takujo chance v1");
        hash.update(server_seed);
        hash.update(match_id);
        for part in entropy {
            hash.update([part.len() as u8]);
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// The key of the stream that orders the seats when a match asks for `shuffled`: it is needed
    /// before all entropy is there, so it rests on the server seed and the match alone.
    pub fn for_seat_order(server_seed: &[u8; 32], match_id: &[u8; 16]) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"takujo seat order v1");
        hash.update(server_seed);
        hash.update(match_id);
        Self(hash.finalize().into())
    }

    /// A key for choices that are no part of the game's chance, such as a bot's between equal
    /// moves: made from this key and the version, so that any process makes the same choice.
    #[must_use]
    pub fn for_bot(&self, version: u32) -> Self {
        let mut hash = Sha256::new();
        hash.update(b"takujo bot v1");
        hash.update(self.0);
        hash.update(version.to_le_bytes());
        Self(hash.finalize().into())
    }
}

/// A key never prints itself: it must reach no log.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(secret)")
    }
}

/// Values of a sandbox match that come before the stream's own.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Dice in the order the game asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dice: Vec<u32>,
    /// Cards of the pile, top first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub deck: Vec<String>,
}

/// How much chance a match has used: with the key and the script, where it goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Position {
    /// Words of the stream consumed.
    pub words: u64,
    /// Scripted dice consumed.
    pub dice: u32,
    /// Scripted cards consumed.
    pub cards: u32,
}

/// The chance of one match: scripted values first, then the stream.
#[derive(Clone, Debug)]
pub struct Chance {
    stream: ChaCha20Rng,
    key: Key,
    script: Arc<Script>,
    used: Position,
}

impl Chance {
    /// The chance of a match from its beginning.
    pub fn new(key: Key, script: Arc<Script>) -> Self {
        let stream = ChaCha20Rng::from_seed(key.0);
        Self { stream, key, script, used: Position::default() }
    }

    /// Goes on from where a match stood.
    pub fn seek(&mut self, position: Position) {
        self.stream.set_word_pos(position.words.into());
        self.used = position;
    }

    /// How much has been used so far.
    pub fn position(&self) -> Position {
        self.used
    }

    /// The stream's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// A whole number from 0 to `bound` − 1, each equally likely. A word at or above the largest
    /// multiple of `bound` is rejected and the next one taken.
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "a choice needs something to choose from");
        let bound = bound.max(1);
        // Of the runs of `bound` words, the last may be cut off at 2³²: it would favour small numbers.
        let last_whole_run = u32::MAX - (bound - 1);
        loop {
            let word = self.stream.next_u32();
            self.used.words += 1;
            let number = word % bound;
            if word - number <= last_whole_run {
                return number;
            }
        }
    }

    /// A die with faces 1 to `sides`: the next scripted one, else from the stream.
    pub fn die(&mut self, sides: u32) -> u32 {
        match self.script.dice.get(self.used.dice as usize) {
            Some(&face) => {
                self.used.dice += 1;
                face
            }
            None => self.below(sides) + 1,
        }
    }

    /// Fisher–Yates: for i from the last index down to 1, swap i with [`below`](Self::below)(i + 1).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = self.below(i as u32 + 1) as usize;
            items.swap(i, j);
        }
    }

    /// A shuffled pile of these cards, top first: scripted cards lie on top as far as the script
    /// goes, the others are shuffled below them. The script ends at a card that is not among them; a
    /// game's check at creation refuses such a script, and a later pile may be of other cards.
    pub fn pile<C: Copy + PartialEq>(&mut self, mut cards: Vec<C>, parse: impl Fn(&str) -> Option<C>) -> Vec<C> {
        let mut placed = 0;
        while let Some(card) = self.script.deck.get(self.used.cards as usize).and_then(|name| parse(name))
            && let Some(below) = cards[placed..].iter().position(|&other| other == card)
        {
            cards[placed..=placed + below].rotate_right(1);
            placed += 1;
            self.used.cards += 1;
        }
        self.shuffle(&mut cards[placed..]);
        cards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(script: Script) -> Chance {
        Chance::new(Key::derive(&[7; 32], &[1; 16], [&b"x"[..], b""]), Arc::new(script))
    }

    #[test]
    fn the_same_key_gives_the_same_dice_and_entropy_changes_them() {
        let dice = |key: Key| {
            let mut chance = Chance::new(key, Arc::default());
            (0..32).map(|_| chance.die(6)).collect::<Vec<_>>()
        };
        let one = dice(Key::derive(&[7; 32], &[1; 16], [&b"x"[..], b""]));
        assert_eq!(one, dice(Key::derive(&[7; 32], &[1; 16], [&b"x"[..], b""])));
        assert_ne!(one, dice(Key::derive(&[7; 32], &[1; 16], [&b""[..], b"x"])));
        assert!(one.iter().all(|die| (1..=6).contains(die)));
    }

    #[test]
    fn a_stream_goes_on_where_it_was_left() {
        let mut whole = chance(Script { dice: vec![3], deck: vec![] });
        let first = (0..100).map(|_| whole.die(6)).collect::<Vec<_>>();
        assert_eq!(first[0], 3);
        let mut later = chance(Script { dice: vec![3], deck: vec![] });
        later.seek(whole.position());
        assert_eq!(
            (0..50).map(|_| later.below(1000)).collect::<Vec<_>>(),
            (0..50).map(|_| whole.below(1000)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn words_that_would_favour_small_numbers_are_rejected() {
        // A bound just over half of 2³² rejects nearly every second word.
        let mut chance = chance(Script::default());
        for _ in 0..1000 {
            chance.below((1 << 31) + 1);
        }
        assert!((1900..2100).contains(&chance.position().words), "{:?}", chance.position());
    }

    #[test]
    fn scripted_cards_lie_on_top_and_the_pile_keeps_its_cards() {
        let mut chance = chance(Script { dice: vec![], deck: vec!["c".into(), "a".into()] });
        let pile = chance.pile(vec!['a', 'a', 'b', 'c'], |name| name.chars().next());
        assert_eq!(&pile[..2], ['c', 'a']);
        let mut rest = pile[2..].to_vec();
        rest.sort_unstable();
        assert_eq!(rest, ['a', 'b']);
        assert_eq!(chance.position().cards, 2);
    }
}
