//! Settings: flags, environment variables of the same name in capitals, or one file.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::http::Uri;
use anyhow::Context;
use clap::Args;
use serde::Deserialize;

use crate::words::library::NamedLexicon;

/// What is logged by default: not what clients send that is no HTTP, which is no fault of the server.
const LOG: &str = "info,actix_http=off";

/// Settings as they are given; what is missing comes from the file, then from the defaults.
#[derive(Args, Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Given {
    /// Where to listen [default: 127.0.0.1:8080].
    #[arg(long, env = "LISTEN")]
    pub listen: Option<SocketAddr>,
    /// The PostgreSQL to use [default: the server's own, in its data folder].
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The server's data folder [default: under the user's data folder].
    #[arg(long, env = "DATA_DIR")]
    pub data_dir: Option<PathBuf>,
    /// The folder of PostgreSQL's own programs, for the server's own database [default: searched].
    #[arg(long, env = "TAKUJO_PG_BIN")]
    pub takujo_pg_bin: Option<PathBuf>,
    /// What to log, as in `info` or `takujo=debug` [default: info].
    #[arg(long, env = "LOG")]
    pub log: Option<String>,
    /// How many requests a second each client address and each token may make, of which ten
    /// seconds' worth can be saved up; 0 for no limit [default: 1000].
    #[arg(long, env = "RATE_LIMIT")]
    pub rate_limit: Option<u32>,
    /// How many streams and sockets a second each client address and each token may open, of which ten
    /// seconds' worth can be saved up; 0 for no limit [default: 50].
    #[arg(long, env = "STREAM_RATE")]
    pub stream_rate: Option<u32>,
    /// The most streams and sockets open at a time; 0 for no limit [default: 10000].
    #[arg(long, env = "STREAMS")]
    pub streams: Option<u32>,
    /// The most of them that one client address has open; 0 for no limit [default: 1000].
    #[arg(long, env = "STREAMS_PER_ADDRESS")]
    pub streams_per_address: Option<u32>,
    /// The most of them that one token has open; 0 for no limit [default: 20].
    #[arg(long, env = "STREAMS_PER_TOKEN")]
    pub streams_per_token: Option<u32>,
    /// How many seconds a reader may take nothing of a stream before it is dropped [default: 30].
    #[arg(long, env = "SLOW_READER_SECONDS")]
    pub slow_reader_seconds: Option<u32>,
    /// The most connections at a time; what comes more waits to be accepted [default: 20000].
    #[arg(long, env = "CONNECTIONS")]
    pub connections: Option<usize>,
    /// How many seconds the head of a request, and its body, may take to arrive [default: 10].
    #[arg(long, env = "REQUEST_SECONDS")]
    pub request_seconds: Option<u32>,
    /// Believe the last X-Forwarded-For address: only behind a proxy that sets it.
    #[arg(long, env = "TRUST_PROXY", num_args = 0..=1, default_missing_value = "true")]
    pub trust_proxy: Option<bool>,
    /// Origins whose pages may also send requests that change something; `*` for all.
    #[arg(long, env = "CORS_ORIGINS", value_delimiter = ',')]
    pub cors_origins: Option<Vec<String>>,
    /// Connections to the database; two that write and one that listens come on top [default: 16].
    #[arg(long, env = "DATABASE_CONNECTIONS")]
    pub database_connections: Option<u32>,
    /// Threads that answer requests [default: one a core].
    #[arg(long, env = "WORKERS")]
    pub workers: Option<usize>,
    /// Matches kept in memory, beside those that somebody follows [default: 20000].
    #[arg(long, env = "CACHED_MATCHES")]
    pub cached_matches: Option<u64>,
    /// A file of words that are added, and banned with `-` before them, one reading a line; it is
    /// read again when it changes.
    #[arg(long, env = "OWN_WORDS", value_name = "FILE")]
    pub own_words: Option<PathBuf>,
    /// A lexicon beside the default, asked with `?lexicon=NAME`.
    #[arg(long = "lexicon", env = "LEXICONS", value_delimiter = ',', value_name = "NAME=FILE")]
    pub lexicons: Option<Vec<NamedLexicon>>,
    /// A file with milliseconds by which the server's clock is to differ from the system's: for tests
    /// of what a step of the clock does.
    #[arg(long, env = "CLOCK_STEP_FILE", hide = true)]
    pub clock_step_file: Option<PathBuf>,
    /// A TOML file with any of these settings.
    #[arg(long, env = "CONFIG")]
    #[serde(skip)]
    pub config: Option<PathBuf>,
}

