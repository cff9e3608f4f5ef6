//! Signing in with a provider: a real OpenID Connect server, and invalid tokens.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::Utc;
use morpion_appliance::config::Config;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    external_servers::Outside,
    recovery,
    support::{Browser, Outcome, PASSWORD, Server, credentials, registration},
};

pub const CLIENT: &str = "the-client";

pub fn use_provider(config: &mut Config, provider: &Outside) {
    let oidc = &mut config.identity.oidc;
    oidc.issuer.clone_from(&provider.at);
    oidc.client_id = CLIENT.to_owned();
    oidc.client_secret = "hidden".to_owned().into();
    oidc.name = "Example".to_owned();
    oidc.calendar_scope = "calendar.events".to_owned();
    oidc.calendar_url = format!("{}/calendar", provider.control());
}

pub async fn start() -> (Server, Outside) {
    let provider = Outside::start("oidc.mjs", "");
    let server = Server::with(|config| use_provider(config, &provider)).await;
    (server, provider)
}

async fn nonce(browser: &Browser) -> Value {
    browser.get("/api/auth/providers").await.ok()["provider"]["nonce"].clone()
}

/// The claims of a valid token of this user.
fn claims(nonce: &Value, name: &str) -> Value {
    json!({
        "aud": CLIENT,
        "sub": format!("sub-{name}"),
        "nonce": nonce,
        "email": format!("{name}@example.org"),
        "email_verified": true,
        "given_name": "Given",
        "family_name": "Family",
        "name": format!("{name} of Example"),
    })
}

/// With some claims replaced.
fn with(mut claims: Value, change: Value) -> Value {
    claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    claims
}

async fn sign(provider: &Outside, claims: Value) -> String {
    provider.tell("/sign", json!({ "claims": claims })).await["token"].as_str().unwrap().to_owned()
}

/// Signs in as Google's button does.
async fn press(browser: &Browser, call: &str, credential: &str) -> Outcome {
    let payload = json!({
        "email": "somebody-else@example.org",
        "isGoogleAccount": true,
        "firstName": "Not",
        "lastName": "Believed",
        "username": "wished",
        "accountType": "google",
        "credential": credential,
    });
    browser.post(call, payload).await
}

/// Registers with the provider, with or without a preferred username.
pub async fn register(browser: &Browser, provider: &Outside, name: &str, wish: Option<&str>) -> Outcome {
    let payload = json!({
        "email": format!("{name}@example.org"),
        "isGoogleAccount": true,
        "firstName": "",
        "lastName": "",
        "username": wish,
        "accountType": "google",
        "credential": sign(provider, claims(&nonce(browser).await, name)).await,
    });
    browser.post("/api/auth/register", payload).await
}

pub async fn sign_in(browser: &Browser, provider: &Outside, name: &str) -> Outcome {
    let token = sign(provider, claims(&nonce(browser).await, name)).await;
    press(browser, "/api/auth/login", &token).await
}

