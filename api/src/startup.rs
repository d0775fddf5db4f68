//! The server put together.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::middleware::{Compress, from_fn};
use actix_web::{App, HttpServer, web};
use anyhow::Context;
use dictionary::{Lexicon, Library};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_actix_web::TracingLogger;
use utoipa::openapi::OpenApi;
use utoipa_actix_web::{AppExt, scope, service_config::ServiceConfig};
use utoipa_swagger_ui::{Config, SwaggerUi};

use crate::config::Settings;
use crate::http::connection::accepted;
use crate::http::cors::{cors, preflight};
use crate::http::edge::{edge, no_route};
use crate::http::limits::{Budgets, limit};
use crate::http::measure::{self, measure};
use crate::http::slots::{self, Slots};
use crate::matches::desk::{Desk, follow_clock_file};
use crate::matches::{self, clock, news};
use crate::openapi::{self, Routes};
use crate::{exports, games, history, housekeeping, leaderboards, operations, pages, players, shiritori, words};

/// The bounds that durations of requests are counted between, in seconds.
const DURATIONS: &[f64] = &[0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0, 30.0];

/// The migrations, in the program itself.
static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../migrations");

/// A server that listens.
pub struct Running {
    /// The server; it ends when it is stopped.
    pub server: Server,
    /// Where it listens.
    pub address: std::net::SocketAddr,
    background: CancellationToken,
    pool: PgPool,
}

impl Running {
    /// Serves until a signal stops it, then ends what runs and closes the database connections.
    ///
    /// # Errors
    /// Where the server cannot go on.
    pub async fn until_stopped(self) -> anyhow::Result<()> {
        let (handle, background) = (self.server.handle(), self.background.clone());
        let stopper = tokio::spawn(async move {
            stop_signal().await;
            tracing::info!("stopping: what runs is answered first");
            // Those who wait for a change are answered now.
            background.cancel();
            handle.stop(true).await;
        });
        let result = self.server.await;
        stopper.abort();
        self.background.cancel();
        self.pool.close().await;
        Ok(result?)
    }
}

/// Waits until the process is asked to stop: by ctrl-C or SIGTERM.
async fn stop_signal() {
    let interrupted = tokio::signal::ctrl_c();
    match signal(SignalKind::terminate()) {
        Ok(mut terminated) => {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "SIGTERM cannot be waited for");
            let _ctrl_c = interrupted.await;
        }
    }
}

/// Connects to the database and brings it up to date.
///
/// # Errors
/// Where it cannot be reached or a migration fails.
pub async fn database(options: PgConnectOptions, connections: u32) -> anyhow::Result<PgPool> {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options.application_name("takujo"))
        .await
        .context("the database cannot be reached")?;
    if !is_up_to_date(&pool).await {
        MIGRATIONS.run(&pool).await.context("the database cannot be brought up to date")?;
    }
    // Without a partition of its month a match lies in the default one: no reason not to start.
    if let Err(error) = matches::store::months::ensure_ahead(&pool).await {
        tracing::warn!(%error, "the partitions of this month cannot be made");
    }
    Ok(pool)
}

/// Whether the database has had exactly the migrations of this program: to run them then would only
/// give notice, at every start, that the table which lists them is there.
async fn is_up_to_date(pool: &PgPool) -> bool {
    let had = sqlx::query!("SELECT version, checksum FROM _sqlx_migrations WHERE success ORDER BY version");
    let had = had.fetch_all(pool).await.unwrap_or_default();
    let had = had.iter().map(|row| (row.version, row.checksum.as_slice()));
    had.eq(MIGRATIONS.iter().map(|migration| (migration.version, &*migration.checksum)))
}

/// All routes, registered together with their descriptions.
fn routes(config: &mut ServiceConfig) {
    config
        .service(
            scope("/v1")
                .service(games::list_games)
                .service(games::show_game)
                .service(matches::create::create_match)
                .service(matches::list::list_matches)
                .service(matches::show::show_match)
                .service(matches::claim::claim_seat)
                .service(matches::legal_actions::legal_actions)
                .service(matches::act::act)
                .service(matches::events::match_events)
                .service(matches::stream::stream_events)
                .service(matches::socket::match_socket)
                .service(matches::at::match_at)
                .service(matches::record::match_record)
                .service(matches::analysis::analyse)
                .service(exports::matches::export_matches)
                .service(exports::actions::export_actions)
                .service(exports::words::export_words)
                .service(players::create_player)
                .service(players::show_player)
                .service(leaderboards::leaderboard)
                .service(history::summary::summary)
                .service(history::explorer::explore)
                .service(words::check::check_words)
                .service(words::normalize::normalize)
                .service(words::search::search_words)
                .service(words::show::show_word)
                .service(words::lexicon::show_lexicon)
                .service(shiritori::check::check_chain)
                .service(shiritori::next::next_words),
        )
        .service(operations::healthz)
        .service(operations::readyz)
        .service(operations::metrics)
        .service(operations::openapi_json)
        .service(operations::problem_page)
        .service(pages::home::home_page)
        .service(pages::docs::docs_page)
        .service(pages::docs::rules_page);
}

