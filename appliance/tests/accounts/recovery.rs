//! Password recovery.

use std::{path::PathBuf, time::Duration};

use morpion_store::{CalendarGrant, PasskeyRow, ProviderLink};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Browser, Outcome, PASSWORD, Server, credentials, registration};

pub const NEW_PASSWORD: &str = "Another-Horse-8";

/// A server without SMTP, and its folder: mails are found in the outbox.
pub async fn server() -> (Server, TempDir) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_owned();
    let server = Server::with(|config| {
        config.data_dir = path;
        config.limits.codes_per_hour = 1_000.try_into().unwrap();
    })
    .await;
    (server, folder)
}

/// The emails of the outbox, the oldest first, decoded as far as our texts need it.
pub fn mails(folder: &TempDir) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder.path().join("outbox")) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "eml"));
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap().replace("=\r\n", "")).collect()
}

/// The code in the n-th email with a code, once it has arrived.
pub async fn code(folder: &TempDir, number: usize) -> u32 {
    for _ in 0..200 {
        let mut codes = mails(folder).iter().filter_map(|mail| find_code(mail)).collect::<Vec<_>>();
        if codes.len() >= number {
            return codes.remove(number - 1);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("there is no mail number {number}");
}

/// The line of six digits.
pub fn code_in(mail: &str) -> u32 {
    find_code(mail).unwrap_or_else(|| panic!("no code in {mail}"))
}

fn find_code(mail: &str) -> Option<u32> {
    let mut lines = mail.lines().map(str::trim);
    lines.find(|line| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

pub async fn request(browser: &Browser, email: &str) -> Outcome {
    browser.post("/api/auth/api/v1/requestverificationcode", json!({ "email": email })).await
}

pub async fn validate(browser: &Browser, email: &str, code: u32) -> Outcome {
    browser.post("/api/auth/api/v1/validate-verification-code", json!({ "email": email, "code": code })).await
}

/// Also opens an account that nobody confirmed the email of.
pub async fn update(browser: &Browser, email: &str, password: &str) -> Outcome {
    let body = json!({ "email": email, "newPassword": password, "openUnconfirmed": true });
    browser.post("/api/auth/api/v1/update-password", body).await
}

/// As the recovery page does at first.
pub async fn update_confirmed(browser: &Browser, email: &str, password: &str) -> Outcome {
    browser.post("/api/auth/api/v1/update-password", json!({ "email": email, "newPassword": password })).await
}

fn another(code: u32) -> u32 {
    if code == 999_999 { 100_000 } else { code + 1 }
}

#[tokio::test(flavor = "multi_thread")]
async fn three_steps_lead_to_a_new_password() {
    let (server, folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    let browser = server.browser().await;
    let email = "ADA@example.org";
    let answer = request(&browser, email).await.ok();
    assert_eq!(answer, json!({ "succeeded": true, "data": { "succeeded": true } }));
    let code = code(&folder, 1).await;
    let mail = mails(&folder).remove(0);
    // To the account's email, not to the one that was typed.
    assert!(mail.contains("To: ada@example.org") && mail.contains("the Morpion account ada"), "{mail}");
    assert!(mail.contains("text/plain") && mail.contains("text/html"), "{mail}");

    let early = update(&browser, email, NEW_PASSWORD).await.fails(403, "code-needed");
    assert_eq!(early["errorMessage"], "Please enter the code from the email first.");
    validate(&browser, email, another(code)).await.fails(422, "wrong-code");
    validate(&browser, email, code).await.ok();
    for (password, text) in [
        ("", "Password cannot be empty"),
        ("Short-1", "Password must be at least 8 characters."),
        ("lower-case-1", "Password must contain at least one uppercase letter."),
    ] {
        let failure = update(&browser, email, password).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"]["newPassword"], text);
    }
    update(&browser, email, NEW_PASSWORD).await.ok();
    assert!(!ada.is_signed_in().await, "all sessions are revoked");
    browser.post("/api/auth/login", credentials(email, PASSWORD)).await.fails(401, "wrong-credentials");
    let user = browser.post("/api/auth/login", credentials(email, NEW_PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&user["username"], &user["emailVerified"]), (&json!("ada"), &json!(true)));
    update(&browser, email, PASSWORD).await.fails(403, "code-needed");
    validate(&browser, email, code).await.fails(422, "wrong-code");
    for _ in 0..100 {
        if mails(&folder).len() >= 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(mails(&folder)[1].contains("Subject: Your Morpion password was changed"));
}

#[tokio::test(flavor = "multi_thread")]
async fn tags_do_not_multiply_the_letters_of_a_mailbox() {
    let (server, _folder) = server().await;
    let mut outcomes = Vec::new();
    for number in 0..6 {
        let browser = server.browser().await;
        outcomes.push(request(&browser, &format!("{}+{number}@example.org", ["ada", "ADA"][number % 2])).await.status);
    }
    assert_eq!(outcomes[..5], [200; 5]);
    assert_eq!(outcomes[5], 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_browser_that_entered_the_code_can_continue() {
    let (server, folder) = server().await;
    server.registered("ada").await;
    let (here, elsewhere) = (server.browser().await, server.browser().await);
    request(&here, "ada@example.org").await.ok();
    validate(&here, "ada@example.org", code(&folder, 1).await).await.ok();
    update(&elsewhere, "ada@example.org", NEW_PASSWORD).await.fails(403, "code-needed");
    update(&here, "bob@example.org", NEW_PASSWORD).await.fails(403, "code-needed");
    update(&here, "ada@example.org", NEW_PASSWORD).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn responses_do_not_reveal_whether_an_email_is_known() {
    let (server, folder) = server().await;
    server.registered("ada").await;
    let mut answers: Vec<Vec<(u16, Value, Option<u64>)>> = Vec::new();
    for email in ["ada@example.org", "nobody@example.org"] {
        let browser = server.browser().await;
        let mut seen = Vec::new();
        let mut note = |outcome: Outcome| {
            let mut body = outcome.body;
            body.as_object_mut().unwrap().remove("requestId");
            seen.push((outcome.status.as_u16(), body, outcome.retry_after));
        };
        note(request(&browser, email).await);
        note(validate(&browser, email, 123_456).await);
        note(update(&browser, email, NEW_PASSWORD).await);
        for _ in 0..3 {
            note(request(&browser, email).await);
        }
        answers.push(seen);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0].last().unwrap().0, 429, "three per hour, whoever asks");
    code(&folder, 3).await;
    assert!(mails(&folder).iter().all(|mail| mail.contains("To: ada@example.org")), "no email is sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_invalid_after_five_tries() {
    let (server, folder) = server().await;
    server.registered("ada").await;
    let browser = server.browser().await;
    request(&browser, "ada@example.org").await.ok();
    let right = code(&folder, 1).await;
    for _ in 0..5 {
        let failure = validate(&browser, "ada@example.org", another(right)).await.fails(422, "wrong-code");
        assert_eq!(failure["errorMessage"], "The code is wrong or has expired.");
    }
    validate(&browser, "ada@example.org", right).await.fails(422, "wrong-code");
    request(&browser, "ada@example.org").await.ok();
    validate(&browser, "ada@example.org", code(&folder, 2).await).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_emails_and_codes_are_refused() {
    let (server, _folder) = server().await;
    let browser = server.browser().await;
    for email in ["", "ada", "ada@example.org\r\nBcc: eve@example.org"] {
        let failure = request(&browser, email).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"]["email"], "Please enter a valid email address.");
    }
    for code in [0, 12_345, 1_234_567, u32::MAX] {
        let failure = validate(&browser, "ada@example.org", code).await.fails(422, "invalid");
        assert_eq!(failure["fieldErrors"]["code"], "code need to be 6 digit");
    }
    for code in [json!("123456"), json!(-1), json!(123_456.5), json!(null)] {
        let body = json!({ "email": "ada@example.org", "code": code });
        browser.post("/api/auth/api/v1/validate-verification-code", body).await.fails(400, "malformed");
    }
    let bare = browser.bare(reqwest::Method::POST, "/api/auth/api/v1/requestverificationcode");
    browser.send(bare.json(&json!({ "email": "ada@example.org" }))).await.fails(403, "missing-forgery-token");
}

#[tokio::test(flavor = "multi_thread")]
async fn code_requests_are_limited_by_address() {
    let server = Server::with(|config| {
        config.data_dir = TempDir::new().unwrap().path().to_owned();
        config.limits.codes_per_hour = 2.try_into().unwrap();
    })
    .await;
    let browser = server.browser().await;
    for email in ["a@example.org", "b@example.org"] {
        request(&browser, email).await.ok();
    }
    request(&browser, "c@example.org").await.fails(429, "too-many-requests");
}

/// Somebody makes an account with another's email, and everything that it can be entered by.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_stranger_made_with_somebodys_email_is_opened_by_choice_and_ends() {
    let (server, folder) = server().await;
    let email = "nora@example.org";
    let mut wish = registration("stranger");
    wish["email"] = json!(email);
    let stranger = server.browser().await;
    let user = stranger.post("/api/auth/register", wish).await.ok()["user"].clone();
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let store = &server.app.store;
    store.set_totp(server.credentials_of(id).await, "encrypted", 0, &["code".to_owned()]).await.unwrap();
    let link = ProviderLink { iss: "https://id.example.org".to_owned(), sub: "stranger".to_owned() };
    store.link_provider(server.credentials_of(id).await, link.clone()).await.unwrap();
    let passkey = PasskeyRow {
        id: uuid::Uuid::new_v4(),
        user_id: id,
        name: "key".to_owned(),
        credential: "{}".to_owned(),
        counter: 0,
        created_at: chrono::Utc::now(),
        last_used_at: None,
    };
    store.insert_passkey(server.credentials_of(id).await, "strangers-key", &passkey, &[], 20).await.unwrap();
    let grant = CalendarGrant {
        user_id: id,
        access_token: "strangers".to_owned(),
        refresh_token: None,
        expires_at: chrono::Utc::now(),
    };
    store.set_calendar_grant(server.credentials_of(id).await, grant).await.unwrap();
    server.app.accounts.sessions().invalidate(id.into());
    let wish = json!({ "name": "bot", "scopes": ["read", "play", "event"] });
    let program = stranger.post("/api/auth/tokens", wish).await.ok()["token"].as_str().unwrap().to_owned();
    let program = server.with_token(&program);
    program.read("event", "list_events", json!({})).await.ok();

    let owner = server.browser().await;
    request(&owner, email).await.ok();
    validate(&owner, email, code(&folder, 1).await).await.ok();
    let choice = update_confirmed(&owner, email, NEW_PASSWORD).await.fails(409, "unconfirmed-account");
    assert!(choice["errorMessage"].as_str().unwrap().contains("The account stranger was made with this email"));
    assert!(stranger.is_signed_in().await, "nothing was opened");
    // It is not theirs: they make their own.
    let mut own = registration("nora");
    own["password"] = json!("Other-Horse-77");
    own["email"] = json!(email);
    server.browser().await.post("/api/auth/register", own).await.ok();

    update(&owner, email, NEW_PASSWORD).await.ok();
    assert!(!stranger.is_signed_in().await);
    stranger.post("/api/auth/login", credentials(email, PASSWORD)).await.fails(401, "wrong-credentials");
    stranger.post("/api/auth/login", credentials("stranger", PASSWORD)).await.fails(401, "wrong-credentials");
    let user = owner.post("/api/auth/login", credentials(email, NEW_PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&user["username"], &user["emailVerified"]), (&json!("stranger"), &json!(true)));
    assert_eq!(store.user_by_provider(&link).await.unwrap(), None);
    assert_eq!(store.second_factor(id).await.unwrap(), Default::default());
    assert_eq!(store.calendar_grant(id).await.unwrap(), None);
    assert_eq!(store.passkey("strangers-key").await.unwrap(), None);
    program.read("event", "list_events", json!({})).await.fails(401, "bad-token");
    let device = morpion_appliance::account::token::hash(&stranger.cookie("morpion_device").unwrap());
    assert!(!store.is_known_device(id, &device).await.unwrap());
}

/// Five registrations with an email once kept its owner out, and recovery led into the oldest of them.
#[tokio::test(flavor = "multi_thread")]
async fn claims_keep_no_owner_out() {
    let (server, folder) = server().await;
    let claim = |username: &str| {
        let mut wish = registration(username);
        wish["email"] = json!("nora@example.org");
        wish
    };
    for number in 0..6 {
        server.browser().await.post("/api/auth/register", claim(&format!("claim{number}"))).await.ok();
    }
    let owner = server.browser().await;
    let user = owner.post("/api/auth/register", claim("nora")).await.ok()["user"].clone();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("nora@example.org"), &json!(false)));
    // Until the email is proven it takes the username to sign in.
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("nora@example.org", PASSWORD)).await.ok();
    elsewhere.post("/api/auth/login", credentials("NORA", PASSWORD)).await.ok();
    owner.post("/api/auth/email/request-code", json!({})).await.ok();
    owner.post("/api/auth/email/verify", json!({ "code": code(&folder, 1).await })).await.ok();
    let user = elsewhere.post("/api/auth/login", credentials("nora@example.org", PASSWORD)).await.ok()["user"].clone();
    assert_eq!((&user["username"], &user["emailVerified"]), (&json!("nora"), &json!(true)));
    elsewhere.post("/api/auth/login", credentials("claim0", PASSWORD)).await.ok();
    elsewhere.post("/api/auth/register", claim("late")).await.fails(409, "email-taken");
}

/// The mailbox of an admin who never proved that it is theirs is worth no admin's rights.
#[tokio::test(flavor = "multi_thread")]
async fn an_unproven_mailbox_makes_no_admin() {
    let (server, folder) = server().await;
    let (admin, user) = server.admin().await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    let (email, stranger) = ("the_admin@example.org", server.browser().await);
    // Without a second factor nothing is sent.
    request(&stranger, email).await.ok();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(mails(&folder).len(), 0);
    // With one it stays.
    let store = &server.app.store;
    store.set_totp(server.credentials_of(id).await, "encrypted", 0, &["code".to_owned()]).await.unwrap();
    server.app.accounts.sessions().invalidate(id.into());
    let reader = server.browser().await;
    request(&reader, email).await.ok();
    validate(&reader, email, code(&folder, 1).await).await.ok();
    update(&reader, email, NEW_PASSWORD).await.ok();
    assert!(store.user(id).await.unwrap().unwrap().second_factor);
    reader.post("/api/auth/login", credentials(email, NEW_PASSWORD)).await.fails(401, "second-factor-required");
    assert!(!admin.is_signed_in().await);
}

/// What a code proved before the owner changed the password leads nowhere after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_that_waits_ends_with_a_change_of_the_password() {
    let (server, folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    let reader = server.browser().await;
    request(&reader, "ada@example.org").await.ok();
    validate(&reader, "ada@example.org", code(&folder, 1).await).await.ok();
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "Newer-Horse-55" });
    ada.post("/api/auth/password", change).await.ok();
    update(&reader, "ada@example.org", NEW_PASSWORD).await.fails(403, "code-needed");
    assert!(ada.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_local_accounts_recovery_is_unavailable() {
    let server = Server::with(|config| config.identity.local.enabled = false).await;
    let browser = server.browser().await;
    request(&browser, "ada@example.org").await.fails(403, "local-accounts-off");
    validate(&browser, "ada@example.org", 123_456).await.fails(403, "local-accounts-off");
    update(&browser, "ada@example.org", NEW_PASSWORD).await.fails(403, "local-accounts-off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_cannot_use_up_the_tries_of_the_owner() {
    let (server, folder) = server().await;
    server.registered("ada").await;
    let owner = server.browser().await;
    request(&owner, "ada@example.org").await.ok();
    let right = code(&folder, 1).await;
    let stranger = server.browser().await;
    for _ in 0..6 {
        validate(&stranger, "ada@example.org", another(right)).await.fails(422, "wrong-code");
    }
    validate(&stranger, "ada@example.org", right).await.fails(422, "wrong-code");
    // A code that the stranger asks for does not replace the owner's.
    request(&stranger, "ada@example.org").await.ok();
    validate(&owner, "ada@example.org", right).await.ok();
    update(&owner, "ada@example.org", NEW_PASSWORD).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_signed_in_before_recovers_whatever_strangers_tried() {
    let (server, folder) = server().await;
    let (ada, _) = server.registered("ada").await;
    ada.post("/api/auth/email/request-code", json!({})).await.ok();
    let proof = code(&folder, 1).await;
    ada.post("/api/auth/email/verify", json!({ "code": proof })).await.ok();
    // With the letter above they use up what strangers have of tries and letters.
    for letter in 2..=5 {
        let stranger = server.browser().await;
        request(&stranger, "ada@example.org").await.ok();
        let wrong = another(code(&folder, letter).await);
        for _ in 0..5 {
            validate(&stranger, "ada@example.org", wrong).await;
        }
    }
    let stranger = server.browser().await;
    let refused = request(&stranger, "ada@example.org").await;
    assert!(refused.retry_after.is_some_and(|seconds| seconds > 80_000), "{refused:?}");
    refused.fails(429, "too-many-requests");
    ada.post("/api/auth/logout", json!({})).await.ok();
    request(&ada, "ada@example.org").await.ok();
    validate(&ada, "ada@example.org", code(&folder, 6).await).await.ok();
    update(&ada, "ada@example.org", NEW_PASSWORD).await.ok();
}
