//! JSON read strictly: what is to be an object is one, and none of its fields comes twice.
//!
//! Derived readers take a list for an object, field by field, and an object of one field for a name;
//! `serde_json` keeps the last of two equal fields. None of it is what a client can have meant.

mod parse;
mod tagged;
mod unreadable;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};

pub use parse::parse;
pub use tagged::{read_tagged, same_form};
pub use unreadable::Unreadable;

use crate::text::Text;

/// Reads typed data out of a JSON value; for a struct only an object will do, for a name only a text.
#[derive(Clone, Copy, Debug)]
pub struct Strict<'a>(pub &'a Value);

impl<'a> Strict<'a> {
    /// The fields of what must be an object.
    ///
    /// # Errors
    /// That it is none.
    pub fn object(self) -> Result<&'a Map<String, Value>, Unreadable> {
        self.0.as_object().ok_or_else(|| Unreadable::invalid_type(self.found(), &"a map"))
    }

    fn found(self) -> Unexpected<'a> {
        match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(number) => number
                .as_u64()
                .map(Unexpected::Unsigned)
                .or_else(|| number.as_i64().map(Unexpected::Signed))
                .or_else(|| number.as_f64().map(Unexpected::Float))
                .unwrap_or(Unexpected::Other("a number")),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        }
    }
}

impl<'de> Deserializer<'de> for Strict<'de> {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match (self.0, self.found()) {
            (Value::Array(items), _) => {
                let mut items = Items { items: items.iter(), read: 0 };
                let value = visitor.visit_seq(&mut items)?;
                items.end().map(|()| value)
            }
            (Value::Object(fields), _) => {
                visitor.visit_map(Fields::new(fields.iter().map(|(name, value)| (name.as_str(), Strict(value)))))
            }
            (_, Unexpected::Bool(value)) => visitor.visit_bool(value),
            (_, Unexpected::Unsigned(number)) => visitor.visit_u64(number),
            (_, Unexpected::Signed(number)) => visitor.visit_i64(number),
            (_, Unexpected::Float(number)) => visitor.visit_f64(number),
            (_, Unexpected::Str(text)) => visitor.visit_borrowed_str(text),
            (_, Unexpected::Unit) => visitor.visit_unit(),
            (_, other) => Err(Unreadable::invalid_type(other, &visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::Array(_) => Err(Unreadable::invalid_type(Unexpected::Seq, &visitor)),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        if self.0.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Named(name)),
            _ => Err(Unreadable::no_name(self.found(), variants)),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Unreadable> for Strict<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The fields of an object by name; what is wrong with one is told with its place.
pub struct Fields<'de, I, V> {
    fields: I,
    value: Option<(&'de str, V)>,
}

impl<'de, V, I: Iterator<Item = (&'de str, V)>> Fields<'de, I, V> {
    /// Fields with what reads their values.
    pub fn new(fields: I) -> Self {
        Self { fields, value: None }
    }
}

impl<'de, I, V> MapAccess<'de> for Fields<'de, I, V>
where
    I: Iterator<Item = (&'de str, V)>,
    V: Deserializer<'de, Error = Unreadable>,
{
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unreadable> {
        self.value = self.fields.next();
        let key = self.value.as_ref().map(|(name, _)| seed.deserialize(BorrowedStrDeserializer::new(name)));
        key.transpose()
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Unreadable> {
        let (name, value) = self.value.take().ok_or_else(|| Unreadable::custom("a value is read before its name"))?;
        seed.deserialize(value).map_err(|unreadable| unreadable.within(name))
    }
}

/// The entries of a list; what is wrong with one is told with its place.
struct Items<'de> {
    items: std::slice::Iter<'de, Value>,
    read: usize,
}

impl Items<'_> {
    /// Refuses entries that nobody has read.
    fn end(&self) -> Result<(), Unreadable> {
        let (read, left) = (self.read, self.items.len());
        let expected = Text::new(format!("a list of {read}"), format!("{read} 個のリスト"));
        if left == 0 { Ok(()) } else { Err(Unreadable::length(read + left, expected)) }
    }
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = Unreadable;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Unreadable> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let place = self.read;
        self.read += 1;
        seed.deserialize(Strict(item)).map(Some).map_err(|unreadable| unreadable.at(place))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// A name, as one of those that an enum has; none of them has more to it.
pub struct Named<'de>(pub &'de str);

