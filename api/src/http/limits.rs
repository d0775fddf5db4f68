//! Rate limits for each client address and each token, announced in `RateLimit` headers. Opening
//! streams has a budget of its own, so that neither the one nor the other is used up by the rest.

use std::net::IpAddr;
use std::num::NonZeroU32;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, ResponseError, web};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};

use super::auth::{Bearer, TokenHash};
use super::{Kind, Problem};
use crate::config::Settings;

type Keyed<K> = RateLimiter<K, DashMapStateStore<K>, DefaultClock, StateInformationMiddleware>;

/// The budgets of all clients of this process.
pub struct Budgets {
    /// Of requests, and of actions over sockets.
    requests: Option<Budget>,
    /// Of opening streams and sockets.
    streams: Option<Budget>,
}

impl Budgets {
    /// Budgets of this many requests and newly opened streams a second; 0 for no limit.
    pub fn new(requests: u32, streams: u32) -> Self {
        let budget = |rate| NonZeroU32::new(rate).map(Budget::new);
        Self { requests: budget(requests), streams: budget(streams) }
    }

    /// Forgets clients whose budget is full again.
    pub fn forget_idle(&self) {
        self.requests.iter().chain(&self.streams).for_each(Budget::forget_idle);
    }

    /// Takes one request that does not come by HTTP, such as an action over a socket.
    ///
    /// # Errors
    /// [`Kind::RateLimited`] with the seconds to wait.
    pub fn take_request(&self, address: IpAddr, token: Option<TokenHash>) -> Result<(), Problem> {
        let taken = self.requests.as_ref().map_or(Ok(0), |budget| budget.take(address, token));
        taken.map(|_| ()).map_err(|seconds| Problem::plain(Kind::RateLimited).retry_after(seconds))
    }

    /// The budget that a path counts on; health checks and metrics are free.
    fn of(&self, path: &str) -> Option<&Budget> {
        match path {
            "/healthz" | "/readyz" | "/metrics" => None,
            _ if is_stream(path) => self.streams.as_ref(),
            _ => self.requests.as_ref(),
        }
    }
}

/// Whether a path is that of a stream or socket.
fn is_stream(path: &str) -> bool {
    path.starts_with("/v1/matches/") && (path.ends_with("/events/stream") || path.ends_with("/ws"))
}

/// One budget, for each address and each token.
struct Budget {
    addresses: Keyed<IpAddr>,
    tokens: Keyed<TokenHash>,
    rate: NonZeroU32,
    clock: DefaultClock,
}

impl Budget {
    /// A budget of this much a second, of which ten seconds' worth can be saved up.
    fn new(rate: NonZeroU32) -> Self {
        let quota = Quota::per_second(rate).allow_burst(rate.saturating_mul(BURST));
        Self {
            addresses: RateLimiter::dashmap(quota).with_middleware(),
            tokens: RateLimiter::dashmap(quota).with_middleware(),
            rate,
            clock: DefaultClock::default(),
        }
    }

    fn forget_idle(&self) {
        self.addresses.retain_recent();
        self.tokens.retain_recent();
    }

    /// Takes one request from a budget: what is left, or the seconds until there is some.
    fn take(&self, address: IpAddr, token: Option<TokenHash>) -> Result<u32, u64> {
        let wait = |until: governor::NotUntil<governor::clock::QuantaInstant>| {
            until.wait_time_from(self.clock.now()).as_secs() + 1
        };
        let by_address = self.addresses.check_key(&network(address)).map_err(wait)?.remaining_burst_capacity();
        let by_token = match token {
            Some(token) => self.tokens.check_key(&token).map_err(wait)?.remaining_burst_capacity(),
            None => by_address,
        };
        Ok(by_address.min(by_token))
    }

    /// Writes what is left into an answer's headers.
    fn announce(&self, headers: &mut HeaderMap, remaining: u32) {
        let burst = self.rate.saturating_mul(BURST);
        headers.insert(LIMIT, HeaderValue::from(burst.get()));
        headers.insert(REMAINING, HeaderValue::from(remaining));
        let used = burst.get() - remaining.min(burst.get());
        headers.insert(RESET, HeaderValue::from(used.div_ceil(self.rate.get())));
        if let Ok(policy) = HeaderValue::try_from(format!("{burst};w={BURST}")) {
            headers.insert(POLICY, policy);
        }
    }
}

const BURST: NonZeroU32 = NonZeroU32::new(10).unwrap();
const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");
const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// The middleware.
///
/// # Errors
/// None of its own: [`Kind::RateLimited`] is an answer.
pub async fn limit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let budgets = request.app_data::<web::Data<Budgets>>().cloned();
    let Some(budget) = budgets.as_ref().and_then(|budgets| budgets.of(request.path())) else {
        return next.call(request).await.map(ServiceResponse::map_into_left_body);
    };
    let address = client_ip(request.request());
    let token = Bearer::of(request.request()).ok().and_then(|bearer| bearer.0).map(|token| token.hash());
    let (mut response, remaining) = match budget.take(address, token) {
        Ok(remaining) => (next.call(request).await?.map_into_left_body(), remaining),
        Err(seconds) => {
            let problem = Problem::plain(Kind::RateLimited).retry_after(seconds);
            (request.into_response(problem.error_response()).map_into_right_body(), 0)
        }
    };
    budget.announce(response.headers_mut(), remaining);
    Ok(response)
}

/// Who counts as one client: an IPv4 address, or the IPv6 network that one subscriber is given.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) if address.to_ipv4_mapped().is_none() => {
            IpAddr::from((u128::from(address) >> 64 << 64).to_be_bytes())
        }
        other => other,
    }
}

/// The client's address: the connection's, or behind a trusted proxy the one it forwards.
pub fn client_ip(request: &HttpRequest) -> IpAddr {
    let direct = request.peer_addr().map_or(IpAddr::from([0, 0, 0, 0]), |peer| peer.ip());
    let trusted = request.app_data::<web::Data<Settings>>().is_some_and(|settings| settings.trust_proxy);
    if !trusted {
        return direct;
    }
    // The last header is the proxy's own, whatever the client has sent before it.
    let forwarded = request.headers().get_all("X-Forwarded-For").last().and_then(|value| value.to_str().ok());
    forwarded.and_then(|list| list.rsplit(',').next()?.trim().parse().ok()).unwrap_or(direct)
}

/// The client's address as text.
pub fn client_address(request: &HttpRequest) -> String {
    client_ip(request).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscriber_has_one_budget() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "::ffff:192.0.2.7");
    }
}
