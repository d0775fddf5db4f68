//! JSON bodies, read strictly: declared as JSON, bounded, without unknown fields.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web};
use futures_util::StreamExt;
use rules::strict::{Strict, Unambiguous};
use rules::text::Text;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::problem::{Kind, Problem};
use crate::config::Settings;

/// The largest body that is read, in bytes.
pub const LIMIT: usize = 256 * 1024;

/// How long a body may take to arrive, where no settings say it.
const LONGEST: Duration = Duration::from_secs(10);

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
        let declared = request.content_type().eq_ignore_ascii_case("application/json");
        let length = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
        let time = request.app_data::<web::Data<Settings>>().map_or(LONGEST, |settings| settings.request_time());
        let payload = payload.take();
        Box::pin(async move {
            if !declared {
                return Err(Problem::plain(Kind::UnsupportedMediaType));
            }
            let bytes = tokio::time::timeout(time, collect(payload, length))
                .await
                .map_err(|_| Problem::plain(Kind::RequestTimeout))??;
            let value = parse(&bytes)?;
            Ok(Self { value, bytes })
        })
    }
}

async fn collect(mut payload: Payload, length: Option<usize>) -> Result<Bytes, Problem> {
    if length.is_some_and(|length| length > LIMIT) {
        return Err(Problem::plain(Kind::PayloadTooLarge));
    }
    let mut bytes = Vec::with_capacity(length.unwrap_or(0));
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|error| {
            unreadable(format!("The body broke off: {error}."), format!("本文が途中で切れました: {error}"))
        })?;
        if bytes.len() + chunk.len() > LIMIT {
            return Err(Problem::plain(Kind::PayloadTooLarge));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.into())
}

/// Reads JSON and says where it is wrong.
///
/// # Errors
/// [`Kind::BadRequest`] with the place and the reason.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    if bytes.is_empty() {
        return Err(unreadable(
            "The body is empty; send a JSON object.",
            "本文が空です。JSON オブジェクトを送ってください。",
        ));
    }
    let reader = &mut serde_json::Deserializer::from_slice(bytes);
    let Unambiguous(json) = Unambiguous::deserialize(&mut *reader)
        .map_err(|cause| unreadable(format!("{cause}."), format!("JSON を読めません（{cause}）。")))?;
    reader.end().map_err(|cause| {
        unreadable(
            format!("Something follows the JSON value: {cause}."),
            format!("JSON の後に余分なものがあります（{cause}）。"),
        )
    })?;
    serde_path_to_error::deserialize(Strict(&json)).map_err(|error| {
        let (path, cause) = (error.path().to_string(), error.inner());
        let place = if path == "." { String::new() } else { format!("{path}: ") };
        unreadable(format!("{place}{cause}."), format!("{place}JSON を読めません（{cause}）。"))
    })
}

fn unreadable(en: impl Into<String>, ja: impl Into<String>) -> Problem {
    Problem::new(Kind::BadRequest, Text::new(en.into(), ja.into()))
}
