//! What a lexicon is made of.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Class;

/// What a lexicon is: where its words come from and how many there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LexiconInfo {
    /// Names this very lexicon: verdicts and records carry it.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub version: String,
    /// The name of the tier.
    #[schema(example = "standard")]
    pub name: String,
    /// The licence of the merged data (SPDX).
    #[schema(example = "CC-BY-SA-4.0")]
    pub licence: String,
    /// The date of its newest source, so that the same sources always give the same lexicon.
    #[schema(example = "2026-10-15")]
    pub build_date: String,
    /// SHA-256 of the data it was built from, in hex.
    pub checksum: String,
    /// The sources, each with its own licence and notice.
    pub sources: Vec<Source>,
    /// How much it holds.
    pub entries: EntryCounts,
}

/// Where words come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the dictionary.
    #[schema(example = "SudachiDict core")]
    pub name: String,
    /// Its version.
    #[schema(example = "20261015")]
    pub version: String,
    /// The date of its data.
    #[schema(example = "2026-10-15")]
    pub date: String,
    /// Its home page.
    pub url: String,
    /// Its licence (SPDX).
    #[schema(example = "Apache-2.0")]
    pub licence: String,
    /// What its licence asks to be told.
    pub notice: String,
}

/// How many words a lexicon holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EntryCounts {
    /// Readings in a class.
    pub total: usize,
    /// Different spellings in letters, every choice of ず and づ counted.
    pub spellings: usize,
    /// Spellings of at least two letters, all different.
    pub playable: usize,
    /// Entries of each class.
    pub by_class: BTreeMap<Class, usize>,
}
