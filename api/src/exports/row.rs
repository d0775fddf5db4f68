//! Rows on their way from the database to a format.

use super::column::{Column, Value};
use crate::matches::store::copy::RowReader;

/// The rows of a page.
pub struct Rows<'a> {
    reader: RowReader<'a>,
    columns: &'static [Column],
    fields: Vec<Option<&'a [u8]>>,
}

impl<'a> Rows<'a> {
    /// The rows that a binary COPY gave.
    ///
    /// # Errors
    /// Where it is none.
    pub fn new(data: &'a [u8], columns: &'static [Column]) -> Result<Self, sqlx::Error> {
        Ok(Self { reader: RowReader::new(data)?, columns, fields: Vec::new() })
    }

    /// Reads the next row, nulls as nothing; false where there is none.
    ///
    /// # Errors
    /// Where the data is not of these columns.
    pub fn next(&mut self, row: &mut Vec<Option<Value<'a>>>) -> Result<bool, sqlx::Error> {
        row.clear();
        if !self.reader.next(&mut self.fields)? {
            return Ok(false);
        }
        for (column, field) in self.columns.iter().zip(&self.fields) {
            row.push(field.map(|bytes| column.kind.read(bytes)).transpose()?);
        }
        Ok(true)
    }
}

/// A format that rows are written in.
pub trait Encoder: Send {
    /// Writes what comes before all rows.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn begin(&mut self, _out: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(())
    }

    /// Writes rows; it may keep some of them to itself for a while.
    ///
    /// # Errors
    /// Where they cannot be read or written.
    fn rows(&mut self, rows: &mut Rows<'_>, out: &mut Vec<u8>) -> anyhow::Result<()>;

    /// Writes what is left after all rows.
    ///
    /// # Errors
    /// Where it cannot be written.
    fn end(&mut self, _out: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(())
    }
}
