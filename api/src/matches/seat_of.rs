//! Whose token a request bears: a seat's own, a player's who holds seats, or nobody's.

use rules::seat::Seat;
use sqlx::PgPool;

use super::live::{Live, Snapshot};
use crate::http::Problem;
use crate::http::auth::{Token, TokenHash};
use crate::http::problem::Kind;
use crate::ids::PlayerId;
use rules::text::Text;

/// The seats that a token opens in a match; none for a token of another match.
///
/// # Errors
/// [`Kind::UnknownToken`] for a token that nobody was given.
pub async fn seats_of(pool: &PgPool, snapshot: &Snapshot, token: &Token) -> Result<Vec<Seat>, Problem> {
    let hash = token.hash();
    let seats = || (0..).map_while(Seat::new).zip(snapshot.credentials.iter());
    // Every seat is compared, whatever the first ones give.
    let own: Vec<_> = seats()
        .filter(|(_, credential)| credential.token.as_ref().is_some_and(|own| own.matches(&hash)))
        .map(|(seat, _)| seat)
        .collect();
    if !own.is_empty() {
        return Ok(own);
    }
    if let Some(player) = player_of(pool, &hash).await? {
        return Ok(seats().filter(|(_, credential)| credential.player == Some(player)).map(|(seat, _)| seat).collect());
    }
    if is_of_a_seat(pool, &hash).await? { Ok(Vec::new()) } else { Err(Problem::plain(Kind::UnknownToken)) }
}

/// Whether some seat of some match has this token.
async fn is_of_a_seat(pool: &PgPool, token: &TokenHash) -> Result<bool, Problem> {
    let known = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT 1 FROM seats WHERE token_hash = $1) AS "known!""#,
        token.as_bytes()
    );
    Ok(known.fetch_one(pool).await?)
}

/// Checks a token that is sent where none is needed.
///
/// # Errors
/// [`Kind::UnknownToken`] for a token that nobody was given.
pub async fn known(pool: &PgPool, token: Option<&Token>) -> Result<(), Problem> {
    let Some(hash) = token.map(Token::hash) else { return Ok(()) };
    if player_of(pool, &hash).await?.is_some() || is_of_a_seat(pool, &hash).await? {
        return Ok(());
    }
    Err(Problem::plain(Kind::UnknownToken))
}

/// The player whose token this is.
///
/// # Errors
/// Where the database is away.
pub async fn player_of(pool: &PgPool, token: &TokenHash) -> Result<Option<PlayerId>, Problem> {
    let player = sqlx::query_scalar!("SELECT player_id FROM players WHERE token_hash = $1", token.as_bytes())
        .fetch_optional(pool)
        .await?;
    Ok(player.map(PlayerId))
}

/// The seat that a viewer looks from: the public without a seat. Of a player with several seats the
/// one asked for, else the first.
///
/// # Errors
/// [`Kind::UnknownToken`]; [`Kind::Forbidden`] for a seat that the token does not open.
pub async fn viewing(
    pool: &PgPool,
    live: &Live,
    token: Option<Token>,
    asked: Option<Seat>,
) -> Result<Option<Seat>, Problem> {
    let Some(token) = token else {
        return match asked {
            Some(_) => Err(Problem::plain(Kind::TokenRequired)),
            None => Ok(None),
        };
    };
    let seats = seats_of(pool, &live.snapshot(), &token).await?;
    match asked {
        Some(seat) if seats.contains(&seat) => Ok(Some(seat)),
        Some(_) => Err(Problem::plain(Kind::Forbidden)),
        None => Ok(seats.first().copied()),
    }
}

/// The seat that acts: of a player with several seats the one asked for, else the one to act.
///
/// # Errors
/// [`Kind::UnknownToken`]; [`Kind::Forbidden`] where the token opens no seat of this match;
/// [`Kind::InvalidParameters`] where it is not clear which seat is meant.
pub async fn acting(pool: &PgPool, live: &Live, token: &Token, asked: Option<Seat>) -> Result<Seat, Problem> {
    let snapshot = live.snapshot();
    let seats = seats_of(pool, &snapshot, token).await?;
    if let Some(asked) = asked {
        return if seats.contains(&asked) { Ok(asked) } else { Err(Problem::plain(Kind::Forbidden)) };
    }
    match seats.as_slice() {
        [] => Err(Problem::plain(Kind::Forbidden)),
        [seat] => Ok(*seat),
        several => {
            let owing: Vec<_> = several.iter().filter(|&&seat| snapshot.table.head().to_act.contains(seat)).collect();
            match owing.as_slice() {
                [seat] => Ok(**seat),
                _ => Err(Problem::new(
                    Kind::InvalidParameters,
                    Text::fixed(
                        "This player holds several seats here; say which one acts with ?seat=.",
                        "このプレイヤーは複数の席にいます。?seat= で席を示してください。",
                    ),
                )),
            }
        }
    }
}
