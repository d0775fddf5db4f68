//! Which pages of other origins may do what, as browsers ask before they send.

use actix_cors::{Cors, CorsError};
use actix_web::Error;
use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{RequestHead, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::Next;

use super::edge::{REQUEST_ID, request_id};
use super::{Kind, Language, Problem};

/// GET is open to every page; what changes something only to the pages of the settings.
pub fn cors(origins: &[String]) -> Cors {
    let cors = Cors::default().allow_any_header().expose_any_header().max_age(3600);
    if origins.iter().any(|origin| origin == "*") {
        return cors.allow_any_origin().allow_any_method();
    }
    let open = cors.allowed_origin_fn(|_, head| only_reads(head)).allowed_methods(["GET", "HEAD", "POST"]);
    origins.iter().fold(open, |cors, origin| cors.allowed_origin(origin))
}

/// Whether a request reads, or asks before one that does.
fn only_reads(head: &RequestHead) -> bool {
    if head.method == Method::OPTIONS {
        let asked = head.headers().get(header::ACCESS_CONTROL_REQUEST_METHOD);
        return asked.is_some_and(|method| method == "GET" || method == "HEAD");
    }
    head.method == Method::GET || head.method == Method::HEAD
}

/// The middleware around [`cors`], which answers before everything else: what it refuses is a problem
/// like any other, and all that it answers has the request's id.
///
/// # Errors
/// None of its own.
pub async fn preflight<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let response = next.call(request).await?;
    let is_refused = response.response().error().is_some_and(|error| error.as_error::<CorsError>().is_some());
    let mut response = if is_refused {
        let language = Language::of_request(response.request());
        let mut problem = Problem::plain(Kind::PreflightRefused).response(language);
        problem.headers_mut().insert(header::VARY, header::HeaderValue::from_static("Origin, Accept-Language"));
        response.into_response(problem).map_into_right_body()
    } else {
        response.map_into_left_body()
    };
    if !response.headers().contains_key(&REQUEST_ID) {
        let id = request_id(response.request());
        response.headers_mut().insert(REQUEST_ID, id);
    }
    Ok(response)
}
