//! Projections made again from the log.

use anyhow::bail;
use sqlx::PgPool;

use super::sheet::Measure;

/// Forgets all projections and has every finished match of the database folded again, in the order
/// in which they ended. Servers may run meanwhile.
///
/// # Errors
/// Where the database is away; and, unless `forget` is set, where matches have been folded that are
/// no longer in the database: they would be forgotten.
pub async fn rebuild(pool: &PgPool, forget: bool) -> anyhow::Result<i64> {
    let mut transaction = pool.begin().await?;
    sqlx::raw_sql(
        "TRUNCATE history.pending, history.unrated, history.ratings, history.participants, history.lines,
                  history.moves",
    )
    .execute(&mut *transaction)
    .await?;
    let folded = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(n), 0)::bigint AS "n!" FROM history.counts JOIN history.groups USING (group_id)
           WHERE composition = 'any' AND grain = 0 AND measure = $1"#,
        Measure::REASON.0,
    )
    .fetch_one(&mut *transaction)
    .await?;
    sqlx::raw_sql("TRUNCATE history.counts").execute(&mut *transaction).await?;
    let there = sqlx::query!(
        "INSERT INTO history.pending (match_id, game, finished_at)
         SELECT match_id, game, finished_at FROM matches WHERE status = 'finished' AND sandbox IS NULL"
    )
    .execute(&mut *transaction)
    .await?
    .rows_affected() as i64;
    if there < folded && !forget {
        bail!(
            "{} matches that were folded are no longer in the database, such as those of a month that was detached; \
             to rebuild would forget them. Attach them again, or add --forget-detached",
            folded - there
        );
    }
    transaction.commit().await?;
    Ok(there)
}
