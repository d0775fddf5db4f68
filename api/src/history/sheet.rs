//! What one match adds to the counts: for each measure and key how often, how often so, and sums.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A measure: what is counted. The keys under it say of what kind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Measure(pub &'static str);

impl Measure {
    /// Decisions of a match, by [`bucket`].
    pub const LENGTH: Self = Self("length");
    /// Milliseconds from the start of a match to its end, by [`bucket`].
    pub const DURATION: Self = Self("duration");
    /// Matches by seat; hits are those that it won.
    pub const SEAT: Self = Self("seat");
    /// Matches by the first token of their line; hits are those that its seat won.
    pub const FIRST_MOVE: Self = Self("first_move");
    /// Matches by the reason of their end.
    pub const REASON: Self = Self("reason");
    /// Milliseconds that humans took for a decision, by [`bucket`].
    pub const HUMAN_DECISION: Self = Self("decision_human");
    /// Milliseconds that bots took for a decision, by [`bucket`].
    pub const BOT_DECISION: Self = Self("decision_bot");
}

/// A count with what belongs to it.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// How many.
    pub n: i64,
    /// How many of them were so.
    pub hits: i64,
    /// The sum of their values, where they have any.
    pub sum: f64,
    /// The sum of the squares of the values.
    pub squares: f64,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: Self) {
        self.n += other.n;
        self.hits += other.hits;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// A key under which a measure is counted.
pub type Entry = (Measure, String);

/// What is counted of one match, or of many.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Sheet(BTreeMap<Entry, Tally>);

impl Sheet {
    /// Counts one more, which was so or not.
    pub fn count(&mut self, measure: Measure, key: impl Into<String>, hit: bool) {
        self.add(measure, key, Tally { n: 1, hits: hit.into(), ..Tally::default() });
    }

    /// Counts a value under its bucket.
    pub fn value(&mut self, measure: Measure, value: u64) {
        let number = value as f64;
        let tally = Tally { n: 1, hits: 0, sum: number, squares: number * number };
        self.add(measure, bucket(value).to_string(), tally);
    }

    /// Adds a tally.
    pub fn add(&mut self, measure: Measure, key: impl Into<String>, tally: Tally) {
        self.0.entry((measure, key.into())).or_default().add(tally);
    }

    /// Everything that is counted, in the order of measure and key.
    pub fn iter(&self) -> impl Iterator<Item = (Measure, &str, Tally)> {
        self.0.iter().map(|((measure, key), tally)| (*measure, key.as_str(), *tally))
    }

    /// The sheet as it is kept beside a match.
    pub fn to_json(&self) -> serde_json::Value {
        self.iter()
            .map(|(measure, key, t)| serde_json::json!([measure.0, key, t.n, t.hits, t.sum, t.squares]))
            .collect()
    }
}

/// A row of a sheet as it is kept: measure, key, n, hits, sum, squares.
pub type Row = (String, String, i64, i64, f64, f64);

/// Values below this have a bucket of their own.
const EXACT: u64 = 32;
/// Buckets of each doubling above.
const STEPS: u32 = EXACT.ilog2() - 1;

/// The bucket of a value: exact below 32, above that sixteen to a doubling, so that no value is
/// further than a sixteenth from another of its bucket.
pub fn bucket(value: u64) -> u32 {
    if value < EXACT {
        return value as u32;
    }
    let shift = value.ilog2() - STEPS;
    ((shift + 1) << STEPS) + ((value >> shift) as u32 - (1 << STEPS))
}

/// The middle of a bucket.
pub fn middle(bucket: u32) -> f64 {
    f64::midpoint(least(bucket), greatest(bucket))
}

/// The least value of a bucket.
pub fn least(bucket: u32) -> f64 {
    bounds(bucket).0 as f64
}

/// The greatest value of a bucket.
pub fn greatest(bucket: u32) -> f64 {
    let (low, width) = bounds(bucket);
    (low + (width - 1)) as f64
}

/// The least value of a bucket and how many values it has.
fn bounds(bucket: u32) -> (u64, u64) {
    if u64::from(bucket) < EXACT {
        return (u64::from(bucket), 1);
    }
    // What the database holds is no larger than what a value of 64 bits comes to.
    let shift = ((bucket >> STEPS) - 1).min(u64::BITS - STEPS - 1);
    let mantissa = u64::from(bucket & ((1 << STEPS) - 1)) + (1 << STEPS);
    (mantissa << shift, 1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_holds_its_values_and_is_narrow() {
        let samples = (0..5000).chain((13..63).flat_map(|power| [1 << power, (1 << power) + 12_345, (1 << power) - 1]));
        for value in samples {
            let (low, width) = bounds(bucket(value));
            assert!((low..=low + (width - 1)).contains(&value), "{value}: {low} + {width}");
            assert!(width == 1 || width * 16 <= low, "{value}: {low} + {width}");
        }
        assert!((0..5000).all(|value| bucket(value + 1) - bucket(value) <= 1));
        assert_eq!(bucket(u64::MAX) / 16, 60);
    }

    #[test]
    fn sheets_add_up() {
        let mut sheet = Sheet::default();
        sheet.count(Measure::SEAT, "0", true);
        sheet.count(Measure::SEAT, "0", false);
        sheet.value(Measure::LENGTH, 12);
        let rows: Vec<_> = sheet.iter().map(|(measure, key, tally)| (measure.0, key, tally.n, tally.hits)).collect();
        assert_eq!(rows, [("length", "12", 1, 0), ("seat", "0", 2, 1)]);
    }
}
