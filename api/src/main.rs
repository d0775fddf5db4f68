//! The `takujo` program: the server and its tools.

use std::sync::Arc;

use anyhow::Context;
use clap::{Parser, Subcommand};
use dictionary::Lexicon;
use takujo::config::Given;
use takujo::startup;
use tracing_subscriber::EnvFilter;

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
    /// Print the description of the API (OpenAPI 3.1).
    Openapi,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    match cli.command {
        None => serve(cli.settings),
        Some(Command::Serve { settings }) => serve(settings),
        Some(Command::Openapi) => {
            print!("{}", takujo::openapi::to_text(&startup::description()));
            Ok(())
        }
    }
}

fn serve(given: Given) -> anyhow::Result<()> {
    let settings = given.complete()?;
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(&settings.log).context("LOG is no filter such as info")?)
        .init();
    actix_web::rt::System::new().block_on(async move {
        let url = settings.database_url.clone().context("DATABASE_URL is not set")?;
        let options = url.parse().context("DATABASE_URL is no PostgreSQL address")?;
        let pool = startup::database(options, settings.database_connections).await?;
        let running = startup::serve(settings, pool, Arc::new(Lexicon::standard(None)?))?;
        tracing::info!(address = %running.address, "takujo listens");
        running.until_stopped().await
    })
}
