//! `GET /v1/matches/{id}/record`, and checking such records.

use actix_web::{HttpResponse, get, web};
use rules::chance::{self, Position};
use rules::outcome::Outcome;
use rules::registry;
use rules::seat::Seat;
use rules::table::{Cause, Player, Status, Step};
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use utoipa::ToSchema;

use super::desk::{Desk, blocking};
use super::facts::{Facts, Sandbox, SeatOrder};
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
/// Self-contained: `takujo verify` and anybody with the chance page can check it without the server.
#[utoipa::path(
    tag = "Matches",
    params(crate::ids::MatchPath),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The record", body = RecordBody),
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
    let steps: Vec<_> = load::steps(pool, id, 0, u32::MAX).await?.into_iter().map(|(_, step)| step).collect();
    let snapshot = loaded.snapshot(&steps)?;
    let outcome = snapshot.table.head().outcome.clone().ok_or_else(|| Problem::plain(Kind::MatchNotFinished))?;
    let facts = &loaded.facts;
    let seats = (0..)
        .map_while(Seat::new)
        .zip(&loaded.seats)
        .zip(loaded.credentials.iter())
        .map(|((seat, (name, player)), credential)| {
            let (kind, level) = match player {
                Player::Human => ("human", None),
                Player::Bot(level) => ("bot", Some(*level)),
                Player::Open => ("open", None),
            };
            let entropy = hex::encode(&credential.entropy);
            RecordSeat { seat, name: name.to_string(), kind: kind.to_owned(), level, entropy }
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
    record.steps = chain(record.setup_hash(), steps);
    Ok(record)
}

/// Links steps into the hash chain.
fn chain(mut before: String, steps: Vec<Step>) -> Vec<RecordStep> {
    steps
        .into_iter()
        .map(|step| {
            let mut link = RecordStep {
                version: step.version,
                cause: step.cause,
                seat: step.seat,
                action: step.action,
                at: step.at,
                chance_used: step.position,
                events: step.events,
                hash: String::new(),
            };
            link.hash = hash(&before, &link);
            before.clone_from(&link.hash);
            link
        })
        .collect()
}

/// The hash of a step that follows the one with the hash `before`.
fn hash(before: &str, step: &RecordStep) -> String {
    // serde_json's own map sorts its keys.
    hex::encode(Sha256::digest(format!("{before}\n{}", json_without(step, &["hash"]))))
}

/// A value as JSON with sorted keys and no spaces, without some of its fields.
fn json_without<T: Serialize>(value: &T, left_out: &[&str]) -> Value {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !left_out.contains(&name.as_str()));
    }
    value
}

impl RecordBody {
    /// The hash that the chain begins with: of what the match was created with.
    fn setup_hash(&self) -> String {
        hex::encode(Sha256::digest(json_without(self, &["steps", "outcome"]).to_string()))
    }

    /// Checks that everything in the record follows: the commitment from the seed, every step with
    /// its dice and events from the rules and the chance, the hash chain, and the outcome.
    ///
    /// # Errors
    /// The first thing that does not follow.
    pub fn verify(&self, lexicon: &dictionary::Lexicon) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("the format is {}, not {FORMAT}", self.format));
        }
        let server_seed = seed(&self.chance.server_seed)?;
        if hex::encode(chance::commitment(&server_seed)) != self.chance.commitment {
            return Err("the commitment is not the hash of the server seed".to_owned());
        }
        if self.chance.algorithm != chance::ALGORITHM {
            return Err(format!("the chance is made by {}, not {}", self.chance.algorithm, chance::ALGORITHM));
        }
        let game = registry::game(&self.game).ok_or_else(|| format!("there is no game {}", self.game))?;
        if game.facts().rules_version as i32 != self.rules_version {
            return Err(format!(
                "it was judged by version {} of the rules, this program has {}",
                self.rules_version,
                game.facts().rules_version
            ));
        }
        let mut facts = self.facts(game, server_seed);
        let mut entropy = Vec::new();
        let mut seats = Vec::new();
        for seat in &self.seats {
            entropy.push(hex::decode(&seat.entropy).map_err(|_| format!("{}: the entropy is no hex", seat.seat))?);
            seats.push((Arc::from(seat.name.as_str()), seat.player()?));
        }
        let mut table = facts.lay(seats).map_err(|faults| format!("the set-up is not possible: {faults:?}"))?;
        table.set_chance(facts.key(entropy.iter().map(Vec::as_slice)));
        let mut before = self.setup_hash();
        for link in &self.steps {
            if hash(&before, link) != link.hash {
                return Err(format!(
                    "version {}: the hash does not follow from the step and what is before it{}",
                    link.version,
                    if link.version == 1 { ", the record's set-up" } else { "" }
                ));
            }
            before.clone_from(&link.hash);
            table.replay(&link.step(), lexicon)?;
        }
        match &table.head().outcome {
            None => Err("the match is not finished after its last step".to_owned()),
            Some(outcome) if *outcome != self.outcome => Err(format!("the outcome should be {outcome:?}")),
            Some(_) => Ok(()),
        }
    }

    /// What the match was created with. A record does not say whether it was listed.
    pub(crate) fn facts(&self, game: &'static dyn rules::table::AnyGame, server_seed: [u8; 32]) -> Facts {
        Facts {
            id: self.id,
            game,
            options: Arc::new(self.options.clone()),
            rules_version: self.rules_version,
            lexicon_version: self.lexicon.clone(),
            seat_order: self.seat_order,
            turn_seconds: self.turn_seconds,
            listed: false,
            analysis: false,
            sandbox: self.sandbox.clone(),
            server_seed,
            created_at: self.created_at,
        }
    }
}

impl RecordSeat {
    /// Who decided for the seat when it was created.
    ///
    /// # Errors
    /// Where its kind and level are none that there are.
    pub(crate) fn player(&self) -> Result<Player, String> {
        match (self.kind.as_str(), self.level) {
            ("human", None) => Ok(Player::Human),
            ("open", None) => Ok(Player::Open),
            ("bot", Some(level)) => Ok(Player::Bot(level)),
            _ => Err(format!("seat {}: {} is no kind of seat", self.seat, self.kind)),
        }
    }
}

impl RecordStep {
    /// The step without its hash.
    pub(crate) fn step(&self) -> Step {
        Step {
            version: self.version,
            cause: self.cause,
            seat: self.seat,
            action: self.action.clone(),
            events: self.events.clone(),
            at: self.at,
            position: self.chance_used,
        }
    }
}

/// The server seed as a record has it.
///
/// # Errors
/// Where it is none.
pub(crate) fn seed(text: &str) -> Result<[u8; 32], String> {
    let bytes = hex::decode(text).map_err(|_| "the server seed is no hex".to_owned())?;
    bytes.try_into().map_err(|_| "the server seed is not 32 bytes".to_owned())
}
