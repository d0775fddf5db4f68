//! A new match in the database.

use rules::game::Level;
use rules::seat::Seat;
use rules::table::{Player, Status};
use sqlx::PgPool;

use super::commit::{self, Commit};
use super::to_db;
use crate::http::Problem;
use crate::matches::facts::Facts;
use crate::matches::live::Snapshot;

/// Who decides for a seat, as the database has it: the kind, and a bot's level.
pub fn kind_and_level(player: Player) -> (&'static str, Option<&'static str>) {
    (player.kind(), player.level().map(Level::name))
}

/// Writes a match with its seats, its first steps if it has started, and the answer to keep.
///
/// # Errors
/// Where the database is away.
pub async fn create(pool: &PgPool, facts: &Facts, snapshot: &Snapshot, first: &Commit) -> Result<(), Problem> {
    let head = snapshot.table.head();
    // It is finished by its steps, which come after.
    let status = if head.status == Status::Waiting { Status::Waiting } else { Status::Active };
    let mut transaction = pool.begin().await?;
    sqlx::query!(
        "INSERT INTO matches (match_id, game, options, rules_version, lexicon_version, seat_order, turn_seconds,
                              listed, analysis, sandbox, server_seed, created_at, status)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        facts.id.0,
        facts.game.facts().id,
        &*facts.options,
        facts.rules_version,
        facts.lexicon_version,
        facts.seat_order.as_str(),
        facts.turn_seconds.map(|seconds| seconds as i32),
        facts.listed,
        facts.analysis,
        facts.sandbox.as_ref().and_then(|sandbox| serde_json::to_value(sandbox).ok()),
        &facts.server_seed,
        to_db(facts.created_at),
        status.name(),
    )
    .execute(&mut *transaction)
    .await?;
    for ((seat, state), credential) in (0..).map_while(Seat::new).zip(&head.seats).zip(snapshot.credentials.iter()) {
        let (kind, level) = kind_and_level(state.player);
        sqlx::query!(
            "INSERT INTO seats (match_id, seat, name, kind, bot_level, token_hash, player_id, opened, entropy)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            facts.id.0,
            i16::from(seat.number()),
            &*state.name,
            kind,
            level,
            credential.token.as_ref().map(|token| token.as_bytes().as_slice()),
            credential.player.map(|player| player.0),
            credential.opened,
            credential.entropy,
        )
        .execute(&mut *transaction)
        .await?;
    }
    commit::insert_all(&mut transaction, first).await?;
    transaction.commit().await?;
    Ok(())
}
