//! Texts read as JSON.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::Unreadable;

/// The JSON value that a text is.
///
/// # Errors
/// Where it is none, or one of its objects has a field twice.
pub fn parse(text: &[u8]) -> Result<Value, Unreadable> {
    let doubled = RefCell::new(None);
    let reader = &mut serde_json::Deserializer::from_slice(text);
    let read = Unambiguous(&doubled).deserialize(&mut *reader);
    let read = read.and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| match doubled.take() {
        Some(name) => Unreadable::doubled(&name),
        None => Unreadable::syntax(&error),
    })
}

/// Reads a value in which no object has a field twice, and keeps the name of one that has.
#[derive(Clone, Copy)]
struct Unambiguous<'a>(&'a RefCell<Option<String>>);

impl<'de> DeserializeSeed<'de> for Unambiguous<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unambiguous<'_> {
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
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                self.0.replace(Some(name));
                return Err(A::Error::custom("a field comes twice"));
            }
            object.insert(name, fields.next_value_seed(self)?);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_comes_twice() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"c":2,"a":3}}]"#, r#"{"a":1,"\u0061":2}"#] {
            assert_eq!(parse(text.as_bytes()), Err(Unreadable::doubled("a")), "{text}");
        }
    }
}
