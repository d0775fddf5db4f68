//! A match read back from the database.

use std::sync::Arc;

use rules::chance::Position;
use rules::game::Level;
use rules::registry;
use rules::seat::Seat;
use rules::table::{AnyTable, Cause, Player, Step};
use rules::text::Text;
use sqlx::PgPool;

use super::from_db;
use crate::http::Problem;
use crate::http::auth::TokenHash;
use crate::http::problem::Kind;
use crate::ids::{MatchId, PlayerId};
use crate::matches::facts::{Facts, SeatOrder};
use crate::matches::live::{Credential, Snapshot};
use crate::matches::store::commit::Numbered;

/// A match's facts, its seats as they were created, and their credentials as they are now.
pub struct Loaded {
    /// What it was created with.
    pub facts: Facts,
    /// The seats as they were created.
    pub seats: Vec<(Arc<str>, Player)>,
    /// The seats' credentials now.
    pub credentials: Arc<[Credential]>,
}

/// Reads what a match was created with and who holds its seats.
///
/// # Errors
/// [`Kind::NotFound`] where there is none; [`Kind::MatchDamaged`] where a row does not decode.
pub async fn facts(pool: &PgPool, id: MatchId) -> Result<Loaded, Problem> {
    let row = sqlx::query!(
        "SELECT game, options, rules_version, lexicon_version, seat_order, turn_seconds, listed, analysis, sandbox,
                server_seed, created_at
         FROM matches WHERE match_id = $1",
        id.0
    )
    .fetch_optional(pool)
    .await?
    .ok_or_else(|| {
        Problem::new(
            Kind::NotFound,
            Text::fixed(
                "There is no match with this id; GET /v1/matches lists those that are listed.",
                "この ID の試合はありません。公開の試合は GET /v1/matches にあります。",
            ),
        )
    })?;
    let corrupt = |what: &str| corrupt(id, what);
    let facts = Facts {
        id,
        game: registry::game(&row.game).ok_or_else(|| corrupt("its game is not registered"))?,
        options: Arc::new(row.options),
        rules_version: row.rules_version,
        lexicon_version: row.lexicon_version,
        seat_order: if row.seat_order == "shuffled" { SeatOrder::Shuffled } else { SeatOrder::AsGiven },
        turn_seconds: row.turn_seconds.map(i32::cast_unsigned),
        listed: row.listed,
        analysis: row.analysis,
        sandbox: row.sandbox.map(serde_json::from_value).transpose().map_err(|_| corrupt("its sandbox"))?,
        server_seed: row.server_seed.try_into().map_err(|_| corrupt("its seed"))?,
        created_at: from_db(row.created_at),
    };
    let rows = sqlx::query!(
        "SELECT name, bot_level, token_hash, player_id, opened, entropy FROM seats WHERE match_id = $1 ORDER BY seat",
        id.0
    )
    .fetch_all(pool)
    .await?;
    let mut seats = Vec::with_capacity(rows.len());
    let mut credentials = Vec::with_capacity(rows.len());
    for row in rows {
        let player = created_as(row.opened, row.bot_level.as_deref());
        let name = if row.opened { Arc::from("") } else { Arc::from(row.name) };
        seats.push((name, player));
        credentials.push(Credential {
            token: row.token_hash.as_deref().and_then(TokenHash::from_bytes),
            player: row.player_id.map(PlayerId),
            entropy: row.entropy,
            opened: row.opened,
        });
    }
    Ok(Loaded { facts, seats, credentials: credentials.into() })
}

/// Who a seat was created for.
pub fn created_as(opened: bool, bot_level: Option<&str>) -> Player {
    match bot_level {
        _ if opened => Player::Open,
        None => Player::Human,
        Some(name) => Player::Bot(Level::ALL.into_iter().find(|level| level.name() == name).unwrap_or(Level::Strong)),
    }
}

impl Loaded {
    /// The table as it stood before the first step.
    ///
    /// # Errors
    /// [`Kind::MatchDamaged`] where the stored set-up is not one that the game takes.
    pub fn lay(&mut self) -> Result<Box<dyn AnyTable>, Problem> {
        let id = self.facts.id;
        let mut table = self.facts.lay(self.seats.clone()).map_err(|faults| corrupt(id, &format!("{faults:?}")))?;
        let key = self.facts.key(self.credentials.iter().map(|seat| seat.entropy.as_slice()));
        table.set_chance(key);
        Ok(table)
    }

