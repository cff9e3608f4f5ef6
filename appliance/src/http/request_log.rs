//! The outermost middleware: gives each request an id, a span and one line in the log.
//!
//! The id is generated here (one that a client sends is ignored), is returned as `x-request-id`, and appears in failed
//! responses. Only the path is logged, since queries carry payloads and tokens.

use std::{
    fmt,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use poem::{
    Endpoint, IntoResponse, Middleware, Request, Response, Result,
    http::{HeaderName, HeaderValue, Method, StatusCode},
};
use tracing::{Instrument, Level, field::Empty};
use uuid::Uuid;

use super::{RequestId, allow::Allow, repeats::Repeats};
use crate::{
    logbook::{ANSWERED, cut},
    metrics::Metrics,
    telemetry::trace_span,
};

/// The header of a response that has the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request that came through [`RequestLog`]; empty for others.
pub fn request_id(request: &Request) -> &str {
    request.extensions().get::<RequestId>().map_or("", |id| &id.0)
}

/// Bytes of a path that are logged.
const MAX_PATH: usize = 256;

/// Others are what a stranger made up.
const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

/// Routes that are not in the document.
const UNDOCUMENTED: [&str; 5] =
    ["/api/backend/realtime", "/api/openapi.json", "/api/asyncapi.json", "/healthz", "/readyz"];

/// What requests for pages, for files and for what there is not are counted by.
const OTHER: &str = "other";

/// The middleware.
#[derive(Clone)]
pub struct RequestLog {
    address_of: Arc<dyn Fn(&Request) -> IpAddr + Send + Sync>,
    repeats: Repeats,
    metrics: Metrics,
    /// Knows the routes that requests are counted by.
    allow: Allow,
}

impl RequestLog {
    /// `address_of` says which client sent a request.
    pub fn new(
        repeats: Repeats,
        metrics: Metrics,
        allow: Allow,
        address_of: impl Fn(&Request) -> IpAddr + Send + Sync + 'static,
    ) -> Self {
        Self { address_of: Arc::new(address_of), repeats, metrics, allow }
    }

    /// One of a fixed few.
    fn route(&self, path: &str) -> &str {
        let undocumented = || UNDOCUMENTED.into_iter().find(|route| *route == path);
        self.allow.route(path).or_else(undocumented).unwrap_or(OTHER)
    }

    fn count(&self, route: &str, status: StatusCode, took: Duration) {
        let class = format!("{}xx", status.as_u16() / 100);
        self.metrics.requests.with_label_values(&[route, &class]).inc();
        self.metrics.request_seconds.observe(took.as_secs_f64());
    }

    #[cfg(test)]
    pub fn of_one_client() -> Self {
        let allow = Allow::new(&serde_json::Value::Null);
        Self::new(Repeats::default(), Metrics::default(), allow, |_| IpAddr::from([192, 0, 2, 1]))
    }
}

impl fmt::Debug for RequestLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RequestLog").finish_non_exhaustive()
    }
}

impl<E: Endpoint> Middleware<E> for RequestLog {
    type Output = RequestLogEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        RequestLogEndpoint { inner, log: self.clone() }
    }
}

#[derive(Debug)]
pub struct RequestLogEndpoint<E> {
    inner: E,
    log: RequestLog,
}