pub async fn enter(browser: &Browser, provider: &Outside, name: &str) -> Value {
    sign_in(browser, provider, name).await.ok()["user"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_does_not_get_in_by_the_provider() {
    let (server, provider) = start().await;
    let (admin, _) = server.admin().await;
    let user = register(&server.browser().await, &provider, "ada", None).await.ok()["user"].clone();
    let suspension = json!({ "userId": user["userId"], "reason": "Insults" });
    admin.write("admin", "suspend_user", suspension).await.ok();
    let browser = server.browser().await;
    let refused = sign_in(&browser, &provider, "ada").await.fails(403, "suspended");
    assert_eq!(refused["suspension"]["reason"], "Insults");
    let person = json!({ "aud": CLIENT, "sub": "sub-ada", "email": "ada@example.org", "email_verified": true });
    provider.tell("/claims", person).await;
    let start = format!("http://{}/api/auth/oidc/start", server.address);
    let end = step(&browser, &step(&browser, &step(&browser, &start).await).await).await;
    assert_eq!(end, "/login?error=suspended");
    assert!(!browser.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_settings_contain_the_provider() {
    let (server, provider) = start().await;
    let answer = server.browser().await.get("/api/auth/providers").await.ok();
    let told = &answer["provider"];
    assert_eq!((&told["name"], &told["issuer"]), (&json!("Example"), &json!(provider.at)));
    assert_eq!(
        (&told["clientId"], &told["isGoogle"], &told["calendar"]),
        (&json!(CLIENT), &json!(false), &json!(true))
    );
    assert!(!answer.to_string().contains("hidden"));
    let other = Server::start().await;
    let browser = other.browser().await;
    assert_eq!(browser.get("/api/auth/providers").await.ok().get("provider"), None);
    press(&browser, "/api/auth/login", "x").await.fails(403, "provider-off");
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_and_in_by_the_button_uses_the_tokens_claims() {
    let (server, provider) = start().await;
    let browser = server.browser().await;
    let token = sign(&provider, claims(&nonce(&browser).await, "ada")).await;
    let user = press(&browser, "/api/auth/register", &token).await.ok()["user"].clone();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("ada@example.org"), &json!(true)));
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("Given"), &json!("Family")));
    assert_eq!((&user["username"], &user["displayName"]), (&json!("wished"), &json!("ada of Example")));
    assert!(browser.is_signed_in().await);
    let elsewhere = server.browser().await;
    assert_eq!(enter(&elsewhere, &provider, "ada").await["userId"], user["userId"]);
    // Another user who prefers the same username gets a similar one.
    let other = enter(&server.browser().await, &provider, "bob").await;
    assert_ne!(other["userId"], user["userId"]);
    assert!(other["username"].as_str().unwrap().starts_with("wished"), "{other}");
    // The account is keyed on issuer and subject: a changed email at the provider is the same user.
    let browser = server.browser().await;
    let moved = with(claims(&nonce(&browser).await, "ada"), json!({ "email": "new@example.org" }));
    let again = press(&browser, "/api/auth/login", &sign(&provider, moved).await).await.ok()["user"].clone();
    assert_eq!((&again["userId"], &again["email"]), (&user["userId"], &json!("ada@example.org")));
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_id_tokens_are_refused() {
    let (server, provider) = start().await;
    let browser = server.browser().await;
    let elsewhere = server.browser().await;
    let now = Utc::now().timestamp();
    let theirs = nonce(&elsewhere).await;
    for (what, change) in [
        ("expired", json!({ "exp": now - 10, "iat": now - 3_600 })),
        ("for another client", json!({ "aud": "another-client" })),
        ("for others too", json!({ "aud": [CLIENT, "another-client"] })),
        ("of another issuer", json!({ "iss": "https://accounts.google.com" })),
        ("with the nonce of another browser", json!({ "nonce": theirs })),
        ("with a nonce made up", json!({ "nonce": "0.made.up" })),
        ("without a nonce", json!({ "nonce": null })),
        ("without a subject", json!({ "sub": null })),
    ] {
        let token = sign(&provider, with(claims(&nonce(&browser).await, "ada"), change)).await;
        let failure = press(&browser, "/api/auth/login", &token).await.fails(401, "provider-refused");
        assert_eq!(failure["errorMessage"], "The sign-in with Example did not work. Please try again.", "{what}");
        assert!(!browser.is_signed_in().await, "{what}");
    }

    let good = claims(&nonce(&browser).await, "ada");
    let forged = provider.tell("/sign", json!({ "claims": good, "stranger": true })).await;
    press(&browser, "/api/auth/login", forged["token"].as_str().unwrap()).await.fails(401, "provider-refused");
    let token = sign(&provider, good.clone()).await;
    let parts: Vec<&str> = token.split('.').collect();
    let mut changed =
        with(good.clone(), json!({ "iss": provider.at, "exp": now + 600, "iat": now, "sub": "sub-boss" }));
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let payload = encode(&changed);
    changed["sub"] = json!("sub-ada");
    for (what, token) in [
        ("with another payload", format!("{}.{payload}.{}", parts[0], parts[2])),
        ("without a signature", format!("{}.{payload}.", encode(&json!({ "alg": "none" })))),
        ("with a signature by the client's secret", format!("{}.{payload}.AAAA", encode(&json!({ "alg": "HS256" })))),
        ("cut off", token[..token.len() - 4].to_owned()),
        ("of nothing", "a.b.c".to_owned()),
        ("of a megabyte", "x".repeat(60_000)),
    ] {
        let outcome = press(&browser, "/api/auth/login", &token).await;
        assert_eq!((outcome.status.as_u16(), &outcome.body["errorCode"]), (401, &json!("provider-refused")), "{what}");
    }
    let failed = server.app.metrics.security_events.with_label_values(&["sign-in", "failed"]).get();
    assert_eq!(failed, 15, "each is a security event");
    for verified in [json!(false), json!(null)] {
        let token = with(claims(&nonce(&browser).await, "ada"), json!({ "email_verified": verified }));
        let outcome = press(&browser, "/api/auth/login", &sign(&provider, token).await).await;
        outcome.fails(403, "provider-email-unverified");
    }
    let failure = press(&browser, "/api/auth/login", "").await.fails(422, "invalid");
    assert!(failure["fieldErrors"]["credential"].is_string());
    assert_eq!(server.app.store.count_users().await.unwrap(), 0, "none of them created an account");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_token_works_once() {
    let (server, provider) = start().await;
    let browser = server.browser().await;
    let token = sign(&provider, claims(&nonce(&browser).await, "ada")).await;
    press(&browser, "/api/auth/login", &token).await.ok();
    browser.post("/api/auth/logout", json!({})).await.ok();
    press(&browser, "/api/auth/login", &token).await.fails(401, "provider-refused");
    assert!(!browser.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_linked_only_if_its_email_is_verified() {
    let folder = tempfile::TempDir::new().unwrap();
    let provider = Outside::start("oidc.mjs", "");
    let server = Server::with(|config| {
        use_provider(config, &provider);
        config.data_dir = folder.path().to_owned();
    })
    .await;
    // An attacker claims the email before its owner signs in with the provider.
    let (squatter, claimed) = server.registered("ada").await;
    let owner = enter(&server.browser().await, &provider, "ada").await;
    assert_ne!(owner["userId"], claimed["userId"]);
    assert_eq!(owner["emailVerified"], true);
    let left = squatter.get("/api/auth/check-login").await.ok()["user"].clone();
    assert_eq!(left["email"], "", "the account that only claimed it has to choose another");
    let browser = server.browser().await;
    browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(401, "wrong-credentials");

    // Bob's email is verified, so the provider's identity is linked.
    let (bob, user) = server.registered("bob").await;
    bob.post("/api/auth/email/request-code", json!({})).await.ok();
    let code = recovery::code(&folder, 1).await;
    bob.post("/api/auth/email/verify", json!({ "code": code })).await.ok();
    assert_eq!(enter(&server.browser().await, &provider, "bob").await["userId"], user["userId"]);
    browser.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.ok();

    // A recovery removes links, which may be an attacker's; the verified email links again.
    let fresh = server.browser().await;
    recovery::request(&fresh, "bob@example.org").await.ok();
    let code = recovery::code(&folder, 2).await;
    recovery::validate(&fresh, "bob@example.org", code).await.ok();
    recovery::update(&fresh, "bob@example.org", recovery::NEW_PASSWORD).await.ok();
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    assert!(server.app.store.user(id).await.unwrap().unwrap().providers.is_empty());
    let other = server.browser().await;
    let moved = with(claims(&nonce(&other).await, "bob"), json!({ "email": "thief@example.org" }));
    let thief = press(&other, "/api/auth/login", &sign(&provider, moved).await).await.ok()["user"].clone();
    assert_ne!(thief["userId"], user["userId"], "the old link does not work");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_signs_up_with_the_provider_keeps_the_identity() {
    let (server, provider) = start().await;
    let browser = server.browser().await;
    let guest = browser.post("/api/auth/guest", json!({})).await.ok()["user"].clone();
    let user = enter(&browser, &provider, "ada").await;
    assert_eq!((&user["userId"], &user["displayName"]), (&guest["userId"], &guest["displayName"]));
    assert_eq!((&user["isTempUser"], &user["email"]), (&json!(false), &json!("ada@example.org")));
    assert_eq!(enter(&server.browser().await, &provider, "ada").await["userId"], guest["userId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_after_deletion_creates_a_new_account() {
    let (server, provider) = start().await;
    let browser = server.browser().await;
    let before = enter(&browser, &provider, "ada").await;
    browser.post("/api/backend/delete/account", json!({})).await.ok();
    let after = enter(&server.browser().await, &provider, "ada").await;
    assert_ne!(before["userId"], after["userId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_registration_off_only_existing_accounts_can_sign_in() {
    let provider = Outside::start("oidc.mjs", "");
    let server = Server::with(|config| {
        use_provider(config, &provider);
        config.identity.registration = false;
    })
    .await;
    let browser = server.browser().await;
    let token = sign(&provider, claims(&nonce(&browser).await, "ada")).await;
    press(&browser, "/api/auth/register", &token).await.fails(403, "registration-off");
    assert_eq!(server.app.store.count_users().await.unwrap(), 0);
}

/// A browser that does not follow redirects, so that each step is visible.
pub async fn step(browser: &Browser, address: &str) -> String {
    step_from(browser, address, "same-origin").await
}

/// The same, from a page of this site or of another.
pub async fn step_from(browser: &Browser, address: &str, site: &str) -> String {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let cookies = ["morpion_device", "morpion_session"]
        .iter()
        .filter_map(|name| Some(format!("{name}={}", browser.cookie(name)?)))
        .collect::<Vec<_>>()
        .join("; ");
    let response = client.get(address).header("cookie", cookies).header("sec-fetch-site", site).send().await.unwrap();
    assert_eq!(response.status(), 302, "{address}");
    response.headers()["location"].to_str().unwrap().to_owned()
}

fn callback(server: &Server, query: &str) -> String {
    format!("http://{}/api/auth/oidc/callback?{query}", server.address)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_code_flow_signs_in_with_pkce_and_a_state_of_this_browser() {
    let (server, provider) = start().await;
    let person = json!({ "aud": CLIENT, "sub": "sub-ada", "email": "ada@example.org", "email_verified": true });
    provider.tell("/claims", person).await;
    let browser = server.browser().await;
    let start = format!("http://{}/api/auth/oidc/start", server.address);
    let address = step(&browser, &start).await;
    for part in
        ["code_challenge_method=S256", "code_challenge=", "state=", "nonce=", "response_type=code", "scope=openid"]
    {
        assert!(address.contains(part), "{part} in {address}");
    }
    // The last redirect is to the web app, which this test does not need.
    browser.bare(Method::GET, "/api/auth/oidc/start").send().await.unwrap();
    let user = browser.get("/api/auth/check-login").await.ok()["user"].clone();
    assert_eq!(user["email"], "ada@example.org");
    assert!(user["username"].as_str().unwrap().starts_with("player"), "never of the email: {user}");
    browser.post("/api/auth/logout", json!({})).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_callback_that_this_browser_did_not_start_is_refused() {
    let (server, provider) = start().await;
    let person = json!({ "aud": CLIENT, "sub": "sub-ada", "email": "ada@example.org", "email_verified": true });
    provider.tell("/claims", person.clone()).await;
    let browser = server.browser().await;
    let start = format!("http://{}/api/auth/oidc/start", server.address);
    let back = step(&browser, &step(&browser, &start).await).await;
    assert!(back.starts_with(&callback(&server, "")), "{back}");
    let victim = server.browser().await;
    assert_eq!(step(&victim, &back).await, "/login?error=provider-flow-over", "begun elsewhere");
    assert_eq!(step(&browser, &back).await, "/login?error=provider-flow-over", "a state is good once");
    for (query, reason) in [
        ("code=x&state=made-up", "provider-flow-over"),
        ("error=access_denied&state=x", "provider-denied"),
        ("error=%3Cscript%3E", "provider-refused"),
        ("", "provider-refused"),
        ("code=x", "provider-refused"),
    ] {
        assert_eq!(step(&browser, &callback(&server, query)).await, format!("/login?error={reason}"), "{query}");
    }
    for change in [json!({ "aud": "another" }), json!({ "email_verified": false }), json!({ "nonce": "another" })] {
        provider.tell("/claims", with(person.clone(), change.clone())).await;
        let back = step(&browser, &step(&browser, &start).await).await;
        let end = step(&browser, &back).await;
        assert!(end.starts_with("/login?error=provider-"), "{change}: {end}");
    }
    assert_eq!(server.app.store.count_users().await.unwrap(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreachable_provider_is_reported() {
    let server = Server::with(|config| {
        config.identity.oidc.client_id = CLIENT.to_owned();
        config.identity.oidc.issuer = "http://127.0.0.1:1".to_owned();
    })
    .await;
    let browser = server.browser().await;
    let start = format!("http://{}/api/auth/oidc/start", server.address);
    assert_eq!(step(&browser, &start).await, "/login?error=unavailable");
    let token = ["eyJhbGciOiJSUzI1NiJ9", "eyJpc3MiOiJ4In0", "AAAA"].join(".");
    let outcome = press(&browser, "/api/auth/login", &token).await;
    assert!([401, 503].contains(&outcome.status.as_u16()), "{}", outcome.body);
    // Users with a password can still sign in.
    browser.post("/api/auth/register", registration("ada")).await.ok();
}
