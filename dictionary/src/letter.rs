//! The 46 basic hiragana as a type: one letter, a set of letters, a spelling.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// The letters in gojūon order; a [`Letter`] is an index into it.
const GOJUON: [char; Letter::COUNT] = [
    'あ', 'い', 'う', 'え', 'お', 'か', 'き', 'く', 'け', 'こ', 'さ', 'し', 'す', 'せ', 'そ', 'た', 'ち', 'つ', 'て',
    'と', 'な', 'に', 'ぬ', 'ね', 'の', 'は', 'ひ', 'ふ', 'へ', 'ほ', 'ま', 'み', 'む', 'め', 'も', 'や', 'ゆ', 'よ',
    'ら', 'り', 'る', 'れ', 'ろ', 'わ', 'を', 'ん',
];

const FIRST: u32 = 'ぁ' as u32;
const NONE: u8 = u8::MAX;

/// The way back from a hiragana (ぁ to ん) to its index in [`GOJUON`].
const INDEX: [u8; ('ん' as u32 - FIRST + 1) as usize] = {
    let mut table = [NONE; ('ん' as u32 - FIRST + 1) as usize];
    let mut index = 0;
    while index < GOJUON.len() {
        table[(GOJUON[index] as u32 - FIRST) as usize] = index as u8;
        index += 1;
    }
    table
};

/// One of the 46 basic hiragana, あ to ん.
///
/// ```
/// use dictionary::Letter;
/// let ka = Letter::try_from('か').unwrap();
/// assert_eq!(ka.to_char(), 'か');
/// assert!(Letter::try_from('が').is_err()); // voiced: fold it first
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter(u8);

impl Letter {
    /// How many letters there are.
    pub const COUNT: usize = 46;
    /// ん, the letter that ends a game of しりとり.
    pub const N: Self = Self(45);
    /// す, one of the two spellings of ず and づ.
    pub(crate) const SU: Self = Self(12);
    /// つ, the other.
    pub(crate) const TSU: Self = Self(17);

    /// All letters in gojūon order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// The letter at a gojūon index, あ = 0 … ん = 45.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The letter of a hiragana, if it is one of the 46.
    pub const fn of(c: char) -> Option<Self> {
        let offset = (c as u32).wrapping_sub(FIRST) as usize;
        if offset < INDEX.len() && INDEX[offset] != NONE { Some(Self(INDEX[offset])) } else { None }
    }

    /// The gojūon index, あ = 0 … ん = 45.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The hiragana itself.
    pub const fn to_char(self) -> char {
        GOJUON[self.index()]
    }
}

/// A text that is not what a letter type holds. It prints itself in English, with `{:#}` in Japanese.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct NotALetter {
    /// The offending text.
    pub found: String,
}

impl fmt::Display for NotALetter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = &self.found;
        if f.alternate() {
            write!(f, "「{found}」は 46 文字のひらがな（あ〜ん、濁点や小書きなし）ではありません")
        } else {
            write!(f, "“{found}” is not one of the 46 basic hiragana (あ–ん, without marks, large)")
        }
    }
}

impl TryFrom<char> for Letter {
    type Error = NotALetter;

    fn try_from(c: char) -> Result<Self, NotALetter> {
        Self::of(c).ok_or_else(|| NotALetter { found: c.into() })
    }
}

impl FromStr for Letter {
    type Err = NotALetter;

    fn from_str(s: &str) -> Result<Self, NotALetter> {
        let mut chars = s.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => Self::try_from(c),
            _ => Err(NotALetter { found: s.chars().take(16).collect() }),
        }
    }
}

impl fmt::Display for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.to_char())
    }
}

impl fmt::Debug for Letter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of letters as 46 bits, such as a hand of cards or a rack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct LetterSet(u64);

impl LetterSet {
    /// No letter.
    pub const EMPTY: Self = Self(0);
    /// All 46 letters.
    pub const ALL: Self = Self((1 << Letter::COUNT) - 1);

    /// The set as 46 bits, あ the lowest.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set of the lowest 46 bits of a number.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether the letter is in the set.
    pub const fn contains(self, letter: Letter) -> bool {
        self.0 >> letter.0 & 1 == 1
    }

    /// Whether every letter of `other` is in this set.
    pub const fn is_superset(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Puts a letter in; false if it was there already.
    pub const fn insert(&mut self, letter: Letter) -> bool {
        let new = !self.contains(letter);
        self.0 |= 1 << letter.0;
        new
    }

    /// Takes a letter out; false if it was not there.
    pub const fn remove(&mut self, letter: Letter) -> bool {
        let had = self.contains(letter);
        self.0 &= !(1 << letter.0);
        had
    }

    /// This set and one letter more.
    #[must_use]
    pub const fn with(self, letter: Letter) -> Self {
        Self(self.0 | 1 << letter.0)
    }

    /// This set less one letter.
    #[must_use]
    pub const fn without(self, letter: Letter) -> Self {
        Self(self.0 & !(1 << letter.0))
    }

    /// The letters of either set.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The letters of this set that the other lacks.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// How many letters are in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no letter is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The letters in gojūon order.
    pub fn iter(self) -> impl Iterator<Item = Letter> + Clone {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let index = bits.trailing_zeros() as u8;
                bits &= bits - 1;
                Letter(index)
            })
        })
    }
}

