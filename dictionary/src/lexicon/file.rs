//! The lexicon as one block of bytes, in memory or mapped from a file.
//!
//! A header (magic, format, checksum, where each section lies), then the sections. Numbers are
//! little-endian. Every access is bounds-checked: a damaged file gives wrong answers at worst.

use std::fs::File;
use std::io::{Read, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

use super::LexiconError;

const MAGIC: [u8; 8] = *b"takujo\0L";
/// Goes up with every change of the sections, of what they hold or of the folding.
pub(super) const FORMAT: u32 = 3;
const SECTIONS: usize = 15;
const HEADER: usize = 16 + SECTIONS * 16;

/// What lies where.
#[derive(Debug, Clone, Copy)]
#[repr(usize)]
pub(super) enum Section {
    /// `LexiconInfo` as JSON.
    Info,
    /// FST: spelling → number of the key.
    Forward,
    /// FST: reversed spelling → number of the reversed key.
    Backward,
    /// u32: number of a reversed key → number of the key.
    BackwardKeys,
    /// u32: where the letters of each key begin in `Letters`, and where the last end.
    LetterStarts,
    /// u8: the letters of the keys as gojūon indices, one key after the other.
    Letters,
    /// u32: where the rows of each key begin in `KeyRows`, and where the last end.
    KeyStarts,
    /// u32: where in `Rows` the rows of the keys lie, one key after the other.
    KeyRows,
    /// u16: the classes of each key.
    KeyClasses,
    /// u8: how common each key is.
    KeyRanks,
    /// u64: the `KeySet` of each key.
    KeySets,
    /// u32: where each row begins in `Rows`.
    RowStarts,
    /// The rows, sorted by reading, then class.
    Rows,
    /// u64: the hash table from a reading to the first of its rows.
    ReadingSlots,
    /// u64: the hash table from a written form to its rows.
    FormSlots,
}

#[derive(Debug)]
enum Storage {
    Memory(Vec<u8>),
    Mapped(Mmap),
}

/// The bytes of a lexicon; cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Bytes {
    storage: Arc<Storage>,
    range: Range<usize>,
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        let all: &[u8] = match &*self.storage {
            Storage::Memory(bytes) => bytes,
            Storage::Mapped(map) => map,
        };
        &all[self.range.clone()]
    }
}

impl Bytes {
    pub fn u32(&self, index: usize) -> Option<u32> {
        self.number(index).map(u32::from_le_bytes)
    }

    pub fn u64(&self, index: usize) -> Option<u64> {
        self.number(index).map(u64::from_le_bytes)
    }

    fn number<const N: usize>(&self, index: usize) -> Option<[u8; N]> {
        self.as_ref().get(index * N..)?.first_chunk().copied()
    }
}

/// The sections of a lexicon.
#[derive(Debug, Clone)]
pub(super) struct LexiconFile {
    sections: [Bytes; SECTIONS],
}

impl LexiconFile {
    /// Puts sections, in the order of [`Section`], into one block.
    pub fn assemble(sections: &[Vec<u8>; SECTIONS]) -> Result<Self, LexiconError> {
        let mut bytes = vec![0; HEADER];
        for (number, section) in sections.iter().enumerate() {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            let place = 16 + number * 16;
            let start = bytes.len() as u64;
            bytes[place..place + 8].copy_from_slice(&start.to_le_bytes());
            bytes[place + 8..place + 16].copy_from_slice(&(section.len() as u64).to_le_bytes());
            bytes.extend_from_slice(section);
        }
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        let checksum = crc32fast::hash(&bytes[16..]);
        bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
        Self::new(Storage::Memory(bytes))
    }

    /// Maps a file. Its checksum is verified by reading it, which leaves the pages unmapped.
    pub fn map(path: &Path) -> Result<Self, LexiconError> {
        let at = |source| LexiconError::Io { path: path.into(), source };
        let mut file = File::open(path).map_err(at)?;
        let mut header = [0; 16];
        file.read_exact(&mut header).map_err(at)?;
        let mut checksum = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer).map_err(at)? {
                0 => break,
                n => checksum.update(&buffer[..n]),
            }
        }
        if header[..8] == MAGIC && header[12..16] != checksum.finalize().to_le_bytes() {
            return Err(LexiconError::Damaged { path: path.into() });
        }
        // SAFETY: the file is private to the lexicon: it is written beside its place and moved
        // there whole, and nothing ever writes into it again. Whoever shortens it all the same
        // while it is mapped gets SIGBUS, as with any program's mapped files.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(at)?;
        Self::new(Storage::Mapped(map))
    }

    fn new(storage: Storage) -> Result<Self, LexiconError> {
        let length = match &storage {
            Storage::Memory(bytes) => bytes.len(),
            Storage::Mapped(map) => map.len(),
        };
        let all = Bytes { storage: Arc::new(storage), range: 0..length };
        let header = all.as_ref();
        if header.len() < HEADER || header[..8] != MAGIC || header[8..12] != FORMAT.to_le_bytes() {
            return Err(LexiconError::NotALexicon);
        }
        let mut ranges: [Range<usize>; SECTIONS] = std::array::from_fn(|_| 0..0);
        for (number, range) in ranges.iter_mut().enumerate() {
            let field = |at: usize| all.u64(at).and_then(|n| usize::try_from(n).ok());
            let start = field(2 + number * 2).ok_or(LexiconError::NotALexicon)?;
            let size = field(3 + number * 2).ok_or(LexiconError::NotALexicon)?;
            *range = start..start.checked_add(size).ok_or(LexiconError::NotALexicon)?;
            if range.end > length {
                return Err(LexiconError::NotALexicon);
            }
        }
        Ok(Self { sections: ranges.map(|range| Bytes { range, ..all.clone() }) })
    }

    pub fn section(&self, section: Section) -> Bytes {
        self.sections[section as usize].clone()
    }

    /// Writes the file beside its place and moves it there, so that nobody sees half of it.
    pub fn save(&self, path: &Path) -> Result<(), LexiconError> {
        let at = |source| LexiconError::Io { path: path.into(), source };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).map_err(at)?;
        let all = Bytes { range: 0..self.length(), ..self.section(Section::Info) };
        file.write_all(all.as_ref()).map_err(at)?;
        file.as_file().sync_all().map_err(at)?;
        file.persist(path).map_err(|error| at(error.error))?;
        Ok(())
    }

    fn length(&self) -> usize {
        match &*self.sections[0].storage {
            Storage::Memory(bytes) => bytes.len(),
            Storage::Mapped(map) => map.len(),
        }
    }
}
