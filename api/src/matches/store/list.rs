//! The list of matches.

use rules::outcome::Outcome;
use rules::table::Status;
use rules::time::Timestamp;
use serde::Serialize;
use sqlx::PgPool;
use sqlx::types::time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{from_db, to_db};
use crate::http::{Problem, TimeRange};
use crate::ids::{ID_SLACK, MatchId, PlayerId};

/// Which matches are wanted.
pub struct Wanted {
    /// Of this game.
    pub game: Option<&'static str>,
    /// That stand so.
    pub status: Option<Status>,
    /// In which this player has a seat.
    pub player: Option<PlayerId>,
    /// Created then.
    pub created: TimeRange,
    /// Sandbox matches instead of real ones.
    pub sandbox: bool,
    /// Older than this one.
    pub before: Option<MatchId>,
}

/// A match in the list.
#[derive(Serialize, ToSchema)]
pub struct ListedMatch {
    /// Its id.
    pub id: MatchId,
    /// The game's id.
    #[schema(examples("hachiku"))]
    pub game: String,
    /// Where it stands.
    #[schema(value_type = Status)]
    pub status: String,
    /// The names of the seats, in seat order.
    #[schema(examples(json!(["先生", "Bot (easy)"])))]
    pub names: Vec<String>,
    /// The seats that are still open.
    #[schema(examples(json!([1])))]
    pub open_seats: Vec<i16>,
    /// Whether its chance or clock is scripted.
    pub sandbox: bool,
    /// The result, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished_at: Option<Timestamp>,
}

impl Wanted {
    /// The newest of the wanted matches, at most `limit`.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn read(&self, pool: &PgPool, limit: usize) -> Result<Vec<ListedMatch>, Problem> {
        let status = self.status.map(Status::name);
        let [from, to, first_id, last_id] = self.bounds();
        // The matches of one player are few: they are found by the seats, not among all matches.
        let rows = match self.player {
            None => {
                sqlx::query_as!(
                    Row,
                    r#"WITH page AS (
                           SELECT match_id, game, status, outcome, created_at, finished_at FROM matches
                           WHERE listed AND (sandbox IS NOT NULL) = $1
                             AND ($2::text IS NULL OR game = $2) AND ($3::text IS NULL OR status = $3)
                             AND created_at >= $4 AND created_at < $5
                             AND match_id >= month_bound($8) AND match_id < month_bound($9)
                             AND ($6::uuid IS NULL OR match_id < $6)
                           ORDER BY match_id DESC LIMIT $7)
                       SELECT page.*, names AS "names!", open AS "open!" FROM page CROSS JOIN LATERAL (
                           SELECT array_agg(name ORDER BY seat) AS names,
                                  coalesce(array_agg(seat ORDER BY seat) FILTER (WHERE kind = 'open'), '{}') AS open
                           FROM seats WHERE seats.match_id = page.match_id) AS at_it
                       ORDER BY match_id DESC"#,
                    self.sandbox,
                    self.game,
                    status,
                    from,
                    to,
                    self.before.map(|id| id.0),
                    limit as i64,
                    first_id,
                    last_id,
                )
                .fetch_all(pool)
                .await?
            }
            Some(player) => {
                sqlx::query_as!(
                    Row,
                    r#"WITH page AS (
                           SELECT match_id, game, status, outcome, created_at, finished_at FROM matches
                           WHERE match_id IN (SELECT match_id FROM seats WHERE player_id = $10
                                              AND ($6::uuid IS NULL OR match_id < $6))
                             AND listed AND (sandbox IS NOT NULL) = $1
                             AND ($2::text IS NULL OR game = $2) AND ($3::text IS NULL OR status = $3)
                             AND created_at >= $4 AND created_at < $5
                             AND match_id >= month_bound($8) AND match_id < month_bound($9)
                           ORDER BY match_id DESC LIMIT $7)
                       SELECT page.*, names AS "names!", open AS "open!" FROM page CROSS JOIN LATERAL (
                           SELECT array_agg(name ORDER BY seat) AS names,
                                  coalesce(array_agg(seat ORDER BY seat) FILTER (WHERE kind = 'open'), '{}') AS open
                           FROM seats WHERE seats.match_id = page.match_id) AS at_it
                       ORDER BY match_id DESC"#,
                    self.sandbox,
                    self.game,
                    status,
                    from,
                    to,
                    self.before.map(|id| id.0),
                    limit as i64,
                    first_id,
                    last_id,
                    player.0,
                )
                .fetch_all(pool)
                .await?
            }
        };
        Ok(rows.into_iter().map(|row| row.listed(self.sandbox)).collect())
    }

    /// The times between which the matches were created, as far as there can be any, and those of
    /// their ids, which begin with the time.
    fn bounds(&self) -> [OffsetDateTime; 4] {
        let from = self.created.from().map_or(FIRST, |from| from.clamp(FIRST, LAST));
        let to = self.created.to().map_or(LAST, |to| to.clamp(FIRST, LAST));
        [from, to, from.plus_millis(-ID_SLACK), to.plus_millis(ID_SLACK)].map(to_db)
    }
}

/// A time before all matches, from which on there are ids: 1970-01-02.
const FIRST: Timestamp = Timestamp::from_millis(ID_SLACK);
/// The year 9000, after all matches.
const LAST: Timestamp = Timestamp::from_millis(7030 * 365 * 24 * 3600 * 1000);

struct Row {
    match_id: Uuid,
    game: String,
    status: String,
    outcome: Option<serde_json::Value>,
    created_at: OffsetDateTime,
    finished_at: Option<OffsetDateTime>,
    names: Vec<String>,
    open: Vec<i16>,
}

impl Row {
    fn listed(self, sandbox: bool) -> ListedMatch {
        ListedMatch {
            id: MatchId(self.match_id),
            game: self.game,
            status: self.status,
            names: self.names,
            open_seats: self.open,
            sandbox,
            // One that cannot be read leaves the others in the list.
            outcome: self.outcome.and_then(|outcome| serde_json::from_value(outcome).ok()),
            created_at: from_db(self.created_at),
            finished_at: self.finished_at.map(from_db),
        }
    }
}
