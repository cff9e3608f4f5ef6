//! Changes of an account and the emails about them: username, email, password, new devices, deletion.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{EmailUndo, NewSession, Rename};
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{
    providers,
    recovery::{NEW_PASSWORD, code_in, mails, server},
    support::{Browser, Outcome, PASSWORD, Server, credentials, registration},
};

async fn found(browser: &Browser, name: &str) -> Value {
    browser.read("userprofile", "find_user", json!({ "text": name })).await.ok()["user"]["userId"].clone()
}

async fn me(browser: &Browser) -> Value {
    browser.get("/api/auth/check-login").await.ok()["user"].clone()
}

/// The emails to this address with this subject, once there are this many; waits a moment for unexpected ones.
pub async fn mails_to(folder: &TempDir, email: &str, subject: &str, number: usize) -> Vec<String> {
    let is_meant =
        |mail: &String| mail.contains(&format!("To: {email}")) && mail.contains(&format!("Subject: {subject}"));
    let mut found = vec![];
    for _ in 0..200 {
        found = mails(folder).into_iter().filter(is_meant).collect();
        if found.len() >= number {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(found.len(), number, "letters '{subject}' to {email}: {:#?}", mails(folder));
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_username_changes_every_30_days_and_the_old_one_redirects() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let (bob, _) = server.registered("bob").await;
    assert_eq!((&user["hasPassword"], user.get("usernameChangeableAt")), (&json!(true), None));
    let rename = async |browser: &Browser, name: &str| {
        browser.post("/api/backend/profile/update", json!({ "username": name })).await
    };
    let renamed = rename(&ada, "Lovelace").await.ok()["user"].clone();
    assert_eq!((&renamed["username"], &renamed["displayName"]), (&json!("Lovelace"), &json!("Lovelace")));
    let again: DateTime<Utc> = renamed["usernameChangeableAt"].as_str().unwrap().parse().unwrap();
    assert!((again - Utc::now() - TimeDelta::days(30)).abs() < TimeDelta::minutes(5), "{again}");
    let refused = rename(&ada, "countess").await.fails(409, "username-cooldown");
    let day = again.format("%-d %B %Y").to_string();
    assert_eq!(refused["errorMessage"], format!("You can change your username again on {day}."));
    assert_eq!(refused["fieldErrors"]["username"], refused["errorMessage"]);
    // A change of case is not another name.
    rename(&ada, "LOVELACE").await.ok();

    // The old one redirects to its owner, is taken for others, and is not listed twice.
    assert_eq!(
        (found(&bob, "ADA").await, found(&bob, "lovelace").await),
        (user["userId"].clone(), user["userId"].clone())
    );
    rename(&bob, "Ada").await.fails(409, "username-taken");
    let stranger = server.browser().await;
    stranger.post("/api/auth/register", registration("ada")).await.fails(409, "username-taken");
    let search = bob.read("userprofile", "search_user", json!({ "text": "lovelace" })).await.ok();
    assert_eq!(search["users"].as_array().unwrap().len(), 1);
    let (admin, _) = server.admin().await;
    let listed = admin.read("admin", "list_users", json!({})).await.ok();
    assert_eq!(listed["pagination"]["totalCount"], 3);

    // 30 days later the owner can take it back.
    let now = Utc::now() + TimeDelta::days(31);
    let rename = Rename {
        username: "ada".to_owned(),
        now,
        not_since: now - TimeDelta::days(30),
        kept_until: now + TimeDelta::days(90),
    };
    let change = morpion_store::ProfileChange { username: Some(rename), ..Default::default() };
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    server.app.store.update_profile(id, change).await.unwrap();
    assert_eq!(
        (found(&bob, "ada").await, found(&bob, "lovelace").await),
        (user["userId"].clone(), user["userId"].clone())
    );
    // After 90 days the reserved name is free.
    server.app.store.purge_former_names(now + TimeDelta::days(91)).await.unwrap();
    bob.read("userprofile", "find_user", json!({ "text": "lovelace" })).await.fails(404, "not-found");
    stranger.post("/api/auth/register", registration("lovelace")).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn sending_the_whole_user_object_changes_only_allowed_fields() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let update = |wish: Value| ada.post("/api/backend/profile/update", wish);
    let mut whole = me(&ada).await;
    whole["displayName"] = json!("Countess");
    let changed = update(whole.clone()).await.ok()["user"].clone();
    assert_eq!(changed["displayName"], "Countess");
    for (field, value) in [
        ("isAdmin", json!(true)),
        ("isProUser", json!(true)),
        ("isTempUser", json!(true)),
        ("email", json!("other@example.org")),
    ] {
        let mut wish = whole.clone();
        wish[field] = value;
        wish["displayName"] = json!("Not this");
        let refused = update(wish).await.fails(422, "invalid");
        assert!(refused["fieldErrors"][field].is_string(), "{refused}");
    }
    update(json!({ "password": "x" })).await.fails(400, "malformed");
    update(json!({ "userId": uuid::Uuid::new_v4() })).await.fails(403, "not-yourself");
    let after = me(&ada).await;
    assert_eq!((&after["displayName"], &after["isAdmin"]), (&json!("Countess"), &json!(false)));
}

async fn request_change(browser: &Browser, email: &str, password: Option<&str>) -> Outcome {
    browser.post("/api/auth/email/change/request", json!({ "newEmail": email, "password": password })).await
}

async fn verify_change(browser: &Browser, code: u32) -> Outcome {
    browser.post("/api/auth/email/change/verify", json!({ "code": code })).await
}

async fn undo(browser: &Browser, token: &str) -> Outcome {
    browser.post("/api/auth/email/change/undo", json!({ "token": token })).await
}

/// Verifies the user's email; returns the number of emails so far.
async fn verified(server: &Server, folder: &TempDir, name: &str) -> (Browser, Value) {
    let (browser, user) = server.registered(name).await;
    browser.post("/api/auth/email/request-code", json!({})).await.ok();
    let sent = mails_to(folder, &format!("{name}@example.org"), "Confirm your email", 1).await;
    browser.post("/api/auth/email/verify", json!({ "code": code_in(&sent[0]) })).await.ok();
    (browser, user)
}

pub fn email_token(mail: &str) -> String {
    let (_, rest) = mail.split_once("/email-undo?token=3D").or_else(|| mail.split_once("/email-undo?token=")).unwrap();
    rest.chars().take_while(|character| character.is_ascii_alphanumeric() || "_-".contains(*character)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_change_needs_a_code_and_can_be_undone_by_the_link() {
    let (server, folder) = server().await;
    let (ada, _) = verified(&server, &folder, "ada").await;
    let (_, _) = verified(&server, &folder, "bob").await;
    let wrong = request_change(&ada, "new@example.org", Some("wrong")).await.fails(422, "invalid");
    assert_eq!(wrong["fieldErrors"]["password"], "The password is wrong.");
    request_change(&ada, "no email", Some(PASSWORD)).await.fails(422, "invalid");
    request_change(&ada, "ADA@example.org", Some(PASSWORD)).await.fails(422, "same-email");
    request_change(&ada, "bob@example.org", Some(PASSWORD)).await.fails(409, "email-taken");
    request_change(&ada, "new@example.org", Some(PASSWORD)).await.ok();
    let code = code_in(&mails_to(&folder, "new@example.org", "Your code for a new email", 1).await[0]);
    assert_eq!(me(&ada).await["email"], "ada@example.org", "not before the code");
    let (eve, _) = server.registered("eve").await;
    verify_change(&eve, code).await.fails(422, "wrong-code");
    verify_change(&ada, if code == 999_999 { 100_000 } else { code + 1 }).await.fails(422, "wrong-code");
    let changed = verify_change(&ada, code).await.ok()["user"].clone();
    assert_eq!((&changed["email"], &changed["emailVerified"]), (&json!("new@example.org"), &json!(true)));
    verify_change(&ada, code).await.fails(422, "wrong-code");
    let here = server.browser().await;
    here.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    here.post("/api/auth/login", credentials("new@example.org", PASSWORD)).await.ok();

    // The owner of the old email is notified, and the mail alone is enough to undo the change.
    let mail = mails_to(&folder, "ada@example.org", "The email of your Morpion account was changed", 1).await.remove(0);
    let token = email_token(&mail);
    let visitor = server.browser().await;
    for hostile in ["", "x", &token[1..], &format!("{token}x"), "../../etc/passwd", &"a".repeat(5_000)] {
        undo(&visitor, hostile).await.fails(404, "link-over");
    }
    undo(&visitor, &token).await.ok();
    assert!(!ada.is_signed_in().await && !here.is_signed_in().await, "all sessions are revoked");
    here.post("/api/auth/login", credentials("new@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    let user = here.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&user["username"], &user["emailVerified"]), (&json!("ada"), &json!(true)));
    mails_to(&folder, "ada@example.org", "Your Morpion account has its old email again", 1).await;
    undo(&visitor, &token).await.fails(404, "link-over");

    server
        .browser()
        .await
        .post("/api/auth/email/change/request", json!({ "newEmail": "x@example.org" }))
        .await
        .fails(401, "not-signed-in");
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    request_change(&guest, "x@example.org", None).await.fails(403, "guest");
}

#[tokio::test(flavor = "multi_thread")]
async fn after_two_stolen_email_changes_the_first_undo_link_restores_the_owner() {
    let (server, folder) = server().await;
    let (ada, user) = verified(&server, &folder, "ada").await;
    for (number, email) in ["thief1@example.org", "thief2@example.org"].into_iter().enumerate() {
        request_change(&ada, email, Some(PASSWORD)).await.ok();
        let code = code_in(&mails_to(&folder, email, "Your code for a new email", 1).await[0]);
        verify_change(&ada, code).await.ok();
        let from = if number == 0 { "ada@example.org" } else { "thief1@example.org" };
        mails_to(&folder, from, "The email of your Morpion account was changed", 1).await;
    }
    let changed = "The email of your Morpion account was changed";
    let owners = email_token(&mails_to(&folder, "ada@example.org", changed, 1).await[0]);
    let thiefs = email_token(&mails_to(&folder, "thief1@example.org", changed, 1).await[0]);
    let visitor = server.browser().await;
    // Using the thief's link does not invalidate the owner's.
    undo(&visitor, &thiefs).await.ok();
    undo(&visitor, &owners).await.ok();
    undo(&visitor, &thiefs).await.fails(404, "link-over");
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let stored = server.app.store.user(id).await.unwrap().unwrap();
    assert_eq!(stored.email.as_deref(), Some("ada@example.org"));

    // A link is valid for a week; an email that another user verified meanwhile stays theirs.
    let now = Utc::now();
    let (hash, until) = (sha256("a-token-of-forty-three-characters-of-base64"), now - TimeDelta::seconds(1));
    let over = EmailUndo { hash, user_id: id, email: "old@example.org".to_owned(), created_at: now, until };
    server.app.store.change_email(server.credentials_of(id).await, "third@example.org", over.clone()).await.unwrap();
    undo(&visitor, "a-token-of-forty-three-characters-of-base64").await.fails(404, "link-over");
    let good = EmailUndo { until: now + TimeDelta::days(1), email: "bob@example.org".to_owned(), ..over };
    server.app.store.change_email(server.credentials_of(id).await, "fourth@example.org", good).await.unwrap();
    verified(&server, &folder, "bob").await;
    undo(&visitor, "a-token-of-forty-three-characters-of-base64").await.fails(409, "email-taken");
}

fn sha256(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_is_emailed_about_password_device_and_deletion() {
    let (server, folder) = server().await;
    let (ada, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    let wish = json!({ "currentPassword": PASSWORD, "newPassword": NEW_PASSWORD });
    ada.post("/api/auth/password", wish).await.ok();
    let mail = mails_to(&folder, "ada@example.org", "Your Morpion password was changed", 1).await.remove(0);
    assert!(mail.contains("set by somebody who knew the previous one"), "{mail}");

    let elsewhere = server.browser().await;
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    let signs_in = async |browser: &Browser| {
        let request = browser.request(Method::POST, "/api/auth/login").header("user-agent", agent);
        browser.send(request.json(&credentials("ada@example.org", NEW_PASSWORD))).await.ok();
    };
    signs_in(&elsewhere).await;
    let subject = "A new device signed in to your Morpion account";
    let mail = mails_to(&folder, "ada@example.org", subject, 1).await.remove(0);
    assert!(mail.contains("Firefox on Linux, from 127.0.0.1"), "{mail}");
    // Neither the first device nor a known one.
    elsewhere.post("/api/auth/logout", json!({})).await.ok();
    signs_in(&elsewhere).await;
    signs_in(&ada).await;

    let wrong = elsewhere.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await;
    assert_eq!(wrong.fails(422, "invalid")["fieldErrors"]["password"], "The password is wrong.");
    assert!(elsewhere.is_signed_in().await);
    elsewhere.post("/api/backend/delete/account", json!({ "password": NEW_PASSWORD })).await.ok();
    mails_to(&folder, "ada@example.org", "Your Morpion account was deleted", 1).await;
    mails_to(&folder, "ada@example.org", subject, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn deletion_cannot_be_used_to_guess_passwords() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let mut last = 0;
    for _ in 0..7 {
        let outcome = ada.post("/api/backend/delete/account", json!({ "password": "wrong" })).await;
        last = outcome.status.as_u16();
    }
    assert_eq!(last, 429);
    assert!(ada.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_without_a_password_need_a_fresh_sign_in() {
    let (server, provider) = providers::start().await;
    let browser = server.browser().await;
    let user = providers::enter(&browser, &provider, "ada").await;
    assert_eq!(user["hasPassword"], false);
    // The same user, signed in an hour ago.
    let token = morpion_appliance::account::token::new();
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let now = Utc::now();
    let session = NewSession {
        hash: sha256(&token),
        credentials: server.credentials_of(id).await,
        created_at: now - TimeDelta::hours(1),
        expires_at: now + TimeDelta::days(1),
        ends_at: now + TimeDelta::days(2),
        user_agent: String::new(),
        address: "127.0.0.1".to_owned(),
        device: "Firefox on Linux".to_owned(),
    };
    server.app.store.insert_session(session).await.unwrap();
    let old = server.browser().await;
    old.set_cookie(&format!("morpion_session={token}; Path=/"));
    assert_eq!(me(&old).await["userId"], user["userId"]);
    old.post("/api/backend/delete/account", json!({})).await.fails(403, "proof-required");
    old.post("/api/backend/delete/account", json!({ "password": "anything" })).await.fails(403, "proof-required");
    request_change(&old, "new@example.org", None).await.fails(403, "proof-required");
    assert!(old.is_signed_in().await);
    request_change(&browser, "new@example.org", None).await.ok();
    browser.post("/api/backend/delete/account", json!({})).await.ok();
    // Guests have no proof.
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    guest.post("/api/backend/delete/account", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_provider_account_gets_the_providers_name_and_is_reported_as_new() {
    let (server, provider) = providers::start().await;
    let browser = server.browser().await;
    let answer = providers::register(&browser, &provider, "secret.person", Some("secret.person")).await.ok();
    assert_eq!((&answer["isNew"], &answer["user"]["displayName"]), (&json!(true), &json!("secret.person of Example")));
    // Only the name from the provider's claims is used, not the email's local part.
    assert_eq!(answer["user"]["username"], "secretperson.of.Exam");
    let named =
        providers::register(&server.browser().await, &provider, "other.person", Some("chess_champion")).await.ok();
    assert_eq!(named["user"]["username"], "chess_champion");
    let without = providers::register(&server.browser().await, &provider, "third.person", None).await.ok();
    assert_eq!(without["user"]["username"], "thirdperson.of.Examp");
    let again = providers::enter(&server.browser().await, &provider, "secret.person").await;
    assert_eq!(again["userId"], answer["user"]["userId"]);
    // With a password a username has to be chosen.
    let mut wish = registration("local");
    wish.as_object_mut().unwrap().remove("username");
    let refused = server.browser().await.post("/api/auth/register", wish).await.fails(422, "invalid");
    assert!(refused["fieldErrors"]["username"].is_string());
}
