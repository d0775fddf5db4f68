//! The partitions of months.

use sqlx::error::DatabaseError;
use sqlx::types::time::Date;
use sqlx::{PgConnection, PgPool};

/// Makes the partitions of this month and the next two.
///
/// # Errors
/// See [`ensure`].
pub async fn ensure_ahead(pool: &PgPool) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let days = sqlx::query_scalar!(
        r#"SELECT (now() AT TIME ZONE 'UTC' + make_interval(months => ahead))::date AS "day!"
           FROM generate_series(0, 2) AS ahead"#
    )
    .fetch_all(&mut *connection)
    .await?;
    ensure(&mut connection, days).await
}

/// Makes the partitions of the months that these days lie in, in UTC; those that exist are left
/// alone. A month whose rows lie in the default partitions already goes without: they take its other
/// rows as well.
///
/// # Errors
/// Where the database is away or the tables are in use for long: the first error, after every month
/// was tried.
pub async fn ensure(connection: &mut PgConnection, days: impl IntoIterator<Item = Date>) -> Result<(), sqlx::Error> {
    let mut all = Ok(());
    for day in days {
        match sqlx::query!("SELECT ensure_month($1)", day).execute(&mut *connection).await {
            Ok(_) => {}
            Err(error) if error.as_database_error().is_some_and(DatabaseError::is_check_violation) => {
                tracing::warn!(
                    %day,
                    %error,
                    "rows of this day's month lie in the default partitions, so it has none of its own and cannot be \
                     detached; nothing else is wrong with them. To mend it: SELECT gather_month('{day}')"
                );
            }
            Err(error) => all = all.and(Err(error)),
        }
    }
    all
}
