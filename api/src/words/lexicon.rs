//! `GET /v1/lexicon`

use actix_web::{HttpResponse, get, web};
use dictionary::{LexiconInfo, Library};
use serde::Serialize;
use utoipa::ToSchema;

use super::ask::{Which, lexicon};
use crate::http::{Params, ProblemBody, Reply};

/// What a lexicon is.
#[derive(Serialize, ToSchema)]
struct LexiconBody<'a> {
    /// As verdicts name it: its version and, after `+`, a mark of the operator's own words where
    /// there are any.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    lexicon: &'a str,
    #[serde(flatten)]
    info: &'a LexiconInfo,
    /// Every lexicon that `?lexicon=` can name.
    #[schema(example = json!(["standard"]))]
    lexicons: Vec<String>,
}

/// What the lexicon is
///
/// Its sources with their versions, licences and notices, how many words it holds, and what names
/// it exactly. Whoever shows its words passes the notices on.
#[utoipa::path(
    tag = "Words",
    params(Which),
    responses(
        (status = 200, description = "The lexicon", body = LexiconBody),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: an unknown lexicon", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/lexicon")]
pub async fn show_lexicon(Params(which): Params<Which>, library: web::Data<Library>) -> Reply {
    let lexicon = lexicon(&library, which.lexicon.as_deref())?;
    let body = LexiconBody { lexicon: lexicon.version(), info: lexicon.info(), lexicons: library.names() };
    Ok(HttpResponse::Ok().json(body))
}