/// The complete description of the API.
pub fn description() -> OpenApi {
    let (_, api) = App::new().into_utoipa_app().openapi(openapi::frame()).configure(routes).split_for_parts();
    openapi::complete(api)
}

/// Starts the server on the settings' address. The default lexicon is given; the settings name the
/// others, and the operator's own words.
///
/// # Errors
/// Where the address cannot be had, or a file of words that the settings name.
pub fn serve(settings: Settings, pool: PgPool, lexicon: Lexicon) -> anyhow::Result<Running> {
    let library: Arc<Library> = words::library::open(lexicon, &settings)?.into();
    let listener = TcpListener::bind(settings.listen)
        .with_context(|| format!("{} cannot be listened on; choose another with --listen", settings.listen))?;
    let address = listener.local_addr()?;
    let api = description();
    let routes_there = web::Data::new(Routes::new(&api));
    let background = CancellationToken::new();
    let desk = web::Data::new(Desk::new(pool.clone(), library.clone(), settings.cached_matches, background.clone()));
    let budgets = web::Data::new(Budgets::new(settings.rate_limit, settings.stream_rate));
    let slots = web::Data::new(Slots::new(&settings));
    let prometheus = web::Data::new(recorder());
    tokio::spawn(gather(prometheus.clone(), background.clone()));
    tokio::spawn(news::listen(desk.as_ref().clone(), background.clone()));
    tokio::spawn(desk.presence.clone().tell(pool.clone(), background.clone()));
    if let Some(file) = &settings.clock_step_file {
        tokio::spawn(follow_clock_file(file.clone(), background.clone()));
    }
    tokio::spawn(clock::run(desk.as_ref().clone(), background.clone()));
    tokio::spawn(history::projector::run(pool.clone(), background.clone()));
    tokio::spawn(housekeeping::keep_house(pool.clone(), budgets.clone(), background.clone()));
    if settings.own_words.is_some() {
        tokio::spawn(words::library::watch(library.clone(), background.clone()));
    }
    let library = web::Data::from(library);
    let (workers, connections) = (settings.workers, settings.connections);
    let (request_time, patience) = (settings.request_time(), settings.patience());
    let settings = web::Data::new(settings);
    let server = HttpServer::new(move || {
        let (app, _) = App::new()
            .into_utoipa_app()
            .openapi(openapi::frame())
            .app_data(settings.clone())
            .app_data(desk.clone())
            .app_data(library.clone())
            .app_data(budgets.clone())
            .app_data(slots.clone())
            .app_data(prometheus.clone())
            .app_data(routes_there.clone())
            .configure(routes)
            .split_for_parts();
        app.service(
            SwaggerUi::new("/docs/{_:(?:(?:swagger|index|favicon|oauth2)[a-z0-9-]*[.][a-z]+)?}")
                .config(Config::new(["/openapi.json"]).validator_url("none"))
                .url("/openapi.json", api.clone()),
        )
        .service(web::redirect("/docs", "/docs/"))
        .default_service(web::to(no_route))
        .wrap(from_fn(limit))
        .wrap(from_fn(edge))
        .wrap(Compress::default())
        .wrap(cors(&settings.cors_origins))
        .wrap(from_fn(preflight))
        .wrap(from_fn(measure))
        .wrap(TracingLogger::default())
    })
    .workers(workers)
    .max_connections(connections.div_ceil(workers))
    // Twice as long as a stream's own end takes, so that a reader that begins to read again is told.
    .on_connect(move |connection, _| accepted(connection, patience * 2))
    // Who has closed its end is gone, also while it is told of a match: its seat is free at once.
    .h1_allow_half_closed(false)
    .h1_write_buffer_size(16 * 1024)
    .client_request_timeout(request_time)
    .shutdown_timeout(20)
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(Running { server, address, background, pool })
}

/// The process has one recorder of metrics, however many servers run in it.
fn recorder() -> PrometheusHandle {
    static RECORDER: std::sync::OnceLock<PrometheusHandle> = std::sync::OnceLock::new();
    RECORDER
        .get_or_init(|| {
            let builder = || {
                PrometheusBuilder::new()
                    .set_buckets_for_metric(Matcher::Full(measure::DURATION.to_owned()), DURATIONS)
                    .unwrap_or_else(|_| PrometheusBuilder::new())
            };
            let handle = builder().install_recorder().unwrap_or_else(|_| builder().build_recorder().handle());
            measure::describe();
            slots::describe();
            matches::metrics::describe();
            handle
        })
        .clone()
}

/// Gathers what was measured now and then, so that it does not pile up where nobody reads it.
async fn gather(prometheus: web::Data<PrometheusHandle>, stop: CancellationToken) {
    while stop.run_until_cancelled(tokio::time::sleep(Duration::from_secs(5))).await.is_some() {
        prometheus.run_upkeep();
    }
}
