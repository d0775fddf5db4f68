//! `GET /v1/exports/…`: the history in bulk, as NDJSON, CSV or Parquet.
//!
//! The rows are those of the views in the schema `analytics`. They are read a page of whole matches
//! at a time, each page by one COPY, so that a slow reader holds neither a connection nor a
//! snapshot, and memory stays the same however long the export.

pub mod actions;
mod answer;
pub mod column;
mod csv;
pub mod dataset;
pub mod matches;
mod ndjson;
mod page;
mod parquet;
mod request;
mod row;
pub mod words;
