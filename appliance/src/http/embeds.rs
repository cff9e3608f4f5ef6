//! What may stand in pages of other sites, and `/oembed`, by which they find it: `docs/behaviour/embeds.md`.
//!
//! The documents below [`FOLDER`] are the only ones that others may frame. They act for nobody: they read what a visitor reads.

use std::sync::Arc;

use poem::{
    IntoResponse, Request, Response, Route,
    endpoint::make,
    http::{HeaderValue, StatusCode, header},
};
use serde_json::json;
use url::{Url, form_urlencoded::byte_serialize};
use uuid::Uuid;

use super::{ApiError, ErrorKind, convert::play::replay, request_log::request_id};
use crate::{app::App, caller::Caller, config::Config, events::error::EventError, play::error::PlayError};

/// Where oEmbed is answered.
pub const OEMBED: &str = "/oembed";

/// Below it are the documents that may be framed.
pub const FOLDER: &str = "embed/";

/// The policy of those documents: no forms, nothing from elsewhere, and any parent.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; \
    img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; object-src 'none'; frame-ancestors *";

/// What a frame is given unless less is asked for, in pixels.
const WIDTH: u32 = 480;
const REPLAY_HEIGHT: u32 = 640;
const EVENT_HEIGHT: u32 = 420;

/// Consumers may keep an answer for so long, in seconds.
const KEPT_FOR: u32 = 3_600;

/// Bytes of a share token; real ones are shorter.
const MAX_TOKEN: usize = 128;

/// A page of which a part can be embedded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Embeddable {
    Replay(String),
    Event(Uuid),
}

impl Embeddable {
    /// The one at a path: of the page itself, or of what is embedded.
    pub fn at(path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts[..] {
            ["replay", token] | ["embed", "replay", token] => {
                let is_token = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
                (is_token && token.len() <= MAX_TOKEN).then(|| Self::Replay(token.to_owned()))
            }
            ["app", "events", "view", id] | ["embed", "event", id] => id.parse().ok().map(Self::Event),
            _ => None,
        }
    }

    fn embedded_path(&self) -> String {
        match self {
            Self::Replay(token) => format!("/embed/replay/{token}"),
            Self::Event(id) => format!("/embed/event/{id}"),
        }
    }

    fn page_path(&self) -> String {
        match self {
            Self::Replay(token) => format!("/replay/{token}"),
            Self::Event(id) => format!("/app/events/view/{id}"),
        }
    }

    fn height(&self) -> u32 {
        match self {
            Self::Replay(_) => REPLAY_HEIGHT,
            Self::Event(_) => EVENT_HEIGHT,
        }
    }

    /// How consumers of oEmbed find out about it: a tag for the head of its page.
    pub fn discovery(&self, origin: &str) -> String {
        let page: String = byte_serialize(format!("{origin}{}", self.page_path()).as_bytes()).collect();
        format!(
            "<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{origin}{OEMBED}?url={page}&amp;format=json\">"
        )
    }
}

/// Lets any page frame an answer.
pub fn framed_by_anybody(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
    response
}

/// Adds the address. It is outside of what identifies callers: it answers everybody alike.
pub fn mount(route: Route, app: &Arc<App>) -> Route {
    let app = Arc::clone(app);
    let answer = make(move |request: Request| {
        let app = Arc::clone(&app);
        async move {
            let answered = oembed(&app, &request).await;
            Ok::<_, poem::Error>(answered.unwrap_or_else(|error| error.respond(request_id(&request))))
        }
    });
    route.at(OEMBED, poem::get(answer))
}

/// What a consumer asks.
struct Wish {
    url: String,
    format: String,
    max_width: u32,
    max_height: u32,
}

impl Wish {
    fn of(request: &Request) -> Result<Self, ApiError> {
        let query: Vec<(String, String)> =
            request.params().map_err(|_| ApiError::malformed("The query could not be read."))?;
        let given = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let most = |name: &'static str| match given(name) {
            None => Ok(u32::MAX),
            Some(text) => match text.parse() {
                Ok(pixels) if pixels > 0 => Ok(pixels),
                _ => Err(ApiError::malformed(format!("{name}: it has to be a number of pixels."))),
            },
        };
        Ok(Self {
            url: given("url").ok_or_else(|| ApiError::malformed("url: it is missing."))?.to_owned(),
            format: given("format").unwrap_or("json").to_owned(),
            max_width: most("maxwidth")?,
            max_height: most("maxheight")?,
        })
    }
}

