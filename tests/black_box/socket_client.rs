//! A client of a match's WebSocket.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use reqwest::StatusCode;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::server::Match;

/// How long a test waits for a message that has to come.
const WAIT: Duration = Duration::from_secs(30);

/// An open socket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

/// How the opening of a socket is refused: the status and the problem's code.
pub type Refused = (StatusCode, String);

impl Socket {
    /// Opens the socket of a match with headers; the query begins with its `?`.
    pub async fn open(table: &Match<'_>, query: &str, headers: &[(&'static str, &str)]) -> Result<Self, Refused> {
        match Self::try_open(table, query, headers).await {
            Ok(socket) => Ok(socket),
            Err(Error::Http(response)) => {
                let body: Value = serde_json::from_slice(response.body().as_deref().unwrap_or_default()).unwrap();
                let status = StatusCode::from_u16(response.status().as_u16()).unwrap();
                Err((status, body["code"].as_str().unwrap().to_owned()))
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// The same where there may be no server at all.
    pub async fn try_open(table: &Match<'_>, query: &str, headers: &[(&'static str, &str)]) -> Result<Self, Error> {
        let url = format!("{}{}/ws{query}", table.server.base.replacen("http", "ws", 1), table.path);
        let mut request = url.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().append(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
        }
        Ok(Self(connect_async(request).await?.0))
    }

    /// Opens the socket of a match from a seat, or as the public.
    pub async fn of(table: &Match<'_>, seat: Option<usize>, after: Option<u64>) -> Self {
        let query = after.map(|after| format!("?after={after}")).unwrap_or_default();
        let bearer = seat.map(|seat| format!("Bearer {}", table.tokens[seat]));
        let headers: Vec<_> = bearer.iter().map(|bearer| ("authorization", bearer.as_str())).collect();
        Self::open(table, &query, &headers).await.unwrap()
    }

    /// Sends a text as it is.
    pub async fn say(&mut self, text: impl Into<String>) {
        self.0.send(Message::text(text.into())).await.unwrap();
    }

    /// The next text message as it came; nothing once the socket is closed.
    pub async fn next_text(&mut self) -> Option<String> {
        loop {
            match tokio::time::timeout(WAIT, self.0.next()).await.expect("no message comes")? {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message.
    pub async fn next(&mut self) -> Option<Value> {
        self.next_text().await.map(|text| serde_json::from_str(&text).unwrap())
    }

    /// The next message of a kind.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.next().await.unwrap_or_else(|| panic!("closed before {kind}"));
            if message["message"] == kind {
                return message;
            }
        }
    }

    /// Sends a message and takes its answer, as it came.
    pub async fn ask(&mut self, message: &Value) -> String {
        self.say(message.to_string()).await;
        loop {
            let text = self.next_text().await.expect("closed before the answer");
            if text.starts_with("{\"message\":\"answer\"") {
                return text;
            }
        }
    }

    /// The code that the socket is closed with, and the reason.
    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            match tokio::time::timeout(WAIT, self.0.next()).await.expect("it is not closed") {
                Some(Ok(Message::Close(Some(frame)))) => return (frame.code.into(), frame.reason.to_string()),
                Some(Ok(Message::Close(None))) => return (1005, String::new()),
                Some(Ok(_)) => {}
                Some(Err(error)) => panic!("{error}"),
                None => panic!("it ends without a word"),
            }
        }
    }

    /// Every message until the end.
    pub async fn all(&mut self) -> Vec<Value> {
        let mut messages = Vec::new();
        while let Some(message) = self.next().await {
            let is_end = message["message"] == "end";
            messages.push(message);
            if is_end {
                break;
            }
        }
        messages
    }
}
