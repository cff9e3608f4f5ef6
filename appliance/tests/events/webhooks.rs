//! Webhooks out: receivers that are down, slow, hostile or gone, a kill between event and delivery, and what is never told.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use morpion_appliance::config::Config;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::Instant;

#[cfg(target_os = "linux")]
use crate::small_disk::{SmallDisk, may_mount};
use crate::{
    fixture::{Fixture, details, in_seconds},
    process::Process,
    receiver::{Receiver, Reply},
    support::{Browser, Operator, PASSWORD, Server},
};

const ALL: [&str; 5] = ["event.published", "event.started", "event.concluded", "report.opened", "backup.failed"];

/// In milliseconds.
const SECOND: i64 = 1_000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// What is not sent has not been sent after this time.
const QUIET: Duration = Duration::from_millis(400);

fn with_receivers_here(config: &mut Config) {
    config.webhooks.allow_private_addresses = true;
}

async fn fixture() -> Fixture {
    Fixture::with(with_receivers_here).await
}

/// A webhook's id and its secret.
async fn hooked(admin: &Browser, receiver: &Receiver, kinds: &[&str]) -> (String, String) {
    let made = admin.write("admin", "create_webhook", json!({ "url": receiver.url(), "kinds": kinds })).await.ok();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    (text(&made["webhook"]["webhookId"]), text(&made["secret"]))
}

async fn webhooks(admin: &Browser) -> Vec<Value> {
    admin.read("admin", "list_webhooks", json!({})).await.ok()["webhooks"].as_array().unwrap().clone()
}

/// The newest first.
async fn deliveries(admin: &Browser, webhook: &str) -> Vec<Value> {
    let answer = admin.read("admin", "list_deliveries", json!({ "webhookId": webhook })).await.ok();
    answer["deliveries"].as_array().unwrap().clone()
}

