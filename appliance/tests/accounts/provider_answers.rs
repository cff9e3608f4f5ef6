//! Signing in with providers as they are: what they announce and answer is in `tests/servers/providers/`, with its source.

use morpion_appliance::config::Config;
use serde_json::{Value, json};

use crate::{
    external_servers::Outside,
    providers::{step, use_provider},
    recovery,
    support::{Browser, Server},
};

async fn start_with(name: &str, change: impl FnOnce(&mut Config)) -> (Server, Outside) {
    let provider = Outside::start("oidc.mjs", name);
    let server = Server::with(|config| {
        use_provider(config, &provider);
        change(config);
    })
    .await;
    (server, provider)
}

/// Where a sign-in by the code flow ends.
async fn come_back(server: &Server, browser: &Browser) -> String {
    let there = step(browser, &format!("http://{}/api/auth/oidc/start", server.address)).await;
    let back = step(browser, &there).await;
    step(browser, &back).await
}

/// Who is signed in after a sign-in.
async fn enter(server: &Server) -> Result<Value, String> {
    let browser = server.browser().await;
    let there = step(&browser, &format!("http://{}/api/auth/oidc/start", server.address)).await;
    // The browser follows to the last page, and keeps the cookies.
    let end = browser.follow(&there).await;
    let user = browser.get("/api/auth/check-login").await.ok()["user"].clone();
    if user.is_object() { Ok(user) } else { Err(end) }
}

