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

use super::line;
use crate::http::Problem;
use crate::http::problem::Kind;

/// What a list or an object is kept as.
const DEFAULT: &str = "default";
const OTHER: &str = "other";

/// The options of a game: every name with what it can be, and the values that an empty set-up is
/// filled in with.
struct Known {
    values: BTreeMap<String, Text>,
    defaults: Value,
}

static KNOWN: LazyLock<BTreeMap<&'static str, Known>> =
    LazyLock::new(|| registry::games().into_iter().map(|game| (game.facts().id, Known::of(game))).collect());

impl Known {
    fn of(game: &dyn AnyGame) -> Self {
        let schema = game.schemas().to_json_schemas().remove("options").unwrap_or_default();
        let defaults = fill(game, &Value::Null).unwrap_or_default();
        let properties = resolved(&schema, &schema)["properties"].as_object();
        let values = properties.into_iter().flatten().map(|(name, property)| {
            let is_structured = defaults[name].is_array() || defaults[name].is_object();
            let all = if is_structured { [DEFAULT, OTHER].map(Text::of).into() } else { possible(&schema, property) };
            let [en, ja] = [
                all.iter().map(|value| &*value.en).collect::<Vec<_>>().join(", "),
                all.iter().map(|value| &*value.ja).collect::<Vec<_>>().join("、"),
            ];
            (name.clone(), Text::new(en, ja))
        });
        Self { values: values.collect(), defaults }
    }

    /// The names of all options.
    fn names(&self) -> impl Iterator<Item = &str> {
        self.values.keys().map(String::as_str)
    }
}

/// The schema that another one refers to, if it does.
fn resolved<'a>(all: &'a Value, schema: &'a Value) -> &'a Value {
    schema["$ref"].as_str().and_then(|path| all.pointer(path.strip_prefix('#')?)).unwrap_or(schema)
}

/// What a value of this schema can be, as it is written in a filter.
fn possible(all: &Value, schema: &Value) -> Vec<Text> {
    let schema = resolved(all, schema);
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().filter_map(Value::as_str).map(Text::of).collect();
    }
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect::<Vec<_>>(),
    };
    let mut values = Vec::new();
    for kind in types {
        match kind {
            "boolean" => values.extend(["true", "false"].map(Text::of)),
            "integer" => {
                let [least, most] = [&schema["minimum"], &schema["maximum"]];
                values.push(Text::new(
                    format!("a whole number from {least} to {most}"),
                    format!("{least} から {most} までの整数"),
                ));
            }
            other => values.push(Text::of(other)),
        }
    }
    values
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
    let fields = known.names().map(|name| (name.to_owned(), kept(known, name, &options[name])));
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
        let (name, value) = part.split_once('=').map_or((part, None), |(name, value)| (name, Some(value)));
        let Some(values) = known.values.get(name) else {
            let (name, all) = (line::shown(name), known.names().collect::<Vec<_>>().join(", "));
            return Err(fault(
                format!("{id} has no option “{name}”; write options=name=value,… with {all}."),
                format!("{id} に「{name}」というオプションはありません（{all}）。"),
            ));
        };
        let given = value.ok_or_else(|| without_value(name, values))?;
        let value = read_value(game, known, name, given).ok_or_else(|| cannot_be(name, given, values))?;
        if wanted.insert(name.to_owned(), value).is_some() {
            return Err(fault(format!("options names {name} twice."), format!("options に {name} が二度あります。")));
        }
    }
    Ok(Value::Object(wanted))
}

/// The value of an option, if it can be; a list or an object can only be asked whether it is the default.
fn read_value(game: &dyn AnyGame, known: &Known, name: &str, given: &str) -> Option<Value> {
    if known.defaults[name].is_array() || known.defaults[name].is_object() {
        return [DEFAULT, OTHER].contains(&given).then(|| given.into());
    }
    let value = serde_json::from_str(given).unwrap_or_else(|_| Value::from(given));
    let filled = fill(game, &Value::Object(Map::from_iter([(name.to_owned(), value)]))).ok()?;
    Some(filled[name].clone())
}

fn cannot_be(name: &str, given: &str, values: &Text) -> Problem {
    let given = line::shown(given);
    fault(
        format!("options: {name} cannot be “{given}”; it can be {}.", values.en),
        format!("options：{name} を「{given}」にはできません。指定できるのは {} です。", values.ja),
    )
}

fn without_value(name: &str, values: &Text) -> Problem {
    fault(
        format!("options: {name} has no value; write {name}=value, which can be {}.", values.en),
        format!("options：{name} の値がありません。{name}=値 の形で、値は {} から選んでください。", values.ja),
    )
}

fn fault(en: String, ja: String) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en, ja))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::http::Language;

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

    #[test]
    fn what_an_option_cannot_be_is_named_with_what_it_can() {
        for (id, wrong, en, ja) in [
            (
                "twenty_one",
                "tie_rule=nope",
                "options: tie_rule cannot be “nope”; it can be final, roller, draw, carryover, sudden_death.",
                "options：tie_rule を「nope」にはできません。指定できるのは final、roller、draw、carryover、sudden_death です。",
            ),
            (
                "twenty_one",
                "hands=TRUE",
                "options: hands cannot be “TRUE”; it can be true, false.",
                "options：hands を「TRUE」にはできません。指定できるのは true、false です。",
            ),
            (
                "twenty_one",
                "games",
                "options: games has no value; write games=value, which can be a whole number from 1 to 1000, null.",
                "options：games の値がありません。games=値 の形で、値は 1 から 1000 までの整数、null から選んでください。",
            ),
            (
                "sainokawara",
                "dice=d6",
                "options: dice cannot be “d6”; it can be default, other.",
                "options：dice を「d6」にはできません。指定できるのは default、other です。",
            ),
        ] {
            let problem = read(game(id), wrong).unwrap_err();
            let [told, said] = [Language::English, Language::Japanese].map(|language| {
                serde_json::to_value(problem.body(language)).unwrap()["detail"].as_str().unwrap().to_owned()
            });
            assert_eq!((told.as_str(), said.as_str()), (en, ja));
        }
    }

    #[test]
    fn every_value_that_is_offered_is_taken() {
        for game in registry::games() {
            for (name, values) in &KNOWN[game.facts().id].values {
                assert!(!values.en.is_empty(), "{name}");
                for value in values.en.split(", ") {
                    let numbers = value.strip_prefix("a whole number from ").and_then(|range| range.split_once(" to "));
                    for value in numbers.map_or(vec![value], |(least, most)| vec![least, most]) {
                        read(game, &format!("{name}={value}")).unwrap_or_else(|_| panic!("{name}={value}"));
                    }
                }
            }
        }
    }
}
