//! What was counted beforehand: what followed the first tokens, by month.

use sqlx::PgPool;
use sqlx::types::time::Date;

use super::{Found, Next, Tally};
use crate::history::filter::Filter;
use crate::history::line;
use crate::history::store::EVER;

/// What followed a line of at most [`line::DEPTH`] tokens.
///
/// # Errors
/// Where the database is away.
pub(super) async fn find(pool: &PgPool, filter: &Filter, tokens: &[&str], limit: i64) -> Result<Found, sqlx::Error> {
    let rows = sqlx::query!(
        r#"WITH found AS MATERIALIZED (
               SELECT token, month, n, wins, cardinality(samples) > 0 AS named FROM history.moves
               WHERE path = $1 AND group_id = ANY($2) AND month >= $3 AND month < $4),
           seats AS MATERIALIZED (
               SELECT token, seat, sum(n)::bigint AS sat, sum(win)::bigint AS won
               FROM found, UNNEST(wins) WITH ORDINALITY AS winner (win, seat) GROUP BY token, seat),
           ranked AS (
               SELECT *, row_number() OVER (ORDER BY n DESC, token) AS place,
                      count(*) OVER () AS different, (sum(n) OVER ())::bigint AS total
               FROM (SELECT token, sum(n)::bigint AS n, max(month) FILTER (WHERE named) AS newest
                     FROM found GROUP BY token) AS tokens)
           SELECT token AS "token!", n AS "n!", different AS "different!", total AS "total!",
                  ARRAY(SELECT sat FROM seats WHERE seats.token = ranked.token ORDER BY seat) AS "sat!",
                  ARRAY(SELECT won FROM seats WHERE seats.token = ranked.token ORDER BY seat) AS "won!",
                  ARRAY(SELECT sum(sat)::bigint FROM seats GROUP BY seat ORDER BY seat) AS "all_sat!",
                  ARRAY(SELECT sum(won)::bigint FROM seats GROUP BY seat ORDER BY seat) AS "all_won!",
                  ARRAY(SELECT sample FROM history.moves m, UNNEST(m.samples) AS sample
                        WHERE m.path = $1 AND m.group_id = ANY($2) AND m.month = newest AND m.token = ranked.token
                        ORDER BY sample DESC LIMIT 3) AS "samples!"
           FROM ranked WHERE place <= $5::bigint + 1 OR token = '' ORDER BY place"#,
        line::name(filter.game.facts().id, tokens),
        &filter.groups,
        filter.from.unwrap_or(EVER),
        filter.to.unwrap_or(Date::MAX),
        limit,
    )
    .fetch_all(pool)
    .await?;
    let tally =
        |n, sat: &[i64], won: &[i64]| Tally { n, seats: sat.iter().copied().zip(won.iter().copied()).collect() };
    let all = rows.first().map(|row| tally(row.total, &row.all_sat, &row.all_won)).unwrap_or_default();
    let different = rows.first().map_or(0, |row| usize::try_from(row.different).unwrap_or_default());
    let moves = rows.into_iter().map(|row| Next {
        tally: tally(row.n, &row.sat, &row.won),
        token: row.token,
        samples: row.samples,
    });
    Ok(Found { all, moves: moves.collect(), different })
}
