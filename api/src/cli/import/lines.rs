//! The lines of a file, and how far the reading has come.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};

/// The longest line that is read: the longest match has far less.
const LONGEST: usize = 64 << 20;
/// How often the log tells how far it is, where nobody watches.
const TELLS: Duration = Duration::from_secs(10);

/// What gzip and Zstandard files begin with.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

/// A line of a file.
pub struct Line {
    /// Its number, counted from 1.
    pub number: u64,
    /// What it says.
    pub text: Vec<u8>,
}

/// The lines of a file, read one after the other.
pub struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    number: u64,
    bar: ProgressBar,
    told: std::cell::Cell<Instant>,
}

impl Lines {
    /// Opens a file, or standard input for `-`; what is packed is unpacked.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let bar;
        let raw: Box<dyn Read> = if name == "-" {
            bar = ProgressBar::no_length();
            Box::new(bar.wrap_read(io::stdin()))
        } else {
            let file = File::open(path).with_context(|| format!("{name} cannot be read"))?;
            bar = ProgressBar::new(file.metadata()?.len());
            Box::new(bar.wrap_read(file))
        };
        let style = "{bar:30} {bytes}/{total_bytes} {elapsed}, {eta} left  {msg}";
        bar.set_style(ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut raw = BufReader::new(raw);
        let begins = raw.fill_buf().with_context(|| format!("{name} cannot be read"))?;
        let reader: Box<dyn BufRead> = if begins.starts_with(GZIP) {
            Box::new(BufReader::new(MultiGzDecoder::new(raw)))
        } else if begins.starts_with(ZSTANDARD) {
            Box::new(BufReader::new(zstd::Decoder::with_buffer(raw)?))
        } else {
            Box::new(raw)
        };
        Ok(Self { name, reader, number: 0, bar, told: Instant::now().into() })
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next lines that are not empty: at most so many, and no more once there are so many bytes.
    /// None at the end.
    ///
    /// # Errors
    /// Where the file cannot be read on.
    pub fn batch(&mut self, lines: usize, bytes: usize) -> anyhow::Result<Vec<Line>> {
        let (mut batch, mut size) = (Vec::new(), 0);
        while batch.len() < lines && size < bytes {
            let mut text = Vec::new();
            let read = (&mut self.reader).take(LONGEST as u64 + 1).read_until(b'\n', &mut text);
            let read = read.with_context(|| format!("{} cannot be read on after line {}", self.name, self.number))?;
            if read == 0 {
                break;
            }
            self.number += 1;
            anyhow::ensure!(read <= LONGEST, "{}:{}: the line is too long for a record", self.name, self.number);
            size += read;
            if !text.trim_ascii().is_empty() {
                batch.push(Line { number: self.number, text });
            }
        }
        Ok(batch)
    }

    /// Shows how far it is: on the bar, or now and then in the log.
    pub fn tell(&self, imported: u64, there: u64, refused: u64) {
        self.bar.set_message(format!("imported {imported}, there already {there}, refused {refused}"));
        if !io::stderr().is_terminal() && self.told.get().elapsed() >= TELLS {
            self.told.set(Instant::now());
            tracing::info!(file = self.name, line = self.number, imported, there, refused, "importing");
        }
    }

    /// Says something without disturbing the bar.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| say(text));
    }
}

/// Says something, if somebody still listens.
pub fn say(text: &str) {
    let _nobody_listens = writeln!(io::stderr(), "{text}");
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