/// The newest delivery, once it is as it has to be.
async fn until(admin: &Browser, webhook: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let newest = deliveries(admin, webhook).await.into_iter().next().unwrap_or_default();
        if holds(&newest) {
            return newest;
        }
        assert!(Instant::now() < end, "it stays {newest}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn warns_of_webhooks(overview: &Value) -> bool {
    let warnings = overview["warnings"].as_array().unwrap();
    warnings.iter().any(|warning| warning.as_str().unwrap().contains("webhook at 127.0.0.1"))
}

/// The metrics come to count so many.
async fn counts(fixture: &Fixture, outcome: &str, expected: u64) {
    scraped(fixture, &format!("morpion_webhooks_total{{outcome=\"{outcome}\"}} {expected}")).await;
}

/// The metrics come to have this line.
async fn scraped(fixture: &Fixture, line: &str) {
    let end = Instant::now() + Duration::from_secs(30);
    while !fixture.server.app.scrape().unwrap().lines().any(|each| each == line) {
        assert!(Instant::now() < end, "{}", fixture.server.app.scrape().unwrap());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_life_of_a_public_event_is_told_in_signed_messages() {
    let (fixture, receiver, other) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let (id, secret) = hooked(&fixture.admin, &receiver, &ALL[..3]).await;
    hooked(&fixture.admin, &other, &["event.concluded"]).await;
    let event = fixture.draft(details("Cup")).await;
    fixture.publish(&event).await;
    fixture.act("start_event", &event).await;
    fixture.act("end_event", &event).await;
    fixture.until(&event, |event| event["concluded"] == true || !event["winners"].is_null()).await;
    let told = receiver.wait(3).await;
    let mut kinds: Vec<_> = told.iter().map(|told| told.body["type"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["event.concluded", "event.published", "event.started"]);
    assert_eq!(told.iter().map(|told| &told.id).collect::<HashSet<_>>().len(), 3);
    for message in &told {
        assert!(message.is_signed_with(&secret) && message.id.starts_with("msg_"), "{message:?}");
        assert!((chrono::Utc::now().timestamp() - message.timestamp).abs() < 60);
        assert_eq!((&message.body["data"]["eventId"], &message.body["data"]["title"]), (&json!(event), &json!("Cup")));
        assert!(message.body["timestamp"].is_string());
    }
    let published = told.iter().find(|told| told.body["type"] == "event.published").unwrap();
    assert!(published.body["data"]["startTime"].is_string());
    let concluded = other.wait(1).await.remove(0);
    assert!(concluded.body["data"]["winners"].is_array(), "{concluded:?}");
    assert!(!concluded.is_signed_with(&secret), "each has a secret of its own");
    let newest = until(&fixture.admin, &id, |newest| newest["state"] == "delivered").await;
    assert_eq!((&newest["attempts"], &newest["status"]), (&json!(1), &json!(204)));
    counts(&fixture, "delivered", 4).await;
    // An edit, and a cancelled event, are nothing that one is told of.
    let second = fixture.published(details("Other")).await;
    receiver.wait(4).await;
    fixture.admin.write("event", "update_event", json!({ "eventId": second, "title": "New" })).await.ok();
    fixture.act("cancel_event", &second).await;
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_told_of_a_private_event() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    hooked(&fixture.admin, &receiver, &ALL).await;
    let (host, user) = fixture.server.registered("host").await;
    fixture.server.verify_email(&user).await;
    let made = host.write("event", "create_event", details("Secret")).await.ok();
    let id = made["event"]["eventId"].clone();
    let publish = json!({ "eventId": id, "eventState": "published" });
    host.write("event", "update_event", publish).await.ok();
    host.write("event", "start_event", json!({ "eventId": id })).await.ok();
    host.write("event", "end_event", json!({ "eventId": id })).await.ok();
    fixture.published(details("Open")).await;
    let told = receiver.wait(1).await;
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 1);
    assert_eq!(told[0].body["data"]["title"], "Open");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_is_told_in_ids_alone() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    hooked(&fixture.admin, &receiver, &["report.opened"]).await;
    let (reporter, _) = fixture.server.registered("orlo").await;
    let (_, reported) = fixture.server.registered("yuri").await;
    let report = json!({ "userId": reported["userId"], "kind": "behaviour", "text": "Insults everybody." });
    reporter.write("userprofile", "report_user", report.clone()).await.ok();
    let told = receiver.wait(1).await.remove(0);
    let open = fixture.admin.read("admin", "list_reports", json!({})).await.ok()["reports"][0].clone();
    let data = json!({ "reportId": open["reportId"], "subjectId": reported["userId"] });
    assert_eq!(told.body["data"], data);
    assert!(["Insults", "orlo", "yuri"].iter().all(|word| !told.text.contains(word)), "{}", told.text);
    // The same again replaces it, which nothing limits, so that it is not told.
    for _ in 0..20 {
        reporter.write("userprofile", "report_user", report.clone()).await.ok();
    }
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_failure_of_backups_is_told() {
    let (folder, receiver) = (TempDir::new().unwrap(), Receiver::start().await);
    let server = Server::with(|config| {
        with_receivers_here(config);
        config.data_dir = folder.path().to_owned();
        config.database.url = "surrealkv://{data_dir}/db".to_owned();
    })
    .await;
    let (admin, _) = server.admin().await;
    hooked(&admin, &receiver, &["backup.failed"]).await;
    // A folder cannot be made there.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let fail = async || {
        server.app.backups.create(Some(file.join("backups").to_str().unwrap())).unwrap();
        while server.app.backups.state().failure.is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    fail().await;
    let told = receiver.wait(1).await.remove(0);
    assert_eq!(told.body["type"], "backup.failed");
    let fields: Vec<_> = told.body["data"].as_object().unwrap().keys().collect();
    assert_eq!(fields, ["failingSince"], "no paths");
    fail().await;
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 1, "none was made in between");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_down_for_an_hour_gets_everything_once_it_is_back() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let address = receiver.address;
    let (id, secret) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.stop().await;
    let event = fixture.published(details("Cup")).await;
    let first = until(&fixture.admin, &id, |newest| newest["attempts"] == 1).await;
    assert_eq!(first["failure"], "The connection could not be made.");
    assert!(!warns_of_webhooks(&fixture.admin.read("admin", "overview", json!({})).await.ok()), "it may come back");
    let mut attempts = 1;
    for step in [6 * SECOND, 31 * SECOND, 3 * MINUTE, 11 * MINUTE, 31 * MINUTE] {
        fixture.clock.advance(step);
        attempts += 1;
        until(&fixture.admin, &id, |newest| newest["attempts"] == attempts).await;
    }
    fixture.clock.advance(20 * MINUTE);
    assert!(warns_of_webhooks(&fixture.admin.read("admin", "overview", json!({})).await.ok()));
    assert_eq!(webhooks(&fixture.admin).await[0]["waiting"], 1);
    let receiver = Receiver::at(address).await;
    tokio::time::sleep(QUIET).await;
    assert!(receiver.told().is_empty(), "not before its time");
    fixture.clock.advance(HOUR);
    let told = receiver.wait(1).await.remove(0);
    assert!(told.is_signed_with(&secret));
    assert_eq!(told.body["data"]["eventId"], event);
    let expected = format!("msg_{}", first["messageId"].as_str().unwrap().replace('-', ""));
    assert_eq!(told.id, expected);
    // Signed anew: a receiver refuses what is old.
    assert!((fixture.server.app.clock.wall().timestamp() - told.timestamp).abs() < 60);
    let over = until(&fixture.admin, &id, |newest| newest["state"] == "delivered").await;
    assert_eq!(over["attempts"], attempts + 1);
    assert!(over["failure"].is_null() && over["nextAt"].is_null(), "{over}");
    assert!(webhooks(&fixture.admin).await[0]["failingSince"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_day_it_is_given_up_and_can_be_sent_again() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.will((0..12).map(|_| Reply::Text(500, "out of\n\u{1b}[31mpaper")));
    fixture.published(details("Cup")).await;
    let mut newest = until(&fixture.admin, &id, |newest| newest["attempts"] == 1).await;
    assert_eq!((&newest["status"], &newest["failure"]), (&json!(500), &json!("It answered 500.")));
    assert_eq!(newest["answer"], "out of \\u{1b}[31mpaper", "nothing that a terminal obeys");
    let again = json!({ "webhookId": id, "messageId": newest["messageId"] });
    fixture.admin.write("admin", "resend_delivery", again.clone()).await.fails(409, "webhook-waiting");
    for attempts in 2..=12 {
        fixture.clock.advance(6 * HOUR + MINUTE);
        newest = until(&fixture.admin, &id, |newest| newest["attempts"] == attempts).await;
    }
    assert_eq!(newest["state"], "failed");
    fixture.clock.advance(DAY);
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 12);
    counts(&fixture, "retried", 11).await;
    counts(&fixture, "failed", 1).await;

    let sent = fixture.admin.write("admin", "resend_delivery", again).await.ok();
    assert_eq!(sent["delivery"]["state"], "waiting");
    until(&fixture.admin, &id, |newest| newest["state"] == "delivered").await;
    let told = receiver.told();
    assert!(told.iter().all(|each| each.id == told[0].id && each.text == told[0].text), "the same, however often");
    let (entries, _) = fixture.server.app.store.audit_entries(0, 10).await.unwrap();
    let actions: Vec<_> = entries.iter().map(|record| record.entry.action.as_str()).collect();
    assert!(actions.contains(&"resend_delivery") && actions.contains(&"create_webhook"), "{actions:?}");
    // What is over is forgotten after a week.
    fixture.clock.advance(8 * DAY);
    fixture.server.app.clean_up(fixture.server.app.clock.steady()).await.unwrap();
    assert!(deliveries(&fixture.admin, &id).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_asks_for_time_gets_it() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.will([Reply::Later(600)]);
    fixture.published(details("Cup")).await;
    until(&fixture.admin, &id, |newest| newest["attempts"] == 1).await;
    fixture.clock.advance(9 * MINUTE);
    tokio::time::sleep(QUIET * 2).await;
    assert_eq!(receiver.told().len(), 1);
    fixture.clock.advance(2 * MINUTE);
    receiver.wait(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_waits_for_a_receiver_that_hangs() {
    let (fixture, slow, fast) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &slow, &["event.published"]).await;
    hooked(&fixture.admin, &fast, &["event.published"]).await;
    slow.will([Reply::Hang]);
    let begun = Instant::now();
    for number in 0..3 {
        fixture.published(details(&format!("Cup {number}"))).await;
    }
    fast.wait(3).await;
    assert!(begun.elapsed() < Duration::from_secs(9), "the other receiver waited");
    assert_eq!(slow.told().len(), 1, "one request at a time");
    // It is given ten seconds; then the others come.
    let told = slow.wait(3).await;
    assert!(told[1].at - told[0].at >= Duration::from_secs(9));
    let all = deliveries(&fixture.admin, &id).await;
    let hung = |delivery: &Value| delivery["failure"] == "It did not answer within 10 seconds.";
    assert_eq!(all.iter().filter(|delivery| hung(delivery)).count(), 1, "{all:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_an_answer_without_an_end_only_the_beginning_is_read() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.will([Reply::Endless(200), Reply::Endless(500), Reply::Close]);
    let begun = Instant::now();
    fixture.published(details("First")).await;
    until(&fixture.admin, &id, |newest| newest["state"] == "delivered").await;
    fixture.published(details("Second")).await;
    let refused = until(&fixture.admin, &id, |newest| newest["attempts"] == 1 && newest["state"] == "waiting").await;
    assert_eq!(refused["answer"], "x".repeat(200));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    fixture.clock.advance(MINUTE);
    let broken = until(&fixture.admin, &id, |newest| newest["attempts"] == 2).await;
    assert_eq!(broken["failure"], "The connection broke before it answered.");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_not_followed() {
    let (fixture, receiver, inside) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.will([Reply::Elsewhere(inside.url())]);
    fixture.published(details("Cup")).await;
    let refused = until(&fixture.admin, &id, |newest| newest["attempts"] == 1).await;
    assert_eq!(refused["failure"], "It answered 307: redirects are not followed. Use the final address.");
    assert!(inside.told().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_receiver_that_is_gone_is_sent_nothing_more() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    receiver.will([Reply::Status(410)]);
    fixture.published(details("Cup")).await;
    until(&fixture.admin, &id, |newest| newest["state"] == "failed").await;
    let gone = webhooks(&fixture.admin).await.remove(0);
    assert_eq!(gone["disabledReason"], "It answered 410: it wants no more messages.");
    fixture.published(details("Other")).await;
    fixture.admin.write("admin", "test_webhook", json!({ "webhookId": id })).await.fails(409, "webhook-disabled");
    tokio::time::sleep(QUIET).await;
    assert_eq!(receiver.told().len(), 1);
    assert!(warns_of_webhooks(&fixture.admin.read("admin", "overview", json!({})).await.ok()));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_know_who_fails_though_nothing_else_happens() {
    let (fixture, down, gone) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let (down_id, _) = hooked(&fixture.admin, &down, &["backup.failed"]).await;
    let (gone_id, _) = hooked(&fixture.admin, &gone, &["backup.failed"]).await;
    let act = |action: &'static str, id: &str| fixture.admin.write("admin", action, json!({ "webhookId": id }));
    down.will([Reply::Status(500)]);
    act("test_webhook", &down_id).await.ok();
    until(&fixture.admin, &down_id, |newest| newest["state"] == "failed").await;
    scraped(&fixture, "morpion_webhooks_failing 0").await;
    fixture.clock.advance(HOUR + MINUTE);
    scraped(&fixture, "morpion_webhooks_failing 1").await;
    act("delete_webhook", &down_id).await.ok();
    scraped(&fixture, "morpion_webhooks_failing 0").await;
    gone.will([Reply::Status(410)]);
    act("test_webhook", &gone_id).await.ok();
    scraped(&fixture, "morpion_webhooks_failing 1").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_is_sent_once_and_one_at_a_time() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (id, secret) = hooked(&fixture.admin, &receiver, &["backup.failed"]).await;
    receiver.will([Reply::Hang]);
    let test = || fixture.admin.write("admin", "test_webhook", json!({ "webhookId": id }));
    test().await.ok();
    let told = receiver.wait(1).await.remove(0);
    assert_eq!((&told.body["type"], &told.body["data"]), (&json!("webhook.test"), &json!({})));
    assert!(told.is_signed_with(&secret));
    test().await.fails(409, "webhook-waiting");
    until(&fixture.admin, &id, |newest| newest["state"] == "failed").await;
    test().await.ok();
    until(&fixture.admin, &id, |newest| newest["state"] == "delivered").await;
    assert_eq!(receiver.told().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_admins_with_every_right_and_a_fresh_proof_make_webhooks() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let (admin, server) = (&fixture.admin, &fixture.server);
    let wish = json!({ "url": receiver.url(), "kinds": ["event.started"] });
    let (ada, _) = server.registered("ada").await;
    ada.write("admin", "create_webhook", wish.clone()).await.fails(403, "forbidden");
    ada.read("admin", "list_webhooks", json!({})).await.fails(403, "forbidden");
    server.browser().await.write("admin", "create_webhook", wish.clone()).await.fails(401, "not-signed-in");
    let (id, _) = hooked(admin, &receiver, &["event.started"]).await;
    for scope in ["read", "events", "accounts"] {
        let token = admin.write("admin", "create_token", json!({ "name": scope, "scope": scope })).await.ok();
        let operator = server.with_token(token["token"].as_str().unwrap());
        operator.write("admin", "create_webhook", wish.clone()).await.fails(403, "scope");
        operator.write("admin", "delete_webhook", json!({ "webhookId": id })).await.fails(403, "scope");
        operator.write("admin", "test_webhook", json!({ "webhookId": id })).await.fails(403, "scope");
        operator.read("admin", "list_webhooks", json!({})).await.fails(403, "scope");
        operator.read("admin", "list_deliveries", json!({ "webhookId": id })).await.fails(403, "scope");
    }
    let pat = admin.post("/api/auth/tokens", json!({ "name": "bot", "scopes": ["read", "play", "event"] })).await.ok();
    let program = server.with_token(pat["token"].as_str().unwrap());
    program.write("admin", "create_webhook", wish.clone()).await.fails(403, "scope");
    program.read("admin", "list_webhooks", json!({})).await.fails(403, "scope");

    fixture.clock.advance(11 * MINUTE);
    admin.write("admin", "create_webhook", wish.clone()).await.fails(403, "proof-required");
    admin.post("/api/auth/proof", json!({ "password": PASSWORD })).await.ok();
    for _ in 1..20 {
        admin.write("admin", "create_webhook", wish.clone()).await.ok();
    }
    admin.write("admin", "create_webhook", wish.clone()).await.fails(409, "too-many-webhooks");
    admin.write("admin", "delete_webhook", json!({ "webhookId": id })).await.ok();
    admin.write("admin", "delete_webhook", json!({ "webhookId": id })).await.fails(404, "not-found");
    admin.read("admin", "list_deliveries", json!({ "webhookId": id })).await.fails(404, "not-found");
    admin.write("admin", "create_webhook", wish).await.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_wishes_are_refused_and_secrets_are_kept() {
    let server = Server::start().await;
    let (admin, _) = server.admin().await;
    let make = |url: &str, kinds: Value| admin.write("admin", "create_webhook", json!({ "url": url, "kinds": kinds }));
    for url in [
        "",
        "club",
        "http://example.org/",
        "https://localhost/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.1/",
        "https://169.254.169.254/latest/meta-data/",
        "https://example.org:8443/",
        "https://ada:secret@example.org/",
        "file:///etc/passwd",
    ] {
        let refused = make(url, json!(["event.started"])).await.fails(422, "invalid");
        assert!(refused["fieldErrors"]["url"].is_string(), "{url}: {refused}");
    }
    let long = format!("https://example.org/{}", "a".repeat(2_000));
    make(&long, json!(["event.started"])).await.fails(422, "invalid");
    make("https://example.org/", json!([])).await.fails(422, "invalid");
    make("https://example.org/", json!(["event.moved"])).await.fails(400, "malformed");
    let made = make("https://example.org/hook?key=of-the-receiver", json!(["event.started"])).await.ok();
    let secret = made["secret"].as_str().unwrap();
    let stored = server.app.store.hooks().await.unwrap();
    assert!(secret.starts_with("whsec_") && stored.len() == 1);
    assert!(!format!("{stored:?}").contains(secret.trim_start_matches("whsec_")), "it is sealed");
    let listed = admin.read("admin", "list_webhooks", json!({})).await.ok();
    assert!(!listed.to_string().contains(secret), "it is shown once");
    let (entries, _) = server.app.store.audit_entries(0, 10).await.unwrap();
    let audited = format!("{:?}", entries[0]);
    assert!(audited.contains("example.org") && !audited.contains("of-the-receiver") && !audited.contains(secret));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_switched_off_sends_nothing() {
    let receiver = Receiver::start().await;
    let fixture = Fixture::with(|config| {
        with_receivers_here(config);
        config.webhooks.enabled = false;
    })
    .await;
    let (id, _) = hooked(&fixture.admin, &receiver, &["event.published"]).await;
    fixture.published(details("Cup")).await;
    until(&fixture.admin, &id, |newest| newest["state"] == "waiting").await;
    assert_eq!(fixture.admin.read("admin", "list_webhooks", json!({})).await.ok()["isSending"], false);
    tokio::time::sleep(QUIET).await;
    assert!(receiver.told().is_empty());
}

/// A server in its own process, on the data of this folder, and its operator.
fn process(folder: &Path) -> (Process, Operator) {
    // Disks may be small.
    let settings = [("MORPION_WEBHOOKS__ALLOW_PRIVATE_ADDRESSES", "true"), ("MORPION_STORAGE__STOP_FREE", "1 KiB")];
    let process = Process::start_with(folder, &settings);
    let token = std::fs::read_to_string(folder.join("operator.token")).unwrap();
    let operator = Operator::at(format!("http://{}", process.address), token.trim());
    (process, operator)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_before_a_kill_is_told_after_it_with_the_same_id() {
    let (folder, receiver) = (TempDir::new().unwrap(), Receiver::start().await);
    let (server, operator) = process(folder.path());
    let wish = json!({ "url": receiver.url(), "kinds": ["event.published"] });
    let secret = operator.write("admin", "create_webhook", wish).await.ok()["secret"].as_str().unwrap().to_owned();
    // It is under way for the first of them, and the others wait when the server dies.
    receiver.will([Reply::Hang]);
    let mut events = HashSet::new();
    for number in 0..3 {
        let fields = json!({
            "title": format!("Cup {number}"), "startTime": in_seconds(3_600), "endTime": in_seconds(7_200),
        });
        let made = operator.write("event", "create_event", fields).await.ok();
        let id = made["event"]["eventId"].as_str().unwrap().to_owned();
        operator.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok();
        events.insert(id);
    }
    let first = receiver.wait(1).await.remove(0);
    drop(server);
    let (_server, operator) = process(folder.path());
    let told = receiver.wait(4).await;
    assert!(told.iter().all(|told| told.is_signed_with(&secret)));
    let again: Vec<_> = told[1..].iter().filter(|told| told.id == first.id).collect();
    assert_eq!((again.len(), &again[0].text), (1, &first.text), "at least once, with the same id");
    let of: HashSet<_> = told.iter().map(|told| told.body["data"]["eventId"].as_str().unwrap().to_owned()).collect();
    assert_eq!(of, events);
    let id = operator.read("admin", "list_webhooks", json!({})).await.ok()["webhooks"][0]["webhookId"].clone();
    let listed = operator.read("admin", "list_deliveries", json!({ "webhookId": id })).await.ok();
    assert_eq!(listed["pagination"]["totalCount"], 3);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn while_the_disk_is_full_a_receiver_is_not_sent_the_same_again_and_again() {
    if !may_mount("while_the_disk_is_full_a_receiver_is_not_sent_the_same_again_and_again") {
        return;
    }
    let (disk, receiver) = (SmallDisk::mount(), Receiver::start().await);
    let (_server, operator) = process(disk.path());
    let wish = json!({ "url": receiver.url(), "kinds": ["event.published"] });
    let id = operator.write("admin", "create_webhook", wish).await.ok()["webhook"]["webhookId"].clone();
    // It is given ten seconds, in which the disk fills up.
    receiver.will([Reply::Hang]);
    operator.write("admin", "test_webhook", json!({ "webhookId": id })).await.ok();
    receiver.wait(1).await;
    let filler = disk.fill();
    while operator.write("event", "create_event", details("Cup")).await.status == 200 {}
    tokio::time::sleep(Duration::from_secs(25)).await;
    assert_eq!(receiver.told().len(), 1);
    std::fs::remove_file(filler).unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    loop {
        // 503 until the server has seen that there is room again.
        let listed = operator.read("admin", "list_deliveries", json!({ "webhookId": id })).await.body;
        let delivery = &listed["deliveries"][0];
        if delivery["state"] == "failed" {
            assert_eq!(delivery["attempts"], 1);
            break;
        }
        assert!(Instant::now() < end, "it stays {delivery}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(receiver.told().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_takes_what_is_signed_and_nothing_else() {
    let fixture = fixture().await;
    // The secret is known once the webhook is made, so its port has to be known before.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}/");
    let wish = json!({ "url": url, "kinds": ["event.published"] });
    let made = fixture.admin.write("admin", "create_webhook", wish).await.ok();
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/webhook_receiver.py");
    let mut receiver = Command::new("python3")
        .args([example, &port.to_string()])
        .env("MORPION_WEBHOOK_SECRET", made["secret"].as_str().unwrap())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(receiver.stdout.take().unwrap()).lines();
    let mut line = move || lines.next().unwrap().unwrap();
    assert_eq!(line(), format!("listening on {port}"));
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let now = chrono::Utc::now().timestamp();
    for (timestamp, signature) in [(now, "v1,AAAA"), (now - 3_600, "v1,AAAA"), (now, "")] {
        let forged = client.post(&url).body(r#"{"type":"event.published","data":{}}"#);
        let forged = forged.header("webhook-id", "msg_1").header("webhook-timestamp", timestamp);
        assert_eq!(forged.header("webhook-signature", signature).send().await.unwrap().status(), 401);
    }
    assert_eq!(client.post(&url).body("x").send().await.unwrap().status(), 401);
    let event = fixture.published(details("Cup")).await;
    let id = made["webhook"]["webhookId"].as_str().unwrap();
    until(&fixture.admin, id, |newest| newest["state"] == "delivered").await;
    let printed = line();
    assert!(printed.starts_with("event.published ") && printed.contains(&event), "{printed}");
    receiver.kill().unwrap();
    receiver.wait().unwrap();
}
