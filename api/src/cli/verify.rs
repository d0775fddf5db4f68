//! `takujo verify RECORD.json`

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;

use crate::config::Given;
use crate::matches::record::{Flaw, RecordBody};
use crate::words;

/// Check that everything in a match's record follows.
///
/// The commitment, every die and shuffle, every event, the hash chain and the outcome, as the page
/// /docs/chance describes it. Exit code: 0 all of it follows, 1 something does not, the first of
/// which is named, 2 the file or the lexicon cannot be read.
#[derive(Args)]
pub struct VerifyArgs {
    /// The record, as `GET /v1/matches/{id}/record` gave it.
    record: PathBuf,
    #[command(flatten)]
    settings: Given,
}

impl VerifyArgs {
    /// Checks the record and says what it found.
    ///
    /// # Errors
    /// Where the file or the lexicon cannot be read.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let settings = self.settings.complete()?;
        let text = std::fs::read(&self.record).with_context(|| format!("{} cannot be read", self.record.display()))?;
        let lexicon = words::library::standard(&settings.data_dir)?;
        let checked = RecordBody::read(&text).and_then(|record| {
            if record.lexicon != lexicon.version() {
                eprintln!(
                    "note: the match was played with the lexicon {}, this program has {}: its verdicts on words may differ",
                    record.lexicon,
                    lexicon.version()
                );
            }
            record.verify(&lexicon)?;
            Ok(record)
        });
        Ok(said(&checked))
    }
}

fn said(checked: &Result<RecordBody, Flaw>) -> ExitCode {
    match checked {
        Ok(record) => {
            let (steps, ranks) = (record.steps.len(), &record.outcome.ranks);
            println!("{} follows: {steps} steps, ranks {ranks:?}", record.id);
            ExitCode::SUCCESS
        }
        Err(flaw) => {
            println!("does not follow: {flaw}");
            ExitCode::FAILURE
        }
    }
}
