//! What every request passes through, whatever it is about.

pub mod auth;
pub mod body;
pub mod connection;
pub mod cors;
pub mod edge;
pub mod idempotency;
pub mod language;
pub mod limits;
pub mod measure;
pub mod moment;
pub mod params;
pub mod problem;
pub mod slots;

pub use auth::Bearer;
pub use body::Body;
pub use language::Language;
pub use moment::{Moment, TimeRange};
pub use params::{Params, PathId};
pub use problem::{Kind, Problem, ProblemBody};

/// What a handler answers.
pub type Reply = Result<actix_web::HttpResponse, Problem>;
