//! Whole numbers from 1 to a small limit: stones, numbers, faces of a stick.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU8;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::chance::Chance;
use crate::text::Text;

/// A number from 1 to `MAX`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pips<const MAX: u8>(NonZeroU8);

impl<const MAX: u8> Pips<MAX> {
    /// The number, if it is from 1 to `MAX`.
    pub const fn new(value: u8) -> Option<Self> {
        match NonZeroU8::new(value) {
            Some(value) if value.get() <= MAX => Some(Self(value)),
            _ => None,
        }
    }

    /// As an ordinary number.
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// Every number from 1 to `MAX`.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (1..=MAX).filter_map(Self::new)
    }

    /// A fair one, by the match's chance.
    pub(super) fn thrown(chance: &mut Chance) -> Self {
        Self::new(chance.die(MAX.into()) as u8).expect("scripted faces are checked when a match is created")
    }
}

impl<const MAX: u8> fmt::Debug for Pips<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl<const MAX: u8> Serialize for Pips<MAX> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.get())
    }
}

impl<'de, const MAX: u8> Deserialize<'de> for Pips<MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u8::deserialize(deserializer)?;
        Self::new(value).ok_or_else(|| {
            serde::de::Error::custom(Text::new(
                format!("{value} is not a number from 1 to {MAX}"),
                format!("{value}は1から{MAX}までの数ではありません"),
            ))
        })
    }
}

impl<const MAX: u8> PartialSchema for Pips<MAX> {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(SchemaType::Type(Type::Integer))
            .minimum(Some(1))
            .maximum(Some(MAX))
            .examples([MAX])
            .build()
            .into()
    }
}

impl<const MAX: u8> ToSchema for Pips<MAX> {
    fn name() -> Cow<'static, str> {
        Cow::Owned(format!("salamander.From1To{MAX}"))
    }
}
