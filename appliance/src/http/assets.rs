//! The web app, from the binary.
//!
//! [`endpoint`] serves everything that is not another route, unknown `/api` paths included: mount it as
//! `Route::new().at("/", …).at("/*path", …)`, after the routes. Files exist plain and compressed, and the client's
//! preferred encoding is sent.

use std::borrow::Cow;

use poem::{
    Endpoint, Request, Response,
    endpoint::make_sync,
    http::{HeaderMap, Method, StatusCode, header},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{ApiError, ErrorKind, encoding::Encoding, request_log::request_id};
use crate::config::Config;

/// Release builds embed the files; others read them from the folder, so that a web build needs no server build.
#[derive(RustEmbed)]
#[folder = "../webapp/dist"]
#[allow_missing = true]
struct WebApp;

const INDEX: &str = "index.html";
/// The page at `/`; like every public page it has its own document.
const LANDING: &str = "landing";
/// The placeholder for this server's origin, without a trailing slash.
const ORIGIN: &str = "{{origin}}";
/// Files below it have a hash of their content in the name, so they never change.
const HASHED: &str = "assets/";
/// Below it are pages of the app alone.
const PAGES: &str = "app/";
/// Below it nothing is a page (RFC 8615).
const WELL_KNOWN: &str = ".well-known/";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Stored, but revalidated each time.
const REVALIDATE: &str = "no-cache";

const NOT_BUILT: &str = r#"<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Morpion</title>
<h1>The web app is not built yet</h1>
<p>The server runs, and its API answers. Run <code>make web</code> in the source folder, then reload this page.</p>
</html>
"#;

/// The web app for `GET` and `HEAD`.
pub fn endpoint(config: &Config) -> impl Endpoint<Output = Response> + use<> {
    let origin = config.public_origin().to_string();
    make_sync(move |request: Request| serve(&request, &origin, WebApp::get))
}

fn serve(request: &Request, origin: &str, file: impl Fn(&str) -> Option<EmbeddedFile>) -> Response {
    let request_id = request_id(request);
    if request.method() != Method::GET && request.method() != Method::HEAD {
        let error = ApiError::new(ErrorKind::WrongMethod, "method-not-allowed", "Only GET and HEAD work here.");
        let mut response = error.respond(request_id);
        response.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    let path = request.uri().path().trim_start_matches('/');
    let found = match path {
        "" => None,
        // The compressed variants are served under the plain name, not as files of their own.
        path if path.ends_with(".br") || path.ends_with(".gz") => None,
        path if path == "api" || path.starts_with("api/") => return ApiError::not_found("route").respond(request_id),
        path => file(path).map(|plain| (path, plain)),
    };
    let mut response = match found {
        Some((name, plain)) if names_the_origin(name) => render_template(&plain, origin),
        Some((name, plain)) => respond_with(request.headers(), name, plain, &file),
        None if !is_navigation(path, request.headers()) => ApiError::not_found("file").respond(request_id),
        None => match documents(path).find_map(|name| file(&name)) {
            Some(plain) => render_template(&plain, origin),
            None => Response::builder()
                .status(StatusCode::SERVICE_UNAVAILABLE)
                .content_type("text/html; charset=utf-8")
                .body(NOT_BUILT),
        },
    };
    // A response to `HEAD` keeps its content length.
    if request.method() == Method::HEAD {
        response.set_body(());
    }
    response
}

/// Whether a page of the app is requested, whose router then knows the path, rather than a missing file.
fn is_navigation(path: &str, headers: &HeaderMap) -> bool {
    if path.starts_with(HASHED) || path.starts_with(WELL_KNOWN) {
        return false;
    }
    // Whatever its last part looks like, as a player's name with a dot in it.
    if path.starts_with(PAGES) {
        return true;
    }
    let accept = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
    let looks_like_a_file = path.rsplit('/').next().is_some_and(|last| last.contains('.'));
    accept.contains("text/html") || (accept.contains("*/*") && !looks_like_a_file)
}

/// The documents that may be served for a page, best first: its own, which public pages have for crawlers and link
/// previews, then the index of the nearest parent folder, which loads what the pages there need.
fn documents(path: &str) -> impl Iterator<Item = String> {
    let own = if path.is_empty() { LANDING } else { path };
    let folders = path.rmatch_indices('/').map(move |(end, _)| format!("{}/{INDEX}", &path[..end]));
    std::iter::once(format!("{own}.html")).chain(folders).chain([INDEX.to_owned()])
}

/// Link previews and crawlers need absolute URLs, which the build cannot know.
fn names_the_origin(name: &str) -> bool {
    name.ends_with(".html") || matches!(name, "robots.txt" | "sitemap.xml")
}

/// A text with the server's origin filled in. It is rendered for each request, so it has no ETag and no compressed
/// variant.
fn render_template(template: &EmbeddedFile, origin: &str) -> Response {
    Response::builder()
        .header(header::CACHE_CONTROL, REVALIDATE)
        .content_type(content_type(template))
        .body(String::from_utf8_lossy(&template.data).replace(ORIGIN, origin))
}

/// The best representation of a file: compressed if the client accepts it, empty if the client has it.
fn respond_with(
    headers: &HeaderMap,
    name: &str,
    plain: EmbeddedFile,
    file: &impl Fn(&str) -> Option<EmbeddedFile>,
) -> Response {
    let content_type = content_type(&plain);
    let twin = |encoding: Encoding| {
        let suffix = match encoding {
            Encoding::Brotli => "br",
            Encoding::Gzip => "gz",
        };
        file(&format!("{name}.{suffix}")).map(|twin| (encoding, twin))
    };
    let compressed = Encoding::accepted(headers).into_iter().find_map(twin);
    let (encoding, chosen) = match compressed {
        Some((encoding, twin)) => (Some(encoding), twin),
        None => (None, plain),
    };

    // Of the sent bytes, so plain and compressed variants have different tags.
    let etag = format!("\"{}\"", hex(&chosen.metadata.sha256_hash()[..16]));
    let mut response = Response::builder()
        .header(header::ETAG, &etag)
        .header(header::VARY, "accept-encoding")
        .header(header::CACHE_CONTROL, if name.starts_with(HASHED) { IMMUTABLE } else { REVALIDATE });
    if matches_etag(headers, &etag) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    if let Some(encoding) = encoding {
        response = response.header(header::CONTENT_ENCODING, encoding.token());
    }
    response = response.header(header::CONTENT_LENGTH, chosen.data.len());
    match chosen.data {
        Cow::Borrowed(bytes) => response.content_type(content_type).body(bytes),
        Cow::Owned(bytes) => response.content_type(content_type).body(bytes),
    }
}

fn content_type(file: &EmbeddedFile) -> String {
    let kind = file.metadata.mimetype();
    let is_text = kind.starts_with("text/")
        || matches!(kind, "application/json" | "application/manifest+json" | "application/xml" | "image/svg+xml");
    if is_text { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

/// Whether `If-None-Match` lists the tag, compared weakly as RFC 9110 wants it.
fn matches_etag(headers: &HeaderMap, etag: &str) -> bool {
    headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == etag || tag == "*")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
