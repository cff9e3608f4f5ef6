//! Subscriptions that are none: addresses that only the server reaches, keys that are no keys, too many.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use serde_json::{Value, json};

use crate::{
    stand_in::StandIn,
    support::{Browser, Server},
    world::World,
};

async fn subscribe(browser: &Browser, subscription: Value) -> crate::support::Outcome {
    browser.write("userprofile", "subscribe_push", subscription).await
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_that_only_the_server_reaches_are_refused() {
    let (server, service) = (Server::start().await, StandIn::start().await);
    let (eve, _) = server.registered("eve").await;
    let keys = service.subscription("key");
    for endpoint in [
        keys["endpoint"].as_str().unwrap(),
        "https://127.0.0.1/push",
        "https://localhost/push",
        "https://[::1]/push",
        "https://[::ffff:127.0.0.1]/push",
        "https://169.254.169.254/latest/meta-data/iam",
        "https://10.1.2.3/push",
        "https://0x7f.1/push",
        "https://push.example.org:6379/",
        "https://ada:secret@push.example.org/",
        "http://push.example.org/push",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "gopher://127.0.0.1:25/_HELO",
        "//push.example.org/push",
        "",
        "\r\nhost: evil",
    ] {
        let hostile = json!({ "endpoint": endpoint, "p256dh": keys["p256dh"], "auth": keys["auth"] });
        let refused = subscribe(&eve, hostile).await.fails(422, "invalid");
        assert!(refused["fieldErrors"]["endpoint"].is_string(), "{endpoint}: {refused}");
    }
    let long = format!("https://push.example.org/{}", "a".repeat(1_100));
    let hostile = json!({ "endpoint": long, "p256dh": keys["p256dh"], "auth": keys["auth"] });
    subscribe(&eve, hostile).await.fails(422, "invalid");
    assert_eq!(service.requests(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_are_no_keys_are_refused() {
    let world = World::new().await;
    let eve = world.person("eve").await;
    let good = world.service.subscription(eve.settings().await["pushKey"].as_str().unwrap());
    let point = BASE64.decode(good["p256dh"].as_str().unwrap()).unwrap();
    let mut off_the_curve = point.clone();
    off_the_curve[40] ^= 1;
    for (p256dh, auth) in [
        (json!(BASE64.encode(&point[..64])), good["auth"].clone()),
        (json!(BASE64.encode(&point[1..])), good["auth"].clone()),
        (json!(BASE64.encode(off_the_curve)), good["auth"].clone()),
        (json!(BASE64.encode([4; 65])), good["auth"].clone()),
        (json!("no base64!"), good["auth"].clone()),
        (json!(""), good["auth"].clone()),
        (json!("A".repeat(10_000)), good["auth"].clone()),
        (good["p256dh"].clone(), json!(BASE64.encode([1; 15]))),
        (good["p256dh"].clone(), json!(BASE64.encode([1; 17]))),
        (good["p256dh"].clone(), json!("")),
    ] {
        let hostile = json!({ "endpoint": good["endpoint"], "p256dh": p256dh, "auth": auth });
        let refused = subscribe(&eve.browser, hostile).await.fails(422, "invalid");
        assert!(refused["fieldErrors"]["p256dh"].is_string(), "{refused}");
    }
    for malformed in [json!({}), json!({ "endpoint": 7, "p256dh": "", "auth": "" }), json!([])] {
        subscribe(&eve.browser, malformed).await.fails(400, "malformed");
    }
    assert_eq!(eve.subscriptions().await, 0);
    // Padded, as some libraries write them.
    let padded = |name: &str| format!("{}=", good[name].as_str().unwrap());
    let subscription =
        json!({ "endpoint": good["endpoint"], "p256dh": padded("p256dh"), "auth": format!("{}=", padded("auth")) });
    subscribe(&eve.browser, subscription).await.ok();
    assert_eq!(eve.subscriptions().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_caller_is_subscribed_and_only_from_our_pages() {
    let world = World::new().await;
    let eve = world.person("eve").await;
    let keys = world.service.subscription(eve.settings().await["pushKey"].as_str().unwrap());
    world.server.browser().await.write("userprofile", "subscribe_push", keys.clone()).await.fails(401, "not-signed-in");
    let forged = eve.browser.bare(reqwest::Method::POST, "/api/backend/userprofile");
    let body = json!({ "action": "subscribe_push", "payload": keys });
    let forged = forged.header("origin", "https://evil.example").json(&body);
    assert_eq!(eve.browser.send(forged).await.status, 403);
    assert_eq!(eve.subscriptions().await, 0);
}
