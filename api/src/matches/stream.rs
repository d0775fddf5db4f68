//! `GET /v1/matches/{id}/events/stream`

use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream;
use rules::text::Text;
use serde::Serialize;
use tokio::time::Instant;
use utoipa::ToSchema;

use super::desk::Desk;
use super::follow::{Clock, Ending, Follower, Start, Told};
use super::live::Live;
use super::seat_of::viewing;
use crate::config::Settings;
use crate::http::auth::Token;
use crate::http::limits::client_ip;
use crate::http::problem::Kind;
use crate::http::slots::Slots;
use crate::http::{Bearer, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// One message of the stream.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the messages")]
struct StreamMessage {
    /// `snapshot`, `event`, `clock`, `presence` or `end`.
    #[schema(examples("event"))]
    event: String,
    /// Of `snapshot`, `event` and `end`: the `seq` up to which the reader has everything.
    #[schema(examples("7"))]
    id: Option<String>,
    /// JSON: the match, an event as the history gives it, a `StreamClock`, a `StreamPresence` or a
    /// `StreamEnd`.
    data: String,
}

/// The same as a JSON object a line; an empty line says that the stream is alive.
#[derive(Serialize, ToSchema)]
#[allow(dead_code, reason = "it only describes the lines")]
pub struct StreamLine {
    /// `snapshot`, `event`, `clock`, `presence` or `end`.
    #[schema(examples("event"))]
    message: String,
    /// Of `snapshot`, `event` and `end`: the `seq` up to which the reader has everything.
    #[schema(examples(7))]
    id: Option<u32>,
    /// The match, an event as the history gives it, a `StreamClock`, a `StreamPresence` or a
    /// `StreamEnd`.
    #[schema(value_type = Object)]
    data: Clock,
}

/// How the stream is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Server-Sent Events.
    Sse,
    /// A JSON object a line.
    Ndjson,
}

impl Form {
    fn of(request: &HttpRequest) -> Self {
        let accept = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
        if accept.contains("application/x-ndjson") { Self::Ndjson } else { Self::Sse }
    }

    const fn media_type(self) -> &'static str {
        match self {
            Self::Sse => "text/event-stream",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    fn write(self, told: &Told) -> Bytes {
        match (self, told) {
            (Self::Sse, Told::Alive) => Bytes::from_static(b": alive\n\n"),
            (Self::Ndjson, Told::Alive) => Bytes::from_static(b"\n"),
            (Self::Sse, Told::Message { topic, seq, data }) => {
                let id = seq.map(|seq| format!("id: {seq}\n")).unwrap_or_default();
                format!("event: {}\n{id}data: {data}\n\n", topic.as_str()).into()
            }
            (Self::Ndjson, told) => (line(told) + "\n").into(),
        }
    }
}

/// A message as a JSON object, as lines and sockets carry it; nothing for a heartbeat.
pub fn line(told: &Told) -> String {
    let Told::Message { topic, seq, data } = told else { return String::new() };
    let id = seq.map(|seq| format!(",\"id\":{seq}")).unwrap_or_default();
    format!("{{\"message\":\"{}\"{id},\"data\":{data}}}", topic.as_str())
}

/// Follow a match
///
/// Server-Sent Events: first `snapshot` (the match as GET gives it), then an `event` for each event
/// in order with `id:` = `seq`, after each batch a `clock` (whose decision is awaited, until when),
/// a `presence` whenever a seat connects or leaves (at most 1 s late; a seat whose server was killed
/// leaves within 20 s), at the last `end` with the reason; a comment every 15 seconds. A reader that
/// comes again with `Last-Event-ID`, on whatever server, misses nothing and gets nothing twice. One
/// that takes nothing for 30 seconds is dropped. With `Accept: application/x-ndjson` the same as one
/// object a line.
#[utoipa::path(
    tag = "Matches",
    params(
        crate::ids::MatchPath,
        Start,
        ("Last-Event-ID" = Option<u64>, Header, description = "The `seq` of the last event that the client has", maximum = 4_294_967_295_u64),
    ),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "The stream, message by message", content(
            (StreamMessage = "text/event-stream"),
            (StreamLine = "application/x-ndjson"),
        )),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`, `token-required`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "`too-many-streams`, `rate-limited`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/events/stream")]
pub async fn stream_events(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(from): Params<Start>,
    desk: web::Data<Desk>,
    slots: web::Data<Slots>,
    settings: web::Data<Settings>,
) -> Reply {
    let live = desk.get(id).await?;
    let token = bearer.0.as_ref().map(Token::hash);
    let seat = viewing(&desk.pool, &live, bearer.0, from.seat).await?;
    let last = match request.headers().get("Last-Event-ID") {
        None => from.after,
        Some(value) => Some(value.to_str().ok().and_then(|text| text.trim().parse().ok()).ok_or_else(bad_last_id)?),
    };
    let slot = slots.take(client_ip(&request), token)?;
    knows(&desk, &live, last).await?;
    let form = Form::of(&request);
    let reader = Reader {
        follower: Follower::new(&desk, live, seat, last, slot),
        taken: Instant::now(),
        patience: settings.patience(),
    };
    Ok(HttpResponse::Ok()
        .content_type(form.media_type())
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .insert_header(header::ContentEncoding::Identity)
        .streaming(stream::unfold(reader, move |mut reader| async move {
            let told = reader.next().await?;
            Some((Ok::<_, actix_web::Error>(form.write(&told)), reader))
        })))
}

/// Makes sure that a reader who comes from another process is not told of a match older than what it
/// has.
///
/// # Errors
/// Where the database is away.
pub async fn knows(desk: &Desk, live: &Live, last: Option<u32>) -> Result<(), Problem> {
    match last {
        Some(last) if last > live.snapshot().table.head().seq => desk.make_sure(live).await,
        _ => Ok(()),
    }
}

fn bad_last_id() -> Problem {
    Problem::new(
        Kind::BadRequest,
        Text::fixed(
            "Last-Event-ID is the id of an event of this stream: a whole number.",
            "Last-Event-ID はこのストリームのイベントの id（整数）です。",
        ),
    )
}

/// A reader at the end of a connection, which asks for the next message when it has room for it.
struct Reader {
    follower: Follower,
    /// When it took the last message.
    taken: Instant,
    patience: Duration,
}

impl Reader {
    async fn next(&mut self) -> Option<Told> {
        if self.taken.elapsed() > self.patience {
            self.follower.end(Ending::Slow);
        }
        let told = self.follower.next().await;
        self.taken = Instant::now();
        told
    }
}
