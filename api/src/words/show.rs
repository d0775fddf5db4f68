//! `GET /v1/words/{word}`

use actix_web::guard::GuardContext;
use actix_web::{HttpRequest, HttpResponse, get, web};
use dictionary::{Class, ClassSet, Library, OwnWords, Policy, SearchError, Verdict};
use percent_encoding::percent_decode_str;
use rules::text::Text;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::ask::{lexicon, shortened};
use crate::http::problem::Kind;
use crate::http::{Params, Problem, ProblemBody, Reply};

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Judged {
    /// The word classes that count, with commas between; the default is common, place, person,
    /// organization and proper.
    #[param(example = "common,verb")]
    class: Option<String>,
    /// One of the lexicons that `GET /v1/lexicon` lists; without it the default one.
    #[param(example = "standard")]
    lexicon: Option<String>,
}

/// The verdict on one word.
#[derive(Serialize, ToSchema)]
pub struct WordVerdict<'a> {
    /// The version of the lexicon.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub lexicon: &'a str,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: Verdict<'a>,
}

/// The other addresses below `/v1/words`, which are posted to, name no words.
fn names_a_word(request: &GuardContext<'_>) -> bool {
    !matches!(last_part(request.head().uri.path()), "check" | "normalize")
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// What is known of a word
///
/// The same verdict as `POST /v1/words/check` gives. A word that the lexicon has only in classes
/// that do not count is found, and not valid.
#[utoipa::path(
    tag = "Words",
    params(
        ("word" = String, Path, description = "The word, by its reading in any kana or by a written form; percent-encoded UTF-8", example = "稲妻"),
        Judged,
    ),
    responses(
        (status = 200, description = "The verdict", body = WordVerdict),
        (status = 400, description = "`bad-request`: the address is no UTF-8, or a parameter is unknown", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`unknown-word`, with the `reason` and the `lexicon`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/words/{word}", guard = "names_a_word")]
pub async fn show_word(request: HttpRequest, Params(judged): Params<Judged>, library: web::Data<Library>) -> Reply {
    // Not as the router has it, which keeps some characters encoded and replaces broken UTF-8.
    let word = percent_decode_str(last_part(request.uri().path())).decode_utf8().map_err(|_| {
        Problem::new(
            Kind::BadRequest,
            Text::fixed(
                "The word in the address is no UTF-8; percent-encode its UTF-8 bytes.",
                "アドレスの言葉が UTF-8 ではありません。UTF-8 のバイトをパーセント符号化してください。",
            ),
        )
    })?;
    let classes = match &judged.class {
        None => ClassSet::NOUNS,
        Some(list) => list.split(',').map(str::parse::<Class>).collect::<Result<_, _>>().map_err(SearchError::from)?,
    };
    let lexicon = lexicon(&library, judged.lexicon.as_deref())?;
    let verdict = lexicon.judge(&word, &Policy { classes }, &OwnWords::default());
    if !verdict.valid && verdict.entries.is_empty() {
        let shown = shortened(&word);
        let detail = Text::new(
            format!("“{shown}” is not in the lexicon. Search with GET /v1/words for words that are."),
            format!("「{shown}」は辞書にありません。辞書の言葉は GET /v1/words で探せます。"),
        );
        let reason = serde_json::to_value(verdict.reason).unwrap_or_default();
        return Err(Problem::new(Kind::UnknownWord, detail).with("reason", reason).with("lexicon", lexicon.version()));
    }
    Ok(HttpResponse::Ok().json(WordVerdict { lexicon: lexicon.version(), verdict }))
}
