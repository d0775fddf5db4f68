//! `POST /v1/matches/{id}/seats/{seat}/claim`

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, post, web};
use rules::seat::Seat;
use rules::table::{Judgement, Player};
use rules::text::Fault;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::create::{check_name, read_entropy, registered};
use super::desk::{Decided, Desk, now};
use super::live::Credential;
use super::seat_of::known;
use super::store::commit::Claim;
use crate::http::auth::Token;
use crate::http::idempotency::{Answer, Ticket, once};
use crate::http::problem::Kind;
use crate::http::{Bearer, Body, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// Who takes an open seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewClaim {
    /// The name shown to everybody.
    #[serde(default)]
    #[schema(examples("弟子"), max_length = 64)]
    name: Option<String>,
    /// The token of a registered player, who then holds the seat.
    #[serde(default)]
    player_token: Option<String>,
    /// Hex of at most 64 bytes that go into the match's chance.
    #[serde(default)]
    #[schema(examples("c0ffee"), max_length = 128, pattern = "^([0-9a-f]{2})*$")]
    entropy: Option<String>,
}

/// A seat that was taken, with its token: it is shown this once.
#[derive(Serialize, ToSchema)]
struct ClaimedSeat {
    seat: Seat,
    token: Token,
}

/// Claim an open seat
///
/// The match starts when the last open seat is taken. Of two claims for one seat exactly one wins.
#[utoipa::path(
    tag = "Matches",
    request_body = NewClaim,
    params(
        crate::ids::MatchPath,
        ("seat" = u8, Path, description = "The seat", minimum = 0, maximum = 9, example = 1),
        crate::openapi::IdempotencyKey,
    ),
    responses(
        (status = 200, description = "The seat's token", body = ClaimedSeat),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`: a player_token that nobody was given", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such match or seat", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`seat-taken`, `request-in-progress`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-options` with `faults`, or `idempotency-key-reused`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/matches/{id}/seats/{seat}/claim")]
pub async fn claim_seat(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    body: Body<NewClaim>,
    desk: web::Data<Desk>,
) -> Reply {
    known(&desk.pool, bearer.0.as_ref()).await?;
    let seat = request.match_info().get("seat").and_then(|part| Seat::new(part.parse().ok()?));
    let Body { value, bytes } = body;
    once(&desk.pool, &request, &bytes, |ticket| claim(&desk, id, seat, value, ticket)).await
}

async fn claim(
    desk: &Desk,
    id: MatchId,
    seat: Option<Seat>,
    new: NewClaim,
    ticket: Option<Ticket>,
) -> Result<Answer, Problem> {
    let live = desk.get(id).await?;
    let seat = seat
        .filter(|seat| live.snapshot().table.head().count().has(*seat))
        .ok_or_else(|| Problem::plain(Kind::NotFound))?;
    let mut faults = Vec::new();
    let entropy = new.entropy.as_deref().map_or(Ok(Vec::new()), read_entropy).unwrap_or_else(|message| {
        faults.push(Fault::new("entropy", message));
        Vec::new()
    });
    let holder = match &new.player_token {
        None => None,
        Some(token) => Some(registered(desk, token, "player_token").await?),
    };
    let name = match (new.name, &holder) {
        (Some(name), _) => name,
        (None, Some((_, name))) => name.clone(),
        (None, None) => format!("Player {}", seat.number() + 1),
    };
    if let Err(message) = check_name(&name) {
        faults.push(Fault::new("name", message));
    }
    if !faults.is_empty() {
        return Err(Problem::faults(faults));
    }
    let token = Token::fresh()?;
    let claim = Claim { seat, name, token: token.hash(), player: holder.map(|(player, _)| player), entropy };
    let decide = async |before: &super::live::Snapshot| {
        let mut credentials = before.credentials.to_vec();
        if let Some(credential) = credentials.get_mut(seat.index()) {
            *credential = Credential {
                token: Some(claim.token),
                player: claim.player,
                entropy: claim.entropy.clone(),
                opened: credential.opened,
            };
        }
        let mut table = before.table.clone_box();
        if table.head().seats.iter().filter(|seat| seat.player == Player::Open).count() == 1 {
            table.set_chance(live.facts.key(credentials.iter().map(|seat| seat.entropy.as_slice())));
        }
        let at = if table.head().virtual_clock { table.head().now } else { now().max(table.head().now) };
        let step = table.claim(seat, claim.name.clone(), at, &desk.lexicon()).map_err(|why| match why {
            Judgement::SeatTaken => Problem::plain(Kind::SeatTaken),
            _ => Problem::plain(Kind::Internal),
        })?;
        Ok(Decided { table, steps: vec![step], claim: Some((claim.clone(), Arc::from(credentials))) })
    };
    desk.decide(&live, ticket.as_ref(), decide, |_, _| {
        let body = ClaimedSeat { seat, token: token.clone() };
        let text = serde_json::to_string(&body).map_err(|_| Problem::plain(Kind::Internal))?;
        Ok(Answer::json(StatusCode::OK, text))
    })
    .await
}
