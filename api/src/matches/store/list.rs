//! The list of matches.

use rules::outcome::Outcome;
use rules::table::Status;
use rules::time::Timestamp;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{from_db, to_db};
use crate::http::Problem;
use crate::ids::{MatchId, PlayerId};

/// Which matches are wanted.
pub struct Wanted {
    /// Of this game.
    pub game: Option<String>,
    /// That stand so.
    pub status: Option<Status>,
    /// In which this player has a seat.
    pub player: Option<PlayerId>,
    /// Created at or after.
    pub from: Option<Timestamp>,
    /// Created before.
    pub to: Option<Timestamp>,
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
        let status = self.status.map(|status| match status {
            Status::Waiting => "waiting",
            Status::Active => "active",
            Status::Finished => "finished",
        });
        let rows = sqlx::query!(
            r#"SELECT m.match_id, m.game, m.status, m.outcome, m.created_at, m.finished_at,
                      array_agg(s.name ORDER BY s.seat) AS "names!",
                      coalesce(array_agg(s.seat ORDER BY s.seat) FILTER (WHERE s.kind = 'open'), '{}') AS "open!"
               FROM matches m JOIN seats s USING (match_id)
               WHERE m.listed
                 AND (m.sandbox IS NOT NULL) = $1
                 AND ($2::text IS NULL OR m.game = $2)
                 AND ($3::text IS NULL OR m.status = $3)
                 AND ($4::uuid IS NULL OR EXISTS
                        (SELECT 1 FROM seats p WHERE p.match_id = m.match_id AND p.player_id = $4))
                 AND ($5::timestamptz IS NULL OR m.created_at >= $5)
                 AND ($6::timestamptz IS NULL OR m.created_at < $6)
                 AND ($7::uuid IS NULL OR m.match_id < $7)
               GROUP BY m.match_id, m.game, m.status, m.outcome, m.created_at, m.finished_at
               ORDER BY m.match_id DESC
               LIMIT $8"#,
            self.sandbox,
            self.game,
            status,
            self.player.map(|player| player.0),
            self.from.map(to_db),
            self.to.map(to_db),
            self.before.map(|id| id.0),
            limit as i64,
        )
        .fetch_all(pool)
        .await?;
        Ok(rows
            .into_iter()
            .map(|row| ListedMatch {
                id: MatchId(row.match_id),
                game: row.game,
                status: row.status,
                names: row.names,
                open_seats: row.open,
                sandbox: self.sandbox,
                // One that cannot be read leaves the others in the list.
                outcome: row.outcome.and_then(|outcome| serde_json::from_value(outcome).ok()),
                created_at: from_db(row.created_at),
                finished_at: row.finished_at.map(from_db),
            })
            .collect())
    }
}
