//! CSV as RFC 4180 has it: a header line, CRLF, quotes where they are needed, nothing for null.

use std::io::Write;

use csv::{Terminator, Writer, WriterBuilder};

use super::column::Column;
use super::row::{Encoder, Rows};

/// Writes lines of CSV.
pub struct Csv {
    columns: &'static [Column],
}

impl Csv {
    /// For rows of these columns.
    pub fn new(columns: &'static [Column]) -> Self {
        Self { columns }
    }
}

fn lines(out: &mut Vec<u8>) -> Writer<&mut Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out)
}

impl Encoder for Csv {
    fn begin(&mut self, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut lines = lines(out);
        lines.write_record(self.columns.iter().map(|column| column.name))?;
        Ok(lines.flush()?)
    }

    fn rows(&mut self, rows: &mut Rows<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let (mut lines, mut row, mut field) = (lines(out), Vec::new(), Vec::new());
        while rows.next(&mut row)? {
            for value in &row {
                field.clear();
                if let Some(value) = value {
                    write!(field, "{value}")?;
                }
                lines.write_field(&field)?;
            }
            lines.write_record(None::<&[u8]>)?;
        }
        Ok(lines.flush()?)
    }
}
