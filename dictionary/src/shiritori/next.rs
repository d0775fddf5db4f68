//! The words that can come next.

use std::borrow::Cow;
use std::collections::{BTreeSet, BinaryHeap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::{Answers, can_be_said, is_listed};
use super::link::{Tail, alike, begins, starts_after, starts_after_any, tail_of};
use super::rules::Repeats;
use super::{MAX_CHAIN, RuleOptions, Rules, ShiritoriError, readings_of};
use crate::fold::{Kana, as_read_today, modern};
use crate::own::Lists;
use crate::search::{Cursor, DEFAULT_LIMIT, MAX_LIMIT};
use crate::{Class, Entry, Forms, Lexicon, OwnWords};

/// In which order the next words are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NextOrder {
    /// The most common first.
    #[default]
    Common,
    /// The shortest first.
    Length,
    /// Those first that leave the opponent the fewest answers; among equals the most common.
    FewestAnswers,
}

/// What may come next?
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NextRequest {
    /// The word before, by reading or written form. Either this or `starts_with`.
    #[schema(example = "しりとり")]
    pub after: Option<String>,
    /// What the word must begin with, in kana.
    pub starts_with: Option<String>,
    /// The words said so far, at most 1,000; none of them is offered, whatever the rules say of
    /// repeats. A written form counts with all its readings.
    pub used: Vec<String>,
    /// The rules; `everyday` when nobody says.
    pub rules: RuleOptions,
    /// The order of the answer.
    pub order: NextOrder,
    /// How many words to give, 1 to 500; the default is 50.
    #[schema(minimum = 1, maximum = 500)]
    pub limit: Option<usize>,
    /// `next_cursor` of the page before, with everything else as it was.
    pub cursor: Option<String>,
    /// Readings that are words too.
    #[schema(max_items = 200)]
    pub extra: Vec<String>,
    /// Readings that are none.
    #[schema(max_items = 200)]
    pub banned: Vec<String>,
}

/// A word that can come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NextWord<'a> {
    /// The reading in hiragana.
    #[schema(example = "りす")]
    pub reading: Cow<'a, str>,
    /// The written forms, sorted.
    pub forms: Forms<'a>,
    /// The word class; `other` for a word that only the caller or the server adds.
    pub class: Class,
    /// How many words could answer it by the rules; with the order `fewest_answers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<usize>,
}

/// The words that can come next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NextAnswer<'a> {
    /// The version of the lexicon.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub lexicon: &'a str,
    /// The rules in full.
    pub rules: Rules,
    /// What the word must begin with: one of these.
    #[schema(example = json!(["り"]))]
    pub next_must_start_with: Vec<String>,
    /// The readings of `after`, where it is a written form with several: all of them were taken;
    /// send one instead to choose it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// The words in order. Words that only the caller or the server adds come after the others.
    pub words: Vec<NextWord<'a>>,
    /// Whether no word can follow by the rules: where words may come again, used ones can.
    pub dead_end: bool,
    /// Where the next page begins, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