impl FromIterator<Letter> for LetterSet {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Self {
        letters.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// Reads letters in any order; a letter given twice is refused.
impl FromStr for LetterSet {
    type Err = NotALetter;

    fn from_str(s: &str) -> Result<Self, NotALetter> {
        let mut set = Self::EMPTY;
        for c in s.chars() {
            if !set.insert(Letter::try_from(c)?) {
                return Err(NotALetter { found: format!("{c}{c}") });
            }
        }
        Ok(set)
    }
}

impl fmt::Display for LetterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|letter| write!(f, "{letter}"))
    }
}

impl fmt::Debug for LetterSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// A word as it lies on the table: a sequence of letters.
///
/// ```
/// use dictionary::Spelling;
/// let coat: Spelling = "こおと".parse().unwrap();
/// assert_eq!(coat.len(), 3);
/// assert!(coat.is_distinct());
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Spelling(Box<[Letter]>);

impl Spelling {
    /// The letters in order.
    pub fn letters(&self) -> &[Letter] {
        &self.0
    }

    /// How many letters it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no letter.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first letter, if there is one.
    pub fn first(&self) -> Option<Letter> {
        self.0.first().copied()
    }

    /// The last letter, if there is one.
    pub fn last(&self) -> Option<Letter> {
        self.0.last().copied()
    }

    /// The letters without order or repetition.
    pub fn set(&self) -> LetterSet {
        self.0.iter().copied().collect()
    }

    /// Whether no letter occurs twice: each card exists once.
    pub fn is_distinct(&self) -> bool {
        self.set().len() == self.len()
    }

    /// Whether it ends in ん.
    pub fn ends_with_n(&self) -> bool {
        self.last() == Some(Letter::N)
    }
}

impl std::borrow::Borrow<[Letter]> for Spelling {
    fn borrow(&self) -> &[Letter] {
        self.letters()
    }
}

impl From<Vec<Letter>> for Spelling {
    fn from(letters: Vec<Letter>) -> Self {
        Self(letters.into())
    }
}

impl From<&[Letter]> for Spelling {
    fn from(letters: &[Letter]) -> Self {
        Self(letters.into())
    }
}

impl FromIterator<Letter> for Spelling {
    fn from_iter<I: IntoIterator<Item = Letter>>(letters: I) -> Self {
        Self(letters.into_iter().collect())
    }
}

impl FromStr for Spelling {
    type Err = NotALetter;

    fn from_str(s: &str) -> Result<Self, NotALetter> {
        s.chars().map(Letter::try_from).collect()
    }
}

impl fmt::Display for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(f, "{letter}"))
    }
}

impl fmt::Debug for Spelling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// In JSON each of these is a string of hiragana.
macro_rules! as_string {
    ($type:ty, $pattern:literal, $example:literal, $doc:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                ObjectBuilder::new()
                    .schema_type(SchemaType::Type(Type::String))
                    .pattern(Some($pattern))
                    .description(Some($doc))
                    .examples([$example])
                    .build()
                    .into()
            }
        }

        impl ToSchema for $type {}
    };
}

as_string!(
    Letter,
    "^[あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん]$",
    "か",
    "One of the 46 basic hiragana."
);
as_string!(
    LetterSet,
    "^[あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん]{0,46}$",
    "えかる",
    "A set of letters, in gojūon order."
);
as_string!(
    Spelling,
    "^[あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん]*$",
    "かえる",
    "A word in the letters of the cards: no marks, no small kana, no ー."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip_through_text_and_index() {
        assert_eq!(Letter::all().count(), 46);
        for letter in Letter::all() {
            assert_eq!(letter.to_string().parse(), Ok(letter));
            assert_eq!(Letter::from_index(letter.index()), Some(letter));
        }
        assert_eq!(Letter::from_index(46), None);
        for bad in ["", "が", "ア", "ぁ", "かき", "a", "ゐ"] {
            assert!(bad.parse::<Letter>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_set_prints_in_gojuon_order_and_refuses_a_card_given_twice() {
        let set: LetterSet = "るえか".parse().unwrap();
        assert_eq!(set.to_string(), "えかる");
        assert_eq!(set.len(), 3);
        assert!("ええ".parse::<LetterSet>().is_err());
        assert_eq!(LetterSet::ALL.iter().count(), 46);
    }

    #[test]
    fn a_spelling_knows_its_ends_and_whether_it_repeats() {
        let pine: Spelling = "はいん".parse().unwrap();
        assert!(pine.ends_with_n() && pine.is_distinct());
        assert!(!"とまと".parse::<Spelling>().unwrap().is_distinct());
        assert_eq!(serde_json::to_string(&pine).unwrap(), "\"はいん\"");
        assert_eq!(serde_json::from_str::<Spelling>("\"はいん\"").unwrap(), pine);
        assert!(serde_json::from_str::<Spelling>("\"パイン\"").is_err());
    }
}
