//! The action resource `admin`: for admins and operator tokens.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use morpion_openapi::{
    Acknowledgement, PageRequest, account,
    admin::{
        AdjudicateGame, AdminRead, AdminUserAnswer, AdminWrite, AuditAnswer, AuditSubject, BillingEventsAnswer,
        ChangeEmail, CreateAdmin, CreateBackup, CreatePasswordLink, CreateToken, CreateTokenAnswer,
        DeletePersonalTokensOf, DeletedTokensAnswer, DemoteUser, ExportAudit, ExportAuditAnswer, FindIds,
        FoundIdsAnswer, GrantPro, History, HistoryAnswer, IdOf, ListAdmins, ListAudit, ListBackups, ListBillingEvents,
        ListLiveGames, ListPersonalTokensOf, ListSessions, ListSubscriptions, ListTokens, ListUsers, LiveGamesAnswer,
        Overview, OverviewAnswer, PasswordLinkAnswer, PromoteUser, RemoveSecondFactor, ResetPassword, RevokePro,
        RevokeSessionAction, RevokeToken, SetAdmin, StoreHealth, TokensAnswer, UserSessionsAnswer,
        UserSubscriptionsAnswer, UserTokensAnswer, UsersListAnswer, VerifyAudit, VerifyAuditAnswer, VerifyBackup,
        VerifyRatings, VerifyRatingsAnswer,
    },
    cluster::Cluster,
    engine_use::{GetEngineEvidence, ListEngineScores},
    game::GameAnswer,
    moderation::{
        AllowHosting, CloseReport, DeleteUser, LiftSuspension, ListReports, ListSuspended, RemovePicture, RenameUser,
        SuspendUser,
    },
    quick_match::{QuickMatchQueue, QuickMatchQueueAnswer},
    rating::PlayerRating,
    webhook::{CreateWebhook, DeleteWebhook, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook},
};
use morpion_rules::UserId;
use morpion_shell::reference;
use morpion_store::{AuditRecord, IdTable, User};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    ApiError,
    convert::{
        account as convert, billing, monitoring,
        play::{queued_player, state, summary},
    },
    event::reason,
    resource::{Reply, Resource, reply},
};
use crate::{
    account::{Accounts, administration::audit_name, provider::Provider},
    app::App,
    audit,
    caller::{Call, Caller},
    history::SAMPLE_EVERY,
    play::{view::GameView, wire::rating},
    ratings::Verification,
    storage,
};

/// Default number of rows of a page.
pub(super) const PAGE: u32 = 50;

/// Entries of the audit trail in one answer, some hundred KiB.
const EXPORTED_AT_ONCE: u64 = 1_000;

pub struct AdminResource(pub Arc<App>);

impl Resource for AdminResource {
    type Reads = AdminRead;
    type Writes = AdminWrite;
    const IDS: (&'static str, &'static str) = ("readAdmin", "writeAdmin");

