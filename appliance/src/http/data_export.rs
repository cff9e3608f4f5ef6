//! Everything that is stored about an account, as one JSON document for its owner.

use morpion_openapi::PageRequest;
use serde_json::{Value, json};

use super::{ApiError, convert};
use crate::{
    account::data_export::AccountExport,
    app::App,
    caller::Identity,
    play::{view::GameExport, wire},
};

/// Pages of events, and of payments, in an export: two thousand entries.
const MAX_PAGES: u32 = 20;

impl App {
    /// Everything that is stored about the caller, as JSON.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn export_account(&self, identity: &Identity) -> Result<Value, ApiError> {
        let mut export = self.account(identity).await?;
        export["exportedAt"] = json!(self.clock.wall());
        export["games"] = self.games(identity).await?;
        export["subscription"] =
            json!(convert::billing::subscription(self.billing.subscription(identity.user_id).await?));
        export["payments"] = self.payments(identity).await?;
        export["eventSignUps"] = self.sign_ups(identity).await?;
        Ok(export)
    }

    /// Live games as in lists, finished ones with every move.
    async fn games(&self, identity: &Identity) -> Result<Value, ApiError> {
        let GameExport { live, finished } = self.play.export(identity.user_id).await?;
        let people = &self.accounts.people;
        let live: Vec<_> = live.iter().map(|view| convert::play::summary(people, view, None)).collect();
        let finished = finished.iter().map(
            |view| json!({ "status": wire::status(view.game.status()), "game": convert::play::replay(people, view) }),
        );
        Ok(json!({ "live": live, "finished": finished.collect::<Vec<_>>() }))
    }

    /// The account itself, without secrets, not even hashed ones.
    async fn account(&self, identity: &Identity) -> Result<Value, ApiError> {
        let export = self.accounts.export(identity.user_id).await?;
        let AccountExport { user, sessions, is_calendar_connected, second_factor } = export;
        let providers: Vec<Value> =
            user.providers.iter().map(|link| json!({ "issuer": link.iss, "subject": link.sub })).collect();
        Ok(json!({
            "account": convert::account::own_user(&user, self.clock.wall()),
            "hasPassword": user.password_hash.is_some(),
            "providers": providers,
            "authenticatorApp": second_factor.totp_secret.is_some(),
            "recoveryCodesLeft": second_factor.recovery_codes,
            "passkeys": second_factor.passkeys.iter().map(convert::second_factor::passkey).collect::<Vec<_>>(),
            "calendarConnected": is_calendar_connected,
            "lastSeenAt": user.last_seen_at,
            "sessions": sessions.iter().map(|session| convert::account::session(session, None)).collect::<Vec<_>>(),
        }))
    }

    async fn payments(&self, identity: &Identity) -> Result<Value, ApiError> {
        let limit = (PageRequest::MAX_LIMIT * MAX_PAGES) as usize;
        let (events, _) = self.billing.events(Some(identity.user_id), 0, limit).await?;
        Ok(events.into_iter().map(|event| json!(convert::billing::event(event))).collect())
    }

    async fn sign_ups(&self, identity: &Identity) -> Result<Value, ApiError> {
        let mut sign_ups = Vec::new();
        for page in 1..=MAX_PAGES {
            let request = PageRequest { page, limit: PageRequest::MAX_LIMIT };
            let found = self.events.signups_of(identity.user_id, request).await?;
            sign_ups.extend(found.rows.into_iter().map(convert::events::signup));
            if sign_ups.len() as u64 >= found.total_count {
                break;
            }
        }
        Ok(json!(sign_ups))
    }
}
