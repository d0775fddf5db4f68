//! Matches in PostgreSQL: the only store of record.

pub mod bulk;
pub mod commit;
pub mod committer;
pub mod copy;
pub mod create;
pub mod list;
pub mod load;
pub mod months;

use rules::time::Timestamp;
use sqlx::types::time::OffsetDateTime;

/// The first instant of PostgreSQL's calendar, in 4714 BC, in milliseconds since 1970.
const EARLIEST: i64 = -210_866_803_200_000;

/// A time as the database takes it; what is before its calendar is its first instant.
pub fn to_db(time: Timestamp) -> OffsetDateTime {
    let nanos = i128::from(time.millis().max(EARLIEST)) * 1_000_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// A time as the database gives it.
pub fn from_db(time: OffsetDateTime) -> Timestamp {
    Timestamp::from_millis((time.unix_timestamp_nanos() / 1_000_000) as i64)
}
