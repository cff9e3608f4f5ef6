//! `/healthz`: the process responds. `/readyz`: the store does too, and the server is not draining.

use poem::{Endpoint, Response, Route, endpoint::make_sync, http::StatusCode};

use crate::health::NotReady;

/// Why a server is not ready, and what operators should know.
pub type State = (Option<NotReady>, Vec<String>);

/// Adds `/healthz` and `/readyz`.
pub fn mount(route: Route, state: impl Fn() -> State + Send + Sync + 'static) -> Route {
    route.at("/healthz", endpoint(|| (None, vec![]))).at("/readyz", endpoint(state))
}

/// The first line is the status; the others say why, and what operators should know.
fn endpoint(state: impl Fn() -> State + Send + Sync + 'static) -> impl Endpoint<Output = Response> {
    make_sync(move |_| {
        let (reason, notices) = state();
        let (status, word) = match reason {
            None => (StatusCode::OK, "ok"),
            Some(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready"),
        };
        let lines = [word.to_owned()].into_iter().chain(reason.map(|reason| reason.to_string())).chain(notices);
        let text: String = lines.map(|line| line + "\n").collect();
        Response::builder()
            .status(status)
            .header("cache-control", "no-store")
            .content_type("text/plain; charset=utf-8")
            .body(text)
    })
}

#[cfg(test)]
mod tests {
    use poem::test::TestClient;

    use super::*;

    #[tokio::test]
    async fn the_status_says_it_and_nobody_keeps_it() {
        let stopping = "not ready\nThe server is stopping.\nA notice.\n";
        for (reason, status, text) in [
            (None, StatusCode::OK, "ok\nA notice.\n"),
            (Some(NotReady::Stopping), StatusCode::SERVICE_UNAVAILABLE, stopping),
        ] {
            let state = move || (reason, vec!["A notice.".to_owned()]);
            let response = TestClient::new(endpoint(state)).get("/readyz").send().await;
            response.assert_status(status);
            response.assert_header("cache-control", "no-store");
            response.assert_text(text).await;
        }
    }
}
