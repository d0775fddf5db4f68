//! Finished matches, many at a time and whole: an import, a generated history.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use rules::outcome::Outcome;
use rules::table::{Player, Step};
use rules::time::Timestamp;
use sqlx::types::Json;
use sqlx::types::time::Date;
use sqlx::{Connection, PgConnection, PgPool};
use uuid::Uuid;

use super::commit::cause_name;
use super::copy::RowWriter;
use super::create::kind_and_level;
use super::{load, months, to_db};
use crate::http::Problem;
use crate::http::problem::Kind;
use crate::ids::PlayerId;
use crate::matches::facts::Facts;

const MATCHES: &str = "matches (match_id, game, options, rules_version, lexicon_version, seat_order, turn_seconds, \
                       listed, analysis, sandbox, server_seed, created_at, status, finished_at, outcome)";
const SEATS: &str = "seats (match_id, seat, name, kind, bot_level, player_id, opened, entropy)";
const STEPS: &str = "steps (match_id, version, cause, seat, action, first_seq, events, at, \
                     chance_words, chance_dice, chance_cards)";

/// A match from its creation to its end.
#[derive(Clone)]
pub struct Finished {
    /// What it was created with, the options with defaults filled in.
    pub facts: Facts,
    /// Its seats, in seat order.
    pub seats: Vec<FinishedSeat>,
    /// Every step, in order; the last one's time is that of the end.
    pub steps: Vec<Step>,
    /// The result.
    pub outcome: Outcome,
}

/// A seat of a finished match. Nobody holds a token for it.
#[derive(Clone)]
pub struct FinishedSeat {
    /// The name it had at the end.
    pub name: Arc<str>,
    /// Who decided for it: a human or a bot.
    pub player: Player,
    /// The registered player, if it was one.
    pub player_id: Option<PlayerId>,
    /// Whether it was created open and claimed later.
    pub opened: bool,
    /// What it added to the chance.
    pub entropy: Vec<u8>,
}

/// What became of a match that was to be loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is in the database now.
    Written,
    /// It was there already, the very same.
    There,
    /// Another match with its id is there, and stays.
    Different,
    /// What is there under its id cannot be read, and stays.
    Damaged,
    /// Its month, the one with this first day, is detached.
    Detached(Date),
}

/// Why nothing is loaded into a detached month, and how to mend it.
pub fn taken_out(first_day: Date) -> String {
    format!(
        "the month of {first_day} was taken out of the database and its matches are counted already; bring it back \
         with SELECT attach_month('{first_day}'), or, if it is gone for good, drop what is left of its tables and \
         forget what was counted of it with takujo project --rebuild --forget-detached"
    )
}

/// Writes finished matches in one transaction, each unless its id is there already or lies in a
/// month that is detached. What became of each, in their order. A few hundred at a time are best.
///
/// # Errors
/// Where the database is away or refuses a row: then none is written.
pub async fn load(pool: &PgPool, matches: &[Finished]) -> Result<Vec<Fate>, Problem> {
    let mut connection = pool.acquire().await?;
    let days: BTreeSet<_> = matches.iter().filter_map(month_of).collect();
    months::ensure(&mut connection, days).await?;
    let written = write(&mut connection, matches).await?;
    drop(connection);
    let mut fates = Vec::with_capacity(matches.len());
    for (one, fate) in matches.iter().zip(written) {
        fates.push(match fate {
            Some(fate) => fate,
            None => compare(pool, one).await?,
        });
    }
    Ok(fates)
}

/// The first day of a match's month, which is that of its id.
fn month_of(one: &Finished) -> Option<Date> {
    let (seconds, _) = one.facts.id.0.get_timestamp()?.to_unix();
    let time = Timestamp::from_millis(i64::try_from(seconds).ok()?.checked_mul(1000)?);
    to_db(time).date().replace_day(1).ok()
}

/// Writes those whose ids are not there yet and whose months are; what became of each, but for those
/// whose ids are there.
async fn write(connection: &mut PgConnection, matches: &[Finished]) -> Result<Vec<Option<Fate>>, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    // Loaders take turns, so that two with the same matches do not meet.
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtext('takujo.bulk'))").execute(&mut *transaction).await?;
    let ids: Vec<_> = matches.iter().map(|one| one.facts.id.0).collect();
    let there = sqlx::query_scalar!("SELECT match_id FROM matches WHERE match_id = ANY($1)", &ids)
        .fetch_all(&mut *transaction)
        .await?;
    // Only after matches were read: until the end of the transaction that keeps every month where it is.
    let out = sqlx::query_scalar!("SELECT month FROM detached_months").fetch_all(&mut *transaction).await?;
    let mut known: HashSet<Uuid> = there.into_iter().collect();
    let fate = |one: &Finished| match month_of(one).filter(|month| out.contains(month)) {
        Some(month) => Some(Fate::Detached(month)),
        None => known.insert(one.facts.id.0).then_some(Fate::Written),
    };
    let fates: Vec<_> = matches.iter().map(fate).collect();
    let is_new = |(one, fate)| (fate == &Some(Fate::Written)).then_some(one);
    let new: Vec<&Finished> = matches.iter().zip(&fates).filter_map(is_new).collect();
    if !new.is_empty() {
        rows_of_matches(&new)?.send(&mut transaction, MATCHES).await?;
        rows_of_seats(&new)?.send(&mut transaction, SEATS).await?;
        rows_of_steps(&new)?.send(&mut transaction, STEPS).await?;
    }
    transaction.commit().await?;
    Ok(fates)
}

