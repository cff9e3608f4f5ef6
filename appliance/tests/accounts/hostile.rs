//! Hostile input: a clear refusal, never a 500, and no effect.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Browser, PASSWORD, Server, registration};

const WRITES: &[&str] = &[
    "/api/auth/login",
    "/api/auth/register",
    "/api/auth/logout",
    "/api/auth/secure/token/refresh",
    "/api/auth/password",
    "/api/auth/sessions/revoke",
    "/api/auth/setup",
    "/api/backend/profile/update",
    "/api/backend/userprofile",
    "/api/backend/admin",
];

async fn raw(
    browser: &Browser,
    path: &str,
    content_type: &str,
    body: impl Into<reqwest::Body>,
) -> crate::support::Outcome {
    browser.send(browser.request(Method::POST, path).header("content-type", content_type).body(body)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_bodies_are_refused() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    for path in WRITES {
        for body in ["{", "[]", "null", "1", "\"text\"", "{} {}", "{\"a\":", "\u{0}", "{\"email\":\"\\ud800\"}"] {
            let outcome = raw(&browser, path, "application/json", body).await;
            assert_eq!(outcome.status, 400, "{path} {body}: {}", outcome.body);
            outcome.fails(400, "malformed");
        }
        raw(&browser, path, "application/json", vec![0xFF, 0xFE]).await.fails(400, "malformed");
        raw(&browser, path, "text/plain", "{}").await.fails(415, "not-json");
        raw(&browser, path, "application/x-www-form-urlencoded", "email=a").await.fails(415, "not-json");
        let deep = "[".repeat(60_000);
        raw(&browser, path, "application/json", deep).await.fails(400, "malformed");
        let huge = format!("{{\"email\":\"{}\"}}", "x".repeat(70_000));
        raw(&browser, path, "application/json", huge).await.fails(413, "too-large");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_unknown_and_mistyped_fields_are_named() {
    let server = Server::start().await;
    let browser = server.browser().await;
    let whole = registration("ada");
    for field in whole.as_object().unwrap().keys().filter(|field| *field != "password") {
        let mut body = whole.clone();
        body.as_object_mut().unwrap().remove(field);
        // A provider may know no username; a local account chooses one.
        let (status, code) = if field == "username" { (422, "invalid") } else { (400, "malformed") };
        let failure = browser.post("/api/auth/register", body).await.fails(status, code);
        assert!(failure.to_string().contains(field.as_str()), "{failure}");
    }
    for field in whole.as_object().unwrap().keys() {
        for wrong in [json!({}), json!([1]), json!(12), json!(true)] {
            if wrong.is_boolean() && field == "isGoogleAccount" {
                continue;
            }
            let mut body = whole.clone();
            body[field] = wrong;
            let failure = browser.post("/api/auth/register", body).await.fails(400, "malformed");
            assert!(failure["errorMessage"].as_str().unwrap().contains(field.as_str()), "{failure}");
        }
    }
    let mut body = whole.clone();
    body["isAdmin"] = json!(true);
    let failure = browser.post("/api/auth/register", body).await.fails(400, "malformed");
    assert!(failure["errorMessage"].as_str().unwrap().contains("isAdmin"), "{failure}");
    assert!(!browser.is_signed_in().await);
    let mut body = whole;
    body.as_object_mut().unwrap().remove("password");
    let failure = browser.post("/api/auth/register", body).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["password"], "Password cannot be empty");
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_texts_are_refused_or_stored_unchanged() {
    let server = Server::start().await;
    let browser = server.browser().await;
    for username in ["", "../../etc", "a'; DELETE user; --", "<b>bold</b>", "ada\u{0}", "аdа", &"x".repeat(60_000)] {
        let mut body = registration("someone");
        body["username"] = json!(username);
        let failure = browser.post("/api/auth/register", body).await.fails(422, "invalid");
        assert!(failure["fieldErrors"]["username"].is_string());
    }
    for email in ["a'--@example.org", "type::record('user')@example.org"] {
        let body = json!({ "email": email, "password": PASSWORD, "isGoogleAccount": false });
        browser.post("/api/auth/login", body).await.fails(401, "wrong-credentials");
    }
    let (browser, user) = server.registered("ada").await;
    let name = "Ada '); REMOVE TABLE user; --";
    let wish = json!({ "userId": user["userId"], "displayName": name });
    let answer = browser.write("userprofile", "update_user_profile", wish).await.ok();
    assert_eq!(answer["user"]["displayName"], name);
    assert_eq!(browser.get("/api/auth/check-login").await.ok()["user"]["displayName"], name);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_actions_are_refused() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let failure = browser.write("userprofile", "drop_everything", json!({})).await.fails(400, "unknown-action");
    let text = failure["errorMessage"].as_str().unwrap();
    assert!(text.contains("drop_everything") && text.contains("update_user_profile"), "{text}");
    browser.read("userprofile", "update_user_profile", json!({})).await.fails(400, "unknown-action");
    browser.read("userprofile", "get_user_by_id", json!({ "userId": "not an id" })).await.fails(404, "not-found");
    browser.read("userprofile", "get_user_by_id", json!([])).await.fails(400, "malformed");
    browser.read("userprofile", "find_user", json!({ "text": 7 })).await.fails(400, "malformed");
    let failure =
        browser.read("userprofile", "find_user", json!({ "text": "ada", "all": 1 })).await.fails(400, "malformed");
    assert!(failure["errorMessage"].as_str().unwrap().contains("all"));
    for query in ["", "?payload={}", "?action=find_user&payload=%7B", "?action=find_user&extra=1", "?action=a&action=b"]
    {
        let outcome = browser.get(&format!("/api/backend/userprofile{query}")).await;
        assert_eq!(outcome.status, 400, "{query}: {}", outcome.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acting_for_other_users_is_refused() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let (_, bob) = server.registered("bob").await;
    let (admin, _) = server.admin().await;
    for browser in [&ada, &admin] {
        let wish = json!({ "userId": bob["userId"], "displayName": "Mine" });
        browser.write("userprofile", "update_user_profile", wish.clone()).await.fails(403, "not-yourself");
        browser.post("/api/backend/profile/update", wish).await.fails(403, "not-yourself");
        let search = json!({ "text": "bob", "userId": bob["userId"] });
        browser.read("userprofile", "search_user_profile", search).await.fails(403, "not-yourself");
    }
    let mut unchanged = ada.read("userprofile", "get_user_by_id", json!({ "userId": bob["userId"] })).await.ok();
    assert_eq!(unchanged["user"]["displayName"].take(), Value::from("bob"));
}
