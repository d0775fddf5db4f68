//! Idempotency-Key: a request sent again gets its first answer, byte for byte.
//!
//! The answer is kept encrypted under a key derived from the Idempotency-Key, of which the database
//! holds only a hash: with the database alone nobody reads a token out of it. It is written in the
//! transaction of what it answers, so it is there exactly when that is.

use std::future::Future;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};
use chacha20poly1305::aead::{Aead, KeyInit};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use hkdf::Hkdf;
use rules::text::Text;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::types::time::OffsetDateTime;
use sqlx::{PgConnection, PgPool};

use super::auth::{Bearer, Token, random};
use super::limits::client_address;
use super::{Kind, Language, Problem, Reply};

/// The longest key that is taken.
const KEY_LIMIT: usize = 255;
/// How long a first request counts as running, in seconds.
const LEASE_SECONDS: f64 = 30.0;

/// An answer that can be kept and given again.
#[derive(Serialize, Deserialize, Clone)]
pub struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl Answer {
    /// A JSON answer.
    pub fn json(status: StatusCode, body: String) -> Self {
        let headers = vec![(header::CONTENT_TYPE.to_string(), "application/json".to_owned())];
        Self { status: status.as_u16(), headers, body }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &header::HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name.to_string(), value.into()));
        self
    }

    /// A refusal, in a language.
    pub fn problem(problem: &Problem, language: Language) -> Self {
        let response = problem.response(language);
        let headers = response
            .headers()
            .iter()
            .filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())))
            .collect();
        let body = serde_json::to_string(&problem.body(language)).unwrap_or_default();
        Self { status: response.status().as_u16(), headers, body }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The JSON that it says.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The answer as it is sent.
    pub fn into_response(self) -> HttpResponse {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::OK);
        let mut response = HttpResponse::build(status);
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::try_from(value) {
                response.insert_header((name, value));
            }
        }
        response.body(self.body)
    }
}

/// The right to answer a request for the first time.
#[derive(Clone)]
pub struct Ticket {
    scope: [u8; 32],
    key_hash: [u8; 32],
    cipher: ChaCha20Poly1305,
    /// Until when the claim holds; also what tells this claim from a later one.
    lease_until: OffsetDateTime,
}

/// An answer sealed for keeping, with the row it belongs to.
#[derive(Clone)]
pub struct Sealed {
    scope: [u8; 32],
    key_hash: [u8; 32],
    lease_until: OffsetDateTime,
    /// Nonce and ciphertext.
    answer: Vec<u8>,
}

impl Ticket {
    fn new(scope: [u8; 32], key: &[u8]) -> Self {
        let mut secret = [0; 32];
        let derived = Hkdf::<Sha256>::new(Some(&scope), key).expand(b"takujo idempotent answer", &mut secret);
        debug_assert!(derived.is_ok(), "32 bytes are within what HKDF gives");
        let key_hash = Sha256::new().chain_update(b"takujo idempotency key").chain_update(key).finalize().into();
        let cipher = ChaCha20Poly1305::new(&Key::from(secret));
        Self { scope, key_hash, cipher, lease_until: OffsetDateTime::UNIX_EPOCH }
    }

    /// Seals the answer for keeping.
    ///
    /// # Errors
    /// Where the system has no random bits to give.
    pub fn seal(&self, answer: &Answer) -> Result<Sealed, Problem> {
        let nonce: [u8; 12] = random()?;
        let plain = serde_json::to_vec(answer).unwrap_or_default();
        let secret =
            self.cipher.encrypt(&Nonce::from(nonce), plain.as_slice()).map_err(|_| Problem::plain(Kind::Internal))?;
        let answer = [&nonce[..], &secret].concat();
        Ok(Sealed { scope: self.scope, key_hash: self.key_hash, lease_until: self.lease_until, answer })
    }

    fn open(&self, sealed: &[u8]) -> Option<Answer> {
        let (nonce, secret) = sealed.split_first_chunk::<12>()?;
        let plain = self.cipher.decrypt(&Nonce::from(*nonce), secret).ok()?;
        serde_json::from_slice(&plain).ok()
    }
}