fn rows_of_matches(matches: &[&Finished]) -> Result<RowWriter, sqlx::Error> {
    let mut rows = RowWriter::new(15);
    for Finished { facts, steps, outcome, .. } in matches {
        let ended = steps.last().map_or(facts.created_at, |step| step.at);
        rows.row()
            .field(facts.id.0)?
            .field(facts.game.facts().id)?
            .field(&*facts.options)?
            .field(facts.rules_version)?
            .field(facts.lexicon_version.as_str())?
            .field(facts.seat_order.as_str())?
            .field(facts.turn_seconds.map(u32::cast_signed))?
            .field(facts.listed)?
            .field(facts.analysis)?
            .field(facts.sandbox.as_ref().map(Json))?
            .field(&facts.server_seed[..])?
            .field(to_db(facts.created_at))?
            .field("finished")?
            .field(to_db(ended))?
            .field(Json(outcome))?;
    }
    Ok(rows)
}

fn rows_of_seats(matches: &[&Finished]) -> Result<RowWriter, sqlx::Error> {
    let mut rows = RowWriter::new(8);
    for one in matches {
        for (number, seat) in (0_i16..).zip(&one.seats) {
            let (kind, level) = kind_and_level(seat.player);
            rows.row()
                .field(one.facts.id.0)?
                .field(number)?
                .field(&*seat.name)?
                .field(kind)?
                .field(level)?
                .field(seat.player_id.map(|player| player.0))?
                .field(seat.opened)?
                .field(seat.entropy.as_slice())?;
        }
    }
    Ok(rows)
}

fn rows_of_steps(matches: &[&Finished]) -> Result<RowWriter, sqlx::Error> {
    let mut rows = RowWriter::new(11);
    for one in matches {
        let mut first_seq = 1;
        for step in &one.steps {
            rows.row()
                .field(one.facts.id.0)?
                .field(step.version.cast_signed())?
                .field(cause_name(step.cause))?
                .field(step.seat.map(|seat| i16::from(seat.number())))?
                .field(step.action.as_ref())?
                .field(first_seq)?
                .field(Json(&step.events))?
                .field(to_db(step.at))?
                .field(step.position.words.cast_signed())?
                .field(step.position.dice.cast_signed())?
                .field(step.position.cards.cast_signed())?;
            first_seq += step.events.len() as i32;
        }
    }
    Ok(rows)
}

/// What is there under the id of a match.
async fn compare(pool: &PgPool, one: &Finished) -> Result<Fate, Problem> {
    match is_there(pool, one).await {
        Ok(true) => Ok(Fate::There),
        Ok(false) => Ok(Fate::Different),
        Err(problem) if problem.kind() == Kind::MatchDamaged => Ok(Fate::Damaged),
        Err(problem) => Err(problem),
    }
}

/// Whether this very match is in the database: set-up, seats and every step. Whether it is listed
/// and may be analysed is the server's own affair.
async fn is_there(pool: &PgPool, one: &Finished) -> Result<bool, Problem> {
    let there = load::facts(pool, one.facts.id).await?;
    let (ours, theirs) = (&one.facts, &there.facts);
    let same_setup = ours.game.facts().id == theirs.game.facts().id
        && ours.options == theirs.options
        && ours.rules_version == theirs.rules_version
        && ours.lexicon_version == theirs.lexicon_version
        && ours.seat_order == theirs.seat_order
        && ours.turn_seconds == theirs.turn_seconds
        && ours.sandbox == theirs.sandbox
        && ours.server_seed == theirs.server_seed
        && ours.created_at == theirs.created_at;
    let same_seats =
        one.seats.len() == there.seats.len()
            && one.seats.iter().zip(&there.seats).zip(there.credentials.iter()).all(|((seat, created), credential)| {
                *created == seat.as_created() && credential.entropy == seat.entropy
            });
    if !(same_setup && same_seats) {
        return Ok(false);
    }
    let steps = load::steps(pool, ours.id, 0, u32::MAX).await?;
    Ok(steps.len() == one.steps.len()
        && steps.iter().zip(&one.steps).all(|(theirs, ours)| same_step(ours, &theirs.step)))
}

fn same_step(ours: &Step, theirs: &Step) -> bool {
    ours.version == theirs.version
        && ours.cause == theirs.cause
        && ours.seat == theirs.seat
        && ours.action == theirs.action
        && ours.events == theirs.events
        && ours.at == theirs.at
        && ours.position == theirs.position
}

impl FinishedSeat {
    /// The seat as it was created: an open one had no name and nobody to decide.
    fn as_created(&self) -> (Arc<str>, Player) {
        if self.opened { (Arc::from(""), Player::Open) } else { (Arc::clone(&self.name), self.player) }
    }
}
