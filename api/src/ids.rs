//! Ids as clients see them: opaque, time-ordered (UUIDv7).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use rules::text::Text;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

macro_rules! id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = Uuid, examples("0190a0a0-5c1e-7d3a-8b0e-0123456789ab"))]
        pub struct $name(pub Uuid);

        impl $name {
            /// A fresh id of this instant.
            pub fn fresh() -> Self {
                Self(Uuid::now_v7())
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                Uuid::try_parse(text).map(Self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Cow::<str>::deserialize(deserializer)?;
                text.parse().map_err(|_| {
                    D::Error::custom(Text::fixed(
                        "expected an id such as 0190a0a0-5c1e-7d3a-8b0e-0123456789ab",
                        "0190a0a0-5c1e-7d3a-8b0e-0123456789ab のような id にしてください",
                    ))
                })
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

id!(MatchId, "The id of a match.");
id!(PlayerId, "The id of a player.");

/// How far the time in a match's id may lie from its creation, in milliseconds: a day, far more than
/// clocks are apart. Matches are kept, listed and exported by the months of their ids, and months
/// further away than this need not be looked at.
pub const ID_SLACK: i64 = 24 * 3600 * 1000;

/// The match in a path.
#[derive(IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
#[allow(dead_code, reason = "it only describes the path parameter")]
pub struct MatchPath(#[param(value_type = Uuid, example = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab")] Uuid);
