//! Building a lexicon from rows.

use std::borrow::Cow;
use std::collections::BTreeMap;

use fst::raw::Builder;

use super::alphabet::byte_of;
use super::entry::SEPARATOR;
use super::file::LexiconFile;
use super::info::{EntryCounts, LexiconInfo};
use super::key_set::KeySet;
use super::{LexiconError, forms, rows, slots};
use crate::fold::Kana;
use crate::{Class, ClassSet, FoldError, Letter};

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
    /// Hashes, each with the place of a row.
    readings: Vec<(u64, u32)>,
    forms: Vec<(u64, u32)>,
}

impl Gathered {
    /// Adds all rows of one reading.
    fn add_reading(&mut self, rows: &[Row<'_>]) -> Result<(), LexiconError> {
        let Some(first) = rows.first() else {
            return Ok(());
        };
        let word = Kana::parse(&first.reading).map_err(|fault| no_reading(first.clone(), fault))?;
        let classes = rows.iter().map(|row| row.class).collect();
        self.readings.push((slots::hash(&first.reading), self.place()?));
        rows.iter().try_for_each(|row| self.add(&word, row, classes))
    }

    /// Where the next row will lie.
    fn place(&self) -> Result<u32, LexiconError> {
        u32::try_from(self.rows.len()).map_err(|_| LexiconError::TooLarge)
    }

    fn add(&mut self, word: &Kana, row: &Row<'_>, classes: ClassSet) -> Result<(), LexiconError> {
        let number = u32::try_from(self.row_starts.len()).map_err(|_| LexiconError::TooLarge)?;
        let place = self.place()?;
        self.row_starts.push(place);
        self.row_classes.push((row.class, row.rank.unwrap_or(UNRANKED)));
        rows::append(&mut self.rows, row, classes)?;
        for form in row.forms.split(SEPARATOR).filter(|form| forms::is_indexed(form, &row.reading)) {
            self.forms.push((slots::hash(&forms::normalized(form)), place));
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
fn merged(rows: Vec<Row<'_>>) -> Result<Vec<Row<'_>>, LexiconError> {
    let mut read = Vec::with_capacity(rows.len());
    for mut row in rows {
        let word = match Kana::parse(&row.reading) {
            Ok(word) => word,
            Err(FoldError::NoSpelling { .. }) => continue,
            Err(fault) => return Err(no_reading(row, fault)),
        };
        if *row.reading != *word.reading {
            row.reading = word.reading.to_string().into();
        }
        read.push(row);
    }
    // Data files are sorted, so that this merges runs.
    read.sort_by(|a, b| (&a.reading, a.class).cmp(&(&b.reading, b.class)));
    read.dedup_by(|row, kept| {
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
    Ok(read)
}

fn no_reading(row: Row<'_>, fault: FoldError) -> LexiconError {
    LexiconError::Row { reading: row.reading.into_owned(), fault }
}

/// The keys in order: where the letters of each lie, and what its rows come to.
#[derive(Default)]
struct KeyTable {
    keys: Vec<(u32, u8)>,
    letter_starts: Vec<u32>,
    letters: Vec<u8>,
    starts: Vec<u32>,
    rows: Vec<u32>,
    classes: Vec<u8>,
    ranks: Vec<u8>,
    sets: Vec<u8>,
    playable: usize,
}

fn keys_of(gathered: &mut Gathered) -> KeyTable {
    let Gathered { spelled, letters, row_starts, row_classes, .. } = gathered;
    let of = |s: &Spelled| &letters[s.start as usize..][..usize::from(s.length)];
    spelled.sort_unstable_by(|a, b| {
        let order = a.prefix.cmp(&b.prefix).then_with(|| of(a).cmp(of(b)));
        order.then(a.row.cmp(&b.row))
    });
    let mut table = KeyTable::default();
    for group in spelled.chunk_by(|a, b| a.prefix == b.prefix && of(a) == of(b)) {
        let word = of(&group[0]);
        table.keys.push((group[0].start, group[0].length));
        table.letter_starts.push(table.letters.len() as u32);
        table.letters.extend(word.iter().map(|letter| letter.index() as u8));
        table.starts.push(table.rows.len() as u32);
        let (mut classes, mut best) = (ClassSet::EMPTY, UNRANKED);
        for spelled in group {
            let (class, rank) = row_classes[spelled.row as usize];
            classes = classes.union(ClassSet::of(class));
            best = best.min(rank);
            table.rows.push(row_starts[spelled.row as usize]);
        }
        table.classes.extend(classes.bits().to_le_bytes());
        table.ranks.push(best);
        let set = KeySet::of(word, group.iter().any(|spelled| spelled.has_choice));
        table.sets.extend(set.0.to_le_bytes());
        table.playable += usize::from(word.len() >= 2 && set.is_distinct());
    }
    table.letter_starts.push(table.letters.len() as u32);
    table.starts.push(table.rows.len() as u32);
    table
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
    for rows in merged(rows)?.chunk_by(|a, b| a.reading == b.reading) {
        for row in rows {
            *by_class.entry(row.class).or_insert(0) += 1;
        }
        gathered.add_reading(rows)?;
    }
    let table = keys_of(&mut gathered);
    info.entries = EntryCounts {
        total: gathered.row_starts.len(),
        spellings: table.keys.len(),
        playable: table.playable,
        by_class,
    };
    let letters = &gathered.letters;
    let (forward, backward) = std::thread::scope(|scope| {
        let other = scope.spawn(|| backward(letters, &table.keys));
        (forward(letters, &table.keys), other.join())
    });
    let (backward, backward_keys) = backward.map_err(|_| LexiconError::TooLarge)??;
    let numbers = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    LexiconFile::assemble(&[
        serde_json::to_vec(&info).map_err(|_| LexiconError::NotALexicon)?,
        forward?,
        backward,
        backward_keys,
        numbers(&table.letter_starts),
        table.letters,
        numbers(&table.starts),
        numbers(&table.rows),
        table.classes,
        table.ranks,
        table.sets,
        numbers(&gathered.row_starts),
        gathered.rows,
        slots::table(&gathered.readings),
        slots::table(&gathered.forms),
    ])
}
