use std::path::PathBuf;

/// The name under which a server should offer [`Settings::programs`]; error messages point to it.
pub const PROGRAMS_SETTING: &str = "TAKUJO_PG_BIN";

/// How the cluster is run. The defaults suit a server that shares its machine.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The folder of `postgres` and `initdb`; without it the usual places are searched.
    pub programs: Option<PathBuf>,
    /// PostgreSQL's own page cache, in megabytes. Given always, because `initdb` may settle for 400 kB.
    pub shared_buffers_megabytes: u32,
    /// The most connections at a time.
    pub max_connections: u32,
    /// Further parameters of `postgresql.conf`, as (name, value). Those that keep the data safe and the server private
    /// cannot be changed by them.
    pub parameters: Vec<(String, String)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { programs: None, shared_buffers_megabytes: 128, max_connections: 100, parameters: Vec::new() }
    }
}
