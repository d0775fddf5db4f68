//! Finding the entries of a spelling, a reading or a written form.

use std::ops::{ControlFlow, Range};

use arrayvec::ArrayVec;
use fst::raw::Fst;
use fst::{IntoStreamer, Streamer};

use super::alphabet::{byte_of, key_of, letter_of};
use super::build::{KeySet, UNRANKED};
use super::file::Bytes;
use super::walk::walk;
use super::{Entry, Forms, Lexicon, Words, forms};
use crate::fold::{Kana, MAX_LENGTH, as_read_today};
use crate::own::Lists;
use crate::{Class, ClassSet, Letter, LetterSet, OwnWords, Policy, Spelling};

/// What is known of each key without reading its rows.
#[derive(Clone, Copy)]
pub(crate) struct Keys<'w> {
    sets: &'w [[u8; 8]],
    classes: &'w [[u8; 2]],
    ranks: &'w [u8],
}

impl Keys<'_> {
    /// The letters of a key as a set, its length, and whether one of its readings has a choice.
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

    pub fn classes(&self, key: usize) -> ClassSet {
        self.keys().classes(key)
    }

    /// How many keys there are; their numbers ascend in gojūon order.
    pub fn len(&self) -> usize {
        self.key_ranks.as_ref().len()
    }

    /// The keys that begin so.
    pub fn beginning(&self, start: &[Letter]) -> Range<usize> {
        range_of(&self.forward, start.iter().copied(), self.len())
    }

    /// Places in backward order of the keys that end so; [`Words::backward_key`] tells the key.
    pub fn ending(&self, end: &[Letter]) -> Range<usize> {
        range_of(&self.backward, end.iter().rev().copied(), self.len())
    }

    pub fn backward_key(&self, place: usize) -> Option<usize> {
        self.backward_keys.u32(place).map(|key| key as usize)
    }

    pub fn walk(
        &self,
        start: &[Letter],
        hand: LetterSet,
        from: usize,
        visit: &mut dyn FnMut(usize, &[Letter]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        walk(self, start, hand, from, visit)
    }

    pub fn rows_of(&self, key: usize) -> impl Iterator<Item = Entry<'_>> {
        let bound = |index| self.key_starts.u32(index).unwrap_or_default() as usize;
        (bound(key)..bound(key + 1)).filter_map(|place| self.row(self.key_rows.u32(place)?))
    }

    pub fn row_count(&self) -> usize {
        (self.row_starts.as_ref().len() / 4).saturating_sub(1)
    }

    pub fn rows(&self, numbers: Range<usize>) -> impl Iterator<Item = Entry<'_>> {
        numbers.filter_map(|number| self.row(number as u32))
    }

    /// Rows, among them all whose reading begins so, ゐ and ゑ read as today: they are sorted by
    /// reading, so that only the first kana is looked for in both ways.
    pub fn rows_read(&self, start: &str) -> [Range<usize>; 2] {
        let later = start.char_indices().skip(1).find(|(_, kana)| matches!(kana, 'い' | 'え'));
        let start = &start[..later.map_or(start.len(), |(place, _)| place)];
        let old = match start.strip_prefix('い') {
            Some(rest) => Some(format!("ゐ{rest}")),
            None => start.strip_prefix('え').map(|rest| format!("ゑ{rest}")),
        };
        [self.rows_beginning(start), old.map_or(0..0, |old| self.rows_beginning(&old))]
    }

    fn rows_beginning(&self, start: &str) -> Range<usize> {
        let first = |is_before: &dyn Fn(&str) -> bool| {
            let (mut low, mut high) = (0, self.row_count());
            while low < high {
                let middle = usize::midpoint(low, high);
                if self.row(middle as u32).is_some_and(|entry| is_before(entry.reading)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(&|reading| reading < start)..first(&|reading| reading < start || reading.starts_with(start))
    }

    pub fn row(&self, number: u32) -> Option<Entry<'_>> {
        let bound = |index| self.row_starts.u32(index).map(|place| place as usize);
        let number = number as usize;
        let row = self.rows.as_ref().get(bound(number)?..bound(number + 1)?)?;
        let (&[class, rank, low, high], text) = row.split_first_chunk()?;
        let (reading, forms) = text.split_at_checked(u16::from_le_bytes([low, high]).into())?;
        Some(Entry {
            reading: str::from_utf8(reading).ok()?,
            forms: Forms(str::from_utf8(forms).ok()?),
            class: Class::ALL.get(usize::from(class)).copied()?,
            rank: (rank != UNRANKED).then_some(rank),
        })
    }

    fn rows_written(&self, form: &str) -> impl Iterator<Item = Entry<'_>> {
        let size = self.form_slots.as_ref().len() / 4;
        let form = forms::normalized(form).into_owned();
        forms::candidates(forms::hash(&form), size, |slot| self.form_slots.u32(slot))
            .filter_map(|row| self.row(row))
            .filter(move |entry| is_written(entry, &form))
    }
}

