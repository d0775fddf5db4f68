//! Words as players give them and as the log keeps them.

use dictionary::Spelling;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::text::Text;

/// A word as a player gives it: exactly one of `letters` and `word`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", try_from = "Fields")]
#[schema(as = hachiku::Spoken)]
pub enum Spoken {
    /// The exact spelling in cards.
    Letters(Spelling),
    /// A reading or a written form; refused where several of its spellings are playable now.
    #[schema(examples("コート", "稲妻"))]
    Word(String),
}

/// What a player may write, before it is known to be one word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    #[serde(default, deserialize_with = "given")]
    letters: Option<Spelling>,
    #[serde(default, deserialize_with = "given")]
    word: Option<String>,
}

/// A field that is there has a value: null is none.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl TryFrom<Fields> for Spoken {
    type Error = Text;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        match fields {
            Fields { letters: Some(letters), word: None } => Ok(Self::Letters(letters)),
            Fields { letters: None, word: Some(word) } => Ok(Self::Word(word)),
            Fields { letters: Some(_), word: Some(_) } => Err(Text::fixed(
                "`letters` and `word` exclude each other: give the spelling in `letters`, or the word in `word`",
                "`letters` と `word` はどちらか一つです。綴りは `letters`、言葉は `word` に書いてください",
            )),
            Fields { letters: None, word: None } => Err(Text::fixed(
                "the word is missing: give its spelling in `letters`, or a reading or written form in `word`",
                "言葉がありません。綴りを `letters` に、読みか表記を `word` に書いてください",
            )),
        }
    }
}

/// A word that was judged: what lies on the table, and where it came from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = hachiku::Word)]
pub struct Word {
    /// The spelling in cards.
    pub letters: Spelling,
    /// What the player wrote, where it was not the spelling itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(examples("稲妻"))]
    pub written: Option<String>,
    /// The readings of this match's words that are spelled so; none where the opponent accepted the word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(examples(json!(["いなずま"])))]
    pub readings: Vec<String>,
}

/// What a seat gives when the field is empty.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = hachiku::FinalChoice)]
pub enum FinalChoice {
    /// No word.
    Pass,
    /// A word.
    Word(Word),
}

impl FinalChoice {
    /// The word's letters; a pass has none.
    pub(super) fn spelling(&self) -> Option<&Spelling> {
        match self {
            Self::Pass => None,
            Self::Word(word) => Some(&word.letters),
        }
    }
}
