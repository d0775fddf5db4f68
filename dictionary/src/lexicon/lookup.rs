//! Finding the entries of a spelling, a reading or a written form.

use std::ops::{ControlFlow, Range};

use arrayvec::ArrayVec;
use fst::Streamer;

use super::alphabet::{key_of, letter_of};
use super::build::UNRANKED;
use super::key_set::{KeySet, SetTest};
use super::walk::{Branch, Walk};
use super::{Entry, Lexicon, Words};
use crate::fold::{Kana, MAX_LENGTH, as_read_today};
use crate::{ClassSet, Letter, LetterSet, OwnWords, Policy};

/// What is known of each key without reading its rows.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'w> {
    sets: &'w [[u8; 8]],
    classes: &'w [[u8; 2]],
    ranks: &'w [u8],
}

impl<'w> Keys<'w> {
    /// The keys of a range that pass a test.
    pub fn passing(self, range: Range<usize>, test: SetTest) -> impl Iterator<Item = usize> + 'w {
        let sets = self.sets.get(range.clone()).unwrap_or_default();
        let passes = move |set: &[u8; 8]| test.passes(KeySet(u64::from_le_bytes(*set)));
        range.zip(sets).filter(move |(_, set)| passes(set)).map(|(key, _)| key)
    }

    pub fn set(self, key: usize) -> KeySet {
        KeySet(self.sets.get(key).map_or(0, |bytes| u64::from_le_bytes(*bytes)))
    }

    pub fn classes(self, key: usize) -> ClassSet {
        ClassSet::from_bits(self.classes.get(key).map_or(0, |bytes| u16::from_le_bytes(*bytes)))
    }

    /// How common a key is: 1 is the most common, 255 where no source says.
    pub fn rank(self, key: usize) -> u8 {
        self.ranks.get(key).copied().unwrap_or(UNRANKED)
    }
}

impl Words {
    /// The number of a key.
    pub fn key(&self, letters: &[Letter]) -> Option<usize> {
        let number = self.forward.get(key_of(letters)?)?;
        usize::try_from(number.value()).ok()
    }

    /// The numbers of the keys, to be gone through quickly.
    pub fn keys(&self) -> Keys<'_> {
        Keys {
            sets: self.key_sets.as_ref().as_chunks().0,
            classes: self.key_classes.as_ref().as_chunks().0,
            ranks: self.key_ranks.as_ref(),
        }
    }

    /// The letters of a key.
    pub fn letters(&self, key: usize) -> ArrayVec<Letter, MAX_LENGTH> {
        let bound = |index| self.letter_starts.u32(index).unwrap_or_default() as usize;
        let letters = self.letters.as_ref().get(bound(key)..bound(key + 1)).unwrap_or_default();
        letters.iter().take(MAX_LENGTH).filter_map(|&letter| Letter::from_index(letter.into())).collect()
    }

    /// How many keys there are; their numbers ascend in gojūon order.
    pub fn len(&self) -> usize {
        self.key_ranks.as_ref().len()
    }

    /// The keys that begin so.
    pub fn beginning(&self, start: &[Letter]) -> Range<usize> {
        let branch = Branch::of(&self.forward, start.iter().copied(), self.len());
        branch.map_or(0..0, |branch| branch.keys())
    }

    /// Places in backward order of the keys that end so; [`Words::backward_key`] tells the key.
    pub fn ending(&self, end: &[Letter]) -> Range<usize> {
        let branch = Branch::of(&self.backward, end.iter().rev().copied(), self.len());
        branch.map_or(0..0, |branch| branch.keys())
    }

    pub fn backward_key(&self, place: usize) -> Option<usize> {
        self.backward_keys.u32(place).map(|key| key as usize)
    }

    /// Visits ranges of keys, in gojūon order, that hold every key from the number `from` on that
    /// begins with `start` and goes on with different letters of the hand; other keys may lie among
    /// them.
    pub fn walk(
        &self,
        start: &[Letter],
        hand: LetterSet,
        from: usize,
        visit: &mut dyn FnMut(Range<usize>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(branch) = Branch::of(&self.forward, start.iter().copied(), self.len()) else {
            return ControlFlow::Continue(());
        };
        Walk { index: &self.forward, from, visit }.below(&branch, hand)
    }
}

