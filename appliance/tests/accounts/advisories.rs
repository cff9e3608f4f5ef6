//! Classes of vulnerabilities that comparable programs had, each as a test of what happens here.

use std::{net::IpAddr, time::Duration};

use reqwest::{Method, header::HeaderMap};
use serde_json::{Value, json};

use crate::{
    providers,
    recovery::{code, mails, server},
    support::{Browser, PASSWORD, Server, credentials, registration},
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
    assert!(
        server
            .app
            .store
            .set_totp(server.credentials_of(user).await, "encrypted", 0, &["code".to_owned()])
            .await
            .unwrap()
    );
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

/// Pages that send people on to an address from their own address are used by phishers.
#[tokio::test(flavor = "multi_thread")]
async fn open_redirect_after_sign_in() {
    let (server, provider) = providers::start().await;
    let person = json!({ "aud": providers::CLIENT, "sub": "s", "email": "ada@example.org", "email_verified": true });
    provider.tell("/claims", person).await;
    let origin = format!("http://{}", server.address);
    let target = "https%3A%2F%2Fevil.example%2F";
    let names = ["next", "returnTo", "return_to", "redirect", "redirect_uri", "continue", "url", "state"];
    let wishes: Vec<String> = names.iter().map(|name| format!("{name}={target}")).collect();
    let browser = server.browser().await;
    let there = providers::step(&browser, &format!("{origin}/api/auth/oidc/start?{}", wishes.join("&"))).await;
    assert!(!there.contains("evil.example"), "{there}");
    let back = providers::step(&browser, &there).await;
    assert!(back.starts_with(&format!("{origin}/api/auth/oidc/callback?")), "{back}");
    assert_eq!(providers::step(&browser, &format!("{back}&{}", wishes[..7].join("&"))).await, "/login?welcome=1");
    for wish in ["error=//evil.example", "error=%0D%0ALocation:%20https://evil.example", &wishes[0]] {
        let end = providers::step(&browser, &format!("{origin}/api/auth/oidc/callback?{wish}")).await;
        assert_eq!(end, "/login?error=provider-refused", "{wish}");
    }
    for path in ["//evil.example", "/%2F%2Fevil.example", "/\\evil.example", "/%5Cevil.example/.."] {
        let response = browser.bare(Method::GET, path).send().await.unwrap();
        let location = response.headers().get("location").map(|location| location.to_str().unwrap().to_owned());
        assert!(
            location.as_ref().is_none_or(|to| to.starts_with('/') && !to.starts_with("//")),
            "{path}: {location:?}"
        );
    }
}

/// A link on another site must not sign anybody in, although the provider still knows them.
#[tokio::test(flavor = "multi_thread")]
async fn sign_in_begun_by_another_site() {
    let (server, _provider) = providers::start().await;
    let browser = server.browser().await;
    for (site, begins) in [("cross-site", false), ("same-site", false), ("same-origin", true), ("none", true)] {
        let address = format!("http://{}/api/auth/oidc/start", server.address);
        let answer = providers::step_from(&browser, &address, site).await;
        assert_eq!(answer != "/login", begins, "{site}: {answer}");
    }
}

/// A letter whose links go to the host that the request named hands its secret to whoever made the request.
#[tokio::test(flavor = "multi_thread")]
async fn host_header_in_recovery_links() {
    let (server, folder) = server().await;
    let (ada, user) = server.registered("ada").await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    server.verify_email_of(id, "ada@example.org").await;
    let evil = |browser: &Browser, path: &str, body: Value| {
        let request = browser.request(Method::POST, path).json(&body);
        ["x-forwarded-host", "x-host", "x-original-url", "x-forwarded-server", "x-http-host-override"]
            .into_iter()
            .fold(request, |request, name| request.header(name, "evil.example"))
            .header("forwarded", "host=evil.example;proto=http")
            .header("x-forwarded-proto", "http")
            .header("x-forwarded-port", "666")
    };
    let recover = "/api/auth/api/v1/requestverificationcode";
    let body = json!({ "email": "ada@example.org" });
    let named = evil(&ada, recover, body.clone()).header("host", "evil.example");
    assert!(ada.send(named).await.status.is_client_error(), "another name is refused");
    ada.send(evil(&ada, recover, body)).await.ok();
    code(&folder, 1).await;
    // Both letters of a change: the code, and the link that undoes it.
    let change = json!({ "newEmail": "new@example.org" });
    ada.send(evil(&ada, "/api/auth/email/change/request", change)).await.ok();
    let proof = json!({ "code": code(&folder, 2).await });
    ada.send(evil(&ada, "/api/auth/email/change/verify", proof)).await.ok();
    for _ in 0..100 {
        if mails(&folder).len() >= 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let letters = mails(&folder);
    assert!(letters.iter().any(|letter| letter.contains(&format!("http://{}/", server.address))), "{letters:#?}");
    assert!(letters.len() >= 3 && letters.iter().all(|letter| !letter.contains("evil") && !letter.contains(":666")));
}

/// What a stranger gets, without what differs between any two responses.
async fn seen(browser: &Browser, path: &str, body: Value) -> (u16, Vec<(String, String)>, Value) {
    let response = browser.request(Method::POST, path).json(&body).send().await.unwrap();
    let status = response.status().as_u16();
    let mut headers = names_and_values(response.headers());
    headers.sort();
    let mut body: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
    if let Some(id) = body.get_mut("requestId") {
        *id = json!("");
    }
    (status, headers, body)
}

/// Of secrets, times and ids only that they are there.
fn names_and_values(headers: &HeaderMap) -> Vec<(String, String)> {
    let value = |name: &str, value: &str| match name {
        "date" | "x-request-id" | "set-cookie" => {
            value.split('=').next().filter(|_| name == "set-cookie").map(str::to_owned)
        }
        _ => Some(value.to_owned()),
    };
    let pair = |name: &str, text: &str| (name.to_owned(), value(name, text).unwrap_or_default());
    headers.iter().map(|(name, text)| pair(name.as_str(), text.to_str().unwrap())).collect()
}

/// Texts that differ tell who has an account.
#[tokio::test(flavor = "multi_thread")]
async fn user_enumeration_by_text() {
    let (server, _folder) = server().await;
    let (owner, user) = server.registered("verified").await;
    let id = user["userId"].as_str().unwrap().parse().unwrap();
    server.verify_email_of(id, "verified@example.org").await;
    server.registered("claimed").await;
    let emails = ["verified@example.org", "claimed@example.org", "nobody@example.org"];
    let mut answers: Vec<Vec<_>> = Vec::new();
    for email in emails {
        let browser = server.browser().await;
        let mut own = Vec::new();
        for (path, body) in [
            ("/api/auth/login", credentials(email, "Wrong-Horse-8")),
            ("/api/auth/api/v1/requestverificationcode", json!({ "email": email })),
            ("/api/auth/api/v1/validate-verification-code", json!({ "email": email, "code": 100_000 })),
            ("/api/auth/api/v1/validate-verification-code", json!({ "email": email, "code": 1 })),
            ("/api/auth/api/v1/update-password", json!({ "email": email, "newPassword": "Another-Horse-8" })),
        ] {
            own.push(seen(&browser, path, body).await);
        }
        answers.push(own);
    }
    for answer in &answers {
        assert_eq!(answer, &answers[2]);
    }
    assert_eq!(answers[2].iter().map(|(status, ..)| *status).collect::<Vec<_>>(), [401, 200, 422, 422, 403]);
    // Registering with an email that somebody claims is as with a new one, and so is its verification.
    let mut signed_up = Vec::new();
    for email in &emails[1..] {
        let browser = server.browser().await;
        let mut wish = registration(&format!("eve{}", signed_up.len()));
        wish["email"] = json!(email);
        let (status, headers, _) = seen(&browser, "/api/auth/register", wish).await;
        let headers: Vec<_> = headers.into_iter().filter(|(name, _)| name != "content-length").collect();
        let asked = seen(&browser, "/api/auth/email/request-code", json!({})).await;
        let guessed = seen(&browser, "/api/auth/email/verify", json!({ "code": 100_000 })).await;
        signed_up.push((status, headers, asked, guessed));
    }
    assert_eq!(signed_up[0], signed_up[1]);
    assert!(owner.is_signed_in().await);
}

/// A limit by address alone is no limit to somebody who has many; a limit by account alone locks its owner out.
#[tokio::test(flavor = "multi_thread")]
async fn brute_force_over_many_addresses() {
    let server = Server::with(|config| {
        config.server.trusted_proxies = vec!["127.0.0.1".parse::<IpAddr>().unwrap().into()];
        config.limits.failed_sign_ins_per_account = 20.try_into().unwrap();
        config.limits.failed_sign_ins_slow_down = 60;
    })
    .await;
    let (owner, _) = server.registered("ada").await;
    owner.post("/api/auth/logout", json!({})).await.ok();
    let attacker = server.browser().await;
    let mut guesses = tokio::task::JoinSet::new();
    for host in 1..=100 {
        // Each from a network of its own.
        let guess = attacker
            .request(Method::POST, "/api/auth/login")
            .header("x-forwarded-for", format!("2001:db8:{host:x}::1"))
            .json(&credentials("ada@example.org", "Wrong-Horse-8"));
        guesses.spawn(async move {
            let answer = tokio::time::timeout(Duration::from_secs(6), guess.send()).await;
            answer.ok().map(|response| response.unwrap().status().as_u16())
        });
    }
    let answers = guesses.join_all().await;
    let wrong = answers.iter().filter(|status| **status == Some(401)).count();
    assert!((1..=20).contains(&wrong), "the others wait: {answers:?}");
    owner.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
}
