//! Tagged enums: their derived readers put all fields into a buffer of their own before they read
//! them, which takes objects for names and forgets where a field stood.

use serde::Deserialize;
use serde::de::Error;
use serde_json::Value;

use super::{Strict, Unreadable};

/// Whether a value has the form in which what was read of it is written: lists for lists, objects for
/// objects.
///
/// # Errors
/// The first place with a value of another kind.
pub fn same_form(given: &Value, read: &Value) -> Result<(), Unreadable> {
    match (given, read) {
        // What the reader leaves out was null.
        (Value::Object(given), Value::Object(read)) => given.iter().try_for_each(|(name, given)| {
            let read = read.get(name).unwrap_or(given);
            same_form(given, read).map_err(|unreadable| unreadable.within(name))
        }),
        (Value::Array(given), Value::Array(read)) => {
            given.iter().zip(read).enumerate().try_for_each(|(place, (given, read))| {
                same_form(given, read).map_err(|unreadable| unreadable.at(place))
            })
        }
        _ if std::mem::discriminant(given) == std::mem::discriminant(read) => Ok(()),
        _ => Err(Unreadable::invalid_type(Strict(given).found(), &kind(read))),
    }
}

/// Reads a tagged enum, and names the field that is at fault: the one without which the fault goes away.
///
/// # Errors
/// What is wrong with the fields, or with one of them.
pub fn read_tagged<T: for<'de> Deserialize<'de>>(value: &Value, tag: &str) -> Result<T, Unreadable> {
    T::deserialize(Strict(value)).map_err(|unreadable| {
        let Some(fields) = value.as_object().filter(|_| unreadable.is_of_a_value()) else { return unreadable };
        let is_at_fault = |name: &&String| {
            let mut others = fields.clone();
            others.remove(*name);
            *name != tag && T::deserialize(Strict(&others.into())).err().as_ref() != Some(&unreadable)
        };
        match fields.keys().find(is_at_fault) {
            Some(name) => unreadable.within(name),
            None => unreadable,
        }
    })
}

/// The kind of a value, as serde's own readers name what they expect.
const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "unit",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "f64",
        Value::String(_) => "a string",
        Value::Array(_) => "a sequence",
        Value::Object(_) => "a map",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    enum Action {
        Ask { seat: u8, card: String },
        Stop {},
    }

    fn told(action: &Value) -> String {
        read_tagged::<Action>(action, "type").unwrap_err().to_string()
    }

    #[test]
    fn the_field_at_fault_is_named() {
        let read = read_tagged::<Action>(&json!({"type": "ask", "seat": 1, "card": "air"}), "type");
        assert_eq!(read, Ok(Action::Ask { seat: 1, card: "air".to_owned() }));
        for (action, fault) in [
            (json!({"type": "ask", "seat": -1, "card": "air"}), "seat: expected a whole number from 0 to 255, not -1"),
            (json!({"type": "ask", "seat": 1, "card": 7}), "card: expected a string, not 7"),
            (json!({"type": "ask", "seat": 1}), "`card` is missing"),
            (json!({"type": "aks", "seat": 1}), "type: there is no “aks”; choose one of `ask`, `stop`"),
            (json!({"type": "stop", "seat": 1}), "there can be no `seat` here; leave it out"),
            (json!({"seat": 1}), "`type` is missing"),
        ] {
            assert_eq!(told(&action), fault, "{action}");
        }
    }

    #[test]
    fn values_are_of_the_kind_that_is_written() {
        let read = json!({"a": [{"b": 1.5, "d": true}]});
        assert_eq!(same_form(&json!({"a": [{"b": 1}], "c": null}), &read), Ok(()));
        for (given, fault) in [
            (json!({"a": [[1, true]]}), "a[0]: expected an object, not a list"),
            (json!({"a": [{"b": {"one": null}}]}), "a[0].b: expected a number, not an object"),
        ] {
            assert_eq!(same_form(&given, &read).unwrap_err().to_string(), fault);
        }
    }
}