/// A request that may come again, and gets its first answer then.
pub struct Repeatable {
    ticket: Ticket,
    /// What must be the same for it to be the same request.
    fingerprint: [u8; 32],
    /// In which a refusal is kept.
    language: Language,
}

impl Repeatable {
    /// A request by its key, whose it is, and what it says.
    ///
    /// # Errors
    /// [`Kind::BadRequest`] for a key that is empty or too long.
    pub fn new(key: &[u8], owner: &Owner<'_>, says: &[&[u8]], language: Language) -> Result<Self, Problem> {
        if key.is_empty() || key.len() > KEY_LIMIT {
            return Err(Problem::new(
                Kind::BadRequest,
                Text::fixed(
                    "An Idempotency-Key has 1 to 255 characters; a UUID is a good one.",
                    "Idempotency-Key は 1 から 255 文字です。UUID が適しています。",
                ),
            ));
        }
        Ok(Self { ticket: Ticket::new(owner.scope(), key), fingerprint: fingerprint(says), language })
    }

    /// Answers once. `act` carries it out and writes the sealed answer in its own transaction; a
    /// refusal is kept here, a passing fault (5xx, 408, 429) is not kept at all.
    ///
    /// # Errors
    /// What `act` refuses, and misuse of the key.
    pub async fn once<F>(self, pool: &PgPool, act: impl FnOnce(Option<Ticket>) -> F) -> Result<Answer, Problem>
    where
        F: Future<Output = Result<Answer, Problem>>,
    {
        let Self { mut ticket, fingerprint, language } = self;
        match claim(pool, &ticket, &fingerprint).await? {
            Claimed::Answered(answer) => return Ok(answer),
            Claimed::Until(lease_until) => ticket.lease_until = lease_until,
        }
        let result = act(Some(ticket.clone())).await;
        if let Err(problem) = &result {
            if problem.kind().status().is_client_error() && problem.kind() != Kind::RateLimited {
                let sealed = ticket.seal(&Answer::problem(problem, language))?;
                keep(&mut *pool.acquire().await?, &sealed).await?;
            } else {
                release(pool, &ticket).await?;
            }
        }
        result
    }
}

/// Whose a key is.
pub enum Owner<'a> {
    /// Of who bears this token.
    Token(&'a Token),
    /// Of this client address, where there is no token.
    Address(String),
}

impl Owner<'_> {
    fn scope(&self) -> [u8; 32] {
        let hash = Sha256::new();
        let hash = match self {
            Self::Token(token) => hash.chain_update(b"token").chain_update(token.hash().as_bytes()),
            Self::Address(address) => hash.chain_update(b"address").chain_update(address),
        };
        hash.finalize().into()
    }
}

/// Answers an HTTP request once, if it has an `Idempotency-Key`.
///
/// # Errors
/// What `act` refuses, and misuse of the key.
pub async fn once<F>(pool: &PgPool, request: &HttpRequest, body: &Bytes, act: impl FnOnce(Option<Ticket>) -> F) -> Reply
where
    F: Future<Output = Result<Answer, Problem>>,
{
    let Some(key) = request.headers().get("Idempotency-Key") else {
        return act(None).await.map(Answer::into_response);
    };
    let token = Bearer::of(request)?.0;
    let owner = token.as_ref().map_or_else(|| Owner::Address(client_address(request)), Owner::Token);
    let uri = request.uri().to_string();
    let says = [request.method().as_str().as_bytes(), uri.as_bytes(), body];
    let repeatable = Repeatable::new(key.as_bytes(), &owner, &says, Language::of_request(request))?;
    repeatable.once(pool, act).await.map(Answer::into_response)
}

