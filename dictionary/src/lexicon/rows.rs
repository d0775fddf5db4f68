//! Rows as they lie in the file, sorted by reading, one after the other.
//!
//! A row is its class, its rank (a byte each), the classes of all rows with its reading, how many
//! bytes the reading and the forms have (u16 each), the reading, and the forms.

use std::ops::Range;

use super::build::{Row, UNRANKED};
use super::{Entry, Forms, LexiconError, Words, forms, slots};
use crate::{Class, ClassSet};

/// What comes before the reading.
const HEADER: usize = 8;

/// A row in the file.
struct Stored<'w> {
    class: u8,
    rank: u8,
    /// The classes of all rows with this reading; there is one row of each.
    classes: ClassSet,
    reading: &'w [u8],
    forms: &'w [u8],
}

/// Appends a row; `classes` are those of all rows with its reading.
pub(super) fn append(rows: &mut Vec<u8>, row: &Row<'_>, classes: ClassSet) -> Result<(), LexiconError> {
    let length = |text: &str| u16::try_from(text.len()).map_err(|_| LexiconError::TooLarge);
    rows.extend([row.class as u8, row.rank.unwrap_or(UNRANKED)]);
    for number in [classes.bits(), length(&row.reading)?, length(&row.forms)?] {
        rows.extend(number.to_le_bytes());
    }
    rows.extend(row.reading.bytes());
    rows.extend(row.forms.bytes());
    Ok(())
}

/// The row at a place.
fn stored(rows: &[u8], place: usize) -> Option<Stored<'_>> {
    let (&[class, rank, numbers @ ..], texts) = rows.get(place..)?.split_first_chunk::<HEADER>()?;
    let number = |at: usize| u16::from_le_bytes([numbers[at], numbers[at + 1]]);
    let (reading, rest) = texts.split_at_checked(number(2).into())?;
    let forms = rest.get(..number(4).into())?;
    Some(Stored { class, rank, classes: ClassSet::from_bits(number(0)), reading, forms })
}

impl Stored<'_> {
    fn length(&self) -> usize {
        HEADER + self.reading.len() + self.forms.len()
    }
}

impl<'w> Stored<'w> {
    fn entry(self) -> Option<Entry<'w>> {
        Some(Entry {
            reading: str::from_utf8(self.reading).ok()?,
            forms: Forms(self.forms),
            class: Class::ALL.get(usize::from(self.class)).copied()?,
            rank: (self.rank != UNRANKED).then_some(self.rank),
        })
    }
}

impl Words {
    /// The rows of a key, sorted by reading.
    pub fn rows_of(&self, key: usize) -> impl Iterator<Item = Entry<'_>> {
        let bound = |index| self.key_starts.u32(index).unwrap_or_default() as usize;
        (bound(key)..bound(key + 1)).filter_map(|index| self.row_at(self.key_rows.u32(index)? as usize))
    }

    /// The rows with exactly this reading, sorted by class.
    pub fn rows_read(&self, reading: &str) -> impl Iterator<Item = Entry<'_>> {
        let (rows, first) = (self.rows.as_ref(), self.first_read(reading));
        let count = first.as_ref().map_or(0, |(_, row)| row.classes.len());
        let mut place = first.map_or(0, |(place, _)| place);
        (0..count).map_while(move |_| {
            let row = stored(rows, place)?;
            place += row.length();
            row.entry()
        })
    }

    /// The classes of the rows with exactly this reading.
    pub fn classes_read(&self, reading: &str) -> ClassSet {
        self.first_read(reading).map_or(ClassSet::EMPTY, |(_, row)| row.classes)
    }

    fn first_read(&self, reading: &str) -> Option<(usize, Stored<'_>)> {
        let rows = self.rows.as_ref();
        slots::candidates(self.reading_slots.as_ref(), slots::hash(reading))
            .filter_map(|place| Some((place as usize, stored(rows, place as usize)?)))
            .find(|(_, row)| row.reading == reading.as_bytes())
    }

    /// The rows with this written form.
    pub fn rows_written(&self, form: &str) -> impl Iterator<Item = Entry<'_>> {
        let form = forms::normalized(form).into_owned();
        slots::candidates(self.form_slots.as_ref(), slots::hash(&form))
            .filter_map(|place| self.row_at(place as usize))
            .filter(move |entry| is_written(entry, &form))
    }

    pub fn row_count(&self) -> usize {
        self.row_starts.as_ref().len() / 4
    }

    /// The row of a number; they ascend by reading, then class.
    pub fn row(&self, number: usize) -> Option<Entry<'_>> {
        self.row_at(self.row_starts.u32(number)? as usize)
    }

    pub fn rows(&self, numbers: Range<usize>) -> impl Iterator<Item = Entry<'_>> {
        numbers.filter_map(|number| self.row(number))
    }

    fn row_at(&self, place: usize) -> Option<Entry<'_>> {
        stored(self.rows.as_ref(), place)?.entry()
    }

    /// Rows, among them all whose reading begins so, ゐ and ゑ read as today: they are sorted by
    /// reading, so that only the first kana is looked for in both ways.
    pub fn rows_beginning(&self, start: &str) -> [Range<usize>; 2] {
        let later = start.char_indices().skip(1).find(|(_, kana)| matches!(kana, 'い' | 'え'));
        let start = &start[..later.map_or(start.len(), |(place, _)| place)];
        let old = match start.strip_prefix('い') {
            Some(rest) => Some(format!("ゐ{rest}")),
            None => start.strip_prefix('え').map(|rest| format!("ゑ{rest}")),
        };
        [self.rows_beginning_exactly(start), old.map_or(0..0, |old| self.rows_beginning_exactly(&old))]
    }

    fn rows_beginning_exactly(&self, start: &str) -> Range<usize> {
        let first = |is_before: &dyn Fn(&str) -> bool| {
            let (mut low, mut high) = (0, self.row_count());
            while low < high {
                let middle = usize::midpoint(low, high);
                if self.row(middle).is_some_and(|entry| is_before(entry.reading)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(&|reading| reading < start)..first(&|reading| reading < start || reading.starts_with(start))
    }
}

/// Whether an entry is written so; `form` is normalized.
fn is_written(entry: &Entry<'_>, form: &str) -> bool {
    entry.forms.iter().any(|other| other == form || forms::normalized(other) == form)
}
