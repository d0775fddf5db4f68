//! The `takujo` program: the server and its tools.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use takujo::cli::export_records::ExportRecordsArgs;
use takujo::cli::generate::GenerateArgs;
use takujo::cli::import::ImportArgs;
use takujo::cli::project::ProjectArgs;
use takujo::cli::replay::ReplayArgs;
use takujo::cli::verify::VerifyArgs;
use takujo::cli::words::WordsArgs;
use takujo::config::Given;
use takujo::{serve, startup, words};

/// What the program ends with.
const EXIT_CODES: &str = "Exit codes: 0 it is done, and what was checked holds; 1 something that was checked does not \
                          hold; 2 it could not be done: wrong usage, unreadable input, no database.";

/// The open game server for five Japanese table games, and a word service for しりとり.
#[derive(Parser)]
#[command(name = "takujo", version, args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
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
    Verify(VerifyArgs),
    Replay(ReplayArgs),
    Import(ImportArgs),
    ExportRecords(ExportRecordsArgs),
    Words(WordsArgs),
    /// Fold the finished matches that wait into counts, lines of play and ratings, and stop.
    ///
    /// Servers do this as they run; this is for after an import, or with --rebuild to make
    /// everything again from the log. Matches that were set aside are tried again.
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

fn main() -> ExitCode {
    run(Cli::parse()).unwrap_or_else(|error| {
        // Whoever reads the output, such as `head`, has had enough of it.
        if !error.chain().any(is_closed_pipe) {
            eprintln!("Error: {error:?}");
        }
        ExitCode::from(2)
    })
}

fn is_closed_pipe(cause: &(dyn std::error::Error + 'static)) -> bool {
    let io = cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
    io.or(json) == Some(std::io::ErrorKind::BrokenPipe)
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command.unwrap_or(Command::Serve { settings: cli.settings }) {
        Command::Serve { settings } => serve::serve(settings.complete()?)?,
        Command::Migrate { settings } => serve::migrate(&settings.complete()?)?,
        Command::Verify(verify) => return verify.run(),
        Command::Replay(replay) => return replay.run(),
        Command::Import(import) => return Ok(import.run()),
        Command::ExportRecords(export) => return export.run().map(|()| ExitCode::SUCCESS),
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
