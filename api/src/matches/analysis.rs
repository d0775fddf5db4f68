//! `POST /v1/matches/{id}/analysis`

use std::sync::Arc;

use actix_web::{HttpResponse, post, web};
use rules::game::{Advice, Level};
use rules::seat::Seat;
use rules::table::Status;
use rules::text::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::answer::any_action;
use super::desk::{Desk, blocking};
use super::seat_of::{acting, no_such_seat, seats_of};
use crate::http::problem::Kind;
use crate::http::{Bearer, Body, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// What is to be analysed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAnalysis {
    /// The seat; the bearer's own without it. Of a finished match any seat.
    #[serde(default)]
    seat: Option<Seat>,
    /// The version to look at, as it stood then; the current one without it.
    #[serde(default)]
    version: Option<u32>,
    /// The most actions to rank, 1 to 500; 20 by default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 500)]
    limit: Option<usize>,
}

/// An action and its value.
#[derive(Serialize, ToSchema)]
struct RankedAction {
    #[schema(schema_with = any_action)]
    action: Value,
    /// The chance to win that the bot expects after it.
    #[schema(minimum = 0, maximum = 1)]
    value: f64,
}

/// What the best bot thinks.
#[derive(Serialize, ToSchema)]
struct Analysis {
    version: u32,
    seat: Seat,
    /// The bot that was asked.
    level: Level,
    /// The actions, best first; none while the seat owes no decision.
    actions: Vec<RankedAction>,
}

/// Ask the best bot
///
/// It knows what the seat may know and nothing else. A finished match needs no token; name a
/// `version` there, since at its end nobody has anything to decide.
#[utoipa::path(
    tag = "Matches",
    request_body = NewAnalysis,
    params(crate::ids::MatchPath),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The ranked actions", body = Analysis),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`token-required`, `unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`, `analysis-off`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such match, seat or version", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/matches/{id}/analysis")]
pub async fn analyse(
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    body: Body<NewAnalysis>,
    desk: web::Data<Desk>,
) -> Reply {
    let live = desk.get(id).await?;
    let snapshot = live.snapshot();
    let finished = snapshot.table.head().status == Status::Finished;
    let limit = body.value.limit.unwrap_or(20);
    if !(1..=500).contains(&limit) {
        return Err(Problem::new(
            Kind::InvalidParameters,
            Text::fixed("limit is from 1 to 500.", "limit は 1 から 500 までです。"),
        ));
    }
    let seat = match (finished, bearer.0) {
        (true, token) => {
            if let Some(token) = token {
                seats_of(&desk.pool, &snapshot, &token).await?;
            }
            body.value.seat.unwrap_or(Seat::FIRST)
        }
        (false, None) => return Err(Problem::plain(Kind::TokenRequired)),
        (false, Some(token)) => acting(&desk.pool, &live, &token, body.value.seat).await?,
    };
    if !snapshot.table.head().count().has(seat) {
        return Err(no_such_seat());
    }
    if !finished && !live.facts.analysis {
        return Err(Problem::plain(Kind::AnalysisOff));
    }
    let level = live.facts.game.facts().levels.iter().copied().max().unwrap_or(Level::Easy);
    let snapshot = match body.value.version {
        Some(version) if version != snapshot.table.head().version => {
            Arc::new(desk.snapshot_at(live.facts.id, version, snapshot.table.head().version).await?)
        }
        _ => snapshot,
    };
    let (version, lexicon) = (snapshot.table.head().version, desk.lexicon());
    let advice = blocking(move || snapshot.table.advise(seat, level, &lexicon)).await?;
    let actions =
        advice.into_iter().take(limit).map(|Advice { action, value }| RankedAction { action, value }).collect();
    Ok(HttpResponse::Ok().json(Analysis { version, seat, level, actions }))
}
