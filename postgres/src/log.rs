//! PostgreSQL's log file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::error::{Context as _, Error};

/// A log larger than this, in bytes, is put aside at the next start; one older log is kept.
const LARGE: u64 = 16 << 20;
/// How many lines an error quotes.
const QUOTED_LINES: usize = 12;
/// How much of the end is looked at for them, in bytes.
const QUOTED_BYTES: u64 = 8 << 10;

/// The log from one start of PostgreSQL on.
#[derive(Debug)]
pub(crate) struct Log {
    pub(crate) path: PathBuf,
    file: File,
    begin: u64,
}

impl Log {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        if fs::metadata(path).is_ok_and(|log| log.len() > LARGE) {
            fs::rename(path, path.with_extension("log.old")).context("rename", path)?;
        }
        let file = OpenOptions::new().create(true).append(true).mode(0o600).open(path).context("open", path)?;
        let begin = file.metadata().context("look at", path)?.len();
        Ok(Self { path: path.to_owned(), file, begin })
    }

    /// A handle for the program to write to.
    pub(crate) fn writer(&self) -> Result<File, Error> {
        self.file.try_clone().context("open", &self.path)
    }

    /// The last lines that were written since the start.
    pub(crate) fn tail(&self) -> String {
        let read = || -> io::Result<Vec<u8>> {
            let mut file = File::open(&self.path)?;
            let end = file.seek(SeekFrom::End(0))?;
            file.seek(SeekFrom::Start(self.begin.max(end.saturating_sub(QUOTED_BYTES))))?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        match read() {
            Ok(bytes) => last_lines(&String::from_utf8_lossy(&bytes)),
            Err(e) => format!("(the log cannot be read: {e})"),
        }
    }
}

/// The end of a program's output, indented to stand in an error message.
pub(crate) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return "    (nothing)".to_owned();
    }
    let quoted = &lines[lines.len().saturating_sub(QUOTED_LINES)..];
    quoted.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
