//! `POST /v1/matches`

use std::sync::Arc;

use actix_web::http::{StatusCode, header};
use actix_web::{HttpRequest, post, web};
use rules::chance::{Chance, Key, Script};
use rules::game::Level;
use rules::registry;
use rules::seat::Seat;
use rules::table::{Player, wrong_seats};
use rules::text::{Fault, Text};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};

use super::answer::MatchBody;
use super::desk::{Desk, commit_of, now, number};
use super::facts::{Facts, Sandbox, SeatOrder};
use super::live::{Credential, Live, Snapshot};
use super::metrics;
use super::seat_of::{known, player_of};
use super::store;
use crate::games;
use crate::http::auth::{Token, random};
use crate::http::idempotency::{Answer, Ticket, once};
use crate::http::problem::Kind;
use crate::http::{Bearer, Body, Problem, ProblemBody, Reply};
use crate::ids::{MatchId, PlayerId};

/// The longest name, in characters.
const NAME_LIMIT: usize = 64;
/// The longest time to think, in seconds: a week.
const TURN_LIMIT: u32 = 7 * 24 * 3600;

/// A match to be created.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMatch {
    /// The game's id, one of `GET /v1/games`.
    #[schema(schema_with = game_id)]
    game: String,
    /// The seats in turn order.
    #[schema(min_items = 2, max_items = 10, examples(json!([{"name": "先生"}, {"bot": "easy"}])))]
    seats: Vec<NewSeat>,
    /// The game's options; what is left out takes its default.
    #[serde(default)]
    #[schema(value_type = Object, examples(json!({})))]
    options: Value,
    /// How the seats get their order.
    #[serde(default)]
    seat_order: SeatOrder,
    /// How many seconds a seat may think before the bot decides for it; no limit without it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 604_800)]
    turn_seconds: Option<u32>,
    /// Whether the match shows in the list; by default it does unless it is a sandbox.
    #[serde(default)]
    listed: Option<bool>,
    /// Whether seats may ask for an analysis while it is played (default true).
    #[serde(default)]
    analysis: Option<bool>,
    /// Scripted dice, deck and clock, for tests.
    #[serde(default)]
    sandbox: Option<Sandbox>,
}

/// The id of a game.
fn game_id() -> ObjectBuilder {
    let ids: Vec<_> = registry::games().iter().map(|game| game.facts().id).collect();
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(ids)).examples(["hachiku"])
}

/// A seat of a match to be created: a human's, unless it says `bot` or `open`.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewSeat {
    /// The name shown to everybody.
    #[serde(default)]
    #[schema(examples("先生"), max_length = 64)]
    name: Option<String>,
    /// The token of a registered player, who then holds the seat.
    #[serde(default)]
    player_token: Option<String>,
    /// Play by the built-in bot of this level.
    #[serde(default)]
    bot: Option<Level>,
    /// Leave it open, to be claimed.
    #[serde(default)]
    open: bool,
    /// Hex of at most 64 bytes that go into the match's chance.
    #[serde(default)]
    #[schema(examples("c0ffee"), max_length = 128, pattern = "^([0-9a-f]{2})*$")]
    entropy: Option<String>,
}

/// A match that was created, with the tokens of its seats: they are shown this once.
#[derive(Serialize, ToSchema)]
struct CreatedMatch<'a> {
    #[serde(rename = "match")]
    #[schema(value_type = MatchBody)]
    body: &'a RawValue,
    seats: Vec<CreatedSeat>,
}

/// A seat of a match that was created.
#[derive(Serialize, ToSchema)]
struct CreatedSeat {
    seat: Seat,
    /// The seat's token; bots and open seats have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<Token>,
}

