//! What is learnt from finished matches.
//!
//! A finished match is folded once into counts, its line of play and its players' ratings:
//! [`projector`] takes it from the queue that the database fills, [`source`] reads it, [`fold`]
//! goes through it with the [`games`]' own eyes, [`store`] adds the result up. Summaries and the
//! explorer read only what is added up.

pub mod detached;
pub mod explorer;
pub mod figures;
pub mod filter;
pub mod fold;
pub mod fresh;
pub mod games;
pub mod intervals;
pub mod line;
pub mod options;
pub mod projector;
pub mod ratings;
pub mod rebuild;
pub mod sheet;
pub mod source;
pub mod store;
pub mod summary;
pub mod sums;
pub mod tokens;
