//! `GET /v1/analytics/{game}/explorer`

mod counted;
mod searched;

use actix_web::{HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::figures::KeyRate;
use super::filter::{self, Asked, Composition, Days, Filter, PathGame};
use super::fresh::Fresh;
use super::intervals::Rate;
use super::line::{self, DEPTH};
use super::tokens;
use crate::http::params::list_limit;
use crate::http::{Params, ProblemBody, Reply};
use crate::ids::{MatchId, PlayerId};
use crate::matches::desk::Desk;

/// So many matches are named as examples of a move.
const SAMPLES: usize = 3;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Query {
    /// What was played so far: up to 199 tokens with `/` between, as the answers give them; at first
    /// nothing. A `+` in a query stands for a space: write it as `%2B`.
    #[serde(default)]
    #[param(example = "0.roll=5/1.roll=3")]
    path: String,
    /// The most moves to give, the most frequent first.
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: Option<u32>,
    /// Only matches that ended at or after this time; a day stands for its first moment (UTC). Counts
    /// are kept by day: a time stands for the day that it lies in.
    #[param(example = "2026-11-01")]
    from: Option<String>,
    /// Only matches that ended before this time; a day stands for its first moment (UTC). Counts are
    /// kept by day: a time that is no first moment stands for the next day.
    #[param(example = "2026-12-01")]
    to: Option<String>,
    /// Only matches with these options; see the summary.
    options: Option<String>,
    /// Only matches in which this player held a seat.
    #[param(value_type = Option<Uuid>)]
    player: Option<PlayerId>,
    /// Only matches of so many seats.
    #[serde(default, deserialize_with = "filter::seat_count")]
    #[param(minimum = 2, maximum = 10)]
    seats: Option<u8>,
    /// Only matches of humans alone, of bots alone, or of both.
    #[param(inline)]
    composition: Option<Composition>,
}

/// What was played after a line of play.
#[derive(Serialize, ToSchema)]
struct Explored {
    /// The game's id.
    #[schema(examples("twenty_one"))]
    game: &'static str,
    /// The tokens of the path.
    #[schema(examples(json!(["0.roll=5", "1.roll=3"])))]
    path: Vec<String>,
    /// What the matches were to be narrowed to, as it was asked.
    filter: Asked,
    days: Days,
    fresh: Fresh,
    /// How many matches began so.
    #[schema(examples(120))]
    matches: i64,
    /// Whether those are all: after more than six tokens, for one player, and for a time that is not
    /// of whole months, only the newest 5000 matches that may have begun so are searched, and none of a
    /// month that is detached.
    complete: bool,
    /// How often each seat won the matches that began so, by seat.
    seats: Vec<KeyRate>,
    /// Those that were over then; not there where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Move>,
    /// What was played next, the most frequent first.
    next: Vec<Move>,
    /// How many different moves were played next.
    #[schema(examples(7))]
    moves: usize,
}

/// A move and what came of it.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = ExploredMove)]
struct Move {
    /// The token; add it to the path to go on.
    #[schema(examples("0.roll=5"))]
    token: String,
    /// Its share of what was played next.
    share: Rate,
    /// How often each seat won after it, by seat.
    seats: Vec<KeyRate>,
    /// Some of the matches, the newest first: of those in the database, the ones in the public list.
    matches: Vec<MatchLink>,
}

/// A match and where it is.
#[derive(Clone, Serialize, ToSchema)]
struct MatchLink {
    id: MatchId,
    /// Its record, to be read or replayed.
    #[schema(examples("/v1/matches/0190a0a0-5c1e-7d3a-8b0e-0123456789ab/record"))]
    record: String,
}

/// Explore what was played
///
/// After this line of play, what was played next, how often and with what result. A line is made of
/// tokens, one for each decision as everybody at the table saw it, with the chance in it;
/// [/docs/analytics](/docs/analytics) lists them for each game.
#[utoipa::path(
    tag = "Analytics",
    params(("game" = String, Path, description = "The game's id", example = "twenty_one"), Query),
    responses(
        (status = 200, description = "What was played next", body = Explored),
        (status = 400, description = "`bad-request`", body = ProblemBody, content_type = "application/problem+json"),
        (status = 404, description = "`not-found`: no such game", body = ProblemBody, content_type = "application/problem+json"),
        (status = 422, description = "`invalid-parameters`: also a token that no match of the game can have", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/analytics/{game}/explorer")]
pub async fn explore(PathGame(game): PathGame, Params(query): Params<Query>, desk: web::Data<Desk>) -> Reply {
    let limit = list_limit(query.limit)?;
    let tokens = line::read(&query.path)?;
    tokens::check(game.facts().id, &tokens)?;
    let asked = Asked {
        from: query.from,
        to: query.to,
        options: query.options,
        player: query.player,
        seats: query.seats,
        composition: query.composition,
    };
    let filter = Filter::of(&desk.pool, game, &asked).await?;
    let id = game.facts().id;
    let fresh = Fresh::of(&desk.pool, id).await?;
    let is_counted = tokens.len() <= DEPTH && filter.player.is_none() && filter.is_of_months();
    let (found, complete) = if is_counted {
        (counted::find(&desk.pool, &filter, &tokens, limit as i64).await?, true)
    } else {
        searched::find(&desk.pool, &filter, &tokens, limit).await?
    };
    let named = to_be_named(&desk.pool, &found.moves).await?;
    let mut moves: Vec<_> = found.moves.iter().map(|next| next.body(found.all.n, &named)).collect();
    let ended = moves.iter().position(|next| next.token.is_empty()).map(|at| moves.remove(at));
    moves.truncate(limit);
    Ok(HttpResponse::Ok().json(Explored {
        game: id,
        path: tokens.into_iter().map(str::to_owned).collect(),
        filter: asked,
        days: filter.days(),
        fresh,
        matches: found.all.n,
        complete,
        seats: found.all.seats(),
        moves: found.different - usize::from(ended.is_some()),
        ended,
        next: moves,
    }))
}

/// Matches with something in common, and of those that have each seat how many it won.
#[derive(Default)]
struct Tally {
    n: i64,
    seats: Vec<(i64, i64)>,
}

impl Tally {
    fn seats(&self) -> Vec<KeyRate> {
        let rates = self.seats.iter().map(|&(sat, won)| Rate::new(won, sat));
        (0..)
            .zip(rates)
            .map(|(seat, rate): (usize, _)| KeyRate { key: seat.to_string(), rate, expected: None })
            .collect()
    }

    /// One match more.
    fn add(&mut self, seats: usize, winners: &[i16]) {
        self.n += 1;
        self.seats.resize(seats.max(self.seats.len()), (0, 0));
        for (seat, (sat, won)) in (0..).zip(&mut self.seats[..seats]) {
            *sat += 1;
            *won += i64::from(winners.contains(&seat));
        }
    }
}

/// A move as it is found.
struct Next {
    token: String,
    tally: Tally,
    samples: Vec<Uuid>,
}

impl Next {
    fn body(&self, all: i64, named: &[Uuid]) -> Move {
        let samples = self.samples.iter().filter(|id| named.contains(id)).take(SAMPLES);
        let link = |id: &Uuid| MatchLink { id: MatchId(*id), record: format!("/v1/matches/{id}/record") };
        Move {
            token: self.token.clone(),
            share: Rate::new(self.tally.n, all),
            seats: self.tally.seats(),
            matches: samples.map(link).collect(),
        }
    }
}

/// What is found after a line.
struct Found {
    all: Tally,
    /// The most frequent moves, and the end of the match where it was one, as an empty token.
    moves: Vec<Next>,
    /// How many there are of them.
    different: usize,
}

/// Which of the examples are in the public list, and still in the database.
async fn to_be_named(pool: &PgPool, moves: &[Next]) -> Result<Vec<Uuid>, sqlx::Error> {
    let samples: Vec<_> = moves.iter().flat_map(|next| next.samples.iter().copied()).collect();
    sqlx::query_scalar!("SELECT match_id FROM matches WHERE match_id = ANY($1) AND listed", &samples)
        .fetch_all(pool)
        .await
}