impl Lexicon {
    /// The words that can come next in a game of しりとり.
    ///
    /// # Errors
    /// When the request makes no sense.
    pub fn next_words(&self, request: &NextRequest) -> Result<NextAnswer<'_>, ShiritoriError> {
        let rules = Rules::from(&request.rules);
        let own = OwnWords::new(&request.extra, &request.banned)?;
        let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            return Err(ShiritoriError::Limit);
        }
        if request.used.len() > MAX_CHAIN {
            return Err(ShiritoriError::Count { list: "used", least: 0 });
        }
        let question = NextRequest { cursor: None, limit: None, ..request.clone() };
        let tag = Cursor::tag(&(self.version(), &question));
        let from = match &request.cursor {
            Some(text) => Cursor::read(text, tag).ok_or(ShiritoriError::Cursor)?,
            None => Cursor::default(),
        };
        let lists = self.lists(&own);
        let used =
            request.used.iter().flat_map(|word| readings_of(self, word, rules.classes, lists).unwrap_or_default());
        let mut used: HashSet<String> = used.map(|reading| as_read_today(&reading).into_owned()).collect();
        let (starts, candidates) = match (&request.after, &request.starts_with) {
            (Some(word), None) => {
                let readings = readings_of(self, word, rules.classes, lists)
                    .map_err(|fault| ShiritoriError::Text { parameter: "after", fault })?;
                used.extend(readings.iter().map(|reading| as_read_today(reading).into_owned()));
                let starts = starts_after_any(&readings, &rules);
                (starts, if readings.len() > 1 { readings } else { Vec::new() })
            }
            (None, Some(text)) => {
                let kana =
                    Kana::parse(text).map_err(|fault| ShiritoriError::Text { parameter: "starts_with", fault })?;
                let start: String = kana.reading.chars().map(modern).collect();
                (alike(&start, &rules), Vec::new())
            }
            _ => return Err(ShiritoriError::AfterOrStart),
        };
        let game = Game { lexicon: self, rules: &rules, lists, used };
        // One more than the page tells whether there is a next one.
        let mut words = game.following(&starts, request.order, from, limit + 1);
        let dead_end = words.is_empty() && game.is_dead_end(&starts);
        let next_cursor = (words.len() > limit).then(|| words[limit].0.write(tag));
        words.truncate(limit);
        Ok(NextAnswer {
            lexicon: self.version(),
            next_must_start_with: starts,
            candidates,
            words: words.into_iter().map(|(_, word)| word).collect(),
            dead_end,
            next_cursor,
            rules,
        })
    }
}

/// A game as far as it has come.
pub(super) struct Game<'a, 'l> {
    pub lexicon: &'l Lexicon,
    pub rules: &'a Rules,
    pub lists: Lists<'a>,
    /// The readings, as read today, that are not to be given again.
    pub used: HashSet<String>,
}

