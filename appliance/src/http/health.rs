//! `/healthz`: the process responds. `/readyz`: the store does too, and the server is not draining.

use std::sync::Arc;

use poem::{Endpoint, Response, Route, endpoint::make_sync, http::StatusCode};

use crate::app::App;

/// Adds `/healthz` and `/readyz`.
pub fn mount(route: Route, app: &Arc<App>) -> Route {
    let (health, notices) = (app.health.clone(), app.health.clone());
    let readyz = endpoint(move || health.is_ready(), move || notices.notices());
    route.at("/healthz", endpoint(|| true, Vec::new)).at("/readyz", readyz)
}

/// The first line is the status, each further one a notice.
fn endpoint(
    is_well: impl Fn() -> bool + Send + Sync + 'static,
    notices: impl Fn() -> Vec<String> + Send + Sync + 'static,
) -> impl Endpoint<Output = Response> {
    make_sync(move |_| {
        let (status, word) =
            if is_well() { (StatusCode::OK, "ok") } else { (StatusCode::SERVICE_UNAVAILABLE, "not ready") };
        let lines = std::iter::once(word.to_owned()).chain(notices());
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
        for (is_well, status, text) in [
            (true, StatusCode::OK, "ok\nA notice.\n"),
            (false, StatusCode::SERVICE_UNAVAILABLE, "not ready\nA notice.\n"),
        ] {
            let notices = || vec!["A notice.".to_owned()];
            let response = TestClient::new(endpoint(move || is_well, notices)).get("/readyz").send().await;
            response.assert_status(status);
            response.assert_header("cache-control", "no-store");
            response.assert_text(text).await;
        }
    }
}
