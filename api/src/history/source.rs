//! Finished matches as the log has them, read many at a time.

use std::collections::HashMap;
use std::sync::Arc;

use rules::chance::{Key, Script};
use rules::outcome::Outcome;
use rules::registry;
use rules::table::{AnyGame, AnyTable, Plan, Player, Step};
use rules::time::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use sqlx::PgConnection;
use sqlx::types::time::OffsetDateTime;
use uuid::Uuid;

use crate::matches::store::from_db;
use crate::matches::store::load::{StepRow, created_as};

/// A finished match.
pub struct Finished {
    /// Its id.
    pub id: Uuid,
    /// What was played.
    pub game: &'static dyn AnyGame,
    /// Its options, with defaults filled in.
    pub options: Value,
    /// Whether it may be named to others than its players.
    pub listed: bool,
    /// When it ended.
    pub finished_at: OffsetDateTime,
    /// The result.
    pub outcome: Outcome,
    /// Who sat in it, in turn order.
    pub sitters: Vec<Sitter>,
    /// The log.
    pub steps: Vec<Step>,
    turn_seconds: Option<u32>,
    created_at: Timestamp,
}

/// Who sat in a match.
pub struct Sitter {
    /// Whether the built-in bot did.
    pub is_bot: bool,
    /// The registered player.
    pub player: Option<Uuid>,
    created_as: Player,
}

impl Finished {
    /// The table before the first step, so laid that the bot can be asked.
    ///
    /// # Errors
    /// What about the set-up cannot be.
    pub fn lay(&self) -> Result<Box<dyn AnyTable>, String> {
        let plan = Plan {
            seats: self.sitters.iter().map(|sitter| (Arc::from(""), sitter.created_as)).collect(),
            turn_seconds: self.turn_seconds,
            script: Arc::new(Script::default()),
            virtual_clock: false,
            created_at: self.created_at,
        };
        let (mut table, _) = self.game.lay(&self.options, plan).map_err(|faults| format!("its set-up: {faults:?}"))?;
        table.set_chance(Key::derive(&[0; 32], self.id.as_bytes(), []));
        Ok(table)
    }
}

/// Reads finished matches. One whose rows do not decode comes with the reason; one that is not there
/// does not come.
///
/// # Errors
/// Where the database is away.
pub async fn read(
    connection: &mut PgConnection,
    ids: &[Uuid],
) -> Result<Vec<(Uuid, Result<Finished, String>)>, sqlx::Error> {
    // Matches that ended together began at about the same time: between the first and the last id lie
    // few months, and the others need not be looked into.
    let (Some(first), Some(last)) = (ids.iter().min(), ids.iter().max()) else { return Ok(Vec::new()) };
    let mut sitters = sitters(connection, ids, first, last).await?;
    let mut steps = steps(connection, ids, first, last).await?;
    let rows = sqlx::query!(
        "SELECT match_id, game, options, turn_seconds, listed, created_at, finished_at, outcome
         FROM matches WHERE match_id = ANY($1) AND match_id BETWEEN $2 AND $3",
        ids,
        first,
        last,
    )
    .fetch_all(connection)
    .await?;
    let finished = rows.into_iter().map(|row| {
        let id = row.match_id;
        let finished = (|| {
            let outcome = row.outcome.ok_or("it is not finished")?;
            Ok(Finished {
                id,
                game: registry::game(&row.game).ok_or_else(|| format!("there is no game {}", row.game))?,
                options: row.options,
                listed: row.listed,
                finished_at: row.finished_at.ok_or("it is not finished")?,
                outcome: Outcome::deserialize(outcome).map_err(|error| format!("its outcome: {error}"))?,
                sitters: sitters.remove(&id).unwrap_or_default(),
                steps: steps.remove(&id).unwrap_or_else(|| Ok(Vec::new()))?,
                turn_seconds: row.turn_seconds.map(i32::cast_unsigned),
                created_at: from_db(row.created_at),
            })
        })();
        (id, finished)
    });
    Ok(finished.collect())
}

async fn sitters(
    connection: &mut PgConnection,
    ids: &[Uuid],
    first: &Uuid,
    last: &Uuid,
) -> Result<HashMap<Uuid, Vec<Sitter>>, sqlx::Error> {
    let rows = sqlx::query!(
        "SELECT match_id, kind, bot_level, player_id, opened FROM seats
         WHERE match_id = ANY($1) AND match_id BETWEEN $2 AND $3 ORDER BY match_id, seat",
        ids,
        first,
        last,
    )
    .fetch_all(connection)
    .await?;
    let mut sitters: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows {
        let created_as = created_as(row.opened, row.bot_level.as_deref());
        let sitter = Sitter { is_bot: row.kind == "bot", player: row.player_id, created_as };
        sitters.entry(row.match_id).or_default().push(sitter);
    }
    Ok(sitters)
}

/// The logs, each with the reason where a row of it does not decode.
type Logs = HashMap<Uuid, Result<Vec<Step>, String>>;

async fn steps(connection: &mut PgConnection, ids: &[Uuid], first: &Uuid, last: &Uuid) -> Result<Logs, sqlx::Error> {
    let rows = sqlx::query_as!(
        StepRow,
        "SELECT match_id, version, cause, seat, action, first_seq, events, at, chance_words, chance_dice, chance_cards
         FROM steps WHERE match_id = ANY($1) AND match_id BETWEEN $2 AND $3 ORDER BY match_id, version",
        ids,
        first,
        last,
    )
    .fetch_all(connection)
    .await?;
    let mut logs = Logs::new();
    for row in rows {
        let log = logs.entry(row.match_id).or_insert_with(|| Ok(Vec::new()));
        match (row.read(), log) {
            (Ok(numbered), Ok(steps)) => steps.push(numbered.step),
            (Err(what), log @ Ok(_)) => *log = Err(format!("{what} does not decode")),
            (_, Err(_)) => {}
        }
    }
    Ok(logs)
}
