//! `takujo project`: the history's projections, brought up to date or made again.

use std::io::IsTerminal;
use std::time::Instant;

use clap::Args;
use sqlx::PgPool;

use crate::history::projector::{self, Done};
use crate::history::rebuild;

/// How to bring the projections up to date.
#[derive(Args)]
pub struct ProjectArgs {
    /// Forget all projections first and fold every finished match again, in the order of their ends.
    #[arg(long)]
    rebuild: bool,
    /// With --rebuild: even where matches that were folded are no longer in the database.
    #[arg(long, requires = "rebuild")]
    forget_detached: bool,
}

impl ProjectArgs {
    /// Folds what waits, and tries again what was set aside.
    ///
    /// # Errors
    /// Where the database is away, or a rebuild would forget what cannot be made again.
    pub async fn run(self, pool: &PgPool) -> anyhow::Result<()> {
        if self.rebuild {
            let matches = rebuild::rebuild(pool, self.forget_detached).await?;
            eprintln!("{matches} finished matches are folded again");
        }
        match projector::take_up(pool).await? {
            0 => {}
            matches => eprintln!("{matches} matches that were set aside are tried again"),
        }
        let begun = Instant::now();
        let mut all = Done::default();
        loop {
            let some = projector::once(pool).await?;
            let none = some == Done::default();
            if none && !waits(pool).await? {
                break;
            }
            all.folded += some.folded;
            all.rated += some.rated;
            if none {
                // The last matches are rated a moment after their end, or another process has them.
                tokio::time::sleep(std::time::Duration::from_millis(200)).await;
            } else if std::io::stderr().is_terminal() {
                eprint!("\rfolded {}, rated {} in {:.0?}", all.folded, all.rated, begun.elapsed());
            }
        }
        eprintln!("\rnothing waits: folded {}, rated {} in {:.1?}", all.folded, all.rated, begun.elapsed());
        match set_aside(pool).await? {
            0 => {}
            matches => eprintln!("{matches} matches are set aside; the log names them and the reasons"),
        }
        Ok(())
    }
}

/// How many matches cannot be folded.
async fn set_aside(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "set_aside!" FROM history.pending WHERE set_aside IS NOT NULL"#)
        .fetch_one(pool)
        .await
}

/// Whether a match waits to be folded or rated.
async fn waits(pool: &PgPool) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM history.pending WHERE set_aside IS NULL)
               OR EXISTS (SELECT FROM history.unrated) AS "waits!""#
    )
    .fetch_one(pool)
    .await
}
