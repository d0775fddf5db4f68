//! Query parameters and path parts, read strictly.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use rules::strict::{Fields, Named, Unreadable};
use rules::text::Text;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, Error, Unexpected, Visitor};
use serde::forward_to_deserialize_any;

use super::moment::{Moment, TimeRange};
use super::problem::{Kind, Problem};
use crate::games;

/// Query parameters; an unknown or doubled one is refused, so that a typo does not pass in silence.
pub struct Params<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Params<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parse(request.query_string()).map(Self))
    }
}

/// The longest text in a query, in characters: several of them are still an address that a server reads.
const TEXT_LIMIT: usize = 2000;
/// The longest `path` in a query: a line of play, of which every game has room for all tokens that are kept.
const PATH_LIMIT: usize = 4_400;
/// The longest `options` in a query: with the longest path, all bytes of both percent-encoded, they fit into an
/// address, which has at most 65,534 bytes.
const OPTIONS_LIMIT: usize = 1_000;
/// The longest time in a query.
const TIME_LIMIT: usize = 64;

/// The longest text that a parameter of this name can have, in characters.
pub fn text_limit(parameter: &str) -> usize {
    match parameter {
        "path" => PATH_LIMIT,
        "options" => OPTIONS_LIMIT,
        "from" | "to" => TIME_LIMIT,
        _ => TEXT_LIMIT,
    }
}

/// Reads a query and says what is wrong with it.
///
/// # Errors
/// [`Kind::BadRequest`] with the reason; [`Kind::InvalidParameters`] for a text that is too long.
pub fn parse<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let parameters = pairs.iter().map(|(name, text)| (name.as_ref(), Parameter(text)));
    let read = T::deserialize(MapAccessDeserializer::new(Fields::new(parameters)))?;
    match pairs.iter().find(|(name, text)| text.chars().nth(text_limit(name)).is_some()) {
        None => Ok(read),
        Some((name, _)) => {
            let most = text_limit(name);
            let [en, ja] =
                [format!("{name} has at most {most} characters."), format!("{name} は {most} 文字までです。")];
            Err(Problem::new(Kind::InvalidParameters, Text::new(en, ja)))
        }
    }
}

/// Checks that a query says nothing, where there is nothing to be said.
///
/// # Errors
/// [`Kind::BadRequest`] that names what it says.
pub fn nothing(query: &str) -> Result<(), Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    parse(query).map(|Nothing {}| ())
}

/// The text of a parameter, of which a type makes what it is.
struct Parameter<'a>(&'a str);

/// Values that are written as they are in Rust.
macro_rules! written {
    ($($method:ident $visit:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
            match self.0.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(Unreadable::invalid_type(Unexpected::Str(self.0), &visitor)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = Unreadable;

    written! {
        deserialize_bool visit_bool
        deserialize_u8 visit_u8
        deserialize_u16 visit_u16
        deserialize_u32 visit_u32
        deserialize_u64 visit_u64
        deserialize_i64 visit_i64
        deserialize_f64 visit_f64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_enum(Named(self.0))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u128 f32 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier ignored_any
    }
}

/// A part of the path that names something; what is no such name names nothing.
pub struct PathId<T>(pub T);

impl<T: FromStr + 'static> FromRequest for PathId<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let part = request.match_info().get("id").unwrap_or_default();
        ready(part.parse().map(Self).map_err(|_| {
            let part: String = part.chars().take(40).collect();
            Problem::new(
                Kind::NotFound,
                Text::new(
                    format!("Nothing here can be called “{part}”; give an id as the server gives it."),
                    format!("「{part}」という ID はここにはありません。サーバーが返した ID を指定してください。"),
                ),
            )
        }))
    }
}

/// How many entries a list gives: 1 to 500, 50 by default.
///
/// # Errors
/// [`Kind::InvalidParameters`] for any other number.
pub fn list_limit(asked: Option<u32>) -> Result<usize, Problem> {
    match asked.unwrap_or(50) {
        limit @ 1..=500 => Ok(limit as usize),
        limit => Err(Problem::new(
            Kind::InvalidParameters,
            Text::new(
                format!("limit is {limit}; it may be 1 to 500."),
                format!("limit は 1 から 500 までです（{limit} でした）。"),
            ),
        )),
    }
}

/// The id of the game that a list is to be narrowed to.
///
/// # Errors
/// [`Kind::InvalidParameters`] where there is no such game.
pub fn known_game(asked: Option<&str>) -> Result<Option<&'static str>, Problem> {
    let game = asked.map(games::named).transpose();
    let game = game.map_err(|text| Problem::new(Kind::InvalidParameters, text))?;
    Ok(game.map(|game| game.facts().id))
}

/// The time that a list is to be narrowed to.
///
/// # Errors
/// [`Kind::InvalidParameters`] where nothing can lie in it.
pub fn time_range(from: Option<Moment>, to: Option<Moment>) -> Result<TimeRange, Problem> {
    TimeRange::new(from, to).map_err(|text| Problem::new(Kind::InvalidParameters, text))
}

/// A cursor that no list gave out.
pub fn bad_cursor() -> Problem {
    Problem::new(
        Kind::InvalidParameters,
        Text::fixed(
            "The cursor is none that this list gave out; start without one.",
            "この一覧のカーソルではありません。カーソルなしで始めてください。",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Language;

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        limit: Option<u32>,
        #[serde(default)]
        name: String,
        deep: Option<bool>,
        order: Option<Order>,
    }

    #[derive(Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Order {
        Rising,
        Falling,
    }

    #[test]
    fn a_query_is_read_as_its_types_are() {
        let asked = Asked { limit: Some(7), name: "か き".to_owned(), deep: Some(true), order: Some(Order::Falling) };
        assert_eq!(parse::<Asked>("limit=7&name=%E3%81%8B+%E3%81%8D&deep=true&order=falling").unwrap(), asked);
        assert_eq!(parse::<Asked>("").unwrap(), Asked { limit: None, name: String::new(), deep: None, order: None });
    }

    #[test]
    fn the_parameter_at_fault_is_named_in_both_languages() {
        for (query, en, ja) in [
            (
                "limit=x",
                "limit: expected a whole number from 0 to 4294967295, not the string “x”.",
                "limit：0 から 4294967295 までの整数にしてください（文字列「x」でした）。",
            ),
            (
                "deep=yes",
                "deep: expected true or false, not the string “yes”.",
                "deep：true か false にしてください（文字列「yes」でした）。",
            ),
            (
                "order=up",
                "order: there is no “up”; choose one of `rising`, `falling`.",
                "order：「up」はありません。`rising`、`falling` から選んでください。",
            ),
            (
                "lim=7",
                "there can be no `lim` here; what there can be is `limit`, `name`, `deep`, `order`.",
                "ここに `lim` は書けません。書けるのは `limit`、`name`、`deep`、`order` です。",
            ),
            (
                "limit=1&limit=2",
                "`limit` comes twice; give it once.",
                "`limit` が二度あります。一度だけにしてください。",
            ),
        ] {
            let problem = parse::<Asked>(query).unwrap_err();
            let [told, said] = [Language::English, Language::Japanese].map(|language| {
                serde_json::to_value(problem.body(language)).unwrap()["detail"].as_str().unwrap().to_owned()
            });
            assert_eq!((told.as_str(), said.as_str()), (en, ja), "{query}");
        }
        let long = format!("name={}", "か".repeat(TEXT_LIMIT + 1));
        assert_eq!(parse::<Asked>(&long).unwrap_err().kind(), Kind::InvalidParameters);
    }
}