    async fn read(&self, call: Call, action: AdminRead) -> Result<Reply, ApiError> {
        call.caller.admin()?;
        match action {
            AdminRead::ListUsers(payload) => reply::<ListUsers>(self.list_users(&call, payload).await),
            AdminRead::ListAdmins(payload) => reply::<ListAdmins>(self.list_admins(&call, payload).await),
            AdminRead::ListPersonalTokensOf(ListPersonalTokensOf { user_id }) => {
                let tokens = self.accounts().list_personal_tokens(&call, user_id.into()).await?;
                let tokens = tokens.iter().map(convert::personal_token).collect::<Result<_, _>>()?;
                reply::<ListPersonalTokensOf>(Ok(UserTokensAnswer { tokens }))
            }
            AdminRead::ListSessions(payload) => reply::<ListSessions>(self.list_sessions(&call, payload).await),
            AdminRead::ListAudit(payload) => reply::<ListAudit>(self.list_audit(payload).await),
            AdminRead::VerifyRatings(_) => reply::<VerifyRatings>(self.verify_ratings().await),
            AdminRead::VerifyAudit(_) => reply::<VerifyAudit>(self.verify_audit().await),
            AdminRead::ExportAudit(payload) => reply::<ExportAudit>(self.export_audit(payload).await),
            AdminRead::ListBackups(_) => reply::<ListBackups>(self.list_backups().await),
            AdminRead::Cluster(_) => reply::<Cluster>(self.cluster().await),
            AdminRead::ListTokens(_) => reply::<ListTokens>(self.list_tokens(&call).await),
            AdminRead::ListWebhooks(_) => reply::<ListWebhooks>(self.list_webhooks().await),
            AdminRead::ListDeliveries(payload) => reply::<ListDeliveries>(self.list_deliveries(payload).await),
            AdminRead::FindIds(payload) => reply::<FindIds>(self.find_ids(payload).await),
            AdminRead::Overview(_) => reply::<Overview>(self.overview().await),
            AdminRead::History(_) => reply::<History>(Ok(self.history())),
            AdminRead::ListSuspended(payload) => reply::<ListSuspended>(self.list_suspended(payload).await),
            AdminRead::ListReports(payload) => reply::<ListReports>(self.list_reports(payload).await),
            AdminRead::ListEngineScores(payload) => {
                reply::<ListEngineScores>(self.list_engine_scores(&call, payload).await)
            }
            AdminRead::GetEngineEvidence(payload) => {
                reply::<GetEngineEvidence>(self.get_engine_evidence(&call, payload).await)
            }
            AdminRead::ListLiveGames(payload) => reply::<ListLiveGames>(Ok(self.list_live_games(payload))),
            AdminRead::QuickMatchQueue(payload) => reply::<QuickMatchQueue>(Ok(self.quick_match_queue(payload))),
            AdminRead::ListSubscriptions(payload) => {
                reply::<ListSubscriptions>(self.list_subscriptions(&call, payload).await)
            }
            AdminRead::ListBillingEvents(payload) => {
                reply::<ListBillingEvents>(self.list_billing_events(&call, payload).await)
            }
        }
    }

