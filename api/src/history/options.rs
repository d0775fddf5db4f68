//! Options as matches are grouped and filtered by them.
//!
//! An option that is one value stands for itself. Lists and objects (word lists, sets of dice) are
//! without number: of them only whether they are the default is kept.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use rules::chance::Script;
use rules::registry;
use rules::table::{AnyGame, Plan, Player};
use rules::text::{Fault, Text};
use rules::time::Timestamp;
use serde_json::{Map, Value};

use crate::http::Problem;
use crate::http::problem::Kind;

/// What a list or an object is kept as.
const DEFAULT: &str = "default";
const OTHER: &str = "other";

/// The options of a game: every name, and the values that an empty set-up is filled in with.
struct Known {
    names: Vec<String>,
    defaults: Value,
}

static KNOWN: LazyLock<BTreeMap<&'static str, Known>> =
    LazyLock::new(|| registry::games().into_iter().map(|game| (game.facts().id, Known::of(game))).collect());

impl Known {
    fn of(game: &dyn AnyGame) -> Self {
        let schema = game.schemas().to_json_schemas().remove("options").unwrap_or_default();
        let defaults = fill(game, &Value::Null).unwrap_or_default();
        let own = schema["$ref"].as_str().and_then(|path| schema.pointer(path.strip_prefix('#')?));
        let properties = own.unwrap_or(&schema)["properties"].as_object();
        let names = properties.map(|fields| fields.keys().cloned().collect()).unwrap_or_default();
        Self { names, defaults }
    }
}

/// The options of a set-up, with defaults filled in.
fn fill(game: &dyn AnyGame, options: &Value) -> Result<Value, Vec<Fault>> {
    let plan = Plan {
        seats: vec![(Arc::from(""), Player::Human); usize::from(*game.facts().seats.start())],
        turn_seconds: None,
        script: Arc::new(Script::default()),
        virtual_clock: false,
        created_at: Timestamp::default(),
    };
    game.lay(options, plan).map(|(_, filled)| filled)
}

/// A match's options as its group has them.
pub fn grouped(game: &str, options: &Value) -> Value {
    let Some(known) = KNOWN.get(game) else { return Value::Object(Map::new()) };
    let fields = known.names.iter().map(|name| (name.clone(), kept(known, name, &options[name])));
    Value::Object(fields.collect())
}

/// What is kept of an option; one that is not set is null.
fn kept(known: &Known, name: &str, value: &Value) -> Value {
    if !(value.is_array() || value.is_object()) {
        return value.clone();
    }
    Value::from(if *value == known.defaults[name] { DEFAULT } else { OTHER })
}

/// Reads a filter: `name=value` with commas between, each an option of the game and a value that it
/// can have. The answer is what a group's options must contain.
///
/// # Errors
/// [`Kind::InvalidParameters`], saying what would be right.
pub fn read(game: &dyn AnyGame, text: &str) -> Result<Value, Problem> {
    let id = game.facts().id;
    let mut wanted = Map::new();
    for part in text.split(',').filter(|_| !text.is_empty()) {
        let Some(known) = KNOWN.get(id) else { continue };
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        if !known.names.iter().any(|option| option == name) {
            let (name, all) = (clip(name), known.names.join(", "));
            return Err(fault(
                format!("{id} has no option “{name}”; write options=name=value,… with {all}."),
                format!("{id} に「{name}」というオプションはありません（{all}）。"),
            ));
        }
        let value = if known.defaults[name].is_array() || known.defaults[name].is_object() {
            structured(name, value)?
        } else {
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
            let filled = fill(game, &Value::Object(Map::from_iter([(name.to_owned(), value)])));
            filled.map_err(|faults| refused(&faults))?[name].clone()
        };
        if wanted.insert(name.to_owned(), value).is_some() {
            return Err(fault(format!("options names {name} twice."), format!("options に {name} が二度あります。")));
        }
    }
    Ok(Value::Object(wanted))
}

/// A list or an object can only be asked whether it is the default.
fn structured(name: &str, value: &str) -> Result<Value, Problem> {
    match value {
        DEFAULT | OTHER => Ok(value.into()),
        _ => Err(fault(
            format!("{name} is a list or an object: filter by {name}=default or {name}=other."),
            format!("{name} には default か other を指定してください。"),
        )),
    }
}

fn refused(faults: &[Fault]) -> Problem {
    let all = |of: fn(&Fault) -> &str| faults.iter().map(of).collect::<Vec<_>>().join(" ");
    fault(all(|fault| &fault.message.en), all(|fault| &fault.message.ja))
}

fn fault(en: String, ja: String) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en, ja))
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn game(id: &str) -> &'static dyn AnyGame {
        registry::game(id).unwrap()
    }

    #[test]
    fn a_group_keeps_values_and_of_lists_whether_they_are_the_default() {
        let filled = fill(game("hachiku"), &json!({"extra_words": ["たくじょう"], "preset": "light"})).unwrap();
        let kept = grouped("hachiku", &filled);
        assert_eq!(kept["preset"], "light");
        assert_eq!(kept["extra_words"], "other");
        assert_eq!((&kept["banned_words"], &kept["word_policy"]), (&json!("default"), &json!("default")));
        assert_eq!(kept["capture_target"], Value::Null);
    }

    #[test]
    fn a_filter_is_read_as_the_game_reads_its_options() {
        let read = |text| read(game("twenty_one"), text);
        assert_eq!(read("").unwrap(), json!({}));
        assert_eq!(
            read("hands=true,tie_rule=draw,games=3").unwrap(),
            json!({"hands": true, "tie_rule": "draw", "games": 3})
        );
        assert_eq!(read("games=null").unwrap(), json!({"games": null}));
        for wrong in
            ["hand=true", "hands=yes", "hands", "hands=true,", "hands=true,hands=true", "games=0", "tie_rule=7"]
        {
            assert_eq!(read(wrong).unwrap_err().kind(), Kind::InvalidParameters, "{wrong}");
        }
        assert_eq!(super::read(game("sainokawara"), "dice=other").unwrap(), json!({"dice": "other"}));
        assert!(super::read(game("sainokawara"), "dice={}").is_err());
    }
}
