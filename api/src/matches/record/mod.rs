//! `GET /v1/matches/{id}/record`, and checking such records.

mod chain;
pub(crate) mod verify;

use actix_web::{HttpResponse, get, web};
use rules::chance::{self, Position};
use rules::outcome::Outcome;
use rules::seat::Seat;
use rules::table::{Cause, Status};
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

pub use verify::Flaw;

use super::create::seat_order;
use super::desk::{Desk, blocking};
use super::facts::{Sandbox, SeatOrder};
use super::store::load;
use crate::http::problem::Kind;
use crate::http::{Bearer, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// A finished match, whole: what it was created with, everything that happened, and the seed that
/// makes its chance checkable.
#[derive(Serialize, Deserialize, ToSchema)]
#[schema(as = Record)]
#[serde(deny_unknown_fields)]
pub struct RecordBody {
    /// The form of this record: `takujo-record-1`.
    #[schema(examples("takujo-record-1"))]
    pub format: String,
    /// The match.
    pub id: MatchId,
    /// The game's id.
    #[schema(examples("hachiku"))]
    pub game: String,
    /// The version of the game's rules that it was judged by.
    pub rules_version: i32,
    /// The lexicon that it was created with.
    pub lexicon: String,
    /// The options, with defaults filled in.
    #[schema(value_type = Object)]
    pub options: Value,
    /// How the seats got their order.
    pub seat_order: SeatOrder,
    /// How long a seat could think.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_seconds: Option<u32>,
    /// What was scripted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// The seats as they were created, with what they added to the chance.
    pub seats: Vec<RecordSeat>,
    /// When the match was created.
    pub created_at: Timestamp,
    /// The commitment, the seed and the way from it to the dice.
    pub chance: RecordChance,
    /// Every step in order, with all its events.
    pub steps: Vec<RecordStep>,
    /// The result.
    pub outcome: Outcome,
}

/// A seat of a record.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordSeat {
    /// The seat.
    pub seat: Seat,
    /// The name it was created with; empty for one that was open.
    pub name: String,
    /// `human`, `bot` or `open`, as it was created.
    pub kind: String,
    /// How strong the bot is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<rules::game::Level>,
    /// What it added to the chance, in hex.
    pub entropy: String,
    /// Where the request had it, from 0; only where the order was shuffled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(examples(1))]
    pub given: Option<u8>,
}

/// The chance of a record.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordChance {
    /// `chacha20-v1`.
    pub algorithm: String,
    /// SHA-256 of the seed, in hex, as it was published before the first die.
    pub commitment: String,
    /// The seed, in hex.
    pub server_seed: String,
}

/// A step of a record.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordStep {
    /// The version that it leads to.
    pub version: u32,
    /// What brought it about.
    pub cause: Cause,
    /// Whose step it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// What the seat did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub action: Option<Value>,
    /// When it happened.
    pub at: Timestamp,
    /// The chance used up to its end.
    pub chance_used: Position,
    /// What came of it.
    #[schema(value_type = Vec<Object>)]
    pub events: Vec<Value>,
    /// SHA-256, in hex, over the hash before, a newline, and the step without its hash as JSON with
    /// sorted keys and no spaces. Before the first step stands the SHA-256 of the record without
    /// `steps` and `outcome` in the same form.
    pub hash: String,
}

/// The form of records that is written.
pub const FORMAT: &str = "takujo-record-1";

/// Read a finished match's record
///
/// Self-contained: `takujo verify` and anybody with the page [/docs/chance](/docs/chance) can check it without the server.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The record", body = RecordBody),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`match-not-finished`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/record")]
pub async fn match_record(PathId(id): PathId<MatchId>, bearer: Bearer, desk: web::Data<Desk>) -> Reply {
    let live = desk.get(id).await?;
    let snapshot = live.snapshot();
    if let Some(token) = bearer.0 {
        super::seat_of::seats_of(&desk.pool, &snapshot, &token).await?;
    }
    if snapshot.table.head().status != Status::Finished {
        return Err(Problem::plain(Kind::MatchNotFinished));
    }
    let record = record(&desk.pool, id).await?;
    let body = blocking(move || serde_json::to_vec(&record)).await?.map_err(|_| Problem::plain(Kind::Internal))?;
    Ok(HttpResponse::Ok().content_type("application/json").body(body))
}

/// The record of a finished match.
///
/// # Errors
/// [`Kind::NotFound`], [`Kind::MatchNotFinished`].
pub async fn record(pool: &sqlx::PgPool, id: MatchId) -> Result<RecordBody, Problem> {
    let mut loaded = load::facts(pool, id).await?;
    let steps: Vec<_> = load::steps(pool, id, 0, u32::MAX).await?.into_iter().map(|numbered| numbered.step).collect();
    let snapshot = loaded.snapshot(&steps)?;
    let outcome = snapshot.table.head().outcome.clone().ok_or_else(|| Problem::plain(Kind::MatchNotFinished))?;
    let facts = &loaded.facts;
    let order = seat_order(facts.seat_order, loaded.seats.len(), &facts.server_seed, id);
    let is_shuffled = facts.seat_order == SeatOrder::Shuffled;
    let seats = (0..)
        .map_while(Seat::new)
        .zip(&loaded.seats)
        .zip(loaded.credentials.iter())
        .zip(order)
        .map(|(((seat, (name, player)), credential), given)| RecordSeat {
            seat,
            name: name.to_string(),
            kind: player.kind().to_owned(),
            level: player.level(),
            entropy: hex::encode(&credential.entropy),
            given: is_shuffled.then_some(given as u8),
        })
        .collect();
    let commitment = hex::encode(chance::commitment(&facts.server_seed));
    let mut record = RecordBody {
        format: FORMAT.to_owned(),
        id,
        game: facts.game.facts().id.to_owned(),
        rules_version: facts.rules_version,
        lexicon: facts.lexicon_version.clone(),
        options: (*facts.options).clone(),
        seat_order: facts.seat_order,
        turn_seconds: facts.turn_seconds,
        sandbox: facts.sandbox.clone(),
        seats,
        created_at: facts.created_at,
        steps: Vec::new(),
        chance: RecordChance {
            algorithm: chance::ALGORITHM.to_owned(),
            commitment,
            server_seed: hex::encode(facts.server_seed),
        },
        outcome,
    };
    record.steps = chain::link(record.setup_hash(), steps);
    Ok(record)
}
