//! Runs a private PostgreSQL in the folder given, prints the URL to connect to, and stops with the end of its input.

use std::error::Error;
use std::io::{self, Read as _};
use std::path::Path;

use embedded_postgres::{Cluster, Settings};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("usage: private_cluster <data folder>")?;
    let cluster = Cluster::start(Path::new(&folder), &Settings::default())?;
    println!("{}", cluster.database_url());
    io::stdin().read_to_end(&mut Vec::new())?;
    cluster.stop();
    Ok(())
}
