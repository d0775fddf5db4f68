//! Does a chain of words hold?

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

use super::link::{begins, loses, starts_after_any};
use super::next::Game;
use super::rules::Repeats;
use super::said::{Repeated, Said};
use super::{MAX_CHAIN, RuleOptions, Rules, ShiritoriError, length_of, readings_of};
use crate::{Lexicon, OwnWords, Policy, Reason};

/// How many words that would have been accepted are shown.
const SHOWN: usize = 5;

/// Does this chain hold?
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ChainRequest {
    /// The words in order, 1 to 1,000, by reading or written form.
    #[schema(required = true, min_items = 1, max_items = 1000, example = json!(["しりとり", "りす", "すいか"]))]
    pub words: Vec<String>,
    /// The rules; `everyday` when nobody says.
    pub rules: RuleOptions,
    /// Readings that are words too.
    #[schema(max_items = 200)]
    pub extra: Vec<String>,
    /// Readings that are none.
    #[schema(max_items = 200)]
    pub banned: Vec<String>,
}

/// Why a word breaks the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChainReason {
    /// The lexicon does not have it, or it is banned.
    Unknown,
    /// The lexicon has it, in classes that the rules leave out.
    ClassNotAllowed,
    /// It is kana that has no letters.
    NoSpelling,
    /// It has fewer kana than the rules ask for.
    TooShort,
    /// It does not begin as the word before asks for.
    WrongStart,
    /// It was said before.
    Repeated,
    /// It ends in ん, and that loses.
    EndsInN,
}

/// The first word that breaks the chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChainError {
    /// Which word, from 0.
    pub index: usize,
    /// The rule that it breaks.
    pub reason: ChainReason,
    /// What it had to begin with: one of these. Empty for the first word.
    pub expected: Vec<String>,
    /// Some words that would have been accepted there, the most common first.
    pub accepted: Vec<String>,
}

/// What a word of the chain was taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChainWord<'a> {
    /// The word as it was given.
    pub input: &'a str,
    /// The readings with which the chain holds: several where a written form leaves it open.
    pub readings: Vec<String>,
}

/// Whether a chain holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ChainAnswer<'a> {
    /// The version of the lexicon.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub lexicon: &'a str,
    /// The rules in full.
    pub rules: Rules,
    /// Whether the whole chain holds.
    pub valid: bool,
    /// Whether the words can be read in so many ways that the search for one in which no reading
    /// comes twice was broken off: what is said to hold was then not found to break, no more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unproven: bool,
    /// The first word that breaks it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_error: Option<ChainError>,
    /// What the next word must begin with, after the part of the chain that holds: one of these.
    #[schema(example = json!(["か"]))]
    pub next_must_start_with: Vec<String>,
    /// Whether no word of the lexicon can follow the part of the chain that holds.
    pub dead_end: bool,
    /// The words of the part that holds.
    pub words: Vec<ChainWord<'a>>,
}

impl Lexicon {
    /// Judges a chain of しりとり.
    ///
    /// # Errors
    /// When the request makes no sense; a broken chain is an answer, not an error.
    pub fn check_chain<'a>(&'a self, request: &'a ChainRequest) -> Result<ChainAnswer<'a>, ShiritoriError> {
        if request.words.is_empty() || request.words.len() > MAX_CHAIN {
            return Err(ShiritoriError::Count { list: "words", least: 1 });
        }
        let rules = Rules::from(&request.rules);
        let own = OwnWords::new(&request.extra, &request.banned)?;
        let mut chain =
            Chain { lexicon: self, rules: &rules, own: &own, said: Said::new(&rules), forms: HashSet::new() };
        let broken = request.words.iter().find_map(|word| chain.say(word).err());
        chain.said.prune();
        let starts = chain.starts();
        let index = chain.said.words().len();
        let dead_end = index > 0 && chain.is_dead_end(&starts);
        let first_error = broken.map(|reason| ChainError {
            index,
            reason,
            expected: starts.clone(),
            accepted: chain.accepted(&starts),
        });
        let unproven = !chain.said.is_certain();
        let readings = chain.said.words().iter().cloned();
        let words = request.words.iter().zip(readings).map(|(input, readings)| ChainWord { input, readings }).collect();
        Ok(ChainAnswer {
            lexicon: self.version(),
            valid: first_error.is_none(),
            unproven,
            first_error,
            next_must_start_with: starts,
            dead_end,
            words,
            rules,
        })
    }
}

/// The part of a chain that holds.
struct Chain<'r> {
    lexicon: &'r Lexicon,
    rules: &'r Rules,
    own: &'r OwnWords,
    said: Said<'r>,
    /// The words as they were written.
    forms: HashSet<String>,
}

impl<'r> Chain<'r> {
    /// What the next word must begin with; nothing before the first word.
    fn starts(&self) -> Vec<String> {
        self.said.words().last().map_or_else(Vec::new, |readings| starts_after_any(readings, self.rules))
    }

    /// Adds a word, or tells what is wrong with it.
    fn say(&mut self, input: &str) -> Result<(), ChainReason> {
        let policy = Policy { classes: self.rules.classes };
        let verdict = self.lexicon.judge(input, &policy, self.own);
        match verdict.reason {
            None => {}
            Some(Reason::Unknown | Reason::NotKana) => return Err(ChainReason::Unknown),
            Some(Reason::ClassNotAllowed) => return Err(ChainReason::ClassNotAllowed),
            Some(Reason::NoSpelling) => return Err(ChainReason::NoSpelling),
        }
        let lists = self.lexicon.lists(self.own);
        let mut readings = readings_of(self.lexicon, input, policy.classes, lists).map_err(|_| ChainReason::Unknown)?;
        readings.retain(|reading| !lists.bans(reading));
        let mut keep = |reason, test: &dyn Fn(&str) -> bool| {
            readings.retain(|reading| test(reading));
            if readings.is_empty() { Err(reason) } else { Ok(()) }
        };
        keep(ChainReason::TooShort, &|reading| length_of(reading) >= self.rules.min_length.into())?;
        if !self.said.words().is_empty() {
            let starts = self.starts();
            keep(ChainReason::WrongStart, &|reading| starts.iter().any(|start| begins(reading, start)))?;
        }
        let form = form_of(input);
        if self.rules.repeats == Repeats::SameForm && self.forms.contains(&form) {
            return Err(ChainReason::Repeated);
        }
        keep(ChainReason::EndsInN, &|reading| !loses(reading, self.rules))?;
        self.said.add(readings).map_err(|Repeated| ChainReason::Repeated)?;
        self.forms.insert(form);
        Ok(())
    }

    /// The game with the words that may not come again.
    fn game(&self, used: HashSet<String>) -> Game<'r, 'r> {
        Game { lexicon: self.lexicon, rules: self.rules, lists: self.lexicon.lists(self.own), used }
    }

    fn is_dead_end(&mut self, starts: &[String]) -> bool {
        let used = self.said.used();
        self.game(used).is_dead_end(starts)
    }

    /// Some words that would be accepted now.
    fn accepted(&mut self, starts: &[String]) -> Vec<String> {
        let used = match self.rules.repeats {
            // A reading can come again in another form: what is shown here is written in hiragana.
            Repeats::SameForm => self.forms.clone(),
            Repeats::Forbidden | Repeats::Allowed => self.said.used(),
        };
        self.game(used).most_common(starts, SHOWN)
    }
}

/// A word as it is written: full-width and half-width forms are one.
fn form_of(input: &str) -> String {
    input.nfkc().collect()
}