    async fn write(&self, call: Call, action: AdminWrite) -> Result<Reply, ApiError> {
        call.caller.admin()?;
        let accounts = self.accounts();
        match action {
            AdminWrite::RevokeSessionAction(payload) => {
                accounts.revoke_session(&call, payload.user_id.into(), &payload.session_id).await?;
                reply::<RevokeSessionAction>(Ok(Acknowledgement {}))
            }
            AdminWrite::DeletePersonalTokensOf(DeletePersonalTokensOf { user_id, token_id }) => {
                let id = token_id.as_deref();
                let deleted = accounts.delete_personal_tokens_of(&call, user_id.into(), id).await?;
                reply::<DeletePersonalTokensOf>(Ok(DeletedTokensAnswer { deleted: deleted as u32 }))
            }
            AdminWrite::SetAdmin(SetAdmin { user_id, is_admin }) => {
                let user = accounts.set_admin(&call, user_id.into(), is_admin).await?;
                reply::<SetAdmin>(Ok(self.user_answer(user).await))
            }
            AdminWrite::CreateAdmin(CreateAdmin { email, username, password }) => {
                let user = accounts.create_admin(&call, &email, &username, &password).await?;
                reply::<CreateAdmin>(Ok(self.user_answer(user).await))
            }
            AdminWrite::PromoteUser(payload) => {
                reply::<PromoteUser>(self.set_admin_by_name(&call, &payload.account, Role::Admin).await)
            }
            AdminWrite::DemoteUser(payload) => {
                reply::<DemoteUser>(self.set_admin_by_name(&call, &payload.account, Role::Player).await)
            }
            AdminWrite::ResetPassword(ResetPassword { account, new_password }) => {
                accounts.reset_password(&call, &account, &new_password).await?;
                reply::<ResetPassword>(Ok(Acknowledgement {}))
            }
            AdminWrite::RemoveSecondFactor(RemoveSecondFactor { account, reason: text }) => {
                accounts.remove_second_factor(&call, &account, &reason(&text)?).await?;
                reply::<RemoveSecondFactor>(Ok(Acknowledgement {}))
            }
            AdminWrite::CreatePasswordLink(CreatePasswordLink { account, remove_second_factor, reason: text }) => {
                let made = accounts
                    .create_password_link(&call, &account, remove_second_factor.unwrap_or(false), &reason(&text)?)
                    .await?;
                let (path, expires_at) = (made.0, made.1.into());
                reply::<CreatePasswordLink>(Ok(PasswordLinkAnswer { path, expires_at }))
            }
            AdminWrite::ChangeEmail(ChangeEmail { account, new_email, reason: text }) => {
                let user = accounts.change_email_of(&call, &account, &new_email, &reason(&text)?).await?;
                reply::<ChangeEmail>(Ok(self.user_answer(user).await))
            }
            AdminWrite::CreateBackup(payload) => reply::<CreateBackup>(self.create_backup(&call, payload).await),
            AdminWrite::VerifyBackup(payload) => reply::<VerifyBackup>(self.verify_backup(&call, payload).await),
            AdminWrite::CreateToken(payload) => reply::<CreateToken>(self.create_token(&call, payload).await),
            AdminWrite::RevokeToken(payload) => {
                accounts.revoke_token(&call, &payload.token_id).await?;
                reply::<RevokeToken>(Ok(Acknowledgement {}))
            }
            AdminWrite::CreateWebhook(payload) => reply::<CreateWebhook>(self.create_webhook(&call, payload).await),
            AdminWrite::DeleteWebhook(payload) => reply::<DeleteWebhook>(self.delete_webhook(&call, payload).await),
            AdminWrite::ResendDelivery(payload) => reply::<ResendDelivery>(self.resend_delivery(&call, payload).await),
            AdminWrite::TestWebhook(payload) => reply::<TestWebhook>(self.test_webhook(&call, payload).await),
            AdminWrite::SuspendUser(payload) => reply::<SuspendUser>(self.suspend_user(&call, payload).await),
            AdminWrite::LiftSuspension(payload) => reply::<LiftSuspension>(self.lift_suspension(&call, payload).await),
            AdminWrite::RenameUser(payload) => reply::<RenameUser>(self.rename_user(&call, payload).await),
            AdminWrite::AllowHosting(payload) => reply::<AllowHosting>(self.allow_hosting(&call, payload).await),
            AdminWrite::RemovePicture(payload) => reply::<RemovePicture>(self.remove_picture(&call, payload).await),
            AdminWrite::DeleteUser(payload) => reply::<DeleteUser>(self.delete_user(&call, payload).await),
            AdminWrite::CloseReport(payload) => reply::<CloseReport>(self.close_report(&call, payload).await),
            AdminWrite::AdjudicateGame(payload) => reply::<AdjudicateGame>(self.adjudicate(&call, payload).await),
            AdminWrite::GrantPro(payload) => reply::<GrantPro>(self.grant_pro(&call, payload).await),
            AdminWrite::RevokePro(payload) => reply::<RevokePro>(self.revoke_pro(&call, payload).await),
        }
    }
}

/// The role that an account gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Player,
    Admin,
}

/// Ids returned for one prefix.
const MAX_IDS: usize = 10;

impl AdminResource {
    async fn overview(&self) -> Result<OverviewAnswer, ApiError> {
        let app = &self.0;
        let (live_games, waiting_games) = app.play.counts();
        let mut warnings = vec![];
        warnings.extend(app.health.check().err().map(|reason| reason.to_string()));
        if !app.play.is_healthy() {
            warnings.push("Moves cannot be stored right now; they are being tried again.".to_owned());
        }
        warnings.extend(app.health.notices());
        warnings.extend(storage::kept(&app.store.health().quarantined_logs));
        warnings.extend(app.clock.warnings());
        warnings.extend(app.accounts.providers().filter_map(Provider::notice));
        warnings.extend(app.accounts.list_tokens().await?.1);
        warnings.extend(app.webhooks.warnings().await?);
        if app.store.count_admins().await? == 0 {
            warnings.push("There is no admin yet: open the setup link, or use `morpion admin create`.".to_owned());
        }
        Ok(OverviewAnswer {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at: app.started_at.into(),
            server_time: app.clock.wall().into(),
            connections: app.hub.len() as u64,
            live_games,
            waiting_games,
            moves: app.play.moves(),
            users: app.store.count_users().await?,
            store: StoreHealth { ready: app.health.is_ready(), pending: app.play.pending() as u64 },
            mail_configured: app.accounts.mails_by_smtp(),
            billing_configured: app.billing.is_on(),
            open_reports: app.store.count_reports(true).await?,
            webhooks: app.webhooks.count().await? as u64,
            failing_webhooks: app.webhooks.failing() as u64,
            backup: self.backup_status(),
            leader: app.config.cluster.as_ref().map(|cluster| cluster.name.clone()),
            warnings,
        })
    }

