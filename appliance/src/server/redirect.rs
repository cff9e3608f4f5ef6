//! `server.http_listen`: sends whoever comes without TLS to the public address.

use std::{io, sync::Arc};

use poem::{
    EndpointExt, IntoResponse, Request, Response,
    endpoint::make_sync,
    http::{HeaderValue, StatusCode, header},
};
use tokio_util::sync::CancellationToken;

use super::edge::{self, Listening};
use crate::{
    config::{Config, Origin},
    http::repeats::Repeats,
};

/// Until `stop`; no connection is waited for.
pub async fn serve(listening: Listening, config: Arc<Config>, repeats: Repeats, stop: CancellationToken) {
    let origin = config.public_origin();
    let endpoint =
        make_sync(move |request: Request| answer(&origin, &request)).with(listening.headers.clone()).map_to_response();
    let served: io::Result<()> =
        edge::serve(listening, endpoint, config, repeats, stop.cancelled_owned(), std::time::Duration::ZERO).await;
    if let Err(error) = served {
        tracing::error!(%error, "nobody is redirected to HTTPS");
    }
}

/// The `Host` header has no part in it, so that nobody can be sent elsewhere.
fn answer(origin: &Origin, request: &Request) -> Response {
    let path = request.uri().path_and_query().map(|path| path.as_str()).filter(|path| path.starts_with('/'));
    if path.is_some_and(|path| path.starts_with("/api/")) {
        // A client that sent a secret without TLS has to notice it.
        return StatusCode::FORBIDDEN.with_body("The API is reached by HTTPS only.\n").into_response();
    }
    let address = format!("{origin}{}", path.unwrap_or("/"));
    let location = HeaderValue::try_from(address).or_else(|_| HeaderValue::try_from(format!("{origin}/")));
    let location = location.expect("an origin is ASCII");
    StatusCode::PERMANENT_REDIRECT.with_header(header::LOCATION, location).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_sent_to_the_public_address() {
        let origin: Origin = "https://play.example.org:8443".parse().unwrap();
        for (asked, path) in [
            ("/", "/"),
            ("/app/play?game=1", "/app/play?game=1"),
            ("http://evil.example/path", "/path"),
            ("//evil.example", "//evil.example"),
            ("*", "/"),
            ("evil.example:443", "/"),
        ] {
            let request = Request::builder().uri(asked.parse().unwrap()).header("host", "evil.example").finish();
            let response = answer(&origin, &request);
            assert_eq!(response.status(), StatusCode::PERMANENT_REDIRECT);
            let location = response.header("location").unwrap();
            assert_eq!(location, format!("https://play.example.org:8443{path}"), "{asked}");
        }
        let request = Request::builder().uri("/api/auth/login".parse().unwrap()).finish();
        assert_eq!(answer(&origin, &request).status(), StatusCode::FORBIDDEN);
    }
}
