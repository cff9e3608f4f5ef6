//! Verifying an email.

use serde_json::{Value, json};

use crate::{
    recovery::{code, mails, server},
    support::{Browser, Outcome, PASSWORD, credentials, registration},
};

async fn request(browser: &Browser, body: Value) -> Outcome {
    browser.post("/api/auth/email/request-code", body).await
}

async fn verify(browser: &Browser, code: u32) -> Outcome {
    browser.post("/api/auth/email/verify", json!({ "code": code })).await
}

async fn me(browser: &Browser) -> Value {
    browser.get("/api/auth/check-login").await.ok()["user"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_verifies_the_own_email_once() {
    let (server, folder) = server().await;
    let (ada, user) = server.registered("ada").await;
    assert_eq!(user["emailVerified"], false);
    request(&ada, json!({})).await.ok();
    let right = code(&folder, 1).await;
    assert!(mails(&folder)[0].contains("Subject: Confirm your email for Morpion"));
    let wrong = if right == 999_999 { 100_000 } else { right + 1 };
    verify(&ada, wrong).await.fails(422, "wrong-code");
    let failure = verify(&ada, 99_999).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["code"], "code need to be 6 digit");
    verify(&ada, right).await.ok();
    assert_eq!(me(&ada).await["emailVerified"], true);
    verify(&ada, right).await.fails(422, "wrong-code");
    request(&ada, json!({})).await.fails(409, "already-verified");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_works_only_for_the_account_that_requested_it() {
    let (server, folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    let (eve, _) = server.registered("eve").await;
    request(&ada, json!({})).await.ok();
    verify(&eve, code(&folder, 1).await).await.fails(422, "wrong-code");
    let visitor = server.browser().await;
    request(&visitor, json!({})).await.fails(401, "not-signed-in");
    verify(&visitor, 123_456).await.fails(401, "not-signed-in");
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    request(&guest, json!({ "email": "guest@example.org" })).await.fails(403, "guest");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_codes_can_be_requested_per_hour() {
    let (server, _folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    for _ in 0..3 {
        request(&ada, json!({})).await.ok();
    }
    request(&ada, json!({})).await.fails(429, "too-many-requests");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unverified_email_reserves_nothing() {
    let (server, folder) = server().await;
    let claim = |username: &str| {
        let mut wish = registration(username);
        wish["email"] = json!("shared@example.org");
        wish
    };
    let first = server.browser().await;
    first.post("/api/auth/register", claim("first")).await.ok();
    let second = server.browser().await;
    second.post("/api/auth/register", claim("second")).await.ok();
    request(&second, json!({})).await.ok();
    verify(&second, code(&folder, 1).await).await.ok();

    // The account that only claimed it has to give another one.
    assert_eq!((&me(&first).await["email"], me(&first).await["emailVerified"].clone()), (&json!(""), json!(false)));
    request(&first, json!({})).await.fails(409, "no-email");
    request(&first, json!({ "email": "SHARED@example.org" })).await.fails(409, "email-taken");
    request(&first, json!({ "email": "not an email" })).await.fails(422, "invalid");
    request(&first, json!({ "email": "other@example.org" })).await.ok();
    verify(&first, code(&folder, 2).await).await.ok();
    assert_eq!(me(&first).await["email"], "other@example.org");
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("other@example.org", PASSWORD)).await.ok();
    // A verified email stays taken.
    let third = server.browser().await;
    third.post("/api/auth/register", claim("third")).await.fails(409, "email-taken");
}