    fn history(&self) -> HistoryAnswer {
        let samples = self.0.history.samples().iter().map(monitoring::sample).collect();
        HistoryAnswer { interval_seconds: SAMPLE_EVERY.as_secs(), samples }
    }

    fn list_live_games(&self, payload: ListLiveGames) -> LiveGamesAnswer {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let games = self.0.play.live_games();
        let pagination = page.pagination(games.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = games.iter().skip(offset).take(page.limit as usize);
        let games = shown.map(|game| summary(&self.accounts().people, game, None)).collect();
        LiveGamesAnswer { games, pagination }
    }

    fn quick_match_queue(&self, payload: QuickMatchQueue) -> QuickMatchQueueAnswer {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let waiting = self.0.quick_match.queue();
        let pagination = page.pagination(waiting.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = waiting.iter().skip(offset).take(page.limit as usize);
        let players = shown.map(|player| queued_player(&self.accounts().people, player)).collect();
        QuickMatchQueueAnswer { players, playing: self.0.play.quick_games() as u32 * 2, pagination }
    }

    async fn adjudicate(&self, call: &Call, payload: AdjudicateGame) -> Result<GameAnswer, ApiError> {
        let reason = reason(&payload.reason)?;
        let winner = payload.winner_user_id.map(UserId);
        let id = payload.game_id.into();
        let shown = |game: GameView| state(&self.accounts().people, &game, call.caller.user_id());
        let before = shown(self.0.play.before_adjudication(id, winner, reason.clone()).await?);
        let name = before.players.iter().find(|player| Some(player.user_id) == payload.winner_user_id);
        let name = name.map(|player| &player.username);
        let detail = json!({ "winnerUserId": payload.winner_user_id, "winner": name, "reason": reason });
        // The journal's commit is shared by many games, so the entry comes before it.
        self.accounts().audit(call, "adjudicate_game", &payload.game_id.to_string(), detail).await?;
        let game = self.0.play.adjudicate(id, winner, reason).await?;
        Ok(GameAnswer { game: shown(game) })
    }

    async fn list_subscriptions(
        &self,
        call: &Call,
        payload: ListSubscriptions,
    ) -> Result<UserSubscriptionsAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        self.accounts().audit_read(call, "read_subscriptions", "subscriptions", json!({ "page": page.page })).await?;
        let (found, total) = self.0.billing.list(page.offset(), page.limit as usize).await?;
        let now = self.0.clock.wall();
        let subscriptions =
            found.iter().map(|(user, account)| billing::user_subscription(user, account, now)).collect();
        Ok(UserSubscriptionsAnswer { subscriptions, pagination: page.pagination(total) })
    }

    async fn list_billing_events(
        &self,
        call: &Call,
        payload: ListBillingEvents,
    ) -> Result<BillingEventsAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let user = payload.user_id.map(UserId);
        let target = user.map_or_else(|| "payments".to_owned(), |user| user.to_string());
        self.accounts().audit_read(call, "read_payments", &target, json!({ "page": page.page })).await?;
        let (events, total) = self.0.billing.events(user, page.offset(), page.limit as usize).await?;
        Ok(BillingEventsAnswer {
            events: events.into_iter().map(billing::event).collect(),
            pagination: page.pagination(total),
        })
    }

