//! Making the cluster, once.

use std::fs::{self, DirBuilder};
use std::io::{self, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::Error;
use crate::account::Account;
use crate::command::Runner;
use crate::connection::{DATABASE, USER};
use crate::error::Context as _;
use crate::folder::DataFolder;
use crate::log::last_lines;

/// How characters are classified: as Unicode does it, or where the system has no such locale, only ASCII. The order of
/// texts is that of their bytes in either case, so that no update of the system's locales can spoil an index.
const CHARACTER_LOCALES: [&str; 2] = ["C.UTF-8", "C"];

/// Makes the cluster and the database in it. It is made beside its place and moved there when it is complete, so that
/// one that was interrupted is never taken for a whole one.
pub(crate) fn make_cluster(runner: &Runner, folder: &DataFolder) -> Result<(), Error> {
    let partial = folder.partial_cluster();
    let failed = |program, output: &Output| Error::Initdb {
        program,
        data_folder: folder.path().to_owned(),
        output: last_lines(&format!(
            "{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        )),
    };

    for locale in CHARACTER_LOCALES {
        make_empty(&partial, folder, runner.account.as_ref())?;
        let made = initdb(runner, &partial, locale).map_err(|e| runner.explain("initdb", e))?;
        if made.status.success() {
            break;
        }
        let unknown_locale = String::from_utf8_lossy(&made.stderr).contains("invalid locale name");
        if !unknown_locale || locale == CHARACTER_LOCALES[CHARACTER_LOCALES.len() - 1] {
            return Err(failed("initdb", &made));
        }
    }

    let created = create_database(runner, &partial).map_err(|e| runner.explain("postgres", e))?;
    if !created.status.success() {
        return Err(failed("postgres", &created));
    }
    folder.adopt_partial_cluster(&runner.programs.release)
}

/// An empty folder, and nothing of what an interrupted attempt has left.
fn make_empty(partial: &Path, folder: &DataFolder, account: Option<&Account>) -> Result<(), Error> {
    for left in folder.partial_clusters()? {
        if let Err(error) = fs::remove_dir_all(&left) {
            // Its own `initdb` may be removing it too; what then remains goes the next time.
            tracing::warn!(folder = %left.display(), %error, "cannot remove a half-made cluster");
        }
    }
    DirBuilder::new().mode(0o700).create(partial).context("make", partial)?;
    account.map_or(Ok(()), |account| account.take_over(partial))
}

fn initdb(runner: &Runner, cluster: &Path, character_locale: &str) -> io::Result<Output> {
    runner
        .command("initdb")
        .arg("--pgdata")
        .arg(cluster)
        .args(["--username", USER, "--auth", "trust", "--encoding", "UTF8", "--data-checksums", "--no-instructions"])
        .args(["--locale", "C", "--lc-ctype", character_locale])
        .output()
}

/// Makes the database without a connection: PostgreSQL reads the statement from its input and ends.
fn create_database(runner: &Runner, cluster: &Path) -> io::Result<Output> {
    let mut command = runner.command("postgres");
    command.args(["--single", "-c", "exit_on_error=on", "-D"]).arg(cluster).arg("postgres");
    let mut single = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut input) = single.stdin.take() {
        // Where it ends before it reads, its output tells why.
        let _ = writeln!(input, "CREATE DATABASE {DATABASE}");
    }
    single.wait_with_output()
}
