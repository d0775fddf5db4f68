//! `GET /v1/matches/{id}/ws`

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, rt, web};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, ProtocolError, Session};
use rules::seat::Seat;
use rules::strict::{self, Strict};
use rules::text::Text;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};
use utoipa::ToSchema;

use super::act::{self, NewAction};
use super::answer::any_action;
use super::desk::Desk;
use super::follow::{Ending, Follower, HEARTBEAT, Start, Told};
use super::inflow::Inflow;
use super::seat_of::{acting, viewing};
use super::stream::{knows, line};
use crate::config::Settings;
use crate::http::auth::Token;
use crate::http::idempotency::{Answer, Owner, Repeatable, Ticket};
use crate::http::limits::{Budgets, client_ip};
use crate::http::problem::Kind;
use crate::http::slots::Slots;
use crate::http::{Bearer, Language, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// The subprotocol that a client asks for which brings its token in another.
const PROTOCOL: &str = "takujo.v1";
/// What comes before a token that is brought as a subprotocol.
const TOKEN_PREFIX: &str = "bearer.";
/// The longest message that a client may send, in bytes.
const MESSAGE_LIMIT: usize = 64 * 1024;
/// After how long without a word, not even a pong, a client counts as gone.
const SILENCE: Duration = Duration::from_secs(45);
/// How long a socket stays open for actions sent again after the match is over.
const AFTERWARDS: Duration = Duration::from_secs(5);

/// What a client sends: an action, to be judged and answered as `POST …/actions` does.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SocketAction {
    /// The client's name for the message: its answer names it in `to`. The same message sent again
    /// with it, on this socket or another, gets its first answer, as with an `Idempotency-Key`.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 255, examples("0f4c9f2e-5b3f-4b0e-9d54-3f6f0f1a2b3c"))]
    id: Option<String>,
    /// An action of the match's game, or `{"type":"resign"}`.
    #[schema(schema_with = any_action)]
    action: Value,
    /// The version that the action was meant for; without it the current state is judged.
    #[serde(default)]
    #[schema(minimum = 0, examples(4))]
    version: Option<u32>,
    /// With a virtual clock: seconds since the start at which it happens, never decreasing.
    #[serde(default)]
    #[schema(minimum = 0)]
    at_s: Option<f64>,
    /// Only tell whether it is legal: nothing happens, no die is rolled.
    #[serde(default)]
    dry_run: bool,
}

/// What came of an action that a client sent.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it only describes the message")]
pub struct SocketAnswer {
    /// `answer`
    #[schema(examples("answer"))]
    message: String,
    /// The `id` of what is answered, if it had one.
    to: Option<String>,
    /// The status that the same POST would have.
    #[schema(examples(200))]
    status: u16,
    /// What the same POST would answer: an `ActionResult`, or a `Problem`.
    #[schema(value_type = Object)]
    data: Value,
}

