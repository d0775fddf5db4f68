//! The rules, one by one.

mod clocks;
mod playthrough;
mod preparation;
mod scoring;
mod simulated;
mod table;
