//! Several sign-in providers at once, and admins by the groups there.

use morpion_appliance::{clock::Clock, config::Config};
use serde_json::{Value, json};

use crate::{
    external_servers::Outside,
    providers::{CLIENT, step, use_provider},
    support::{Browser, Server},
};

const HOUR: i64 = 60 * 60_000;

/// A provider with this id.
fn add(config: &mut Config, id: &str, issuer: &str) {
    let mut oidc = Config::default().identity.oidc;
    issuer.clone_into(&mut oidc.issuer);
    oidc.client_id = CLIENT.to_owned();
    oidc.client_secret = "hidden".to_owned().into();
    oidc.name = id.to_owned();
    config.identity.more_oidc.insert(id.to_owned(), oidc);
}

/// A server with the providers `club` and `school`.
async fn start(clock: Clock, change: impl FnOnce(&mut Config)) -> (Server, Outside, Outside) {
    let (club, school) = (Outside::start("oidc.mjs", ""), Outside::start("oidc.mjs", ""));
    let server = Server::with_clock(clock, |config| {
        add(config, "club", &club.at);
        add(config, "school", &school.at);
        change(config);
    })
    .await;
    (server, club, school)
}

fn way(server: &Server, id: &str) -> String {
    format!("http://{}/api/auth/oidc/{id}/start", server.address)
}

/// The URL at which the browser comes back from the provider.
async fn back(server: &Server, browser: &Browser, id: &str) -> String {
    step(browser, &step(browser, &way(server, id)).await).await
}

/// Where a sign-in ends.
async fn end(server: &Server, browser: &Browser, id: &str) -> String {
    step(browser, &back(server, browser, id).await).await
}

/// Signs a browser in, and returns it and who that is.
async fn enter(server: &Server, id: &str) -> (Browser, Value) {
    let browser = server.browser().await;
    let there = step(&browser, &way(server, id)).await;
    browser.follow(&there).await;
    let user = own(&browser).await;
    assert!(user.is_object(), "nobody is signed in");
    (browser, user)
}

async fn own(browser: &Browser) -> Value {
    browser.get("/api/auth/check-login").await.ok()["user"].clone()
}

