//! The words of one match: the lexicon's under the match's options.

use std::collections::HashSet;
use std::ops::ControlFlow;

use dictionary::{ClassSet, Letter, LetterSet, Lexicon, OwnWords, Policy, Spelling, fold};

use super::options::Options;
use super::refusal::Unknown;

/// What the options say about words, read.
///
/// Cards have no marks, so a ban is of letters: whoever bans ねこ has banned ねご as well.
#[derive(Clone, Debug)]
pub(super) struct Vocabulary {
    policy: Policy,
    extra: OwnWords,
    banned: HashSet<Spelling>,
}

impl Vocabulary {
    /// The words of options that have passed their check.
    pub fn new(options: &Options) -> Self {
        let none: &[String] = &[];
        Self {
            policy: options.word_policy,
            extra: OwnWords::new(options.extra_words.as_slice(), none).unwrap_or_default(),
            banned: options
                .banned_words
                .iter()
                .filter_map(|word| fold(word).ok())
                .flat_map(|word| word.spellings)
                .collect(),
        }
    }

    fn bans(&self, letters: &[Letter]) -> bool {
        !self.banned.is_empty() && self.banned.contains(letters)
    }

    /// Whether the letters spell one of the match's words.
    pub fn has(&self, letters: &[Letter], lexicon: &Lexicon) -> bool {
        !self.bans(letters) && lexicon.is_word(letters, &self.policy, &self.extra)
    }

    /// Why letters that spell none of the match's words do not.
    pub fn why_not(&self, letters: &[Letter], lexicon: &Lexicon) -> Unknown {
        let any = Policy { classes: ClassSet::ALL };
        if self.bans(letters) {
            Unknown::Banned
        } else if lexicon.is_word(letters, &any, &self.extra) {
            Unknown::Class
        } else if lexicon.entries(letters).next().is_some() {
            // The lexicon has it in some class and yet in none: the server bans it.
            Unknown::Banned
        } else {
            Unknown::Unlisted
        }
    }

    /// Every spelling of a reading or a written form, known or not, and whether the server bans it.
    pub fn spellings(&self, text: &str, lexicon: &Lexicon) -> (Vec<Spelling>, bool) {
        let verdict = lexicon.judge(text, &self.policy, &self.extra);
        (verdict.spellings, verdict.banned)
    }

    /// The readings of the match's words that are spelled so.
    pub fn readings(&self, letters: &Spelling, lexicon: &Lexicon) -> Vec<String> {
        let listed = lexicon.entries(letters.letters()).filter(|entry| self.policy.classes.contains(entry.class));
        let is_spelled = |reading: &&str| fold(reading).is_ok_and(|folded| folded.spellings.contains(letters));
        let extra = self.extra.extra().filter(is_spelled);
        let mut readings: Vec<_> = listed.map(|entry| entry.reading).chain(extra).map(str::to_owned).collect();
        readings.sort_unstable();
        readings.dedup();
        readings
    }

    /// Visits the words that begin with a head and go on in different cards of a hand.
    pub fn playable(
        &self,
        head: Letter,
        hand: LetterSet,
        lexicon: &Lexicon,
        visit: &mut dyn FnMut(&[Letter]) -> ControlFlow<()>,
    ) {
        lexicon.playable(head, hand, &self.policy, &self.extra, &mut |letters| {
            if self.bans(letters) { ControlFlow::Continue(()) } else { visit(letters) }
        });
    }
}
