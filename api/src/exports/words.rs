//! `GET /v1/exports/words`

use actix_web::{get, web};
use serde_json::{Value, json};

use super::answer::export;
use super::column::{Column, Kind};
use super::dataset::{Dataset, ParquetFile, describe_line};
use super::request::Asked;
use crate::http::{Params, ProblemBody, Reply};
use crate::matches::desk::Desk;

/// Words given in finished matches of 八築, a row each.
pub static WORDS: Dataset =
    Dataset { name: "words", place: Some("seq"), game: Some("hachiku"), columns: COLUMNS, example };

const COLUMNS: &[Column] = &[
    Column::new("match_id", Kind::Uuid, "The match."),
    Column::new("seq", Kind::Int, "The number of the event; with match_id the key."),
    Column::new("version", Kind::Int, "The version that the event's step led to."),
    Column::new("seat", Kind::Int, "The seat that gave it."),
    Column::new(
        "way",
        Kind::Text,
        "said in a turn, put to the opponent because nobody knew it, or final_given when the field was empty.",
    ),
    Column::new(
        "verdict",
        Kind::Text,
        "known to the match's lexicon; accepted or refused by the opponent; unjudged where the match ended first.",
    ),
    Column::new("letters", Kind::Text, "The spelling in cards."),
    Column::new("length", Kind::Int, "How many letters it has."),
    Column::new("head", Kind::Text, "Its first letter: the head that it answered."),
    Column::nullable("written", Kind::Text, "What the player wrote; null where it was the spelling itself."),
    Column::nullable(
        "readings",
        Kind::Json,
        "The readings that are spelled so, as a JSON list; null where the lexicon knows none.",
    ),
    Column::new("captured", Kind::Int, "How many cards it captured: all but its last, none where it did not count."),
    Column::new("at", Kind::Time, "When it was given."),
    Column::new("rank", Kind::Int, "The rank of the seat at the end; 1 is best."),
    Column::new("won", Kind::Bool, "Whether that rank is 1."),
];

fn example() -> Value {
    json!({
        "match_id": "019ad2f0-5c1e-7d3a-8b0e-0123456789ab", "seq": 9, "version": 7, "seat": 0, "way": "said",
        "verdict": "known", "letters": "かえる", "length": 3, "head": "か", "written": "蛙", "readings": ["かえる"],
        "captured": 2, "at": "2026-11-29T12:01:12.480Z", "rank": 1, "won": true,
    })
}

describe_line!(WordLine, "ExportedWord", WORDS);

/// Export words
///
/// Every word given in the matches of 八築 that `/v1/exports/matches` has, with its verdict, a row
/// each, in the order of match and event. The answer is streamed. A client that was cut off goes on
/// with `match_id` and `seq` of the last whole row that it has, a dot between them, as `cursor`,
/// without gap or repeat. Other games have no words.
#[utoipa::path(
    tag = "Exports",
    params(Asked),
    responses(
        (status = 200, description = "The rows; an answer that ends without a transport error is complete", content(
            (WordLine = "application/x-ndjson"),
            (String = "text/csv"),
            (ParquetFile = "application/vnd.apache.parquet"),
        )),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/exports/words")]
pub async fn export_words(Params(asked): Params<Asked>, desk: web::Data<Desk>) -> Reply {
    export(&WORDS, asked, &desk).await
}
