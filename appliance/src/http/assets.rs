//! The web app, from the binary.
//!
//! [`endpoint`] serves everything that is not another route, unknown `/api` paths included: mount it as
//! `Route::new().at("/", …).at("/*path", …)`, after the routes. Files exist plain and compressed, and the client's
//! preferred encoding is sent.

use std::{collections::HashMap, convert::Infallible, sync::Arc};

use parking_lot::Mutex;
use poem::{
    Endpoint, Request, Response,
    endpoint::make,
    http::{HeaderMap, Method, StatusCode, header},
};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::{
    ApiError, ErrorKind,
    constant::{ConstantText, IsConstant, Kind, answer, tag},
    embeds::{self, Embeddable},
    encoding::Encoding,
    request_log::request_id,
};
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
/// The placeholders for what the host offers to visitors and for the name of its identity provider:
/// `webapp/src/shared/session/offered.ts`.
const OFFERS: &str = "{{offers}}";
const PROVIDER: &str = "{{provider}}";
/// Files below it have a hash of their content in the name, so they never change.
const HASHED: &str = "assets/";
/// Below it are pages of the app alone.
const PAGES: &str = "app/";
/// The paths of all pages, one a line, as the web app's routes have them: `/app/players/:username`, `/app/setting/:id?`.
const PATHS: &str = "pages.txt";
/// Below it nothing is a page (RFC 8615).
const WELL_KNOWN: &str = ".well-known/";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";
/// Stored, but revalidated each time.
const REVALIDATE: &str = "no-cache";

/// The files of `/api/docs`.
pub const API_PAGE: &str = "api-page/";

const NOT_BUILT: &str = r#"<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Morpion</title>
<h1>The web app is not built yet</h1>
<p>The server runs, and its API answers. Run <code>make web</code> in the source folder, then reload this page.</p>
</html>
"#;

/// The web app for `GET` and `HEAD`.
pub fn endpoint(config: &Config) -> impl Endpoint<Output = Response> + use<> {
    let assets = Arc::new(Assets::new(Host::of(config), WebApp::get));
    make(move |request: Request| {
        let assets = Arc::clone(&assets);
        async move { Ok::<_, Infallible>(assets.serve(&request).await) }
    })
}

/// A file of the build, compressed if there is such a variant and the client accepts it.
pub fn file(headers: &HeaderMap, name: &str, cache_control: &'static str) -> Option<Response> {
    WebApp::get(name).map(|plain| respond_with(headers, name, plain, cache_control, &WebApp::get))
}

/// What the documents say of this server.
struct Host {
    origin: String,
    /// Words with a space between them.
    offers: String,
    /// The name of the identity provider, escaped for HTML; empty without one.
    provider: String,
}

impl Host {
    fn of(config: &Config) -> Self {
        let identity = &config.identity;
        let (has_provider, is_google) = (!identity.oidc.client_id.is_empty(), identity.oidc.is_google());
        let offers = [
            ("local", identity.local.enabled),
            ("registration", identity.local.enabled && identity.registration),
            ("guests", identity.guests),
            ("oidc", has_provider && !is_google),
            ("google", has_provider && is_google),
        ];
        let offers: Vec<_> = offers.into_iter().filter_map(|(word, is_offered)| is_offered.then_some(word)).collect();
        let provider = if has_provider { escaped(&identity.oidc.label()) } else { String::new() };
        Self { origin: config.public_origin().to_string(), offers: offers.join(" "), provider }
    }

