//! The server with everything it needs: its database, its lexicon, its log.

use std::io::IsTerminal;

use anyhow::Context;
use embedded_postgres::Cluster;
use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;
use tracing_subscriber::EnvFilter;

use crate::config::Settings;
use crate::http::idempotency::forget_unanswered;
use crate::{startup, words};

/// Serves until a signal stops it.
///
/// # Errors
/// Where something that the server needs is not to be had; the message says how to get it.
pub fn serve(settings: Settings) -> anyhow::Result<()> {
    start_log(&settings.log)?;
    allow_connections();
    let cluster = own_database(&settings)?;
    let served = actix_web::rt::System::new().block_on(async {
        let pool = pool(&settings, cluster.as_ref()).await?;
        if cluster.is_some() {
            // Nobody else has this database: what a server before this one had begun, it carries out no more.
            forget_unanswered(&pool).await?;
        }
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

/// Does something with the database that the settings name, brought up to date: the server's own is
/// started for it and stopped after it.
///
/// # Errors
/// Where the database cannot be reached, a migration fails, or the work does.
pub fn with_database<T>(settings: &Settings, work: impl AsyncFnOnce(PgPool) -> anyhow::Result<T>) -> anyhow::Result<T> {
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

/// Takes as many open files as the system lets this process have: each connection is one, and the
/// usual first limit of 1024 is soon reached.
fn allow_connections() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    let raised = getrlimit(Resource::RLIMIT_NOFILE).and_then(|(_, most)| {
        setrlimit(Resource::RLIMIT_NOFILE, most, most)?;
        Ok(most)
    });
    match raised {
        Ok(files) => tracing::debug!(files, "open files that the process may have"),
        Err(error) => tracing::warn!(%error, "the limit of open files cannot be raised"),
    }
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
