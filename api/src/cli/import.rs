//! `takujo import`: records of finished matches into the database, each verified as it comes.

mod finished;
mod lines;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use clap::Args;
use dictionary::Lexicon;
use sqlx::PgPool;

use self::lines::{Line, Lines, say};
use crate::config::Given;
use crate::http::Problem;
use crate::http::problem::Kind;
use crate::matches::store::bulk::{self, Fate, Finished};
use crate::serve;
use crate::words::library;

/// How many records are verified and loaded at a time, and how many bytes of them.
const BATCH: usize = 256;
const BATCH_BYTES: usize = 32 << 20;

/// Load records of finished matches, each verified first.
///
/// A record that is there already is left alone, so that an import that was broken off can simply be
/// run again. Exit code: 0 all are there, 1 some were refused, 2 it could not go on.
#[derive(Args)]
pub struct ImportArgs {
    /// Files of records, one a line, as `takujo export-records` and `GET /v1/matches/{id}/record`
    /// give them; packed with gzip or Zstandard if you like; `-` for standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Keep the matches out of the public list and the exports.
    #[arg(long)]
    unlisted: bool,
    #[command(flatten)]
    settings: Given,
}

/// How many records came to what.
#[derive(Default)]
struct Tally {
    written: u64,
    there: u64,
    refused: u64,
    /// Records of another lexicon than this program's.
    other_lexicon: u64,
}

impl ImportArgs {
    /// Imports and says what came of it.
    pub fn run(self) -> ExitCode {
        match self.import() {
            Ok(Tally { written, there, refused, other_lexicon }) => {
                if other_lexicon > 0 {
                    say(&format!("note: {other_lexicon} were played with another lexicon than this program has"));
                }
                let _nobody_listens =
                    writeln!(io::stdout(), "imported {written}, there already {there}, refused {refused}");
                ExitCode::from(u8::from(refused > 0))
            }
            Err(error) => {
                say(&format!("the import stopped: {error:#}; run it again to go on"));
                ExitCode::from(2)
            }
        }
    }

    fn import(self) -> anyhow::Result<Tally> {
        let settings = self.settings.complete()?;
        let lexicon = library::standard(&settings.data_dir)?;
        serve::with_database(&settings, async |pool| {
            let mut import = Import { pool, lexicon, listed: !self.unlisted, tally: Tally::default() };
            for file in &self.files {
                let mut lines = Lines::open(file)?;
                loop {
                    let batch = lines.batch(BATCH, BATCH_BYTES)?;
                    if batch.is_empty() {
                        break;
                    }
                    import.take(&batch, &lines).await?;
                }
            }
            Ok(import.tally)
        })
    }
}

/// Why the import cannot go on.
fn stopped(problem: &Problem) -> anyhow::Error {
    match problem.kind() {
        Kind::Unavailable => anyhow!("the database is away or busy with something else, as the log says"),
        _ => anyhow!("the database answers “{problem}”"),
    }
}

struct Import {
    pool: PgPool,
    lexicon: Lexicon,
    listed: bool,
    tally: Tally,
}

/// A record that verifies.
struct Verified {
    one: Finished,
    line: u64,
}

impl Import {
    /// Verifies the records of some lines and loads those that hold.
    async fn take(&mut self, batch: &[Line], lines: &Lines) -> anyhow::Result<()> {
        let mut verified = Vec::with_capacity(batch.len());
        for (line, result) in batch.iter().zip(self.verify(batch)) {
            match result {
                Ok(one) => verified.push(Verified { one, line: line.number }),
                Err(why) => self.refuse(lines, line.number, &why),
            }
        }
        let version = self.lexicon.version();
        let is_foreign = |record: &&Verified| record.one.facts.lexicon_version != version;
        self.tally.other_lexicon += verified.iter().filter(is_foreign).count() as u64;
        let (numbers, matches): (Vec<_>, Vec<_>) = verified.into_iter().map(|record| (record.line, record.one)).unzip();
        self.load(&numbers, &matches, lines).await
    }

    /// Verifies records on all cores.
    fn verify(&self, batch: &[Line]) -> Vec<Result<Finished, String>> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let share = batch.len().div_ceil(cores).max(1);
        std::thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(share)
                .map(|share| {
                    scope.spawn(move || {
                        let verify = |line: &Line| finished::verified(&line.text, &self.lexicon, self.listed);
                        share.iter().map(verify).collect::<Vec<_>>()
                    })
                })
                .collect();
            let broken = |worker: &[Line]| worker.iter().map(|_| Err("verifying it broke off".to_owned())).collect();
            let joined = workers.into_iter().zip(batch.chunks(share));
            joined.flat_map(|(worker, share)| worker.join().unwrap_or_else(|_| broken(share))).collect()
        })
    }

    /// Loads matches; those that the database refuses hurt only themselves.
    async fn load(&mut self, numbers: &[u64], matches: &[Finished], lines: &Lines) -> anyhow::Result<()> {
        let loaded = match bulk::load(&self.pool, matches).await {
            Err(problem) if problem.kind() == Kind::Internal => None,
            loaded => Some(loaded.map_err(|problem| stopped(&problem))?),
        };
        for (place, &number) in numbers.iter().enumerate() {
            let fate = match &loaded {
                Some(fates) => fates.get(place).copied(),
                None => match bulk::load(&self.pool, &matches[place..=place]).await {
                    Err(problem) if problem.kind() == Kind::Internal => None,
                    alone => alone.map_err(|problem| stopped(&problem))?.first().copied(),
                },
            };
            match fate {
                Some(Fate::Written) => self.tally.written += 1,
                Some(Fate::There) => self.tally.there += 1,
                Some(Fate::Damaged) => self.refuse(lines, number, "what is stored under its id cannot be read"),
                Some(Fate::Detached(month)) => self.refuse(lines, number, &bulk::taken_out(month)),
                Some(Fate::Different) => self.refuse(lines, number, "another match with this id is there already"),
                None => self.refuse(lines, number, "the database does not take it"),
            }
        }
        lines.tell(self.tally.written, self.tally.there, self.tally.refused);
        Ok(())
    }

    fn refuse(&mut self, lines: &Lines, number: u64, why: &str) {
        self.tally.refused += 1;
        lines.say(&format!("{}:{number}: refused: {why}", lines.name()));
    }
}