    async fn grant_pro(&self, call: &Call, payload: GrantPro) -> Result<AdminUserAnswer, ApiError> {
        let GrantPro { user_id, until, reason } = payload;
        let user = self.accounts().user(user_id.into()).await?;
        let until = until.map(|until| until.utc());
        let detail = json!({ "username": user.username, "until": until, "reason": reason.trim() });
        let entry = self.accounts().audit_entry(call, "grant_pro", &user_id.to_string(), detail);
        self.0.billing.grant(&user, until, &reason, entry).await?;
        Ok(self.user_answer(self.accounts().user(user_id.into()).await?).await)
    }

    async fn revoke_pro(&self, call: &Call, payload: RevokePro) -> Result<AdminUserAnswer, ApiError> {
        let RevokePro { user_id, reason } = payload;
        let user = self.accounts().user(user_id.into()).await?;
        let detail = json!({ "username": user.username, "reason": reason.trim() });
        let entry = self.accounts().audit_entry(call, "revoke_pro", &user_id.to_string(), detail);
        self.0.billing.revoke(user_id.into(), &reason, entry).await?;
        Ok(self.user_answer(self.accounts().user(user_id.into()).await?).await)
    }

    fn accounts(&self) -> &Accounts {
        &self.0.accounts
    }

    async fn list_admins(&self, call: &Call, payload: ListAdmins) -> Result<UsersListAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let detail = json!({ "admins": true, "page": page.page });
        self.accounts().audit_read(call, "read_users", "users", detail).await?;
        let found = self.accounts().list_admins(page).await?;
        Ok(UsersListAnswer {
            users: self.listed_users(&found.rows).await?,
            pagination: page.pagination(found.total_count),
        })
    }

    async fn list_users(&self, call: &Call, payload: ListUsers) -> Result<UsersListAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let detail = json!({ "text": payload.text, "page": page.page });
        self.accounts().audit_read(call, "read_users", "users", detail).await?;
        let found = self.accounts().list_users(payload.text.as_deref(), page).await?;
        Ok(UsersListAnswer {
            users: self.listed_users(&found.rows).await?,
            pagination: page.pagination(found.total_count),
        })
    }

    /// Accounts with their ratings.
    pub(super) async fn listed_users(&self, users: &[User]) -> Result<Vec<account::User>, ApiError> {
        let people = &self.accounts().people;
        people.load(users.iter().map(|user| UserId(user.id))).await?;
        let now = self.0.clock.wall();
        Ok(users.iter().map(|user| listed_user(user, rating(people, UserId(user.id)), now)).collect())
    }

    async fn list_sessions(&self, call: &Call, payload: ListSessions) -> Result<UserSessionsAnswer, ApiError> {
        let current = match &call.caller {
            Caller::User(identity) => Some(identity.session_id),
            Caller::Visitor | Caller::Operator(_) => None,
        };
        if call.caller.user_id() != Some(payload.user_id.into()) {
            self.accounts().audit_read(call, "read_sessions", &payload.user_id.to_string(), Value::Null).await?;
        }
        let sessions = self.accounts().list_sessions(payload.user_id.into()).await?;
        let sessions = sessions.iter().map(|session| convert::session(session, current)).collect();
        Ok(UserSessionsAnswer { sessions })
    }

    async fn list_audit(&self, payload: ListAudit) -> Result<AuditAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let (records, people) = self.accounts().list_audit(page).await?;
        let name = |id| people.iter().find(|person| person.id == id).map(audit_name);
        let mut named = HashMap::new();
        for record in &records.rows {
            let Ok(id) = record.entry.target.parse::<Uuid>() else { continue };
            if named.contains_key(&id) {
                continue;
            }
            let subject = match name(id) {
                Some(name) => Some((AuditSubject::User, name)),
                None if record.entry.action.ends_with("_game") => {
                    self.0.play.players_of(id.into()).await?.map(|players| (AuditSubject::Game, players))
                }
                None if record.entry.action.ends_with("_series") => {
                    self.0.events.series_name(id).await?.map(|name| (AuditSubject::Series, name))
                }
                None => self.0.events.title(id.into()).await?.map(|title| (AuditSubject::Event, title)),
            };
            named.insert(id, subject);
        }
        let subject = |id| named.get(&id).cloned().flatten();
        let entries = records.rows.iter().map(|record| convert::audit_entry(record, name, subject)).collect();
        Ok(AuditAnswer { entries, pagination: page.pagination(records.total_count) })
    }

    async fn verify_ratings(&self) -> Result<VerifyRatingsAnswer, ApiError> {
        let Verification { games, players, differences } = self.0.ratings.verify().await?;
        Ok(VerifyRatingsAnswer { agrees: differences.is_empty(), games, players, differences })
    }

    async fn verify_audit(&self) -> Result<VerifyAuditAnswer, ApiError> {
        Ok(convert::audit_check(&self.accounts().check_audit().await?))
    }

    async fn export_audit(&self, ExportAudit { after, since }: ExportAudit) -> Result<ExportAuditAnswer, ApiError> {
        let records = self.accounts().audit_after(after.unwrap_or(0), EXPORTED_AT_ONCE).await?;
        let is_wanted = |record: &&AuditRecord| since.is_none_or(|since| record.entry.at >= since.utc());
        let ndjson = records.iter().filter(is_wanted).map(|record| audit::json_line(record) + "\n").collect();
        Ok(ExportAuditAnswer { ndjson, next: records.last().map(|record| record.seq) })
    }

    async fn list_tokens(&self, call: &Call) -> Result<TokensAnswer, ApiError> {
        let (tokens, warnings) = self.accounts().list_tokens().await?;
        let current_token_id = match &call.caller {
            Caller::Operator(operator) => Some(operator.token_id.to_string()),
            Caller::User(_) | Caller::Visitor => None,
        };
        let tokens = tokens.iter().map(convert::operator_token).collect::<Result<_, _>>()?;
        Ok(TokensAnswer { tokens, warnings, current_token_id })
    }

    async fn find_ids(&self, FindIds { of, beginning }: FindIds) -> Result<FoundIdsAnswer, ApiError> {
        let Some(between) = reference::ids_beginning_with(&beginning) else {
            return Err(ApiError::invalid("beginning", "An id begins with four or more of 0-9 and a-f."));
        };
        let table = match of {
            IdOf::Event => IdTable::Event,
            IdOf::Game => IdTable::Game,
            IdOf::User => IdTable::User,
        };
        let mut ids = self.0.store.ids_between(table, between.clone(), MAX_IDS).await?;
        if of == IdOf::Game {
            // A live game may have no row yet.
            let live =
                self.0.play.live_games().into_iter().map(|view| view.game.id().0).filter(|id| between.contains(id));
            ids.extend(live);
            ids.sort_unstable();
            ids.dedup();
            ids.truncate(MAX_IDS);
        }
        Ok(FoundIdsAnswer { ids })
    }

    async fn set_admin_by_name(&self, call: &Call, account: &str, role: Role) -> Result<AdminUserAnswer, ApiError> {
        let user = self.accounts().named_account(account).await?;
        Ok(self.user_answer(self.accounts().set_admin(call, UserId(user.id), role == Role::Admin).await?).await)
    }

    async fn create_token(&self, call: &Call, payload: CreateToken) -> Result<CreateTokenAnswer, ApiError> {
        let (token, stored) =
            self.accounts().create_token(call, &payload.name, payload.scope, payload.expires_in_days).await?;
        let expires_at = stored.expires_at.ok_or_else(|| ApiError::internal("a new token has no end"))?.into();
        Ok(CreateTokenAnswer { token, token_id: stored.id.to_string(), expires_at })
    }

    /// The answer to a completed act, which is not refused because the rating cannot be read: it is left out.
    pub(super) async fn user_answer(&self, user: User) -> AdminUserAnswer {
        let (people, id) = (&self.accounts().people, UserId(user.id));
        let shown = people.load([id]).await.ok().and_then(|()| rating(people, id));
        AdminUserAnswer { user: listed_user(&user, shown, self.0.clock.wall()) }
    }
}

/// An account as admins see it.
fn listed_user(user: &User, rating: Option<PlayerRating>, now: DateTime<Utc>) -> account::User {
    account::User { rating, last_seen_at: Some(user.last_seen_at.into()), ..convert::own_user(user, now) }
}
