//! The server with everything it needs: its database, its lexicon, its log.

use std::io::IsTerminal;

use anyhow::Context;
use embedded_postgres::Cluster;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use tracing_subscriber::EnvFilter;

use crate::config::Settings;
use crate::{startup, words};

/// Serves until a signal stops it.
///
/// # Errors
/// Where something that the server needs is not to be had; the message says how to get it.
pub fn serve(settings: Settings) -> anyhow::Result<()> {
    start_log(&settings.log)?;
    let cluster = own_database(&settings)?;
    let served = actix_web::rt::System::new().block_on(async {
        let pool = pool(&settings, cluster.as_ref()).await?;
        let lexicon = words::library::standard(&settings.data_dir)?;
        tracing::info!(version = lexicon.version(), "the lexicon is open");
        let running = startup::serve(settings, pool, lexicon)?;
        tracing::info!("takujo listens on http://{} (the API: /docs)", running.address);
        running.until_stopped().await
    });
    if let Some(cluster) = cluster {
        cluster.stop();
    }
    served
}

/// Brings the database up to date.
///
/// # Errors
/// Where it cannot be reached or a migration fails.
pub fn migrate(settings: &Settings) -> anyhow::Result<()> {
    with_database(settings, async |_| Ok(()))
}

/// Does something with the database, brought up to date, and closes it.
///
/// # Errors
/// Where it cannot be reached, or what is done fails.
pub fn with_database(settings: &Settings, work: impl AsyncFnOnce(PgPool) -> anyhow::Result<()>) -> anyhow::Result<()> {
    start_log(&settings.log)?;
    let cluster = own_database(settings)?;
    let done = actix_web::rt::System::new().block_on(async {
        let pool = pool(settings, cluster.as_ref()).await?;
        let done = work(pool.clone()).await;
        pool.close().await;
        done
    });
    if let Some(cluster) = cluster {
        cluster.stop();
    }
    done
}

/// The server's own PostgreSQL, unless the settings name another.
fn own_database(settings: &Settings) -> anyhow::Result<Option<Cluster>> {
    if settings.database_url.is_some() {
        return Ok(None);
    }
    let wanted = embedded_postgres::Settings {
        programs: settings.takujo_pg_bin.clone(),
        max_connections: settings.database_connections + 20,
        ..embedded_postgres::Settings::default()
    };
    let cluster = Cluster::start(&settings.data_dir.join("postgres"), &wanted)?;
    tracing::info!(release = ?cluster.release(), folder = %settings.data_dir.display(), "the private PostgreSQL runs");
    Ok(Some(cluster))
}

async fn pool(settings: &Settings, cluster: Option<&Cluster>) -> anyhow::Result<PgPool> {
    let options: PgConnectOptions = match (&settings.database_url, cluster) {
        (Some(url), _) => {
            url.parse().context("DATABASE_URL is no PostgreSQL address such as postgres://user@host/name")?
        }
        (None, Some(cluster)) => cluster.database_url().parse()?,
        (None, None) => anyhow::bail!("there is neither DATABASE_URL nor an own PostgreSQL"),
    };
    startup::database(options, settings.database_connections).await
}

/// Lines to read on a terminal, JSON elsewhere.
fn start_log(filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(filter).context("LOG is no filter such as info or takujo=debug")?;
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        log.init();
    } else {
        log.json().flatten_event(true).init();
    }
    Ok(())
}
