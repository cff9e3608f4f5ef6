//! Registering, signing in and out, changing the password, the first admin.

use std::time::{Duration, Instant};

use morpion_store::NewUser;
use reqwest::Method;
use serde_json::json;

use crate::support::{Outcome, PASSWORD, Server, credentials, registration};

#[tokio::test(flavor = "multi_thread")]
async fn registering_signs_in() {
    let server = Server::start().await;
    let (browser, user) = server.registered("Ada").await;
    assert_eq!(user["username"], "Ada");
    assert_eq!(user["displayName"], "Ada");
    assert_eq!(user["email"], "Ada@example.org");
    assert_eq!(
        (&user["isAdmin"], &user["emailVerified"], &user["isTempUser"]),
        (&json!(false), &json!(false), &json!(false))
    );
    let check = browser.get("/api/auth/check-login").await.ok();
    assert_eq!((&check["isLogIn"], &check["user"]), (&json!(true), &user));
    assert!(user.get("passwordHash").is_none() && !check.to_string().contains("argon2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_session_cookie_is_http_only() {
    let server = Server::start().await;
    let outcome = server.browser().await.post("/api/auth/register", registration("ada")).await;
    let session = outcome.cookie("morpion_session").unwrap();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age="] {
        assert!(session.contains(attribute), "{attribute}: {session}");
    }
    let csrf_token = outcome.cookie("XSRF-TOKEN").unwrap();
    assert!(!csrf_token.contains("HttpOnly"), "scripts of ours echo it: {csrf_token}");
    let secret = session.split(['=', ';']).nth(1).unwrap();
    assert!(secret.len() >= 43, "256 bits");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_https_cookies_have_the_host_prefix() {
    let server =
        Server::with(|config| config.server.public_url = Some("https://play.example.org".parse().unwrap())).await;
    let browser = server.fresh_browser();
    let request = browser.bare(Method::GET, "/api/auth/check-login").header("host", "play.example.org");
    let outcome = browser.send(request).await;
    for name in ["__Host-morpion_device", "XSRF-TOKEN"] {
        let cookie = outcome.cookie(name).unwrap();
        assert!(cookie.contains("Secure") && cookie.contains("Path=/") && !cookie.contains("Domain"), "{cookie}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_in_and_out() {
    let server = Server::start().await;
    server.registered("ada").await;
    let browser = server.browser().await;
    assert!(!browser.is_signed_in().await);
    let answer = browser.post("/api/auth/login", credentials("ADA@Example.org", PASSWORD)).await.ok();
    assert_eq!((&answer["isLogIn"], &answer["user"]["username"]), (&json!(true), &json!("ada")));
    assert!(browser.is_signed_in().await);
    let stolen = browser.cookie("morpion_session").unwrap();
    browser.post("/api/auth/logout", json!({})).await.ok();
    assert!(!browser.is_signed_in().await);
    browser.set_cookie(&format!("morpion_session={stolen}; Path=/"));
    assert!(!browser.is_signed_in().await, "the session itself ended");
    browser.post("/api/auth/logout", json!({})).await.ok();
    browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_and_known_emails_fail_the_same_way() {
    let server = Server::start().await;
    server.registered("ada").await;
    let browser = server.browser().await;
    let mut texts = Vec::new();
    let mut times = [Duration::MAX; 2];
    for _ in 0..3 {
        for (index, email) in ["ada@example.org", "nobody@example.org"].into_iter().enumerate() {
            let begun = Instant::now();
            let mut failure = browser
                .post("/api/auth/login", credentials(email, "Wrong-Horse-8"))
                .await
                .fails(401, "wrong-credentials");
            times[index] = times[index].min(begun.elapsed());
            failure["requestId"] = json!("");
            texts.push(failure);
        }
    }
    texts.dedup();
    assert_eq!(texts.len(), 1, "{texts:?}");
    // Both hash a password once; otherwise the unknown email would take a hundredth of the time.
    assert!(times[1] * 4 > times[0] && times[0] * 4 > times[1], "{times:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_gets_all_field_errors_at_once() {
    let server = Server::start().await;
    let browser = server.browser().await;
    let mut wish = registration("x");
    wish["password"] = json!("short");
    wish["email"] = json!("not an email");
    wish["firstName"] = json!("x".repeat(51));
    let failure = browser.post("/api/auth/register", wish).await.fails(422, "invalid");
    let errors = &failure["fieldErrors"];
    assert_eq!(errors["password"], "Password must be at least 8 characters.");
    assert_eq!(errors["username"], "Username must be 3 to 20 letters, digits, or _ . -");
    assert_eq!(errors["email"], "Please enter a valid email address.");
    let beyond =
        "Email to this address may not arrive. Please use one with only letters a to z, digits and signs before the @.";
    for (email, text) in [
        (".ada@example.org", "Please enter a valid email address."),
        ("ada.@example.org", "Please enter a valid email address."),
        ("a..b@example.org", "Please enter a valid email address."),
        ("ünï@example.org", beyond),
    ] {
        let mut wish = registration("ada");
        wish["email"] = email.into();
        let refused = browser.post("/api/auth/register", wish).await.fails(422, "invalid");
        assert_eq!(refused["fieldErrors"]["email"], text, "{email}");
    }
    assert!(errors["firstName"].is_string() && errors.get("lastName").is_none());
    assert!(!browser.is_signed_in().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_concurrent_registrations_exactly_one_gets_the_username() {
    let server = Server::start().await;
    let mut tries = tokio::task::JoinSet::new();
    for number in 0..8 {
        let browser = server.browser().await;
        tries.spawn(async move {
            let username = if number % 2 == 0 { "Wanted" } else { "wANTED" };
            let mut wish = registration(username);
            wish["email"] = json!(format!("{number}@example.org"));
            browser.post("/api/auth/register", wish).await
        });
    }
    let outcomes = tries.join_all().await;
    let (won, lost): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(|outcome| outcome.status == 200);
    assert_eq!(won.len(), 1);
    for outcome in lost {
        let failure = outcome.fails(409, "username-taken");
        assert!(failure["fieldErrors"]["username"].is_string());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unverified_email_reserves_nothing() {
    let server = Server::start().await;
    let (_, first) = server.registered("first").await;
    let mut wish = registration("second");
    wish["email"] = json!("first@example.org");
    wish["password"] = json!("Another-Horse-9");
    let browser = server.browser().await;
    browser.post("/api/auth/register", wish.clone()).await.ok();
    // The first claims it; the second signs in by the username.
    for (typed, password, username) in
        [("first@example.org", PASSWORD, "first"), ("SECOND", "Another-Horse-9", "second")]
    {
        let answer = server.browser().await.post("/api/auth/login", credentials(typed, password)).await.ok();
        assert_eq!(answer["user"]["username"], username);
    }
    // Once verified, it belongs only to its owner.
    let id = first["userId"].as_str().unwrap().parse().unwrap();
    server.verify_email_of(id, "first@example.org").await;
    server
        .browser()
        .await
        .post("/api/auth/login", credentials("first@example.org", "Another-Horse-9"))
        .await
        .fails(401, "wrong-credentials");
    wish["username"] = json!("third");
    server.browser().await.post("/api/auth/register", wish).await.fails(409, "email-taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_change_ends_every_other_session() {
    let server = Server::start().await;
    let (here, _) = server.registered("ada").await;
    let elsewhere = server.browser().await;
    elsewhere.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let mut closures = server.app.accounts.closures();
    let change = |current: &str, new: &str| json!({ "currentPassword": current, "newPassword": new });
    let failure = here.post("/api/auth/password", change("Wrong-Horse-8", "New-Horse-99")).await.fails(422, "invalid");
    assert!(failure["fieldErrors"]["currentPassword"].is_string());
    let failure = here.post("/api/auth/password", change(PASSWORD, "weak")).await.fails(422, "invalid");
    assert_eq!(failure["fieldErrors"]["newPassword"], "Password must be at least 8 characters.");
    assert!(elsewhere.is_signed_in().await);
    here.post("/api/auth/password", change(PASSWORD, "New-Horse-99")).await.ok();
    assert!(here.is_signed_in().await && !elsewhere.is_signed_in().await);
    here.post("/api/auth/secure/token/refresh", json!({})).await.ok();
    for _ in 0..2 {
        tokio::time::timeout(Duration::from_secs(5), closures.recv()).await.expect("sockets are closed").unwrap();
    }
    elsewhere.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(401, "wrong-credentials");
    elsewhere.post("/api/auth/login", credentials("ada@example.org", "New-Horse-99")).await.ok();
    server
        .browser()
        .await
        .post("/api/auth/password", change(PASSWORD, "New-Horse-99"))
        .await
        .fails(401, "not-signed-in");
}

/// A server on which every sign-in to an account is slowed down by a second after one failure.
async fn slow_server() -> Server {
    let server = Server::with(|config| {
        config.limits.failed_sign_ins_per_account = 1.try_into().unwrap();
        config.limits.failed_sign_ins_slow_down = 1;
    })
    .await;
    server.registered("ada").await;
    let browser = server.browser().await;
    let wrong = credentials("ada@example.org", "Wrong-Horse-8");
    browser.post("/api/auth/login", wrong).await.fails(401, "wrong-credentials");
    server
}

/// Signs in with the old password while `change` is made: the password is looked at after it was loaded.
async fn sign_in_during(server: &Server, change: impl Future<Output = ()>) -> Outcome {
    let browser = server.browser().await;
    let signing_in = browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD));
    let changing = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        change.await;
    };
    let (outcome, ()) = tokio::join!(signing_in, changing);
    assert!(!browser.is_signed_in().await);
    outcome
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_under_way_ends_with_a_change_of_the_password_or_a_suspension() {
    let server = slow_server().await;
    let ada = server.app.store.user_by_username("ada").await.unwrap().unwrap();
    let changed = async {
        server.app.store.set_password(ada.id, "a hash", None).await.unwrap();
    };
    sign_in_during(&server, changed).await.fails(401, "wrong-credentials");

    let server = slow_server().await;
    let (admin, _) = server.admin().await;
    let ada = server.app.store.user_by_username("ada").await.unwrap().unwrap();
    let suspended = async {
        let payload = json!({ "userId": ada.id, "reason": "engine" });
        admin.write("admin", "suspend_user", payload).await.ok();
    };
    sign_in_during(&server, suspended).await.fails(401, "wrong-credentials");
    let browser = server.browser().await;
    browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(403, "suspended");
}

/// Ten wrong passwords once locked a whole school out, with every device and session behind its address.
#[tokio::test(flavor = "multi_thread")]
async fn neighbours_who_fail_keep_no_known_device_and_no_session_out() {
    let server = Server::start().await;
    let (ada, _) = server.registered("ada").await;
    let (bob, _) = server.registered("bob").await;
    bob.post("/api/auth/logout", json!({})).await.ok();
    for number in 0..10 {
        let wrong = credentials(&format!("{number}@example.org"), "Wrong-Horse-8");
        server.browser().await.post("/api/auth/login", wrong).await.fails(401, "wrong-credentials");
    }
    let stranger = server.browser().await;
    let refused = stranger.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await;
    refused.fails(429, "too-many-failed-sign-ins");
    bob.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.ok();
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    // Which may not guess without end, either.
    for _ in 0..5 {
        ada.post("/api/auth/proof", json!({ "password": "Wrong-Horse-8" })).await.fails(422, "wrong-proof");
    }
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.fails(429, "too-many-failed-sign-ins");
}

/// A browser that signed in once, or a stolen session, shared an allowance with all others of its account.
#[tokio::test(flavor = "multi_thread")]
async fn another_browser_of_the_account_uses_up_no_allowance_of_its_owner() {
    let server = Server::with(|config| config.limits.sign_ins_per_minute = 3.try_into().unwrap()).await;
    let (ada, _) = server.registered("ada").await;
    let thief = server.browser().await;
    thief.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let mut tries = 0;
    while thief.post("/api/auth/email/verify", json!({ "code": 123_456 })).await.status != 429 {
        tries += 1;
        assert!(tries < 10, "a session may try without end");
    }
    thief.post("/api/auth/logout", json!({})).await.ok();
    while thief.post("/api/auth/login", credentials("ada@example.org", "Wrong-Horse-8")).await.status != 429 {
        tries += 1;
        assert!(tries < 20, "a browser may try without end");
    }
    ada.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    ada.post("/api/auth/logout", json!({})).await.ok();
    ada.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
}

/// Hundreds of refreshes left a row each, and their removal died with the caller's connection.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_refreshed_once_a_minute_and_ends_at_once() {
    let server = Server::start().await;
    let (ada, user) = server.registered("ada").await;
    let id: uuid::Uuid = user["userId"].as_str().unwrap().parse().unwrap();
    let first = ada.cookie("morpion_session");
    for _ in 0..20 {
        ada.post("/api/auth/secure/token/refresh", json!({})).await.ok();
        assert!(ada.is_signed_in().await);
    }
    let second = ada.cookie("morpion_session");
    assert_ne!(first, second);
    ada.post("/api/auth/secure/token/refresh", json!({})).await.ok();
    assert_eq!(ada.cookie("morpion_session"), second);
    server.app.store.end_sessions_of(id, None).await.unwrap();
    assert!(server.app.store.ended_sessions_of(id).await.unwrap().len() == 1);
}

/// A guest's form that is sent twice at once makes one account, and says so to the other.
#[tokio::test(flavor = "multi_thread")]
async fn a_guest_registers_once() {
    let server = Server::start().await;
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    let (first, second) = tokio::join!(
        guest.post("/api/auth/register", registration("ada")),
        guest.post("/api/auth/register", registration("ada_too")),
    );
    let (won, lost): (Vec<_>, Vec<_>) = [first, second].into_iter().partition(|outcome| outcome.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 1));
    for outcome in lost {
        outcome.fails(409, "registered-already");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_setup_link_creates_the_first_admin_once() {
    let server = Server::start().await;
    let link = server.app.accounts.new_setup_link().await.unwrap().unwrap();
    let token = link.split_once("/setup?token=").unwrap().1.to_owned();
    let browser = server.browser().await;
    let open = async |token: &str| browser.get(&format!("/api/auth/setup?token={token}")).await.ok()["open"] == true;
    assert!(open(&token).await && !open("wrong").await);
    let wish = |token: &str, username: &str| {
        let mut wish = registration(username);
        let fields = wish.as_object_mut().unwrap();
        fields.remove("accountType");
        fields.remove("isGoogleAccount");
        wish["token"] = json!(token);
        wish
    };
    server.registered("taken").await;
    browser.post("/api/auth/setup", wish("wrong", "chief")).await.fails(403, "setup-closed");
    browser.post("/api/auth/setup", wish(&token, "taken")).await.fails(409, "username-taken");
    let user = browser.post("/api/auth/setup", wish(&token, "chief")).await.ok()["user"].clone();
    assert_eq!(user["isAdmin"], true);
    assert_eq!(browser.get("/api/auth/check-login").await.ok()["user"]["isAdmin"], true);
    browser.read("admin", "list_users", json!({})).await.ok();
    assert!(!open(&token).await);
    server.browser().await.post("/api/auth/setup", wish(&token, "second")).await.fails(403, "setup-closed");
    assert_eq!(server.app.accounts.new_setup_link().await.unwrap(), None, "there is an admin");
}

#[tokio::test(flavor = "multi_thread")]
async fn disabled_features_are_reported() {
    let server = Server::with(|config| config.identity.registration = false).await;
    let browser = server.browser().await;
    browser.post("/api/auth/register", registration("ada")).await.fails(403, "registration-off");
    let providers = browser.get("/api/auth/providers").await.ok();
    assert_eq!((&providers["local"], &providers["registration"]), (&json!(true), &json!(false)));
    let server = Server::with(|config| config.identity.local.enabled = false).await;
    let browser = server.browser().await;
    browser.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.fails(403, "local-accounts-off");
    let mut wish = registration("ada");
    wish["accountType"] = json!("google");
    browser.post("/api/auth/register", wish).await.fails(403, "provider-off");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_registers_stays_the_same_person() {
    let server = Server::start().await;
    let browser = server.browser().await;
    let guest = NewUser { is_temp: true, ..NewUser::named("guest-1", chrono::Utc::now()) };
    let guest = server.app.store.create_user(guest).await.unwrap();
    let here = [127, 0, 0, 1].into();
    let fresh = server.app.accounts.sessions().begin(&guest, here, "", chrono::Utc::now()).await.unwrap();
    browser.set_cookie(&format!("morpion_session={}; Path=/", fresh.token));
    assert_eq!(browser.get("/api/auth/check-login").await.ok()["user"]["isTempUser"], true);
    let user = browser.post("/api/auth/register", registration("ada")).await.ok()["user"].clone();
    assert_eq!(user["userId"], guest.id.to_string());
    assert_eq!((&user["isTempUser"], &user["username"]), (&json!(false), &json!("ada")));
}
