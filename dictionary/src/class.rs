//! Word classes, and which of them a game allows.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// What kind of word an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A common noun, also one that makes a verb with する (猫, 旅行).
    Common,
    /// A place (京都).
    Place,
    /// A named individual (菱川師宣).
    Person,
    /// An organization or company.
    Organization,
    /// Any other proper name.
    Proper,
    /// A bare surname (佐藤).
    Surname,
    /// A bare given name (花子).
    GivenName,
    /// A verb in its dictionary form (隠れる).
    Verb,
    /// An adjective in its dictionary form, or the stem of an adjectival noun (高い, 静か).
    Adjective,
    /// An adverb (ゆっくり).
    Adverb,
    /// Pronouns, interjections and everything else.
    Other,
}

impl Class {
    /// Every class, in the order of the enum.
    pub const ALL: [Self; 11] = [
        Self::Common,
        Self::Place,
        Self::Person,
        Self::Organization,
        Self::Proper,
        Self::Surname,
        Self::GivenName,
        Self::Verb,
        Self::Adjective,
        Self::Adverb,
        Self::Other,
    ];

    /// The name in JSON and in data files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Common => "common",
            Self::Place => "place",
            Self::Person => "person",
            Self::Organization => "organization",
            Self::Proper => "proper",
            Self::Surname => "surname",
            Self::GivenName => "given_name",
            Self::Verb => "verb",
            Self::Adjective => "adjective",
            Self::Adverb => "adverb",
            Self::Other => "other",
        }
    }

    /// The names of all, for those who named another.
    fn listed(between: &str) -> String {
        Self::ALL.map(Self::name).join(between)
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A text that names no class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("“{found}” is no word class; choose from {}", Class::listed(", "))]
pub struct NotAClass {
    /// The offending text.
    pub found: String,
}

impl NotAClass {
    /// The same message in Japanese.
    pub fn message_ja(&self) -> String {
        format!("「{}」という種類はありません。{}から選んでください。", self.found, Class::listed("、"))
    }
}

impl FromStr for Class {
    type Err = NotAClass;

    fn from_str(s: &str) -> Result<Self, NotAClass> {
        Self::ALL
            .into_iter()
            .find(|class| class.name() == s)
            .ok_or_else(|| NotAClass { found: s.chars().take(32).collect() })
    }
}

/// A set of word classes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ClassSet(u16);

impl ClassSet {
    /// No class.
    pub const EMPTY: Self = Self(0);
    /// Every class.
    pub const ALL: Self = Self((1 << Class::ALL.len()) - 1);
    /// What games call nouns: common nouns and the names of places, individuals, organizations
    /// and other things.
    pub const NOUNS: Self = Self(0b1_1111);

    /// The set of one class.
    pub const fn of(class: Class) -> Self {
        Self(1 << class as u16)
    }

    /// Whether the class is in the set.
    pub const fn contains(self, class: Class) -> bool {
        self.0 & Self::of(class).0 != 0
    }

    /// Whether the sets have a class in common.
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The classes of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The classes of this set that the other lacks.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many classes are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no class is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The classes in the order of the enum.
    pub fn iter(self) -> impl Iterator<Item = Class> {
        Class::ALL.into_iter().filter(move |&class| self.contains(class))
    }

    pub(crate) const fn bits(self) -> u16 {
        self.0
    }

    pub(crate) const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }
}

impl FromIterator<Class> for ClassSet {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Self {
        classes.into_iter().fold(Self::EMPTY, |set, class| set.union(Self::of(class)))
    }
}

impl fmt::Debug for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for ClassSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// A class that is named twice; it prints itself in English, with `{:#}` in Japanese.
struct Doubled(Class);

impl fmt::Display for Doubled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let class = self.0;
        if f.alternate() {
            write!(f, "`{class}` が二度あります。一度だけにしてください")
        } else {
            write!(f, "the class {class} is named twice; name it once")
        }
    }
}

impl<'de> Deserialize<'de> for ClassSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Classes;

        impl<'de> Visitor<'de> for Classes {
            type Value = ClassSet;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(if f.alternate() {
                    "言葉の種類のリスト"
                } else {
                    "a list of word classes, each once"
                })
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<ClassSet, A::Error> {
                let mut set = ClassSet::EMPTY;
                while let Some(class) = list.next_element()? {
                    if set.contains(class) {
                        return Err(Error::custom(Doubled(class)));
                    }
                    set = set.union(ClassSet::of(class));
                }
                Ok(set)
            }
        }

        deserializer.deserialize_seq(Classes)
    }
}

impl PartialSchema for ClassSet {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::new()
            .items(ArrayItems::RefOrSchema(Box::new(Ref::from_schema_name(<Class as ToSchema>::name()).into())))
            .unique_items(true)
            .description(Some("Word classes."))
            .build()
            .into()
    }
}

impl ToSchema for ClassSet {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((<Class as ToSchema>::name().into(), Class::schema()));
    }
}

/// Which words count.
///
/// ```
/// use dictionary::{Class, Policy};
/// assert!(Policy::default().classes.contains(Class::Place));
/// let no_places: Policy = serde_json::from_str(r#"{"classes": ["common"]}"#).unwrap();
/// assert!(!no_places.classes.contains(Class::Place));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Policy {
    /// The classes that are allowed; by default common, place, person, organization and proper.
    pub classes: ClassSet,
}

impl Default for Policy {
    fn default() -> Self {
        Self { classes: ClassSet::NOUNS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_everywhere() {
        for class in Class::ALL {
            assert_eq!(serde_json::to_value(class).unwrap(), class.name());
            assert_eq!(class.name().parse(), Ok(class));
        }
        let fault = "noun".parse::<Class>().unwrap_err();
        for said in [fault.to_string(), fault.message_ja()] {
            assert!(said.contains("noun") && Class::ALL.iter().all(|class| said.contains(class.name())), "{said}");
        }
    }

    #[test]
    fn the_default_is_the_first_five() {
        assert!(Policy::default().classes.iter().eq(Class::ALL.into_iter().take(5)));
    }

    #[test]
    fn a_set_is_a_list_in_json_and_unknown_things_are_refused() {
        let policy: Policy = serde_json::from_str(r#"{"classes":["verb","common"]}"#).unwrap();
        assert_eq!(serde_json::to_string(&policy).unwrap(), r#"{"classes":["common","verb"]}"#);
        assert_eq!(serde_json::from_str::<Policy>("{}").unwrap(), Policy::default());
        for bad in
            [r#"{"classes":["noun"]}"#, r#"{"class":[]}"#, r#"{"classes":"verb"}"#, r#"{"classes":["verb","verb"]}"#]
        {
            assert!(serde_json::from_str::<Policy>(bad).is_err(), "{bad}");
        }
    }
}
