//! Projections made again from the log.

use anyhow::bail;
use sqlx::PgPool;

use super::projector;
use super::sheet::Measure;

/// Forgets all projections and has every finished match of the database folded again, in the order
/// in which they ended; those that were set aside are tried again, too. How many. Servers may run
/// meanwhile: matches go on to end, and are folded when the projections are forgotten.
///
/// # Errors
/// Where the database is away; and, unless `forget` is set, where matches have been folded that are
/// no longer in the database: they would be forgotten. With it a detached month that has no tables any
/// more is forgotten as well: its matches can be loaded again.
pub async fn rebuild(pool: &PgPool, forget: bool) -> anyhow::Result<i64> {
    let mut transaction = pool.begin().await?;
    projector::keep_out(&mut transaction).await?;
    let gone = sqlx::query_scalar!(
        r#"SELECT coalesce(sum(n), 0)::bigint
                      - (SELECT count(*) FROM history.lines JOIN matches USING (match_id)) AS "gone!"
           FROM history.counts JOIN history.groups USING (group_id)
           WHERE composition = 'any' AND grain = 0 AND measure = $1"#,
        Measure::REASON.0,
    )
    .fetch_one(&mut *transaction)
    .await?;
    if gone > 0 && !forget {
        bail!(
            "{gone} matches that were folded are no longer in the database, such as those of a month that was \
             detached; to rebuild would forget them. Attach them again, or add --forget-detached"
        );
    }
    // What ends a match writes to this table: it is not locked.
    sqlx::raw_sql(
        "DELETE FROM history.pending WHERE set_aside IS NOT NULL;
         INSERT INTO history.pending (match_id, game, finished_at)
         SELECT match_id, game, finished_at FROM matches WHERE status = 'finished' AND sandbox IS NULL
         ON CONFLICT DO NOTHING",
    )
    .execute(&mut *transaction)
    .await?;
    let there =
        sqlx::query_scalar!(r#"SELECT count(*) AS "there!" FROM history.pending"#).fetch_one(&mut *transaction).await?;
    if forget {
        // A month whose tables are still there can come back: until it does, none of its matches may.
        sqlx::query!(
            "DELETE FROM detached_months
             WHERE (SELECT bool_and(to_regclass(child) IS NULL) FROM partitions_of_month(month))"
        )
        .execute(&mut *transaction)
        .await?;
    }
    // Last, because it holds up who reads until the end of the transaction.
    sqlx::raw_sql(
        "TRUNCATE history.unrated, history.ratings, history.participants, history.lines, history.moves, history.counts",
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(there)
}
