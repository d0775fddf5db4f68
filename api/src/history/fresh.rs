//! How fresh what is projected is.

use rules::time::Timestamp;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::ids::MatchId;
use crate::matches::store::from_db;

/// So many seconds after the end of a match it is in the database: a match that is not by then comes
/// late, such as an import.
pub(super) const SETTLED_S: f64 = 1.0;
/// More than so many are not counted.
const COUNTED: i64 = 10_000;
/// So many matches that are set aside are named.
const NAMED: i64 = 20;

/// Up to when an answer is complete.
#[derive(Serialize, ToSchema)]
pub struct Fresh {
    /// Every match of the game that ended before this, and was in the database a second after its
    /// end, is counted, but for those set aside. At least a second ago.
    pub complete_to: Timestamp,
    /// How many finished matches wait to be counted; 10000 stands for that many or more.
    #[schema(minimum = 0, maximum = 10_000, examples(0))]
    pub waiting: i64,
    /// How many matches cannot be counted because their log cannot be read.
    #[schema(minimum = 0, examples(0))]
    pub set_aside: i64,
    /// The first of those of them that are in the public list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside_matches: Vec<MatchId>,
}

impl Fresh {
    /// How fresh a game's projections are now. What is read after it is at least as fresh.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn of(pool: &PgPool, game: &str) -> Result<Self, sqlx::Error> {
        let row = sqlx::query!(
            r#"SELECT least(now() - make_interval(secs => $4),
                            (SELECT min(finished_at) FROM history.pending
                             WHERE game = $1 AND set_aside IS NULL)) AS "complete_to!",
                      (SELECT count(*) FROM (SELECT FROM history.pending
                                             WHERE game = $1 AND set_aside IS NULL LIMIT $2) AS waiting) AS "waiting!",
                      (SELECT count(*) FROM history.pending
                       WHERE game = $1 AND set_aside IS NOT NULL) AS "set_aside!",
                      ARRAY(SELECT match_id FROM history.pending p WHERE p.game = $1 AND set_aside IS NOT NULL
                              AND EXISTS (SELECT FROM matches m WHERE m.match_id = p.match_id AND listed)
                            ORDER BY p.finished_at LIMIT $3) AS "named!""#,
            game,
            COUNTED,
            NAMED,
            SETTLED_S,
        )
        .fetch_one(pool)
        .await?;
        Ok(Self {
            complete_to: from_db(row.complete_to),
            waiting: row.waiting,
            set_aside: row.set_aside,
            set_aside_matches: row.named.into_iter().map(MatchId).collect(),
        })
    }

    /// How fresh a game's ratings are now: matches that are counted but not rated yet wait, too.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn of_ratings(pool: &PgPool, game: &str) -> Result<Self, sqlx::Error> {
        let unrated = sqlx::query!(
            r#"SELECT min(finished_at) AS first, count(*) AS "waiting!"
               FROM (SELECT finished_at FROM history.unrated WHERE game = $1 ORDER BY finished_at LIMIT $2) AS waiting"#,
            game,
            COUNTED,
        )
        .fetch_one(pool)
        .await?;
        let fresh = Self::of(pool, game).await?;
        Ok(Self {
            complete_to: unrated.first.map_or(fresh.complete_to, |first| fresh.complete_to.min(from_db(first))),
            waiting: (fresh.waiting + unrated.waiting).min(COUNTED),
            ..fresh
        })
    }
}
