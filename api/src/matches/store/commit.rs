//! What one decision changes in the database, all of it or none.

use std::collections::HashSet;
use std::sync::Arc;

use rules::outcome::Outcome;
use rules::seat::Seat;
use rules::table::Step;
use rules::time::Timestamp;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::to_db;
use crate::http::auth::TokenHash;
use crate::http::idempotency::{Sealed, Undone, keep};
use crate::ids::{MatchId, PlayerId};

/// A decision's steps and everything that must be written with them.
#[derive(Clone)]
pub struct Commit {
    /// The match.
    pub id: MatchId,
    /// One step or more, of consecutive versions.
    pub steps: Arc<[Numbered]>,
    /// Whether the match starts with it.
    pub starts: bool,
    /// The result, if the match ends with it.
    pub finish: Option<(Outcome, Timestamp)>,
    /// What is due next: `Some(None)` for nothing any more, `None` for no change.
    pub due: Option<Option<Timestamp>>,
    /// The seat that is taken with it.
    pub claim: Option<Claim>,
    /// The answer to keep for retries.
    pub sealed: Option<Sealed>,
}

/// A step with the `seq` of its first event.
#[derive(Clone)]
pub struct Numbered {
    /// The `seq` of the step's first event.
    pub first_seq: u32,
    /// The step.
    pub step: Step,
}

impl Numbered {
    /// The `seq` after the step's last event.
    pub fn end(&self) -> u32 {
        self.first_seq + self.step.events.len() as u32
    }
}

/// A seat that is taken.
#[derive(Clone)]
pub struct Claim {
    /// The seat.
    pub seat: Seat,
    /// Its player's name.
    pub name: String,
    /// The hash of its token.
    pub token: TokenHash,
    /// The registered player.
    pub player: Option<PlayerId>,
    /// What the player adds to the chance.
    pub entropy: Vec<u8>,
}

impl Commit {
    /// Whether one row of the log is all that it writes.
    pub fn is_plain(&self) -> bool {
        self.steps.len() == 1
            && !self.starts
            && self.finish.is_none()
            && self.due.is_none()
            && self.claim.is_none()
            && self.sealed.is_none()
    }
}

/// Columns of steps, as arrays for one statement.
#[derive(Default)]
struct Columns {
    match_id: Vec<Uuid>,
    version: Vec<i32>,
    cause: Vec<String>,
    seat: Vec<Option<i16>>,
    action: Vec<Option<serde_json::Value>>,
    first_seq: Vec<i32>,
    events: Vec<serde_json::Value>,
    at: Vec<sqlx::types::time::OffsetDateTime>,
    words: Vec<i64>,
    dice: Vec<i32>,
    cards: Vec<i32>,
}

impl Columns {
    fn push(&mut self, id: MatchId, numbered: &Numbered) {
        let step = &numbered.step;
        self.match_id.push(id.0);
        self.version.push(step.version as i32);
        self.cause.push(cause_name(step.cause).to_owned());
        self.seat.push(step.seat.map(|seat| i16::from(seat.number())));
        self.action.push(step.action.clone());
        self.first_seq.push(numbered.first_seq as i32);
        self.events.push(serde_json::Value::Array(step.events.clone()));
        self.at.push(to_db(step.at));
        self.words.push(step.position.words as i64);
        self.dice.push(step.position.dice as i32);
        self.cards.push(step.position.cards as i32);
    }
}

/// The name of a cause in the database.
pub const fn cause_name(cause: rules::table::Cause) -> &'static str {
    use rules::table::Cause;
    match cause {
        Cause::Start => "start",
        Cause::Claim => "claim",
        Cause::Action => "action",
        Cause::Bot => "bot",
        Cause::Clock => "clock",
        Cause::Deadline => "deadline",
    }
}

/// Writes decisions in one transaction. True for each that was first at its version, among other
/// processes and in this batch; the others change nothing.
///
/// # Errors
/// Where one of them may not be written: then none is.
pub async fn write(pool: &PgPool, commits: &[&Commit]) -> Result<Vec<bool>, Undone> {
    let mut heads = Columns::default();
    for commit in commits {
        if let Some(step) = commit.steps.first() {
            heads.push(commit.id, step);
        }
    }
    if commits.iter().all(|commit| commit.is_plain()) {
        let won = insert(&mut *pool.acquire().await?, &heads, Tell::Others).await?;
        return Ok(first_of_each(commits, won));
    }
    let mut transaction = pool.begin().await?;
    let first = first_of_each(commits, insert(&mut transaction, &heads, Tell::Others).await?);
    let won = || commits.iter().zip(&first).filter_map(|(commit, first)| first.then_some(commit));
    let mut rest = Columns::default();
    for commit in won() {
        commit.steps.iter().skip(1).for_each(|step| rest.push(commit.id, step));
    }
    if !rest.match_id.is_empty() {
        insert(&mut transaction, &rest, Tell::Others).await?;
    }
    for commit in won() {
        write_beside(&mut transaction, commit).await?;
    }
    transaction.commit().await?;
    Ok(first)
}