fn person(sub: &str, email: &str, more: Value) -> Value {
    // Its tokens are good whatever time it is here.
    let mut claims = json!({ "sub": sub, "email": email, "email_verified": true, "exp": 4_000_000_000_u64 });
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    claims
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_down_says_so_while_others_serve() {
    let club = Outside::start("oidc.mjs", "");
    let first = Outside::start("oidc.mjs", "");
    let server = Server::with(|config| {
        use_provider(config, &first);
        add(config, "club", &club.at);
        add(config, "school", "http://127.0.0.1:1");
    })
    .await;
    let browser = server.browser().await;
    let told = browser.get("/api/auth/providers").await.ok();
    assert_eq!((&told["provider"]["name"], told["provider"].get("id")), (&json!("Example"), None));
    let ids = |told: &Value| {
        let others = told["otherProviders"].as_array().unwrap().clone();
        others.iter().map(|each| (each["id"].clone(), each["isAway"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(ids(&told), [(json!("club"), Value::Null), (json!("school"), Value::Null)], "none was asked yet");
    assert!(!told.to_string().contains("hidden"));
    for _ in 0..2 {
        // The second time it is not even asked.
        assert_eq!(step(&browser, &way(&server, "school")).await, "/login?error=unavailable&provider=school");
    }
    let told = browser.get("/api/auth/providers").await.ok();
    assert_eq!(ids(&told), [(json!("club"), Value::Null), (json!("school"), json!(true))]);
    club.tell("/claims", person("ada", "ada@example.org", json!({}))).await;
    assert_eq!(enter(&server, "club").await.1["email"], "ada@example.org");
    assert_eq!(step(&browser, &way(&server, "nobody")).await, "/login?error=provider-off");
    assert_eq!(step(&browser, &way(&server, "%26x=1")).await, "/login?error=provider-off", "only ids of ours are told");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_provider_answers_is_not_taken_for_another() {
    let (server, club, school) = start(Clock::default(), |_| {}).await;
    for provider in [&club, &school] {
        provider.tell("/claims", person("ada", "ada@example.org", json!({}))).await;
    }
    let browser = server.browser().await;
    let there = step(&browser, &way(&server, "club")).await;
    assert!(there.contains("oidc%2Fclub%2Fcallback"), "{there}");
    // The state belongs to the provider, whatever URI it is brought back to.
    let from_club = back(&server, &browser, "club").await;
    assert!(from_club.contains("/api/auth/oidc/club/callback?"), "{from_club}");
    let mixed = from_club.replace("/oidc/club/", "/oidc/school/");
    assert_eq!(step(&browser, &mixed).await, "/login?error=provider-flow-over&provider=school");
    let without = from_club.replace("/oidc/club/", "/oidc/");
    assert_eq!(step(&browser, &without).await, "/login?error=provider-off");
    // RFC 9207: a way back that names another issuer, or this one.
    let named = format!("{from_club}&iss={}", school.at);
    assert_eq!(step(&browser, &named).await, "/login?error=provider-refused&provider=club");
    let right = format!("{}&iss={}", back(&server, &browser, "club").await, club.at);
    assert_eq!(step(&browser, &right).await, "/login?welcome=1");
    // A token that another one issued.
    school.tell("/claims", person("ada", "ada@example.org", json!({ "iss": club.at }))).await;
    assert_eq!(end(&server, &browser, "school").await, "/login?error=provider-refused&provider=school");
    assert_eq!(server.app.store.count_users().await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_subject_at_two_providers_is_two_people_unless_both_vouch_for_the_email() {
    let (server, club, school) = start(Clock::default(), |config| {
        config.identity.more_oidc.get_mut("school").unwrap().accept_missing_email_verified = true;
    })
    .await;
    club.tell("/claims", person("ada", "ada@example.org", json!({}))).await;
    let (_, ada) = enter(&server, "club").await;
    // The school says nothing of the email: whoever claims it there gets no account of anybody.
    school.tell("/claims", person("ada", "ada@example.org", json!({ "email_verified": null }))).await;
    let (_, eve) = enter(&server, "school").await;
    assert_ne!(eve["userId"], ada["userId"]);
    assert_eq!(eve["emailVerified"], false);
    assert_eq!(enter(&server, "school").await.1["userId"], eve["userId"]);
    school.tell("/claims", person("ADA", "other@example.org", json!({}))).await;
    assert_ne!(enter(&server, "school").await.1["userId"], eve["userId"], "in other letters it is another subject");
    // The club vouches, and there it says nothing of another's email either.
    club.tell("/claims", person("bob", "ada@example.org", json!({ "email_verified": false }))).await;
    let browser = server.browser().await;
    assert_eq!(end(&server, &browser, "club").await, "/login?error=provider-email-unverified&provider=club");
    // Vouched for by both it is the same person.
    school.tell("/claims", person("ada-too", "ada@example.org", json!({}))).await;
    assert_eq!(enter(&server, "school").await.1["userId"], ada["userId"]);
}

async fn with_admins(clock: Clock) -> (Server, Outside, Outside) {
    start(clock, |config| {
        let club = config.identity.more_oidc.get_mut("club").unwrap();
        club.admin_groups = vec!["board".to_owned()];
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_makes_admins_and_its_absence_ends_their_rights_and_sessions() {
    let (server, club, school) = with_admins(Clock::default()).await;
    let (boss, _) = server.admin().await;
    let board = |groups: Value| person("ada", "ada@example.org", json!({ "groups": groups }));
    club.tell("/claims", board(json!(["board", "club"]))).await;
    let (first, user) = enter(&server, "club").await;
    assert_eq!((&user["isAdmin"], &user["adminClaim"]["issuer"]), (&json!(true), &json!(club.at)));
    first.read("admin", "overview", json!({})).await.ok();
    let listed = boss.read("admin", "list_admins", json!({})).await.ok()["users"].clone();
    let origins: Vec<_> = listed.as_array().unwrap().iter().map(|each| each["adminClaim"].is_object()).collect();
    assert_eq!(origins.iter().filter(|by_claim| **by_claim).count(), 1, "{listed}");
    assert_eq!(server.app.store.count_admins().await.unwrap(), 1, "who was promoted is counted apart");
    // Rights for a while make none that stay.
    let lasting = [
        ("set_admin", json!({ "userId": user["userId"], "isAdmin": true })),
        ("create_token", json!({ "name": "back door", "scope": "all" })),
    ];
    for (action, payload) in lasting {
        first.write("admin", action, payload).await.fails(403, "forbidden");
    }

    // Another provider's group of that name is none of ours, and takes nothing away either.
    school.tell("/claims", person("x", "ada@example.org", json!({ "groups": [] }))).await;
    assert_eq!(end(&server, &server.browser().await, "school").await, "/login?error=no-password&provider=school");
    school.tell("/claims", person("y", "eve@example.org", json!({ "groups": ["board"] }))).await;
    assert_eq!(enter(&server, "school").await.1["isAdmin"], false);
    first.read("admin", "overview", json!({})).await.ok();

    for lacking in [json!([]), json!(["Board"]), json!("board,club"), json!([{ "id": "board" }]), json!(null)] {
        club.tell("/claims", board(json!("board"))).await;
        let (before, _) = enter(&server, "club").await;
        before.read("admin", "overview", json!({})).await.ok();
        club.tell("/claims", board(lacking.clone())).await;
        let (after, user) = enter(&server, "club").await;
        assert_eq!((&user["isAdmin"], user.get("adminClaim")), (&json!(false), None), "{lacking}");
        assert!(!before.is_signed_in().await, "{lacking}: the sessions have ended");
        after.read("admin", "overview", json!({})).await.fails(403, "forbidden");
    }
    // Where userinfo cannot say it just now, nobody loses anything.
    club.tell("/claims", board(json!(["board"]))).await;
    let (admin, _) = enter(&server, "club").await;
    club.tell("/claims", board(json!(null))).await;
    club.tell("/userinfo", json!(null)).await;
    let refusal = "/login?error=unavailable&provider=club";
    assert_eq!(end(&server, &server.browser().await, "club").await, refusal);
    admin.read("admin", "overview", json!({})).await.ok();

    let trail = boss.read("admin", "list_audit", json!({ "limit": 50 })).await.ok()["entries"].clone();
    let of = |action: &str| trail.as_array().unwrap().iter().filter(|entry| entry["action"] == action).count();
    assert_eq!((of("grant_admin_by_claim"), of("end_admin_by_claim")), (6, 5), "{trail}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rights_by_a_group_end_after_a_day_and_do_not_outlive_a_refused_sign_in() {
    let clock = Clock::default();
    let (server, club, _school) = start(clock.clone(), |config| {
        let club = config.identity.more_oidc.get_mut("club").unwrap();
        club.admin_groups = vec!["board".to_owned()];
        club.allowed_groups = vec!["board".to_owned(), "club".to_owned()];
    })
    .await;
    let board = |groups: Value| person("ada", "ada@example.org", json!({ "groups": groups }));
    let many: Vec<String> = (0..500).map(|number| format!("group-{number}")).chain(["board".to_owned()]).collect();
    club.tell("/claims", board(json!(many))).await;
    let (admin, _) = enter(&server, "club").await;
    clock.advance(23 * HOUR);
    admin.read("admin", "overview", json!({})).await.ok();
    // Another sign-in with the claim renews them.
    enter(&server, "club").await;
    clock.advance(23 * HOUR);
    admin.read("admin", "overview", json!({})).await.ok();
    clock.advance(HOUR);
    admin.read("admin", "overview", json!({})).await.fails(403, "forbidden");
    server.app.accounts.end_admin_claims().await.unwrap();
    assert!(admin.is_signed_in().await, "as a player");
    assert_eq!(own(&admin).await["isAdmin"], false);

    // In no group that may sign in any more, or with so many that the provider leaves them out.
    for refused in [json!(["x"]), json!(null)] {
        club.tell("/claims", board(json!(["board"]))).await;
        let (admin, _) = enter(&server, "club").await;
        admin.read("admin", "overview", json!({})).await.ok();
        club.tell("/claims", board(refused.clone())).await;
        let browser = server.browser().await;
        let refusal = "/login?error=provider-not-allowed&provider=club";
        assert_eq!(end(&server, &browser, "club").await, refusal, "{refused}");
        assert!(!admin.is_signed_in().await, "{refused}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rights_by_a_group_ask_for_a_second_factor_as_all_admin_rights_do() {
    let (server, club, _school) = start(Clock::default(), |config| {
        config.identity.more_oidc.get_mut("club").unwrap().admin_groups = vec!["board".to_owned()];
        config.identity.require_second_factor = morpion_appliance::config::RequireSecondFactor::Admins;
    })
    .await;
    club.tell("/claims", person("ada", "ada@example.org", json!({ "groups": ["board"] }))).await;
    let (admin, user) = enter(&server, "club").await;
    assert_eq!(user["isAdmin"], true);
    admin.read("admin", "overview", json!({})).await.fails(403, "second-factor-needed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_group_makes_nobody_an_admin_by_the_email_of_another_account_alone() {
    let (server, club, _school) = with_admins(Clock::default()).await;
    let (owner, user) = server.registered("ada").await;
    server.verify_email(&user).await;
    // The password of the account, which becomes an admin's, is asked for first.
    club.tell("/claims", person("ada", "ada@example.org", json!({ "groups": ["board"] }))).await;
    let browser = server.browser().await;
    assert_eq!(end(&server, &browser, "club").await, "/login?step=second-factor");
    assert_eq!(own(&owner).await["isAdmin"], false);
    assert!(!browser.is_signed_in().await);
    let again = server.browser().await;
    let there = step(&again, &way(&server, "club")).await;
    again.follow(&there).await;
    let proof = json!({ "password": crate::support::PASSWORD });
    again.post("/api/auth/second-factor/verify", proof).await.ok();
    let own = own(&again).await;
    assert_eq!((&own["userId"], &own["isAdmin"]), (&user["userId"], &json!(true)));
    again.read("admin", "overview", json!({})).await.ok();
    // Whoever began the session from before, it gains nothing.
    owner.read("admin", "overview", json!({})).await.fails(403, "forbidden");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_leads_on_to_the_only_way_in() {
    let told = async |change: fn(&mut Config)| {
        let server = Server::with(|config| {
            config.identity.redirect_to_only_provider = true;
            config.identity.local.enabled = false;
            add(config, "club", "http://127.0.0.1:1");
            change(config);
        })
        .await;
        server.browser().await.get("/api/auth/providers").await.ok()["redirectToProvider"] == true
    };
    assert!(told(|_| {}).await);
    assert!(!told(|config| config.identity.redirect_to_only_provider = false).await);
    assert!(!told(|config| config.identity.local.enabled = true).await);
    assert!(!told(|config| add(config, "school", "http://127.0.0.1:2")).await, "there is a choice");
    assert!(!told(|config| config.identity.more_oidc.clear()).await);
}
