//! Moments, and the time between two, as clients and operators name them.

use std::borrow::Cow;
use std::str::FromStr;

use jiff::civil::Date;
use jiff::tz::Offset;
use rules::text::Text;
use rules::time::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// A moment: a time of RFC 3339, or a day, which stands for its first moment in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment(pub Timestamp);

impl FromStr for Moment {
    type Err = Text;

    fn from_str(text: &str) -> Result<Self, Text> {
        // A day with something behind it would be read as that day.
        let is_day = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        let day = || Offset::UTC.to_timestamp(text.parse::<Date>().ok()?.at(0, 0, 0, 0)).ok();
        let time = if is_day { day() } else { text.parse().ok() };
        time.map(|time: jiff::Timestamp| Self(Timestamp::from_millis(time.as_millisecond()))).ok_or(Text::fixed(
            "expected a day such as 2026-11-30 or a time such as 2026-11-30T12:00:00Z",
            "2026-11-30 のような日か、2026-11-30T12:00:00Z のような時刻にしてください",
        ))
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The time at or after one moment and before another; without end on the side that is not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeRange {
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl TimeRange {
    /// The time between two moments.
    ///
    /// # Errors
    /// Where there is none.
    pub fn new(from: Option<Moment>, to: Option<Moment>) -> Result<Self, Text> {
        let [from, to] = [from, to].map(|moment| moment.map(|Moment(time)| time));
        match (from, to) {
            (Some(from), Some(to)) if from >= to => Err(Text::new(
                format!("from ({from}) must come before to ({to}), which is the first moment left out."),
                format!("from（{from}）は to（{to}）より前にしてください。to の時刻そのものは含まれません。"),
            )),
            _ => Ok(Self { from, to }),
        }
    }

    /// The first moment.
    pub fn from(self) -> Option<Timestamp> {
        self.from
    }

    /// The first moment after it.
    pub fn to(self) -> Option<Timestamp> {
        self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_has_a_moment_at_least() {
        let read = |text: &str| (!text.is_empty()).then(|| text.parse::<Moment>().unwrap());
        let range = |from, to| TimeRange::new(read(from), read(to));
        for (from, to) in [("", ""), ("2026-11-30", ""), ("", "2026-11-30"), ("2026-11-30", "2026-11-30T00:00:00.001Z")]
        {
            let range = range(from, to).unwrap();
            assert_eq!((range.from(), range.to()), (read(from).map(|from| from.0), read(to).map(|to| to.0)));
        }
        for (from, to) in [("2026-11-30", "2026-11-30"), ("2026-12-01", "2026-11-30")] {
            let text = range(from, to).unwrap_err();
            assert!(text.en.contains(from) && text.ja.contains(to), "{text:?}");
        }
    }

    #[test]
    fn a_day_is_its_first_moment() {
        let read = |text: &str| text.parse::<Moment>().map(|moment| moment.0.to_string());
        assert_eq!(read("2026-11-30").unwrap(), "2026-11-30T00:00:00.000Z");
        assert_eq!(read("2026-11-30T09:30:00+09:00").unwrap(), "2026-11-30T00:30:00.000Z");
        assert_eq!(read("-009000-01-01").unwrap(), read("-009000-01-01T00:00:00Z").unwrap());
        for wrong in ["", "yesterday", "2026-13-01", "2026-11-31", "2026-11", "2026-11-30T12:00", "2026-11-30 12"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
