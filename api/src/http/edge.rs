//! What happens at the edge of every request: request ids, the accepted media types, queries where
//! there are none, the language of problems, and answers for paths and methods that do not exist.

use actix_web::body::{self, BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;
use actix_web::http::header::{self, Accept, Header, HeaderName, HeaderValue, Quality};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, ResponseError, web};
use uuid::Uuid;

use super::{Kind, Language, Problem, params};
use crate::openapi::Routes;

/// The header with the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware at the edge.
///
/// # Errors
/// None of its own: handlers and extractors answer their errors as problems.
pub async fn edge<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let id = request_id(request.request());
    tracing::Span::current().record("request_id", id.to_str().unwrap_or_default());
    // The connection knows that it was HEAD, and sends no body.
    let head_only = request.method() == Method::HEAD;
    if head_only {
        request.head_mut().method = Method::GET;
    }
    let language = Language::of_request(&request);
    let mut response = match check(&request) {
        Ok(()) => next.call(request).await?.map_into_boxed_body(),
        Err(problem) => request.into_response(problem.error_response()),
    };
    let problem = response.response_mut().extensions_mut().remove::<Problem>();
    let is_problem = problem.is_some();
    if let Some(problem) = problem.filter(|_| language != Language::English) {
        let mut localized = problem.response(language);
        for (name, value) in response.headers() {
            if !localized.headers().contains_key(name) {
                localized.headers_mut().insert(name.clone(), value.clone());
            }
        }
        response = response.into_response(localized);
    }
    // A stream would be read for as long as there is something to tell, for nobody.
    if head_only && matches!(response.response().body().size(), BodySize::Stream) {
        response = response.map_body(|_, _| BoxBody::new(body::None::new()));
    }
    let headers = response.headers_mut();
    if is_problem {
        headers.append(header::VARY, HeaderValue::from_static("Accept-Language"));
    }
    headers.insert(REQUEST_ID, id);
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// The client's request id where it is a sensible one, else a fresh one.
pub fn request_id(request: &HttpRequest) -> HeaderValue {
    let given = request.headers().get(&REQUEST_ID).filter(|value| {
        let bytes = value.as_bytes();
        (1..=128).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
    });
    given.cloned().unwrap_or_else(|| {
        HeaderValue::try_from(Uuid::now_v7().to_string()).unwrap_or_else(|_| HeaderValue::from_static("unknown"))
    })
}

/// What no route takes: a form that it does not speak, a query where it has none.
fn check(request: &ServiceRequest) -> Result<(), Problem> {
    if !accepts(request) {
        return Err(Problem::plain(Kind::NotAcceptable));
    }
    let query = request.query_string();
    let is_strict = !query.is_empty() && request.path().starts_with("/v1/");
    match request.app_data::<web::Data<Routes>>() {
        Some(routes) if is_strict && routes.has_no_query(request.method(), request.path()) => params::nothing(query),
        _ => Ok(()),
    }
}

/// Whether the client takes one of the forms that the route speaks.
fn accepts(request: &ServiceRequest) -> bool {
    // What an export is written in is a matter of its `format`.
    let is_free = !request.path().starts_with("/v1/") || request.path().starts_with("/v1/exports/");
    if is_free || !request.headers().contains_key(header::ACCEPT) {
        return true;
    }
    let Ok(accept) = Accept::parse(request) else { return true };
    let takes = |form: &&str| {
        accept.iter().filter(|wanted| wanted.quality > Quality::ZERO).any(|wanted| {
            let (kind, name) = form.split_once('/').unwrap_or_default();
            let asked = wanted.item.essence_str();
            asked == "*/*" || asked == *form || asked.strip_suffix("/*") == Some(kind) && !name.is_empty()
        })
    };
    accept.is_empty() || forms(request.path()).iter().any(takes)
}

/// The media types that a route can answer in.
fn forms(path: &str) -> &'static [&'static str] {
    if path.ends_with("/events/stream") {
        &["text/event-stream", "application/x-ndjson"]
    } else {
        &["application/json"]
    }
}

/// The answer for what is no route: 405 with `Allow` where the path has other methods, else 404.
///
/// # Errors
/// Always one of the two.
pub async fn no_route(request: HttpRequest, routes: web::Data<Routes>) -> Result<HttpResponse, Problem> {
    let methods = routes.methods_of(request.path());
    if methods.is_empty() || methods.contains(&request.method().as_str()) {
        return Err(Problem::plain(Kind::NotFound));
    }
    let mut response = Problem::plain(Kind::MethodNotAllowed).error_response();
    if let Ok(allow) = HeaderValue::try_from(methods.join(", ")) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    Ok(response)
}
