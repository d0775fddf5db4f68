//! JSON bodies, read strictly: declared as JSON, not packed, bounded, without unknown fields.

use std::future::Future;
use std::pin::Pin;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web};
use futures_util::StreamExt;
use rules::strict::{self, Strict};
use rules::text::Text;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::problem::{Kind, Problem};
use crate::config::Settings;

/// The largest body that is read, in bytes.
pub const LIMIT: usize = 256 * 1024;

/// A JSON body, with the bytes it was read from.
pub struct Body<T> {
    /// What it says.
    pub value: T,
    /// As it came.
    pub bytes: Bytes,
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let packed = packed(request);
        let declared = request.content_type().eq_ignore_ascii_case("application/json");
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let time = request.app_data::<web::Data<Settings>>().map(|settings| settings.request_time());
        let payload = payload.take();
        Box::pin(async move {
            packed?;
            let time = time.ok_or_else(|| Problem::plain(Kind::Internal))?;
            // Nothing needs no declaration.
            let bound = if declared { (LIMIT, Kind::PayloadTooLarge) } else { (0, Kind::UnsupportedMediaType) };
            let bytes = tokio::time::timeout(time, collect(payload, length, bound))
                .await
                .map_err(|_| Problem::plain(Kind::RequestTimeout))??;
            let value = if bytes.is_empty() { nothing(declared)? } else { parse(&bytes)? };
            Ok(Self { value, bytes })
        })
    }
}

/// Refuses a body that is not as it is: none is unpacked here.
fn packed(request: &HttpRequest) -> Result<(), Problem> {
    let codings =
        request.headers().get_all(header::CONTENT_ENCODING).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let codings = codings.collect::<Vec<_>>().join(", ");
    if codings.split(',').all(|coding| coding.trim().is_empty() || coding.trim().eq_ignore_ascii_case("identity")) {
        return Ok(());
    }
    let shown: String = codings.chars().take(40).collect();
    Err(Problem::new(
        Kind::UnsupportedContentEncoding,
        Text::new(
            format!("The Content-Encoding of the body is “{shown}”; send it as it is, without one."),
            format!("本文の Content-Encoding は「{shown}」です。付けずに、本文をそのまま送ってください。"),
        ),
    ))
}

/// Reads a body of at most so many bytes, beyond which it is a problem of that kind.
async fn collect(mut payload: Payload, length: Option<usize>, (most, beyond): (usize, Kind)) -> Result<Bytes, Problem> {
    if length.is_some_and(|length| length > most) {
        return Err(Problem::plain(beyond));
    }
    let mut bytes = Vec::with_capacity(length.unwrap_or(0));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| {
            let en = format!("The body broke off: {error}.");
            Problem::new(Kind::BadRequest, Text::new(en, "本文が途中で切れました。全体を送り直してください。"))
        })?;
        if bytes.len() + chunk.len() > most {
            return Err(Problem::plain(beyond));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.into())
}

/// What an empty body says where nothing must be said: the same as an empty object.
fn nothing<T: DeserializeOwned>(declared: bool) -> Result<T, Problem> {
    T::deserialize(Strict(&Value::Object(Map::new()))).map_err(|_| {
        if !declared {
            return Problem::plain(Kind::UnsupportedMediaType);
        }
        let detail =
            Text::fixed("The body is empty; send a JSON object.", "本文が空です。JSON オブジェクトを送ってください。");
        Problem::new(Kind::BadRequest, detail)
    })
}

/// Reads JSON and says where it is wrong.
///
/// # Errors
/// [`Kind::BadRequest`] with the place and the reason.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    Ok(T::deserialize(Strict(&strict::parse(bytes)?))?)
}
