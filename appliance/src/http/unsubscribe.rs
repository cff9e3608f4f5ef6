//! `/api/unsubscribe`: ends letters of a kind by the link in them: `docs/behaviour/notifications.md#ending-letters`.
//!
//! `POST` does it, as mail programs press their button (RFC 8058): without cookies, without the header against forgery, since
//! the token is the proof. `GET` only shows a page with a button: mail scanners follow every link.

use std::sync::Arc;

use poem::{
    Request, Response, Route,
    endpoint::make,
    http::{Method, StatusCode, header},
};

use crate::{
    app::App,
    mail::{LetterKind, unsubscribe::PATH},
};

/// Methods that the address takes.
const METHODS: &str = "GET, HEAD, POST";

/// Adds the address. It is outside of what identifies callers: it has none.
pub fn mount(route: Route, app: &Arc<App>) -> Route {
    let app = Arc::clone(app);
    route.at(PATH, make(move |request: Request| answer(Arc::clone(&app), request)))
}

async fn answer(app: Arc<App>, request: Request) -> poem::Result<Response> {
    let method = request.method().clone();
    if ![Method::GET, Method::HEAD, Method::POST].contains(&method) {
        return Ok(Response::builder().status(StatusCode::METHOD_NOT_ALLOWED).header(header::ALLOW, METHODS).finish());
    }
    let query: Vec<(String, String)> = request.params().unwrap_or_default();
    let token = query.iter().find(|(name, _)| name == "token").map_or("", |(_, token)| token.as_str());
    let Some((user, kind)) = app.accounts.mailer.open_unsubscribe(token, app.clock.wall()) else {
        return Ok(page(StatusCode::NOT_FOUND, "This link is over", &paragraph(OVER), &settings_link()));
    };
    if method != Method::POST {
        let form = format!(
            "<form method=\"post\" action=\"{PATH}?token={}\"><input type=\"hidden\" name=\"List-Unsubscribe\" \
             value=\"One-Click\"><button>Unsubscribe</button></form>",
            escaped(token)
        );
        return Ok(page(StatusCode::OK, &format!("{}?", title(kind)), &paragraph(asked(kind)), &form));
    }
    app.accounts.end_letters(user.into(), kind).await.map_err(crate::api_error::ApiError::from)?;
    Ok(page(StatusCode::OK, "Done", &paragraph(done(kind)), &settings_link()))
}

const OVER: &str =
    "This link is incomplete, or more than a year old. You can choose which emails you get in your settings.";

fn title(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Event => "Stop emails about events",
        LetterKind::Payment => "Stop payment emails",
    }
}

fn asked(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Event => {
            "You will no longer get emails about events that you signed up for: neither reminders nor changes."
        }
        LetterKind::Payment => {
            "You will no longer get receipts, nor an email when a payment fails. Your payments are listed in your settings."
        }
    }
}

fn done(kind: LetterKind) -> &'static str {
    match kind {
        LetterKind::Event => "You will get no more emails about events. Your sign-ups are unchanged.",
        LetterKind::Payment => "You will get no more emails about payments. Your plan is unchanged.",
    }
}

fn settings_link() -> String {
    "<a href=\"/app/setting/notifications\">To your settings</a>".to_owned()
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page without scripts, in the app's two looks.
fn page(status: StatusCode, title: &str, text: &str, action: &str) -> Response {
    let body = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} – Morpion</title><link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\
         <style>{STYLE}</style></head>\n<body><main><div class=\"brand\" aria-hidden=\"true\"><i>✕</i> <b>◯</b> Morpion</div>\
         <h1>{title}</h1>{text}{action}</main></body></html>\n",
        title = escaped(title),
    );
    Response::builder().status(status).content_type("text/html; charset=utf-8").body(body)
}

const STYLE: &str = "\
    :root{--paper:#fbf7ef;--raised:#fffdf8;--ink:#22252b;--soft:#595e69;--x:#c23329;--o:#1f5fa8;--accent:#e8a317;--on:#22252b}\
    @media(prefers-color-scheme:dark){:root{--paper:#1e2a2a;--raised:#263434;--ink:#f1efe6;--soft:#b9c0ba;--x:#ff8a7a;--o:#8cc4ff}}\
    *{box-sizing:border-box}\
    body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--paper);color:var(--ink);\
    font:17px/1.5 Figtree,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}\
    main{max-width:30rem;width:100%;padding:32px;border:2px solid var(--ink);border-radius:18px 14px 20px 12px;background:var(--raised)}\
    .brand{font-weight:800;font-size:1.1rem}.brand i{color:var(--x);font-style:normal}.brand b{color:var(--o)}\
    h1{margin:18px 0 8px;font-size:1.6rem;line-height:1.2;text-wrap:balance}\
    p{margin:0 0 20px;color:var(--soft)}\
    button{width:100%;min-height:48px;padding:0 24px;border:2px solid var(--ink);border-radius:14px 12px 16px 11px;\
    background:var(--accent);color:var(--on);font:inherit;font-weight:700;cursor:pointer}\
    a{color:var(--o);font-weight:650}\
    button:focus-visible,a:focus-visible{outline:3px solid var(--o);outline-offset:3px}";
