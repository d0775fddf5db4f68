//! What an export is asked for with.

use rules::registry;
use rules::text::Text;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::dataset::Dataset;
use super::page::{Key, Scan};
use crate::http::params::{known_game, time_range};
use crate::http::problem::Kind;
use crate::http::{Moment, Problem};

/// The most rows that can be asked for in so many words.
const MOST_ROWS: u64 = 1_000_000_000;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Asked {
    /// How the rows are written; `ndjson` unless another is asked for.
    #[param(inline)]
    pub format: Option<Format>,
    /// Only matches of this game.
    #[param(example = "hachiku")]
    pub game: Option<String>,
    /// Only matches created at or after this time; a day stands for its first moment (UTC).
    #[param(value_type = Option<String>, example = "2026-11-01")]
    from: Option<Moment>,
    /// Only matches created before this time; a day stands for its first moment (UTC).
    #[param(value_type = Option<String>, example = "2026-12-01T00:00:00Z")]
    to: Option<Moment>,
    /// Begin after this row: its key, as the description of the export says.
    #[param(example = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab")]
    cursor: Option<String>,
    /// End after so many rows; where there are as many, ask again with the last one as `cursor`.
    #[param(minimum = 1, maximum = 1_000_000_000)]
    limit: Option<u64>,
}

/// How the rows are written.
#[derive(Deserialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// A JSON object a line.
    #[default]
    Ndjson,
    /// RFC 4180, with a header line; a null is an empty field.
    Csv,
    /// Apache Parquet, compressed with Zstandard.
    Parquet,
}

impl Format {
    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Parquet => "application/vnd.apache.parquet",
        }
    }

    /// How files of this form are named at their end.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

impl Asked {
    /// Where to begin, what to read and how many rows at most.
    ///
    /// # Errors
    /// [`Kind::InvalidParameters`] for a game that there is not, a time in which nothing can lie, a
    /// cursor that no row of this data set has, or a limit out of bounds.
    pub fn scan(&self, dataset: &'static Dataset) -> Result<(Scan, Key, u64), Problem> {
        let asked = known_game(self.game.as_deref())?;
        let created = time_range(self.from, self.to)?;
        let limit = self.limit.unwrap_or(u64::MAX);
        if self.limit.is_some_and(|limit| !(1..=MOST_ROWS).contains(&limit)) {
            let text = Text::new(
                format!("limit is {limit}; it may be 1 to {MOST_ROWS}, and without it there is none."),
                format!("limit は 1 から {MOST_ROWS} までです（{limit} でした）。省くと制限はありません。"),
            );
            return Err(Problem::new(Kind::InvalidParameters, text));
        }
        let start = match &self.cursor {
            None => Key::START,
            Some(text) => read_cursor(text, dataset).ok_or_else(|| bad_cursor(dataset))?,
        };
        let is_wanted =
            |game: &&str| asked.is_none_or(|asked| asked == *game) && dataset.game.is_none_or(|own| own == *game);
        let games = registry::games().into_iter().map(|game| game.facts().id).filter(is_wanted);
        let games = games.map(str::to_owned).collect();
        Ok((Scan { dataset, games, created }, start, limit))
    }
}

/// The key of a row: the match, and the row's place in it where a match has several.
fn read_cursor(text: &str, dataset: &Dataset) -> Option<Key> {
    let (id, place) = if dataset.place.is_some() {
        let (id, place) = text.split_once('.')?;
        (id, Some(place.parse().ok().filter(|place| *place > 0)?))
    } else {
        (text, None)
    };
    Some(Key { match_id: Uuid::try_parse(id).ok()?, place })
}

/// A cursor that is no row's key.
fn bad_cursor(dataset: &Dataset) -> Problem {
    let form = dataset.place.map_or_else(|| "match_id".to_owned(), |place| format!("match_id.{place}"));
    let text = Text::new(
        format!("The cursor is the key of the last row read, {form}; start without one."),
        format!("cursor は最後に読んだ行のキー（{form}）です。最初は cursor なしで始めてください。"),
    );
    Problem::new(Kind::InvalidParameters, text)
}

#[cfg(test)]
mod tests {
    use super::super::actions::ACTIONS;
    use super::super::matches::MATCHES;
    use super::*;

    #[test]
    fn a_cursor_is_the_key_of_a_row() {
        let id = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab";
        let match_id = id.parse().unwrap();
        assert_eq!(read_cursor(id, &MATCHES), Some(Key { match_id, place: None }));
        assert_eq!(read_cursor(&format!("{id}.12"), &ACTIONS), Some(Key { match_id, place: Some(12) }));
        for (text, dataset) in [
            ("", &MATCHES),
            ("1", &MATCHES),
            (&format!("{id}.12"), &MATCHES),
            (id, &ACTIONS),
            (&format!("{id}."), &ACTIONS),
            (&format!("{id}.0"), &ACTIONS),
            (&format!("{id}.-3"), &ACTIONS),
            (&format!("{id}.99999999999"), &ACTIONS),
        ] {
            assert_eq!(read_cursor(text, dataset), None, "{text}");
        }
    }
}
