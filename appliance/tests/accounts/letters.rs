//! How many letters one recipient gets, and which: strangers cannot make the server send more.

use reqwest::StatusCode;
use serde_json::json;

use crate::{
    changes::mails_to,
    recovery::{code, code_in, mails, request, server},
    second_factor::{Timed, add_totp},
    support::{PASSWORD, credentials},
};

#[tokio::test(flavor = "multi_thread")]
async fn sign_ins_to_an_account_that_claims_an_email_send_its_owner_nothing_but_codes() {
    let (server, folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    for _ in 0..25 {
        let browser = server.browser().await;
        browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    }
    ada.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": false })).await.ok();
    // Letters to one domain are written one or two at a time: before this one all others.
    ada.post("/api/auth/email/request-code", json!({})).await.ok();
    code(&folder, 1).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(mails(&folder).len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_causes_letters_leaves_room_for_codes_and_taking_an_email_back() {
    let timed = Timed::with(|config| config.limits.codes_per_hour = 1_000.try_into().unwrap()).await;
    let (server, folder) = (&timed.server, &timed.folder);
    let (ada, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    add_totp(&timed, &ada).await;
    timed.letter("ada", "An authenticator app was added to your Morpion account").await;
    for _ in 0..150 {
        ada.post("/api/auth/second-factor/recovery-codes", json!({})).await.ok();
    }
    // Five with the one about the app.
    mails_to(folder, "ada@example.org", "Your Morpion account has new recovery codes", 4).await;
    // A stranger, too, takes only what is in nobody's reserve.
    let mut codes = 0;
    while request(&server.browser().await, "ada@example.org").await.status == StatusCode::OK {
        codes += 1;
    }
    assert_eq!(codes, 2);
    mails_to(folder, "ada@example.org", "Your code for a new Morpion password", 2).await;
    // Who knows the password takes the account over.
    let wish = json!({ "newEmail": "thief@example.org", "password": PASSWORD });
    ada.post("/api/auth/email/change/request", wish).await.ok();
    let theirs = mails_to(folder, "thief@example.org", "Your code for a new email", 1).await;
    ada.post("/api/auth/email/change/verify", json!({ "code": code_in(&theirs[0]) })).await.ok();
    mails_to(folder, "ada@example.org", "The email of your Morpion account was changed", 1).await;
    let to_ada = mails(folder).iter().filter(|mail| mail.contains("To: ada@example.org")).count();
    assert_eq!(to_ada, 8);
}
