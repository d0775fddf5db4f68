//! Numbers with a fixed count of decimal places.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

/// A number with at most `PLACES` decimal places, in JSON a plain number. Whatever is read is
/// rounded to them, so that writing it down and reading it back changes nothing, on any machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, ToSchema)]
#[schema(value_type = f64)]
pub struct Decimal<const PLACES: u32>(i32);

/// A number that no such decimal comes near; it prints itself in English, with `{:#}` in Japanese.
struct OutOfBounds {
    value: f64,
    most: f64,
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, most } = self;
        if f.alternate() {
            write!(f, "{value} は大きさが過ぎます。-{most} から {most} までにしてください")
        } else {
            write!(f, "{value} is out of bounds; give a number from -{most} to {most}")
        }
    }
}

/// Thousandths: micrometres of a millimetre, or of a degree.
pub type Milli = Decimal<3>;
/// Millionths, for the parts of a unit quaternion.
pub type Micro = Decimal<6>;

impl<const PLACES: u32> Decimal<PLACES> {
    const UNIT: f64 = 10_u32.pow(PLACES) as f64;

    /// The nearest such number; beyond the largest, the largest, and zero for what is no number.
    pub fn round(value: f64) -> Self {
        Self((value * Self::UNIT).round() as i32)
    }

    /// The number as the engine reckons.
    pub fn get(self) -> f64 {
        f64::from(self.0) / Self::UNIT
    }
}

impl<const PLACES: u32> Serialize for Decimal<PLACES> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.get())
    }
}

impl<'de, const PLACES: u32> Deserialize<'de> for Decimal<PLACES> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        let most = f64::from(i32::MAX) / Self::UNIT;
        if value.abs() > most {
            return Err(serde::de::Error::custom(OutOfBounds { value, most }));
        }
        Ok(Self::round(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_the_same() {
        for value in (-2_000_000..2_000_000).step_by(977).chain([i32::MAX, i32::MIN + 1]) {
            let number = Decimal::<3>(value);
            let text = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Milli>(&text).unwrap(), number, "{text}");
            let through: serde_json::Value = serde_json::to_value(number).unwrap();
            assert_eq!(Milli::deserialize(through).unwrap(), number);
        }
        assert_eq!(serde_json::from_str::<Milli>("3").unwrap(), Decimal(3000));
    }

    #[test]
    fn what_is_too_large_is_told_with_the_bounds() {
        assert_eq!(serde_json::from_str::<Milli>("2147483.647").unwrap(), Decimal(i32::MAX));
        let fault = serde_json::from_str::<Milli>("3e6").unwrap_err().to_string();
        assert!(fault.contains("-2147483.647 to 2147483.647"), "{fault}");
        let fault = OutOfBounds { value: 3e6, most: 2_147_483.647 };
        assert_eq!(
            format!("{fault:#}"),
            "3000000 は大きさが過ぎます。-2147483.647 から 2147483.647 までにしてください"
        );
    }
}
