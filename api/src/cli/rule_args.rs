//! The rules of しりとり as flags.

use clap::Args;
use dictionary::Class;
use dictionary::shiritori::{FinalN, JiZu, LongVowel, Preset, Repeats, RuleOptions, SmallKana, Voicing};
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};

/// A ruleset, and what shall differ from it.
#[derive(Args, Debug, Default)]
pub(super) struct RuleArgs {
    /// The ruleset: everyday, strict or hachiku [default: everyday].
    #[arg(long, value_parser = named::<Preset>)]
    preset: Option<Preset>,
    /// After a final ー: vowel (コーヒー → い) or base (→ ひ).
    #[arg(long, value_parser = named::<LongVowel>)]
    long_vowel: Option<LongVowel>,
    /// After a final small kana: large (かいしゃ → や) or mora (→ しゃ).
    #[arg(long, value_parser = named::<SmallKana>)]
    small_kana: Option<SmallKana>,
    /// Voiced marks between words: loose or strict.
    #[arg(long, value_parser = named::<Voicing>)]
    voicing: Option<Voicing>,
    /// A final ん: loses or allowed.
    #[arg(long, value_parser = named::<FinalN>)]
    n: Option<FinalN>,
    /// Words that came before: forbidden, `same_form` or allowed.
    #[arg(long, value_parser = named::<Repeats>)]
    repeats: Option<Repeats>,
    /// ぢ and じ, づ and ず: same or distinct.
    #[arg(long, value_parser = named::<JiZu>)]
    ji_zu: Option<JiZu>,
    /// The fewest kana of a word.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=100))]
    min_length: Option<u8>,
    /// The word classes that count, with commas between.
    #[arg(long, value_delimiter = ',')]
    class: Option<Vec<Class>>,
}

/// A value by its name in JSON.
pub(super) fn named<T: DeserializeOwned>(name: &str) -> Result<T, Error> {
    T::deserialize(StrDeserializer::new(name))
}

impl From<RuleArgs> for RuleOptions {
    fn from(args: RuleArgs) -> Self {
        Self {
            preset: args.preset.unwrap_or_default(),
            long_vowel: args.long_vowel,
            small_kana: args.small_kana,
            voicing: args.voicing,
            n: args.n,
            repeats: args.repeats,
            ji_zu: args.ji_zu,
            min_length: args.min_length,
            classes: args.class.map(|classes| classes.into_iter().collect()),
        }
    }
}
