//! Questions that the dictionary refuses, as problems.

use dictionary::shiritori::ShiritoriError;
use dictionary::{FoldError, OwnWordsError, SearchError};
use rules::text::Text;

use crate::http::Problem;
use crate::http::problem::Kind;

/// A value out of its bounds, in both languages.
pub fn out_of_bounds(en: impl Into<String>, ja: impl Into<String>) -> Problem {
    Problem::new(Kind::InvalidParameters, Text::new(en.into(), ja.into()))
}

impl From<OwnWordsError> for Problem {
    fn from(error: OwnWordsError) -> Self {
        out_of_bounds(format!("{error}."), error.message_ja())
    }
}

impl From<SearchError> for Problem {
    fn from(error: SearchError) -> Self {
        out_of_bounds(format!("{error}."), error.message_ja()).with("parameter", error.parameter())
    }
}

impl From<ShiritoriError> for Problem {
    fn from(error: ShiritoriError) -> Self {
        out_of_bounds(format!("{error}."), error.message_ja())
    }
}

impl From<FoldError> for Problem {
    fn from(error: FoldError) -> Self {
        let reason = match &error {
            FoldError::NotKana { .. } => "not-kana",
            FoldError::NoSpelling { .. } => "no-spelling",
            FoldError::TooLong => "too-long",
        };
        let detail = Text::new(format!("{error}."), error.message_ja());
        Self::new(Kind::NoSpelling, detail).with("reason", reason)
    }
}
