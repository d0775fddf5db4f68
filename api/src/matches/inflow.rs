//! The bytes that come in over a socket, bounded before they are a message: the frames' own parser
//! waits for the whole of a frame, however long it says that it is.

use std::cell::Cell;
use std::rc::Rc;

use actix_web::error::PayloadError;
use actix_web::{FromRequest, HttpRequest, dev, web};
use futures_util::StreamExt;

/// How many bytes have come in since the last whole message.
#[derive(Clone, Default)]
pub struct Inflow(Rc<Cell<usize>>);

impl Inflow {
    /// Lets a payload through until more than `limit` bytes of it make no message; then it ends with
    /// [`PayloadError::Overflow`].
    ///
    /// # Errors
    /// None of its own.
    pub async fn bound(
        &self,
        request: &HttpRequest,
        payload: web::Payload,
        limit: usize,
    ) -> actix_web::Result<web::Payload> {
        let count = self.clone();
        let counted = payload.into_inner().map(move |chunk| {
            let chunk = chunk?;
            count.0.set(count.0.get() + chunk.len());
            if count.0.get() > limit { Err(PayloadError::Overflow) } else { Ok(chunk) }
        });
        let mut counted: dev::Payload = dev::Payload::Stream { payload: Box::pin(counted) };
        web::Payload::from_request(request, &mut counted).await
    }

    /// A whole message has come in.
    pub fn is_message(&self) {
        self.0.set(0);
    }
}
