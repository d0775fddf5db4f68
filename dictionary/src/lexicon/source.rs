//! Data files: sorted rows of words, zstd-compressed, with a first line that says whose they are.
//!
//! ```text
//! #{"name":"…","licence":"…","sources":[…]}
//! reading <tab> class <tab> rank or nothing <tab> written form <tab> written form …
//! ```

use std::io::Read;

use serde::Deserialize;

use super::LexiconError;
use super::build::Row;
use super::file::FORMAT;
use super::info::{EntryCounts, LexiconInfo, Source};
use crate::checksum::sha256;

/// The words of SudachiDict.
const SUDACHI: &[u8] = include_bytes!("../../data/sudachi.tsv.zst");
/// The words of JMdict and JMnedict: share-alike data, left out without the feature.
#[cfg(feature = "share-alike")]
const EDRDG: &[u8] = include_bytes!("../../data/edrdg.tsv.zst");

/// The data files of the default lexicon.
pub(super) const STANDARD: &[&[u8]] = &[
    SUDACHI,
    #[cfg(feature = "share-alike")]
    EDRDG,
];

/// The first bytes of every zstd file.
pub(super) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What a data file may unpack to.
const MAX_UNPACKED: u64 = 1 << 29;

/// What the first line of a data file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    name: String,
    licence: String,
    sources: Vec<Source>,
}

/// What a lexicon of these data files is known by.
pub(super) fn checksum(files: &[&[u8]]) -> String {
    let format = FORMAT.to_le_bytes();
    let parts: Vec<_> = std::iter::once(&format[..]).chain(files.iter().copied()).collect();
    sha256(&parts)
}

pub(super) fn unpack(file: &[u8]) -> Result<String, LexiconError> {
    let mut text = String::new();
    let read = zstd::Decoder::new(file).and_then(|decoder| decoder.take(MAX_UNPACKED).read_to_string(&mut text));
    match read {
        Ok(length) if (length as u64) < MAX_UNPACKED => Ok(text),
        Ok(_) => Err(LexiconError::TooLarge),
        Err(error) => Err(LexiconError::Data { line: 0, fault: error.to_string() }),
    }
}

/// Reads the text of a data file.
pub(super) fn parse<'a>(text: &'a str, rows: &mut Vec<Row<'a>>) -> Result<Header, LexiconError> {
    let fault = |line: usize, fault: String| LexiconError::Data { line, fault };
    let mut lines = text.lines();
    let header = lines.next().and_then(|line| line.strip_prefix('#'));
    let header = header.ok_or_else(|| fault(1, "the first line must be # and a JSON object".into()))?;
    let header = serde_json::from_str(header).map_err(|error| fault(1, error.to_string()))?;
    for (line, number) in lines.zip(2..) {
        let mut columns = line.splitn(4, '\t');
        let (Some(reading), Some(class), Some(rank)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(fault(number, "a row is reading, class, rank and forms, with tabs between".into()));
        };
        rows.push(Row {
            reading: reading.into(),
            class: class.parse().map_err(|error| fault(number, format!("{error}")))?,
            rank: match rank {
                "" => None,
                rank => Some(rank.parse().map_err(|error| fault(number, format!("rank: {error}")))?),
            },
            forms: columns.next().unwrap_or_default().into(),
        });
    }
    Ok(header)
}

/// What a lexicon of these files is. The last file's licence is the whole's: the share-alike data
/// comes last.
pub(super) fn info(name: Option<&str>, headers: Vec<Header>, checksum: String) -> LexiconInfo {
    let name =
        name.map_or_else(|| headers.first().map(|header| header.name.clone()).unwrap_or_default(), str::to_owned);
    let licence = headers.last().map(|header| header.licence.clone()).unwrap_or_default();
    let sources: Vec<_> = headers.into_iter().flat_map(|header| header.sources).collect();
    let build_date = sources.iter().map(|source| source.date.clone()).max().unwrap_or_default();
    let version = format!("{name}-{}-{}", build_date.replace('-', ""), &checksum[..8]);
    LexiconInfo { version, name, licence, build_date, checksum, sources, entries: EntryCounts::default() }
}
