//! A JSON object a line.

use serde::Serialize;

use super::column::{Column, Value};
use super::row::{Encoder, Rows};

/// Writes lines of JSON.
pub struct Ndjson {
    /// What stands before each value: the brace or comma, and the name.
    names: Vec<String>,
}

impl Ndjson {
    /// For rows of these columns.
    pub fn new(columns: &[Column]) -> Self {
        let before = |place: usize| if place == 0 { '{' } else { ',' };
        let name = |(place, column): (usize, &Column)| format!("{}\"{}\":", before(place), column.name);
        Self { names: columns.iter().enumerate().map(name).collect() }
    }
}

impl Encoder for Ndjson {
    fn rows(&mut self, rows: &mut Rows<'_>, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let mut row = Vec::new();
        while rows.next(&mut row)? {
            for (name, value) in self.names.iter().zip(&row) {
                out.extend_from_slice(name.as_bytes());
                match value {
                    None => out.extend_from_slice(b"null"),
                    Some(value) => write(*value, out)?,
                }
            }
            out.extend_from_slice(b"}\n");
        }
        Ok(())
    }
}

fn write(value: Value<'_>, out: &mut Vec<u8>) -> serde_json::Result<()> {
    fn plain<T: Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) -> serde_json::Result<()> {
        serde_json::to_writer(out, value)
    }
    match value {
        Value::Json(json) => out.extend_from_slice(json.as_bytes()),
        Value::Text(text) => plain(text, out)?,
        Value::Bool(value) => plain(&value, out)?,
        Value::Int(number) => plain(&number, out)?,
        Value::Long(number) => plain(&number, out)?,
        Value::Uuid(id) => plain(&id, out)?,
        Value::Time(time) => plain(&time, out)?,
    }
    Ok(())
}
