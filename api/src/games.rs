//! `GET /v1/games` and `GET /v1/games/{id}`

use actix_web::{HttpResponse, get};
use rules::game::{Facts, Level};
use rules::registry;
use rules::table::TABLE_RULES;
use rules::text::{Rule, Text};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::http::problem::Kind;
use crate::http::{PathId, Problem, ProblemBody, Reply};

/// How many seats a game may have.
#[derive(Serialize, ToSchema)]
struct SeatRange {
    #[schema(examples(2))]
    min: u8,
    #[schema(examples(4))]
    max: u8,
}

/// A game.
#[derive(Serialize, ToSchema)]
struct GameSummary {
    #[schema(value_type = String, examples("hachiku"))]
    id: &'static str,
    name: Text,
    seats: SeatRange,
    /// The levels of its bots.
    levels: &'static [Level],
}

/// The games.
#[derive(Serialize, ToSchema)]
struct GameList {
    games: Vec<GameSummary>,
}

/// A game with its rules and the form of everything that is said about it.
#[derive(Serialize, ToSchema)]
struct GameDetail {
    #[serde(flatten)]
    summary: GameSummary,
    /// Counts up whenever the same actions could lead to other events.
    #[schema(examples(1))]
    rules_version: u32,
    /// Every rule, those of every table last.
    rules: Vec<Rule>,
    /// JSON Schemas (2020-12) of `options`, `action`, `view` and `event`.
    #[schema(value_type = Object)]
    schemas: Map<String, Value>,
}

fn summary(facts: &'static Facts) -> GameSummary {
    GameSummary {
        id: facts.id,
        name: facts.name.clone(),
        seats: SeatRange { min: *facts.seats.start(), max: *facts.seats.end() },
        levels: facts.levels,
    }
}

/// List the games
#[utoipa::path(tag = "Games", responses((status = 200, description = "The games", body = GameList)))]
#[get("/games")]
pub async fn list_games() -> HttpResponse {
    let games = registry::games().into_iter().map(|game| summary(game.facts())).collect();
    HttpResponse::Ok().json(GameList { games })
}

/// Describe a game
///
/// Its rules in both languages, and JSON Schemas of its options, actions, views and events.
#[utoipa::path(
    tag = "Games",
    params(("id" = String, Path, description = "The game's id", example = "hachiku")),
    responses(
        (status = 200, description = "The game", body = GameDetail),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/games/{id}")]
pub async fn show_game(PathId(id): PathId<String>) -> Reply {
    let game = registry::game(&id).ok_or_else(|| Problem::plain(Kind::NotFound))?;
    let facts = game.facts();
    let detail = GameDetail {
        summary: summary(facts),
        rules_version: facts.rules_version,
        rules: facts.rules.iter().chain(TABLE_RULES).cloned().collect(),
        schemas: game.schemas().to_json_schemas(),
    };
    Ok(HttpResponse::Ok().json(detail))
}