/// Create a match
///
/// It starts at once unless a seat is open. The answer holds a token for each human seat: keep
/// them, they are shown only here.
#[utoipa::path(
    tag = "Matches",
    request_body = NewMatch,
    params(crate::openapi::IdempotencyKey),
    responses(
        (status = 201, description = "The match and its seats' tokens", body = CreatedMatch,
            headers(("Location" = String, description = "Where the match is"), ("ETag" = String, description = "Of the public match"))),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 401, description = "`unknown-token`: a player_token that nobody was given", body = ProblemBody, content_type = "application/problem+json"),
        (status = 409, description = "`request-in-progress`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 413, description = "`payload-too-large`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 415, description = "`unsupported-media-type`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-options` with all `faults`, or `idempotency-key-reused`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[post("/matches")]
pub async fn create_match(request: HttpRequest, bearer: Bearer, body: Body<NewMatch>, desk: web::Data<Desk>) -> Reply {
    known(&desk.pool, bearer.0.as_ref()).await?;
    let Body { value, bytes } = body;
    once(&desk.pool, &request, &bytes, |ticket| create(&desk, value, ticket)).await
}

/// A seat as it is asked for, checked.
struct SeatPlan {
    name: Arc<str>,
    player: Player,
    credential: Credential,
    token: Option<Token>,
}

async fn create(desk: &Desk, new: NewMatch, ticket: Option<Ticket>) -> Result<Answer, Problem> {
    let game = games::named(&new.game).map_err(|text| Problem::faults(vec![Fault::new("game", text)]))?;
    let mut faults = Vec::new();
    if new.turn_seconds.is_some_and(|seconds| !(1..=TURN_LIMIT).contains(&seconds)) {
        faults.push(Fault::new(
            "turn_seconds",
            Text::fixed("A seat may think for 1 to 604800 seconds.", "持ち時間は 1 から 604800 秒です。"),
        ));
    }
    // What no game has room for is not looked at one by one.
    if new.seats.len() > usize::from(Seat::LIMIT) {
        faults.push(wrong_seats(game.facts(), new.seats.len()));
        return Err(Problem::faults(faults));
    }
    let mut seats = Vec::with_capacity(new.seats.len());
    for (index, seat) in new.seats.into_iter().enumerate() {
        seats.push(plan_seat(desk, index, seat, game.facts().levels, &mut faults).await?);
    }
    let server_seed = random::<32>()?;
    let id = MatchId::fresh();
    let order = seat_order(new.seat_order, seats.len(), &server_seed, id);
    let mut facts = Facts {
        id,
        game,
        options: Arc::new(new.options),
        rules_version: game.facts().rules_version as i32,
        lexicon_version: desk.lexicon().version().to_owned(),
        seat_order: new.seat_order,
        turn_seconds: new.turn_seconds,
        listed: new.listed.unwrap_or(new.sandbox.is_none()),
        analysis: new.analysis.unwrap_or(true),
        sandbox: new.sandbox,
        server_seed,
        created_at: now(),
    };
    // Where each seat of the request sits at the table.
    let mut seated: Vec<usize> = vec![0; seats.len()];
    order.iter().enumerate().for_each(|(at, &given)| seated[given] = at);
    let at_table = || order.iter().map(|&given| &seats[given]);
    let laid = facts.lay(at_table().map(|seat| (Arc::clone(&seat.name), seat.player)).collect());
    let mut table = match laid {
        Ok(table) if faults.is_empty() => table,
        Ok(_) => return Err(Problem::faults(faults)),
        Err(more) => return Err(Problem::faults(faults.into_iter().chain(more).collect())),
    };
    let credentials: Arc<[Credential]> = at_table().map(|seat| seat.credential.clone()).collect();
    table.set_chance(facts.key(credentials.iter().map(|seat| seat.entropy.as_slice())));

    let before = Snapshot::new(table.clone_box(), Arc::clone(&credentials));
    let waiting = seats.iter().any(|seat| seat.player == Player::Open);
    let (table, steps) = if waiting {
        (table, Vec::new())
    } else {
        let decided = desk.first_steps(table, facts.created_at).await?;
        (decided.table, decided.steps)
    };
    let after = Snapshot::new(table, credentials);
    let tokens = seats
        .into_iter()
        .zip(&seated)
        .filter_map(|(seat, &at)| Some(CreatedSeat { seat: Seat::new(at as u8)?, token: seat.token }))
        .collect();
    let answer = answer(&facts, &after, tokens)?;
    let mut commit = commit_of(id, &before, &after, number(0, steps));
    commit.sealed = ticket.map(|ticket| ticket.seal(&answer)).transpose()?;
    store::create::create(&desk.pool, &facts, &after, &commit).await?;
    metrics::created(game.facts().id);
    if commit.finish.is_some() {
        metrics::finished(game.facts().id);
    }
    desk.welcome(Arc::new(Live::new(facts, after))).await;
    Ok(answer)
}

fn answer(facts: &Facts, snapshot: &Snapshot, seats: Vec<CreatedSeat>) -> Result<Answer, Problem> {
    let public = snapshot.projection(facts, None);
    let body = serde_json::from_slice::<&RawValue>(&public.body).map_err(|_| Problem::plain(Kind::Internal))?;
    let text = serde_json::to_string(&CreatedMatch { body, seats }).map_err(|_| Problem::plain(Kind::Internal))?;
    Ok(Answer::json(StatusCode::CREATED, text)
        .header(&header::LOCATION, format!("/v1/matches/{}", facts.id))
        .header(&header::ETAG, public.etag.clone()))
}

/// Which seat of the request sits at each place of the table.
pub(super) fn seat_order(order: SeatOrder, seats: usize, server_seed: &[u8; 32], id: MatchId) -> Vec<usize> {
    let mut places: Vec<_> = (0..seats).collect();
    if order == SeatOrder::Shuffled {
        let key = Key::for_seat_order(server_seed, id.0.as_bytes());
        Chance::new(key, Arc::new(Script::default())).shuffle(&mut places);
    }
    places
}

async fn plan_seat(
    desk: &Desk,
    index: usize,
    seat: NewSeat,
    levels: &[Level],
    faults: &mut Vec<Fault>,
) -> Result<SeatPlan, Problem> {
    let field = |name: &str| format!("seats[{index}]{name}");
    let player = match (seat.bot, seat.open) {
        (Some(level), false) => {
            if !levels.contains(&level) {
                let there = levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ");
                faults.push(Fault::new(
                    field(".bot"),
                    Text::new(
                        format!("This game has no bot of this level; it has {there}."),
                        format!("このゲームにその強さのボットはいません（{there}）。"),
                    ),
                ));
            }
            Player::Bot(level)
        }
        (None, true) => Player::Open,
        (None, false) => Player::Human,
        (Some(_), true) => {
            faults.push(Fault::new(
                field(""),
                Text::fixed("A seat is a bot's or open, not both.", "席はボットか空席のどちらかです。"),
            ));
            Player::Open
        }
    };
    if player != Player::Human && (seat.player_token.is_some() || seat.entropy.is_some()) {
        faults.push(Fault::new(
            field(""),
            Text::fixed(
                "player_token and entropy are for a seat that a human holds; an open seat brings them with its claim.",
                "player_token と entropy は人の席のものです。空席では着席のときに渡してください。",
            ),
        ));
    }
    if player == Player::Open && seat.name.is_some() {
        faults.push(Fault::new(
            field(".name"),
            Text::fixed("An open seat gets its name when it is claimed.", "空席の名前は着席のときに決まります。"),
        ));
    }
    let entropy = seat.entropy.as_deref().map_or(Ok(Vec::new()), read_entropy).unwrap_or_else(|message| {
        faults.push(Fault::new(field(".entropy"), message));
        Vec::new()
    });
    let holder = match &seat.player_token {
        None => None,
        Some(token) => Some(registered(desk, token, &field(".player_token")).await?),
    };
    let name = match (seat.name, &holder, player) {
        (Some(name), ..) => {
            if let Err(message) = check_name(&name) {
                faults.push(Fault::new(field(".name"), message));
            }
            name
        }
        (None, Some((_, name)), _) => name.clone(),
        (None, None, Player::Bot(level)) => bot_name(level),
        (None, None, Player::Human) => format!("Player {}", index + 1),
        (None, None, Player::Open) => String::new(),
    };
    let token = if player == Player::Human { Some(Token::fresh()?) } else { None };
    let credential = Credential {
        token: token.as_ref().map(Token::hash),
        player: holder.map(|(player, _)| player),
        entropy,
        opened: player == Player::Open,
    };
    Ok(SeatPlan { name: name.into(), player, credential, token })
}

/// The name of a bot that was given none.
pub fn bot_name(level: Level) -> String {
    format!("Bot ({})", level.name())
}

/// The player with this token, and their name; `field` is where the request has it.
///
/// # Errors
/// [`Kind::UnknownToken`] where nobody was given it.
pub async fn registered(desk: &Desk, token: &str, field: &str) -> Result<(PlayerId, String), Problem> {
    let hash = Token::received(token).hash();
    let player = player_of(&desk.pool, &hash).await?.ok_or_else(|| {
        Problem::new(
            Kind::UnknownToken,
            Text::new(
                format!("{field}: nobody was given this token; it is what POST /v1/players answered."),
                format!("{field}：不明なトークンです。POST /v1/players で渡されたものを送ってください。"),
            ),
        )
    })?;
    let name =
        sqlx::query_scalar!("SELECT name FROM players WHERE player_id = $1", player.0).fetch_one(&desk.pool).await?;
    Ok((player, name))
}

/// A name that can be shown: 1 to 64 characters, none of them a control character.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str) -> Result<(), Text> {
    let length = name.chars().count();
    if (1..=NAME_LIMIT).contains(&length) && !name.chars().any(char::is_control) && !name.trim().is_empty() {
        return Ok(());
    }
    Err(Text::fixed(
        "A name has 1 to 64 characters, not all of them spaces and none a control character.",
        "名前は 1 から 64 文字です（空白だけの名前や制御文字は使えません）。",
    ))
}

/// Entropy as the client writes it: hex of at most 64 bytes.
///
/// # Errors
/// What is wrong with it.
pub fn read_entropy(text: &str) -> Result<Vec<u8>, Text> {
    hex::decode(text).ok().filter(|bytes| bytes.len() <= 64).ok_or(Text::fixed(
        "entropy is hex of at most 64 bytes: an even number of the digits 0-9 and a-f, at most 128.",
        "entropy は 64 バイトまでの 16 進数です（0-9 と a-f を偶数個、128 桁まで）。",
    ))
}
