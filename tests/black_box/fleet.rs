//! Several processes of the program on one PostgreSQL that is theirs alone.

use std::path::PathBuf;
use std::process::Command;

use embedded_postgres::{Cluster, Settings};
use sqlx::{Connection, PgConnection};

use crate::program::{Folder, Program, serving};

/// A PostgreSQL and the processes that serve from it.
pub struct Fleet {
    // Dropped in this order: the processes before their database.
    pub programs: Vec<Program>,
    pub cluster: Option<Cluster>,
    pub folder: Folder,
    url: String,
    arguments: Vec<String>,
}

impl Fleet {
    /// So many processes with more arguments on the command line.
    pub async fn start(count: usize, arguments: &[&str]) -> Self {
        Self::on(Settings::default(), count, arguments).await
    }

    /// The same on a PostgreSQL with other settings.
    pub async fn on(settings: Settings, count: usize, arguments: &[&str]) -> Self {
        let folder = Folder::new();
        let cluster = start_cluster(folder.path().join("cluster"), settings).await;
        let url = cluster.database_url();
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        let mut fleet = Self { programs: Vec::new(), cluster: Some(cluster), folder, url, arguments };
        for _ in 0..count {
            let program = Program::run(fleet.command("127.0.0.1:0"));
            fleet.programs.push(program);
        }
        fleet
    }

    /// The command of one process more.
    pub fn command(&self, listen: &str) -> Command {
        let mut command = serving(&self.folder, "info", listen);
        command.args(["--database-url", &self.url]).args(&self.arguments);
        command
    }

    /// Kills a process as a crash would and starts it again at its address.
    pub async fn crash(&mut self, which: usize) {
        self.programs[which].crash();
        self.start_again(which).await;
    }

    /// Starts a process that has ended again at its address.
    pub async fn start_again(&mut self, which: usize) {
        let listen = self.programs[which].server.base.replacen("http://", "", 1);
        let command = self.command(&listen);
        self.programs[which] = tokio::task::spawn_blocking(|| Program::run(command)).await.unwrap();
    }

    /// Where the database is.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A connection to the database.
    pub async fn sql(&self) -> PgConnection {
        PgConnection::connect(&self.url).await.unwrap()
    }

    /// Stops PostgreSQL, and nothing else.
    pub async fn stop_database(&mut self) {
        let cluster = self.cluster.take().unwrap();
        tokio::task::spawn_blocking(|| cluster.stop()).await.unwrap();
    }

    /// Starts PostgreSQL again on what it had.
    pub async fn start_database(&mut self, settings: Settings) {
        self.cluster = Some(start_cluster(self.folder.path().join("cluster"), settings).await);
    }
}

async fn start_cluster(folder: PathBuf, settings: Settings) -> Cluster {
    tokio::task::spawn_blocking(move || Cluster::start(&folder, &settings).unwrap()).await.unwrap()
}
