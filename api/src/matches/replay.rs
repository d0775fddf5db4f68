//! Stored matches played again by the rules.

use dictionary::Lexicon;
use futures_util::{Stream, TryStreamExt};
use rules::outcome::Outcome;
use rules::table::AnyTable;
use sqlx::PgPool;
use sqlx::types::Json;

use super::desk::blocking;
use super::store::commit::Numbered;
use super::store::load::{self, Loaded};
use super::store::to_db;
use crate::http::problem::Kind;
use crate::http::{Problem, TimeRange};
use crate::ids::MatchId;

/// Which matches are replayed.
pub struct Selection {
    /// Of this game.
    pub game: Option<&'static str>,
    /// Created then.
    pub created: TimeRange,
}

/// How many steps a match has that comes to what is stored, or why it does not.
pub type Replayed = Result<u32, String>;

/// How a match ended by its own row.
struct Stored {
    rules_version: i32,
    status: String,
    outcome: Option<Json<Outcome>>,
}

impl Selection {
    /// How many there are.
    ///
    /// # Errors
    /// Where the database is away.
    pub async fn count(&self, pool: &PgPool) -> Result<u64, sqlx::Error> {
        let count = sqlx::query_scalar!(
            r#"SELECT count(*) AS "count!" FROM matches
               WHERE ($1::text IS NULL OR game = $1)
                 AND ($2::timestamptz IS NULL OR created_at >= $2)
                 AND ($3::timestamptz IS NULL OR created_at < $3)"#,
            self.game,
            self.created.from().map(to_db),
            self.created.to().map(to_db),
        );
        count.fetch_one(pool).await.map(i64::cast_unsigned)
    }

    /// Their ids in order, read as they are asked for.
    pub fn stream<'a>(&self, pool: &'a PgPool) -> impl Stream<Item = Result<MatchId, sqlx::Error>> + use<'a> {
        let ids = sqlx::query_scalar!(
            "SELECT match_id FROM matches
             WHERE ($1::text IS NULL OR game = $1)
               AND ($2::timestamptz IS NULL OR created_at >= $2)
               AND ($3::timestamptz IS NULL OR created_at < $3)
             ORDER BY match_id",
            self.game,
            self.created.from().map(to_db),
            self.created.to().map(to_db),
        );
        ids.fetch(pool).map_ok(MatchId)
    }
}

/// Plays a stored match again.
///
/// # Errors
/// [`Kind::Unavailable`] where the database is away. A row that cannot be read is no error but a
/// reason why the match does not come to what is stored; the log says more of it.
pub async fn replay(pool: &PgPool, id: MatchId, lexicon: Lexicon) -> Result<Replayed, Problem> {
    match read(pool, id).await {
        Ok((stored, loaded, steps)) => blocking(move || play_again(&stored, loaded, &steps, &lexicon)).await,
        Err(problem) if problem.kind() == Kind::Unavailable => Err(problem),
        Err(_) => Ok(Err("form: what is stored of it cannot be read".to_owned())),
    }
}

async fn read(pool: &PgPool, id: MatchId) -> Result<(Stored, Loaded, Vec<Numbered>), Problem> {
    let stored = sqlx::query_as!(
        Stored,
        r#"SELECT rules_version, status, outcome AS "outcome: Json<Outcome>" FROM matches WHERE match_id = $1"#,
        id.0
    );
    Ok((stored.fetch_one(pool).await?, load::facts(pool, id).await?, load::steps(pool, id, 0, u32::MAX).await?))
}

/// Whether the rules lead through these steps to where the row says the match stands.
fn play_again(stored: &Stored, mut loaded: Loaded, steps: &[Numbered], lexicon: &Lexicon) -> Replayed {
    let known = loaded.facts.game.facts().rules_version as i32;
    if stored.rules_version != known {
        return Err(format!("rules: it is judged by version {}, this program has {known}", stored.rules_version));
    }
    let mut table = loaded.lay().map_err(|_| "set-up: the game does not take it".to_owned())?;
    for Numbered { first_seq, step } in steps {
        let version = step.version;
        if *first_seq != table.head().seq + 1 {
            return Err(format!("version {version}: seq: its first event should have {}", table.head().seq + 1));
        }
        table.replay(step, lexicon).map_err(|deviation| format!("version {version}: {deviation}"))?;
    }
    stands(&*table, stored)?;
    Ok(table.head().version)
}

fn stands(table: &dyn AnyTable, stored: &Stored) -> Result<(), String> {
    let head = table.head();
    let status = head.status.name();
    if status != stored.status {
        return Err(format!("status: it should be {status}, not {}", stored.status));
    }
    match (&head.outcome, &stored.outcome) {
        (Some(ours), theirs) if theirs.as_ref().map(|Json(outcome)| outcome) != Some(ours) => {
            Err(format!("outcome: it should be {ours:?}"))
        }
        _ => Ok(()),
    }
}
