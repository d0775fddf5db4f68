//! `POST /v1/words/normalize`

use actix_web::{HttpResponse, post, web};
use dictionary::{Folded, Library, OwnWords, Policy, trace};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::{Body, Problem, ProblemBody, Reply};

/// A text to be spelled in letters.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TextToNormalize {
    /// One word in any kana.
    #[schema(example = "ｷｬﾍﾞﾂ")]
    text: String,
}

/// Spell a word in letters
///
/// Says the reading in hiragana, every spelling in the 46 letters, and what each rule did on the
/// way. Whether the word exists does not matter.
#[utoipa::path(
    tag = "Words",
    request_body(content = TextToNormalize, example = json!({"text": "ｷｬﾍﾞﾂ"})),
    responses(
        (status = 200, description = "The reading, the spellings and the steps", body = Folded),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`no-spelling`, with the `reason`: `not-kana`, `no-spelling` or `too-long`; a known written form comes with its readings as `candidates`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/words/normalize")]
pub async fn normalize(Body { value: asked, .. }: Body<TextToNormalize>, library: web::Data<Library>) -> Reply {
    let folded = trace(&asked.text).map_err(|fault| {
        let readings = readings_of(&library, &asked.text);
        let problem = Problem::from(fault);
        if readings.is_empty() { problem } else { problem.with("candidates", readings) }
    })?;
    Ok(HttpResponse::Ok().json(folded))
}

/// The readings of a written form, whatever its class.
fn readings_of(library: &Library, form: &str) -> Vec<String> {
    let lexicon = library.default_lexicon();
    let verdict = lexicon.judge(form, &Policy::default(), &OwnWords::default());
    let mut readings: Vec<_> = verdict.entries.iter().map(|entry| entry.reading.to_owned()).collect();
    readings.sort_unstable();
    readings.dedup();
    readings
}
