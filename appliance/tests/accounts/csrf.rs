//! Protection against pages of other sites and other host names.

use reqwest::Method;
use serde_json::json;

use crate::support::{PASSWORD, Server, credentials, registration};

#[tokio::test(flavor = "multi_thread")]
async fn every_change_needs_the_csrf_token() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    for path in ["/api/auth/logout", "/api/auth/secure/token/refresh", "/api/backend/userprofile", "/api/backend/game"]
    {
        let bare = browser.bare(Method::POST, path).json(&json!({}));
        browser.send(bare).await.fails(403, "missing-forgery-token");
        // What the path does not take is refused before.
        for method in [Method::PUT, Method::DELETE, Method::PATCH] {
            browser.send(browser.bare(method, path).json(&json!({}))).await.fails(405, "method-not-allowed");
        }
        for token in ["", "nonsense", &"A".repeat(64), "ä"] {
            let request = browser.bare(Method::POST, path).header("x-xsrf-token", token).json(&json!({}));
            browser.send(request).await.fails(403, "bad-forgery-token");
        }
    }
    assert!(browser.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_csrf_token_of_another_session_is_refused() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let (bob, _) = server.registered("bob").await;
    let of_bob = bob.cookie("XSRF-TOKEN").unwrap();
    let planted = ada.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", of_bob).json(&json!({}));
    ada.send(planted).await.fails(403, "bad-forgery-token");
    // A visitor's token does not work for another visitor, nor after signing in.
    let (visitor, other) = (server.browser().await, server.browser().await);
    let before = visitor.cookie("XSRF-TOKEN").unwrap();
    let login = other
        .bare(Method::POST, "/api/auth/login")
        .header("x-xsrf-token", &before)
        .json(&credentials("ada@example.org", PASSWORD));
    other.send(login).await.fails(403, "bad-forgery-token");
    visitor.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let after = visitor.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", &before).json(&json!({}));
    visitor.send(after).await.fails(403, "bad-forgery-token");
    visitor.post("/api/auth/logout", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_needs_a_csrf_token_before_it_can_sign_in() {
    let server = Server::start().await;
    let browser = server.fresh_browser();
    browser.post("/api/auth/login", credentials("a@example.org", PASSWORD)).await.fails(403, "missing-forgery-token");
    browser.get("/api/auth/check-login").await.ok();
    browser.post("/api/auth/login", credentials("a@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_csrf_token_survives_refreshes() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let token = browser.cookie("XSRF-TOKEN").unwrap();
    browser.post("/api/auth/secure/token/refresh", json!({})).await.ok();
    let request = browser.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", token).json(&json!({}));
    browser.send(request).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn other_origins_are_refused_even_with_the_token() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let token = browser.cookie("XSRF-TOKEN").unwrap();
    let port = server.address.port();
    let origins = [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1.evil.example:{port}"),
    ];
    for origin in origins {
        let request = browser.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", &token);
        browser.send(request.header("origin", &origin).json(&json!({}))).await.fails(403, "bad-origin");
    }
    for site in ["cross-site", "same-site"] {
        let request = browser.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", &token);
        browser.send(request.header("sec-fetch-site", site).json(&json!({}))).await.fails(403, "bad-origin");
    }
    assert!(browser.is_signed_in().await);
    let localhost = browser.bare(Method::POST, "/api/auth/logout").header("x-xsrf-token", &token);
    browser.send(localhost.header("origin", format!("http://localhost:{port}")).json(&json!({}))).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_websocket_of_another_origin_is_refused() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let handshake = |origin: &str| {
        browser
            .bare(Method::GET, "/api/backend/realtime")
            .header("connection", "upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("origin", origin)
    };
    browser.send(handshake("http://evil.example")).await.fails(403, "bad-origin");
    let opened = handshake(&format!("http://{}", server.address)).send().await.unwrap();
    assert_eq!(opened.status(), 101);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_host_names_are_refused() {
    let server = Server::start().await;
    let browser = server.browser().await;
    for host in ["evil.example", &format!("evil.example:{}", server.address.port()), "127.0.0.1:1"] {
        let request = browser.bare(Method::GET, "/api/auth/check-login").header("host", host);
        browser.send(request).await.fails(403, "bad-host");
    }
    let request = browser.bare(Method::GET, "/api/auth/check-login");
    browser.send(request.header("host", format!("localhost:{}", server.address.port()))).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_by_get_needs_the_csrf_token_too() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    for query in ["action=delete_event&payload=%7B%7D", "action=delete%5Fevent", "x=1&action=delete_event"] {
        let path = format!("/api/backend/event?{query}");
        browser.send(browser.bare(Method::GET, &path)).await.fails(403, "missing-forgery-token");
        let evil = browser.bare(Method::GET, &path).header("origin", "http://evil.example");
        browser.send(evil.header("x-xsrf-token", browser.cookie("XSRF-TOKEN").unwrap())).await.fails(403, "bad-origin");
        let refused = browser.get(&path).await.body["errorCode"].clone();
        assert!(refused != "missing-forgery-token" && refused != "bad-origin", "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn webhooks_need_no_csrf_token() {
    let server = Server::start().await;
    let browser = server.fresh_browser();
    for path in ["/api/backend/stripe/webhook", "/api/backend/stripe/webhook/"] {
        let request = browser.bare(Method::POST, path).header("content-type", "text/plain").body("{}");
        assert_ne!(browser.send(request).await.status, 403);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_an_expired_session_the_browser_can_sign_in_again() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    browser.set_cookie(&format!("morpion_session={}; Path=/", "A".repeat(43)));
    let login = credentials("ada@example.org", PASSWORD);
    browser.post("/api/auth/login", login.clone()).await.fails(403, "bad-forgery-token");
    assert!(!browser.is_signed_in().await);
    assert_eq!(browser.cookie("morpion_session"), None, "check-login cleared it");
    browser.post("/api/auth/login", login).await.ok();
    assert!(browser.is_signed_in().await);
    browser.post("/api/auth/register", registration("eve")).await.ok();
}
