//! The columns of the exports, and the values in them.

use std::fmt;

use rules::time::Timestamp;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, SchemaType, Type};
use uuid::Uuid;

/// Milliseconds from the Unix epoch to 2000-01-01, from which PostgreSQL counts microseconds.
const POSTGRES_EPOCH: i64 = 946_684_800_000;

/// A column: the same in all formats, and in the view of its data set.
pub struct Column {
    /// Its name, also in the view.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether a row may have none.
    pub nullable: bool,
    /// What it means, with its unit: the comment on the view's column.
    pub about: &'static str,
}

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An id.
    Uuid,
    /// Text, never empty.
    Text,
    /// True or false.
    Bool,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A time in UTC, to the millisecond.
    Time,
    /// A JSON value.
    Json,
}

/// A value of a row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'a> {
    /// An id.
    Uuid(Uuid),
    /// Text.
    Text(&'a str),
    /// True or false.
    Bool(bool),
    /// A whole number of 32 bits.
    Int(i32),
    /// A whole number of 64 bits.
    Long(i64),
    /// A time.
    Time(Timestamp),
    /// JSON as text.
    Json(&'a str),
}

impl Column {
    /// A column that every row has a value in.
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, nullable: false, about }
    }

    /// A column that rows may have no value in.
    pub const fn nullable(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, nullable: true, about }
    }

    /// The column in a SELECT, of the type that [`Kind::read`] reads.
    pub fn selected(&self) -> String {
        let Self { name, kind, .. } = self;
        match kind {
            Kind::Int => format!("{name}::int4"),
            Kind::Long => format!("{name}::int8"),
            Kind::Json => format!("{name}::text"),
            Kind::Uuid | Kind::Text | Kind::Bool | Kind::Time => (*name).to_owned(),
        }
    }

    /// The column as JSON Schema.
    pub fn schema(&self) -> Schema {
        let (kind, format) = self.kind.json();
        let object = ObjectBuilder::new().description(Some(self.about)).format(format.map(SchemaFormat::KnownFormat));
        let types: SchemaType = match kind {
            None => SchemaType::AnyValue,
            Some(kind) if self.nullable => SchemaType::from_iter([kind, Type::Null]),
            Some(kind) => SchemaType::new(kind),
        };
        Schema::Object(object.schema_type(types).build())
    }
}

impl Kind {
    /// The name in the pages that describe the columns.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uuid => "id",
            Self::Text => "text",
            Self::Bool => "boolean",
            Self::Int => "int32",
            Self::Long => "int64",
            Self::Time => "time",
            Self::Json => "JSON",
        }
    }

    const fn json(self) -> (Option<Type>, Option<KnownFormat>) {
        match self {
            Self::Uuid => (Some(Type::String), Some(KnownFormat::Uuid)),
            Self::Text => (Some(Type::String), None),
            Self::Bool => (Some(Type::Boolean), None),
            Self::Int => (Some(Type::Integer), Some(KnownFormat::Int32)),
            Self::Long => (Some(Type::Integer), Some(KnownFormat::Int64)),
            Self::Time => (Some(Type::String), Some(KnownFormat::DateTime)),
            Self::Json => (None, None),
        }
    }

    /// Reads a field of a binary COPY.
    ///
    /// # Errors
    /// Where it is of another type.
    pub fn read(self, bytes: &[u8]) -> Result<Value<'_>, sqlx::Error> {
        let text = || std::str::from_utf8(bytes).ok();
        match self {
            Self::Uuid => Uuid::from_slice(bytes).ok().map(Value::Uuid),
            Self::Text => text().map(Value::Text),
            Self::Json => text().map(Value::Json),
            Self::Bool => bytes.first().map(|byte| Value::Bool(*byte != 0)),
            Self::Int => bytes.try_into().ok().map(i32::from_be_bytes).map(Value::Int),
            Self::Long => bytes.try_into().ok().map(i64::from_be_bytes).map(Value::Long),
            Self::Time => bytes
                .try_into()
                .ok()
                .map(i64::from_be_bytes)
                .map(|micros| Value::Time(Timestamp::from_millis(micros.div_euclid(1000) + POSTGRES_EPOCH))),
        }
        .ok_or_else(|| sqlx::Error::Protocol(format!("a column is no {}", self.name())))
    }
}

/// The value as text, as CSV has it.
impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uuid(id) => id.fmt(f),
            Self::Text(text) | Self::Json(text) => f.write_str(text),
            Self::Bool(value) => value.fmt(f),
            Self::Int(number) => number.fmt(f),
            Self::Long(number) => number.fmt(f),
            Self::Time(time) => time.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_counts_from_2000_in_microseconds() {
        assert_eq!(Kind::Time.read(&1_500_i64.to_be_bytes()).unwrap().to_string(), "2000-01-01T00:00:00.001Z");
        assert_eq!(Kind::Time.read(&(-1_i64).to_be_bytes()).unwrap().to_string(), "1999-12-31T23:59:59.999Z");
    }

    #[test]
    fn a_field_of_another_type_is_an_error() {
        assert!(Kind::Uuid.read(&[0; 4]).is_err());
        assert!(Kind::Int.read(&[0; 8]).is_err());
        assert!(Kind::Text.read(&[0xff]).is_err());
    }
}
