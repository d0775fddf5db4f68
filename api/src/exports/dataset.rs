//! What can be exported.

use std::borrow::Cow;

use serde_json::Value;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, Schema, SchemaFormat, Type};
use utoipa::{PartialSchema, ToSchema};

use super::column::Column;
use super::{actions, matches, words};

/// A data set: a view of the schema `analytics`.
pub struct Dataset {
    /// Its name, in addresses and of the view.
    pub name: &'static str,
    /// The column that counts the rows of one match, for those that have several.
    pub place: Option<&'static str>,
    /// The only game that has such rows.
    pub game: Option<&'static str>,
    /// Its columns in order. New ones come after all others.
    pub columns: &'static [Column],
    /// A row, as a line of NDJSON has it.
    pub example: fn() -> Value,
}

/// Every data set.
pub const ALL: [&Dataset; 3] = [&matches::MATCHES, &actions::ACTIONS, &words::WORDS];

impl Dataset {
    /// A line of the export as JSON Schema.
    pub fn schema(&self) -> Schema {
        let object = self.columns.iter().fold(ObjectBuilder::new(), |object, column| {
            object.property(column.name, column.schema()).required(column.name)
        });
        Schema::Object(object.examples([(self.example)()]).build())
    }
}

/// A file of Apache Parquet, for the description.
pub struct ParquetFile;

impl PartialSchema for ParquetFile {
    fn schema() -> RefOr<Schema> {
        let bytes = ObjectBuilder::new().schema_type(Type::String);
        let bytes = bytes.format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        Schema::Object(bytes.description(Some("The same rows and columns as a Parquet file.")).build()).into()
    }
}

impl ToSchema for ParquetFile {
    fn name() -> Cow<'static, str> {
        "ParquetFile".into()
    }
}

/// Describes the lines of a data set: a type without values.
macro_rules! describe_line {
    ($name:ident, $as:literal, $dataset:expr) => {
        struct $name;

        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $dataset.schema().into()
            }
        }

        impl utoipa::ToSchema for $name {
            fn name() -> std::borrow::Cow<'static, str> {
                $as.into()
            }
        }
    };
}
pub(super) use describe_line;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exports::column::Kind;

    #[test]
    fn an_example_is_a_row_of_its_data_set() {
        for dataset in ALL {
            let Value::Object(row) = (dataset.example)() else { panic!("{} has no row for an example", dataset.name) };
            assert_eq!(row.len(), dataset.columns.len(), "{}", dataset.name);
            for column in dataset.columns {
                let value = &row[column.name];
                let fits = match column.kind {
                    Kind::Uuid | Kind::Text | Kind::Time => value.is_string(),
                    Kind::Bool => value.is_boolean(),
                    Kind::Int | Kind::Long => value.is_i64(),
                    Kind::Json => true,
                };
                let fits = fits || (column.nullable && value.is_null());
                assert!(fits, "{}.{}", dataset.name, column.name);
            }
        }
    }
}