impl Lexicon {
    /// Every entry whose reading can be spelled with these letters, whatever its class.
    pub fn entries(&self, letters: &[Letter]) -> impl Iterator<Item = Entry<'_>> {
        self.words.key(letters).into_iter().flat_map(|key| self.words.rows_of(key))
    }

    /// Every entry that is read exactly as a folded text says; where there is none, every entry that
    /// is written so in kana (パラグワヰ, read ぱらぐわい).
    pub(crate) fn entries_in_kana(&self, text: &str, kana: &Kana) -> Vec<Entry<'_>> {
        let read: Vec<_> = self.words.rows_read(&kana.reading).collect();
        if read.is_empty() { self.entries_written(text).collect() } else { read }
    }

    /// The reading under which the entries of allowed classes that are read so today are listed:
    /// the first of えびす and ゑびす that the lexicon has.
    pub(crate) fn listed_as(&self, reading: &str, classes: ClassSet) -> Option<&str> {
        let today = as_read_today(reading);
        let kana = Kana::parse(reading).ok()?;
        let allowed = self.entries(kana.first_spelling()).filter(|entry| classes.contains(entry.class));
        allowed.map(|entry| entry.reading).filter(|reading| as_read_today(reading) == today).min()
    }

    /// Whether an entry of an allowed class is read so, ゐ and ゑ as today.
    pub(crate) fn has_reading(&self, reading: &str, classes: ClassSet) -> bool {
        self.listed_as(reading, classes).is_some()
    }

    /// Every entry with this written form.
    pub(crate) fn entries_written(&self, form: &str) -> impl Iterator<Item = Entry<'_>> {
        self.words.rows_written(form)
    }

    /// Whether the letters spell a word: an entry of an allowed class or a word that somebody adds,
    /// and no reading that somebody bans. Cards have no marks, so who bans がき bans かき in cards too.
    ///
    /// ```
    /// # use dictionary::{Class, Lexicon, OwnWords, Policy, Row, Spelling};
    /// let lexicon = Lexicon::build([Row::new("コート", Class::Common, &["コート"])]).unwrap();
    /// let letters: Spelling = "こおと".parse().unwrap();
    /// assert!(lexicon.is_word(letters.letters(), &Policy::default(), &OwnWords::default()));
    /// ```
    pub fn is_word(&self, letters: &[Letter], policy: &Policy, own: &OwnWords) -> bool {
        let lists = self.lists(own);
        let is_listed = |key| self.words.keys().classes(key).intersects(policy.classes);
        !lists.bans_spelling(letters)
            && (self.words.key(letters).is_some_and(is_listed) || lists.adds_spelling(letters))
    }

    /// Whether the letters spell a reading that somebody bans.
    pub fn is_banned(&self, letters: &[Letter], own: &OwnWords) -> bool {
        self.lists(own).bans_spelling(letters)
    }

    /// The readings of the words that the letters spell, sorted; none where they spell no word.
    ///
    /// ```
    /// # use dictionary::{Class, Lexicon, OwnWords, Policy, Row, Spelling};
    /// let rows = [Row::new("かき", Class::Common, &["柿"]), Row::new("がき", Class::Common, &["餓鬼"])];
    /// let lexicon = Lexicon::build(rows).unwrap();
    /// let own = OwnWords::new(["かぎ"], []).unwrap();
    /// let letters: Spelling = "かき".parse().unwrap();
    /// assert_eq!(lexicon.readings_of(letters.letters(), &Policy::default(), &own), ["かき", "かぎ", "がき"]);
    /// ```
    pub fn readings_of<'a>(&'a self, letters: &[Letter], policy: &Policy, own: &'a OwnWords) -> Vec<&'a str> {
        let lists = self.lists(own);
        if lists.bans_spelling(letters) {
            return Vec::new();
        }
        let listed = self.entries(letters).filter(|entry| policy.classes.contains(entry.class));
        let mut readings: Vec<_> = listed.map(|entry| entry.reading).chain(lists.extra_spelled(letters)).collect();
        readings.sort_unstable();
        readings.dedup();
        readings
    }

    /// Visits every spelling in the lexicon in gojūon order, whatever its class. The visitor may
    /// break off.
    pub fn visit_spellings(&self, visit: &mut dyn FnMut(&[Letter]) -> ControlFlow<()>) {
        let mut keys = self.words.forward.stream();
        while let Some((key, _)) = keys.next() {
            let letters: ArrayVec<Letter, MAX_LENGTH> =
                key.iter().take(MAX_LENGTH).filter_map(|&byte| letter_of(byte)).collect();
            if visit(&letters).is_break() {
                return;
            }
        }
    }

    /// The classes in which a text in kana is read so; empty where it is not in the lexicon. The
    /// lightest verdict: no list of own words is asked.
    pub fn classes_of(&self, text: &str) -> ClassSet {
        Kana::parse(text).map_or(ClassSet::EMPTY, |kana| self.words.classes_read(&kana.reading))
    }
}
