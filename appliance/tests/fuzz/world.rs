//! A server with people, an event and a game, and limits that fuzzing does not meet.

use std::sync::Arc;

use morpion_appliance::{account::limits::LimitsConfig, caller::Identity, config::Config};
use serde_json::{Value, json};

use crate::support::{Browser, Server};

pub struct World {
    pub server: Server,
    pub visitor: Browser,
    pub member: Browser,
    pub admin: Browser,
    ids: [(&'static str, String); 4],
}

fn without_limits(config: &mut Config) {
    let many = 1_000_000_000.try_into().unwrap();
    config.limits = LimitsConfig {
        registrations_per_hour: many,
        guests_per_hour: many,
        sign_ins_per_minute: many,
        codes_per_hour: many,
        invites_per_minute: many,
        invitations_received_per_minute: many,
        uploads_per_hour: many,
        exports_per_hour: many,
        game_exports_per_hour: many,
        searches_per_minute: many,
        client_logs_per_minute: many,
        sockets_per_minute: many,
        failed_sign_ins_per_account_and_address: many,
        failed_sign_ins_per_address: many,
        failed_sign_ins_per_account: many,
        ..LimitsConfig::default()
    };
}

impl World {
    pub async fn new() -> Self {
        let server = Server::with(without_limits).await;
        let visitor = server.browser().await;
        let (member, user) = server.registered("member").await;
        let (admin, the_admin) = server.admin().await;
        let id = |of: &Value, name: &str| of[name].as_str().unwrap().to_owned();
        let (member_id, admin_id) = (id(&user, "userId"), id(&the_admin, "userId"));
        let title =
            json!({ "title": "An event", "startTime": "2100-01-01T00:00:00Z", "endTime": "2100-01-01T01:00:00Z" });
        let event = id(&admin.write("event", "create_event", title).await.ok()["event"], "eventId");
        admin.write("event", "update_event", json!({ "eventId": event, "eventState": "published" })).await.ok();
        let players = json!([{ "userId": member_id }, { "userId": admin_id }]);
        let wish = json!({ "gameType": "invite", "players": players });
        let game = id(&member.write("game", "create_game", wish).await.ok()["game"], "gameId");
        let ids = [("$member", member_id), ("$admin", admin_id), ("$event", event), ("$game", game)];
        Self { server, visitor, member, admin, ids }
    }

    /// An input with its ids in the place of placeholders.
    pub fn fill(&self, input: &str) -> String {
        self.ids.iter().fold(input.to_owned(), |text, (placeholder, id)| text.replace(placeholder, id))
    }

    /// Who the member is.
    pub async fn identity(&self) -> Arc<Identity> {
        let (session, app) = (self.member.cookie("morpion_session").unwrap(), &self.server.app);
        app.accounts.sessions().find(&session, app.clock.steady()).await.unwrap().unwrap()
    }

    /// Whether member and admin are still who they were.
    pub async fn is_whole(&self) -> bool {
        let reads = self.admin.read("admin", "overview", json!({})).await.status == 200;
        reads && self.member.is_signed_in().await
    }
}
