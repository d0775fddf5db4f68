//! `takujo generate`: a history of matches that bots have played, for measuring and for trying
//! analyses out.

mod cast;
mod play;

use std::io::IsTerminal;
use std::num::NonZeroU64;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{bail, ensure};
use clap::Args;
use dictionary::Lexicon;
use futures_util::{StreamExt, stream};
use rules::table::AnyGame;
use rules::text::counted;
use sqlx::PgPool;

use crate::games;
use crate::matches::desk::now;
use crate::matches::store::bulk::{self, Fate};
use cast::Cast;
use play::Plan;

/// Matches of more seats are made only where they are asked for.
const MOST_SEATS: u8 = 4;
/// So many matches are played and loaded together.
const CHUNK: u64 = 250;

/// What history to make.
#[derive(Args)]
pub struct GenerateArgs {
    /// The game's id.
    #[arg(long, value_name = "ID", value_parser = games::named)]
    game: &'static dyn AnyGame,
    /// How many matches to make.
    #[arg(long)]
    matches: NonZeroU64,
    /// What the matches are drawn from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many registered players share the human seats; without any they are nobody's.
    #[arg(long, default_value_t = 0)]
    players: u32,
    /// How many seats every match has [default: drawn, fewer more often, at most 4].
    #[arg(long)]
    seats: Option<u8>,
    /// Over how many months before now the matches are spread, at most 600.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=600))]
    months: u32,
}

impl GenerateArgs {
    /// Plays the matches and loads them.
    ///
    /// # Errors
    /// Where the game has no such number of seats or the database is away.
    pub async fn run(self, pool: &PgPool, lexicon: Lexicon) -> anyhow::Result<()> {
        let (game, id) = (self.game, self.game.facts().id);
        ensure!(self.players != 1, "one player alone plays nobody; give --players 2 or more, or none");
        let range = &game.facts().seats;
        let most = (*range.end()).min(MOST_SEATS);
        let seats = self.seats.map_or(*range.start()..=most, |seats| seats..=seats);
        ensure!(range.contains(seats.start()), "{id} is for {} seats", counted(range));
        let cast = Cast::register(pool, self.seed, self.players).await?;
        let plan = Arc::new(Plan { game, seats, seed: self.seed, cast, lexicon, until: now(), months: self.months });
        let (all, begun) = (self.matches.get(), Instant::now());
        let threads = std::thread::available_parallelism().map_or(2, usize::from);
        let mut chunks = stream::iter((0..all).step_by(CHUNK as usize))
            .map(|first| {
                let plan = Arc::clone(&plan);
                let play = move || (first..all.min(first + CHUNK)).map(|number| plan.play(number)).collect::<Vec<_>>();
                tokio::task::spawn_blocking(play)
            })
            .buffered(threads);
        let mut done = 0;
        while let Some(matches) = chunks.next().await {
            let matches = matches?.into_iter().collect::<Result<Vec<_>, _>>().map_err(anyhow::Error::msg)?;
            let fates = bulk::load(pool, &matches).await.map_err(|problem| anyhow::anyhow!("{problem}"))?;
            if let Some(&Fate::Detached(month)) = fates.iter().find(|fate| matches!(fate, Fate::Detached(_))) {
                bail!(bulk::taken_out(month));
            }
            done += matches.len() as u64;
            show(done, all, begun);
        }
        eprintln!("\r{done} matches of {id} in {:.1?}                    ", begun.elapsed());
        Ok(())
    }
}

/// A bar where somebody looks.
fn show(done: u64, all: u64, begun: Instant) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    let share = done as f64 / all as f64;
    let filled = (done * 40 / all) as usize;
    let left = begun.elapsed().mul_f64((1.0 - share) / share);
    eprint!("\r[{:<40}] {:3.0} %  {:.0?} left   ", "=".repeat(filled), share * 100.0, left);
}
