//! `GET /v1/words`

use actix_web::{get, web};
use dictionary::fold::MAX_LENGTH;
use dictionary::{Library, OwnWords, SearchPage, SearchQuery};

use super::ask::{beside, json, lexicon};
use super::refused::out_of_bounds;
use crate::http::{Params, Problem, ProblemBody, Reply};

/// Search for words
///
/// Everything that is given must hold. A page costs some milliseconds at the most, whatever is
/// asked; without any condition it is the first page of the whole lexicon.
#[utoipa::path(
    tag = "Words",
    params(SearchQuery),
    responses(
        (status = 200, description = "A page of words", body = SearchPage),
        (status = 400, description = "`bad-request`: a parameter that does not exist or has another type", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: a text that is not kana, a letter twice in the rack, bounds that nothing can meet, a cursor of another search, an unknown lexicon", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/words")]
pub async fn search_words(Params(query): Params<SearchQuery>, library: web::Data<Library>) -> Reply {
    check_lengths(query.min_length, query.max_length)?;
    let lexicon = lexicon(&library, query.lexicon.as_deref())?;
    beside(move || json(&lexicon.search(&query, &OwnWords::default())?)).await
}

/// # Errors
/// Where no word can have such a length.
fn check_lengths(min: Option<usize>, max: Option<usize>) -> Result<(), Problem> {
    let bounded = |name: &'static str, length: usize, least: usize| {
        if (least..=MAX_LENGTH).contains(&length) {
            return Ok(());
        }
        let (en, ja) = (
            format!("{name} is {length}; it may be {least} to {MAX_LENGTH} letters."),
            format!("{name} は {least} から {MAX_LENGTH} までです（{length} でした）。"),
        );
        Err(out_of_bounds(en, ja).with("parameter", name))
    };
    bounded("min_length", min.unwrap_or(0), 0)?;
    bounded("max_length", max.unwrap_or(MAX_LENGTH), 1)?;
    match (min, max) {
        (Some(min), Some(max)) if min > max => {
            let (en, ja) = (
                format!("min_length {min} is more than max_length {max}: no word can be both; swap them."),
                format!("min_length {min} が max_length {max} より大きいため、当てはまる言葉はありません。"),
            );
            Err(out_of_bounds(en, ja).with("parameter", "min_length"))
        }
        _ => Ok(()),
    }
}
