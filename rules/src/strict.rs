//! JSON read strictly: what is to be an object is one, and none of its fields comes twice.
//!
//! Derived readers take a list for an object, field by field, and an object of one field for a name;
//! `serde_json` keeps the last of two equal fields. None of it is what a client can have meant.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

/// A JSON value in which no object has a field twice.
#[derive(Clone, PartialEq, Debug)]
pub struct Unambiguous(pub Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnambiguousVisitor).map(Self)
    }
}

struct UnambiguousVisitor;

impl<'de> Visitor<'de> for UnambiguousVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unambiguous(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format_args!("duplicate field `{name}`")));
            }
            let Unambiguous(value) = fields.next_value()?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

/// Reads typed data out of a JSON value; for a struct only an object will do.
#[derive(Clone, Copy, Debug)]
pub struct Strict<'a>(pub &'a Value);

impl<'de> Deserializer<'de> for Strict<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.0 {
            Value::Array(items) => SeqDeserializer::new(items.iter().map(Strict)).deserialize_any(visitor),
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), Strict(value)));
                MapDeserializer::new(fields).deserialize_any(visitor)
            }
            scalar => scalar.deserialize_any(visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        match self.0 {
            Value::Array(_) => Err(Error::invalid_type(Unexpected::Seq, &"an object")),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        self.0.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for Strict<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Whether a value has the form in which what was read of it is written: lists for lists, objects for
/// objects. A tagged enum reads its fields out of a buffer of its own, where [`Strict`] has no say.
///
/// # Errors
/// The first place with a value of another kind.
pub fn same_form(given: &Value, read: &Value) -> Result<(), String> {
    match (given, read) {
        // What the reader leaves out was null.
        (Value::Object(given), Value::Object(read)) => given.iter().try_for_each(|(name, given)| {
            let read = read.get(name).unwrap_or(given);
            same_form(given, read).map_err(|fault| format!("`{name}`: {fault}"))
        }),
        (Value::Array(given), Value::Array(read)) => {
            given.iter().zip(read).try_for_each(|(given, read)| same_form(given, read))
        }
        _ if kind(given) == kind(read) => Ok(()),
        _ => Err(format!("invalid type: {}, expected {}", kind(given), kind(read))),
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        list: Vec<Inner>,
        pair: (u8, f64),
        #[serde(default)]
        maybe: Option<Inner>,
    }

    #[derive(serde::Deserialize, PartialEq, Debug, Default)]
    #[serde(deny_unknown_fields, default)]
    struct Inner {
        name: String,
        kind: Option<Kind>,
    }

    #[derive(serde::Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Large,
        Small,
    }

    fn read(text: &str) -> Result<Outer, serde_json::Error> {
        let Unambiguous(value) = serde_json::from_str(text)?;
        Outer::deserialize(Strict(&value))
    }

    #[test]
    fn what_is_meant_is_read_as_ever() {
        for text in [
            r#"{"list":[],"pair":[1,2]}"#,
            r#"{"list":[{},{"name":"か","kind":"large"}],"pair":[1,2.5],"maybe":{"kind":null}}"#,
            r#"{"pair":[1,-2],"maybe":null,"list":[{"kind":"small"}]}"#,
        ] {
            assert_eq!(read(text).unwrap(), serde_json::from_str(text).unwrap(), "{text}");
        }
    }

    #[test]
    fn a_list_is_no_object() {
        for text in [
            "[[],[1,2]]",
            r#"{"list":[[]],"pair":[1,2]}"#,
            r#"{"list":[["か",null]],"pair":[1,2]}"#,
            r#"{"list":[],"pair":[1,2],"maybe":[]}"#,
        ] {
            assert!(serde_json::from_str::<Outer>(text).is_ok(), "derived readers take {text}");
            assert!(read(text).unwrap_err().to_string().contains("expected an object"), "{text}");
        }
    }

    #[test]
    fn values_are_of_the_kind_that_is_written() {
        let (given, read) = (r#"{"a":[{"b":1}],"c":null}"#, r#"{"a":[{"b":1.5,"d":true}]}"#);
        let form = |given, read| same_form(&serde_json::from_str(given).unwrap(), &serde_json::from_str(read).unwrap());
        assert_eq!(form(given, read), Ok(()));
        for (given, fault) in [
            (r#"{"a":[[1,true]]}"#, "`a`: invalid type: a list, expected an object"),
            (r#"{"a":[{"b":{"one":null}}]}"#, "`a`: `b`: invalid type: an object, expected a number"),
        ] {
            assert_eq!(form(given, read), Err(fault.to_owned()));
        }
    }

    #[test]
    fn no_field_comes_twice() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#, r#"{"a":1,"\u0061":2}"#] {
            let error = serde_json::from_str::<Unambiguous>(text).unwrap_err();
            assert!(error.to_string().contains("duplicate field `a`"), "{text}: {error}");
        }
    }

    #[test]
    fn other_faults_stay_faults() {
        for text in [r#"{"list":[],"pair":[1]}"#, r#"{"list":[],"pair":[1,2,3]}"#, r#"{"list":7,"pair":[1,2]}"#, "7"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
