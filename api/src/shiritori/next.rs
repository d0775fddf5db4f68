//! `POST /v1/shiritori/next`

use actix_web::{post, web};
use dictionary::Library;
use dictionary::shiritori::{NextAnswer, NextRequest};

use super::check_rules;
use crate::http::{Body, Params, ProblemBody, Reply};
use crate::words::ask::{Which, beside, json, lexicon};

/// What can come next?
///
/// Never a word that was used. With `order` `fewest_answers` the words come first that leave the
/// opponent the fewest answers: a strong player.
#[utoipa::path(
    tag = "Words",
    params(Which),
    request_body(
        content = NextRequest,
        example = json!({"after": "西瓜", "used": ["しりとり", "りす", "西瓜"], "order": "fewest_answers", "limit": 5}),
    ),
    responses(
        (status = 200, description = "A page of words; `dead_end` where none can follow", body = NextAnswer),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: neither or both of `after` and `starts_with`, a text that is not kana, a limit out of bounds, a cursor of another question, an unknown lexicon", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/shiritori/next")]
pub async fn next_words(
    Params(which): Params<Which>,
    Body { value: asked, .. }: Body<NextRequest>,
    library: web::Data<Library>,
) -> Reply {
    check_rules(&asked.rules)?;
    let lexicon = lexicon(&library, which.lexicon.as_deref())?;
    beside(move || json(&lexicon.next_words(&asked)?)).await
}
