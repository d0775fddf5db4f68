//! `POST /v1/matches/{id}/actions`

use actix_web::http::StatusCode;
use actix_web::http::header::{self, Header, IfMatch};
use actix_web::{HttpRequest, post, web};
use rules::seat::{Seat, Viewer};
use rules::table::{Judgement, Step};
use rules::text::Text;
use rules::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use super::answer::{self, EventBody, MatchBody, any_action};
use super::desk::{Decided, Desk, blocking, now};
use super::live::{Live, Snapshot};
use super::seat_of::{one_of, seats_of};
use super::store::commit::Numbered;
use crate::http::idempotency::{Answer, Ticket, once};
use crate::http::problem::Kind;
use crate::http::{Bearer, Body, Params, PathId, Problem, ProblemBody, Reply};
use crate::ids::MatchId;

/// An action to be judged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAction {
    /// An action of the match's game, or `{"type":"resign"}`.
    #[schema(schema_with = any_action)]
    pub action: Value,
    /// The version that the action was meant for; without it the current state is judged.
    #[serde(default)]
    #[schema(minimum = 0, examples(4))]
    pub version: Option<u32>,
    /// With a virtual clock: seconds since the start at which it happens, never decreasing.
    #[serde(default)]
    #[schema(minimum = 0)]
    pub at_s: Option<f64>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct How {
    /// Only tell whether it is legal: nothing happens, no die is rolled.
    dry_run: Option<bool>,
    /// Of a player with several seats: the one that acts.
    #[param(value_type = Option<u8>, maximum = 9)]
    seat: Option<Seat>,
}

/// What came of an action.
#[derive(Serialize, ToSchema)]
struct ActionResult {
    /// The version that it led to, the answers of bots included.
    version: u32,
    /// What happened, as the acting seat may see it.
    events: Vec<EventBody>,
    /// The match after it, as the acting seat may see it.
    #[serde(rename = "match")]
    #[schema(value_type = MatchBody)]
    body: Box<RawValue>,
}

/// Act
///
/// Judged by the rules, committed, then answered. Where bots are to act next, their decisions are
/// in the same answer. A refused action changes nothing.
#[utoipa::path(
    tag = "Matches",
    request_body = NewAction,
    params(
        crate::ids::MatchPath,
        How,
        crate::openapi::IdempotencyKey,
        ("If-Match" = Option<String>, Header, description = "Act only if the match is still the one of this ETag"),
    ),
    security(("seat_token" = []), ("player_token" = [])),
    responses(
        (status = 200, description = "What happened, and the match after it", body = ActionResult, headers(("ETag" = String, description = "Of the acting seat's match"))),
        (status = 400, description = "`bad-request`: no action of this game", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`token-required`, `unknown-token`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 403, description = "`forbidden`: a token of another match", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 408, description = "`request-timeout`: the body did not arrive in time", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`stale-version` with `current_version`, `not-your-turn`, `match-finished`, `match-waiting`, `request-in-progress`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 412, description = "`version-mismatch`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`illegal-action` with the `rule`, `invalid-parameters`, `idempotency-key-reused`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/matches/{id}/actions")]
pub async fn act(
    request: HttpRequest,
    PathId(id): PathId<MatchId>,
    bearer: Bearer,
    Params(how): Params<How>,
    body: Body<NewAction>,
    desk: web::Data<Desk>,
) -> Reply {
    let token = bearer.required()?;
    let live = desk.get(id).await?;
    let seats = seats_of(&desk.pool, &live.snapshot(), &token).await?;
    // What is no tag names no state of the match.
    let expected = request.headers().contains_key(header::IF_MATCH);
    let expected = expected.then(|| IfMatch::parse(&request).unwrap_or(IfMatch::Items(Vec::new())));
    if how.dry_run == Some(true) {
        let seat = one_of(&seats, &live.snapshot(), how.seat)?;
        return dry_run(&desk, &live, seat, &body.value, expected.as_ref()).await.map(Answer::into_response);
    }
    // Which of a player's seats is meant may be another once it has acted: a retry is not to ask again.
    let first_time = async |ticket| {
        let seat = one_of(&seats, &live.snapshot(), how.seat)?;
        decide(&desk, &live, seat, &body.value, expected.as_ref(), ticket).await
    };
    once(&desk.pool, &request, &body.bytes, first_time).await
}

/// Judges an action, commits it and answers with what came of it.
///
/// # Errors
/// What the rules refuse, and [`Kind::Unavailable`] where the database is away.
pub async fn decide(
    desk: &Desk,
    live: &Live,
    seat: Seat,
    new: &NewAction,
    expected: Option<&IfMatch>,
    ticket: Option<Ticket>,
) -> Result<Answer, Problem> {
    desk.decide(
        live,
        ticket.as_ref(),
        async |before| judge(desk, live, before, seat, new, expected).await,
        |after, steps| happened(live, after, seat, steps),
    )
    .await
}

