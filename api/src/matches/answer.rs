//! Matches and events as JSON.

use std::sync::Arc;

use actix_web::web::Bytes;
use rules::chance;
use rules::outcome::Outcome;
use rules::registry::games;
use rules::seat::{Seat, SeatSet, Viewer};
use rules::table::{Player, Status, Step, TableEvent};
use rules::time::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};

use super::facts::{Facts, SeatOrder};
use super::live::{Projection, Snapshot};
use crate::http::Problem;
use crate::http::problem::Kind;
use crate::ids::{MatchId, PlayerId};

/// A match as a viewer may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = Match)]
pub struct MatchBody {
    id: MatchId,
    /// The game's id.
    #[schema(value_type = String, examples("hachiku"))]
    game: &'static str,
    /// The match's options, with defaults filled in.
    #[schema(value_type = Object)]
    options: Arc<Value>,
    status: Status,
    /// Counts the steps taken; send it with an action to be sure of the state it was meant for.
    #[schema(examples(4))]
    version: u32,
    seats: Vec<SeatBody>,
    /// The seats that owe a decision.
    #[schema(value_type = Vec<Seat>, examples(json!([1])))]
    to_act: SeatSet,
    /// When something happens next though nobody acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<Timestamp>,
    /// What the viewer may know of the game.
    #[schema(schema_with = any_view)]
    view: Box<RawValue>,
    /// The result, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    chance: ChanceBody,
    seat_order: SeatOrder,
    /// How many seconds a seat may think, if there is a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_seconds: Option<u32>,
    /// Whether the match shows in the list.
    listed: bool,
    /// Whether it may be analysed while it is played.
    analysis: bool,
    /// Whether its chance or clock is scripted.
    sandbox: bool,
    /// The version of the game's rules that it is judged by.
    rules_version: i32,
    /// The lexicon that it was created with.
    lexicon: String,
    created_at: Timestamp,
    /// When the last step was taken.
    updated_at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished_at: Option<Timestamp>,
}

/// A seat as everybody sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchSeat)]
pub struct SeatBody {
    seat: Seat,
    /// The player's name.
    #[schema(value_type = String, examples("先生"))]
    name: Arc<str>,
    kind: SeatKind,
    /// How strong the bot is.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<rules::game::Level>,
    /// The registered player, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<PlayerId>,
    /// Whether the seat has resigned.
    resigned: bool,
}

/// Who decides for a seat.
#[derive(Serialize, ToSchema, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SeatKind {
    /// A client with the seat's token.
    Human,
    /// The built-in bot.
    Bot,
    /// Nobody yet.
    Open,
}

/// The promise about the match's dice and shuffles, and at the end its proof. The page
/// [/docs/chance](/docs/chance) says how everybody can check them.
#[derive(Serialize, ToSchema)]
#[schema(as = ChanceProof)]
pub struct ChanceBody {
    /// SHA-256 of the server seed, in hex.
    #[schema(examples("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"))]
    commitment: String,
    #[schema(value_type = String, examples("chacha20-v1"))]
    algorithm: &'static str,
    /// The server seed in hex: shown at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    server_seed: Option<String>,
    /// What each seat added, in hex: shown at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    entropy: Option<Vec<String>>,
}

/// What every game takes at any time, also out of turn.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the action")]
pub struct Resign {
    #[schema(value_type = ResignType)]
    r#type: ResignType,
}

/// The `type` of a resignation.
#[derive(ToSchema)]
#[schema(rename_all = "snake_case")]
#[allow(dead_code, reason = "it only describes the action")]
pub enum ResignType {
    /// The only one.
    Resign,
}

fn any(part: &str) -> RefOr<Schema> {
    let choice = games().into_iter().fold(OneOfBuilder::new(), |choice, game| {
        let schemas = game.schemas();
        choice.item(match part {
            "view" => schemas.view,
            "action" => schemas.action,
            _ => schemas.event,
        })
    });
    let choice = match part {
        "event" => choice.item(Ref::from_schema_name(TableEvent::name())),
        "action" => choice.item(Ref::from_schema_name(Resign::name())),
        _ => choice,
    };
    Schema::OneOf(choice.build()).into()
}

