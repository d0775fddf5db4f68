//! From a text to the letters of the cards, one step a file.
//!
//! The first four steps make the *reading*: hiragana with its marks, small kana and ー kept, the
//! same for every way Unicode has of writing it. The others make the *letters*: the 46 large
//! unmarked hiragana. ず and づ may each be す or つ, so that one reading can have several
//! spellings (rule `hachiku.zu`). Texts of ordinary kana take all steps at once, by a table that the
//! steps have made.
//!
//! | step | what it does |
//! |---|---|
//! | `separators` | ・ ＝ are dropped, 〜 becomes ー |
//! | `width` | half-width and decomposed forms become one form (NFKC) |
//! | `hiragana` | katakana becomes hiragana; anything else is refused |
//! | `iteration` | ゝゞヽヾ repeat the kana before |
//! | `marks` | voiced and semi-voiced marks go, but on ず and づ |
//! | `long` | ー becomes the vowel before it |
//! | `small` | small kana become large |
//! | `old` | ゐ becomes い, ゑ becomes え |
//! | `zu` | ず and づ become す or つ, each for itself |
//!
//! ```
//! let coat = dictionary::fold("コート").unwrap();
//! assert_eq!(coat.hiragana, "こーと");
//! assert_eq!(coat.spellings[0].to_string(), "こおと");
//!
//! let lightning = dictionary::fold("いなづま").unwrap();
//! let spellings: Vec<_> = lightning.spellings.iter().map(|s| s.to_string()).collect();
//! assert_eq!(spellings, ["いなすま", "いなつま"]);
//! ```

mod hiragana;
mod iteration;
mod long;
mod marks;
mod old;
mod plain;
mod separators;
mod small;
mod width;
mod zu;

pub(crate) use long::vowel_of;
pub(crate) use marks::{is_combining, unmarked};
pub(crate) use old::{as_read_today, modern};
pub(crate) use small::large;

use arrayvec::{ArrayString, ArrayVec};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{Letter, Spelling};

/// How many kana a text may have; longer ones are no word of any lexicon.
pub const MAX_LENGTH: usize = 100;

/// How many ず and づ a text may have: each doubles the number of spellings.
pub const MAX_ZU: usize = 6;

/// Bytes beyond which a text is not even looked at: every kana decomposed, and then some.
const MAX_BYTES: usize = MAX_LENGTH * 12;

/// The text on its way through the steps.
type Text = ArrayVec<char, MAX_LENGTH>;

/// Room for a reading: its kana take three bytes each.
type Reading = ArrayString<{ MAX_LENGTH * 'ー'.len_utf8() }>;

/// A step changes the text in place; some may refuse it.
#[derive(Clone, Copy)]
enum Rule {
    Total(fn(&mut Text)),
    Partial(fn(&mut Text) -> Result<(), FoldError>),
}

impl Rule {
    fn apply(self, text: &mut Text) -> Result<(), FoldError> {
        match self {
            Self::Total(step) => {
                step(text);
                Ok(())
            }
            Self::Partial(step) => step(text),
        }
    }
}

const TO_READING: [(&str, Rule); 2] =
    [("hiragana", Rule::Partial(hiragana::apply)), ("iteration", Rule::Partial(iteration::apply))];

const TO_LETTERS: [(&str, Rule); 4] = [
    ("marks", Rule::Total(marks::apply)),
    ("long", Rule::Partial(long::apply)),
    ("small", Rule::Total(small::apply)),
    ("old", Rule::Total(old::apply)),
];

/// Why a text has no letters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// Something in it is not kana.
    #[error("“{}” is not kana; write the word in hiragana or katakana", found.escape_debug())]
    NotKana {
        /// The first character that is not kana.
        found: char,
    },
    /// It is kana, but no letters follow from it.
    #[error("{fault}")]
    NoSpelling {
        /// What stands in the way.
        fault: SpellingFault,
    },
    /// It is longer than any word.
    #[error("the text is longer than {MAX_LENGTH} kana; give one word")]
    TooLong,
}

/// What keeps kana from having a spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SpellingFault {
    /// Nothing is left to spell.
    #[error("the text has no kana; give at least one")]
    Empty,
    /// ー at the start.
    #[error("ー at the start has no vowel before it; begin with another kana")]
    LongAtStart,
    /// ー after ん or っ.
    #[error("ー after {0} has no vowel before it; write the vowel itself")]
    LongAfter(char),
    /// ゝ or ゞ with nothing to repeat.
    #[error("ゝ or ゞ has no kana before it to repeat; write the kana itself")]
    NothingToRepeat,
    /// More than [`MAX_ZU`] ず and づ.
    #[error("more than {MAX_ZU} ず or づ; write す or つ where it matters")]
    TooManyZu,
}

impl FoldError {
    /// The same message in Japanese.
    pub fn message_ja(&self) -> String {
        let fault = match self {
            Self::NotKana { found } => {
                return format!(
                    "「{}」は仮名ではありません。ひらがなかカタカナで書いてください。",
                    found.escape_debug()
                );
            }
            Self::TooLong => {
                return format!("{MAX_LENGTH}文字を超えています。単語を一つだけ送ってください。");
            }
            Self::NoSpelling { fault } => fault,
        };
        match fault {
            SpellingFault::Empty => "仮名がありません。一文字以上書いてください。".into(),
            SpellingFault::LongAtStart => {
                "「ー」で始まる言葉は母音に読みかえられません。別の仮名で始めてください。".into()
            }
            SpellingFault::LongAfter(before) => {
                format!("「{before}」の後の「ー」は母音に読みかえられません。母音を書いてください。")
            }
            SpellingFault::NothingToRepeat => {
                "「ゝ」「ゞ」の前に繰り返す仮名がありません。その仮名を書いてください。".into()
            }
            SpellingFault::TooManyZu => {
                format!("「ず」「づ」が{MAX_ZU}つを超えています。「す」か「つ」で書いてください。")
            }
        }
    }
}

