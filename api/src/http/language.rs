//! The language of a request: English unless it prefers Japanese.

use actix_web::HttpMessage;
use actix_web::http::header::{AcceptLanguage, Header, Quality};
use rules::text::Text;

/// A language that the project speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English, the default.
    English,
    /// Japanese.
    Japanese,
}

impl Language {
    /// What `Accept-Language` prefers among the two.
    pub fn of_request(request: &impl HttpMessage) -> Self {
        let Ok(mut accepted) = AcceptLanguage::parse(request) else { return Self::English };
        accepted.0.retain(|range| range.quality > Quality::ZERO);
        accepted
            .ranked()
            .iter()
            .find_map(|range| match range.item().map(|tag| tag.primary_language().to_owned()).as_deref() {
                Some("ja") => Some(Self::Japanese),
                Some("en") => Some(Self::English),
                _ => None,
            })
            .unwrap_or(Self::English)
    }

    /// The text in this language.
    pub fn of(self, text: &Text) -> &str {
        match self {
            Self::English => &text.en,
            Self::Japanese => &text.ja,
        }
    }

    /// The language tag.
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Japanese => "ja",
        }
    }
}
