//! Cookies: of whatever a browser sends, a session or device is a token as we issue them, or nothing, and a session that
//! nobody was given signs nobody in.

use std::sync::Arc;

use morpion_appliance::{account::cookies::Cookies, app::App, caller::Caller};
use poem::{
    Endpoint, EndpointExt, Request,
    endpoint::make_sync,
    http::HeaderValue,
    middleware::CookieJarManager,
    web::{Json, cookie::CookieJar},
};
use tokio::runtime::Runtime;

use crate::{runner::Target, support::Server};

const TOKENS: &[&str] = &[
    "morpion_session=",
    "__Host-morpion_session=",
    "morpion_device=",
    "__Host-morpion_device=",
    "XSRF-TOKEN=",
    "; ",
    ";",
    "=",
    "\"",
    " ",
    "\t",
    "%00",
    "%3D",
    "%2",
    "$Version=1",
    "\n",
    ",",
    "\u{e9}",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
];

#[test]
fn a_cookie_is_a_token_or_nothing() {
    let runtime = Runtime::new().unwrap();
    let apps = [None, Some("https://morpion.example")].map(|url| {
        let server = Server::with(|config| config.server.public_url = url.map(|url| url.parse().unwrap()));
        runtime.block_on(server).app
    });
    Target { name: "cookies", tokens: TOKENS, ..Target::default() }.run(|input| {
        // Each line is a header of its own.
        let values = input.split(|byte| *byte == b'\n').filter_map(|line| HeaderValue::from_bytes(line).ok());
        let values: Vec<_> = values.collect();
        for app in &apps {
            let mut request = Request::default();
            for value in &values {
                request.headers_mut().append("cookie", value.clone());
            }
            let reader = Arc::clone(app);
            let endpoint = make_sync(move |request| tokens(&reader, request.cookie())).with(CookieJarManager::new());
            runtime.block_on(async {
                let response = endpoint.call(request).await.unwrap();
                let tokens: Vec<String> = response.into_body().into_json().await.unwrap();
                for token in tokens {
                    assert!((40..=128).contains(&token.len()), "{token:?}");
                    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
                    assert!(token.bytes().all(is_plain), "{token:?}");
                    let found = app.accounts.sessions().find(&token, app.clock.steady()).await.unwrap();
                    assert!(found.is_none(), "{token:?} signs in");
                }
            });
        }
    });
}

/// The session and the device of a request, which then gets what it lacks.
fn tokens(app: &App, jar: &CookieJar) -> Json<Vec<String>> {
    let cookies = Cookies::new(&app.accounts, jar);
    let tokens = [cookies.session(), cookies.device()].into_iter().flatten().collect();
    cookies.ensure_csrf_token(&Caller::Visitor);
    Json(tokens)
}
