//! What every question about words has in common: which lexicon it is put to, and how its answer
//! is worked out.

use actix_web::HttpResponse;
use dictionary::{Lexicon, Library};
use rules::text::Text;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::http::problem::Kind;
use crate::http::{Problem, Reply};
use crate::matches::desk::blocking;

/// The lexicon that a question is put to.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// One of the lexicons that `GET /v1/lexicon` lists; without it the default one.
    #[param(example = "standard")]
    pub lexicon: Option<String>,
}

/// The lexicon of a name, or the default one.
///
/// # Errors
/// [`Kind::InvalidParameters`] with the names there are.
pub fn lexicon(library: &Library, name: Option<&str>) -> Result<Lexicon, Problem> {
    let Some(name) = name else { return Ok(library.default_lexicon()) };
    library.get(Some(name)).ok_or_else(|| {
        let (shown, names) = (shortened(name), library.names());
        let listed = names.join(", ");
        let detail = Text::new(
            format!("There is no lexicon “{shown}”; there are: {listed}."),
            format!("「{shown}」という辞書はありません。あるのは {listed} です。"),
        );
        Problem::new(Kind::InvalidParameters, detail).with("lexicons", names)
    })
}

/// A client's text as a problem repeats it.
pub fn shortened(text: &str) -> String {
    text.chars().take(32).collect()
}

/// Works an answer out beside the threads that answer requests. The work writes its JSON too: what
/// it says is borrowed from the lexicon.
///
/// # Errors
/// What the work refuses.
pub async fn beside(work: impl FnOnce() -> Result<Vec<u8>, Problem> + Send + 'static) -> Reply {
    Ok(HttpResponse::Ok().content_type("application/json").body(blocking(work).await??))
}

/// An answer as JSON.
///
/// # Errors
/// [`Kind::Internal`] where it has no JSON.
pub fn json(answer: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(answer).map_err(|error| {
        tracing::error!(%error, "an answer has no JSON");
        Problem::plain(Kind::Internal)
    })
}
