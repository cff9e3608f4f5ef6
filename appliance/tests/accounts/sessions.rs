//! Sessions: listing, revoking, refreshing.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    recovery::{mails, server},
    support::{Browser, PASSWORD, Server, credentials},
};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

#[tokio::test(flavor = "multi_thread")]
async fn users_can_list_and_end_their_own_sessions() {
    let server = Server::start().await;
    let (here, _) = server.registered("ada").await;
    let elsewhere = server.browser().await;
    let login = elsewhere.request(Method::POST, "/api/auth/login").header("user-agent", FIREFOX);
    elsewhere.send(login.json(&credentials("ada@example.org", PASSWORD))).await.ok();
    let list = here.get("/api/auth/sessions").await.ok();
    let sessions = list["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    let other = sessions.iter().find(|session| session["isCurrent"] == false).unwrap();
    assert_eq!((&other["device"], &other["address"]), (&json!("Firefox on Linux"), &json!("127.0.0.1")));
    assert!(!list.to_string().contains(&elsewhere.cookie("morpion_session").unwrap()), "no secrets in it");

    let mut closures = server.app.accounts.closures();
    let id = json!({ "sessionId": other["sessionId"] });
    let (stranger, _) = server.registered("eve").await;
    stranger.post("/api/auth/sessions/revoke", id.clone()).await.fails(404, "not-found");
    here.post("/api/auth/sessions/revoke", json!({ "sessionId": "nonsense" })).await.fails(404, "not-found");
    here.post("/api/auth/sessions/revoke", id.clone()).await.ok();
    here.post("/api/auth/sessions/revoke", id).await.fails(404, "not-found");
    assert!(here.is_signed_in().await && !elsewhere.is_signed_in().await);
    let closed = tokio::time::timeout(Duration::from_secs(5), closures.recv()).await.unwrap().unwrap();
    assert_eq!(Value::from(closed.session_id.to_string()), other["sessionId"]);
    server.browser().await.get("/api/auth/sessions").await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_rotates_the_token_and_a_lost_response_signs_nobody_out() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let old = browser.cookie("morpion_session").unwrap();
    let put_back = || browser.set_cookie(&format!("morpion_session={old}; Path=/"));
    browser.post("/api/auth/secure/token/refresh", json!({})).await.ok();
    let lost = browser.cookie("morpion_session").unwrap();
    assert_ne!(lost, old);
    // The response was lost: the browser still has the old token and refreshes again.
    put_back();
    assert!(browser.is_signed_in().await);
    browser.post("/api/auth/secure/token/refresh", json!({})).await.ok();
    let new = browser.cookie("morpion_session").unwrap();
    assert_eq!(new, lost, "whichever answer arrives, it is the same token");
    assert!(browser.is_signed_in().await, "the new one was used now");
    // A second tab refreshes with the old token: it succeeds without a third token.
    put_back();
    assert!(browser.is_signed_in().await);
    let outcome = browser.post("/api/auth/secure/token/refresh", json!({})).await;
    assert_eq!(outcome.cookie("morpion_session"), None);
    outcome.ok();
    assert_eq!(browser.get("/api/auth/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_needs_a_session() {
    let server = Server::start().await;
    server.browser().await.post("/api/auth/secure/token/refresh", json!({})).await.fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_again_ends_the_browsers_previous_session() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    for _ in 0..3 {
        browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    }
    assert_eq!(browser.get("/api/auth/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_refreshes_leave_one_working_session() {
    let server = Server::start().await;
    let (browser, _) = server.registered("ada").await;
    let refresh = || browser.post("/api/auth/secure/token/refresh", json!({}));
    let (first, second, third) = tokio::join!(refresh(), refresh(), refresh());
    for outcome in [first, second, third] {
        outcome.ok();
    }
    assert!(browser.is_signed_in().await);
    assert_eq!(browser.get("/api/auth/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_out_everywhere_ends_all_sessions_or_all_others_and_tells_the_owner() {
    let (server, folder) = server().await;
    let (here, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    let (eve, _) = server.registered("eve").await;
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let everywhere = async |browser: &Browser, include_current: bool| {
        browser.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": include_current })).await
    };
    server
        .browser()
        .await
        .post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": true }))
        .await
        .fails(401, "not-signed-in");
    here.post("/api/auth/sessions/revoke-all", json!({})).await.fails(400, "malformed");

    assert_eq!(everywhere(&here, false).await.ok()["revoked"], 1);
    assert!(here.is_signed_in().await && !elsewhere.is_signed_in().await && eve.is_signed_in().await);
    assert_eq!(everywhere(&here, false).await.ok()["revoked"], 0, "there are no others left");
    let list = here.get("/api/auth/sessions").await.ok();
    let expires = list["sessions"][0]["expiresAt"].as_str().unwrap();
    assert!(expires > list["sessions"][0]["lastUsedAt"].as_str().unwrap(), "{list}");

    let outcome = everywhere(&here, true).await;
    assert!(outcome.cookie("morpion_session").is_some(), "the cookie is taken away");
    assert_eq!(outcome.ok()["revoked"], 1);
    assert!(!here.is_signed_in().await && eve.is_signed_in().await);
    let told = |text: &str| mails(&folder).iter().filter(|mail| mail.contains(text)).count();
    for _ in 0..100 {
        if told("Subject: Your Morpion account was signed out everywhere") == 2 {
            return assert_eq!(told("Every other device was signed out of the account ada"), 1);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", mails(&folder));
}
