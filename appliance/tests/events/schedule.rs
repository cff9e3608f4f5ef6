//! Automatic starts and ends of events.

use serde_json::{Value, json};

use crate::{
    socket::Socket,
    world::{World, details, in_seconds},
};

#[tokio::test(flavor = "multi_thread")]
async fn an_event_starts_and_ends_at_its_times() {
    let world = World::new().await;
    let (player, _) = world.server.registered("player").await;
    let mut socket = Socket::open(&world.server, &player).await;
    let id = world.published(details("Cup")).await;
    let changed = socket.wait("eventStateChanged").await;
    assert_eq!(changed, json!({ "eventId": id, "eventState": "published" }));
    world.clock.advance(3_590_000);
    tokio::time::sleep(std::time::Duration::from_millis(400)).await;
    assert_eq!(world.event(&id).await["eventState"], "published");
    world.clock.advance(10_000);
    assert_eq!(socket.wait("eventStateChanged").await["eventState"], "started");
    world.clock.advance(3_600_000);
    assert_eq!(socket.wait("eventStateChanged").await["eventState"], "ended");
    let ended = world.event(&id).await;
    assert_eq!((&ended["eventState"], &ended["winners"]), (&json!("ended"), &json!([])));
}

#[tokio::test(flavor = "multi_thread")]
async fn without_auto_transitions_an_event_waits_for_an_admin() {
    let world = World::with(|config| config.events.auto_transitions = false).await;
    let id = world.published(details("Cup")).await;
    world.clock.advance(4_000_000);
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
    assert_eq!(world.event(&id).await["eventState"], "published");
    assert_eq!(world.act("start_event", &id).await["eventState"], "started");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rescheduled_start_is_applied() {
    let world = World::new().await;
    let id = world.published(details("Cup")).await;
    let sooner = json!({ "eventId": id, "startTime": in_seconds(0) });
    world.admin.write("event", "update_event", sooner).await.ok();
    world.until(&id, |event: &Value| event["eventState"] == "started").await;
}
