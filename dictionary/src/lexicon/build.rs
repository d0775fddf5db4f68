//! Building a lexicon from rows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fst::raw::Builder;

use super::alphabet::byte_of;
use super::entry::SEPARATOR;
use super::file::LexiconFile;
use super::info::{EntryCounts, LexiconInfo};
use super::{LexiconError, forms};
use crate::fold::Kana;
use crate::{Class, ClassSet, FoldError, Letter, LetterSet};

/// The rank of a word of which no source tells how common it is.
pub(super) const UNRANKED: u8 = u8::MAX;

/// A word to put into a lexicon: one reading in one class.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    /// The reading, in any kana.
    pub reading: Cow<'a, str>,
    /// The word class.
    pub class: Class,
    /// How common it is: 1 (most) to 48, or None.
    pub rank: Option<u8>,
    pub(super) forms: Cow<'a, str>,
}

impl<'a> Row<'a> {
    /// A row of the reading and its written forms.
    pub fn new(reading: &'a str, class: Class, forms: &[&str]) -> Self {
        let forms = forms.join("\t").into();
        Self { reading: reading.into(), class, rank: None, forms }
    }
}

/// A spelling of a row, on its way to be sorted.
struct Spelled {
    /// The first letters, six bits each: what the order mostly depends on.
    prefix: u128,
    /// Where its letters lie.
    start: u32,
    length: u8,
    /// Whether its reading has ず or づ.
    has_choice: bool,
    row: u32,
}

const PREFIX_LETTERS: usize = 21;

fn prefix_of(letters: impl Iterator<Item = Letter>) -> u128 {
    let mut prefix = 0;
    let mut room = PREFIX_LETTERS as u32 * 6;
    for letter in letters.take(PREFIX_LETTERS) {
        room -= 6;
        prefix |= (letter.index() as u128 + 1) << room;
    }
    prefix
}

/// What building gathers row by row.
#[derive(Default)]
struct Gathered {
    rows: Vec<u8>,
    row_starts: Vec<u32>,
    row_classes: Vec<(Class, u8)>,
    letters: Vec<Letter>,
    spelled: Vec<Spelled>,
    forms: Vec<(u64, u32)>,
}

impl Gathered {
    fn add(&mut self, word: &Kana, row: &Row<'_>) -> Result<(), LexiconError> {
        let number = u32::try_from(self.row_starts.len()).map_err(|_| LexiconError::TooLarge)?;
        let start = u32::try_from(self.rows.len()).map_err(|_| LexiconError::TooLarge)?;
        let rank = row.rank.unwrap_or(UNRANKED);
        self.row_starts.push(start);
        self.row_classes.push((row.class, rank));
        self.rows.extend([row.class as u8, rank]);
        self.rows.extend((row.reading.len() as u16).to_le_bytes());
        self.rows.extend(row.reading.bytes());
        self.rows.extend(row.forms.bytes());
        for form in row.forms.split(SEPARATOR).filter(|form| forms::is_indexed(form)) {
            self.forms.push((forms::hash(&forms::normalized(form)), number));
        }
        for spelling in word.spellings() {
            let start = u32::try_from(self.letters.len()).map_err(|_| LexiconError::TooLarge)?;
            self.letters.extend(spelling.letters());
            self.spelled.push(Spelled {
                prefix: prefix_of(spelling.letters().iter().copied()),
                start,
                length: spelling.len() as u8,
                has_choice: word.has_choice(),
                row: number,
            });
        }
        Ok(())
    }
}

/// Readings as the lexicon keeps them, rows of one reading and class made one. What has no
/// spelling (ー after ん) is left out.
fn merged(rows: Vec<Row<'_>>) -> Result<Vec<(Kana, Row<'_>)>, LexiconError> {
    let mut folded = Vec::with_capacity(rows.len());
    for mut row in rows {
        let word = match Kana::parse(&row.reading) {
            Ok(word) => word,
            Err(FoldError::NoSpelling { .. }) => continue,
            Err(fault) => {
                return Err(LexiconError::Row { reading: row.reading.into_owned(), fault });
            }
        };
        if !word.reads(&row.reading) {
            row.reading = word.reading.iter().collect::<String>().into();
        }
        folded.push((word, row));
    }
    // Data files are sorted, so that this merges runs.
    folded.sort_by(|(_, a), (_, b)| (&a.reading, a.class).cmp(&(&b.reading, b.class)));
    folded.dedup_by(|(_, row), (_, kept)| {
        let same = row.reading == kept.reading && row.class == kept.class;
        if same {
            kept.rank = kept.rank.into_iter().chain(row.rank).min();
            let mut forms: Vec<_> = kept.forms.split(SEPARATOR).chain(row.forms.split(SEPARATOR)).collect();
            forms.retain(|form| !form.is_empty());
            forms.sort_unstable();
            forms.dedup();
            kept.forms = forms.join("\t").into();
        }
        same
    });
    Ok(folded)
}

/// One key: where its letters lie, and what its rows come to.
struct KeyTable {
    letters: Vec<(u32, u8)>,
    starts: Vec<u8>,
    rows: Vec<u8>,
    classes: Vec<u8>,
    ranks: Vec<u8>,
    sets: Vec<u8>,
    playable: usize,
}

