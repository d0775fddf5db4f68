//! `GET /v1/matches/{id}`

use std::time::Duration;

use actix_web::http::header::{self, Header, IfNoneMatch};
use actix_web::{HttpRequest, HttpResponse, get, web};
use rules::seat::Seat;
use rules::text::Text;
use serde::Deserialize;
use utoipa::IntoParams;

use super::answer::MatchBody;
use super::desk::Desk;
use super::live::Projection;
use super::seat_of::viewing;
use crate::http::problem::Kind;
use crate::http::{Bearer, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// The longest a request waits for a change, in seconds.
const WAIT_LIMIT: u64 = 30;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Watch {
    /// With `If-None-Match`: hold the answer until the match is another than the tag names, at most
    /// so many seconds; then 304.
    #[param(minimum = 0, maximum = 30, example = 20)]
    wait: Option<u64>,
    /// Of a player with several seats: the one to look from.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// See a match
///
/// The view is what the bearer may see: its own seat's, else the public one. After the end
/// everything is open.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath, Watch, ("If-None-Match" = Option<String>, Header, description = "The ETag that the client has")),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The match", body = MatchBody, headers(("ETag" = String, description = "Of this viewer's match"))),
        (status = 304, description = "The match is still the one of If-None-Match"),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`, `token-required`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`: the token does not hold the seat asked for", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}")]
pub async fn show_match(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(watch): Params<Watch>,
    desk: web::Data<Desk>,
) -> Reply {
    let wait = watch.wait.unwrap_or(0);
    if wait > WAIT_LIMIT {
        return Err(Problem::new(
            Kind::InvalidParameters,
            Text::fixed("wait is at most 30 seconds.", "wait は 30 秒までです。"),
        ));
    }
    let live = desk.get(id).await?;
    let seat = viewing(&desk.pool, &live, bearer.0, watch.seat).await?;
    let Some(known) = known(&request) else {
        return Ok(answer(live.snapshot().projection(&live.facts, seat), None));
    };
    let change = tokio::time::timeout(Duration::from_secs(wait), wait_for_change(&desk, id, seat, &known));
    let changed = matches!(desk.closing.run_until_cancelled(change).await, Some(Ok(Ok(()))));
    // What is in memory may have been read anew meanwhile.
    let live = desk.get(id).await?;
    let snapshot = live.snapshot();
    let projection = snapshot.projection(&live.facts, seat);
    Ok(answer(projection, Some(&known).filter(|_| !changed)))
}

/// Waits until the viewer's match is another than the known one.
async fn wait_for_change(desk: &Desk, id: MatchId, seat: Option<Seat>, known: &IfNoneMatch) -> Result<(), Problem> {
    loop {
        let live = desk.get(id).await?;
        let mut news = live.watch();
        if !names(known, live.snapshot().projection(&live.facts, seat)) {
            return Ok(());
        }
        let _version_or_retired = news.changed().await;
    }
}

/// Whether a header names the tag of what the viewer would get.
fn names(known: &IfNoneMatch, projection: &Projection) -> bool {
    match known {
        IfNoneMatch::Any => true,
        IfNoneMatch::Items(tags) => tags.iter().any(|tag| tag.tag() == projection.etag.trim_matches('"')),
    }
}

/// The tags that the client says it has, if it does.
pub fn known(request: &HttpRequest) -> Option<IfNoneMatch> {
    IfNoneMatch::parse(request).ok().filter(|_| request.headers().contains_key(header::IF_NONE_MATCH))
}

/// What a viewer gets of a match: 304 where the client has it.
pub fn answer(projection: &Projection, known: Option<&IfNoneMatch>) -> HttpResponse {
    let has_it = known.is_some_and(|known| names(known, projection));
    let mut response = if has_it { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, projection.etag.as_str()))
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"));
    if has_it {
        return response.finish();
    }
    response.content_type("application/json").body(projection.body.clone())
}
