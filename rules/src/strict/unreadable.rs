//! What is wrong with data that cannot be read, kept as data: it is told in English and in Japanese.

use std::fmt;

use serde::de::{Error, Expected, Unexpected};

use crate::text::{Fault, Text};

/// The longest text of a client that is repeated, in characters.
const REPEATED: usize = 40;

/// Data that cannot be read: where, and why. It prints itself in English, with `{:#}` in Japanese.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreadable {
    /// Where it stands, such as `seats[1].bot`; nothing for the whole.
    place: String,
    why: Why,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Why {
    /// A value of another kind or out of bounds.
    Value { expected: Text, found: Text },
    /// None of the names that a value can have.
    Name { name: String, known: &'static [&'static str] },
    /// A field that there is not.
    Field { name: String, known: &'static [&'static str] },
    /// A field that must be there.
    Missing(String),
    /// A field that comes twice.
    Doubled(String),
    /// What a type says for itself.
    Said(Text),
    /// No JSON.
    Syntax { line: usize, column: usize, breaks_off: bool, said: String },
}

impl From<Why> for Unreadable {
    fn from(why: Why) -> Self {
        Self { place: String::new(), why }
    }
}

impl Unreadable {
    /// What is no JSON.
    pub(super) fn syntax(error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        Why::Syntax { line, column, breaks_off: error.is_eof(), said: error.to_string() }.into()
    }

    /// A field of this name comes twice.
    pub fn doubled(name: &str) -> Self {
        Why::Doubled(clipped(name)).into()
    }

    /// A value that is to be one of these names and is not even a text.
    pub(super) fn no_name(found: Unexpected<'_>, known: &[&str]) -> Self {
        let [en, ja] = [listed(known, ", "), listed(known, "、")];
        let expected = Text::new(format!("one of {en}"), format!("{ja} のどれか"));
        Why::Value { expected, found: told(found) }.into()
    }

    /// A list with another number of entries.
    pub(super) fn length(length: usize, expected: Text) -> Self {
        let found = Text::new(format!("one of {length}"), format!("{length} 個"));
        Why::Value { expected, found }.into()
    }

    /// Whether it is the value that is wrong, not which fields there are.
    pub(super) fn is_of_a_value(&self) -> bool {
        matches!(self.why, Why::Value { .. } | Why::Name { .. } | Why::Said(_))
    }

    /// The same in the named field of an object.
    #[must_use]
    pub fn within(mut self, name: &str) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("{}{dot}{}", clipped(name), self.place);
        self
    }

    /// The same in this entry of a list, counted from 0.
    #[must_use]
    pub fn at(mut self, index: usize) -> Self {
        let dot = if self.place.is_empty() || self.place.starts_with('[') { "" } else { "." };
        self.place = format!("[{index}]{dot}{}", self.place);
        self
    }
}

/// What is wrong with a part of a set-up.
impl From<Unreadable> for Fault {
    fn from(unreadable: Unreadable) -> Self {
        Self::new(unreadable.place, Text::of(unreadable.why))
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.place.is_empty(), f.alternate()) {
            (true, false) => write!(f, "{}", self.why),
            (true, true) => write!(f, "{:#}", self.why),
            (false, false) => write!(f, "{}: {}", self.place, self.why),
            (false, true) => write!(f, "{}：{:#}", self.place, self.why),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { self.japanese(f) } else { self.english(f) }
    }
}

impl Why {
    fn english(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { expected, found } => write!(f, "expected {expected}, not {found}"),
            Self::Name { name, known } | Self::Field { name, known } if known.is_empty() => {
                write!(f, "there can be no `{name}` here; leave it out")
            }
            Self::Name { name, known } => write!(f, "there is no “{name}”; choose one of {}", listed(known, ", ")),
            Self::Field { name, known } => {
                write!(f, "there can be no `{name}` here; what there can be is {}", listed(known, ", "))
            }
            Self::Missing(name) => write!(f, "`{name}` is missing"),
            Self::Doubled(name) => write!(f, "`{name}` comes twice; give it once"),
            Self::Said(text) => write!(f, "{text}"),
            Self::Syntax { said, .. } => write!(f, "this is no JSON: {said}"),
        }
    }

    fn japanese(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { expected, found } => write!(f, "{expected:#}にしてください（{found:#}でした）"),
            Self::Name { name, known } | Self::Field { name, known } if known.is_empty() => {
                write!(f, "ここに `{name}` は書けません。除いてください")
            }
            Self::Name { name, known } => {
                write!(f, "「{name}」はありません。{} から選んでください", listed(known, "、"))
            }
            Self::Field { name, known } => {
                write!(f, "ここに `{name}` は書けません。書けるのは {} です", listed(known, "、"))
            }
            Self::Missing(name) => write!(f, "`{name}` がありません"),
            Self::Doubled(name) => write!(f, "`{name}` が二度あります。一度だけにしてください"),
            Self::Said(text) => write!(f, "{text:#}"),
            Self::Syntax { line, column, breaks_off: true, .. } => {
                write!(f, "JSON が {line} 行目の {column} バイト目で途切れています")
            }
            Self::Syntax { line, column, .. } => {
                write!(f, "{line} 行目の {column} バイト目が JSON として読めません")
            }
        }
    }
}

