//! `GET /v1/exports/actions`

use actix_web::{get, web};
use serde_json::{Value, json};

use super::answer::export;
use super::column::{Column, Kind};
use super::dataset::{Dataset, ParquetFile, describe_line};
use super::request::Asked;
use crate::http::{Params, ProblemBody, Reply};
use crate::matches::desk::Desk;

/// Decisions in finished matches, a row each.
pub static ACTIONS: Dataset =
    Dataset { name: "actions", place: Some("version"), game: None, columns: COLUMNS, example };

const COLUMNS: &[Column] = &[
    Column::new("match_id", Kind::Uuid, "The match."),
    Column::new("version", Kind::Int, "The version that the action led to; with match_id the key."),
    Column::new("game", Kind::Text, "The game's id."),
    Column::new("seat", Kind::Int, "The seat whose action it was."),
    Column::new(
        "cause",
        Kind::Text,
        "Who decided: action for the player, bot for the built-in bot, clock for the bot when time had run out.",
    ),
    Column::new("type", Kind::Text, "The type of the action, such as gather or resign."),
    Column::new("action", Kind::Json, "The action as it was posted."),
    Column::new("events", Kind::Int, "How many events came of it."),
    Column::new("at", Kind::Time, "When it happened."),
    Column::nullable(
        "since_previous_ms",
        Kind::Long,
        "Milliseconds since the step before, whoever took that; null where there is none.",
    ),
    Column::new("rank", Kind::Int, "The rank of the seat at the end; 1 is best."),
    Column::new("won", Kind::Bool, "Whether that rank is 1."),
];

fn example() -> Value {
    json!({
        "match_id": "019ad2f0-5c1e-7d3a-8b0e-0123456789ab", "version": 7, "game": "hachiku", "seat": 0,
        "cause": "action", "type": "say", "action": {"type": "say", "word": "蛙"}, "events": 1,
        "at": "2026-11-29T12:01:12.480Z", "since_previous_ms": 8_310, "rank": 1, "won": true,
    })
}

describe_line!(ActionLine, "ExportedAction", ACTIONS);

/// Export actions
///
/// Every decision in the matches that `/v1/exports/matches` has, a row each, in the order of match
/// and version. The answer is streamed. A client that was cut off goes on with `match_id` and
/// `version` of the last whole row that it has, a dot between them, as `cursor`, without gap or repeat.
#[utoipa::path(
    tag = "Exports",
    params(Asked),
    responses(
        (status = 200, description = "The rows; an answer that ends without a transport error is complete", content(
            (ActionLine = "application/x-ndjson"),
            (String = "text/csv"),
            (ParquetFile = "application/vnd.apache.parquet"),
        )),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/exports/actions")]
pub async fn export_actions(Params(asked): Params<Asked>, desk: web::Data<Desk>) -> Reply {
    export(&ACTIONS, asked, &desk).await
}
