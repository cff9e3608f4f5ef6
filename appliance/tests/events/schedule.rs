//! Automatic starts and ends of events.

use serde_json::{Value, json};

use crate::{
    fixture::{Fixture, details, in_seconds},
    socket::Socket,
};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_starts_and_ends_at_its_times() {
    let fixture = Fixture::new().await;
    let (player, _) = fixture.server.registered("player").await;
    let mut socket = Socket::open(&fixture.server, &player).await;
    let id = fixture.published(details("Cup")).await;
    let changed = socket.wait("eventStateChanged").await;
    assert_eq!(changed, json!({ "eventId": id, "eventState": "published" }));
    fixture.clock.advance(3_590_000);
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    assert_eq!(fixture.event(&id).await["eventState"], "published");
    fixture.clock.advance(10_000);
    assert_eq!(socket.wait("eventStateChanged").await["eventState"], "started");
    fixture.clock.advance(3_600_000);
    assert_eq!(socket.wait("eventStateChanged").await["eventState"], "ended");
    let ended = fixture.event(&id).await;
    assert_eq!((&ended["eventState"], &ended["winners"]), (&json!("ended"), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_auto_transitions_an_event_waits_for_an_admin() {
    let fixture = Fixture::with(|config| config.events.auto_transitions = false).await;
    let id = fixture.published(details("Cup")).await;
    fixture.clock.advance(4_000_000);
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(fixture.event(&id).await["eventState"], "published");
    assert_eq!(fixture.act("start_event", &id).await["eventState"], "started");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rescheduled_start_is_applied() {
    let fixture = Fixture::new().await;
    let id = fixture.published(details("Cup")).await;
    let sooner = json!({ "eventId": id, "startTime": in_seconds(0) });
    fixture.admin.write("event", "update_event", sooner).await.ok();
    fixture.until(&id, |event: &Value| event["eventState"] == "started").await;
}
