//! `/api/docs`, a page to read and try the API, and `/api/openapi.json`, the document it loads.
//!
//! The page is Swagger UI from poem-openapi, split into our own files, so that the policy needs no inline script and
//! nothing is loaded from elsewhere.

use poem::{Endpoint, Response, Route, endpoint::make_sync};
use poem_openapi::OpenApiService;

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

/// The files change only with the program.
const A_DAY: &str = "public, max-age=86400";

/// Adds the page and the document.
pub fn mount(route: Route, document: String) -> Route {
    let (script, style) = swagger_ui();
    route
        .at("/api/openapi.json", text("application/json; charset=utf-8", "no-cache", document))
        .at("/api/docs", text("text/html; charset=utf-8", "no-cache", PAGE.to_owned()))
        .at("/api/docs/start.js", text("text/javascript; charset=utf-8", A_DAY, START.to_owned()))
        .at("/api/docs/swagger-ui.js", text("text/javascript; charset=utf-8", A_DAY, script))
        .at("/api/docs/swagger-ui.css", text("text/css; charset=utf-8", A_DAY, style))
}

fn text(content_type: &'static str, cache: &'static str, body: String) -> impl Endpoint<Output = Response> {
    let body = bytes::Bytes::from(body);
    poem::get(make_sync(move |_| {
        Response::builder()
            .content_type(content_type)
            .header("cache-control", cache)
            .header("content-security-policy", POLICY)
            .body(body.clone())
    }))
}

/// Script and style, extracted from the page that poem-openapi generates.
fn swagger_ui() -> (String, String) {
    let page = OpenApiService::new((), "", "").swagger_ui_html();
    let between = |open: &str, close: &str| {
        let from = page.find(open).map(|start| &page[start + open.len()..]);
        from.and_then(|rest| rest.split_once(close)).map_or_else(String::new, |(inside, _)| inside.to_owned())
    };
    (between("<script charset=\"UTF-8\">", "</script>"), between("<style charset=\"UTF-8\">", "</style>"))
}

#[cfg(test)]
mod tests {
    use poem::test::TestClient;

    use super::*;

    #[tokio::test]
    async fn everything_the_page_names_is_served_here_and_nothing_is_inline() {
        let client = TestClient::new(mount(Route::new(), "{\"openapi\":\"3.0.0\"}".to_owned()));
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
        client.get("/api/openapi.json").send().await.assert_text("{\"openapi\":\"3.0.0\"}").await;
    }

    #[test]
    fn the_files_are_those_of_swagger_ui() {
        let (script, style) = swagger_ui();
        assert!(script.contains("SwaggerUIBundle") && script.len() > 1_000_000);
        assert!(style.contains(".swagger-ui") && style.len() > 100_000);
    }
}
