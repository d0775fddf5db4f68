//! How sure a figure is: intervals that cover the true value in 95 of 100 cases.

use serde::Serialize;
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};
use utoipa::ToSchema;

use super::sheet::{greatest, least, middle};

/// The two-sided 95 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// What lies beyond it on one side.
const TAIL: f64 = 0.025;

/// Values are too few for an interval of their mean below this.
const LEAST_FOR_MEAN: i64 = 5;

/// From so many values on, the ranks around a quantile and the mean's t are those of the normal
/// distribution: the exact ones differ by less than a thousandth.
const MANY: i64 = 1_000;

/// A share with its 95 % interval by Wilson's method.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
pub struct Rate {
    /// How many there were.
    #[schema(examples(200))]
    pub n: i64,
    /// How many of them were so.
    #[schema(examples(110))]
    pub hits: i64,
    /// `hits` of `n`; not there where `n` is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 0, maximum = 1, examples(0.55))]
    pub rate: Option<f64>,
    /// Where the true share lies in 95 of 100 cases (Wilson); not there where `n` is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>, min_items = 2, max_items = 2, examples(json!([0.4808, 0.6174])))]
    pub interval: Option<[f64; 2]>,
}

impl Rate {
    /// So many of so many.
    pub fn new(hits: i64, n: i64) -> Self {
        let known = n > 0;
        Self { n, hits, rate: known.then(|| hits as f64 / n as f64), interval: known.then(|| wilson(hits, n)) }
    }
}

/// The score interval of E. B. Wilson (1927). That of none begins at 0 and that of all ends at 1:
/// exactly, where rounding would leave a little.
fn wilson(hits: i64, n: i64) -> [f64; 2] {
    let (none, all) = (hits == 0, hits == n);
    let (hits, n, square) = (hits as f64, n as f64, Z * Z);
    let centre = (hits + square / 2.0) / (n + square);
    let half = Z / (n + square) * (hits * (n - hits) / n + square / 4.0).max(0.0).sqrt();
    [if none { 0.0 } else { (centre - half).max(0.0) }, if all { 1.0 } else { (centre + half).min(1.0) }]
}

/// How values are spread: their mean and some quantiles, with 95 % intervals.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Distribution {
    /// How many values there were.
    #[schema(examples(200))]
    pub n: i64,
    /// Their mean; not there where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples(24.5))]
    pub mean: Option<f64>,
    /// Where the true mean lies in 95 of 100 cases (Student's t); not there below 5 values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>, min_items = 2, max_items = 2, examples(json!([23.1, 25.9])))]
    pub interval: Option<[f64; 2]>,
    /// The quantiles 0.1, 0.5 (the median) and 0.9.
    pub quantiles: Vec<Quantile>,
}

/// A quantile of a distribution.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
pub struct Quantile {
    /// The share of values at or below it.
    #[schema(examples(0.5))]
    pub p: f64,
    /// The value: exact below 32 units, else within 3.2 %.
    #[schema(examples(24.0))]
    pub value: f64,
    /// Where the true quantile lies in 95 of 100 cases: from one of the values in their order to another,
    /// whose ranks follow from the binomial distribution. Not there where so few values cannot tell: below 6
    /// for the median, below 36 for 0.1 and 0.9.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<f64>>, min_items = 2, max_items = 2, examples(json!([23.0, 25.0])))]
    pub interval: Option<[f64; 2]>,
}

impl Distribution {
    /// Of so many values in each bucket, in order, with the sum of all values and of their squares.
    /// `unit` is what a value of one is in the unit of the answer.
    pub fn new(buckets: &[(u32, i64)], sum: f64, squares: f64, unit: f64) -> Self {
        let n: i64 = buckets.iter().map(|(_, count)| count).sum();
        let count = n as f64;
        let mean = sum / count;
        let interval = (n >= LEAST_FOR_MEAN).then(|| {
            let variance = (squares - sum * mean).max(0.0) / (count - 1.0);
            let half = student(count - 1.0) * (variance / count).sqrt();
            [(mean - half) * unit, (mean + half) * unit]
        });
        let bucket_at = |rank: i64| {
            let mut below = 0;
            let found = buckets.iter().find(|(_, count)| {
                below += count;
                below >= rank
            });
            found.map_or(0, |(bucket, _)| *bucket)
        };
        let quantiles = [0.1, 0.5, 0.9].into_iter().filter(|_| n > 0).map(|p| {
            let value = middle(bucket_at((count * p).ceil() as i64)) * unit;
            let interval =
                ranks(n, p).map(|[low, high]| [least(bucket_at(low)) * unit, greatest(bucket_at(high)) * unit]);
            Quantile { p, value, interval }
        });
        Self { n, mean: (n > 0).then_some(mean * unit), interval, quantiles: quantiles.collect() }
    }
}

