//! What people choose, and what ends their subscriptions.

use serde_json::{Value, json};

use crate::{
    support::{PASSWORD, Server, credentials},
    world::{Person, World},
};

#[tokio::test(flavor = "multi_thread")]
async fn settings_are_the_accounts_and_start_as_documented() {
    let world = World::new().await;
    let ada = world.person("ada").await;
    let first = ada.settings().await;
    let all = json!({ "invitation": true, "answer": true, "turn": true, "paired": true, "event": true });
    assert_eq!((&first["push"], &first["mail"]), (&all, &json!({ "event": false, "payment": true })));
    assert_eq!((&first["subscriptions"], &first["letterMinutes"]), (&json!([]), &json!(60)));
    let change = |change: Value| ada.browser.write("userprofile", "update_notification_settings", change);
    let changed = change(json!({ "mail": { "event": true, "payment": true } })).await.ok();
    assert_eq!((&changed["push"], &changed["mail"]["event"]), (&all, &json!(true)), "the rest stays");
    let less = json!({ "invitation": false, "answer": true, "turn": false, "paired": true, "event": true });
    change(json!({ "push": less })).await.ok();
    change(json!({})).await.ok();
    // Of another browser too.
    let other = world.server.browser().await;
    other.post("/api/auth/login", credentials("ada@example.org", PASSWORD)).await.ok();
    let seen = Person { browser: other, id: ada.id.clone() }.settings().await;
    assert_eq!((&seen["push"], &seen["mail"]["event"]), (&less, &json!(true)));
    for bad in [json!({ "push": {} }), json!({ "mail": { "event": true } }), json!({ "sms": {} })] {
        change(bad).await.fails(400, "malformed");
    }
    world
        .server
        .browser()
        .await
        .read("userprofile", "get_notification_settings", json!({}))
        .await
        .fails(401, "not-signed-in");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_is_listed_until_it_is_taken_off() {
    let world = World::new().await;
    let ada = world.person("ada").await;
    let subscription = ada.subscribes(&world.service).await;
    let listed = ada.settings().await["subscriptions"].clone();
    let device = &listed[0];
    assert_eq!((&device["isCurrent"], listed.as_array().unwrap().len()), (&json!(true), 1));
    assert!(!listed.to_string().contains(subscription["endpoint"].as_str().unwrap()), "the endpoint is a secret");
    // Confirmed, it is the same one; another endpoint of the same browser takes its place.
    ada.browser.write("userprofile", "subscribe_push", subscription.clone()).await.ok();
    assert_eq!(ada.settings().await["subscriptions"][0]["subscriptionId"], device["subscriptionId"]);
    let second = ada.subscribes(&world.service).await;
    assert_eq!(ada.subscriptions().await, 1);
    let off = |payload: Value| ada.browser.write("userprofile", "unsubscribe_push", payload);
    off(json!({ "endpoint": subscription["endpoint"] })).await.ok();
    assert_eq!(ada.subscriptions().await, 1, "it was replaced already");
    off(json!({ "endpoint": second["endpoint"] })).await.ok();
    assert_eq!(ada.subscriptions().await, 0);
    ada.subscribes(&world.service).await;
    let id = ada.settings().await["subscriptions"][0]["subscriptionId"].clone();
    // Not by others.
    let eve = world.person("eve").await;
    eve.browser.write("userprofile", "unsubscribe_push", json!({ "subscriptionId": id })).await.ok();
    assert_eq!(ada.subscriptions().await, 1);
    off(json!({ "subscriptionId": id })).await.ok();
    assert_eq!(ada.subscriptions().await, 0);
    off(json!({})).await.fails(422, "invalid");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_browser_tells_whoever_subscribed_last() {
    let world = World::new().await;
    let (ada, bob, eve) = (world.person("ada").await, world.person("bob").await, world.person("eve").await);
    let subscription = ada.subscribes(&world.service).await;
    bob.browser.write("userprofile", "subscribe_push", subscription).await.ok();
    assert_eq!((ada.subscriptions().await, bob.subscriptions().await), (0, 1));
    eve.invites(&ada).await;
    world.stays_at(0).await;
    eve.invites(&bob).await;
    world.service.wait(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_session_ends_its_subscription() {
    let world = World::new().await;
    let eve = world.person("eve").await;
    // By signing out, from another device, by deleting, by being suspended.
    let ada = world.subscribed("ada").await;
    ada.browser.post("/api/auth/logout", json!({})).await.ok();
    let bob = world.subscribed("bob").await;
    let other = world.server.browser().await;
    other.post("/api/auth/login", credentials("bob@example.org", PASSWORD)).await.ok();
    other.post("/api/auth/sessions/revoke-all", json!({ "includeCurrent": false })).await.ok();
    let cid = world.subscribed("cid").await;
    let goodbye = json!({ "password": PASSWORD });
    cid.browser.post("/api/backend/delete/account", goodbye).await.ok();
    let dan = world.subscribed("dan").await;
    let (admin, _) = world.server.admin().await;
    let why = json!({ "userId": dan.id, "reason": "Insults." });
    admin.write("admin", "suspend_user", why).await.ok();
    for person in [&ada, &bob, &cid, &dan] {
        let id = person.id.parse().unwrap();
        let until = tokio::time::Instant::now() + std::time::Duration::from_secs(10);
        while !world.server.app.store.push_subscriptions_of(id).await.unwrap().is_empty() {
            assert!(tokio::time::Instant::now() < until, "{} is still subscribed", person.id);
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
    eve.invites(&ada).await;
    eve.invites(&bob).await;
    world.stays_at(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_whose_end_was_missed_is_noticed_before_a_push() {
    let world = World::new().await;
    let (ada, bob) = (world.subscribed("ada").await, world.person("bob").await);
    let id = ada.id.parse().unwrap();
    // As after a crash: the session is gone, and nobody was told.
    world.server.app.store.end_sessions_of(id, None).await.unwrap();
    bob.invites(&ada).await;
    world.stays_at(0).await;
    assert_eq!(world.server.app.store.push_subscriptions_of(id).await.unwrap().len(), 1);
    world.server.app.clean_up(world.server.app.clock.steady()).await.unwrap();
    assert_eq!(world.server.app.store.push_subscriptions_of(id).await.unwrap().len(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owners_export_has_it_without_secrets() {
    let world = World::new().await;
    let ada = world.person("ada").await;
    let subscription = ada.subscribes(&world.service).await;
    let export = ada.browser.get("/api/backend/account/export").await.body;
    let export = if export.is_string() { serde_json::from_str(export.as_str().unwrap()).unwrap() } else { export };
    let notifications: &Value = &export["notifications"];
    assert_eq!((&notifications["mail"]["event"], &notifications["push"]["turn"]), (&json!(false), &json!(true)));
    assert_eq!(notifications["browsers"][0]["pushService"], "127.0.0.1");
    let text = export.to_string();
    for secret in ["endpoint", "p256dh", "auth"] {
        assert!(!text.contains(subscription[secret].as_str().unwrap()), "{secret}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_push_says_so() {
    let server = Server::with(|config| config.push.enabled = false).await;
    let (ada, _) = server.registered("ada").await;
    let settings = ada.read("userprofile", "get_notification_settings", json!({})).await.ok();
    assert_eq!(settings["pushKey"], Value::Null);
    let keys = json!({ "endpoint": "https://push.example.org/x", "p256dh": "", "auth": "" });
    ada.write("userprofile", "subscribe_push", keys).await.fails(409, "push-off");
    ada.write("userprofile", "show_push_example", json!({})).await.ok();
}
