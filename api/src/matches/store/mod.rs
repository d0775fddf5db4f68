//! Matches in PostgreSQL: the only store of record.

pub mod commit;
pub mod committer;
pub mod create;
pub mod list;
pub mod load;

use rules::time::Timestamp;
use sqlx::types::time::OffsetDateTime;

/// A time as the database takes it.
pub fn to_db(time: Timestamp) -> OffsetDateTime {
    let nanos = i128::from(time.millis()) * 1_000_000;
    OffsetDateTime::from_unix_timestamp_nanos(nanos).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// A time as the database gives it.
pub fn from_db(time: OffsetDateTime) -> Timestamp {
    Timestamp::from_millis((time.unix_timestamp_nanos() / 1_000_000) as i64)
}