    /// The match after these steps.
    ///
    /// # Errors
    /// [`Kind::MatchDamaged`] where a step does not follow.
    pub fn snapshot(&mut self, steps: &[Step]) -> Result<Snapshot, Problem> {
        let mut table = self.lay()?;
        for step in steps {
            table.redo(step).map_err(|error| corrupt(self.facts.id, &error))?;
        }
        Ok(Snapshot::new(table, Arc::clone(&self.credentials)))
    }
}

/// Reads a match's steps after a version, in order, up to another.
///
/// # Errors
/// [`Kind::MatchDamaged`] where a row does not decode.
pub async fn steps(pool: &PgPool, id: MatchId, after: u32, up_to: u32) -> Result<Vec<Numbered>, Problem> {
    let rows = sqlx::query_as!(
        StepRow,
        "SELECT match_id, version, cause, seat, action, first_seq, events, at, chance_words, chance_dice, chance_cards
         FROM steps WHERE match_id = $1 AND version > $2 AND version <= $3 ORDER BY version",
        id.0,
        clamp(after),
        clamp(up_to),
    )
    .fetch_all(pool)
    .await?;
    rows.into_iter().map(|row| row.read().map_err(|what| corrupt(id, what))).collect()
}

/// A row of the log.
pub struct StepRow {
    /// The match.
    pub match_id: uuid::Uuid,
    /// See [`Step::version`]; and so on.
    pub version: i32,
    /// What brought it about, by name.
    pub cause: String,
    /// Whose step it was.
    pub seat: Option<i16>,
    /// What the seat did.
    pub action: Option<serde_json::Value>,
    /// The `seq` of the first event.
    pub first_seq: i32,
    /// A list of events.
    pub events: serde_json::Value,
    /// When it happened.
    pub at: sqlx::types::time::OffsetDateTime,
    /// See [`Position::words`].
    pub chance_words: i64,
    /// See [`Position::dice`].
    pub chance_dice: i32,
    /// See [`Position::cards`].
    pub chance_cards: i32,
}

impl StepRow {
    /// The step.
    ///
    /// # Errors
    /// What of it does not decode.
    pub fn read(self) -> Result<Numbered, &'static str> {
        let step = Step {
            version: self.version.cast_unsigned(),
            cause: cause(&self.cause).ok_or("a step's cause")?,
            seat: self.seat.and_then(|seat| Seat::new(u8::try_from(seat).ok()?)),
            action: self.action,
            events: match self.events {
                serde_json::Value::Array(events) => events,
                _ => return Err("a step's events"),
            },
            at: from_db(self.at),
            position: Position {
                words: self.chance_words.cast_unsigned(),
                dice: self.chance_dice.cast_unsigned(),
                cards: self.chance_cards.cast_unsigned(),
            },
        };
        Ok(Numbered { first_seq: self.first_seq.cast_unsigned(), step })
    }
}

/// The version of the step that holds the event after `seq`, less one: reading steps after it
/// misses no event after `seq`.
///
/// # Errors
/// Where the database is away.
pub async fn version_before_seq(pool: &PgPool, id: MatchId, seq: u32) -> Result<u32, Problem> {
    let version = sqlx::query_scalar!(
        r#"SELECT coalesce(max(version), 1) AS "version!" FROM steps WHERE match_id = $1 AND first_seq <= $2"#,
        id.0,
        clamp(seq.saturating_add(1)),
    )
    .fetch_one(pool)
    .await?;
    Ok((version - 1).cast_unsigned())
}

fn clamp(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

fn cause(name: &str) -> Option<Cause> {
    [Cause::Start, Cause::Claim, Cause::Action, Cause::Bot, Cause::Clock, Cause::Deadline]
        .into_iter()
        .find(|cause| super::commit::cause_name(*cause) == name)
}

/// What a stored match that cannot be read is answered with; the log says what is wrong.
pub fn corrupt(id: MatchId, what: &str) -> Problem {
    tracing::error!(%id, what, "a stored match cannot be read");
    Problem::plain(Kind::MatchDamaged)
}
