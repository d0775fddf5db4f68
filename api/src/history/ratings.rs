//! Ratings of registered players, one a game.
//!
//! Weng & Lin, "A Bayesian Approximation Method for Online Ranking" (JMLR 12, 2011), by the ranks of
//! the match: a player's skill is held to be normal with a mean and a standard deviation, which both
//! change with every match between two or more registered players. The order of matches matters, so
//! one process at a time rates, and takes matches in the order in which they ended.

use std::collections::HashMap;

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};
use sqlx::PgPool;
use sqlx::types::time::OffsetDateTime;
use uuid::Uuid;

use super::fresh::SETTLED_S;

/// How many matches share a transaction.
const BATCH: i64 = 500;

/// A player's rating in a game.
#[derive(Clone, Copy)]
struct Rating {
    skill: WengLinRating,
    matches: i64,
    rated_at: OffsetDateTime,
}

/// Rates the next matches, in the order of their ends; how many, 0 where none is ready or another
/// process is at it.
///
/// # Errors
/// Where the database is away.
pub async fn rate_some(pool: &PgPool) -> Result<usize, sqlx::Error> {
    let mut transaction = pool.begin().await?;
    // A match is rated when one that ended before it has been committed too; one that is not folded yet
    // holds back those that ended after it.
    let horizon = sqlx::query_scalar!(
        r#"SELECT least(now() - make_interval(secs => $1),
                        (SELECT min(finished_at) FROM history.pending WHERE set_aside IS NULL)) AS "horizon!"
           WHERE EXISTS (SELECT FROM history.unrated)
             AND pg_try_advisory_xact_lock(hashtext('takujo.ratings'))"#,
        SETTLED_S,
    )
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(horizon) = horizon else { return Ok(0) };
    let rows = sqlx::query!(
        "DELETE FROM history.unrated WHERE (finished_at, match_id) IN
             (SELECT finished_at, match_id FROM history.unrated WHERE finished_at < $1
              ORDER BY finished_at, match_id LIMIT $2)
         RETURNING finished_at, match_id, game, players, ranks",
        horizon,
        BATCH,
    )
    .fetch_all(&mut *transaction)
    .await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let mut rows = rows;
    rows.sort_by_key(|row| (row.finished_at, row.match_id));

    let keys = rows.iter().flat_map(|row| row.players.iter().map(|player| (row.game.clone(), *player)));
    let (games, players): (Vec<_>, Vec<_>) = keys.unzip();
    let known = sqlx::query!(
        r#"SELECT DISTINCT game AS "game!", player_id AS "player_id!", mu, sigma, matches, rated_at
           FROM UNNEST($1::text[], $2::uuid[]) AS wanted (game, player_id) JOIN history.ratings USING (game, player_id)"#,
        &games,
        &players,
    )
    .fetch_all(&mut *transaction)
    .await?;
    let mut ratings: HashMap<(String, Uuid), Rating> = HashMap::new();
    for row in known {
        let skill = WengLinRating { rating: row.mu, uncertainty: row.sigma };
        ratings.insert((row.game, row.player_id), Rating { skill, matches: row.matches, rated_at: row.rated_at });
    }
    let rated = rows.len();
    for row in rows {
        let skill = |player: &Uuid| {
            ratings.get(&(row.game.clone(), *player)).map_or_else(WengLinRating::new, |rating| rating.skill)
        };
        let before: Vec<_> = row.players.iter().map(skill).collect();
        for (player, skill) in row.players.into_iter().zip(after(&before, &row.ranks)) {
            let fresh = || Rating { skill, matches: 0, rated_at: row.finished_at };
            let rating = ratings.entry((row.game.clone(), player)).or_insert_with(fresh);
            *rating = Rating { skill, matches: rating.matches + 1, rated_at: row.finished_at };
        }
    }
    let mut ratings: Vec<_> = ratings.into_iter().collect();
    ratings.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let column = |of: fn(&Rating) -> f64| -> Vec<_> { ratings.iter().map(|(_, rating)| of(rating)).collect() };
    sqlx::query!(
        "INSERT INTO history.ratings (game, player_id, mu, sigma, matches, rated_at)
         SELECT * FROM UNNEST($1::text[], $2::uuid[], $3::float8[], $4::float8[], $5::bigint[], $6::timestamptz[])
         ON CONFLICT (game, player_id) DO UPDATE
         SET mu = excluded.mu, sigma = excluded.sigma, matches = excluded.matches, rated_at = excluded.rated_at",
        &ratings.iter().map(|((game, _), _)| game.clone()).collect::<Vec<_>>(),
        &ratings.iter().map(|((_, player), _)| *player).collect::<Vec<_>>(),
        &column(|rating| rating.skill.rating),
        &column(|rating| rating.skill.uncertainty),
        &ratings.iter().map(|(_, rating)| rating.matches).collect::<Vec<_>>(),
        &ratings.iter().map(|(_, rating)| rating.rated_at).collect::<Vec<_>>(),
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(rated)
}

/// The skills after a match that ended with these ranks, 1 the best, equal ranks equally good.
fn after(before: &[WengLinRating], ranks: &[i16]) -> Vec<WengLinRating> {
    let teams: Vec<[WengLinRating; 1]> = before.iter().map(|skill| [*skill]).collect();
    let ranks = ranks.iter().map(|rank| MultiTeamOutcome::new(usize::from(rank.unsigned_abs())));
    let ranked: Vec<_> = teams.iter().map(<[_; 1]>::as_slice).zip(ranks).collect();
    weng_lin_multi_team(&ranked, &WengLinConfig::default()).into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratings(ranks: &[i16]) -> Vec<f64> {
        let fresh = vec![WengLinRating::new(); ranks.len()];
        after(&fresh, ranks).iter().map(|skill| skill.rating).collect()
    }

    #[test]
    fn who_ranks_better_gains_more_and_equals_stay_equal() {
        let two = ratings(&[2, 1]);
        assert!(two[0] < 25.0 && two[1] > 25.0, "{two:?}");
        let four = ratings(&[1, 1, 3, 4]);
        assert!((four[0] - four[1]).abs() < 1e-9);
        assert!(four[0] > four[2] && four[2] > four[3], "{four:?}");
        assert_eq!(ratings(&[1, 1]), [25.0, 25.0]);
    }

    #[test]
    fn a_match_makes_a_skill_surer() {
        let fresh = WengLinRating::new();
        assert!(after(&[fresh, fresh], &[1, 2]).iter().all(|skill| skill.uncertainty < fresh.uncertainty));
    }
}