/// The ranks of the values between which the quantile `p` lies in 95 of 100 cases, of `n` values; nothing
/// where even the first and the last are too near. How many values lie below a quantile is binomial.
fn ranks(n: i64, p: f64) -> Option<[i64; 2]> {
    let [low, high] = if n < MANY {
        let below = Binomial::new(p, n.unsigned_abs()).ok()?;
        [below.inverse_cdf(TAIL) as i64, below.inverse_cdf(1.0 - TAIL) as i64 + 1]
    } else {
        let (mean, half) = (n as f64 * p, Z * (n as f64 * p * (1.0 - p)).sqrt());
        [(mean - half).floor() as i64, (mean + half).ceil() as i64 + 1]
    };
    (low >= 1 && high <= n).then_some([low, high])
}

/// The two-sided 95 % point of Student's t.
fn student(freedom: f64) -> f64 {
    let exact = StudentsT::new(0.0, 1.0, freedom).ok().filter(|_| freedom < MANY as f64);
    exact.map_or(Z, |t| t.inverse_cdf(1.0 - TAIL))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wilson intervals as tables print them (Newcombe 1998, table I, method 3: 81/263, 15/148,
    /// 0/20, 1/29).
    #[test]
    fn wilson_agrees_with_the_table() {
        for (hits, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let [from, to] = Rate::new(hits, n).interval.unwrap();
            assert!((from - low).abs() < 5e-5 && (to - high).abs() < 5e-5, "{hits}/{n}: {from} {to}");
        }
        assert_eq!(Rate::new(0, 0).interval, None);
        for n in 1..2_000 {
            let ([from, _], [_, to]) = (Rate::new(0, n).interval.unwrap(), Rate::new(n, n).interval.unwrap());
            assert!(from.to_bits() == 0 && to.to_bits() == 1_f64.to_bits(), "{n}: {from} {to}");
        }
    }

    #[test]
    fn student_agrees_with_the_table() {
        for (freedom, point) in
            [(4.0, 2.776), (10.0, 2.228), (30.0, 2.042), (120.0, 1.980), (999.0, 1.9623), (1e9, 1.960)]
        {
            let ours: f64 = student(freedom);
            assert!((ours - point).abs() < 0.0006, "{freedom}: {ours}");
        }
    }

    #[test]
    fn quantiles_and_the_mean_of_a_known_sample() {
        // 1 to 100, each once, all of them exact or nearly so.
        let mut buckets = std::collections::BTreeMap::new();
        (1..=100).for_each(|value| *buckets.entry(super::super::sheet::bucket(value)).or_insert(0) += 1);
        let buckets: Vec<_> = buckets.into_iter().collect();
        let (sum, squares) = (5050.0, 338_350.0);
        let spread = Distribution::new(&buckets, sum, squares, 1.0);
        assert_eq!((spread.n, spread.mean), (100, Some(50.5)));
        let [low, high] = spread.interval.unwrap();
        // t(99) = 1.984, s = 29.011.
        assert!((low - 44.74).abs() < 0.01 && (high - 56.26).abs() < 0.01, "{low} {high}");
        let values: Vec<_> = spread.quantiles.iter().map(|quantile| quantile.value).collect();
        assert!((values[0] - 10.0).abs() < 1e-9);
        assert!((values[1] - 50.0).abs() <= 1.6 && (values[2] - 90.0).abs() <= 2.9, "{values:?}");
        // The 5th and the 17th value: tables of the order statistics of 100 values.
        assert_eq!(spread.quantiles[0].interval, Some([5.0, 17.0]));
        assert!(Distribution::new(&[], 0.0, 0.0, 1.0).quantiles.is_empty());
    }

    /// The chance that exactly `k` of `n` lie below a quantile, by multiplying up.
    fn exactly(k: i64, n: i64, p: f64) -> f64 {
        (0..k).fold((1.0 - p).powf((n - k) as f64), |chance, i| chance * p * (n - i) as f64 / (i + 1) as f64)
    }

    #[test]
    fn the_ranks_around_a_quantile_cover_it_in_95_of_100_cases() {
        for p in [0.1, 0.5, 0.9] {
            for n in (1..200).chain([400, 700, 999, 1_000, 1_001]) {
                let covers = |[low, high]: [i64; 2]| (low..high).map(|k| exactly(k, n, p)).sum::<f64>();
                match ranks(n, p) {
                    Some(ranks) => assert!((0.949..0.995).contains(&covers(ranks)), "{n} {p} {ranks:?}"),
                    None => assert!(exactly(0, n, p) > TAIL || exactly(n, n, p) > TAIL, "{n} {p}"),
                }
            }
        }
        let least = |p| (1..100).find(|n| ranks(*n, p).is_some());
        assert_eq!([0.1, 0.5, 0.9].map(least), [Some(36), Some(6), Some(36)]);
    }
}
