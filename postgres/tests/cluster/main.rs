//! The private PostgreSQL, tested with the real one that is installed here.

mod crash;
mod lifecycle;
mod probe;
mod refusals;
