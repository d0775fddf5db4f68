//! What is out of reach of a search because its month is detached.

use sqlx::PgPool;
use sqlx::types::time::Date;

use super::filter::Filter;
use super::store::EVER;

/// Whether a detached month has matches that ended in the time asked for: of the player's, if one is
/// asked for, else of any.
///
/// # Errors
/// Where the database is away.
pub async fn touches(pool: &PgPool, filter: &Filter) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (
               SELECT FROM detached_months
               WHERE last_end >= $1::date::timestamp AT TIME ZONE 'UTC'
                 AND first_end < $2::date::timestamp AT TIME ZONE 'UTC'
                 AND ($3::uuid IS NULL OR EXISTS (
                     SELECT FROM history.participants
                     WHERE player_id = $3 AND game = $4 AND match_id >= first AND match_id < next))) AS "touches!""#,
        filter.from.unwrap_or(EVER),
        filter.to.unwrap_or(Date::MAX),
        filter.player,
        filter.game.facts().id,
    )
    .fetch_one(pool)
    .await
}