fn notice(server: &Server) -> Option<String> {
    server.app.accounts.provider("").unwrap().notice()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answers_of_known_providers_sign_people_in() {
    for (name, first_name) in [
        ("google", "Ada"),
        ("keycloak", "Ada"),
        ("zitadel", "Ada"),
        ("auth0", "Ada"),
        ("gitlab", ""),
        ("cognito", "Ada"),
        ("authelia", ""),
    ] {
        let (server, _provider) = start_with(name, |_| {}).await;
        let user = enter(&server).await.unwrap_or_else(|end| panic!("{name}: {end}, {:?}", notice(&server)));
        assert_eq!((&user["email"], &user["emailVerified"]), (&json!("ada@example.org"), &json!(true)), "{name}");
        assert_eq!(user["firstName"], first_name, "{name}");
        assert_eq!(enter(&server).await.unwrap()["userId"], user["userId"], "{name}: the same account again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_email_that_the_provider_does_not_confirm_is_refused_by_the_name_of_the_claim() {
    let (server, _provider) = start_with("entra", |_| {}).await;
    let end = come_back(&server, &server.browser().await).await;
    assert_eq!(end, "/login?error=provider-email-unverified");
    let told = notice(&server).unwrap();
    assert!(told.starts_with("The latest sign-in with Example was refused ("), "{told}");
    assert!(told.ends_with("): email_verified is missing in the ID token and at userinfo."), "{told}");
    // `morpion doctor` and the admins' home show the warnings.
    let (admin, _) = server.admin().await;
    let warnings = admin.read("admin", "overview", json!({})).await.ok()["warnings"].clone();
    assert!(warnings.as_array().unwrap().contains(&json!(told)), "{warnings}");

    let (server, provider) = start_with("authentik", |_| {}).await;
    come_back(&server, &server.browser().await).await;
    assert!(notice(&server).unwrap().ends_with("): email_verified is false."));
    // With a scope mapping of its own.
    provider.tell("/claims", json!({ "email_verified": true })).await;
    assert_eq!(enter(&server).await.unwrap()["email"], "ada@example.org");
    assert_eq!(notice(&server), None, "somebody got in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_email_verified_can_be_accepted_and_leads_to_no_other_account() {
    let folder = tempfile::TempDir::new().unwrap();
    let data = folder.path().to_owned();
    let (server, _provider) = start_with("entra", |config| {
        config.identity.oidc.accept_missing_email_verified = true;
        config.data_dir = data;
    })
    .await;
    let first = enter(&server).await.unwrap();
    assert_eq!((&first["email"], &first["emailVerified"]), (&json!("ada@example.org"), &json!(false)));
    // Somebody else verifies the email: it is theirs, and the provider's word opens nothing of it.
    let (ada, owner) = server.registered("ada").await;
    ada.post("/api/auth/email/request-code", json!({})).await.ok();
    ada.post("/api/auth/email/verify", json!({ "code": recovery::code(&folder, 1).await })).await.ok();
    assert_eq!(enter(&server).await.unwrap()["userId"], first["userId"]);
    let id = first["userId"].as_str().unwrap().parse().unwrap();
    server.app.store.delete_user(id, chrono::Utc::now()).await.unwrap();
    let again = enter(&server).await.unwrap();
    assert_ne!(again["userId"], owner["userId"]);
    assert_eq!(again["emailVerified"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn claims_that_are_not_used_decide_nothing() {
    let (server, provider) = start_with("", |_| {}).await;
    let person = json!({ "sub": "ada", "email": "ada@example.org", "email_verified": true });
    let first = {
        provider.tell("/claims", person.clone()).await;
        enter(&server).await.unwrap()
    };
    for odd in [
        json!({ "updated_at": "2026-11-01T10:00:00Z" }),
        json!({ "updated_at": "yesterday", "auth_time": "x", "iat": null, "nbf": "soon" }),
        json!({ "address": "Example Street 1", "locale": {}, "picture": 7, "website": "", "gender": ["x"] }),
        json!({ "phone_number": 7, "phone_number_verified": "perhaps", "birthdate": {}, "zoneinfo": [] }),
        json!({ "amr": "pwd", "acr": 1, "azp": "another-client", "at_hash": 7, "name#de": {}, "name": 7 }),
        json!({ "exp": 4_000_000_000.5_f64, "aud": ["the-client"], "email_verified": "true" }),
        json!({ "aud": ["the-client", "its-project"], "azp": "the-client" }),
    ] {
        let mut claims = person.clone();
        claims.as_object_mut().unwrap().extend(odd.as_object().unwrap().clone());
        provider.tell("/claims", claims).await;
        let user = enter(&server).await.unwrap_or_else(|end| panic!("{odd}: {end}, {:?}", notice(&server)));
        assert_eq!(user["userId"], first["userId"], "{odd}");
    }
    // A subject in other letters is somebody else.
    provider.tell("/claims", json!({ "sub": "Ada", "email": "other@example.org", "email_verified": true })).await;
    assert_ne!(enter(&server).await.unwrap()["userId"], first["userId"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn userinfo_is_asked_for_what_the_token_lacks_and_believed_about_the_same_person_only() {
    let (server, provider) = start_with("", |_| {}).await;
    provider.tell("/claims", json!({ "sub": "ada" })).await;
    provider.tell("/userinfo", json!({ "sub": "eve", "email": "ada@example.org", "email_verified": true })).await;
    let browser = server.browser().await;
    assert_eq!(come_back(&server, &browser).await, "/login?error=provider-email-unverified");
    assert!(notice(&server).unwrap().ends_with("userinfo: sub is not that of the ID token."), "{:?}", notice(&server));
    provider.tell("/userinfo", json!(null)).await;
    assert_eq!(come_back(&server, &browser).await, "/login?error=unavailable", "it may say so later");
    provider.tell("/userinfo", json!({ "email": "ada@example.org", "email_verified": true })).await;
    assert_eq!(enter(&server).await.unwrap()["email"], "ada@example.org");
    // What the token says wins.
    provider.tell("/claims", json!({ "sub": "eve", "email": "eve@example.org" })).await;
    assert_eq!(come_back(&server, &browser).await, "/login?error=provider-email-unverified");
    assert_eq!(server.app.store.count_users().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_the_provider_refuses_is_told_to_operators_and_codes_made_up_are_not() {
    let (server, _provider) = start_with("", |_| {}).await;
    let browser = server.browser().await;
    let there = step(&browser, &format!("http://{}/api/auth/oidc/start", server.address)).await;
    let back = step(&browser, &there).await;
    let (before, after) = back.split_once("code=").unwrap();
    let made_up = format!("{before}code=made-up{}", &after[after.find('&').unwrap()..]);
    assert_eq!(step(&browser, &made_up).await, "/login?error=provider-refused");
    assert_eq!(notice(&server), None, "anybody can do this");

    let (server, provider) =
        start_with("", |config| config.identity.oidc.client_secret = "mistyped".to_owned().into()).await;
    assert_eq!(come_back(&server, &server.browser().await).await, "/login?error=provider-refused");
    let told = notice(&server).unwrap();
    assert!(told.contains("/token answered 401 Unauthorized invalid_client: "), "{told}");
    drop(provider);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_goes_away_meanwhile_is_no_refusal() {
    let (server, provider) = start_with("", |_| {}).await;
    let browser = server.browser().await;
    let there = step(&browser, &format!("http://{}/api/auth/oidc/start", server.address)).await;
    let back = step(&browser, &there).await;
    drop(provider);
    assert_eq!(step(&browser, &back).await, "/login?error=unavailable");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_members_of_the_allowed_groups_get_in() {
    let (server, provider) = start_with("", |config| {
        config.identity.oidc.allowed_groups = vec!["club".to_owned(), "board".to_owned()];
        config.identity.oidc.groups_claim = "realm_access.roles".to_owned();
    })
    .await;
    let person = json!({ "sub": "ada", "email": "ada@example.org", "email_verified": true });
    let with = |claims: Value| {
        let mut all = person.clone();
        all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        all
    };
    let nested = |roles: Value| json!({ "realm_access": { "roles": roles } });
    let many: Vec<String> = (0..499).map(|number| format!("group-{number}")).chain(["board".to_owned()]).collect();
    let first = {
        provider.tell("/claims", with(nested(json!(["club"])))).await;
        enter(&server).await.unwrap()
    };
    for named in [
        nested(json!("club")),
        nested(json!(["x", "board"])),
        nested(json!(many)),
        nested(json!([{ "name": "club" }, 7, null])),
        nested(json!({ "club": { "240": "example.org" } })),
        json!({ "realm_access.roles": ["club"] }),
    ] {
        provider.tell("/claims", with(named.clone())).await;
        assert_eq!(enter(&server).await.unwrap()["userId"], first["userId"], "{named}");
    }
    let browser = server.browser().await;
    for named in [
        nested(json!([])),
        nested(json!(["Club"])),
        nested(json!("club,board")),
        nested(json!(true)),
        nested(json!({ "name": "club" })),
    ] {
        provider.tell("/claims", with(named.clone())).await;
        assert_eq!(come_back(&server, &browser).await, "/login?error=provider-not-allowed", "{named}");
        assert_eq!(notice(&server), None, "{named}: who is no member is refused as meant");
    }
    // Without the claim nobody is a member, also where it did not fit into the token; operators are told.
    for missing in
        [json!({}), json!({ "groups": ["club"] }), json!({ "_claim_names": { "realm_access.roles": "src1" } })]
    {
        provider.tell("/claims", with(missing.clone())).await;
        assert_eq!(come_back(&server, &browser).await, "/login?error=provider-not-allowed", "{missing}");
        let told = notice(&server).unwrap();
        let why = "identity.oidc.groups_claim names a claim that is missing in the ID token and at userinfo.";
        assert!(told.ends_with(why), "{told}");
    }
    provider.tell("/userinfo", nested(json!(["club"]))).await;
    assert_eq!(enter(&server).await.unwrap()["userId"], first["userId"], "userinfo has it");
}
