//! What is found in matches one by one, where nothing is counted beforehand.

use std::collections::BTreeMap;

use sqlx::PgPool;
use sqlx::types::time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{Found, Next, SAMPLES, Tally};
use crate::history::detached;
use crate::history::filter::Filter;
use crate::history::line::{self, DEPTH};
use crate::history::store::EVER;

/// So many matches are looked at, the newest.
const LOOKED_AT: i64 = 5_000;

/// A match that may be one of those asked for.
struct Candidate {
    match_id: Uuid,
    group_id: i32,
    finished_at: OffsetDateTime,
    listed: bool,
    winners: Vec<i16>,
    line: String,
    seats: i16,
}

/// What followed a line in the newest matches that may have begun so, and whether those are all.
///
/// # Errors
/// Where the database is away.
pub(super) async fn find(
    pool: &PgPool,
    filter: &Filter,
    tokens: &[&str],
    limit: usize,
) -> Result<(Found, bool), sqlx::Error> {
    let candidates = match (filter.player, tokens.get(..DEPTH)) {
        (Some(player), _) => of_player(pool, filter, player).await?,
        (None, Some(first)) => of_prefix(pool, line::name(filter.game.facts().id, first)).await?,
        (None, None) => of_time(pool, filter).await?,
    };
    let complete = candidates.len() as i64 <= LOOKED_AT && !detached::touches(pool, filter).await?;
    let is_asked_for = |candidate: &&Candidate| filter.takes(candidate.group_id, candidate.finished_at);
    let mut all = Tally::default();
    let mut moves: BTreeMap<&str, Next> = BTreeMap::new();
    for candidate in candidates.iter().take(LOOKED_AT as usize).filter(is_asked_for) {
        let mut line = line::split(&candidate.line);
        if !tokens.iter().all(|token| line.next() == Some(token)) {
            continue;
        }
        let token = line.next().unwrap_or_default();
        let fresh = || Next { token: token.to_owned(), tally: Tally::default(), samples: Vec::new() };
        let next = moves.entry(token).or_insert_with(fresh);
        if candidate.listed && next.samples.len() < SAMPLES {
            next.samples.push(candidate.match_id);
        }
        let seats = usize::try_from(candidate.seats).unwrap_or_default();
        for tally in [&mut all, &mut next.tally] {
            tally.add(seats, &candidate.winners);
        }
    }
    let different = moves.len();
    let mut moves: Vec<_> = moves.into_values().collect();
    moves.sort_by(|one, other| other.tally.n.cmp(&one.tally.n).then_with(|| one.token.cmp(&other.token)));
    let mut place = 0;
    moves.retain(|next| {
        place += 1;
        place <= limit + 1 || next.token.is_empty()
    });
    Ok((Found { all, moves, different }, complete))
}

async fn of_player(pool: &PgPool, filter: &Filter, player: Uuid) -> Result<Vec<Candidate>, sqlx::Error> {
    sqlx::query_as!(
        Candidate,
        r#"SELECT match_id AS "match_id!", group_id AS "group_id!", finished_at AS "finished_at!",
                  listed AS "listed!", winners AS "winners!", line AS "line!", seats AS "seats!"
           FROM (SELECT match_id FROM history.participants WHERE player_id = $1 AND game = $2
                   AND NOT EXISTS (SELECT FROM detached_months WHERE match_id >= first AND match_id < next)
                 ORDER BY match_id DESC LIMIT $3) AS own
           JOIN history.lines USING (match_id) JOIN history.groups USING (group_id)
           ORDER BY match_id DESC"#,
        player,
        filter.game.facts().id,
        LOOKED_AT + 1,
    )
    .fetch_all(pool)
    .await
}

async fn of_prefix(pool: &PgPool, prefix: Uuid) -> Result<Vec<Candidate>, sqlx::Error> {
    sqlx::query_as!(
        Candidate,
        r#"SELECT match_id AS "match_id!", group_id AS "group_id!", finished_at AS "finished_at!",
                  listed AS "listed!", winners AS "winners!", line AS "line!", seats AS "seats!"
           FROM (SELECT * FROM history.lines WHERE prefix = $1 ORDER BY match_id DESC LIMIT $2) AS begun
           JOIN history.groups USING (group_id)
           ORDER BY match_id DESC"#,
        prefix,
        LOOKED_AT + 1,
    )
    .fetch_all(pool)
    .await
}

async fn of_time(pool: &PgPool, filter: &Filter) -> Result<Vec<Candidate>, sqlx::Error> {
    sqlx::query_as!(
        Candidate,
        r#"SELECT match_id AS "match_id!", group_id AS "group_id!", finished_at AS "finished_at!",
                  listed AS "listed!", winners AS "winners!", line AS "line!", seats AS "seats!"
           FROM (SELECT * FROM history.lines
                 WHERE game = $1 AND finished_at >= $2::date::timestamp AT TIME ZONE 'UTC'
                   AND finished_at < $3::date::timestamp AT TIME ZONE 'UTC'
                 ORDER BY finished_at DESC LIMIT $4) AS ended
           JOIN history.groups USING (group_id)
           ORDER BY finished_at DESC"#,
        filter.game.facts().id,
        filter.from.unwrap_or(EVER),
        filter.to.unwrap_or(Date::MAX),
        LOOKED_AT + 1,
    )
    .fetch_all(pool)
    .await
}
