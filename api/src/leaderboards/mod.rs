//! `GET /v1/leaderboards/{game}`, and the ratings of one player.

use actix_web::{HttpResponse, get, web};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::history::filter::PathGame;
use crate::history::fresh::Fresh;
use crate::http::params::{bad_cursor, list_limit};
use crate::http::{Params, Problem, ProblemBody, Reply};
use crate::ids::PlayerId;
use crate::matches::desk::Desk;
use crate::matches::store::from_db;

/// The two-sided 95 % point of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// A player's rating in a game.
#[derive(Serialize, ToSchema)]
pub struct Rating {
    /// The estimated skill; everybody begins at 25.
    #[serde(rename = "rating")]
    #[schema(examples(27.3))]
    skill: f64,
    /// The standard deviation of the estimate; it begins at 25/3.
    #[schema(examples(1.9))]
    uncertainty: f64,
    /// Where the skill lies in 95 of 100 cases: rating ± 1.96 uncertainty.
    #[schema(value_type = Vec<f64>, min_items = 2, max_items = 2, examples(json!([23.6, 31.0])))]
    interval: [f64; 2],
    /// What leaderboards are ordered by: rating − 3 uncertainty.
    #[schema(examples(21.6))]
    conservative: f64,
    /// How many matches it rests on.
    #[schema(examples(42))]
    matches: i64,
    /// When the last of them ended.
    rated_at: Timestamp,
}

impl Rating {
    fn new(skill: f64, uncertainty: f64, conservative: f64, matches: i64, rated_at: Timestamp) -> Self {
        let interval = [skill - Z * uncertainty, skill + Z * uncertainty];
        Self { skill, uncertainty, interval, conservative, matches, rated_at }
    }
}

/// A player's rating in one of the games.
#[derive(Serialize, ToSchema)]
pub struct GameRating {
    /// The game's id.
    #[schema(examples("hachiku"))]
    game: String,
    #[serde(flatten)]
    rating: Rating,
}

/// A player's ratings, by game.
///
/// # Errors
/// Where the database is away.
pub async fn ratings_of(pool: &PgPool, player: PlayerId) -> Result<Vec<GameRating>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT game, mu, sigma, conservative AS "conservative!", matches, rated_at
           FROM history.ratings WHERE player_id = $1 ORDER BY game"#,
        player.0,
    )
    .fetch_all(pool)
    .await?;
    let rating = rows.into_iter().map(|row| GameRating {
        game: row.game,
        rating: Rating::new(row.mu, row.sigma, row.conservative, row.matches, from_db(row.rated_at)),
    });
    Ok(rating.collect())
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Page {
    /// The most players to give.
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: Option<u32>,
    /// Where the last page ended.
    cursor: Option<String>,
}

/// A page of a leaderboard, the best first.
#[derive(Serialize, ToSchema)]
struct Leaderboard {
    /// The game's id.
    #[schema(examples("hachiku"))]
    game: &'static str,
    fresh: Fresh,
    players: Vec<Standing>,
    /// Give it as `cursor` for the next page; not there on the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A player on a leaderboard.
#[derive(Serialize, ToSchema)]
struct Standing {
    /// The place: one more than the number of players with a higher conservative figure.
    #[schema(minimum = 1, examples(1))]
    rank: i64,
    player: PlayerId,
    /// The player's name.
    #[schema(examples("先生"))]
    name: String,
    #[serde(flatten)]
    rating: Rating,
}

/// Where a page ended: everything that its last player is ordered by.
struct Cursor {
    conservative: f64,
    player: Uuid,
}

impl Cursor {
    fn write(&self) -> String {
        let mut bytes = self.conservative.to_be_bytes().to_vec();
        bytes.extend_from_slice(self.player.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    fn read(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (conservative, player) = bytes.split_first_chunk::<8>()?;
        let conservative = Some(f64::from_be_bytes(*conservative)).filter(|figure| figure.is_finite())?;
        Some(Self { conservative, player: Uuid::from_slice(player).ok()? })
    }
}

/// See who plays a game best
///
/// Ordered by rating − 3 uncertainty, so that who has played little does not stand above who has
/// shown much; players equal in it in the order in which they registered. Ratings change with every
/// match between two or more registered players; sandbox matches never count.
#[utoipa::path(
    tag = "Players",
    params(("game" = String, Path, description = "The game's id", example = "hachiku"), Page),
    responses(
        (status = 200, description = "The players", body = Leaderboard),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such game", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/leaderboards/{game}")]
pub async fn leaderboard(PathGame(game): PathGame, Params(page): Params<Page>, desk: web::Data<Desk>) -> Reply {
    let limit = list_limit(page.limit)?;
    let after = page.cursor.as_deref().map(|text| Cursor::read(text).ok_or_else(bad_cursor)).transpose()?;
    let id = game.facts().id;
    let fresh = Fresh::of_ratings(&desk.pool, id).await?;
    let mut players = read(&desk.pool, id, after.as_ref(), limit as i64 + 1).await?;
    let more = players.len() > limit;
    players.truncate(limit);
    let last = players.last().filter(|_| more);
    let next_cursor = last.map(|last| Cursor { conservative: last.rating.conservative, player: last.player.0 }.write());
    Ok(HttpResponse::Ok().json(Leaderboard { game: id, fresh, players, next_cursor }))
}

async fn read(pool: &PgPool, game: &str, after: Option<&Cursor>, limit: i64) -> Result<Vec<Standing>, Problem> {
    let rows = sqlx::query!(
        r#"WITH page AS (
               SELECT player_id, mu, sigma, conservative, matches, rated_at FROM history.ratings
               WHERE game = $1
                 AND ($2::float8 IS NULL OR conservative < $2 OR (conservative = $2 AND player_id > $3))
               ORDER BY conservative DESC, player_id LIMIT $4),
           first AS (
               SELECT conservative AS figure, player_id AS id FROM page
               ORDER BY conservative DESC, player_id LIMIT 1),
           before AS MATERIALIZED (
               SELECT count(*) FILTER (WHERE conservative > figure) AS above,
                      count(*) FILTER (WHERE conservative = figure AND player_id < id) AS beside
               FROM first JOIN history.ratings ON game = $1 AND conservative >= figure)
           SELECT player_id, name, mu, sigma, conservative AS "conservative!", matches, rated_at,
                  above AS "above!", beside AS "beside!"
           FROM page JOIN players USING (player_id) CROSS JOIN before
           ORDER BY conservative DESC, player_id"#,
        game,
        after.map(|cursor| cursor.conservative),
        after.map(|cursor| cursor.player),
        limit,
    )
    .fetch_all(pool)
    .await?;
    // Who stands before the first of the page, better or equal, is counted; equal figures share a place.
    let mut standings: Vec<Standing> = Vec::with_capacity(rows.len());
    for (place, row) in (1..).zip(rows) {
        let rating = Rating::new(row.mu, row.sigma, row.conservative, row.matches, from_db(row.rated_at));
        let rank = match standings.last() {
            None => row.above + 1,
            Some(before) if before.rating.conservative.total_cmp(&rating.conservative).is_eq() => before.rank,
            Some(_) => row.above + row.beside + place,
        };
        standings.push(Standing { rank, player: PlayerId(row.player_id), name: row.name, rating });
    }
    Ok(standings)
}
