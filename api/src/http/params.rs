//! Query parameters and path parts, read strictly.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use rules::registry;
use rules::text::Text;
use serde::de::DeserializeOwned;

use super::problem::{Kind, Problem};

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
pub const TEXT_LIMIT: usize = 2000;

/// Refuses texts that are longer than any that makes sense.
fn check_lengths(query: &str) -> Result<(), Problem> {
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query).unwrap_or_default();
    let Some((name, _)) = pairs.into_iter().find(|(_, text)| text.chars().count() > TEXT_LIMIT) else { return Ok(()) };
    let name: String = name.chars().take(40).collect();
    Err(Problem::new(
        Kind::InvalidParameters,
        Text::new(
            format!("{name} has at most {TEXT_LIMIT} characters."),
            format!("{name} は {TEXT_LIMIT} 文字までです。"),
        ),
    ))
}

/// Reads a query and says what is wrong with it.
///
/// # Errors
/// [`Kind::BadRequest`] with the reason; [`Kind::InvalidParameters`] for a text that is too long.
pub fn parse<T: DeserializeOwned>(query: &str) -> Result<T, Problem> {
    let read = serde_urlencoded::from_str(query).map_err(|error| {
        Problem::new(
            Kind::BadRequest,
            Text::new(
                format!("The query parameters cannot be read: {error}."),
                format!("クエリパラメーターを読めません（{error}）。"),
            ),
        )
    })?;
    if query.len() > TEXT_LIMIT {
        check_lengths(query)?;
    }
    Ok(read)
}

/// A part of the path that names something; what is no such name names nothing.
pub struct PathId<T>(pub T);

impl<T: FromStr + 'static> FromRequest for PathId<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let found = request.match_info().get("id").and_then(|part| part.parse().ok());
        ready(found.map(Self).ok_or_else(|| Problem::plain(Kind::NotFound)))
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

/// Checks the id of a game that a list is to be narrowed to.
///
/// # Errors
/// [`Kind::InvalidParameters`] where there is no such game.
pub fn known_game(asked: Option<&str>) -> Result<(), Problem> {
    match asked.filter(|id| registry::game(id).is_none()) {
        None => Ok(()),
        Some(game) => {
            let game: String = game.chars().take(40).collect();
            Err(Problem::new(
                Kind::InvalidParameters,
                Text::new(
                    format!("There is no game “{game}”; GET /v1/games lists them."),
                    format!("「{game}」というゲームはありません（GET /v1/games に一覧があります）。"),
                ),
            ))
        }
    }
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
