//! The word service: verdicts, spellings and searches.

pub mod ask;
pub mod check;
pub mod lexicon;
pub mod library;
pub mod normalize;
pub mod refused;
pub mod search;
pub mod show;
