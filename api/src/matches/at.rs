//! `GET /v1/matches/{id}/at/{version}`

use actix_web::{HttpRequest, get, web};
use rules::seat::{Seat, Viewer};
use rules::text::Text;
use serde::Deserialize;
use utoipa::IntoParams;

use super::answer::{self, MatchBody};
use super::desk::Desk;
use super::seat_of::viewing;
use super::show;
use crate::http::problem::Kind;
use crate::http::{Bearer, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct From {
    /// Of a player with several seats: the one to look from.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// See a match as it stood
///
/// As the bearer may see it now: once the match is over everything is open, also of what was.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath, ("version" = u32, Path, description = "The version, from 0", example = 1), From,
        ("If-None-Match" = Option<String>, Header, description = "The ETag that the client has")),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The match as of that version", body = MatchBody, headers(("ETag" = String, description = "Of what this viewer gets"))),
        (status = 304, description = "It is the one of If-None-Match"),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such match or version", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/at/{version}")]
pub async fn match_at(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(from): Params<From>,
    desk: web::Data<Desk>,
) -> Reply {
    let live = desk.get(id).await?;
    let seat = viewing(&desk.pool, &live, bearer.0, from.seat).await?;
    let version: u32 = request.match_info().get("version").and_then(|part| part.parse().ok()).ok_or_else(|| {
        let text = Text::new("A version is a whole number: 0 and more.", "版は 0 以上の整数です。");
        Problem::new(Kind::NotFound, text)
    })?;
    if version > live.snapshot().table.head().version {
        // Another process may just have answered with it.
        desk.make_sure(&live).await?;
    }
    let now = live.snapshot();
    let then = desk.snapshot_at(id, version, now.table.head().version).await?;
    let viewer = now.table.open_to(seat.map_or(Viewer::Public, Viewer::Seat));
    let projection = answer::projection(&live.facts, &then, viewer);
    Ok(show::answer(&projection, show::known(&request).as_ref()))
}
