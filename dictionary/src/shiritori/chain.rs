//! Does a chain of words hold?

use std::borrow::Cow;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

use super::link::{begins, loses, starts_after};
use super::next::{Game, NextOrder};
use super::rules::Repeats;
use super::{MAX_CHAIN, RuleOptions, Rules, ShiritoriError, length_of, readings_of};
use crate::own::Lists;
use crate::search::Cursor;
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
        let lists = self.lists(&own);
        let mut chain = Chain { lexicon: self, rules: &rules, own: &own, links: Vec::new(), said: HashSet::new() };
        let broken = request.words.iter().find_map(|word| chain.say(word).err());
        chain.settle();
        let starts = chain.starts().unwrap_or_default();
        let index = chain.links.len();
        let following = chain.following(lists, &starts);
        let dead_end = index > 0 && following.is_empty();
        let words = chain.links;
        let first_error =
            broken.map(|reason| ChainError { index, reason, expected: starts.clone(), accepted: following });
        Ok(ChainAnswer {
            lexicon: self.version(),
            valid: first_error.is_none(),
            first_error,
            next_must_start_with: starts,
            dead_end,
            words,
            rules,
        })
    }
}

/// The part of a chain that holds.
struct Chain<'a, 'r> {
    lexicon: &'a Lexicon,
    rules: &'r Rules,
    own: &'r OwnWords,
    links: Vec<ChainWord<'a>>,
    /// Readings and written forms that may not come again.
    said: HashSet<String>,
}

impl<'a> Chain<'a, '_> {
    /// What the next word must begin with; None before the first word.
    fn starts(&self) -> Option<Vec<String>> {
        let last = self.links.last()?;
        let mut starts: Vec<_> = last.readings.iter().flat_map(|reading| starts_after(reading, self.rules)).collect();
        starts.sort_unstable();
        starts.dedup();
        Some(starts)
    }

    /// Adds a word, or tells what is wrong with it.
    fn say(&mut self, input: &'a str) -> Result<(), ChainReason> {
        let policy = Policy { classes: self.rules.classes };
        let verdict = self.lexicon.judge(input, &policy, self.own);
        match verdict.reason {
            None => {}
            Some(Reason::Unknown | Reason::NotKana) => return Err(ChainReason::Unknown),
            Some(Reason::ClassNotAllowed) => return Err(ChainReason::ClassNotAllowed),
            Some(Reason::NoSpelling) => return Err(ChainReason::NoSpelling),
        }
        let mut readings = readings_of(self.lexicon, input, policy.classes).map_err(|_| ChainReason::Unknown)?;
        let lists = self.lexicon.lists(self.own);
        readings.retain(|reading| !lists.bans(reading));
        let mut keep = |reason, test: &dyn Fn(&str) -> bool| {
            readings.retain(|reading| test(reading));
            if readings.is_empty() { Err(reason) } else { Ok(()) }
        };
        keep(ChainReason::TooShort, &|reading| length_of(reading) >= self.rules.min_length.into())?;
        if let Some(starts) = self.starts() {
            keep(ChainReason::WrongStart, &|reading| starts.iter().any(|start| begins(reading, start)))?;
        }
        let form = format!("form {}", input.nfkc().collect::<String>());
        let again = self.said.contains(&form);
        keep(ChainReason::Repeated, &|reading| match self.rules.repeats {
            Repeats::Allowed => true,
            Repeats::SameForm => !again,
            Repeats::Forbidden => !again && !self.said.contains(reading),
        })?;
        keep(ChainReason::EndsInN, &|reading| !loses(reading, self.rules))?;
        // A written form that leaves its reading open has used none of them up.
        if let [only] = &readings[..] {
            self.said.insert(only.clone());
        }
        self.said.insert(form);
        self.links.push(ChainWord { input, readings });
        Ok(())
    }

    /// Takes away readings that the word after does not follow.
    fn settle(&mut self) {
        for place in (1..self.links.len()).rev() {
            let (before, after) = self.links.split_at_mut(place);
            let (before, after) = (&mut before[place - 1].readings, &after[0].readings);
            before.retain(|reading| {
                let starts = starts_after(reading, self.rules);
                after.iter().any(|word| starts.iter().any(|start| begins(word, start)))
            });
        }
    }

    /// Some words that can follow.
    fn following(&self, lists: Lists<'_>, starts: &[String]) -> Vec<String> {
        let mut used: Vec<String> = self.links.iter().flat_map(|link| link.readings.iter().cloned()).collect();
        used.sort_unstable();
        let game = Game { lexicon: self.lexicon, rules: self.rules, lists, used };
        let words = game.following(starts, NextOrder::Common, Cursor::default(), SHOWN);
        words.into_iter().map(|(_, word)| Cow::into_owned(word.reading)).collect()
    }
}