/// The numbers of the keys that begin with some letters: they lie side by side.
fn range_of(index: &Fst<Bytes>, start: impl Iterator<Item = Letter>, len: usize) -> Range<usize> {
    let start: ArrayVec<u8, MAX_LENGTH> = start.take(MAX_LENGTH).map(byte_of).collect();
    let first_from = |bound: &[u8]| {
        let first = index.range().ge(bound).into_stream().next().map(|(_, number)| number.value());
        first.map_or(len, |number| number as usize)
    };
    // Letters are below the byte after them, so that this bound lies after every key that begins so.
    let mut after = start.clone();
    let end = match after.last_mut() {
        Some(last) => {
            *last += 1;
            first_from(&after)
        }
        None => len,
    };
    first_from(&start)..end
}

/// Whether an entry is written so; `form` is normalized.
fn is_written(entry: &Entry<'_>, form: &str) -> bool {
    entry.forms.iter().any(|other| other == form || forms::normalized(other) == form)
}

impl Lexicon {
    /// Every entry whose reading can be spelled with these letters, whatever its class.
    pub fn entries(&self, letters: &[Letter]) -> impl Iterator<Item = Entry<'_>> {
        self.words.key(letters).into_iter().flat_map(|key| self.words.rows_of(key))
    }

    /// Every entry that is read exactly as a folded text says; where there is none, every entry with
    /// the same letters that is written so in kana (パラグワヰ, read ぱらぐわい).
    pub(crate) fn entries_in_kana(&self, text: &str, kana: &Kana) -> Vec<Entry<'_>> {
        let spelled = || self.entries(kana.first_spelling());
        let read: Vec<_> = spelled().filter(|entry| kana.reads(entry.reading)).collect();
        if read.is_empty() {
            let form = forms::normalized(text);
            return spelled().filter(|entry| is_written(entry, &form)).collect();
        }
        read
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

    /// Whether the letters spell a word: an entry of an allowed class that nobody bans, or a word
    /// that somebody adds.
    ///
    /// ```
    /// # use dictionary::{Class, Lexicon, OwnWords, Policy, Row, Spelling};
    /// let lexicon = Lexicon::build([Row::new("コート", Class::Common, &["コート"])]).unwrap();
    /// let letters: Spelling = "こおと".parse().unwrap();
    /// assert!(lexicon.is_word(letters.letters(), &Policy::default(), &OwnWords::default()));
    /// ```
    pub fn is_word(&self, letters: &[Letter], policy: &Policy, own: &OwnWords) -> bool {
        let lists = self.lists(own);
        self.words.key(letters).is_some_and(|key| self.is_allowed(key, letters, policy.classes, lists))
            || lists.adds_spelling(letters)
    }

    /// Whether some entry of a key counts.
    pub(super) fn is_allowed(&self, key: usize, letters: &[Letter], classes: ClassSet, lists: Lists<'_>) -> bool {
        self.words.classes(key).intersects(classes)
            && (!lists.may_ban(letters)
                || self.words.rows_of(key).any(|entry| classes.contains(entry.class) && !lists.bans(entry.reading)))
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
        let Ok(kana) = Kana::parse(text) else {
            return ClassSet::EMPTY;
        };
        let read = self.entries(kana.first_spelling()).filter(|entry| kana.reads(entry.reading));
        read.map(|entry| entry.class).collect()
    }

    /// The spellings of a word, given by its reading or a written form, in gojūon order; none
    /// where it is no word.
    pub fn spellings_of(&self, text: &str, policy: &Policy, own: &OwnWords) -> Vec<Spelling> {
        let verdict = self.judge(text, policy, own);
        if verdict.valid { verdict.spellings } else { Vec::new() }
    }
}
