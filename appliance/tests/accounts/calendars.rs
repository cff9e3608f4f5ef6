//! Calendars at the provider: connecting, writing events, disconnecting.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_appliance::account::calendars::CalendarEntry;
use morpion_rules::UserId;
use morpion_store::CalendarGrant;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    external_servers::Outside,
    providers::start,
    support::{Browser, PASSWORD, Server},
};

const URL: &str = "/api/auth/api/v1/calendar/auth-url";

fn entry(event_id: Uuid) -> CalendarEntry {
    let starts_at: DateTime<Utc> = "2026-12-01T18:00:00Z".parse().unwrap();
    CalendarEntry {
        event_id,
        title: "Winter cup".to_owned(),
        description: "Five rounds.".to_owned(),
        url: format!("https://play.example.org/app/events/view/{event_id}"),
        starts_at,
        ends_at: starts_at + TimeDelta::hours(2),
    }
}

/// The calendar's requests, once there are this many.
async fn asked(provider: &Outside, number: usize) -> Vec<Value> {
    for _ in 0..200 {
        let asked = provider.ask("/asked").await.as_array().unwrap().clone();
        if asked.len() >= number {
            return asked;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the calendar was not asked {number} times");
}

async fn connected(server: &Server) -> (Browser, UserId) {
    let (browser, user) = server.registered("ada").await;
    let address = browser.get(URL).await.ok()["authUrl"].as_str().unwrap().to_owned();
    for part in ["scope=openid+calendar.events", "code_challenge_method=S256", "access_type=offline", "state="] {
        assert!(address.contains(part), "{part} in {address}");
    }
    // The provider redirects back at once; the settings page is the last redirect.
    browser.follow(&address).await;
    (browser, UserId(user["userId"].as_str().unwrap().parse().unwrap()))
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_written_into_a_connected_calendar() {
    let (server, provider) = start().await;
    let (ada, user) = connected(&server).await;
    assert_eq!(
        ada.request(Method::GET, "/api/backend/account/export").send().await.unwrap().json::<Value>().await.unwrap()["calendarConnected"],
        true
    );
    let event = Uuid::new_v4();
    let id = format!("morpion{}", event.simple());
    let calendars = server.app.accounts.calendars();
    calendars.put(user, entry(event));
    let first = asked(&provider, 1).await[0].clone();
    assert_eq!((&first["method"], &first["path"]), (&json!("POST"), &json!("/calendar/calendars/primary/events")));
    assert_eq!((&first["body"]["id"], &first["body"]["summary"]), (&json!(id), &json!("Winter cup")));
    assert_eq!(first["body"]["start"]["dateTime"], "2026-12-01T18:00:00Z");
    assert!(first["authorization"].as_str().unwrap().starts_with("Bearer "));

    // An existing entry is updated.
    provider.tell("/answers", json!({ "POST /calendar/calendars/primary/events": 409 })).await;
    calendars.put(user, entry(event));
    let third = asked(&provider, 3).await[2].clone();
    let path = json!(format!("/calendar/calendars/primary/events/{id}"));
    assert_eq!((&third["method"], &third["path"]), (&json!("PUT"), &path));
    calendars.remove(user, event);
    let fourth = asked(&provider, 4).await[3].clone();
    assert_eq!((&fourth["method"], &fourth["path"]), (&json!("DELETE"), &path));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_calendar_grant_is_refreshed() {
    let (server, provider) = start().await;
    let (_, user) = connected(&server).await;
    let grant = server.app.store.calendar_grant(user.0).await.unwrap().unwrap();
    assert!(grant.refresh_token.is_some() && grant.expires_at > Utc::now());
    let ended = CalendarGrant { access_token: "old".to_owned(), expires_at: Utc::now(), ..grant.clone() };
    server.app.store.renew_calendar_grant(&grant, ended).await.unwrap();
    server.app.accounts.calendars().put(user, entry(Uuid::new_v4()));
    let call = asked(&provider, 1).await[0].clone();
    assert_ne!(call["authorization"], "Bearer old");
    assert!(server.app.store.calendar_grant(user.0).await.unwrap().unwrap().expires_at > Utc::now());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_written_without_a_connected_calendar() {
    let (server, provider) = start().await;
    let (_, user) = server.registered("bob").await;
    let id = UserId(user["userId"].as_str().unwrap().parse().unwrap());
    server.app.accounts.calendars().put(id, entry(Uuid::new_v4()));
    let (_, ada) = connected(&server).await;
    server.app.accounts.calendars().put(ada, entry(Uuid::new_v4()));
    assert_eq!(asked(&provider, 1).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_accounts_can_connect_a_calendar_and_only_their_own() {
    let (server, _provider) = start().await;
    server.browser().await.get(URL).await.fails(401, "not-signed-in");
    let guest = server.browser().await;
    guest.post("/api/auth/guest", json!({})).await.ok();
    guest.get(URL).await.fails(403, "guest");
    // A link that another user started does not connect their calendar to this account.
    let (eve, _) = server.registered("eve").await;
    let address = eve.get(URL).await.ok()["authUrl"].as_str().unwrap().to_owned();
    let (ada, user) = server.registered("ada").await;
    ada.follow(&address).await;
    let id: Uuid = user["userId"].as_str().unwrap().parse().unwrap();
    assert_eq!(server.app.store.calendar_grant(id).await.unwrap(), None);

    let without = Server::start().await;
    let (bob, _) = without.registered("bob").await;
    let failure = bob.get(URL).await.fails(409, "calendar-off");
    assert_eq!(failure["errorMessage"], "Calendars cannot be connected on this server.");
}

async fn status(browser: &Browser) -> (Value, Value) {
    let answer = browser.get("/api/auth/api/v1/calendar/status").await.ok();
    (answer["configured"].clone(), answer["connected"].clone())
}

/// A pending revocation is made eventually.
async fn given_back(server: &Server) {
    for _ in 0..200 {
        if server.app.store.calendar_revocations(1).await.unwrap().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the grant still exists at the provider");
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_a_calendar_revokes_the_grant_at_the_provider() {
    let (server, provider) = start().await;
    let (ada, user) = connected(&server).await;
    assert_eq!(status(&ada).await, (json!(true), json!(true)));
    ada.post("/api/auth/calendar/disconnect", json!({})).await.ok();
    assert_eq!(status(&ada).await, (json!(true), json!(false)));
    let given = asked(&provider, 1).await[0].clone();
    assert_eq!((&given["method"], &given["path"]), (&json!("POST"), &json!("/revoke")));
    assert!(given["authorization"].as_str().unwrap().starts_with("Basic "), "{given}");
    given_back(&server).await;
    // Nothing is written any more, and repeating it does no harm.
    server.app.accounts.calendars().put(user, entry(Uuid::new_v4()));
    ada.post("/api/auth/calendar/disconnect", json!({})).await.ok();
    assert_eq!(asked(&provider, 1).await.len(), 1);

    server.browser().await.get("/api/auth/api/v1/calendar/status").await.fails(401, "not-signed-in");
    server.browser().await.post("/api/auth/calendar/disconnect", json!({})).await.fails(401, "not-signed-in");
    let without = Server::start().await;
    let (bob, _) = without.registered("bob").await;
    assert_eq!(status(&bob).await, (json!(false), json!(false)));
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_an_account_revokes_the_grant_also_after_a_provider_outage() {
    let (server, provider) = start().await;
    let (ada, user) = connected(&server).await;
    provider.tell("/answers", json!({ "POST /revoke": 503 })).await;
    ada.post("/api/backend/delete/account", json!({ "password": PASSWORD })).await.ok();
    assert_eq!(server.app.store.calendar_grant(user.0).await.unwrap(), None);
    assert_eq!(asked(&provider, 1).await[0]["path"], "/revoke");
    assert_eq!(server.app.store.calendar_revocations(9).await.unwrap().len(), 1, "it was not taken back");
    provider.tell("/answers", json!({})).await;
    server.app.accounts.calendars().revoke_pending_grants().await.unwrap();
    given_back(&server).await;
    assert!(asked(&provider, 2).await.iter().all(|asked| asked["path"] == "/revoke"));
}

#[tokio::test(flavor = "multi_thread")]
async fn connecting_a_calendar_redirects_back_to_its_page() {
    let (server, _provider) = start().await;
    let (ada, _) = server.registered("ada").await;
    for (query, end) in [("error=access_denied&state=x", "provider-denied"), ("code=x&state=y", "provider-flow-over")] {
        let path = format!("/api/auth/calendar/callback?{query}");
        let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let session = format!("morpion_session={}", ada.cookie("morpion_session").unwrap());
        let address = format!("http://{}{path}", server.address);
        let response = client.get(address).header("cookie", session).send().await.unwrap();
        assert_eq!(response.headers()["location"], format!("/app/setting/preferences?calendar={end}").as_str());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signing_up_adds_the_event_and_unregistering_removes_it() {
    let (server, provider) = start().await;
    let (ada, user) = connected(&server).await;
    let (admin, _) = server.admin().await;
    let starts = Utc::now() + TimeDelta::days(3);
    let details = json!({
        "title": "Winter cup",
        "description": "Five rounds, on small boards and on large ones.",
        "startTime": starts,
        "endTime": starts + TimeDelta::hours(2),
    });
    let event = admin.write("event", "create_event", details).await.ok()["event"]["eventId"].clone();
    admin.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();
    let wish = json!({ "userId": user.0, "eventId": event });
    ada.write("eventSignUp", "sign_up", wish.clone()).await.ok();
    let put = asked(&provider, 1).await[0].clone();
    assert_eq!((&put["method"], &put["body"]["summary"]), (&json!("POST"), &json!("Winter cup")));
    let page = format!("http://{}/app/events/view/{}", server.address, event.as_str().unwrap());
    assert_eq!(put["body"]["source"]["url"], page);
    ada.write("eventSignUp", "remove_signup", wish).await.ok();
    let taken = asked(&provider, 2).await[1].clone();
    assert_eq!(taken["method"], "DELETE");
    assert!(taken["path"].as_str().unwrap().ends_with(put["body"]["id"].as_str().unwrap()));
}
