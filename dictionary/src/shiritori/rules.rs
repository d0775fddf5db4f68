//! The rules that people differ on, and the rulesets that have a name.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::ClassSet;

/// The version of the rulesets: it goes up when one of them changes its meaning.
pub const RULESET_VERSION: u32 = 1;

/// A named ruleset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// As most people play.
    #[default]
    Everyday,
    /// Common nouns only; ー and small kana are taken as they are written.
    Strict,
    /// As the cards of 八築 fold it.
    Hachiku,
}

/// What follows a word that ends in ー.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LongVowel {
    /// Its vowel: コーヒー → い.
    Vowel,
    /// The kana before it: コーヒー → ひ.
    Base,
}

/// What follows a word that ends in a small kana.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SmallKana {
    /// The same kana in full size: かいしゃ → や.
    Large,
    /// The whole mora: かいしゃ → しゃ.
    Mora,
}

/// Whether voiced marks matter between words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Voicing {
    /// か and が follow each other, は, ば and ぱ too.
    Loose,
    /// か is not が.
    Strict,
}

/// What a word that ends in ん does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinalN {
    /// It loses.
    Loses,
    /// It is followed by a word that begins with ん.
    Allowed,
}

/// Which words may not come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Repeats {
    /// No reading twice, however it is written.
    Forbidden,
    /// No written form twice: 橋 may follow 箸 later on.
    SameForm,
    /// Any word may come again.
    Allowed,
}

/// Whether ぢ is じ and づ is ず.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JiZu {
    /// They follow each other.
    Same,
    /// They do not.
    Distinct,
}

/// Rules as a client asks for them: a ruleset, and what shall differ from it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RuleOptions {
    /// The ruleset to begin with; `everyday` when nobody says.
    pub preset: Preset,
    /// `vowel` in `everyday` and `hachiku`, `base` in `strict`.
    pub long_vowel: Option<LongVowel>,
    /// `large` in `everyday` and `hachiku`, `mora` in `strict`.
    pub small_kana: Option<SmallKana>,
    /// `strict` in `everyday` and `strict`, `loose` in `hachiku`.
    pub voicing: Option<Voicing>,
    /// `loses` in every ruleset.
    pub n: Option<FinalN>,
    /// `forbidden` in every ruleset.
    pub repeats: Option<Repeats>,
    /// `distinct` in every ruleset.
    pub ji_zu: Option<JiZu>,
    /// The fewest kana of a word, marks not counted; 2 in every ruleset.
    #[schema(minimum = 1, maximum = 100)]
    pub min_length: Option<u8>,
    /// The word classes; `common` alone in `strict`, else the five classes of nouns.
    pub classes: Option<ClassSet>,
}

/// Rules with every question answered.
///
/// ```
/// use dictionary::shiritori::{LongVowel, Preset, RuleOptions, Rules};
/// let rules = Rules::from(&RuleOptions { preset: Preset::Strict, ..RuleOptions::default() });
/// assert_eq!(rules.long_vowel, LongVowel::Base);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, ToSchema)]
pub struct Rules {
    /// The ruleset that they began with.
    pub preset: Preset,
    /// The version of the rulesets.
    #[schema(example = 1)]
    pub version: u32,
    /// After a final ー.
    pub long_vowel: LongVowel,
    /// After a final small kana.
    pub small_kana: SmallKana,
    /// Between words.
    pub voicing: Voicing,
    /// A final ん.
    pub n: FinalN,
    /// Words that came before.
    pub repeats: Repeats,
    /// ぢ and じ, づ and ず.
    pub ji_zu: JiZu,
    /// The fewest kana of a word.
    pub min_length: u8,
    /// The word classes.
    pub classes: ClassSet,
}

impl From<Preset> for Rules {
    fn from(preset: Preset) -> Self {
        let everyday = Self {
            preset,
            version: RULESET_VERSION,
            long_vowel: LongVowel::Vowel,
            small_kana: SmallKana::Large,
            voicing: Voicing::Strict,
            n: FinalN::Loses,
            repeats: Repeats::Forbidden,
            ji_zu: JiZu::Distinct,
            min_length: 2,
            classes: ClassSet::NOUNS,
        };
        match preset {
            Preset::Everyday => everyday,
            Preset::Strict => Self {
                long_vowel: LongVowel::Base,
                small_kana: SmallKana::Mora,
                classes: ClassSet::of(crate::Class::Common),
                ..everyday
            },
            Preset::Hachiku => Self { voicing: Voicing::Loose, ..everyday },
        }
    }
}

impl From<&RuleOptions> for Rules {
    fn from(options: &RuleOptions) -> Self {
        let base = Self::from(options.preset);
        Self {
            long_vowel: options.long_vowel.unwrap_or(base.long_vowel),
            small_kana: options.small_kana.unwrap_or(base.small_kana),
            voicing: options.voicing.unwrap_or(base.voicing),
            n: options.n.unwrap_or(base.n),
            repeats: options.repeats.unwrap_or(base.repeats),
            ji_zu: options.ji_zu.unwrap_or(base.ji_zu),
            min_length: options.min_length.unwrap_or(base.min_length),
            classes: options.classes.unwrap_or(base.classes),
            ..base
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_options_change_a_ruleset_and_typos_are_refused() {
        let options: RuleOptions =
            serde_json::from_str(r#"{"preset":"strict","n":"allowed","classes":["verb"]}"#).unwrap();
        let rules = Rules::from(&options);
        assert_eq!((rules.n, rules.small_kana), (FinalN::Allowed, SmallKana::Mora));
        assert_eq!(rules.classes, ClassSet::of(crate::Class::Verb));
        for bad in [r#"{"preset":"easy"}"#, r#"{"longvowel":"base"}"#, r#"{"min_length":-1}"#] {
            assert!(serde_json::from_str::<RuleOptions>(bad).is_err(), "{bad}");
        }
    }
}