impl std::error::Error for Unreadable {}

impl Error for Unreadable {
    /// What prints itself in both languages is told in both.
    fn custom<T: fmt::Display>(told: T) -> Self {
        let text = Text::of(told);
        Why::Said(if text.en == text.ja { Text::new(text.en, "この値は使えません") } else { text }).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Why::Value { expected: wanted(expected), found: told(found) }.into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::invalid_type(found, expected)
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> Self {
        Self::length(length, wanted(expected))
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> Self {
        Why::Name { name: clipped(name), known }.into()
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Why::Field { name: clipped(name), known }.into()
    }

    fn missing_field(name: &'static str) -> Self {
        Why::Missing(name.to_owned()).into()
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::doubled(name)
    }
}

/// What was found.
fn told(found: Unexpected<'_>) -> Text {
    match found {
        Unexpected::Bool(value) => same(value),
        Unexpected::Unsigned(number) => same(number),
        Unexpected::Signed(number) => same(number),
        Unexpected::Float(number) => same(number),
        Unexpected::Char(letter) => quoted(letter.encode_utf8(&mut [0; 4])),
        Unexpected::Str(text) => quoted(text),
        Unexpected::Unit | Unexpected::Option => Text::fixed("null", "null "),
        Unexpected::Seq => Text::fixed("a list", "リスト"),
        Unexpected::Map => Text::fixed("an object", "オブジェクト"),
        Unexpected::UnitVariant => Text::fixed("a name", "名前"),
        _ => Text::fixed("something else", "別のもの"),
    }
}

fn same(value: impl fmt::Display) -> Text {
    Text::new(value.to_string(), format!("{value} "))
}

fn quoted(text: &str) -> Text {
    let text = clipped(text);
    Text::new(format!("the string “{text}”"), format!("文字列「{text}」"))
}

/// What a reader expects: what it says in both languages itself, or what serde's own readers mean.
fn wanted(expected: &dyn Expected) -> Text {
    let text = Text::of(expected);
    if text.en != text.ja {
        return text;
    }
    match text.en.as_ref() {
        "a boolean" => Text::fixed("true or false", "true か false "),
        "u8" => whole(u8::MIN, u8::MAX),
        "u16" => whole(u16::MIN, u16::MAX),
        "u32" => whole(u32::MIN, u32::MAX),
        "u64" | "usize" => Text::fixed("a whole number, 0 or more", "0 以上の整数"),
        "i64" => whole(i64::MIN, i64::MAX),
        "f32" | "f64" => Text::fixed("a number", "数"),
        "a string" | "a borrowed string" => Text::fixed("a string", "文字列"),
        "a sequence" => Text::fixed("a list", "リスト"),
        "unit" => Text::fixed("null", "null "),
        "a map" => Text::fixed("an object", "オブジェクト"),
        "string or map" | "variant identifier" => Text::fixed("a name", "名前"),
        other => match other.split(' ').collect::<Vec<_>>().as_slice() {
            ["struct", ..] | ["internally", "tagged", ..] => Text::fixed("an object", "オブジェクト"),
            ["enum", _] => Text::fixed("a name", "名前"),
            ["an", "array", "of", "length", count]
            | ["a", "tuple", "of", "size", count]
            | [count, "element" | "elements", "in", "sequence"] => {
                Text::new(format!("a list of {count}"), format!("{count} 個のリスト"))
            }
            _ => Text::new(text.en, "別の値"),
        },
    }
}

fn whole(least: impl fmt::Display, most: impl fmt::Display) -> Text {
    Text::new(format!("a whole number from {least} to {most}"), format!("{least} から {most} までの整数"))
}

/// A text at a length that can be read.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(REPEATED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn listed(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}
