//! `GET /v1/exports/matches`

use actix_web::{get, web};
use serde_json::{Value, json};

use super::answer::export;
use super::column::{Column, Kind};
use super::dataset::{Dataset, ParquetFile, describe_line};
use super::request::Asked;
use crate::http::{Params, ProblemBody, Reply};
use crate::matches::desk::Desk;

/// Finished matches, a row each.
pub static MATCHES: Dataset = Dataset { name: "matches", place: None, game: None, columns: COLUMNS, example };

const COLUMNS: &[Column] = &[
    Column::new("match_id", Kind::Uuid, "The match. Ids are UUIDv7: their order is that of creation."),
    Column::new("game", Kind::Text, "The game's id, such as hachiku."),
    Column::new("rules_version", Kind::Int, "The version of the game's rules that it was judged by."),
    Column::new("lexicon_version", Kind::Text, "The lexicon that it was created with."),
    Column::new("options", Kind::Json, "The options, with defaults filled in."),
    Column::new("seats", Kind::Int, "How many seats it has."),
    Column::new("humans", Kind::Int, "How many of them humans held."),
    Column::new("bots", Kind::Int, "How many of them the built-in bot held."),
    Column::new("names", Kind::Json, "The names of the seats as a JSON list."),
    Column::new("kinds", Kind::Json, "Who held each seat as a JSON list: human, or the bot's level."),
    Column::new("players", Kind::Json, "The registered player of each seat as a JSON list; null for a seat without."),
    Column::new("seat_order", Kind::Text, "as_given or shuffled: how the seats got their order."),
    Column::nullable("turn_seconds", Kind::Int, "Seconds that a seat could think; null without a limit."),
    Column::new("created_at", Kind::Time, "When it was created."),
    Column::new("started_at", Kind::Time, "When its last seat was taken and play began."),
    Column::new("finished_at", Kind::Time, "When it ended."),
    Column::new("duration_ms", Kind::Long, "Milliseconds from started_at to finished_at."),
    Column::new("steps", Kind::Int, "Steps of its log: its version at the end."),
    Column::new("reason", Kind::Text, "What ended it: a fixed word of the game, or resigned."),
    Column::new(
        "ranks",
        Kind::Json,
        "The rank of each seat as a JSON list; 1 is best, equal seats share the better rank.",
    ),
    Column::new("winners", Kind::Json, "The seats of rank 1 as a JSON list."),
];

fn example() -> Value {
    json!({
        "match_id": "019ad2f0-5c1e-7d3a-8b0e-0123456789ab", "game": "hachiku", "rules_version": 1,
        "lexicon_version": "standard-20261101", "options": {"preset": "standard", "max_turns": 200},
        "seats": 2, "humans": 1, "bots": 1, "names": ["先生", "Bot (easy)"], "kinds": ["human", "easy"],
        "players": ["0190a0a0-5c1e-7d3a-8b0e-0123456789ab", null], "seat_order": "as_given", "turn_seconds": null,
        "created_at": "2026-11-29T12:00:00.000Z", "started_at": "2026-11-29T12:00:00.000Z",
        "finished_at": "2026-11-29T12:14:31.250Z", "duration_ms": 871_250, "steps": 58, "reason": "target",
        "ranks": [1, 2], "winners": [0],
    })
}

describe_line!(MatchLine, "ExportedMatch", MATCHES);

/// Export matches
///
/// Finished, listed matches that are no sandbox matches, a row each, in the order of their ids. The
/// answer is streamed. A client that was cut off goes on with the `match_id` of the last whole row
/// that it has as `cursor`, without gap or repeat.
#[utoipa::path(
    tag = "Exports",
    params(Asked),
    responses(
        (status = 200, description = "The rows; an answer that ends without a transport error is complete", content(
            (MatchLine = "application/x-ndjson"),
            (String = "text/csv"),
            (ParquetFile = "application/vnd.apache.parquet"),
        )),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/exports/matches")]
pub async fn export_matches(Params(asked): Params<Asked>, desk: web::Data<Desk>) -> Reply {
    export(&MATCHES, asked, &desk).await
}