/// Which decisions the rows came from. Two decisions of one batch may be for the same version of a
/// match; the row is then that of the first of them.
fn first_of_each(commits: &[&Commit], mut won: HashSet<(Uuid, i32)>) -> Vec<bool> {
    let is_first = |commit: &&Commit| {
        commit.steps.first().is_some_and(|head| won.remove(&(commit.id.0, head.step.version as i32)))
    };
    commits.iter().map(is_first).collect()
}

/// Inserts all steps of a decision and its result, for a match that nobody else knows yet.
///
/// # Errors
/// Where it may not be written: the transaction must not be committed.
pub async fn insert_all(connection: &mut PgConnection, commit: &Commit) -> Result<(), Undone> {
    let mut columns = Columns::default();
    commit.steps.iter().for_each(|step| columns.push(commit.id, step));
    if !columns.match_id.is_empty() {
        insert(connection, &columns, Tell::Nobody).await?;
    }
    write_beside(connection, commit).await
}

/// Who hears of new steps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tell {
    /// The other processes, in one notification.
    Others,
    /// Nobody: no other process has the match in memory.
    Nobody,
}

/// Inserts steps; answers with the match and version of each whose row was not there before.
async fn insert(
    connection: &mut PgConnection,
    columns: &Columns,
    tell: Tell,
) -> Result<HashSet<(Uuid, i32)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"WITH written AS (
               INSERT INTO steps (match_id, version, cause, seat, action, first_seq, events, at,
                                  chance_words, chance_dice, chance_cards)
               SELECT * FROM UNNEST($1::uuid[], $2::int[], $3::text[], $4::smallint[], $5::jsonb[], $6::int[],
                                    $7::jsonb[], $8::timestamptz[], $9::bigint[], $10::int[], $11::int[])
               ON CONFLICT (match_id, version) DO NOTHING
               RETURNING match_id, version),
           newest AS (SELECT match_id, max(version) AS version FROM written WHERE $12 GROUP BY match_id),
           told AS (SELECT pg_notify('takujo_steps', string_agg(match_id::text || ' ' || version, ','))
                    FROM newest HAVING count(*) > 0)
           SELECT match_id AS "match_id!", version AS "version!" FROM written LEFT JOIN told ON true"#,
        &columns.match_id,
        &columns.version,
        &columns.cause,
        &columns.seat as &[Option<i16>],
        &columns.action as &[Option<serde_json::Value>],
        &columns.first_seq,
        &columns.events,
        &columns.at,
        &columns.words,
        &columns.dice,
        &columns.cards,
        tell == Tell::Others,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.match_id, row.version)).collect())
}

/// What a decision changes beside the log.
async fn write_beside(connection: &mut PgConnection, commit: &Commit) -> Result<(), Undone> {
    let id = commit.id.0;
    if let Some(claim) = &commit.claim {
        sqlx::query!(
            "UPDATE seats SET name = $3, kind = 'human', token_hash = $4, player_id = $5, entropy = $6
             WHERE match_id = $1 AND seat = $2",
            id,
            i16::from(claim.seat.number()),
            claim.name,
            claim.token.as_bytes(),
            claim.player.map(|player| player.0),
            claim.entropy,
        )
        .execute(&mut *connection)
        .await?;
    }
    if commit.starts {
        sqlx::query!("UPDATE matches SET status = 'active' WHERE match_id = $1 AND status = 'waiting'", id)
            .execute(&mut *connection)
            .await?;
    }
    if let Some((outcome, at)) = &commit.finish {
        let outcome = serde_json::to_value(outcome).unwrap_or_default();
        sqlx::query!(
            "UPDATE matches SET status = 'finished', finished_at = $2, outcome = $3 WHERE match_id = $1",
            id,
            to_db(*at),
            outcome,
        )
        .execute(&mut *connection)
        .await?;
    }
    match commit.due {
        Some(Some(at)) => set_due(&mut *connection, commit.id, at).await?,
        Some(None) => {
            sqlx::query!("DELETE FROM due WHERE match_id = $1", id).execute(&mut *connection).await?;
        }
        None => {}
    }
    if let Some(sealed) = &commit.sealed {
        keep(&mut *connection, sealed).await?;
    }
    Ok(())
}

/// Notes when a match has to be looked at next.
async fn set_due(connection: &mut PgConnection, id: MatchId, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO due (match_id, due_at) VALUES ($1, $2)
         ON CONFLICT (match_id) DO UPDATE SET due_at = excluded.due_at, claimed_until = NULL",
        id.0,
        to_db(at),
    )
    .execute(connection)
    .await?;
    Ok(())
}
