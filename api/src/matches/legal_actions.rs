//! `GET /v1/matches/{id}/legal-actions`

use actix_web::{HttpResponse, get, web};
use rules::game::Inquiry;
use rules::seat::Seat;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::openapi::schema::ArrayBuilder;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, ToSchema};

use super::answer::any_action;
use super::desk::{Desk, blocking};
use super::seat_of::acting;
use crate::http::problem::Kind;
use crate::http::{Bearer, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;
use rules::text::Text;

/// How many actions an answer holds at the most, unless it is asked for fewer.
const LIMIT: usize = 20_000;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// `false` leaves out what needs a word (八築).
    words: Option<bool>,
    /// The most actions to give.
    #[param(minimum = 1, maximum = 20000)]
    limit: Option<usize>,
    /// Of a player with several seats: the one meant.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// What a seat may do now.
#[derive(Serialize, ToSchema)]
struct LegalActions {
    /// The version that this is about.
    version: u32,
    seat: Seat,
    /// Each can be posted as it is; `resign` is always possible and not listed.
    #[schema(schema_with = actions)]
    actions: Vec<Box<RawValue>>,
    /// Whether these are all: false where there are more than `limit` or the choices are a continuum.
    complete: bool,
}

fn actions() -> RefOr<Schema> {
    ArrayBuilder::new().items(any_action()).build().into()
}

/// List a seat's legal actions
///
/// Empty while the seat may do nothing; what may be done out of turn, such as reporting a collapse,
/// is listed. A seat that has resigned has none.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath, Wanted),
    security(("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The actions", body = LegalActions),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`token-required`, `unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`: a token of another match", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/legal-actions")]
pub async fn legal_actions(
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(wanted): Params<Wanted>,
    desk: web::Data<Desk>,
) -> Reply {
    let token = bearer.required()?;
    let limit = wanted.limit.unwrap_or(LIMIT);
    if !(1..=LIMIT).contains(&limit) {
        return Err(Problem::new(
            Kind::InvalidParameters,
            Text::fixed("limit is from 1 to 20000.", "limit は 1 から 20000 までです。"),
        ));
    }
    let live = desk.get(id).await?;
    let seat = acting(&desk.pool, &live, &token, wanted.seat).await?;
    let snapshot = live.snapshot();
    let version = snapshot.table.head().version;
    let (lexicon, words) = (desk.lexicon(), wanted.words.unwrap_or(true));
    let legal =
        blocking(move || snapshot.table.legal_actions(seat, Inquiry { lexicon: &lexicon, words }, limit)).await?;
    let body = LegalActions { version, seat, actions: legal.actions, complete: legal.complete };
    Ok(HttpResponse::Ok().json(body))
}
