//! `GET /v1/matches`

use actix_web::{HttpResponse, get, web};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::table::Status;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::desk::Desk;
use super::seat_of::known;
use super::store::list::{ListedMatch, Wanted};
use crate::http::params::{bad_cursor, known_game, list_limit, time_range};
use crate::http::{Bearer, Moment, Params, ProblemBody, Reply};
use crate::ids::{MatchId, PlayerId};

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Filter {
    /// Only matches of this game.
    #[param(example = "hachiku")]
    game: Option<String>,
    /// Only matches that stand so.
    #[param(inline)]
    status: Option<Status>,
    /// Only matches in which this player has a seat.
    #[param(value_type = Option<Uuid>)]
    player: Option<PlayerId>,
    /// Only matches created at or after this time; a day stands for its first moment (UTC).
    #[param(value_type = Option<String>, example = "2026-11-01")]
    from: Option<Moment>,
    /// Only matches created before this time; a day stands for its first moment (UTC).
    #[param(value_type = Option<String>, example = "2026-12-01T00:00:00Z")]
    to: Option<Moment>,
    /// Sandbox matches instead of real ones.
    sandbox: Option<bool>,
    /// The most matches to give.
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended.
    cursor: Option<String>,
}

/// A page of the list of matches, newest first.
#[derive(Serialize, ToSchema)]
struct MatchList {
    matches: Vec<ListedMatch>,
    /// Give it as `cursor` for the next page; not there on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// List matches
///
/// Listed matches only, newest first.
#[utoipa::path(
    tag = "Matches",
    params(Filter),
    responses(
        (status = 200, description = "The matches", body = MatchList),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches")]
pub async fn list_matches(bearer: Bearer, Params(filter): Params<Filter>, desk: web::Data<Desk>) -> Reply {
    known(&desk.pool, bearer.0.as_ref()).await?;
    let limit = list_limit(filter.limit)?;
    let before = filter.cursor.as_deref().map(|text| read_cursor(text).ok_or_else(bad_cursor)).transpose()?;
    let wanted = Wanted {
        game: known_game(filter.game.as_deref())?,
        status: filter.status,
        player: filter.player,
        created: time_range(filter.from, filter.to)?,
        sandbox: filter.sandbox.unwrap_or(false),
        before,
    };
    let mut matches = wanted.read(&desk.pool, limit + 1).await?;
    let more = matches.len() > limit;
    matches.truncate(limit);
    let next_cursor = matches.last().filter(|_| more).map(|last| URL_SAFE_NO_PAD.encode(last.id.0.as_bytes()));
    Ok(HttpResponse::Ok().json(MatchList { matches, next_cursor }))
}

/// The match that a page begins after, as its cursor names it.
pub fn read_cursor(text: &str) -> Option<MatchId> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    Uuid::from_slice(&bytes).ok().map(MatchId)
}
