//! `/api/docs`, a page to read and try the API, `/api/openapi.json`, the document it loads, and `/api/asyncapi.json`, which
//! describes the realtime channel.
//!
//! The page is Swagger UI, which the build of the web app takes from npm. Its files are our own, so that the policy needs no
//! inline script and nothing is loaded from elsewhere.

use std::{convert::Infallible, sync::Arc};

use poem::{
    Endpoint, Request, Response, Route,
    endpoint::{make, make_sync},
    http::{HeaderMap, HeaderValue, header},
};

use morpion_openapi::document;
use serde_json::Value;

use super::{
    ApiError, assets,
    constant::{ConstantText, Kind},
};

/// Swagger UI draws with inline styles and embedded pictures, and calls the API it describes.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    font-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; \
    frame-ancestors 'none'";

const PAGE: &str = r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Morpion API</title>
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="ui"></div>
    <script src="/api/docs/swagger-ui.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
"#;

/// Calls made from the page carry the CSRF header, as the web app's do.
const START: &str = r##"SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor: (request) => {
    const token = document.cookie.match(/(?:^|; )XSRF-TOKEN=([^;]*)/);
    if (token) request.headers['X-XSRF-TOKEN'] = decodeURIComponent(token[1]);
    return request;
  },
});
"##;

const JSON: &str = "application/json; charset=utf-8";

/// The files change only with the program.
const A_DAY: &str = "public, max-age=86400";

/// Adds the page and the documents.
pub fn mount(route: Route, document: &Value) -> Route {
    mount_with(route, document, |headers, name| assets::file(headers, &format!("{}{name}", assets::API_PAGE), A_DAY))
}

/// `file` answers with a file of Swagger UI.
fn mount_with(
    route: Route,
    document: &Value,
    file: impl Fn(&HeaderMap, &str) -> Option<Response> + Clone + Send + Sync + 'static,
) -> Route {
    let file = |name| {
        let file = file.clone();
        poem::get(make_sync(move |request: Request| {
            let not_built = || ApiError::unavailable("The page is not built yet: run make web.").respond("");
            with_policy(file(request.headers(), name).unwrap_or_else(not_built))
        }))
    };
    route
        .at("/api/openapi.json", text(JSON, "no-cache", document.to_string()))
        .at("/api/asyncapi.json", text(JSON, "no-cache", document::realtime(document).to_string()))
        .at("/api/docs", text("text/html; charset=utf-8", "no-cache", PAGE.to_owned()))
        .at("/api/docs/start.js", text("text/javascript; charset=utf-8", A_DAY, START.to_owned()))
        .at("/api/docs/swagger-ui.js", file("swagger-ui.js"))
        .at("/api/docs/swagger-ui.css", file("swagger-ui.css"))
}

fn text(content_type: &'static str, cache_control: &'static str, text: String) -> impl Endpoint<Output = Response> {
    let text = Arc::new(ConstantText::new(Kind { content_type: content_type.into(), cache_control }, text));
    poem::get(make(move |request: Request| {
        let text = Arc::clone(&text);
        async move { Ok::<_, Infallible>(with_policy(text.answer(request.headers()).await)) }
    }))
}

fn with_policy(mut response: Response) -> Response {
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    use poem::test::TestClient;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn everything_the_page_names_is_served_here_and_nothing_is_inline() {
        let file = |_: &HeaderMap, name: &str| Some(Response::builder().body(name.to_owned()));
        let client = TestClient::new(mount_with(Route::new(), &json!({ "openapi": "3.1.0" }), file));
        let page = client.get("/api/docs").send().await;
        page.assert_header("content-security-policy", POLICY);
        let html = page.0.into_body().into_string().await.unwrap();
        assert!(!html.contains("http:") && !html.contains("https:"), "nothing comes from elsewhere");
        let scripts: Vec<_> = html.split("<script").skip(1).collect();
        assert!(scripts.iter().all(|script| script.contains("src=") && script.contains("></script>")));
        for address in html.split('"').filter(|part| part.starts_with("/api/docs/")) {
            let file = client.get(address).send().await;
            file.assert_status_is_ok();
            assert!(!file.0.into_body().into_bytes().await.unwrap().is_empty(), "{address}");
        }
        client.get("/api/openapi.json").send().await.assert_text(r#"{"openapi":"3.1.0"}"#).await;
        let realtime = client.get("/api/asyncapi.json").send().await;
        realtime.assert_status_is_ok();
        assert!(realtime.0.into_body().into_string().await.unwrap().starts_with(r#"{"asyncapi":"3.0.0""#));
    }
}
