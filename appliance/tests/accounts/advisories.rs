//! Classes of vulnerabilities that comparable programs had, each as a test of what happens here.

use serde_json::json;

use crate::{
    recovery::{code, server},
    support::{PASSWORD, Server, credentials, registration},
};

/// Codes of six digits can be guessed when their tries are counted for something that the attacker can make again: an
/// account, a session, an address.
#[tokio::test(flavor = "multi_thread")]
async fn code_guessing_across_reregistration() {
    let (server, folder) = server().await;
    let mut tries = 0;
    let mut letter = 0;
    let refused = loop {
        let eve = server.browser().await;
        let mut wish = registration(&format!("eve{letter}"));
        wish["email"] = json!("victim@example.org");
        eve.post("/api/auth/register", wish).await.ok();
        eve.post("/api/auth/email/request-code", json!({})).await.ok();
        letter += 1;
        let right = code(&folder, letter).await;
        for number in 1..=5 {
            let guess = 100_000 + (right - 100_000 + number) % 900_000;
            let outcome = eve.post("/api/auth/email/verify", json!({ "code": guess })).await;
            if outcome.status == 429 {
                break;
            }
            outcome.fails(422, "wrong-code");
            tries += 1;
        }
        if tries % 5 != 0 || tries >= 20 {
            let outcome = eve.post("/api/auth/email/verify", json!({ "code": right })).await;
            break (outcome, eve);
        }
        eve.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    };
    assert_eq!(tries, 20, "in a day, whatever the account");
    refused.0.fails(429, "too-many-requests");
    assert_eq!(refused.1.get("/api/auth/check-login").await.ok()["user"]["emailVerified"], false);
}

/// An account that an attacker made before with the victim's email must not become the victim's, with the attacker's
/// password still working: 'pre-hijacking'.
#[tokio::test(flavor = "multi_thread")]
async fn pre_hijack_by_an_unverified_email() {
    let (server, folder) = server().await;
    let attacker = server.browser().await;
    let mut wish = registration("attacker");
    wish["email"] = json!("victim@example.org");
    let user =
        attacker.post("/api/auth/register", wish).await.ok()["user"]["userId"].as_str().unwrap().parse().unwrap();
    // Another way in, which must not outlive the recovery.
    assert!(server.app.store.set_totp(user, "encrypted", 0, &["code".to_owned()]).await.unwrap());
    // The victim recovers what seems to be their account: sessions and password of the attacker end.
    let victim = server.browser().await;
    crate::recovery::request(&victim, "victim@example.org").await.ok();
    crate::recovery::validate(&victim, "victim@example.org", code(&folder, 1).await).await.ok();
    crate::recovery::update(&victim, "victim@example.org", "Another-Horse-8").await.ok();
    assert_eq!(attacker.get("/api/auth/check-login").await.ok()["isLogIn"], false);
    attacker.post("/api/auth/login", credentials("victim@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    victim.post("/api/auth/login", credentials("victim@example.org", "Another-Horse-8")).await.ok();
    let device = morpion_appliance::account::token::hash(&attacker.cookie("morpion_device").unwrap());
    assert!(!server.app.store.is_known_device(user, &device).await.unwrap(), "the attacker's browser is unknown again");
}

/// A session that was copied goes on working after a sign-out where sessions are only forgotten by the browser.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_not_work_after_logout() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let copy = server.fresh_browser();
    copy.set_cookie(&format!("morpion_session={}", ada.cookie("morpion_session").unwrap()));
    assert_eq!(copy.get("/api/auth/check-login").await.ok()["isLogIn"], true);
    ada.post("/api/auth/logout", json!({})).await.ok();
    assert_eq!(copy.get("/api/auth/check-login").await.ok()["isLogIn"], false);
    copy.get("/api/auth/sessions").await.fails(401, "not-signed-in");
}