/// A hash of everything that a request says.
fn fingerprint(says: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in says {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

/// What a claim on a key came to.
enum Claimed {
    /// The request is the first: it may answer as long as nobody claims the key after this time.
    Until(OffsetDateTime),
    /// There is a first answer.
    Answered(Answer),
}

/// Claims the key for a first answer, or finds the one there is.
async fn claim(pool: &PgPool, ticket: &Ticket, fingerprint: &[u8]) -> Result<Claimed, Problem> {
    let claimed = sqlx::query_scalar!(
        "INSERT INTO idempotency AS kept (scope, key_hash, body_hash, lease_until)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4))
         ON CONFLICT (scope, key_hash) DO UPDATE
            SET body_hash = excluded.body_hash, created_at = now(), lease_until = excluded.lease_until, answer = NULL
            WHERE kept.created_at < now() - interval '24 hours'
               OR (kept.answer IS NULL AND kept.lease_until < now() AND kept.body_hash = excluded.body_hash)
         RETURNING lease_until",
        &ticket.scope,
        &ticket.key_hash,
        fingerprint,
        LEASE_SECONDS,
    )
    .fetch_optional(pool)
    .await?;
    if let Some(lease_until) = claimed {
        return Ok(Claimed::Until(lease_until));
    }
    let kept = sqlx::query!(
        r#"SELECT body_hash, answer, greatest(ceil(extract(epoch FROM lease_until - now())), 1)::bigint AS "left!"
           FROM idempotency WHERE scope = $1 AND key_hash = $2"#,
        &ticket.scope,
        &ticket.key_hash,
    )
    .fetch_optional(pool)
    .await?;
    let kept = kept.ok_or_else(in_progress)?;
    if kept.body_hash != fingerprint {
        return Err(Problem::plain(Kind::IdempotencyKeyReused));
    }
    // Where its process has died, the claim is free only when it has run out.
    let sealed = kept.answer.ok_or_else(|| in_progress().retry_after(kept.left.cast_unsigned()))?;
    ticket.open(&sealed).map(Claimed::Answered).ok_or_else(|| Problem::plain(Kind::Internal))
}

/// Another request with the key is being carried out, or has been meanwhile.
fn in_progress() -> Problem {
    Problem::plain(Kind::RequestInProgress).retry_after(1)
}

/// Why a request is not carried out: nothing of it may be written.
#[derive(Debug, thiserror::Error)]
pub enum Undone {
    /// Its claim on the key ran out, and another request took the key over.
    #[error("another request has taken the Idempotency-Key over")]
    TakenOver,
    /// The database is away or refuses a row.
    #[error(transparent)]
    Database(#[from] sqlx::Error),
}

impl From<Undone> for Problem {
    fn from(undone: Undone) -> Self {
        match undone {
            Undone::TakenOver => in_progress(),
            Undone::Database(error) => error.into(),
        }
    }
}

/// Keeps a first answer; called in the transaction of what it answers, which goes no further where
/// this fails.
///
/// # Errors
/// [`Undone::TakenOver`] where the claim ran out and another took it over.
pub async fn keep(connection: &mut PgConnection, sealed: &Sealed) -> Result<(), Undone> {
    let kept = sqlx::query!(
        "UPDATE idempotency SET answer = $3
         WHERE scope = $1 AND key_hash = $2 AND answer IS NULL AND lease_until = $4",
        &sealed.scope,
        &sealed.key_hash,
        &sealed.answer,
        sealed.lease_until,
    )
    .execute(connection)
    .await?;
    if kept.rows_affected() == 1 { Ok(()) } else { Err(Undone::TakenOver) }
}

async fn release(pool: &PgPool, ticket: &Ticket) -> Result<(), Problem> {
    sqlx::query!(
        "DELETE FROM idempotency WHERE scope = $1 AND key_hash = $2 AND answer IS NULL AND lease_until = $3",
        &ticket.scope,
        &ticket.key_hash,
        ticket.lease_until,
    )
    .execute(pool)
    .await?;
    Ok(())
}

/// Frees the keys of requests that no process is carrying out any more. Only for a database that no
/// other process uses.
///
/// # Errors
/// Where the database is away.
pub async fn forget_unanswered(pool: &PgPool) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM idempotency WHERE answer IS NULL").execute(pool).await?;
    Ok(())
}

/// Forgets answers older than a day.
///
/// # Errors
/// Where the database is away.
pub async fn forget_old(pool: &PgPool) -> Result<u64, sqlx::Error> {
    let gone =
        sqlx::query!("DELETE FROM idempotency WHERE created_at < now() - interval '24 hours'").execute(pool).await?;
    Ok(gone.rows_affected())
}
