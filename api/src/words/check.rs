//! `POST /v1/words/check`

use actix_web::{post, web};
use dictionary::{Library, OwnWords, Policy, Verdict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ask::{Which, beside, json, lexicon};
use super::refused::out_of_bounds;
use crate::http::{Body, Params, Problem, ProblemBody, Reply};

/// How many words one request may ask for.
pub const MOST: usize = 1000;

/// Words to be judged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WordsToCheck {
    /// The words, each by its reading in any kana or by a written form.
    #[schema(min_items = 1, max_items = 1000, example = json!(["バナナ", "稲妻", "けぬむろ"]))]
    words: Vec<String>,
    /// Which classes of words count.
    #[serde(default)]
    policy: Policy,
    /// Readings that are words too.
    #[serde(default)]
    #[schema(max_items = 200)]
    extra: Vec<String>,
    /// Readings that are none; this beats everything.
    #[serde(default)]
    #[schema(max_items = 200)]
    banned: Vec<String>,
}

/// A verdict on every word, in the order in which they were asked.
#[derive(Serialize, ToSchema)]
pub struct Verdicts<'a> {
    /// The version of the lexicon.
    #[schema(example = "standard-20261015-1a2b3c4d")]
    pub lexicon: &'a str,
    /// One verdict a word.
    pub words: Vec<Verdict<'a>>,
}

/// Are these words?
///
/// A word may be given in hiragana, katakana, half-width kana, or as it is written in kanji. What
/// is no word is an answer, with its reason, not an error.
#[utoipa::path(
    tag = "Words",
    params(Which),
    request_body(content = WordsToCheck, example = json!({"words": ["バナナ", "稲妻", "けぬむろ"]})),
    responses(
        (status = 200, description = "One verdict a word, in order", body = Verdicts),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: no word or more than 1,000, an own word that is no reading, an unknown lexicon", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/words/check")]
pub async fn check_words(
    Params(which): Params<Which>,
    Body { value: asked, .. }: Body<WordsToCheck>,
    library: web::Data<Library>,
) -> Reply {
    if !(1..=MOST).contains(&asked.words.len()) {
        let count = asked.words.len();
        return Err(out_of_bounds(
            format!("words has {count} entries; send 1 to {MOST}, and more in further requests."),
            format!("words は 1 語から {MOST} 語までです（{count} 語でした）。分けて送ってください。"),
        ));
    }
    check_policy(&asked.policy)?;
    let lexicon = lexicon(&library, which.lexicon.as_deref())?;
    beside(move || {
        let own = OwnWords::new(&asked.extra, &asked.banned)?;
        let words = asked.words.iter().map(|word| lexicon.judge(word, &asked.policy, &own)).collect();
        json(&Verdicts { lexicon: lexicon.version(), words })
    })
    .await
}

/// # Errors
/// Where a policy leaves no class: no word could be valid.
pub fn check_policy(policy: &Policy) -> Result<(), Problem> {
    if policy.classes.is_empty() {
        return Err(out_of_bounds(
            "classes is empty, so that no word could count; name at least one class or leave it out.",
            "classes が空では、どの言葉も認められません。一つ以上書くか、省いてください。",
        ));
    }
    Ok(())
}