fn keys_of(gathered: &mut Gathered) -> KeyTable {
    let Gathered { spelled, letters, row_classes, .. } = gathered;
    let of = |s: &Spelled| &letters[s.start as usize..][..usize::from(s.length)];
    spelled.sort_unstable_by(|a, b| {
        let order = a.prefix.cmp(&b.prefix).then_with(|| of(a).cmp(of(b)));
        order.then(a.row.cmp(&b.row))
    });
    let mut table = KeyTable {
        letters: Vec::new(),
        starts: Vec::new(),
        rows: Vec::new(),
        classes: Vec::new(),
        ranks: Vec::new(),
        sets: Vec::new(),
        playable: 0,
    };
    for group in spelled.chunk_by(|a, b| a.prefix == b.prefix && of(a) == of(b)) {
        let word = of(&group[0]);
        table.letters.push((group[0].start, group[0].length));
        table.starts.extend((table.rows.len() as u32 / 4).to_le_bytes());
        let (mut classes, mut best) = (ClassSet::EMPTY, UNRANKED);
        for spelled in group {
            let (class, rank) = row_classes[spelled.row as usize];
            classes = classes.union(ClassSet::of(class));
            best = best.min(rank);
            table.rows.extend(spelled.row.to_le_bytes());
        }
        let set: LetterSet = word.iter().copied().collect();
        table.classes.extend(classes.bits().to_le_bytes());
        table.ranks.push(best);
        let choice = group.iter().any(|spelled| spelled.has_choice);
        table.sets.extend(KeySet::new(set, word.len(), choice).0.to_le_bytes());
        table.playable += usize::from(word.len() >= 2 && set.len() == word.len());
    }
    table.starts.extend((table.rows.len() as u32 / 4).to_le_bytes());
    table
}

/// The letters of a key as a set, its length, and whether one of its readings can be spelled
/// otherwise too, in one number.
#[derive(Clone, Copy)]
pub(crate) struct KeySet(pub(super) u64);

impl KeySet {
    const CHOICE: u64 = 1 << 63;

    fn new(set: LetterSet, length: usize, has_choice: bool) -> Self {
        let choice = if has_choice { Self::CHOICE } else { 0 };
        Self(set.bits() | (length as u64) << Letter::COUNT | choice)
    }

    pub fn letters(self) -> LetterSet {
        LetterSet::from_bits(self.0)
    }

    pub fn has_choice(self) -> bool {
        self.0 & Self::CHOICE != 0
    }

    pub fn length(self) -> usize {
        ((self.0 & !Self::CHOICE) >> Letter::COUNT) as usize
    }
}

/// The FST of the keys.
fn forward(letters: &[Letter], keys: &[(u32, u8)]) -> Result<Vec<u8>, LexiconError> {
    let mut key = Vec::new();
    let mut builder = Builder::memory();
    for (&(start, length), number) in keys.iter().zip(0..) {
        key.clear();
        key.extend(letters[start as usize..][..usize::from(length)].iter().copied().map(byte_of));
        builder.insert(&key, number)?;
    }
    Ok(builder.into_inner()?)
}

/// The FST of the reversed keys, and the key of each.
fn backward(letters: &[Letter], keys: &[(u32, u8)]) -> Result<(Vec<u8>, Vec<u8>), LexiconError> {
    let of = |key: u32| {
        let (start, length) = keys[key as usize];
        letters[start as usize..][..usize::from(length)].iter().rev().copied()
    };
    let mut order: Vec<_> = (0..keys.len() as u32).map(|key| (prefix_of(of(key)), key)).collect();
    order.sort_unstable_by(|&(prefix_a, a), &(prefix_b, b)| prefix_a.cmp(&prefix_b).then_with(|| of(a).cmp(of(b))));
    let mut builder = Builder::memory();
    let mut key = Vec::new();
    for (&(_, number), reversed) in order.iter().zip(0..) {
        key.clear();
        key.extend(of(number).map(byte_of));
        builder.insert(&key, reversed)?;
    }
    let keys = order.iter().flat_map(|(_, key)| key.to_le_bytes()).collect();
    Ok((builder.into_inner()?, keys))
}

/// Builds the file; `info` is completed with the counts.
pub(super) fn build(rows: Vec<Row<'_>>, mut info: LexiconInfo) -> Result<LexiconFile, LexiconError> {
    let mut gathered = Gathered::default();
    let mut by_class = BTreeMap::new();
    for (word, row) in merged(rows)? {
        *by_class.entry(row.class).or_insert(0) += 1;
        gathered.add(&word, &row)?;
    }
    let table = keys_of(&mut gathered);
    info.entries = EntryCounts {
        total: gathered.row_starts.len(),
        spellings: table.letters.len(),
        playable: table.playable,
        by_class,
    };
    let letters = &gathered.letters;
    let (forward, backward) = std::thread::scope(|scope| {
        let other = scope.spawn(|| backward(letters, &table.letters));
        (forward(letters, &table.letters), other.join())
    });
    let (backward, backward_keys) = backward.map_err(|_| LexiconError::TooLarge)??;
    gathered.row_starts.push(u32::try_from(gathered.rows.len()).map_err(|_| LexiconError::TooLarge)?);
    let numbers = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    LexiconFile::assemble(&[
        serde_json::to_vec(&info).map_err(|_| LexiconError::NotALexicon)?,
        forward?,
        backward,
        backward_keys,
        table.starts,
        table.rows,
        table.classes,
        table.ranks,
        table.sets,
        numbers(&gathered.row_starts),
        gathered.rows,
        numbers(&forms::table(&gathered.forms)),
    ])
}
