//! What a lexicon holds of a word.

use std::fmt;

use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Class, ClassSet};

/// One reading in one class, with the ways it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Entry<'l> {
    /// The reading in hiragana; marks, small kana and ー kept.
    #[schema(example = "ねこ")]
    pub reading: &'l str,
    /// The written forms, sorted. The reading itself is not among them.
    pub forms: Forms<'l>,
    /// The word class.
    pub class: Class,
    /// How common the word is: 1 (the most common 500 words of newspapers) to 48; None where no
    /// source says. Search results are ordered by it; it is not part of the JSON.
    #[serde(skip)]
    pub rank: Option<u8>,
}

/// The entries that count where a text stands for several: those of an allowed class, or all where
/// none is of one.
pub(crate) fn counting<'e, 'l>(entries: &'e [Entry<'l>], classes: ClassSet) -> impl Iterator<Item = &'e Entry<'l>> {
    let any = entries.iter().any(|entry| classes.contains(entry.class));
    entries.iter().filter(move |entry| !any || classes.contains(entry.class))
}

/// The written forms of an entry; in JSON a list of strings.
///
/// They are read from the lexicon only when they are asked for: most words that a search passes are
/// never shown.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Forms<'l>(pub(super) &'l [u8]);

/// What stands between two forms in files and in memory.
pub(super) const SEPARATOR: char = '\t';

impl<'l> Forms<'l> {
    /// The forms in order.
    pub fn iter(self) -> impl Iterator<Item = &'l str> {
        let forms = str::from_utf8(self.0).unwrap_or_default();
        forms.split(SEPARATOR).filter(|form| !form.is_empty())
    }
}

impl fmt::Debug for Forms<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Forms<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl PartialSchema for Forms<'_> {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(ObjectBuilder::new().schema_type(SchemaType::Type(Type::String)))
            .description(Some("The written forms, sorted."))
            .examples([serde_json::json!(["猫"])])
            .build()
            .into()
    }
}

impl ToSchema for Forms<'_> {}
