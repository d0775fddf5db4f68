//! What has to be done now and then.

use std::time::Duration;

use actix_web::web;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::http::idempotency;
use crate::http::limits::Budgets;
use crate::matches::store::months;

/// Keeps house: once an hour partitions for the months ahead and answers older than a day, once a
/// minute idle clients' budgets.
pub async fn keep_house(pool: PgPool, budgets: web::Data<Budgets>, stop: CancellationToken) {
    for minute in 0_u64.. {
        if minute.is_multiple_of(60) {
            if let Err(error) = months::ensure_ahead(&pool).await {
                tracing::warn!(%error, "the partitions of the months ahead cannot be made");
            }
            match idempotency::forget_old(&pool).await {
                Ok(0) => {}
                Ok(count) => tracing::debug!(count, "old idempotent answers are forgotten"),
                Err(error) => tracing::warn!(%error, "old idempotent answers cannot be forgotten"),
            }
        }
        budgets.forget_idle();
        if stop.run_until_cancelled(tokio::time::sleep(Duration::from_mins(1))).await.is_none() {
            return;
        }
    }
}
