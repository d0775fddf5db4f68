//! Bearer tokens: 256 random bits, shown once, kept as a hash.

use std::fmt;
use std::future::{Ready, ready};

use actix_web::http::header;
use actix_web::{FromRequest, HttpRequest, dev::Payload};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::text::Text;
use serde::{Serialize, Serializer};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use utoipa::ToSchema;

use super::problem::{Kind, Problem};

/// A token as its holder has it. It never prints itself.
#[derive(Clone, ToSchema)]
#[schema(value_type = String, examples("q0mZ3pZ8Jw0m1Jx0YbqFfE8B7uIuH3mA2mO4n0t2x1c"))]
pub struct Token(String);

/// What is kept of a token: its SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TokenHash([u8; 32]);

impl Token {
    /// A fresh token from the system's random source.
    ///
    /// # Errors
    /// Where the system has no random bits to give.
    pub fn fresh() -> Result<Self, Problem> {
        Ok(Self(URL_SAFE_NO_PAD.encode(random::<32>()?)))
    }

    /// The token as a client sent it.
    pub fn received(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Its hash.
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256::digest(&self.0).into())
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(secret)")
    }
}

impl TokenHash {
    /// A hash read from the database; nothing if it is none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    /// The 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Compares in constant time.
    pub fn matches(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenHash")
    }
}

/// Random bytes from the system.
///
/// # Errors
/// Where the system has none to give.
pub fn random<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| {
        tracing::error!(%error, "the system gives no random bits");
        let detail = Text::fixed(
            "The system has no random bits to give now; try again.",
            "乱数が得られません。もう一度送ってください。",
        );
        Problem::new(Kind::Unavailable, detail).retry_after(1)
    })?;
    Ok(bytes)
}

/// The token that a request bears, if any; another scheme than Bearer is refused.
pub struct Bearer(pub Option<Token>);

impl Bearer {
    /// The token, where one is needed.
    ///
    /// # Errors
    /// [`Kind::TokenRequired`] without one.
    pub fn required(self) -> Result<Token, Problem> {
        self.0.ok_or_else(|| Problem::plain(Kind::TokenRequired))
    }

    /// The token of a request.
    ///
    /// # Errors
    /// [`Kind::UnknownToken`] for a header that holds no Bearer token.
    pub fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let Some(value) = request.headers().get(header::AUTHORIZATION) else { return Ok(Self(None)) };
        let token = value.to_str().ok().and_then(|value| {
            let (scheme, token) = value.split_once(' ')?;
            let token = token.trim();
            (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| Token::received(token))
        });
        token.map(|token| Self(Some(token))).ok_or_else(|| Problem::plain(Kind::UnknownToken))
    }
}

impl FromRequest for Bearer {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}
