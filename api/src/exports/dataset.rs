//! What can be exported.

use utoipa::openapi::schema::{ObjectBuilder, Schema};

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
}

/// Every data set.
pub const ALL: [&Dataset; 3] = [&matches::MATCHES, &actions::ACTIONS, &words::WORDS];

impl Dataset {
    /// A line of the export as JSON Schema.
    pub fn schema(&self) -> Schema {
        let object = self.columns.iter().fold(ObjectBuilder::new(), |object, column| {
            object.property(column.name, column.schema()).required(column.name)
        });
        Schema::Object(object.build())
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
