//! `GET /v1/matches/{id}/events`

use actix_web::{HttpResponse, get, web};
use rules::seat::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answer::{self, EventBody};
use super::desk::Desk;
use super::seat_of::viewing;
use super::store::load;
use crate::http::params::list_limit;
use crate::http::{Bearer, Params, PathId, ProblemBody, Reply};
use crate::ids::MatchId;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Since {
    /// Only events with a greater `seq`.
    #[param(value_type = Option<u64>, maximum = 4_294_967_295_u64, example = 0)]
    after: Option<u32>,
    /// The most events to give; all by default.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// Of a player with several seats: the one to look from.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// A match's history, as the bearer may see it.
#[derive(Serialize, ToSchema)]
struct History {
    events: Vec<EventBody>,
    /// Where `limit` has cut the history off: give it as `after` for the rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(examples(50))]
    next_after: Option<u32>,
}

/// Read a match's history
///
/// Every event since `after`, as the bearer may see it; after the end everything is open.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath, Since),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The events in order", body = History),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/events")]
pub async fn match_events(
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(since): Params<Since>,
    desk: web::Data<Desk>,
) -> Reply {
    let limit = since.limit.map(|limit| list_limit(Some(limit))).transpose()?.unwrap_or(usize::MAX);
    let live = desk.get(id).await?;
    let seat = viewing(&desk.pool, &live, bearer.0, since.seat).await?;
    let snapshot = live.snapshot();
    let viewer = snapshot.table.open_to(seat.map_or(Viewer::Public, Viewer::Seat));
    let seq = since.after.unwrap_or(0);
    let mut events = Vec::new();
    if seq < snapshot.table.head().seq {
        let from = load::version_before_seq(&desk.pool, id, seq).await?;
        // As far as the event after the last one asked for, which tells whether there is more; and not
        // past the snapshot: whether the match is over then decides what is open.
        let beyond = u32::try_from(limit).ok().and_then(|limit| seq.checked_add(limit));
        let up_to = match beyond {
            Some(last) => load::version_before_seq(&desk.pool, id, last).await?.saturating_add(1),
            None => u32::MAX,
        };
        for numbered in load::steps(&desk.pool, id, from, up_to.min(snapshot.table.head().version)).await? {
            events.extend(answer::events(&live.facts, &numbered.step, numbered.first_seq, viewer)?);
        }
        events.retain(|event| event.seq() > seq);
    }
    let is_cut = events.len() > limit;
    events.truncate(limit);
    let next_after = events.last().map(EventBody::seq).filter(|_| is_cut);
    Ok(HttpResponse::Ok().json(History { events, next_after }))
}