/// The view of any game.
pub fn any_view() -> RefOr<Schema> {
    any("view")
}

/// An action of any game.
pub fn any_action() -> RefOr<Schema> {
    any("action")
}

/// An event of any game.
pub fn any_event() -> RefOr<Schema> {
    any("event")
}

/// The match of a snapshot as this viewer may see it, and its entity tag.
pub fn projection(facts: &Facts, snapshot: &Snapshot, viewer: Viewer) -> Projection {
    let body = serde_json::to_vec(&match_body(facts, snapshot, viewer)).unwrap_or_default();
    let hash = Sha256::digest(&body);
    Projection { etag: format!("\"{}\"", hex::encode(&hash[..16])), body: Bytes::from(body) }
}

fn match_body(facts: &Facts, snapshot: &Snapshot, viewer: Viewer) -> MatchBody {
    let head = snapshot.table.head();
    let finished = head.status == Status::Finished;
    MatchBody {
        id: facts.id,
        game: facts.game.facts().id,
        options: Arc::clone(&facts.options),
        status: head.status,
        version: head.version,
        seats: seats(snapshot),
        to_act: head.to_act,
        deadline_at: snapshot.table.due(),
        view: snapshot.table.view(viewer),
        outcome: head.outcome.clone(),
        chance: ChanceBody {
            commitment: hex::encode(chance::commitment(&facts.server_seed)),
            algorithm: chance::ALGORITHM,
            server_seed: finished.then(|| hex::encode(facts.server_seed)),
            entropy: finished.then(|| snapshot.credentials.iter().map(|seat| hex::encode(&seat.entropy)).collect()),
        },
        seat_order: facts.seat_order,
        turn_seconds: facts.turn_seconds,
        listed: facts.listed,
        analysis: facts.analysis,
        sandbox: facts.sandbox.is_some(),
        rules_version: facts.rules_version,
        lexicon: facts.lexicon_version.clone(),
        created_at: facts.created_at,
        updated_at: head.now,
        finished_at: finished.then_some(head.now),
    }
}

fn seats(snapshot: &Snapshot) -> Vec<SeatBody> {
    let head = snapshot.table.head();
    head.count()
        .seats()
        .zip(&head.seats)
        .zip(snapshot.credentials.iter())
        .map(|((seat, state), credential)| {
            let (kind, level) = match state.player {
                Player::Human => (SeatKind::Human, None),
                Player::Bot(level) => (SeatKind::Bot, Some(level)),
                Player::Open => (SeatKind::Open, None),
            };
            let name = Arc::clone(&state.name);
            let player = credential.player.filter(|_| kind != SeatKind::Open);
            SeatBody { seat, name, kind, level, player, resigned: state.resigned }
        })
        .collect()
}

/// An event of a match's history as a viewer may see it.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchEvent)]
pub struct EventBody {
    /// Counts the match's events from 1.
    #[schema(examples(7))]
    seq: u32,
    /// The version that the event's step leads to.
    #[schema(examples(4))]
    version: u32,
    at: Timestamp,
    /// What happened: `type`, most often `seat`, and the fields of that type.
    #[serde(flatten)]
    #[schema(schema_with = any_event)]
    event: Map<String, Value>,
}

impl EventBody {
    /// The number of the event.
    pub fn seq(&self) -> u32 {
        self.seq
    }
}

/// The events of a step as a viewer may see them; `first` is the `seq` of its first.
///
/// # Errors
/// [`Kind::MatchDamaged`] where a stored event does not decode.
pub fn events(facts: &Facts, step: &Step, first: u32, viewer: Viewer) -> Result<Vec<EventBody>, Problem> {
    step.events
        .iter()
        .zip(first..)
        .map(|(event, seq)| {
            let seen = facts.game.redact(event, viewer).map_err(|error| {
                tracing::error!(id = %facts.id, seq, error, "a stored event does not decode");
                Problem::plain(Kind::MatchDamaged)
            })?;
            let event = match seen {
                Value::Object(fields) => fields,
                _ => Map::new(),
            };
            Ok(EventBody { seq, version: step.version, at: step.at, event })
        })
        .collect()
}