async fn oembed(app: &App, request: &Request) -> Result<Response, ApiError> {
    let wish = Wish::of(request)?;
    if wish.format != "json" {
        return Ok(StatusCode::NOT_IMPLEMENTED.into_response());
    }
    let nothing = || ApiError::not_found("page");
    let part = Url::parse(&wish.url).ok().filter(|url| is_ours(&app.config, url));
    let part = part.and_then(|url| Embeddable::at(url.path())).ok_or_else(nothing)?;
    let title = title(app, &part).await?.ok_or_else(nothing)?;
    let origin = app.config.public_origin().to_string();
    let (width, height) = (WIDTH.min(wish.max_width), part.height().min(wish.max_height));
    let frame = format!(
        "<iframe src=\"{origin}{}\" width=\"{width}\" height=\"{height}\" title=\"{}\" loading=\"lazy\" style=\"border:0\" \
         allow=\"\"></iframe>",
        part.embedded_path(),
        escaped(&title)
    );
    let answer = json!({
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Morpion",
        "provider_url": origin,
        "cache_age": KEPT_FOR,
        "width": width,
        "height": height,
        "html": frame,
    });
    Ok(Response::builder().content_type("application/json; charset=utf-8").body(answer.to_string()))
}

/// Whether an address is one of this server, in whatever way it is written.
fn is_ours(config: &Config, url: &Url) -> bool {
    let own = Url::parse(&config.public_origin().to_string()).ok();
    own.is_some_and(|own| own.origin() == url.origin()) && url.username().is_empty() && url.password().is_none()
}

/// What it is called; `None` if visitors do not see it.
async fn title(app: &App, part: &Embeddable) -> Result<Option<String>, ApiError> {
    let found: Result<String, ApiError> = match part {
        Embeddable::Replay(token) => match app.play.shared_replay(token).await {
            Ok(game) => {
                let players = replay(&app.accounts.people, &game).players;
                let names: Vec<_> = players.iter().map(|player| player.display_name.as_str()).collect();
                Ok(names.join(" – "))
            }
            Err(error) => Err(PlayError::into(error)),
        },
        Embeddable::Event(id) => match app.events.event(&Caller::Visitor, (*id).into()).await {
            Ok(view) => Ok(view.row.title),
            Err(error) => Err(EventError::into(error)),
        },
    };
    match found {
        Ok(title) => Ok(Some(title)),
        // Why it is not there is nobody's business.
        Err(error) if matches!(error.kind, ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Forbidden) => {
            Ok(None)
        }
        Err(error) if error.kind == ErrorKind::NotSignedIn => Ok(None),
        Err(error) => Err(error),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_and_their_embedded_parts_are_known_by_their_paths() {
        let event = "0190f2b4-7c1a-7d2e-9a51-2f6d0c8e4b17";
        let known = [
            ("/replay/Ab_1-c", Embeddable::Replay("Ab_1-c".to_owned())),
            ("embed/replay/Ab_1-c/", Embeddable::Replay("Ab_1-c".to_owned())),
            (&format!("/app/events/view/{event}"), Embeddable::Event(event.parse().unwrap())),
            (&format!("/embed/event/{event}"), Embeddable::Event(event.parse().unwrap())),
        ];
        for (path, part) in known {
            assert_eq!(Embeddable::at(path), Some(part), "{path}");
        }
        let long = format!("/replay/{}", "a".repeat(200));
        for path in
            ["/", "/replay", "/replay/moves/a1", "/replay/a%22b", "/replay/a\"b", "/app/events/view/x", "/embed", &long]
        {
            assert_eq!(Embeddable::at(path), None, "{path}");
        }
    }

    #[test]
    fn a_page_names_its_answer() {
        let tag = Embeddable::Replay("Ab1".to_owned()).discovery("https://play.example.org");
        assert_eq!(
            tag,
            "<link rel=\"alternate\" type=\"application/json+oembed\" \
             href=\"https://play.example.org/oembed?url=https%3A%2F%2Fplay.example.org%2Freplay%2FAb1&amp;format=json\">"
        );
    }
}
