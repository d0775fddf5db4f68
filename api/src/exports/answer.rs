//! The answer: pages read ahead, written in the format, streamed.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{self, ContentDisposition, DispositionParam, DispositionType};
use actix_web::web::Bytes;
use anyhow::Context;
use futures_util::stream;
use sqlx::PgPool;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::csv::Csv;
use super::dataset::Dataset;
use super::ndjson::Ndjson;
use super::page::{Key, Page, Scan};
use super::parquet::Parquet;
use super::request::{Asked, Format};
use super::row::{Encoder, Rows};
use crate::http::problem::Kind;
use crate::http::{Problem, Reply};
use crate::matches::desk::Desk;

/// Answers with a data set.
///
/// # Errors
/// What is wrong with the parameters; [`Kind::Unavailable`] where the database is away.
pub async fn export(dataset: &'static Dataset, asked: Asked, desk: &Desk) -> Reply {
    let (scan, start, limit) = asked.scan(dataset)?;
    let format = asked.format.unwrap_or_default();
    let scan = Arc::new(scan);
    // Where the database is away, the first page tells in time for a proper answer.
    let first = scan.page(&desk.pool, start, limit).await?;
    let export = Export {
        pool: desk.pool.clone(),
        closing: desk.closing.clone(),
        scan,
        page: Ahead::Read(first),
        state: State::Begins(format),
        left: limit,
    };
    let game = asked.game.map(|game| format!("-{game}")).unwrap_or_default();
    let mut response = HttpResponse::Ok();
    response
        .content_type(format.media_type())
        .insert_header(ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename(format!(
                "takujo{game}-{}.{}",
                dataset.name,
                format.extension()
            ))],
        })
        .insert_header((header::CACHE_CONTROL, "no-store"));
    if format == Format::Parquet {
        // Its columns are compressed already.
        response.insert_header(header::ContentEncoding::Identity);
    }
    Ok(response.streaming(stream::unfold(export, Export::next)))
}

/// An export on its way.
struct Export {
    pool: PgPool,
    closing: CancellationToken,
    scan: Arc<Scan>,
    page: Ahead,
    state: State,
    /// How many rows are wanted after those that were read.
    left: u64,
}

/// The page that comes next.
enum Ahead {
    /// It is here; nothing is after the last.
    Read(Option<Page>),
    /// It is being read while the one before is written.
    Reading(JoinHandle<Result<Option<Page>, sqlx::Error>>),
}

enum State {
    Begins(Format),
    Goes(Box<dyn Encoder>),
    Ended,
}

impl Export {
    /// The next piece of the answer. After an error comes nothing more: the answer breaks off, so
    /// that its reader knows.
    async fn next(mut self) -> Option<(Result<Bytes, actix_web::Error>, Self)> {
        match self.piece().await {
            Ok(None) => None,
            Ok(Some(bytes)) => Some((Ok(bytes), self)),
            Err(error) => {
                tracing::warn!(%error, dataset = self.scan.dataset.name, "an export breaks off");
                self.state = State::Ended;
                Some((Err(Problem::plain(Kind::Unavailable).into()), self))
            }
        }
    }

    async fn piece(&mut self) -> anyhow::Result<Option<Bytes>> {
        let mut out = Vec::new();
        let columns = self.scan.dataset.columns;
        let mut encoder: Box<dyn Encoder> = match std::mem::replace(&mut self.state, State::Ended) {
            State::Ended => return Ok(None),
            State::Goes(encoder) => encoder,
            State::Begins(format) => {
                let mut encoder: Box<dyn Encoder> = match format {
                    Format::Ndjson => Box::new(Ndjson::new(columns)),
                    Format::Csv => Box::new(Csv::new(columns)),
                    Format::Parquet => Box::new(Parquet::new(columns)?),
                };
                encoder.begin(&mut out)?;
                encoder
            }
        };
        // A page may come to no piece: Parquet gathers whole row groups.
        loop {
            anyhow::ensure!(!self.closing.is_cancelled(), "the server stops");
            let Some(page) = self.page().await? else {
                encoder.end(&mut out)?;
                return Ok((!out.is_empty()).then(|| out.into()));
            };
            (encoder, out) = tokio::task::spawn_blocking(move || -> anyhow::Result<_> {
                encoder.rows(&mut Rows::new(&page.rows, columns)?, &mut out)?;
                Ok((encoder, out))
            })
            .await
            .context("writing rows broke off")??;
            if !out.is_empty() {
                self.state = State::Goes(encoder);
                return Ok(Some(out.into()));
            }
        }
    }

    /// The page that comes next; the one after it is read meanwhile, unless there are rows enough.
    async fn page(&mut self) -> anyhow::Result<Option<Page>> {
        let page = match std::mem::replace(&mut self.page, Ahead::Read(None)) {
            Ahead::Read(page) => page,
            Ahead::Reading(reading) => reading.await.context("reading a page broke off")??,
        };
        if let Some(Page { end, count, .. }) = page {
            self.left = self.left.saturating_sub(count);
            if self.left > 0 {
                self.page = self.read_ahead(end);
            }
        }
        Ok(page)
    }

    fn read_ahead(&self, after: Key) -> Ahead {
        let (scan, pool, most) = (Arc::clone(&self.scan), self.pool.clone(), self.left);
        Ahead::Reading(tokio::spawn(async move { scan.page(&pool, after, most).await }))
    }
}
