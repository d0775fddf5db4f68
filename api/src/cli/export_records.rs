//! `takujo export-records`: the records of finished matches, one a line.

use std::io::{self, BufWriter, Write};

use clap::Args;
use sqlx::PgPool;
use uuid::Uuid;

use super::selection::SelectionArgs;
use crate::config::Given;
use crate::http::TimeRange;
use crate::ids::MatchId;
use crate::matches::record::record;
use crate::matches::store::to_db;
use crate::serve;

/// How many matches are looked up at a time.
const PAGE: i64 = 256;

/// Write the records of finished matches to standard output, one a line, for `takujo import`.
///
/// They come in the order of their ids; one that was broken off goes on with `--after`.
#[derive(Args)]
pub struct ExportRecordsArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Only matches whose id comes after this one.
    #[arg(long, value_name = "MATCH")]
    after: Option<MatchId>,
    /// The matches that are not listed, instead of those that are: import them with the same flag.
    #[arg(long)]
    unlisted: bool,
    #[command(flatten)]
    settings: Given,
}

impl ExportRecordsArgs {
    /// Writes them.
    ///
    /// # Errors
    /// Where no match can be selected, the database cannot be read or the output not be written.
    pub fn run(self) -> anyhow::Result<()> {
        let created = self.selection.created()?;
        let settings = self.settings.clone().complete()?;
        serve::with_database(&settings, async |pool| {
            let mut out = BufWriter::new(io::stdout().lock());
            let mut after = self.after.map_or(Uuid::nil(), |id| id.0);
            loop {
                let page = self.page(&pool, created, after).await?;
                let Some(&last) = page.last() else { break };
                for id in page {
                    let record =
                        record(&pool, MatchId(id)).await.map_err(|problem| anyhow::anyhow!("{id}: {problem}"))?;
                    serde_json::to_writer(&mut out, &record)?;
                    out.write_all(b"\n")?;
                }
                after = last;
            }
            Ok(out.flush()?)
        })
    }

    /// The next matches after an id, of those created then.
    async fn page(&self, pool: &PgPool, created: TimeRange, after: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
        sqlx::query_scalar!(
            "SELECT match_id FROM matches
             WHERE status = 'finished' AND listed <> $1 AND match_id > $2
               AND ($3::text IS NULL OR game = $3)
               AND ($4::timestamptz IS NULL OR created_at >= $4)
               AND ($5::timestamptz IS NULL OR created_at < $5)
             ORDER BY match_id
             LIMIT $6",
            self.unlisted,
            after,
            self.selection.game(),
            created.from().map(to_db),
            created.to().map(to_db),
            PAGE,
        )
        .fetch_all(pool)
        .await
    }
}
