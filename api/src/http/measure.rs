//! Requests counted and timed, by method, route and class of status, for `/metrics`.

use std::time::Instant;

use actix_web::Error;
use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use metrics::{Unit, counter, describe_counter, describe_histogram, histogram};

/// How many requests were answered.
const REQUESTS: &str = "takujo_http_requests_total";
/// How long they took until the answer began.
pub const DURATION: &str = "takujo_http_request_duration_seconds";

/// Says what is measured.
pub fn describe() {
    describe_counter!(REQUESTS, Unit::Count, "Requests by method, route and class of status");
    describe_histogram!(DURATION, Unit::Seconds, "Time from a request to the start of its answer");
}

/// The middleware; outside of all others but the log, so that refused requests count too.
///
/// # Errors
/// None of its own.
pub async fn measure<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let begun = Instant::now();
    let method = method_label(request.method());
    let result = next.call(request).await;
    let (route, class) = match &result {
        Ok(response) => (response.request().match_pattern(), class_label(response.status())),
        Err(error) => (None, class_label(error.as_response_error().status_code())),
    };
    // What no route takes is one label, whatever paths clients make up.
    let route = route.unwrap_or_else(|| "none".to_owned());
    counter!(REQUESTS, "method" => method, "route" => route.clone(), "status" => class).increment(1);
    histogram!(DURATION, "method" => method, "route" => route).record(begun.elapsed());
    result
}

fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn class_label(status: StatusCode) -> &'static str {
    match status.as_u16() {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}