impl<E: Endpoint> Endpoint for RequestLogEndpoint<E> {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        // Ordered by time, so that neighbouring ids belong together.
        let id = Uuid::now_v7().to_string();
        request.set_data(RequestId(id.clone()));
        let method = request.method().clone();
        let address = (self.log.address_of)(&request);
        let whole_path = request.uri().path().to_owned();
        let mut path = whole_path.clone();
        cut(&mut path, MAX_PATH);
        let span = tracing::info_span!(
            "request", request_id = %id, %method, path, caller = Empty, user_id = Empty, session_id = Empty
        );
        let route = self.log.route(&whole_path);
        let known_method = if METHODS.contains(&method) { method.as_str() } else { "_OTHER" };
        let trace = trace_span!(
            "request",
            http.request.method = known_method,
            http.route = route,
            http.response.status_code = Empty
        );
        let started = Instant::now();
        let outcome = self.inner.call(request).instrument(span.clone()).instrument(trace.clone()).await;
        let mut response = match outcome {
            Ok(response) => response.into_response(),
            Err(error) => error.into_response(),
        };
        let took = started.elapsed();
        trace.record("http.response.status_code", response.status().as_u16());
        self.log.count(route, response.status(), took);
        if !is_counted(response.status()) || self.log.repeats.lists(response.status(), address) {
            let status = response.status().as_u16();
            let latency_ms = milliseconds(took);
            span.in_scope(|| match level(&path, status) {
                Level::ERROR => tracing::error!(target: ANSWERED, status, latency_ms, "answered"),
                Level::INFO => tracing::info!(target: ANSWERED, status, latency_ms, "answered"),
                _ => tracing::debug!(target: ANSWERED, status, latency_ms, "answered"),
            });
        }
        let value = HeaderValue::from_str(&id).expect("a UUID is a header value");
        response.headers_mut().insert(REQUEST_ID, value);
        Ok(response)
    }
}

/// To a hundredth, which is more than anybody can tell apart.
fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 100_000.0).round() / 100.0
}

/// What an address gets for asking at random, or too much.
fn is_counted(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::NOT_FOUND
            | StatusCode::METHOD_NOT_ALLOWED
            | StatusCode::URI_TOO_LONG
            | StatusCode::TOO_MANY_REQUESTS
    )
}

/// Calls of the API get a line each; files and health checks are logged at debug level.
fn level(path: &str, status: u16) -> Level {
    match status {
        500.. if status != 501 && status != 503 => Level::ERROR,
        _ if path.starts_with("/api/") => Level::INFO,
        _ => Level::DEBUG,
    }
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make_sync, test::TestClient};

    use super::*;

    #[tokio::test]
    async fn the_id_is_ours_and_the_same_inside_and_outside() {
        let endpoint = make_sync(|request: Request| request_id(&request).to_owned()).with(RequestLog::of_one_client());
        let client = TestClient::new(endpoint);
        let response = client.get("/api/x").header("x-request-id", "chosen-by-the-client").send().await;
        let id = response.0.headers()[&REQUEST_ID].to_str().unwrap().to_owned();
        assert_eq!(Uuid::parse_str(&id).unwrap().get_version_num(), 7);
        response.assert_text(id.clone()).await;
        let again = client.get("/api/x").send().await;
        assert_ne!(again.0.headers()[&REQUEST_ID].to_str().unwrap(), id);
    }

    #[tokio::test]
    async fn a_failing_call_has_an_id_too() {
        let endpoint =
            poem::endpoint::make(|_| async { Err::<Response, _>(poem::Error::from_status(StatusCode::IM_A_TEAPOT)) });
        let response = TestClient::new(endpoint.with(RequestLog::of_one_client())).get("/").send().await;
        response.assert_status(StatusCode::IM_A_TEAPOT);
        response.assert_header_exist("x-request-id");
    }

    #[test]
    fn times_have_two_digits_after_the_point() {
        for nanoseconds in [0, 1, 282_660_745, 1_250_000, 999_999_999, 20_123_456_789] {
            let text = milliseconds(Duration::from_nanos(nanoseconds)).to_string();
            let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
            assert!(digits <= 2, "{text}");
        }
        assert_eq!(milliseconds(Duration::from_nanos(282_660_745)).to_string(), "282.66");
    }

    #[test]
    fn the_level_follows_what_an_operator_looks_for() {
        assert_eq!(level("/api/game", 500), Level::ERROR);
        assert_eq!(level("/api/game", 404), Level::INFO);
        assert_eq!(level("/api/event", 501), Level::INFO);
        assert_eq!(level("/assets/x.js", 200), Level::DEBUG);
        assert_eq!(level("/readyz", 503), Level::DEBUG);
    }
}
