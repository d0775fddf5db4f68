//! PostgreSQL's binary COPY format: rows written and read with no text between.
//! <https://www.postgresql.org/docs/current/sql-copy.html>, "Binary Format".

use sqlx::postgres::{PgArgumentBuffer, PgConnection, Postgres};
use sqlx::{Encode, encode::IsNull};

/// What a COPY begins with: the signature, no flags, no header extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What it ends with, in place of a number of fields.
const TRAILER: i16 = -1;
/// The length of a null.
const NULL: i32 = -1;

/// Rows for `COPY … FROM STDIN (FORMAT binary)`.
pub struct RowWriter {
    buffer: PgArgumentBuffer,
    columns: i16,
}

impl RowWriter {
    /// No rows yet, of so many columns.
    pub fn new(columns: i16) -> Self {
        let mut buffer = PgArgumentBuffer::default();
        buffer.extend_from_slice(HEADER);
        Self { buffer, columns }
    }

    /// Begins a row; its fields follow in the order of the columns.
    pub fn row(&mut self) -> &mut Self {
        self.buffer.extend_from_slice(&self.columns.to_be_bytes());
        self
    }

    /// Adds a field, of the very type of its column.
    ///
    /// # Errors
    /// Where the value has no form in the database.
    pub fn field<'q>(&mut self, value: impl Encode<'q, Postgres>) -> Result<&mut Self, sqlx::Error> {
        let start = self.buffer.len();
        self.buffer.extend_from_slice(&NULL.to_be_bytes());
        if let IsNull::No = value.encode(&mut self.buffer).map_err(sqlx::Error::Encode)? {
            let length =
                i32::try_from(self.buffer.len() - start - 4).map_err(|error| sqlx::Error::Encode(error.into()))?;
            self.buffer[start..start + 4].copy_from_slice(&length.to_be_bytes());
        }
        Ok(self)
    }

    /// Sends the rows to `COPY {table} FROM STDIN`; answers with their number.
    ///
    /// # Errors
    /// Where the database is away or refuses a row: then it has taken none.
    pub async fn send(mut self, connection: &mut PgConnection, table: &str) -> Result<u64, sqlx::Error> {
        self.buffer.extend_from_slice(&TRAILER.to_be_bytes());
        let mut copy = connection.copy_in_raw(&format!("COPY {table} FROM STDIN (FORMAT binary)")).await?;
        copy.send(self.buffer.as_slice()).await?;
        copy.finish().await
    }
}

/// Rows of `COPY … TO STDOUT (FORMAT binary)`.
pub struct RowReader<'a> {
    rest: &'a [u8],
}

impl<'a> RowReader<'a> {
    /// The rows of a whole COPY.
    ///
    /// # Errors
    /// Where it is none.
    pub fn new(data: &'a [u8]) -> Result<Self, sqlx::Error> {
        data.strip_prefix(HEADER).map(|rest| Self { rest }).ok_or_else(malformed)
    }

    /// Reads the next row's fields, nulls as nothing; false at the end.
    ///
    /// # Errors
    /// Where the data breaks off.
    pub fn next(&mut self, fields: &mut Vec<Option<&'a [u8]>>) -> Result<bool, sqlx::Error> {
        fields.clear();
        let columns = i16::from_be_bytes(self.take()?);
        if columns == TRAILER {
            return Ok(false);
        }
        for _ in 0..columns {
            let field = match i32::from_be_bytes(self.take()?) {
                NULL => None,
                length => Some(self.split(usize::try_from(length).map_err(|_| malformed())?)?),
            };
            fields.push(field);
        }
        Ok(true)
    }

    /// How many rows are left.
    ///
    /// # Errors
    /// Where the data breaks off.
    pub fn count(mut self) -> Result<u64, sqlx::Error> {
        let (mut rows, mut fields) = (0, Vec::new());
        while self.next(&mut fields)? {
            rows += 1;
        }
        Ok(rows)
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], sqlx::Error> {
        self.split(N)?.try_into().map_err(|_| malformed())
    }

    fn split(&mut self, length: usize) -> Result<&'a [u8], sqlx::Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(malformed)?;
        self.rest = rest;
        Ok(taken)
    }
}

fn malformed() -> sqlx::Error {
    sqlx::Error::Protocol("what COPY sent is not in its binary format".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = RowWriter::new(3);
        writer.row().field(7_i32).unwrap().field("かな\t\\").unwrap().field(None::<i16>).unwrap();
        writer.row().field(-1_i32).unwrap().field("").unwrap().field(Some(2_i16)).unwrap();
        writer.buffer.extend_from_slice(&TRAILER.to_be_bytes());
        let data = writer.buffer.clone();
        assert_eq!(RowReader::new(&data).unwrap().count().unwrap(), 2);
        let (mut reader, mut fields) = (RowReader::new(&data).unwrap(), Vec::new());
        assert!(reader.next(&mut fields).unwrap());
        assert_eq!(fields, [Some(&[0, 0, 0, 7][..]), Some("かな\t\\".as_bytes()), None]);
        assert!(reader.next(&mut fields).unwrap());
        assert_eq!(fields, [Some(&[255, 255, 255, 255][..]), Some(&[][..]), Some(&[0, 2][..])]);
        assert!(!reader.next(&mut fields).unwrap());
    }

    #[test]
    fn data_that_breaks_off_is_an_error() {
        let mut writer = RowWriter::new(1);
        writer.row().field("いなずま").unwrap();
        writer.buffer.extend_from_slice(&TRAILER.to_be_bytes());
        let data = writer.buffer.clone();
        for end in 0..data.len() {
            let read = RowReader::new(&data[..end]).and_then(RowReader::count);
            assert!(read.is_err(), "{end} of {} bytes", data.len());
        }
    }
}
