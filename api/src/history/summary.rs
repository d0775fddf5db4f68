//! `GET /v1/analytics/{game}/summary`

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use sqlx::PgPool;
use sqlx::types::Json;
use utoipa::ToSchema;

use super::detached;
use super::figures::{Counts, FigureBody, KeyRate};
use super::filter::{Asked, Days, Filter, PathGame};
use super::fresh::Fresh;
use super::games::{self, Figure, Form};
use super::intervals::Distribution;
use super::sheet::{Measure, Row};
use super::sums;
use crate::http::problem::Kind;
use crate::http::{Params, Problem, ProblemBody, Reply};
use crate::matches::desk::Desk;

/// So many of a player's matches are added up, the newest.
const PLAYERS_MATCHES: i64 = 5_000;
/// The measures of every game that have few keys.
const WHOLE: [Measure; 7] = [
    Measure::LENGTH,
    Measure::DURATION,
    Measure::HUMAN_DECISION,
    Measure::BOT_DECISION,
    Measure::SEAT,
    Measure::FIRST_MOVE,
    Measure::REASON,
];
/// Milliseconds in seconds.
const SECONDS: f64 = 0.001;

/// What is known of the finished matches of a game.
#[derive(Serialize, ToSchema)]
struct Summary {
    /// The game's id.
    #[schema(examples("twenty_one"))]
    game: &'static str,
    /// What the matches were to be narrowed to, as it was asked.
    filter: Asked,
    days: Days,
    fresh: Fresh,
    /// How many matches it is about.
    #[schema(examples(200))]
    matches: i64,
    /// Whether those are all: of one player's, only the newest 5000 are added up, and none of a month that
    /// is detached.
    complete: bool,
    /// Decisions of a match.
    length: Distribution,
    /// Seconds from the start of a match to its end.
    duration_s: Distribution,
    /// Seconds that a decision took, since its seat first owed it.
    decision_s: Decisions,
    /// How often each seat won, alone or with others.
    seats: Vec<KeyRate>,
    /// The first decision of a match that was one seat's, as in the explorer's paths: the 50 most
    /// frequent. Hits: that seat won.
    first_moves: Vec<KeyRate>,
    /// Why matches ended: each reason's share.
    reasons: Vec<KeyRate>,
    /// The figures of the game's own, by name.
    figures: BTreeMap<&'static str, FigureBody>,
}

/// How long decisions took.
#[derive(Serialize, ToSchema)]
struct Decisions {
    /// By humans; decisions that the turn clock took are left out.
    human: Distribution,
    /// By bots.
    bot: Distribution,
}

/// Summarise the finished matches of a game
///
/// Every figure comes with its sample size `n` and a 95 % interval; [/docs/analytics](/docs/analytics) defines
/// them. Sandbox matches and matches still being played never count.
#[utoipa::path(
    tag = "Analytics",
    params(("game" = String, Path, description = "The game's id", example = "twenty_one"), Asked),
    responses(
        (status = 200, description = "The summary", body = Summary),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such game", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/analytics/{game}/summary")]
pub async fn summary(PathGame(game): PathGame, Params(asked): Params<Asked>, desk: web::Data<Desk>) -> Reply {
    let id = game.facts().id;
    let subject = games::of(id).ok_or_else(|| Problem::plain(Kind::NotFound))?;
    let filter = Filter::of(&desk.pool, game, &asked).await?;
    let fresh = Fresh::of(&desk.pool, id).await?;
    let (counts, complete) = match filter.player {
        None => (count(&desk.pool, &filter, subject.figures).await?, true),
        Some(player) => count_of_player(&desk.pool, &filter, player).await?,
    };
    Ok(HttpResponse::Ok().json(Summary {
        game: id,
        filter: asked,
        days: filter.days(),
        fresh,
        matches: counts.total(Measure::REASON),
        complete,
        length: counts.values(Measure::LENGTH, 1.0),
        duration_s: counts.values(Measure::DURATION, SECONDS),
        decision_s: Decisions {
            human: counts.values(Measure::HUMAN_DECISION, SECONDS),
            bot: counts.values(Measure::BOT_DECISION, SECONDS),
        },
        seats: counts.rates(Measure::SEAT, |_| None),
        first_moves: counts.most(Measure::FIRST_MOVE),
        reasons: counts.shares(Measure::REASON),
        figures: subject.figures.iter().map(|figure| (figure.measure.0, counts.figure(figure))).collect(),
    }))
}

/// What is counted of the matches.
async fn count(pool: &PgPool, filter: &Filter, figures: &[Figure]) -> Result<Counts, sqlx::Error> {
    let (top, whole): (Vec<_>, Vec<_>) = figures.iter().partition(|figure| matches!(figure.form, Form::Top));
    let top: Vec<_> = top.iter().map(|figure| figure.measure).collect();
    let whole: Vec<_> = whole.iter().map(|figure| figure.measure).chain(WHOLE).collect();
    sums::find(pool, filter, &whole, &top).await
}

/// What is counted of a player's newest matches, and whether those are all.
async fn count_of_player(pool: &PgPool, filter: &Filter, player: uuid::Uuid) -> Result<(Counts, bool), sqlx::Error> {
    let rows = sqlx::query!(
        r#"SELECT sheet AS "sheet!: Json<Vec<Row>>", group_id AS "group_id!", finished_at AS "finished_at!"
           FROM (SELECT match_id FROM history.participants WHERE player_id = $1 AND game = $2
                   AND NOT EXISTS (SELECT FROM detached_months WHERE match_id >= first AND match_id < next)
                 ORDER BY match_id DESC LIMIT $3) AS own
           JOIN history.lines USING (match_id)
           WHERE sheet IS NOT NULL ORDER BY match_id DESC"#,
        player,
        filter.game.facts().id,
        PLAYERS_MATCHES + 1,
    )
    .fetch_all(pool)
    .await?;
    let complete = rows.len() as i64 <= PLAYERS_MATCHES && !detached::touches(pool, filter).await?;
    let mut counts = Counts::default();
    for row in rows.into_iter().take(PLAYERS_MATCHES as usize) {
        if filter.takes(row.group_id, row.finished_at) {
            row.sheet.0.into_iter().for_each(|row| counts.add(row));
        }
    }
    Ok((counts, complete))
}
