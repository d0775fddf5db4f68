//! Ids as clients see them: opaque, time-ordered (UUIDv7).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

macro_rules! id {
    ($name:ident, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
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

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

id!(MatchId, "The id of a match.");
id!(PlayerId, "The id of a player.");

/// The match in a path.
#[derive(IntoParams)]
#[into_params(names("id"), parameter_in = Path)]
#[allow(dead_code, reason = "it only describes the path parameter")]
pub struct MatchPath(#[param(value_type = Uuid, example = "0190a0a0-5c1e-7d3a-8b0e-0123456789ab")] Uuid);
