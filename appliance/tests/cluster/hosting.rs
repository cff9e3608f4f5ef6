//! Private events of members: one event for all nodes, also after a takeover.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::{
    cluster::Cluster,
    site::Site,
    support::{Browser, Outcome},
};

/// Until the event of a host who was suspended is cancelled.
const PATIENCE: Duration = Duration::from_secs(30);

async fn enters(browser: &Browser, code: &Value) -> Outcome {
    browser.write("eventSignUp", "sign_up_by_code", json!({ "joinCode": code })).await
}

async fn reads(browser: &Browser, event: &Value) -> Outcome {
    browser.read("event", "get_event_by_id", json!({ "eventId": event })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_event_is_entered_by_its_code_alone_at_every_node_and_after_a_takeover() {
    let mut site = Site::open(Cluster::start().await).await;
    let [one, other] = site.followers();
    let (ada, host) = site.registered(one, "ada").await;
    let (bob, _) = site.registered(other, "bob").await;
    let (eve, _) = site.registered(site.leader, "eve").await;
    site.operate(other, "allow_hosting", json!({ "userId": host["userId"], "allowed": true })).await;

    let plan =
        json!({ "title": "Garden Party", "format": "knockout", "startTime": in_hours(1), "endTime": in_hours(2) });
    let made = ada.write("event", "create_event", plan.clone()).await.ok()["event"].clone();
    let (event, old) = (&made["eventId"], &made["joinCode"]);
    let published = json!({ "eventId": event, "eventState": "published" });
    site.at(&ada, other).write("event", "update_event", published).await.ok();
    let renewed = ada.write("event", "renew_join_code", json!({ "eventId": event })).await.ok();
    let code = &renewed["event"]["joinCode"];
    for node in site.running() {
        enters(&site.at(&bob, node), old).await.fails(404, "join-code");
        reads(&site.at(&eve, node), event).await.fails(404, "not-found");
    }
    enters(&bob, code).await.ok();
    for node in site.running() {
        reads(&site.at(&bob, node), event).await.ok();
    }
    // Two that are open are all that a member has, however many nodes are asked at once.
    let second = async |node: usize| {
        let made = site.at(&ada, node).write("event", "create_event", plan.clone()).await;
        made.status.as_u16()
    };
    let all = tokio::join!(second(0), second(1), second(2));
    let mut statuses = [all.0, all.1, all.2];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409]);

    site.loses_its_leader().await;
    for node in site.running() {
        enters(&site.at(&eve, node), old).await.fails(404, "join-code");
        reads(&site.at(&eve, node), event).await.fails(404, "not-found");
        reads(&site.at(&bob, node), event).await.ok();
        site.at(&ada, node).write("event", "create_event", plan.clone()).await.fails(409, "too-many-hosted");
    }
    let [last, _] = site.running().collect::<Vec<_>>()[..] else { panic!("two nodes run") };
    enters(&site.at(&eve, last), code).await.ok();
    // Its host is suspended: it is cancelled.
    site.operate(last, "suspend_user", json!({ "userId": host["userId"], "reason": "spam" })).await;
    let begun = Instant::now();
    while reads(&site.at(&bob, last), event).await.ok()["event"]["eventState"] != "cancelled" {
        assert!(begun.elapsed() < PATIENCE, "it is not cancelled");
        sleep(Duration::from_millis(50)).await;
    }
}

fn in_hours(hours: i64) -> String {
    (chrono::Utc::now() + chrono::TimeDelta::hours(hours)).to_rfc3339()
}
