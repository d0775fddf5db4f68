//! Pages of rows: the next matches, and everything that the data set has of them.

use std::fmt::Write;

use futures_util::TryStreamExt;
use rules::time::Timestamp;
use sqlx::PgPool;
use sqlx::postgres::PgPoolCopyExt;
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::dataset::Dataset;
use crate::http::TimeRange;
use crate::ids::ID_SLACK;
use crate::matches::store::copy::RowReader;
use crate::matches::store::to_db;

/// The most matches of a page, and the rows at which one is full (a single match may have more).
const MATCHES: u64 = 2048;
const ROWS: u64 = 8192;
/// The same for the last rows of an export, where not every step of a match is one.
const LAST_MATCHES: u64 = 64;
const LAST_ROWS: u64 = 256;

/// All exports of this process together read so many pages at once, however many readers they have.
static READERS: Semaphore = Semaphore::const_new(2);

/// The rows that an export has.
pub struct Scan {
    /// What of the matches.
    pub dataset: &'static Dataset,
    /// The games whose matches are wanted.
    pub games: Vec<String>,
    /// When they were created.
    pub created: TimeRange,
}

/// The key of a row, which all rows of later pages come after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// The match.
    pub match_id: Uuid,
    /// The place in the match; nothing after its last row.
    pub place: Option<i32>,
}

impl Key {
    /// Before every row.
    pub const START: Self = Self { match_id: Uuid::nil(), place: None };
}

/// A page.
pub struct Page {
    /// The rows as a binary COPY gives them.
    pub rows: Vec<u8>,
    /// How many they are.
    pub count: u64,
    /// The key that the next page comes after.
    pub end: Key,
}

impl Scan {
    /// The page after a key, of at most so many rows; nothing after the last.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn page(&self, pool: &PgPool, after: Key, most: u64) -> Result<Option<Page>, sqlx::Error> {
        let _turn = READERS.acquire().await;
        let matches = self.next_matches(pool, after, most).await?;
        let Some(&last) = matches.last() else { return Ok(None) };
        let mut rows = Vec::new();
        let mut copy = pool.copy_out_raw(&self.copy_statement(&matches, after, most)).await?;
        while let Some(data) = copy.try_next().await? {
            rows.extend_from_slice(&data);
        }
        let count = RowReader::new(&rows)?.count()?;
        Ok(Some(Page { rows, count, end: Key { match_id: last, place: None } }))
    }

    /// The matches of the page after a key, of which so many rows are wanted.
    async fn next_matches(&self, pool: &PgPool, after: Key, most: u64) -> Result<Vec<Uuid>, sqlx::Error> {
        let (fewest, full) = match self.dataset.place {
            None => (1, ROWS),
            Some(_) => (LAST_MATCHES, most.clamp(LAST_ROWS, ROWS)),
        };
        let (from, to) = (self.created.from(), self.created.to());
        let earliest = from.map_or(Uuid::nil(), |from| first_id(from.plus_millis(-ID_SLACK)));
        let latest = to.map_or(Uuid::max(), |to| first_id(to.plus_millis(ID_SLACK)));
        let least = earliest.max(after.match_id);
        let found = sqlx::query!(
            r#"SELECT m.match_id AS "id!", (SELECT max(version) FROM steps s WHERE s.match_id = m.match_id) AS steps
               FROM matches m
               WHERE m.status = 'finished' AND m.sandbox IS NULL AND m.listed
                 AND m.game = ANY($1)
                 AND ($2::timestamptz IS NULL OR m.created_at >= $2)
                 AND ($3::timestamptz IS NULL OR m.created_at < $3)
                 AND m.match_id >= $4 AND m.match_id <= $5
                 AND (m.match_id <> $6 OR $7)
               ORDER BY m.match_id
               LIMIT $8"#,
            &self.games,
            from.map(to_db),
            to.map(to_db),
            least,
            latest,
            after.match_id,
            after.place.is_some(),
            most.clamp(fewest, MATCHES).cast_signed(),
        )
        .fetch_all(pool)
        .await?;
        let mut rows = 0;
        let mut is_room = |steps: Option<i32>| {
            let before = rows;
            rows += self.dataset.place.and(steps).map_or(1, |steps| u64::from(steps.unsigned_abs()));
            before < full
        };
        Ok(found.into_iter().take_while(|one| is_room(one.steps)).map(|one| one.id).collect())
    }

    /// COPY takes no parameters: what is written into it are ids and numbers, and names of our own.
    fn copy_statement(&self, matches: &[Uuid], after: Key, most: u64) -> String {
        let Dataset { name, place, columns, .. } = self.dataset;
        let columns: Vec<_> = columns.iter().map(super::column::Column::selected).collect();
        let ids: Vec<_> = matches.iter().map(Uuid::to_string).collect();
        let mut statement = format!(
            "COPY (SELECT {} FROM analytics.{name} WHERE match_id = ANY('{{{}}}'::uuid[])",
            columns.join(", "),
            ids.join(",")
        );
        let mut order = "match_id".to_owned();
        if let Some(place) = place {
            if let Key { match_id, place: Some(number) } = after {
                let _infallible = write!(statement, " AND (match_id <> '{match_id}' OR {place} > {number})");
            }
            let _infallible = write!(order, ", {place}");
        }
        let most = most.min(i64::MAX.cast_unsigned());
        format!("{statement} ORDER BY {order} LIMIT {most}) TO STDOUT (FORMAT binary)")
    }
}

/// The least id of a time: UUIDv7 begins with it, in milliseconds.
fn first_id(time: Timestamp) -> Uuid {
    const MOST: u64 = (1 << 48) - 1;
    let millis = u64::try_from(time.millis()).unwrap_or(0).min(MOST);
    Uuid::from_u128(u128::from(millis) << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_time_come_after_its_first() {
        let time = Timestamp::from_millis(1_796_000_000_120);
        let id = uuid::Builder::from_unix_timestamp_millis(1_796_000_000_120, &[0; 10]).into_uuid();
        assert!(first_id(time) <= id && id < first_id(time.plus_millis(1)));
        assert_eq!(first_id(Timestamp::from_millis(-1)), Uuid::nil());
    }
}