/// Follow a match and act in it
///
/// A WebSocket whose text messages are JSON objects. The server sends the lines of the stream
/// (`snapshot`, `event`, `clock`, `presence`, `end`: `StreamLine`), each event once and in order; a
/// client that comes again with `?after=` and the last `id` misses nothing and gets nothing twice.
/// The client sends actions (`SocketAction`), at most 64 KiB each; each is answered by an `answer`
/// (`SocketAnswer`) with the status and body of `POST …/actions`, in the order they were sent, before
/// or after the events that come of it.
///
/// A token comes in the `Authorization` header or, from a browser, which cannot set it, as a
/// subprotocol: `new WebSocket(url, ["takujo.v1", "bearer." + token])`; never in the address, which
/// logs would keep. Without one the socket shows what the public sees. Pages of any origin may look
/// on; those of origins that may not POST (`CORS_ORIGINS`) may not act.
///
/// The server pings every 15 seconds and closes with a code that says why: 1000 the match is over,
/// 1001 the server stops, 1002 no WebSocket frame, 1003 a binary message, 1007 no UTF-8, 1009 too
/// long, 1011 the stored match cannot be read, 1013 the database is away, 4000 nothing was heard for
/// 45 seconds, 4008 the reader took nothing for 30 seconds. After 1001, 1013, 4000 and 4008 come
/// again with the last `id`.
#[utoipa::path(
    tag = "Matches",
    params(
        crate::ids::MatchPath,
        Start,
        ("Sec-WebSocket-Protocol" = Option<String>, Header, description = "From a browser: `takujo.v1, bearer.<token>`"),
    ),
    security((), ("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 101, description = "The socket is open"),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`, `token-required`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 426, description = "`upgrade-required`: the request opens no WebSocket", body = ProblemBody, content_type = "application/problem+json"),
        (status = 429, description = "`too-many-streams`, `rate-limited`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 503, description = "`busy`, `unavailable`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/matches/{id}/ws")]
#[allow(clippy::too_many_arguments, reason = "each is a part of the request or of the server")]
pub async fn match_socket(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(from): Params<Start>,
    payload: web::Payload,
    desk: web::Data<Desk>,
    slots: web::Data<Slots>,
    budgets: web::Data<Budgets>,
    settings: web::Data<Settings>,
) -> Reply {
    let token = token(&request, bearer)?;
    let live = desk.get(id).await?;
    let seat = viewing(&desk.pool, &live, token.clone(), from.seat).await?;
    let (address, hash) = (client_ip(&request), token.as_ref().map(Token::hash));
    let slot = slots.take(address, hash)?;
    knows(&desk, &live, from.after).await?;
    let inflow = Inflow::default();
    let payload =
        inflow.bound(&request, payload, 2 * MESSAGE_LIMIT).await.map_err(|_| Problem::plain(Kind::Internal))?;
    let Ok((response, session, incoming)) = actix_ws::handle_with_protocols(&request, payload, &[PROTOCOL]) else {
        return Ok(upgrade_required());
    };
    let client = Client {
        desk: desk.clone(),
        budgets,
        address,
        token,
        seat: from.seat,
        may_act: may_act(&request, &settings.cors_origins),
        path: request.path().to_owned(),
        language: Language::of_request(&request),
    };
    let incoming =
        incoming.max_frame_size(MESSAGE_LIMIT).aggregate_continuations().max_continuation_size(MESSAGE_LIMIT);
    let follower = Follower::new(&desk, live, seat, from.after, slot);
    let socket = Socket { session, incoming, inflow, follower, client, patience: settings.patience() };
    rt::spawn(socket.run());
    Ok(response)
}

/// The token in the header or in a subprotocol.
fn token(request: &HttpRequest, bearer: Bearer) -> Result<Option<Token>, Problem> {
    let offered = request.headers().get_all(header::SEC_WEBSOCKET_PROTOCOL);
    let offered = offered.filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    let mut brought = offered.filter_map(|protocol| protocol.trim().strip_prefix(TOKEN_PREFIX));
    match (bearer.0, brought.next(), brought.next()) {
        (token, None, _) => Ok(token),
        (None, Some(token), None) => Ok(Some(Token::received(token))),
        _ => Err(Problem::new(
            Kind::BadRequest,
            Text::fixed(
                "One token is enough: in the Authorization header or as a bearer. subprotocol.",
                "トークンは一つだけ、Authorization ヘッダーか bearer. サブプロトコルで送ってください。",
            ),
        )),
    }
}

/// Whether the page that opens the socket, if one does, might POST as well.
fn may_act(request: &HttpRequest, origins: &[String]) -> bool {
    let Some(origin) = request.headers().get(header::ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    let own = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    let is_own = origin.split_once("://").is_some_and(|(_, host)| Some(host) == own);
    is_own || origins.iter().any(|allowed| allowed == "*" || allowed == origin)
}

fn upgrade_required() -> HttpResponse {
    let mut response = actix_web::ResponseError::error_response(&Problem::plain(Kind::UpgradeRequired));
    response.headers_mut().insert(header::UPGRADE, header::HeaderValue::from_static("websocket"));
    response
}

/// Who is at the other end, and what it may do.
struct Client {
    desk: web::Data<Desk>,
    budgets: web::Data<Budgets>,
    address: IpAddr,
    token: Option<Token>,
    /// The seat that it asked for.
    seat: Option<Seat>,
    may_act: bool,
    path: String,
    language: Language,
}

impl Client {
    /// Judges a message and words its answer.
    async fn answer(&self, follower: &Follower, text: &str) -> String {
        let taken = self.budgets.take_request(self.address, self.token.as_ref().map(Token::hash));
        let message = strict::parse(text.as_bytes());
        // Whatever else is wrong with it: the client wants to know what the answer is to.
        let to = message.as_ref().ok().and_then(|message| message["id"].as_str()).map(str::to_owned);
        let answer = match (message.and_then(|message| SocketAction::deserialize(Strict(&message))), taken) {
            (Ok(sent), Ok(())) => self.act(follower, sent, text).await,
            (Err(unreadable), _) => Err(unreadable.into()),
            (Ok(_), Err(problem)) => Err(problem),
        };
        let answer = answer.unwrap_or_else(|problem| Answer::problem(&problem, self.language));
        let to = to.map(|to| format!(",\"to\":{}", Value::from(to))).unwrap_or_default();
        let data = RawValue::from_string(answer.body().to_owned());
        let data = data.as_ref().map_or("null", |data| data.get());
        format!("{{\"message\":\"answer\"{to},\"status\":{},\"data\":{data}}}", answer.status())
    }

    async fn act(&self, follower: &Follower, sent: SocketAction, text: &str) -> Result<Answer, Problem> {
        let token = self.token.as_ref().ok_or_else(|| Problem::plain(Kind::TokenRequired))?;
        if !self.may_act {
            return Err(Problem::new(
                Kind::Forbidden,
                Text::fixed(
                    "Pages of this origin may look on but not act; the operator lists those that may in CORS_ORIGINS.",
                    "このオリジンのページは観戦のみできます。操作できるオリジンは運営者が CORS_ORIGINS に並べます。",
                ),
            ));
        }
        let desk = self.desk.get_ref();
        let live = desk.get(follower.live().facts.id).await?;
        let seat = acting(&desk.pool, &live, token, self.seat).await?;
        let new = NewAction { action: sent.action, version: sent.version, at_s: sent.at_s };
        if sent.dry_run {
            return act::dry_run(desk, &live, seat, &new, None).await;
        }
        let decide = |ticket: Option<Ticket>| act::decide(desk, &live, seat, &new, None, ticket);
        let Some(key) = sent.id else { return decide(None).await };
        let seat = self.seat.map_or(String::new(), |seat| seat.to_string());
        let says = [b"WS", self.path.as_bytes(), seat.as_bytes(), text.as_bytes()];
        let repeatable = Repeatable::new(key.as_bytes(), &Owner::Token(token), &says, self.language)?;
        repeatable.once(&desk.pool, decide).await
    }
}

/// An open socket.
struct Socket {
    session: Session,
    incoming: AggregatedMessageStream,
    inflow: Inflow,
    follower: Follower,
    client: Client,
    patience: Duration,
}

impl Socket {
    async fn run(mut self) {
        if let Some(reason) = self.serve().await {
            // A reader that takes nothing does not take this either.
            let _taken = timeout(self.patience, self.session.close(Some(reason))).await;
        }
    }

    /// Tells and answers until there is a reason to close; none where the connection is gone.
    async fn serve(&mut self) -> Option<CloseReason> {
        let mut heard = Instant::now();
        let mut beat = interval(HEARTBEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut over: Option<Instant> = None;
        loop {
            tokio::select! {
                received = self.incoming.recv() => {
                    heard = Instant::now();
                    self.inflow.is_message();
                    let text = match received? {
                        Ok(AggregatedMessage::Text(text)) => text,
                        Ok(AggregatedMessage::Ping(bytes)) => {
                            timeout(self.patience, self.session.pong(&bytes)).await.ok()?.ok()?;
                            continue;
                        }
                        Ok(AggregatedMessage::Pong(_)) => continue,
                        Ok(AggregatedMessage::Close(reason)) => return Some(reason.unwrap_or(CloseCode::Normal.into())),
                        Ok(AggregatedMessage::Binary(_)) => return Some(reason(CloseCode::Unsupported, "send text")),
                        Err(error) => return Some(unreadable(&error)),
                    };
                    let answer = self.client.answer(&self.follower, &text).await;
                    if let Err(slow) = self.send(answer).await {
                        return slow;
                    }
                }
                told = self.follower.next(), if over.is_none() => match told {
                    Some(Told::Alive) => {}
                    Some(told) => if let Err(slow) = self.send(line(&told)).await {
                        return slow;
                    },
                    None => match closing(self.follower.ending()) {
                        (CloseCode::Normal, _) => over = Some(Instant::now()),
                        (code, why) => return Some(reason(code, why)),
                    },
                },
                _ = beat.tick() => {
                    if heard.elapsed() > SILENCE {
                        return Some(reason(CloseCode::Other(4000), "nothing was heard; come again with after="));
                    }
                    timeout(self.patience, self.session.ping(b"")).await.ok()?.ok()?;
                }
                () = wait_out(over.map(|at| at.max(heard))), if over.is_some() => {
                    return Some(reason(CloseCode::Normal, "the match is over"));
                }
            }
        }
    }

    /// Sends a message, or says how to close where it is not taken in time.
    async fn send(&mut self, message: String) -> Result<(), Option<CloseReason>> {
        match timeout(self.patience, self.session.text(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_closed)) => Err(None),
            Err(_late) => Err(Some(reason(CloseCode::Other(4008), "too slow; come again with after="))),
        }
    }
}

/// Waits until nothing was said for a while after the end.
async fn wait_out(since: Option<Instant>) {
    if let Some(since) = since {
        tokio::time::sleep_until(since + AFTERWARDS).await;
    }
}

fn reason(code: CloseCode, why: &str) -> CloseReason {
    CloseReason { code, description: Some(why.to_owned()) }
}

/// How the end of what is followed closes the socket.
const fn closing(ending: Option<Ending>) -> (CloseCode, &'static str) {
    match ending {
        None | Some(Ending::Finished) => (CloseCode::Normal, "the match is over"),
        Some(Ending::Stopping) => (CloseCode::Away, "the server stops; come again with after="),
        Some(Ending::Slow) => (CloseCode::Other(4008), "too slow; come again with after="),
        Some(Ending::Unavailable) => (CloseCode::Again, "the database is away; come again with after="),
        Some(Ending::Damaged) => (CloseCode::Error, "the stored match cannot be read"),
    }
}

/// How what is no message closes the socket.
fn unreadable(error: &ProtocolError) -> CloseReason {
    match error {
        ProtocolError::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            reason(CloseCode::Invalid, "text is UTF-8")
        }
        ProtocolError::Overflow | ProtocolError::Io(_) => reason(CloseCode::Size, "a message has at most 64 KiB"),
        _ => reason(CloseCode::Protocol, "no frame of a WebSocket client"),
    }
}
