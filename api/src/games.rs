//! `GET /v1/games` and `GET /v1/games/{id}`

use actix_web::{HttpResponse, get};
use rules::game::{Facts, Level};
use rules::registry;
use rules::table::{AnyGame, TABLE_RULES};
use rules::text::{Rule, Text};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::problem::Kind;
use crate::http::{PathId, Problem, ProblemBody, Reply};

/// The game that somebody names by its id.
///
/// # Errors
/// Which games there are.
pub fn named(id: &str) -> Result<&'static dyn AnyGame, Text> {
    registry::game(id).ok_or_else(|| {
        let known: Vec<_> = registry::games().iter().map(|game| game.facts().id).collect();
        let id: String = id.chars().take(40).collect();
        Text::new(
            format!("There is no game “{id}”; there are {}.", known.join(", ")),
            format!("「{id}」というゲームはありません（{}）。", known.join("、")),
        )
    })
}

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
    /// JSON Schema (2020-12) of the options of a match.
    #[schema(value_type = Object)]
    options: Value,
    /// JSON Schema of an action.
    #[schema(value_type = Object)]
    action: Value,
    /// JSON Schema of a view.
    #[schema(value_type = Object)]
    view: Value,
    /// JSON Schema of an event.
    #[schema(value_type = Object)]
    event: Value,
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
#[utoipa::path(
    tag = "Games",
    responses(
        (status = 200, description = "The games", body = GameList),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
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
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/games/{id}")]
pub async fn show_game(PathId(id): PathId<String>) -> Reply {
    let game = named(&id).map_err(|text| Problem::new(Kind::NotFound, text))?;
    let facts = game.facts();
    let mut schemas = game.schemas().to_json_schemas();
    let mut schema = |name| schemas.remove(name).unwrap_or_default();
    let detail = GameDetail {
        summary: summary(facts),
        rules_version: facts.rules_version,
        rules: facts.rules.iter().chain(TABLE_RULES).cloned().collect(),
        options: schema("options"),
        action: schema("action"),
        view: schema("view"),
        event: schema("event"),
    };
    Ok(HttpResponse::Ok().json(detail))
}
