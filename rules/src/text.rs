//! Texts in the two languages the project speaks, and the errors made of them.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// One sentence in Japanese and in English.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Text {
    /// Japanese.
    pub ja: Cow<'static, str>,
    /// English.
    pub en: Cow<'static, str>,
}

impl Text {
    /// A text known when the program is built.
    pub const fn fixed(en: &'static str, ja: &'static str) -> Self {
        Self { ja: Cow::Borrowed(ja), en: Cow::Borrowed(en) }
    }

    /// A text put together at run time.
    pub fn new(en: impl Into<Cow<'static, str>>, ja: impl Into<Cow<'static, str>>) -> Self {
        Self { ja: ja.into(), en: en.into() }
    }

    /// What prints itself in English, and in Japanese with `{:#}`, as a text does.
    pub fn of(told: impl fmt::Display) -> Self {
        Self::new(told.to_string(), format!("{told:#}"))
    }
}

/// English; with `{:#}` Japanese. So both pass through errors that take whatever prints itself.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { &self.ja } else { &self.en })
    }
}

/// What is wrong may be all that there is to an error.
impl std::error::Error for Text {}

/// The numbers from the least to the most, as a sentence counts them: “2 to 4”, or “exactly 2”.
pub fn counted<N: fmt::Display + PartialEq>(range: &RangeInclusive<N>) -> Text {
    let (least, most) = (range.start(), range.end());
    if least == most {
        Text::new(format!("exactly {least}"), format!("ちょうど{least}"))
    } else {
        Text::new(format!("{least} to {most}"), format!("{least}から{most}まで"))
    }
}

/// A rule of a game, by its stable id, with one line that says what it asks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct Rule {
    /// The stable id, such as `hachiku.distinct-letters`.
    #[schema(value_type = String, examples("hachiku.distinct-letters"))]
    pub id: &'static str,
    /// The rule in one line of Japanese.
    #[schema(value_type = String)]
    pub ja: &'static str,
    /// The rule in one line of English.
    #[schema(value_type = String)]
    pub en: &'static str,
}

impl Rule {
    /// A rule with its two texts.
    pub const fn new(id: &'static str, en: &'static str, ja: &'static str) -> Self {
        Self { id, ja, en }
    }
}

/// Why an action is against the rules. The state it was judged on is untouched.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// The id of the rule that the action breaks.
    pub rule: &'static str,
    /// What was wrong and how to mend it.
    pub detail: Text,
    /// More that helps to mend it, under fixed names (`candidates`, `missing_letters`, …).
    pub extras: Map<String, Value>,
}

impl Refusal {
    /// A refusal without further help.
    pub fn new(rule: &'static str, detail: Text) -> Self {
        Self { rule, detail, extras: Map::new() }
    }

    /// Adds a named value that helps to mend the action.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.extras.insert(name.to_owned(), value.into());
        self
    }
}

/// One thing that is wrong with a match's set-up; all are reported at once.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Fault {
    /// Where it stands in the request, such as `options.capture_target`.
    #[schema(examples("options.capture_target"))]
    pub field: String,
    /// What is wrong and what would be right.
    pub message: Text,
}

impl Fault {
    /// A fault of the named field.
    pub fn new(field: impl Into<String>, message: Text) -> Self {
        Self { field: field.into(), message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_one_number_is_that_number() {
        assert_eq!(counted(&(2..=2)), Text::new("exactly 2", "ちょうど2"));
        assert_eq!(counted(&(2..=4)), Text::new("2 to 4", "2から4まで"));
    }

    #[test]
    fn a_text_prints_itself_in_both_languages() {
        let text = Text::fixed("word", "言葉");
        assert_eq!((text.to_string(), format!("{text:#}")), ("word".to_owned(), "言葉".to_owned()));
        assert_eq!(Text::of(&text), text);
    }
}
