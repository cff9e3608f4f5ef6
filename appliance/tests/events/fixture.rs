//! A server with an admin, and helpers for events.

use std::time::Duration;

use chrono::{SecondsFormat, TimeDelta, Utc};
use morpion_appliance::{clock::Clock, config::Config};
use serde_json::{Value, json};

use crate::support::{Browser, Server};

pub struct Fixture {
    pub server: Server,
    pub admin: Browser,
    pub clock: Clock,
}

/// A time this many seconds from now, in wire format.
pub fn in_seconds(seconds: i64) -> String {
    (Utc::now() + TimeDelta::seconds(seconds)).to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// An event that starts in an hour and lasts an hour.
pub fn details(title: &str) -> Value {
    json!({ "title": title, "startTime": in_seconds(3_600), "endTime": in_seconds(7_200) })
}

impl Fixture {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let clock = Clock::default();
        let server = Server::with_clock(clock.clone(), change).await;
        let (admin, _) = server.admin().await;
        Self { server, admin, clock }
    }

    /// Creates a draft and returns its id.
    pub async fn draft(&self, fields: Value) -> String {
        let made = self.admin.write("event", "create_event", fields).await.ok();
        made["event"]["eventId"].as_str().unwrap().to_owned()
    }

    pub async fn published(&self, fields: Value) -> String {
        let id = self.draft(fields).await;
        self.publish(&id).await;
        id
    }

    pub async fn publish(&self, id: &str) -> Value {
        self.admin.write("event", "update_event", json!({ "eventId": id, "eventState": "published" })).await.ok()
    }

    pub async fn started(&self, fields: Value) -> String {
        let id = self.published(fields).await;
        self.act("start_event", &id).await;
        id
    }

    /// One of the admin's transitions.
    pub async fn act(&self, action: &str, id: &str) -> Value {
        self.admin.write("event", action, json!({ "eventId": id })).await.ok()["event"].clone()
    }

    /// The event as the admin sees it.
    pub async fn event(&self, id: &str) -> Value {
        self.admin.read("event", "get_event_by_id", json!({ "eventId": id })).await.ok()["event"].clone()
    }

    /// Waits until the event is in a state that holds.
    pub async fn until(&self, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..200 {
            let event = self.event(id).await;
            if holds(&event) {
                return event;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the event stays {}", self.event(id).await);
    }

    pub async fn leaderboard(&self, id: &str) -> Vec<Value> {
        let answer = self.admin.read("player", "get_leaderboard", json!({ "eventId": id })).await.ok();
        answer["players"].as_array().unwrap().clone()
    }
}
