//! `POST /v1/shiritori/check`

use actix_web::{post, web};
use dictionary::Library;
use dictionary::shiritori::{ChainAnswer, ChainRequest};

use super::check_rules;
use crate::http::{Body, Params, ProblemBody, Reply};
use crate::words::ask::{Which, beside, json, lexicon};

/// Does a chain hold?
///
/// Names the first word that breaks it, the rule that it breaks, what was expected and what would
/// have been accepted; and what the next word must begin with after the part that holds.
#[utoipa::path(
    tag = "Words",
    params(Which),
    request_body(
        content = ChainRequest,
        example = json!({"words": ["しりとり", "りす", "西瓜"], "rules": {"preset": "everyday", "voicing": "loose"}}),
    ),
    responses(
        (status = 200, description = "Whether it holds", body = ChainAnswer),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: no word or more than 1,000, an own word that is no reading, rules that no word can meet, an unknown lexicon", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/shiritori/check")]
pub async fn check_chain(
    Params(which): Params<Which>,
    Body { value: chain, .. }: Body<ChainRequest>,
    library: web::Data<Library>,
) -> Reply {
    check_rules(&chain.rules)?;
    let lexicon = lexicon(&library, which.lexicon.as_deref())?;
    beside(move || json(&lexicon.check_chain(&chain)?)).await
}
