//! The `takujo` program: the server and its tools.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use takujo::cli::generate::GenerateArgs;
use takujo::cli::project::ProjectArgs;
use takujo::cli::words::WordsArgs;
use takujo::config::Given;
use takujo::matches::record::RecordBody;
use takujo::{serve, startup, words};

/// The open game server for five Japanese table games, and a word service for しりとり.
#[derive(Parser)]
#[command(name = "takujo", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Given,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the API (what happens without a command, too).
    Serve {
        #[command(flatten)]
        settings: Given,
    },
    /// Bring the database up to date and stop.
    Migrate {
        #[command(flatten)]
        settings: Given,
    },
    /// Check that everything in a match's record follows: the commitment, every die and shuffle,
    /// every event, the hash chain and the outcome.
    Verify {
        /// The record, as `GET /v1/matches/{id}/record` gave it.
        record: PathBuf,
        #[command(flatten)]
        settings: Given,
    },
    Words(WordsArgs),
    /// Fold the finished matches that wait into counts, lines of play and ratings, and stop.
    ///
    /// Servers do this as they run; this is for after an import, or with --rebuild to make
    /// everything again from the log.
    Project {
        #[command(flatten)]
        project: ProjectArgs,
        #[command(flatten)]
        settings: Given,
    },
    /// Make a history: matches played through the rules by bots in the seats of humans and bots, at
    /// plausible times over the months before now, loaded in bulk.
    ///
    /// The same seed makes the same matches, but for their times, which end now. Every record can be
    /// verified. The new matches then wait to be folded: a running server does it, or `takujo project`.
    Generate {
        #[command(flatten)]
        generate: GenerateArgs,
        #[command(flatten)]
        settings: Given,
    },
    /// Print the description of the API (OpenAPI 3.1).
    Openapi,
}

fn main() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    match cli.command.unwrap_or(Command::Serve { settings: cli.settings }) {
        Command::Serve { settings } => serve::serve(settings.complete()?)?,
        Command::Migrate { settings } => serve::migrate(&settings.complete()?)?,
        Command::Verify { record, settings } => return verify(&record, &settings.complete()?.data_dir),
        Command::Words(words) => return Ok(words.run()),
        Command::Project { project, settings } => {
            serve::with_database(&settings.complete()?, async |pool| project.run(&pool).await)?;
        }
        Command::Generate { generate, settings } => {
            let settings = settings.complete()?;
            let lexicon = words::library::standard(&settings.data_dir)?;
            serve::with_database(&settings, async |pool| generate.run(&pool, lexicon).await)?;
        }
        Command::Openapi => print!("{}", takujo::openapi::to_text(&startup::description())),
    }
    Ok(ExitCode::SUCCESS)
}

fn verify(path: &PathBuf, data_dir: &std::path::Path) -> anyhow::Result<ExitCode> {
    let text = std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let record: RecordBody =
        serde_json::from_slice(&text).with_context(|| format!("{} is no record", path.display()))?;
    let lexicon = words::library::standard(data_dir)?;
    if record.lexicon != lexicon.version() {
        eprintln!(
            "note: the match was played with the lexicon {}, this program has {}: its verdicts on words may differ",
            record.lexicon,
            lexicon.version()
        );
    }
    match record.verify(&lexicon) {
        Ok(()) => {
            println!("{} follows: {} steps, outcome {:?}", record.id, record.steps.len(), record.outcome.ranks);
            Ok(ExitCode::SUCCESS)
        }
        Err(what) => {
            println!("{} does not follow: {what}", record.id);
            Ok(ExitCode::FAILURE)
        }
    }
}