/// Settings, complete.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The PostgreSQL to use, if not the server's own.
    pub database_url: Option<String>,
    /// The data folder.
    pub data_dir: PathBuf,
    /// The folder of PostgreSQL's own programs, if it is not to be searched for.
    pub takujo_pg_bin: Option<PathBuf>,
    /// What to log.
    pub log: String,
    /// Requests a second; 0 for no limit.
    pub rate_limit: u32,
    /// Newly opened streams a second; 0 for no limit.
    pub stream_rate: u32,
    /// Open streams in all; 0 for no limit.
    pub streams: u32,
    /// Open streams of one address; 0 for no limit.
    pub streams_per_address: u32,
    /// Open streams of one token; 0 for no limit.
    pub streams_per_token: u32,
    /// Seconds that a reader may take nothing.
    pub slow_reader_seconds: u32,
    /// Connections in all.
    pub connections: usize,
    /// Seconds that the head of a request, and its body, may take.
    pub request_seconds: u32,
    /// Whether to believe `X-Forwarded-For`.
    pub trust_proxy: bool,
    /// Origins whose pages may change something.
    pub cors_origins: Vec<String>,
    /// Connections to the database.
    pub database_connections: u32,
    /// Threads that answer requests.
    pub workers: usize,
    /// Matches kept in memory.
    pub cached_matches: u64,
    /// The file of the operator's own words.
    pub own_words: Option<PathBuf>,
    /// Lexicons beside the default.
    pub lexicons: Vec<NamedLexicon>,
    /// The file that the clock's difference is read from.
    pub clock_step_file: Option<PathBuf>,
}

impl Settings {
    /// How long the head of a request, and its body, may take to arrive.
    pub fn request_time(&self) -> Duration {
        Duration::from_secs(self.request_seconds.into())
    }

    /// How long a reader may take nothing of a stream.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.slow_reader_seconds.into())
    }
}

impl Given {
    /// Completes the settings from the file, if one is named, and the defaults.
    ///
    /// # Errors
    /// Where the file cannot be read or holds what is no setting.
    pub fn complete(self) -> anyhow::Result<Settings> {
        let file = match &self.config {
            None => Self::default(),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .with_context(|| format!("the settings file {} cannot be read", path.display()))?;
                toml::from_str(&text).with_context(|| format!("in the settings file {}", path.display()))?
            }
        };
        Ok(Settings {
            listen: self.listen.or(file.listen).unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            database_url: self.database_url.or(file.database_url),
            data_dir: self.data_dir.or(file.data_dir).unwrap_or_else(embedded_postgres::default_data_folder),
            takujo_pg_bin: self.takujo_pg_bin.or(file.takujo_pg_bin),
            log: self.log.or(file.log).unwrap_or_else(|| LOG.to_owned()),
            rate_limit: self.rate_limit.or(file.rate_limit).unwrap_or(1000),
            stream_rate: self.stream_rate.or(file.stream_rate).unwrap_or(50),
            streams: self.streams.or(file.streams).unwrap_or(10_000),
            streams_per_address: self.streams_per_address.or(file.streams_per_address).unwrap_or(1000),
            streams_per_token: self.streams_per_token.or(file.streams_per_token).unwrap_or(20),
            slow_reader_seconds: self.slow_reader_seconds.or(file.slow_reader_seconds).unwrap_or(30).max(1),
            connections: self.connections.or(file.connections).unwrap_or(20_000).max(1),
            request_seconds: self.request_seconds.or(file.request_seconds).unwrap_or(10).max(1),
            trust_proxy: self.trust_proxy.or(file.trust_proxy).unwrap_or(false),
            cors_origins: origins(self.cors_origins.or(file.cors_origins).unwrap_or_default())?,
            database_connections: self.database_connections.or(file.database_connections).unwrap_or(16).max(2),
            workers: self
                .workers
                .or(file.workers)
                .unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from))
                .max(1),
            cached_matches: self.cached_matches.or(file.cached_matches).unwrap_or(20_000),
            own_words: self.own_words.or(file.own_words),
            lexicons: self.lexicons.or(file.lexicons).unwrap_or_default(),
            clock_step_file: self.clock_step_file.or(file.clock_step_file),
        })
    }
}

/// Origins as browsers send them: a scheme, a host and perhaps a port.
fn origins(given: Vec<String>) -> anyhow::Result<Vec<String>> {
    let trimmed = given.into_iter().map(|origin| origin.trim().to_owned());
    trimmed
        .map(|origin| {
            let uri = origin.parse::<Uri>().ok();
            let is_origin = uri.is_some_and(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && uri.path() == "/" && !origin.ends_with('/')
            });
            anyhow::ensure!(
                origin == "*" || is_origin,
                "CORS_ORIGINS: “{origin}” is no origin; write one as https://example.org or https://example.org:8443"
            );
            Ok(origin)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_come_before_the_file_and_the_file_before_the_defaults() {
        let path = std::env::temp_dir().join(format!("takujo-settings-{}.toml", std::process::id()));
        std::fs::write(&path, "rate_limit = 7\nworkers = 3\n").unwrap();
        let given = Given { workers: Some(5), config: Some(path.clone()), ..Given::default() };
        let settings = given.complete().unwrap();
        assert_eq!((settings.rate_limit, settings.workers, settings.log.as_str()), (7, 5, LOG));
        std::fs::write(&path, "rate_limits = 7\n").unwrap();
        assert!(Given { config: Some(path.clone()), ..Given::default() }.complete().is_err());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn origins_are_what_browsers_send() {
        let all = |text: &str| origins(text.split(',').map(str::to_owned).collect());
        assert_eq!(
            all("https://a.example, http://localhost:5173").unwrap(),
            ["https://a.example", "http://localhost:5173"]
        );
        assert_eq!(all("*").unwrap(), ["*"]);
        for wrong in ["a.example", "https://a.example/", "https://a.example/page", "", "https://"] {
            assert!(all(wrong).is_err(), "{wrong}");
        }
    }
}