impl<'l> Game<'_, 'l> {
    /// The words that begin so and can be said, from a place on, each with its place.
    pub fn following(
        &self,
        starts: &[String],
        order: NextOrder,
        from: Cursor,
        count: usize,
    ) -> Vec<(Cursor, NextWord<'l>)> {
        let answers = (order == NextOrder::FewestAnswers)
            .then(|| Answers::new(self.lexicon, self.rules, self.lists, &self.used_up()));
        let mut leaves = Leaves { rules: self.rules, answers, by_tail: HashMap::new() };
        let mut best = BinaryHeap::with_capacity(count + 1);
        if from.measure != Cursor::OWN {
            for (row, start, entry) in self.readings(starts) {
                let measure = match order {
                    NextOrder::Common => u32::from(entry.rank.unwrap_or(u8::MAX)),
                    NextOrder::Length => entry.reading.chars().count() as u32,
                    NextOrder::FewestAnswers => {
                        let left = leaves.of(entry.reading).unwrap_or_default() as u32;
                        left << 8 | u32::from(entry.rank.unwrap_or(u8::MAX))
                    }
                };
                let place = Cursor { measure, key: row, row: 0 };
                let is_late = best.len() == count && best.peek().is_some_and(|worst| place > *worst);
                if place >= from && !is_late && self.can_come(start, entry.reading, &self.used) {
                    best.push(place);
                    if best.len() > count {
                        best.pop();
                    }
                }
            }
        }
        let entry = |place: &Cursor| self.lexicon.words().row(place.key);
        let mut found: Vec<_> = best
            .into_sorted_vec()
            .into_iter()
            .filter_map(|place| entry(&place).map(|entry| (place, entry)))
            .map(|(place, Entry { reading, forms, class, .. })| {
                let leaves = leaves.of(reading);
                (place, NextWord { reading: reading.into(), forms, class, leaves })
            })
            .collect();
        let skipped = if from.measure == Cursor::OWN { from.row } else { 0 };
        for (row, reading) in self.own(starts, &self.used).into_iter().enumerate().skip(skipped) {
            let leaves = leaves.of(&reading);
            let word = NextWord { reading: reading.into(), forms: Forms::default(), class: Class::Other, leaves };
            found.push((Cursor { measure: Cursor::OWN, key: 0, row }, word));
        }
        found.truncate(count);
        found
    }

    /// The readings of the most common words that begin so and can be said.
    pub fn most_common(&self, starts: &[String], count: usize) -> Vec<String> {
        let words = self.following(starts, NextOrder::Common, Cursor::default(), count);
        words.into_iter().map(|(_, word)| word.reading.into_owned()).collect()
    }

    /// Whether the rules let no word follow that begins so.
    pub fn is_dead_end(&self, starts: &[String]) -> bool {
        let used = self.used_up();
        !self.readings(starts).any(|(_, start, entry)| self.can_come(start, entry.reading, &used))
            && self.own(starts, &used).is_empty()
    }

    /// The readings that the rules do not let come again.
    fn used_up(&self) -> Cow<'_, HashSet<String>> {
        match self.rules.repeats {
            Repeats::Forbidden => Cow::Borrowed(&self.used),
            Repeats::SameForm | Repeats::Allowed => Cow::default(),
        }
    }

    /// One entry of an allowed class for each reading that may begin so, with its start and the
    /// number of its row.
    fn readings<'g>(&'g self, starts: &'g [String]) -> impl Iterator<Item = (usize, &'g str, Entry<'l>)> + 'g {
        let words = self.lexicon.words();
        let rows = starts
            .iter()
            .flat_map(move |start| words.rows_beginning(start).into_iter().flatten().map(move |row| (start, row)));
        let mut last = "";
        rows.filter_map(move |(start, row)| {
            let entry = words.row(row)?;
            let is_new = self.rules.classes.contains(entry.class) && entry.reading != last;
            is_new.then(|| {
                last = entry.reading;
                (row, start.as_str(), entry)
            })
        })
    }

    /// Whether a reading begins so and can be said.
    fn can_come(&self, start: &str, reading: &str, used: &HashSet<String>) -> bool {
        begins(reading, start)
            && can_be_said(reading, self.rules)
            && self.is_free(reading, used)
            && self.is_listed(reading)
    }

    fn is_free(&self, reading: &str, used: &HashSet<String>) -> bool {
        !self.lists.bans(reading) && !used.contains(&*as_read_today(reading))
    }

    /// Whether a word is given under this reading: えびす and ゑびす are one.
    fn is_listed(&self, reading: &str) -> bool {
        is_listed(self.lexicon, reading, self.rules)
    }

    /// The words that begin so and that only lists know, sorted.
    fn own(&self, starts: &[String], used: &HashSet<String>) -> Vec<String> {
        let words: BTreeSet<&str> = self
            .lists
            .extra()
            .filter(|word| starts.iter().any(|start| begins(word, start)))
            .filter(|word| can_be_said(word, self.rules) && self.is_free(word, used))
            .filter(|word| !self.lexicon.has_reading(word, self.rules.classes))
            .collect();
        words.into_iter().map(String::from).collect()
    }
}

/// How many answers each word leaves, remembered by what decides what may follow it.
struct Leaves<'r> {
    rules: &'r Rules,
    answers: Option<Answers>,
    by_tail: HashMap<Tail, (Vec<String>, usize)>,
}

impl Leaves<'_> {
    /// None where nobody asked for it.
    fn of(&mut self, reading: &str) -> Option<usize> {
        let (rules, answers) = (self.rules, self.answers.as_ref()?);
        let (starts, all) = self.by_tail.entry(tail_of(reading)).or_insert_with(|| {
            let starts = starts_after(reading, rules);
            let all = answers.count(&starts);
            (starts, all)
        });
        // A word that could answer itself is no answer once it is said, where none may come again.
        let itself = rules.repeats == Repeats::Forbidden && starts.iter().any(|start| begins(reading, start));
        Some(all.saturating_sub(itself.into()))
    }
}
