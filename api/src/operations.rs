//! Health, readiness, metrics, and the pages that explain problems.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, web};
use metrics_exporter_prometheus::PrometheusHandle;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::problem::Kind;
use crate::http::{Language, PathId, Problem, ProblemBody, Reply};
use crate::matches::desk::Desk;
use crate::openapi::Routes;

/// How the process is.
#[derive(Serialize, ToSchema)]
struct Health {
    #[schema(value_type = String, examples("ok"))]
    status: &'static str,
    #[schema(value_type = String, examples("0.1.0"))]
    version: &'static str,
}

/// What the server needs to answer requests.
#[derive(Serialize, ToSchema)]
struct Readiness {
    #[schema(value_type = String, examples("ready"))]
    status: &'static str,
    #[schema(value_type = String, examples("ok"))]
    database: &'static str,
    /// The newest migration that the database has.
    #[schema(examples(20_261_129_000_001_i64))]
    migration: i64,
    /// The version of the lexicon.
    lexicon: String,
}

/// Is the process alive?
#[utoipa::path(tag = "Operations", responses((status = 200, description = "It is", body = Health)))]
#[get("/healthz")]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}

/// Is the server ready?
///
/// The database answers, its migrations are those of this program, the lexicon is loaded.
#[utoipa::path(
    tag = "Operations",
    responses(
        (status = 200, description = "It is", body = Readiness),
        (status = 503, description = "`unavailable`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/readyz")]
pub async fn readyz(desk: web::Data<Desk>) -> Reply {
    let migration = sqlx::query_scalar!(r#"SELECT max(version) AS "version!" FROM _sqlx_migrations WHERE success"#)
        .fetch_one(&desk.pool)
        .await
        .map_err(|error| {
            tracing::warn!(%error, "not ready");
            Problem::plain(Kind::Unavailable).retry_after(1)
        })?;
    let lexicon = desk.lexicon().version().to_owned();
    Ok(HttpResponse::Ok().json(Readiness { status: "ready", database: "ok", migration, lexicon }))
}

/// Metrics for Prometheus
#[utoipa::path(tag = "Operations", responses((status = 200, description = "In the text format", body = String, content_type = "text/plain")))]
#[get("/metrics")]
pub async fn metrics(prometheus: web::Data<PrometheusHandle>) -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(prometheus.render())
}

/// This description
#[utoipa::path(tag = "Operations", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
#[get("/openapi.json")]
pub async fn openapi_json(routes: web::Data<Routes>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(routes.document())
}

/// What a kind of problem means
#[utoipa::path(
    tag = "Operations",
    params(("id" = String, Path, description = "The problem's code", example = "illegal-action")),
    responses(
        (status = 200, description = "A page to read", body = String, content_type = "text/html"),
        (status = 404, description = "`not-found`", body = ProblemBody, content_type = "application/problem+json"),
    )
)]
#[get("/problems/{id}")]
pub async fn problem_page(request: HttpRequest, PathId(code): PathId<String>) -> Reply {
    let kind = Kind::ALL.iter().find(|kind| kind.code() == code).ok_or_else(|| Problem::plain(Kind::NotFound))?;
    let language = Language::of_request(&request);
    let (title, mend) = (kind.title(), kind.mend());
    let (title, mend) = (language.of(&title), language.of(&mend));
    let status = kind.status();
    let page = format!(
        "<!doctype html>\n<html lang=\"{}\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <body><h1>{title}</h1>\n<p><code>{code}</code> · {status}</p>\n<p>{mend}</p></body></html>\n",
        language.tag()
    );
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_LANGUAGE, language.tag()))
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'"))
        .content_type("text/html; charset=utf-8")
        .body(page))
}
