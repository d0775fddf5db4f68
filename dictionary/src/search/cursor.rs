//! Where a page begins, as an opaque text.

use std::io;

use serde::Serialize;

/// A place in an ordered answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cursor {
    /// What the order goes by.
    pub measure: u32,
    /// The number of the key.
    pub key: usize,
    /// The word under that key.
    pub row: usize,
}

/// The checksum of what is written.
#[derive(Default)]
struct Crc(crc32fast::Hasher);

impl io::Write for Crc {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Cursor {
    /// The measure of words that are in no lexicon: after all others.
    pub const OWN: u32 = u32::MAX;

    /// What ties a cursor to the question it was made for: the checksum of its JSON, the same on every
    /// machine and by whatever compiler.
    pub fn tag(question: &impl Serialize) -> u32 {
        let mut written = Crc::default();
        // Neither the texts and numbers of a question nor the checksum can fail.
        let _ = serde_json::to_writer(&mut written, question);
        written.0.finalize()
    }

    pub fn write(self, tag: u32) -> String {
        format!("{:x}.{:x}.{:x}.{tag:08x}", self.measure, self.key, self.row)
    }

    /// Reads a cursor of this question.
    pub fn read(text: &str, tag: u32) -> Option<Self> {
        let mut parts = text.split('.');
        let mut next = || u32::from_str_radix(parts.next()?, 16).ok();
        let (measure, key, row, found) = (next()?, next()?, next()?, next()?);
        let read = Self { measure, key: key as usize, row: row as usize };
        // Writing it again proves that there is only one way to write it.
        (found == tag && read.write(tag) == text).then_some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_checksum_of_the_questions_json() {
        assert_eq!(Cursor::tag(&("standard", Some(3_usize))), crc32fast::hash(br#"["standard",3]"#));
    }

    #[test]
    fn a_cursor_is_read_back_and_belongs_to_its_question() {
        let cursor = Cursor { measure: 3, key: 4711, row: 1 };
        let text = cursor.write(7);
        assert_eq!(Cursor::read(&text, 7), Some(cursor));
        assert_eq!(Cursor::read(&text, 8), None);
        for bad in ["", "nonsense", "1.2.3", "1.2.3.00000007.5", "+1.2.3.00000007", "01.2.3.00000007"] {
            assert_eq!(Cursor::read(bad, 7), None, "{bad}");
        }
    }
}
