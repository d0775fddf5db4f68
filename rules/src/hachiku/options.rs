//! What a match of 八築 may choose at its creation.

use dictionary::{ClassSet, FoldError, OwnWords, OwnWordsError, Policy};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::{Fault, Text};

/// The captures that win: from 5 to 40.
const TARGETS: std::ops::RangeInclusive<u8> = 5..=40;
/// Turns after which a match is cut off: from 20 to 2000.
const TURNS: std::ops::RangeInclusive<u16> = 20..=2000;
/// No word is shorter than two letters or longer than the 46 cards.
const LENGTHS: std::ops::RangeInclusive<u8> = 2..=46;

/// The options; the defaults are the rule text's standard match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = hachiku::Options)]
pub struct Options {
    /// The rule text's three targets.
    pub preset: Preset,
    /// The captures that win, 5 to 40; stands above `preset` where both are given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 5, maximum = 40)]
    pub capture_target: Option<u8>,
    /// The least number of letters of a word that wins by reaching the target, 2 to 46; none by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 2, maximum = 46)]
    pub finish_min_length: Option<u8>,
    /// The turns of both seats together after which the match is cut off, 20 to 2000.
    #[schema(minimum = 20, maximum = 2000)]
    pub max_turns: u16,
    /// The classes of words that count.
    pub word_policy: Policy,
    /// Readings that count beside the lexicon's, at most 200.
    #[schema(max_items = 200)]
    pub extra_words: Vec<String>,
    /// Readings whose letters do not count, at most 200, even if they are extra words.
    #[schema(max_items = 200)]
    pub banned_words: Vec<String>,
    /// What happens to a word that is not in the match's words.
    pub unknown_words: UnknownWords,
    /// Whether the opponent's hand is left out of views.
    pub closed_hands: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            preset: Preset::Standard,
            capture_target: None,
            finish_min_length: None,
            max_turns: 400,
            word_policy: Policy::default(),
            extra_words: Vec::new(),
            banned_words: Vec::new(),
            unknown_words: UnknownWords::Reject,
            closed_hands: false,
        }
    }
}

/// The rule text's three targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = hachiku::Preset)]
pub enum Preset {
    /// 15 captures.
    #[default]
    Standard,
    /// 13 captures.
    Light,
    /// 11 captures.
    Easy,
}

/// What happens to a word that is not in the match's words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = hachiku::UnknownWords)]
pub enum UnknownWords {
    /// It is refused.
    #[default]
    Reject,
    /// The opponent accepts or refuses it; among the final words it is refused.
    Ask,
}

impl Options {
    /// The captures that win: the explicit target, else the preset's.
    pub fn target(&self) -> u8 {
        self.capture_target.unwrap_or(match self.preset {
            Preset::Standard => 15,
            Preset::Light => 13,
            Preset::Easy => 11,
        })
    }

    /// Everything that is wrong with the values.
    pub(super) fn faults(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut range = |field: &str, value: Option<u16>, least: u16, most: u16| {
            if let Some(value) = value.filter(|value| !(least..=most).contains(value)) {
                faults.push(Fault::new(
                    format!("options.{field}"),
                    Text::new(
                        format!("{field} is from {least} to {most}, not {value}"),
                        format!("{field}は{least}から{most}までです（{value}でした）"),
                    ),
                ));
            }
        };
        range("capture_target", self.capture_target.map(u16::from), (*TARGETS.start()).into(), (*TARGETS.end()).into());
        range(
            "finish_min_length",
            self.finish_min_length.map(u16::from),
            (*LENGTHS.start()).into(),
            (*LENGTHS.end()).into(),
        );
        range("max_turns", Some(self.max_turns), *TURNS.start(), *TURNS.end());
        if self.word_policy.classes == ClassSet::EMPTY {
            faults.push(Fault::new(
                "options.word_policy.classes",
                Text::fixed(
                    "without a class no word counts; name at least one, or leave the policy out",
                    "種類が一つもなく、どの言葉も使えません。一つ以上指定するか、省いてください",
                ),
            ));
        }
        let none: &[String] = &[];
        let lists = [
            ("options.extra_words", OwnWords::new(self.extra_words.as_slice(), none)),
            ("options.banned_words", OwnWords::new(none, self.banned_words.as_slice())),
        ];
        faults.extend(lists.into_iter().filter_map(|(field, list)| Some(list_fault(field, &list.err()?))));
        faults
    }
}

fn list_fault(field: &str, error: &OwnWordsError) -> Fault {
    let message = match error {
        OwnWordsError::TooMany { limit, .. } => {
            Text::new(format!("there may be at most {limit} words"), format!("言葉は{limit}語までです"))
        }
        OwnWordsError::NotAReading { word, fault, .. } => not_a_reading(word, fault),
    };
    Fault::new(field, message)
}

fn not_a_reading(word: &str, fault: &FoldError) -> Text {
    Text::new(
        format!("“{word}” is not a reading: {fault}"),
        format!("「{word}」は読みではありません。{}", fault.message_ja()),
    )
}
