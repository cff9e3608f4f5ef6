//! Everything that is stored about an account, as one JSON document for its owner. It is read and sent page by page, so
//! that an export takes little memory however much was played.

use std::sync::Arc;

use morpion_openapi::{PageRequest, event::Event};
use morpion_rules::{UserId, event::EventState};
use morpion_store::{GamesOf, PushSubscriptionRow, ReportRow};
use poem::Body;
use serde_json::{Value, json};
use url::Url;

use super::{
    ApiError, convert,
    streamed::{ALL_TIME, EXPORTS, Pages, place_of, streamed},
};
use crate::{
    account::{data_export::AccountExport, limits::RateLimit},
    app::App,
    caller::{Caller, Identity},
    clock::millis,
    events::hosting::HOSTED_LISTED,
    play::{view::GameView, wire},
    subject::ClientAddress,
};

/// Pages of events, and of payments, in an export: two thousand entries.
const MAX_PAGES: u32 = 20;

impl App {
    /// Everything that is stored about the caller, as JSON.
    ///
    /// # Errors
    /// 429 for too many an hour, 503 for too many at once; the store is unavailable. If it becomes so later, the body
    /// breaks off.
    pub async fn export_account(
        self: Arc<Self>,
        identity: &Identity,
        address: ClientAddress,
    ) -> Result<Body, ApiError> {
        let place = place_of(&EXPORTS, identity.user_id, address)?;
        self.accounts.limits().check(RateLimit::Export, identity.user_id)?;
        self.play.begin_reading(GamesOf::User(identity.user_id.0)).await?;
        let start = self.start_of_export(identity).await?;
        let user = identity.user_id;
        let cluster = self.cluster.clone();
        Ok(streamed(cluster, place, move |pages| async move { self.send_games(start, user, &pages).await }))
    }

    /// The document as far as the games that are over, its last field.
    async fn start_of_export(&self, identity: &Identity) -> Result<String, ApiError> {
        let user = identity.user_id;
        let mut export = self.account(identity).await?;
        export["exportedAt"] = json!(self.clock.wall());
        export["subscription"] = json!(convert::billing::subscription(self.billing.subscription(user).await?));
        export["payments"] = self.payments(identity).await?;
        let score = self.engine_use.score_of(user).await?;
        export["engineUse"] = json!(score.as_ref().map(convert::engine_use::own_score));
        export["eventSignUps"] = self.sign_ups(identity).await?;
        export["hostedEvents"] = self.hosted_events(identity).await?;
        let record = self.ratings.of(user).await?;
        export["rating"] = json!(convert::ratings::rating(&record, millis(self.clock.wall())));
        let rated = self.ratings.games_of(user).await?;
        export["ratedGames"] = rated.iter().map(|receipt| convert::ratings::exported(receipt, user.0)).collect();
        let people = &self.accounts.people;
        let live = self.play.live_games_of(user);
        let live: Vec<_> = live.iter().map(|view| convert::play::summary(people, view, None)).collect();
        let mut text = export.to_string();
        text.pop();
        text.push_str(&format!(",\n\"games\":{{\"live\":{},\"finished\":[", json!(live)));
        Ok(text)
    }

    /// Sends the start and then the games, page by page.
    async fn send_games(&self, start: String, user: UserId, pages: &Pages) -> Result<(), ApiError> {
        let (mut text, mut place) = (start, None);
        let mut separator = "\n";
        loop {
            let page = self.play.games_over(GamesOf::User(user.0), ALL_TIME, place).await?;
            for view in &page.games {
                text.push_str(std::mem::replace(&mut separator, ",\n"));
                text.push_str(&self.finished_game(view).to_string());
            }
            place = page.place;
            if place.is_none() {
                text.push_str("]}}\n");
            }
            if !pages.send(std::mem::take(&mut text)).await? || place.is_none() {
                return Ok(());
            }
        }
    }

    fn finished_game(&self, view: &GameView) -> Value {
        let game = convert::play::replay(&self.accounts.people, view);
        json!({ "status": wire::status(view.game.status()), "game": game })
    }

    /// The account itself, without secrets, not even hashed ones.
    async fn account(&self, identity: &Identity) -> Result<Value, ApiError> {
        let export = self.accounts.export(identity.user_id).await?;
        let AccountExport {
            user,
            sessions,
            is_calendar_connected,
            second_factor,
            tokens,
            blocks,
            reports,
            notifications,
            browsers,
        } = export;
        let providers: Vec<Value> =
            user.providers.iter().map(|link| json!({ "issuer": link.iss, "subject": link.sub })).collect();
        Ok(json!({
            "account": convert::account::own_user(&user, self.clock.wall()),
            "hasPassword": user.password_hash.is_some(),
            "providers": providers,
            "authenticatorApp": second_factor.totp_secret.is_some(),
            "recoveryCodesLeft": second_factor.recovery_codes,
            "passkeys": second_factor.passkeys.iter().map(convert::second_factor::passkey).collect::<Vec<_>>(),
            "personalTokens": tokens.iter().map(convert::account::personal_token).collect::<Result<Vec<_>, _>>()?,
            "suspension": user.suspension.as_ref().map(convert::moderation::any_suspension),
            "blocks": blocks.iter().map(|block| json!({ "userId": block.blocked, "at": block.at })).collect::<Vec<_>>(),
            "reports": reports.iter().map(own_report).collect::<Vec<_>>(),
            "calendarConnected": is_calendar_connected,
            "notifications": {
                "push": convert::notifications::push(notifications.push),
                "mail": convert::notifications::mail(notifications.mail),
                "browsers": browsers.iter().map(own_browser).collect::<Vec<_>>(),
            },
            "lastSeenAt": user.last_seen_at,
            "sessions": sessions.iter().map(|session| convert::account::session(session, None)).collect::<Vec<_>>(),
        }))
    }

    async fn payments(&self, identity: &Identity) -> Result<Value, ApiError> {
        let limit = (PageRequest::MAX_LIMIT * MAX_PAGES) as usize;
        let (events, _) = self.billing.events(Some(identity.user_id), 0, limit).await?;
        Ok(events.into_iter().map(|event| json!(convert::billing::event(event))).collect())
    }

    async fn hosted_events(&self, identity: &Identity) -> Result<Value, ApiError> {
        let all = PageRequest { page: 1, limit: HOSTED_LISTED as u32 };
        let found = self.events.hosted(Some(identity.user_id), all).await?;
        let caller = Caller::User(Arc::new(identity.clone()));
        let mut events = vec![];
        for view in found.rows {
            // Of those that are over there may be many long ones.
            let allow_list = match view.event.state() {
                EventState::Ended | EventState::Cancelled => None,
                _ => self.events.allow_list(&view, &caller).await?,
            };
            events.push(json!(Event { allow_list, ..convert::events::event(view, &caller) }));
        }
        Ok(events.into())
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

/// A browser that shows notifications, with the push service that brings them; the endpoint is a secret.
fn own_browser(browser: &PushSubscriptionRow) -> Value {
    let service = Url::parse(&browser.endpoint).ok().and_then(|url| url.host_str().map(ToOwned::to_owned));
    json!({
        "device": browser.device,
        "pushService": service,
        "createdAt": browser.created_at,
        "lastUsedAt": browser.used_at,
    })
}

/// A report for its author: what was written, and whether it was decided. The decision and its note are for admins.
fn own_report(report: &ReportRow) -> Value {
    json!({
        "reportId": report.id,
        "userId": report.subject,
        "username": report.username,
        "kind": report.kind,
        "text": report.text,
        "gameId": report.game,
        "at": report.at,
        "isOpen": report.is_open,
    })
}
