//! The `takujo` program: the server and its tools.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use takujo::cli::replay::ReplayArgs;
use takujo::cli::verify::VerifyArgs;
use takujo::cli::words::WordsArgs;
use takujo::config::Given;
use takujo::{serve, startup};

/// The open game server for five Japanese table games, and a word service for しりとり.
#[derive(Parser)]
#[command(name = "takujo", version, args_conflicts_with_subcommands = true)]
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
    Words(WordsArgs),
    /// Print the description of the API (OpenAPI 3.1).
    Openapi,
}

fn main() -> anyhow::Result<ExitCode> {
    let cli = Cli::parse();
    match cli.command.unwrap_or(Command::Serve { settings: cli.settings }) {
        Command::Serve { settings } => serve::serve(settings.complete()?)?,
        Command::Migrate { settings } => serve::migrate(&settings.complete()?)?,
        Command::Verify(verify) => return verify.run(),
        Command::Replay(replay) => return replay.run(),
        Command::Words(words) => return Ok(words.run()),
        Command::Openapi => print!("{}", takujo::openapi::to_text(&startup::description())),
    }
    Ok(ExitCode::SUCCESS)
}
