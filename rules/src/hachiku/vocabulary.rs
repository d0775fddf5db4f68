//! The words of one match: the lexicon's under the match's options.

use std::ops::ControlFlow;

use dictionary::{ClassSet, Letter, LetterSet, Lexicon, OwnWords, Policy, Spelling};

use super::options::Options;
use super::refusal::Unknown;

/// What the options say about words, read.
///
/// Cards have no marks, so a ban is of letters: whoever bans ねこ has banned ねご as well.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    policy: Policy,
    own: OwnWords,
}

impl Vocabulary {
    /// The words of options that have passed their check.
    pub fn new(options: &Options) -> Self {
        let own = OwnWords::new(&options.extra_words, &options.banned_words).unwrap_or_default();
        Self { policy: options.word_policy, own }
    }

    /// Whether the letters spell one of the match's words.
    pub fn has(&self, letters: &[Letter], lexicon: &Lexicon) -> bool {
        lexicon.is_word(letters, &self.policy, &self.own)
    }

    /// Why letters that spell none of the match's words do not.
    pub fn why_not(&self, letters: &[Letter], lexicon: &Lexicon) -> Unknown {
        let any = Policy { classes: ClassSet::ALL };
        if lexicon.is_banned(letters, &self.own) {
            Unknown::Banned
        } else if lexicon.is_word(letters, &any, &self.own) {
            Unknown::Class
        } else {
            Unknown::Unlisted
        }
    }

    /// Every spelling of a reading or a written form, known or not.
    pub fn spellings(&self, text: &str, lexicon: &Lexicon) -> Vec<Spelling> {
        lexicon.spellings_of(text, &self.policy, &self.own)
    }

    /// The readings of the match's words that are spelled so.
    pub fn readings(&self, letters: &[Letter], lexicon: &Lexicon) -> Vec<String> {
        let readings = lexicon.readings_of(letters, &self.policy, &self.own);
        readings.into_iter().map(str::to_owned).collect()
    }

    /// Visits the words that begin with a head and go on in different cards of a hand.
    pub fn playable(
        &self,
        head: Letter,
        hand: LetterSet,
        lexicon: &Lexicon,
        visit: &mut dyn FnMut(&[Letter]) -> ControlFlow<()>,
    ) {
        lexicon.playable(head, hand, &self.policy, &self.own, visit);
    }
}
