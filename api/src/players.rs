//! `POST /v1/players` and `GET /v1/players/{id}`

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use rules::text::{Fault, Text};
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::auth::Token;
use crate::http::idempotency::{Answer, Ticket, keep, once};
use crate::http::problem::Kind;
use crate::http::{Body, PathId, Problem, ProblemBody, Reply};
use crate::ids::PlayerId;
use crate::leaderboards::{GameRating, ratings_of};
use crate::matches::create::check_name;
use crate::matches::desk::{Desk, now};
use crate::matches::store::{from_db, to_db};

/// A player to be registered.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewPlayer {
    /// The name shown to everybody.
    #[schema(examples("先生"), max_length = 64)]
    name: String,
}

/// A registered player's id and token: the token is shown this once.
#[derive(Serialize, ToSchema)]
struct RegisteredPlayer {
    player: PlayerId,
    token: Token,
}

/// A player.
#[derive(Serialize, ToSchema)]
#[schema(as = Player)]
struct PlayerBody {
    player: PlayerId,
    #[schema(examples("先生"))]
    name: String,
    created_at: Timestamp,
    /// The player's rating in each game that it was rated in.
    ratings: Vec<GameRating>,
}

/// Register a player
///
/// The token works for every seat that the player holds.
#[utoipa::path(
    tag = "Players",
    request_body = NewPlayer,
    params(crate::openapi::IdempotencyKey),
    responses(
        (status = 201, description = "The player's id and token", body = RegisteredPlayer, headers(("Location" = String, description = "Where the player is"))),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`request-in-progress`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-options`: no name that can be shown; `idempotency-key-reused`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/players")]
pub async fn create_player(request: HttpRequest, body: Body<NewPlayer>, desk: web::Data<Desk>) -> Reply {
    let Body { value, bytes } = body;
    once(&desk.pool, &request, &bytes, |ticket| register(&desk, value, ticket)).await
}

async fn register(desk: &Desk, new: NewPlayer, ticket: Option<Ticket>) -> Result<Answer, Problem> {
    check_name(&new.name).map_err(|message| Problem::faults(vec![Fault::new("name", message)]))?;
    let (player, token) = (PlayerId::fresh(), Token::fresh()?);
    let hash = token.hash();
    let text =
        serde_json::to_string(&RegisteredPlayer { player, token }).map_err(|_| Problem::plain(Kind::Internal))?;
    let answer = Answer::json(StatusCode::CREATED, text).header(&header::LOCATION, format!("/v1/players/{player}"));
    let mut transaction = desk.pool.begin().await?;
    sqlx::query!(
        "INSERT INTO players (player_id, name, token_hash, created_at) VALUES ($1, $2, $3, $4)",
        player.0,
        new.name,
        hash.as_bytes(),
        to_db(now()),
    )
    .execute(&mut *transaction)
    .await?;
    if let Some(ticket) = ticket {
        keep(&mut transaction, &ticket.seal(&answer)?).await?;
    }
    transaction.commit().await?;
    Ok(answer)
}

/// That a player is not there, and which would be.
pub fn no_such(player: PlayerId) -> Text {
    Text::new(
        format!("There is no player {player}; give the id that POST /v1/players answered."),
        format!("プレイヤー {player} はいません。POST /v1/players が返した id を指定してください。"),
    )
}

/// See a player
///
/// With the player's rating in each game; a match counts within seconds of its end.
#[utoipa::path(
    tag = "Players",
    params(("id" = uuid::Uuid, Path, description = "The player's id")),
    responses(
        (status = 200, description = "The player", body = PlayerBody),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/players/{id}")]
pub async fn show_player(PathId(player): PathId<PlayerId>, desk: web::Data<Desk>) -> Reply {
    let row = sqlx::query!("SELECT name, created_at FROM players WHERE player_id = $1", player.0)
        .fetch_optional(&desk.pool)
        .await?
        .ok_or_else(|| Problem::new(Kind::NotFound, no_such(player)))?;
    let ratings = ratings_of(&desk.pool, player).await?;
    Ok(HttpResponse::Ok().json(PlayerBody { player, name: row.name, created_at: from_db(row.created_at), ratings }))
}
