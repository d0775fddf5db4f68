//! The counts that a filter asks for, added up in the database.

use sqlx::PgPool;
use sqlx::types::time::Date;

use super::figures::{Counts, LEAST_USED, TOP};
use super::filter::{Filter, Span};
use super::sheet::Measure;
use super::store::ALL;

/// Where the counts of a filter stand: some periods of some groups.
struct Cells<'a> {
    groups: &'a [i32],
    grains: Vec<i16>,
    from: Vec<Date>,
    to: Vec<Date>,
}

impl<'a> Cells<'a> {
    fn of(groups: &'a [i32], spans: &[Span]) -> Self {
        let grains = spans.iter().map(|span| span.grain).collect();
        let (from, to) = spans.iter().map(|span| (span.from, span.to)).unzip();
        Self { groups, grains, from, to }
    }

    /// Whether no key can come twice: one group, and one period.
    fn is_one(&self) -> bool {
        self.groups.len() == 1 && self.grains == [ALL]
    }
}

/// The sums of `measures`, and of each measure in `top` only the keys that are used most and those
/// that have the best rates.
///
/// # Errors
/// Where the database is away.
pub async fn find(
    pool: &PgPool,
    filter: &Filter,
    measures: &[Measure],
    top: &[Measure],
) -> Result<Counts, sqlx::Error> {
    let cells = Cells::of(&filter.counted, &filter.spans());
    let mut counts = Counts::default();
    let measures: Vec<_> = measures.iter().map(|measure| measure.0.to_owned()).collect();
    add_all(pool, &cells, &measures, &mut counts).await?;
    for Measure(measure) in top {
        add_top(pool, &cells, measure, &mut counts).await?;
    }
    Ok(counts)
}

/// Each group's periods are one range of the key; OFFSET 0 keeps the planner from reading all counts instead.
async fn add_all(
    pool: &PgPool,
    cells: &Cells<'_>,
    measures: &[String],
    counts: &mut Counts,
) -> Result<(), sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT measure AS "measure!", key AS "key!", sum(n)::bigint AS "n!", sum(hits)::bigint AS "hits!",
                  sum(sum) AS "sum!", sum(squares) AS "squares!"
           FROM UNNEST($1::int[]) AS wanted (id)
                CROSS JOIN UNNEST($2::smallint[], $3::date[], $4::date[]) AS span (grain, first, last)
                CROSS JOIN LATERAL
                    (SELECT * FROM history.counts
                     WHERE group_id = id AND grain = span.grain AND period >= first AND period < last
                       AND measure = ANY($5)
                     OFFSET 0) AS own
           GROUP BY measure, key"#,
        cells.groups,
        &cells.grains,
        &cells.from,
        &cells.to,
        measures,
    )
    .fetch_all(pool)
    .await?;
    for row in rows {
        counts.add((row.measure, row.key, row.n, row.hits, row.sum, row.squares));
    }
    Ok(())
}

/// The first keys of a measure, from `$keys`: a query of key, n and hits.
macro_rules! top_of {
    ($keys:tt, $cells:expr, $measure:expr) => {
        sqlx::query!(
            "WITH keys AS "
                + $keys
                + r#"
             (SELECT key AS "key!", n AS "n!", hits AS "hits!" FROM keys ORDER BY n DESC, key LIMIT $6)
             UNION
             (SELECT key, n, hits FROM keys WHERE n >= $7
              ORDER BY (hits + 1.92072941::float8) / (n + 3.84145882::float8)
                           - 1.95996398::float8 / (n + 3.84145882::float8)
                             * sqrt(hits * (n - hits)::float8 / n + 0.96036471::float8) DESC,
                       key
              LIMIT $6)"#,
            $cells.groups,
            &$cells.grains,
            &$cells.from,
            &$cells.to,
            $measure,
            TOP as i64,
            LEAST_USED,
        )
    };
}

async fn add_top(pool: &PgPool, cells: &Cells<'_>, measure: &str, counts: &mut Counts) -> Result<(), sqlx::Error> {
    let mut add = |key, n, hits| counts.add((measure.to_owned(), key, n, hits, 0.0, 0.0));
    if cells.is_one() {
        // Nothing is to be added up: of tens of thousands of words, that would take most of the time.
        let rows = top_of!(
            "NOT MATERIALIZED
                 (SELECT key, n, hits FROM history.counts
                  WHERE group_id = ($1::int[])[1] AND grain = ($2::smallint[])[1]
                    AND period >= ($3::date[])[1] AND period < ($4::date[])[1] AND measure = $5)",
            cells,
            measure
        );
        rows.fetch_all(pool).await?.into_iter().for_each(|row| add(row.key, row.n, row.hits));
    } else {
        let rows = top_of!(
            "MATERIALIZED
                 (SELECT key, sum(n)::bigint AS n, sum(hits)::bigint AS hits
                  FROM UNNEST($1::int[]) AS wanted (id)
                       CROSS JOIN UNNEST($2::smallint[], $3::date[], $4::date[]) AS span (grain, first, last)
                       CROSS JOIN LATERAL
                           (SELECT * FROM history.counts
                            WHERE group_id = id AND grain = span.grain AND period >= first AND period < last
                              AND measure = $5
                            OFFSET 0) AS own
                  GROUP BY key)",
            cells,
            measure
        );
        rows.fetch_all(pool).await?.into_iter().for_each(|row| add(row.key, row.n, row.hits));
    }
    Ok(())
}
