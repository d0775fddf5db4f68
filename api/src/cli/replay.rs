//! `takujo replay`

use std::io::{IsTerminal, stderr};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use dictionary::Lexicon;
use futures_util::TryStreamExt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sqlx::PgPool;

use super::selection::SelectionArgs;
use crate::config::{Given, Settings};
use crate::ids::MatchId;
use crate::matches::replay::{Replayed, Selection, replay};
use crate::{serve, words};

/// How often progress is logged where there is no terminal to show it on.
const LOG_EVERY: Duration = Duration::from_secs(10);

/// Play all stored matches again and report those that no longer come to what is stored.
///
/// Every step is carried out again by the rules, from the stored actions, times and seed; its
/// events, the chance that it uses, and where the match stands in the end must be those that are
/// stored. Each match that differs or cannot be read is named on a line of its own. Exit code:
/// 0 there is none, 1 there is one, 2 the database or the lexicon cannot be had. Where no database is
/// named, the server's own is opened, for which no server may be running on the data folder.
#[derive(Args)]
pub struct ReplayArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    #[command(flatten)]
    settings: Given,
}

impl ReplayArgs {
    /// Replays the selected matches and says what it found.
    ///
    /// # Errors
    /// Where no match can be selected, or the database or the lexicon cannot be had.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.settings.complete()?;
        let selection = Selection { game: self.selection.game(), created: self.selection.created()? };
        serve::with_database(&settings, async |pool| {
            let standard = words::library::standard(&settings.data_dir)?;
            let lexicon = words::library::open(standard, &settings)?.default_lexicon();
            replay_all(&pool, &selection, &lexicon, &settings).await
        })
    }
}

async fn replay_all(
    pool: &PgPool,
    selection: &Selection,
    lexicon: &Lexicon,
    settings: &Settings,
) -> anyhow::Result<ExitCode> {
    let mut progress = Progress::new(selection.count(pool).await?);
    let matches = selection.stream(pool).map_err(anyhow::Error::from);
    let replays = matches.map_ok(|id| async move {
        let replayed = replay(pool, id, lexicon.clone()).await;
        Ok((id, replayed.map_err(|problem| anyhow!("{problem}"))?))
    });
    let mut replays = std::pin::pin!(replays.try_buffered(settings.workers));
    while let Some((id, replayed)) = replays.try_next().await? {
        progress.note(id, &replayed);
    }
    Ok(progress.finish())
}

/// What has been done so far, shown as it goes.
struct Progress {
    bar: ProgressBar,
    total: u64,
    matches: u64,
    steps: u64,
    failed: u64,
    logged: Instant,
}

impl Progress {
    fn new(total: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} matches, {eta} left") {
            bar.set_style(style);
        }
        Self { bar, total, matches: 0, steps: 0, failed: 0, logged: Instant::now() }
    }

    fn note(&mut self, id: MatchId, replayed: &Replayed) {
        self.matches += 1;
        match replayed {
            Ok(steps) => self.steps += u64::from(*steps),
            Err(why) => {
                self.failed += 1;
                self.bar.suspend(|| println!("{id} {why}"));
            }
        }
        self.bar.inc(1);
        if !stderr().is_terminal() && self.logged.elapsed() >= LOG_EVERY {
            let Self { matches, total, failed, .. } = *self;
            tracing::info!(matches, total, failed, "replaying");
            self.logged = Instant::now();
        }
    }

    fn finish(self) -> ExitCode {
        self.bar.finish_and_clear();
        let Self { matches, steps, failed, .. } = self;
        println!("{matches} matches replayed, {steps} steps; {failed} do not come to what is stored");
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
