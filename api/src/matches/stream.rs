//! `GET /v1/matches/{id}/events/stream`

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, web};
use futures_util::stream;
use rules::seat::{Seat, SeatSet, Viewer};
use rules::table::Status;
use rules::text::Text;
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use super::answer;
use super::desk::{Desk, now};
use super::live::Live;
use super::seat_of::viewing;
use super::store::load;
use crate::http::problem::Kind;
use crate::http::{Bearer, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// How often a stream says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// How many steps are read from the database at a time.
const PAGE: u32 = 200;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct From {
    /// Begin after this `seq`, as `Last-Event-ID` does; without either, after the newest event.
    #[param(value_type = Option<u64>, maximum = 4_294_967_295_u64, example = 0)]
    after: Option<u32>,
    /// Of a player with several seats: the one to look from.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// Whose decision is awaited, and until when.
#[derive(Serialize, ToSchema)]
#[schema(as = StreamClock)]
struct Clock {
    /// The server's time.
    now: Timestamp,
    /// The seats that owe a decision.
    #[schema(value_type = Vec<Seat>)]
    to_act: SeatSet,
    /// When something happens next though nobody acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline_at: Option<Timestamp>,
}

/// One message of the stream.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the messages")]
struct StreamMessage {
    /// `snapshot`, `event`, `clock` or `end`.
    #[schema(examples("event"))]
    event: String,
    /// Of `snapshot` and `event`: the `seq` up to which the reader has everything.
    #[schema(examples("7"))]
    id: Option<String>,
    /// JSON: the match, an event as the history gives it, a `StreamClock`, or an empty object.
    data: String,
}

/// The same as a JSON object a line; an empty line says that the stream is alive.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the lines")]
struct StreamLine {
    /// `snapshot`, `event`, `clock` or `end`.
    #[schema(examples("event"))]
    message: String,
    /// Of `snapshot` and `event`: the `seq` up to which the reader has everything.
    #[schema(examples(7))]
    id: Option<u32>,
    /// The match, an event as the history gives it, a `StreamClock`, or an empty object.
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

    /// One message: its kind, the `seq` up to which the reader has everything after it, and what it says.
    fn message(self, kind: &str, seq: Option<u32>, data: &str) -> Bytes {
        match self {
            Self::Sse => {
                let id = seq.map(|seq| format!("id: {seq}\n")).unwrap_or_default();
                format!("event: {kind}\n{id}data: {data}\n\n").into()
            }
            Self::Ndjson => {
                let id = seq.map(|seq| format!(",\"id\":{seq}")).unwrap_or_default();
                format!("{{\"message\":\"{kind}\"{id},\"data\":{data}}}\n").into()
            }
        }
    }

    fn heartbeat(self) -> Bytes {
        Bytes::from_static(match self {
            Self::Sse => b": alive\n\n",
            Self::Ndjson => b"\n",
        })
    }
}

/// Follow a match
///
/// Server-Sent Events: first `snapshot` (the match as GET gives it), then an `event` for each event
/// in order with `id:` = `seq`, after each batch a `clock`, at the end `end`; a comment every 15
/// seconds. A reader that comes again with `Last-Event-ID`, on whatever server, misses nothing and
/// gets nothing twice. With `Accept: application/x-ndjson` the same as one object a line.
#[utoipa::path(
    tag = "Matches",
    params(
        crate::ids::MatchPath,
        From,
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
    )
)]
#[get("/matches/{id}/events/stream")]
pub async fn stream_events(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(from): Params<From>,
    desk: web::Data<Desk>,
) -> Reply {
    let live = desk.get(id).await?;
    let seat = viewing(&desk.pool, &live, bearer.0, from.seat).await?;
    let last = match request.headers().get("Last-Event-ID") {
        None => from.after,
        Some(value) => Some(value.to_str().ok().and_then(|text| text.trim().parse().ok()).ok_or_else(bad_last_id)?),
    };
    let form = Form::of(&request);
    let follower = Follower {
        versions: live.watch(),
        desk: desk.get_ref().clone(),
        live,
        seat,
        form,
        last,
        ready: VecDeque::new(),
        state: State::Opening,
    };
    Ok(HttpResponse::Ok()
        .content_type(form.media_type())
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header(("X-Accel-Buffering", "no"))
        .insert_header(header::ContentEncoding::Identity)
        .streaming(stream::unfold(follower, |mut follower| async move {
            follower.next().await.map(|message| (message, follower))
        })))
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

/// Where a stream stands.
#[derive(PartialEq, Eq)]
enum State {
    Opening,
    Following,
    Ended,
}

/// One reader of a stream. It is asked for the next message only when the last one is taken, so a
/// slow reader costs no memory and slows nobody.
struct Follower {
    desk: Desk,
    live: Arc<Live>,
    versions: watch::Receiver<u32>,
    seat: Option<Seat>,
    form: Form,
    /// The `seq` up to which the reader has everything.
    last: Option<u32>,
    ready: VecDeque<Bytes>,
    state: State,
}

impl Follower {
    async fn next(&mut self) -> Option<Result<Bytes, actix_web::Error>> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(Ok(message));
            }
            match self.state {
                State::Ended => return None,
                State::Opening => {
                    self.open();
                    self.state = State::Following;
                }
                State::Following => match self.gather().await {
                    Err(problem) => {
                        // The reader comes again with the last id and misses nothing.
                        self.state = State::Ended;
                        return Some(Err(problem.into()));
                    }
                    Ok(()) if self.ready.is_empty() => self.wait().await,
                    Ok(()) => {}
                },
            }
        }
    }

    /// The snapshot, as of which the reader has everything that it does not ask for.
    fn open(&mut self) {
        self.versions.borrow_and_update();
        let snapshot = self.live.snapshot();
        let seq = snapshot.table.head().seq;
        let last = *self.last.get_or_insert(seq);
        let projection = snapshot.projection(&self.live.facts, self.seat);
        let body = std::str::from_utf8(&projection.body).unwrap_or("null");
        self.ready.push_back(self.form.message("snapshot", Some(last), body));
        self.clock();
    }

    /// Gathers the events that the reader does not have yet, a page of steps at a time.
    async fn gather(&mut self) -> Result<(), Problem> {
        self.versions.borrow_and_update();
        let snapshot = self.live.snapshot();
        let head = snapshot.table.head();
        let last = self.last.unwrap_or(head.seq);
        if last >= head.seq {
            if head.status == Status::Finished {
                self.ready.push_back(self.form.message("end", None, "{}"));
                self.state = State::Ended;
            }
            return Ok(());
        }
        let viewer = snapshot.table.open_to(self.seat.map_or(Viewer::Public, Viewer::Seat));
        let from = load::version_before_seq(&self.desk.pool, self.live.facts.id, last).await?;
        let up_to = head.version.min(from.saturating_add(PAGE));
        for (first, step) in load::steps(&self.desk.pool, self.live.facts.id, from, up_to).await? {
            for event in answer::events(&self.live.facts, &step, first, viewer)? {
                if event.seq() > last {
                    let text = serde_json::to_string(&event).map_err(|_| Problem::plain(Kind::Internal))?;
                    self.ready.push_back(self.form.message("event", Some(event.seq()), &text));
                    self.last = Some(event.seq());
                }
            }
        }
        self.clock();
        Ok(())
    }

    fn clock(&mut self) {
        let snapshot = self.live.snapshot();
        let clock = Clock { now: now(), to_act: snapshot.table.head().to_act, deadline_at: snapshot.table.due() };
        if let Ok(text) = serde_json::value::to_raw_value(&clock).map(|raw: Box<RawValue>| raw.get().to_owned()) {
            self.ready.push_back(self.form.message("clock", None, &text));
        }
    }

    /// Waits for the next version, the next heartbeat or the server's stop.
    async fn wait(&mut self) {
        let changed = tokio::time::timeout(HEARTBEAT, self.versions.changed());
        match self.desk.closing.run_until_cancelled(changed).await {
            Some(Ok(Ok(()))) => {}
            Some(Err(_)) => {
                self.ready.push_back(self.form.heartbeat());
                self.look_again().await;
            }
            Some(Ok(Err(_))) | None => self.state = State::Ended,
        }
    }

    /// Follows the match in memory, where it was read in anew since the stream began.
    async fn look_again(&mut self) {
        if let Ok(live) = self.desk.get(self.live.facts.id).await
            && !Arc::ptr_eq(&live, &self.live)
        {
            self.versions = live.watch();
            self.live = live;
        }
    }
}
