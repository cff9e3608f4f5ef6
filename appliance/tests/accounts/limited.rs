//! Rate limits.

use std::{net::IpAddr, time::Instant};

use reqwest::Method;
use serde_json::json;

use crate::support::{PASSWORD, Server, credentials, registration};

const WRONG: &str = "Wrong-Horse-8";

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_passwords_block_known_and_unknown_emails_for_a_minute() {
    let server = Server::start().await;
    server.registered("ada").await;
    for email in ["ada@example.org", "nobody@example.org"] {
        let browser = server.browser().await;
        for _ in 0..5 {
            browser.post("/api/auth/login", credentials(email, WRONG)).await.fails(401, "wrong-credentials");
        }
        // Even the right password is refused now.
        let outcome = browser.post("/api/auth/login", credentials(email, PASSWORD)).await;
        assert!((1..=60).contains(&outcome.retry_after.unwrap()), "{:?}", outcome.retry_after);
        outcome.fails(429, "too-many-failed-sign-ins");
    }
    // These were ten from this address.
    let outcome = server.browser().await.post("/api/auth/login", credentials("third@example.org", WRONG)).await;
    outcome.fails(429, "too-many-failed-sign-ins");
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_attempts_do_not_bypass_the_limit() {
    let server = Server::start().await;
    server.registered("ada").await;
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let browser = server.browser().await;
        tries.spawn(async move { browser.post("/api/auth/login", credentials("ada@example.org", WRONG)).await.status });
    }
    let statuses = tries.join_all().await;
    assert_eq!(statuses.iter().filter(|status| **status == 401).count(), 5, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 15, "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn under_attack_only_unknown_devices_are_slowed_down() {
    let server = Server::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
        config.limits.failed_sign_ins_slow_down = 2;
        config.limits.failed_sign_ins_per_account = 3.try_into().unwrap();
    })
    .await;
    let (owner, _) = server.registered("ada").await;
    owner.post("/api/auth/logout", json!({})).await.ok();
    let attacker = server.browser().await;
    for host in 1..=3 {
        let wrong =
            attacker.request(Method::POST, "/api/auth/login").header("x-forwarded-for", format!("192.0.2.{host}"));
        attacker.send(wrong.json(&credentials("ada@example.org", WRONG))).await.fails(401, "wrong-credentials");
    }
    let begun = Instant::now();
    owner.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let known = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    server.browser().await.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let unknown = begun.elapsed().as_secs_f64();
    assert!(known < 2.0 && unknown >= 2.0, "{known} {unknown}");
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_from_one_address_are_limited() {
    let server = Server::with(|config| config.limits.registrations_per_hour = 2.try_into().unwrap()).await;
    for name in ["ada", "bob"] {
        server.registered(name).await;
    }
    let outcome = server.browser().await.post("/api/auth/register", registration("cleo")).await;
    assert!(outcome.retry_after.unwrap() > 60);
    outcome.fails(429, "too-many-requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_the_login_page_takes_no_tries() {
    let server = Server::with(|config| {
        config.limits.sign_ins_per_minute = 2.try_into().unwrap();
        config.limits.passkey_options_per_minute = 3.try_into().unwrap();
    })
    .await;
    let (ada, _) = server.registered("ada").await;
    ada.post("/api/auth/logout", json!({})).await.ok();
    let browser = server.browser_at("localhost");
    browser.get("/api/auth/check-login").await.ok();
    for _ in 0..3 {
        browser.post("/api/auth/passkey/options", json!({})).await.ok();
    }
    browser.post("/api/auth/passkey/options", json!({})).await.fails(429, "too-many-requests");
    browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_are_limited_per_user() {
    let server = Server::with(|config| config.limits.searches_per_minute = 2.try_into().unwrap()).await;
    let (browser, _) = server.registered("ada").await;
    for _ in 0..2 {
        browser.read("userprofile", "search_user", json!({ "text": "ad" })).await.ok();
    }
    browser.read("userprofile", "search_user", json!({ "text": "ad" })).await.fails(429, "too-many-requests");
    let (other, _) = server.registered("bob").await;
    other.read("userprofile", "search_user", json!({ "text": "ad" })).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forwarding_header_is_used_only_from_a_trusted_proxy() {
    for (trusted, seen) in [(false, "127.0.0.1"), (true, "198.51.100.7")] {
        let server = Server::with(|config| {
            if trusted {
                config.server.trusted_proxies =
                    ["127.0.0.1", "10.0.0.9"].map(|ip| ip.parse::<IpAddr>().unwrap().into()).to_vec();
            }
        })
        .await;
        let browser = server.browser().await;
        let request = browser
            .request(Method::POST, "/api/auth/register")
            // The first is forged by the client, the second is the client, the third our own proxy.
            .header("x-forwarded-for", "203.0.113.1, 198.51.100.7:4711, 10.0.0.9");
        browser.send(request.json(&registration("ada"))).await.ok();
        let sessions = browser.get("/api/auth/sessions").await.ok();
        assert_eq!(sessions["sessions"][0]["address"], seen);
    }
}