/// Answers whether an action would be legal.
///
/// # Errors
/// What the rules refuse.
pub async fn dry_run(
    desk: &Desk,
    live: &Live,
    seat: Seat,
    new: &NewAction,
    expected: Option<&IfMatch>,
) -> Result<Answer, Problem> {
    let before = live.snapshot();
    judge(desk, live, &before, seat, new, expected).await?;
    happened(live, &before, seat, &[])
}

/// Judges an action on a snapshot, after what is due by then.
async fn judge(
    desk: &Desk,
    live: &Live,
    before: &Snapshot,
    seat: Seat,
    new: &NewAction,
    expected: Option<&IfMatch>,
) -> Result<Decided, Problem> {
    let head = before.table.head();
    if let Some(IfMatch::Items(tags)) = expected {
        let own = before.projection(&live.facts, Some(seat)).etag.trim_matches('"');
        if !tags.iter().any(|tag| tag.tag() == own) {
            return Err(Problem::plain(Kind::VersionMismatch).with("current_version", head.version));
        }
    }
    if new.version.is_some_and(|version| !(head.current_since..=head.version).contains(&version)) {
        return Err(Problem::plain(Kind::StaleVersion).with("current_version", head.version));
    }
    let at = instant(live, before, new.at_s)?;
    let (mut table, action, lexicon) = (before.table.clone_box(), new.action.clone(), desk.lexicon());
    let virtual_clock = head.virtual_clock;
    let work = move || {
        let mut steps = Vec::new();
        loop {
            // Bots decide at once, before anything else falls due.
            let bot_at = if virtual_clock { table.head().now } else { at };
            let step = table.bot_step(bot_at, &lexicon).or_else(|| table.expire(at, &lexicon));
            let Some(step) = step else { break };
            steps.push(step);
        }
        steps.push(table.act(seat, &action, at, &lexicon)?);
        Ok((table, steps))
    };
    let is_slow = before.table.is_slow();
    let judged: Result<(_, Vec<Step>), Judgement> = if is_slow { blocking(work).await? } else { work() };
    let (table, steps) = judged.map_err(refused)?;
    Ok(Decided { table, steps, claim: None })
}

/// When the action happens: by the server's clock, or as the request says on a virtual one.
fn instant(live: &Live, before: &Snapshot, at_s: Option<f64>) -> Result<Timestamp, Problem> {
    let head = before.table.head();
    let out_of_bounds = |en: &'static str, ja: &'static str| Problem::new(Kind::InvalidParameters, Text::fixed(en, ja));
    match (head.virtual_clock, at_s) {
        (false, None) => Ok(now().max(head.now)),
        (false, Some(_)) => Err(out_of_bounds(
            "at_s is for sandbox matches with a virtual clock.",
            "at_s は仮想時計のサンドボックス試合だけで使えます。",
        )),
        (true, None) => Ok(head.now),
        (true, Some(seconds)) if !(0.0..=1e9).contains(&seconds) => {
            Err(out_of_bounds("at_s is from 0 to 1000000000 seconds.", "at_s は 0 から 1000000000 秒までです。"))
        }
        (true, Some(seconds)) => {
            let at = live.facts.created_at.plus_millis((seconds * 1000.0).round() as i64);
            if at < head.now {
                return Err(out_of_bounds("at_s never goes back.", "at_s を戻すことはできません。")
                    .with("last_at_s", head.now.millis_since(live.facts.created_at) as f64 / 1000.0));
            }
            Ok(at)
        }
    }
}

/// A refused action as a problem.
fn refused(judgement: Judgement) -> Problem {
    match judgement {
        Judgement::NotStarted => Problem::plain(Kind::MatchWaiting),
        Judgement::Finished => Problem::plain(Kind::MatchFinished),
        Judgement::NotYourTurn => Problem::plain(Kind::NotYourTurn),
        Judgement::SeatTaken => Problem::plain(Kind::SeatTaken),
        Judgement::Unreadable(unreadable) => unreadable.within("action").into(),
        Judgement::Illegal(refusal) => refusal.into(),
    }
}

fn happened(live: &Live, after: &Snapshot, seat: Seat, steps: &[Numbered]) -> Result<Answer, Problem> {
    let viewer = after.table.open_to(Viewer::Seat(seat));
    let mut events = Vec::new();
    for numbered in steps {
        events.extend(answer::events(&live.facts, &numbered.step, numbered.first_seq, viewer)?);
    }
    let projection = after.projection(&live.facts, Some(seat));
    let broken = |_| Problem::plain(Kind::Internal);
    let body = serde_json::from_slice(&projection.body).map_err(broken)?;
    let result = ActionResult { version: after.table.head().version, events, body };
    let text = serde_json::to_string(&result).map_err(broken)?;
    Ok(Answer::json(StatusCode::OK, text).header(&header::ETAG, projection.etag.clone()))
}
