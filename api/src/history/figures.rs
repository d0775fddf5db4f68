//! Figures of a summary, from what is counted.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::games::{Figure, Form};
use super::intervals::{Distribution, Rate};
use super::sheet::{Measure, Row, Tally};

/// The most rows of a figure that only gives its first ones.
pub const TOP: usize = 50;
/// A key is used at least so often before its rate is compared with others'.
pub const LEAST_USED: i64 = 10;

/// A rate with what it is of.
#[derive(Clone, Serialize, ToSchema)]
pub struct KeyRate {
    /// What it is of: a seat, a move, a word, a total, …
    #[schema(examples("18"))]
    pub key: String,
    /// How often, how often so, and the interval.
    #[serde(flatten)]
    pub rate: Rate,
    /// What the rules and chance alone would make it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples(0.5))]
    pub expected: Option<f64>,
}

/// A figure of a game's own.
#[derive(Serialize, ToSchema)]
#[schema(as = Figure)]
pub struct FigureBody {
    /// What it says.
    pub meaning: &'static str,
    /// By key, in order; where there are too many, the 50 that are used most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates: Option<Vec<KeyRate>>,
    /// Where there are too many: the 50 of the best rates, by the lower end of their intervals, of
    /// those used 10 times or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Vec<KeyRate>>,
    /// How values are spread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Distribution>,
}

/// What is counted, by measure and key.
#[derive(Default)]
pub struct Counts(BTreeMap<String, BTreeMap<String, Tally>>);

impl Counts {
    /// Adds a row.
    pub fn add(&mut self, (measure, key, n, hits, sum, squares): Row) {
        self.0.entry(measure).or_default().entry(key).or_default().add(Tally { n, hits, sum, squares });
    }

    fn keys(&self, measure: Measure) -> impl Iterator<Item = (&str, Tally)> {
        self.0.get(measure.0).into_iter().flatten().map(|(key, tally)| (key.as_str(), *tally))
    }

    /// How many there are of a measure, whatever the key.
    pub fn total(&self, measure: Measure) -> i64 {
        self.keys(measure).map(|(_, tally)| tally.n).sum()
    }

    /// A rate for each key: numbers in their order, then names in theirs.
    pub fn rates(&self, measure: Measure, expected: fn(&str) -> Option<f64>) -> Vec<KeyRate> {
        let rate = |(key, tally): (&str, Tally)| KeyRate {
            key: key.to_owned(),
            rate: Rate::new(tally.hits, tally.n),
            expected: expected(key),
        };
        let mut rates: Vec<_> = self.keys(measure).map(rate).collect();
        rates.sort_by_cached_key(|rate| (rate.key.parse::<u64>().unwrap_or(u64::MAX), rate.key.clone()));
        rates
    }

    /// The keys that were used most, with their rates.
    pub fn most(&self, measure: Measure) -> Vec<KeyRate> {
        let mut rates = self.rates(measure, |_| None);
        rates.sort_by(|one, other| other.rate.n.cmp(&one.rate.n).then_with(|| one.key.cmp(&other.key)));
        rates.truncate(TOP);
        rates
    }

    /// The keys of the best rates, by the lower ends of their intervals.
    pub fn best(&self, measure: Measure) -> Vec<KeyRate> {
        let low = |rate: &KeyRate| rate.rate.interval.map_or(0.0, |[low, _]| low);
        let mut rates = self.rates(measure, |_| None);
        rates.retain(|rate| rate.rate.n >= LEAST_USED);
        rates.sort_by(|one, other| low(other).total_cmp(&low(one)).then_with(|| one.key.cmp(&other.key)));
        rates.truncate(TOP);
        rates
    }

    /// Each key's share of all.
    pub fn shares(&self, measure: Measure) -> Vec<KeyRate> {
        let all = self.total(measure);
        let share = |(key, tally): (&str, Tally)| KeyRate {
            key: key.to_owned(),
            rate: Rate::new(tally.n, all),
            expected: None,
        };
        self.keys(measure).map(share).collect()
    }

    /// How the values of a measure are spread, one of its values being `unit` of the answer's.
    pub fn values(&self, measure: Measure, unit: f64) -> Distribution {
        let (mut sum, mut squares) = (0.0, 0.0);
        let mut buckets: Vec<(u32, i64)> = Vec::new();
        for (key, tally) in self.keys(measure) {
            sum += tally.sum;
            squares += tally.squares;
            buckets.extend(key.parse().ok().map(|bucket| (bucket, tally.n)));
        }
        buckets.sort_unstable();
        Distribution::new(&buckets, sum, squares, unit)
    }

    /// A figure of a game's own.
    pub fn figure(&self, figure: &Figure) -> FigureBody {
        let mut body = FigureBody { meaning: figure.meaning, rates: None, best: None, values: None };
        match figure.form {
            Form::Rates(expected) => body.rates = Some(self.rates(figure.measure, expected)),
            Form::Shares => body.rates = Some(self.shares(figure.measure)),
            Form::Values => body.values = Some(self.values(figure.measure, 1.0)),
            Form::Top => {
                body.rates = Some(self.most(figure.measure));
                body.best = Some(self.best(figure.measure));
            }
        }
        body
    }
}