impl From<SpellingFault> for FoldError {
    fn from(fault: SpellingFault) -> Self {
        Self::NoSpelling { fault }
    }
}

/// A text as a reading and as letters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Folded {
    /// The reading: hiragana; marks, small kana and ー kept.
    #[schema(example = "いなづま")]
    pub hiragana: String,
    /// Every way to lay it in cards, in gojūon order: several where it has ず or づ.
    pub spellings: Vec<Spelling>,
    /// The rules that changed something, in order; only [`trace`] fills it in.
    pub steps: Vec<Step>,
}

/// One rule that changed the text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Step {
    /// The rule: one of the steps of [`fold`](mod@crate::fold).
    #[schema(example = "long")]
    pub rule: &'static str,
    /// The text before it.
    #[schema(example = "こーと")]
    pub from: String,
    /// The text after it; the spellings with spaces between them where there are several.
    #[schema(example = "こおと")]
    pub to: String,
}

/// Folds a text; see the [module](mod@crate::fold) for the rules.
///
/// # Errors
/// When the text is not kana, has no spelling, or is longer than [`MAX_LENGTH`] kana.
pub fn fold(text: &str) -> Result<Folded, FoldError> {
    let word = Kana::parse(text)?;
    Ok(Folded { hiragana: word.reading.to_string(), spellings: word.spellings().collect(), steps: Vec::new() })
}

/// Folds a text and tells what each rule did to it.
///
/// ```
/// let cabbage = dictionary::trace("ｷｬﾍﾞﾂ").unwrap();
/// let rules: Vec<_> = cabbage.steps.iter().map(|step| step.rule).collect();
/// assert_eq!(rules, ["width", "hiragana", "marks", "small"]);
/// assert_eq!(cabbage.steps[3].to, "きやへつ");
/// ```
///
/// # Errors
/// As [`fold()`].
pub fn trace(text: &str) -> Result<Folded, FoldError> {
    let mut folded = fold(text)?;
    let mut steps = Vec::new();
    let mut note = |rule, from: &str, to: String| {
        if from != to {
            steps.push(Step { rule, from: from.into(), to: to.clone() });
        }
        to
    };
    let mut shown = note("separators", text, separators::apply(text).collect());
    let mut state = Text::new();
    width::apply(separators::apply(text), &mut state)?;
    shown = note("width", &shown, state.iter().collect());
    for (name, rule) in TO_READING.into_iter().chain(TO_LETTERS) {
        rule.apply(&mut state)?;
        shown = note(name, &shown, state.iter().collect());
    }
    let spellings: Vec<_> = folded.spellings.iter().map(ToString::to_string).collect();
    note("zu", &shown, spellings.join(" "));
    folded.steps = steps;
    Ok(folded)
}

/// A folded text on the stack: what the hot path works with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Kana {
    /// The reading in hiragana.
    pub reading: Reading,
    /// The letters, every ず and づ taken as す.
    letters: ArrayVec<Letter, MAX_LENGTH>,
    /// Where す may be つ instead.
    zu: ArrayVec<u8, MAX_ZU>,
}

impl Kana {
    pub fn parse(text: &str) -> Result<Self, FoldError> {
        plain::parse(text).map_or_else(|| Self::step_by_step(text), Ok)
    }

    fn step_by_step(text: &str) -> Result<Self, FoldError> {
        if text.len() > MAX_BYTES {
            return Err(FoldError::TooLong);
        }
        let mut state = Text::new();
        width::apply(separators::apply(text), &mut state)?;
        for (_, rule) in TO_READING {
            rule.apply(&mut state)?;
        }
        let mut reading = Reading::new();
        for &c in &state {
            reading.try_push(c).map_err(|_| FoldError::TooLong)?;
        }
        for (_, rule) in TO_LETTERS {
            rule.apply(&mut state)?;
        }
        let (letters, zu) = zu::apply(&state)?;
        if letters.is_empty() {
            return Err(SpellingFault::Empty.into());
        }
        Ok(Self { reading, letters, zu })
    }

    /// The first spelling: every ず and づ as す.
    pub fn first_spelling(&self) -> &[Letter] {
        &self.letters
    }

    /// Every spelling in gojūon order.
    pub fn spellings(&self) -> impl Iterator<Item = Spelling> + '_ {
        (0_u32..1 << self.zu.len()).map(|choice| {
            let mut letters = self.letters.clone();
            for (bit, &position) in self.zu.iter().rev().enumerate() {
                if choice >> bit & 1 == 1 {
                    letters[usize::from(position)] = Letter::TSU;
                }
            }
            Spelling::from(letters.as_slice())
        })
    }

    /// Whether it has several spellings.
    pub fn has_choice(&self) -> bool {
        !self.zu.is_empty()
    }
}

#[cfg(test)]
mod tests;