    fn fill(&self, template: &str) -> String {
        template.replace(ORIGIN, &self.origin).replace(OFFERS, &self.offers).replace(PROVIDER, &self.provider)
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The files, and the texts in which the host is filled in.
struct Assets<F> {
    host: Host,
    file: F,
    /// By their names.
    texts: Mutex<HashMap<String, Filled>>,
}

/// A text, and the hash of the template that it was made of.
struct Filled {
    template: [u8; 32],
    text: Arc<ConstantText>,
}

impl<F: Fn(&str) -> Option<EmbeddedFile>> Assets<F> {
    fn new(host: Host, file: F) -> Self {
        Self { host, file, texts: Mutex::default() }
    }

    async fn serve(&self, request: &Request) -> Response {
        let mut found = match self.find(request) {
            Found::Answer(response) => response,
            Found::Text(text) => text.answer(request.headers()).await,
            Found::Embedded(text) => embeds::framed_by_anybody(text.answer(request.headers()).await),
            // The app says so, too, once it has loaded.
            Found::NoPage(text) => {
                let mut response = text.answer(request.headers()).await;
                if response.status().is_success() {
                    response.set_status(StatusCode::NOT_FOUND);
                }
                response
            }
        };
        // A response to `HEAD` keeps its content length.
        if request.method() == Method::HEAD {
            found.set_body(());
        }
        found
    }

    fn find(&self, request: &Request) -> Found {
        let request_id = request_id(request);
        if request.method() != Method::GET && request.method() != Method::HEAD {
            let error = ApiError::new(ErrorKind::WrongMethod, "method-not-allowed", "Only GET and HEAD work here.");
            let mut response = error.respond(request_id);
            response.headers_mut().insert(header::ALLOW, header::HeaderValue::from_static("GET, HEAD"));
            return Found::Answer(response);
        }
        let path = request.uri().path().trim_start_matches('/');
        if path == "api" || path.starts_with("api/") {
            return Found::Answer(ApiError::not_found("route").respond(request_id));
        }
        // The compressed variants are served under the plain name, not as files of their own, and what the API's page needs
        // has addresses there.
        let is_file =
            !path.is_empty() && !path.ends_with(".br") && !path.ends_with(".gz") && !path.starts_with(API_PAGE);
        match (self.file)(path).filter(|_| is_file) {
            Some(plain) if names_the_origin(path) => Found::Text(self.text(path, &plain)),
            Some(plain) => {
                let cache_control = if path.starts_with(HASHED) { IMMUTABLE } else { REVALIDATE };
                Found::Answer(respond_with(request.headers(), path, plain, cache_control, &self.file))
            }
            None if !is_navigation(path, request.headers()) => {
                Found::Answer(ApiError::not_found("file").respond(request_id))
            }
            None => match documents(path).find_map(|name| Some(((self.file)(&name)?, name))) {
                Some((plain, name)) if self.is_page(path) && name.starts_with(embeds::FOLDER) => {
                    Found::Embedded(self.text(&name, &plain))
                }
                Some((plain, name)) if self.is_page(path) => match Embeddable::at(path) {
                    Some(part) => Found::Answer(self.with_discovery(&plain, &part)),
                    None => Found::Text(self.text(&name, &plain)),
                },
                Some((plain, name)) => Found::NoPage(self.text(&name, &plain)),
                None => Found::Answer(
                    Response::builder()
                        .status(StatusCode::SERVICE_UNAVAILABLE)
                        .content_type("text/html; charset=utf-8")
                        .extension(IsConstant)
                        .body(NOT_BUILT),
                ),
            },
        }
    }

    /// Whether the web app has a page at this path, as far as a build says.
    fn is_page(&self, path: &str) -> bool {
        let Some(paths) = (self.file)(PATHS) else { return true };
        let paths = String::from_utf8_lossy(&paths.data);
        paths.lines().any(|pattern| fits(pattern, path))
    }

    /// The document of a page that names, in its head, what of it can be embedded. It has no tag, so that it is compressed as
    /// other answers are that are made for each request.
    fn with_discovery(&self, template: &EmbeddedFile, part: &Embeddable) -> Response {
        let filled = self.host.fill(&String::from_utf8_lossy(&template.data));
        let text = filled.replacen("</head>", &format!("{}</head>", part.discovery(&self.host.origin)), 1);
        Response::builder()
            .header(header::CACHE_CONTROL, REVALIDATE)
            .header(header::CONTENT_LENGTH, text.len())
            .content_type(content_type(template))
            .body(text)
    }

    /// A text with the host filled in, made anew when the template changes.
    fn text(&self, name: &str, template: &EmbeddedFile) -> Arc<ConstantText> {
        let hash = template.metadata.sha256_hash();
        let mut texts = self.texts.lock();
        match texts.get(name) {
            Some(filled) if filled.template == hash => Arc::clone(&filled.text),
            _ => {
                let filled = self.host.fill(&String::from_utf8_lossy(&template.data));
                let kind = Kind { content_type: content_type(template).into(), cache_control: REVALIDATE };
                let text = Arc::new(ConstantText::new(kind, filled));
                texts.insert(name.to_owned(), Filled { template: hash, text: Arc::clone(&text) });
                text
            }
        }
    }
}

enum Found {
    Answer(Response),
    Text(Arc<ConstantText>),
    /// One that may stand in pages of other sites.
    Embedded(Arc<ConstantText>),
    /// A document for a path at which there is no page.
    NoPage(Arc<ConstantText>),
}

/// Whether a path fits a route's: `:name` is any part, and one that ends with `?` may be missing.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, path) = (parts(pattern), parts(path));
    let needed = pattern.iter().filter(|part| !part.ends_with('?')).count();
    (needed..=pattern.len()).contains(&path.len())
        && pattern.iter().zip(&path).all(|(known, given)| known.starts_with(':') || known.eq_ignore_ascii_case(given))
}

fn parts(path: &str) -> Vec<&str> {
    path.split('/').filter(|part| !part.is_empty()).collect()
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

/// The best representation of a file: compressed if the client accepts it, empty if the client has it.
fn respond_with(
    headers: &HeaderMap,
    name: &str,
    plain: EmbeddedFile,
    cache_control: &'static str,
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
    let tag = tag(&chosen.metadata.sha256_hash());
    let kind = Kind { content_type: content_type.into(), cache_control };
    answer(headers, &kind, encoding, &tag, chosen.data.into())
}

fn content_type(file: &EmbeddedFile) -> String {
    let kind = file.metadata.mimetype();
    let is_text = kind.starts_with("text/")
        || matches!(kind, "application/json" | "application/manifest+json" | "application/xml" | "image/svg+xml");
    if is_text { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

#[cfg(test)]
mod tests;