impl<'de> EnumAccess<'de> for Named<'de> {
    type Error = Unreadable;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), Unreadable> {
        seed.deserialize(BorrowedStrDeserializer::new(self.0)).map(|name| (name, self))
    }
}

impl<'de> VariantAccess<'de> for Named<'de> {
    type Error = Unreadable;

    fn unit_variant(self) -> Result<(), Unreadable> {
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, _: S) -> Result<S::Value, Unreadable> {
        Err(Unreadable::invalid_type(Unexpected::UnitVariant, &"an object"))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable::invalid_type(Unexpected::UnitVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable::invalid_type(Unexpected::UnitVariant, &visitor))
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        list: Vec<Inner>,
        pair: (u8, f64),
        #[serde(default)]
        maybe: Option<Inner>,
    }

    #[derive(Deserialize, PartialEq, Debug, Default)]
    #[serde(deny_unknown_fields, default)]
    struct Inner {
        name: String,
        kind: Option<Kind>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Large,
        Small,
    }

    fn read(text: &str) -> Result<Outer, Unreadable> {
        Outer::deserialize(Strict(&parse(text.as_bytes())?))
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
            let told = read(text).unwrap_err().to_string();
            assert!(told.ends_with("expected an object, not a list"), "{text}: {told}");
        }
    }

    #[test]
    fn other_faults_stay_faults() {
        for text in [r#"{"list":[],"pair":[1]}"#, r#"{"list":[],"pair":[1,2,3]}"#, r#"{"list":7,"pair":[1,2]}"#, "7"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_in_both_languages_with_its_place() {
        let list = |entries: &str| format!(r#"{{"list":[{entries}],"pair":[1,2]}}"#);
        for (text, en, ja) in [
            ("7".to_owned(), "expected an object, not 7", "オブジェクトにしてください（7 でした）"),
            (
                list(r#"{"name":7}"#),
                "list[0].name: expected a string, not 7",
                "list[0].name：文字列にしてください（7 でした）",
            ),
            (
                list(r#"{},{"kind":"huge"}"#),
                "list[1].kind: there is no “huge”; choose one of `large`, `small`",
                "list[1].kind：「huge」はありません。`large`、`small` から選んでください",
            ),
            (
                list(r#"{"kind":{"large":null}}"#),
                "list[0].kind: expected one of `large`, `small`, not an object",
                "list[0].kind：`large`、`small` のどれかにしてください（オブジェクトでした）",
            ),
            (
                list(r#"{"nmae":"か"}"#),
                "list[0]: there can be no `nmae` here; what there can be is `name`, `kind`",
                "list[0]：ここに `nmae` は書けません。書けるのは `name`、`kind` です",
            ),
            (r#"{"list":[]}"#.to_owned(), "`pair` is missing", "`pair` がありません"),
            (
                r#"{"list":[],"pair":[256,2]}"#.to_owned(),
                "pair[0]: expected a whole number from 0 to 255, not 256",
                "pair[0]：0 から 255 までの整数にしてください（256 でした）",
            ),
            (
                r#"{"list":[],"pair":[1,2,3]}"#.to_owned(),
                "pair: expected a list of 2, not one of 3",
                "pair：2 個のリストにしてください（3 個でした）",
            ),
            (
                r#"{"list":[],"pair":[1]}"#.to_owned(),
                "pair: expected a list of 2, not one of 1",
                "pair：2 個のリストにしてください（1 個でした）",
            ),
            (
                r#"{"list":[],"list":[]}"#.to_owned(),
                "`list` comes twice; give it once",
                "`list` が二度あります。一度だけにしてください",
            ),
            (
                r#"{"list":"#.to_owned(),
                "this is no JSON: EOF while parsing a value at line 1 column 8",
                "JSON が 1 行目の 8 バイト目で途切れています",
            ),
            (
                "{'list'}".to_owned(),
                "this is no JSON: key must be a string at line 1 column 2",
                "1 行目の 2 バイト目が JSON として読めません",
            ),
        ] {
            let unreadable = read(&text).unwrap_err();
            assert_eq!(Text::of(unreadable), Text::new(en, ja), "{text}");
        }
    }
}
