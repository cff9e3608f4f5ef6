//! A server that pushes to the stand-in, and people with browsers there.

use std::time::Duration;

use morpion_appliance::config::Config;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::{
    socket::Socket,
    stand_in::StandIn,
    support::{Browser, Server},
};

/// A push that does not come has not come after this time.
pub const QUIET: Duration = Duration::from_millis(400);

pub struct World {
    pub server: Server,
    pub service: StandIn,
}

/// Somebody with no page open, unless they have a socket.
pub struct Person {
    pub browser: Browser,
    pub id: String,
}

/// Lets pushes go to the stand-in.
pub fn with_stand_in(config: &mut Config) {
    config.push.allow_private_addresses = true;
}

impl World {
    pub async fn new() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        let server = Server::with(|config| {
            with_stand_in(config);
            change(config);
        })
        .await;
        Self { server, service: StandIn::start().await }
    }

    /// Somebody whose browser shows notifications.
    pub async fn subscribed(&self, name: &str) -> Person {
        let person = self.person(name).await;
        person.subscribes(&self.service).await;
        person
    }

    pub async fn person(&self, name: &str) -> Person {
        let (browser, user) = self.server.registered(name).await;
        Person { browser, id: user["userId"].as_str().unwrap().to_owned() }
    }

    /// Nothing more is pushed than so many.
    pub async fn stays_at(&self, number: usize) {
        tokio::time::sleep(QUIET).await;
        assert_eq!(self.service.pushed().len(), number, "{:?}", self.service.pushed());
    }

    /// Waits until somebody has no open socket.
    pub async fn until_away(&self, person: &Person) {
        self.until(|| !self.server.app.hub.is_connected(morpion_rules::UserId(person.id.parse().unwrap()))).await;
    }

    pub async fn until(&self, holds: impl Fn() -> bool) {
        let until = Instant::now() + Duration::from_secs(20);
        while !holds() {
            assert!(Instant::now() < until, "it does not come");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// How many pushes had this outcome, by the metrics.
    pub fn counted(&self, outcome: &str) -> u64 {
        let text = self.server.app.scrape().unwrap();
        let line = format!("morpion_pushes_total{{outcome=\"{outcome}\"}} ");
        text.lines().find_map(|each| each.strip_prefix(&line)).unwrap().parse().unwrap()
    }
}

impl Person {
    pub async fn settings(&self) -> Value {
        self.browser.read("userprofile", "get_notification_settings", json!({})).await.ok()
    }

    /// The browser subscribes at the service, and tells the server.
    pub async fn subscribes(&self, service: &StandIn) -> Value {
        let key = self.settings().await["pushKey"].as_str().unwrap().to_owned();
        let subscription = service.subscription(&key);
        self.browser.write("userprofile", "subscribe_push", subscription.clone()).await.ok();
        subscription
    }

    pub async fn subscriptions(&self) -> usize {
        self.settings().await["subscriptions"].as_array().unwrap().len()
    }

    pub async fn invites(&self, other: &Person) -> String {
        let payload = json!({
            "players": [{ "userId": self.id }, { "userId": other.id }], "gameType": "invite", "boardSize": 4,
        });
        let game = self.browser.write("game", "create_game", payload).await.ok()["game"].clone();
        game["gameId"].as_str().unwrap().to_owned()
    }

    /// Opens a page.
    pub async fn comes(&self, world: &World) -> Socket {
        Socket::open(&world.server, &self.browser).await
    }
}
