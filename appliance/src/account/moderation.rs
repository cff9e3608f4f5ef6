//! What admins do against misuse, and players against each other: `docs/behaviour/moderation.md`.

use chrono::{DateTime, Utc};
use morpion_openapi::{Page, PageRequest};
use morpion_rules::UserId;
use morpion_store::{ProfileChange, Rename, ReportOutcome, ReportRow, StoreError, Suspension, Unique, User};
use serde_json::json;
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    guest::RandomName,
    names::{DisplayName, Username},
    security_events::{Outcome, SecurityEvent, SecuritySubject},
};
use crate::{
    caller::{Call, Identity},
    error::{CommonError, FieldErrors},
    fields::{self, MAX_TEXT},
    mail::EmailTemplate,
    scope::TokenScope,
    webhooks::message,
};

/// Reports of one account in 24 hours.
const REPORTS_A_DAY: usize = 10;

/// People that one account can block.
const MAX_BLOCKS: usize = 1_000;

/// The picture in a report: enough to see what it shows.
const EVIDENCE_SIZE: u32 = 64;

/// What a player reports.
#[derive(Debug, Clone)]
pub struct NewReport {
    pub subject: UserId,
    /// As on the wire.
    pub kind: &'static str,
    pub text: String,
    pub game: Option<Uuid>,
}

/// A report with those concerned, as far as their accounts exist.
#[derive(Debug, Clone)]
pub struct ReportView {
    pub row: ReportRow,
    pub reporter: Option<User>,
    pub subject: Option<User>,
    /// Open reports about the same person.
    pub same_subject_open: u64,
    /// The name of the account, or of the token, that closed it.
    pub closed_by: Option<String>,
}

/// The suspension that is in force.
pub fn suspension(user: &User, now: DateTime<Utc>) -> Option<&Suspension> {
    user.suspension.as_ref().filter(|suspension| suspension.until.is_none_or(|until| until > now))
}

impl Accounts {
    /// Suspends somebody: their sessions end and no sign-in is possible until then. Live games and sign-ups are ended
    /// afterwards ([`crate::account_deletion`]).
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`CommonError::NotFound`], [`CommonError::Invalid`], [`AccountError::Yourself`],
    /// [`AccountError::LastAdmin`].
    pub async fn suspend(
        &self,
        call: &Call,
        user_id: UserId,
        until: Option<DateTime<Utc>>,
        reason: &str,
    ) -> Result<User, AccountError> {
        self.require_proof(call).await?;
        let now = self.clock.wall();
        let mut fields = FieldErrors::default();
        let reason = fields.check("reason", fields::reason(reason));
        let until = fields.check("until", fields::end(until, now));
        let (Some(reason), Some(until)) = (reason, until) else { return Err(fields.into()) };
        let user = self.other_user(call, user_id).await?;
        let detail = json!({ "username": user.username, "until": until, "reason": reason });
        let entry = self.audit_entry(call, "suspend_user", &user_id.to_string(), detail);
        let suspension = Suspension { until, reason, at: now };
        let template = EmailTemplate::suspended(&user.username, &suspension.reason, until);
        let may_demote = call.caller.has_scope(TokenScope::All.into());
        self.store.audited(entry).suspend_user(user_id.0, suspension.clone(), may_demote.is_ok()).await.map_err(
            |error| match (error, may_demote) {
                (StoreError::IsAdmin, Err(scope)) => scope.into(),
                (error, _) => AccountError::from(error),
            },
        )?;
        self.end_pending(user_id);
        self.sessions.have_ended(user_id, Some(&suspension)).await?;
        self.log_security_event(call, SecurityEvent::Suspension, Outcome::Succeeded, SecuritySubject::User(user_id));
        self.notify_owner(&user, &template);
        self.admins_changed(user_id.0).await?;
        self.user(user_id).await
    }

    /// Ends a suspension before its time.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn lift_suspension(&self, call: &Call, user_id: UserId) -> Result<User, AccountError> {
        let user = self.user(user_id).await?;
        let detail = json!({ "username": user.username });
        let entry = self.audit_entry(call, "lift_suspension", &user_id.to_string(), detail);
        if self.store.audited(entry).lift_suspension(user_id.0).await? {
            self.notify_owner(&user, &EmailTemplate::suspension_lifted(&user.username));
        }
        self.user(user_id).await
    }

    /// Gives somebody other names, neutral ones if none are given. The previous username is not kept for them.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`], [`AccountError::UsernameTaken`].
    pub async fn rename(
        &self,
        call: &Call,
        user_id: UserId,
        username: Option<&str>,
        display_name: Option<&str>,
        reason: &str,
    ) -> Result<User, AccountError> {
        let mut fields = FieldErrors::default();
        let reason = fields.check("reason", fields::reason(reason));
        let neutral = RandomName::generate();
        let (username, display_name) = match (username, display_name) {
            (None, None) => (Some(neutral.username.as_str()), Some(neutral.display.as_str())),
            given => given,
        };
        let new_username = fields.check(
            "username",
            username.map(|text| Username::parse(text).and_then(|name| self.name_rules().allow_given(name))).transpose(),
        );
        let new_display = fields.check(
            "displayName",
            display_name
                .map(|text| DisplayName::parse(text).and_then(|name| self.name_rules().allow_given(name)))
                .transpose(),
        );
        let (Some(reason), Some(new_username), Some(new_display)) = (reason, new_username, new_display) else {
            return Err(fields.into());
        };
        let before = self.user(user_id).await?;
        let now = self.clock.steady();
        let change = ProfileChange {
            // An admin need not wait, and the name is free again at once.
            username: new_username.map(|username| Rename {
                username: username.into(),
                now,
                not_since: DateTime::<Utc>::MAX_UTC,
                kept_until: now,
            }),
            display_name: new_display.map(Into::into),
            ..ProfileChange::default()
        };
        let detail = json!({
            "username": before.username, "displayName": before.display_name,
            "newUsername": change.username.as_ref().map(|rename| &rename.username),
            "newDisplayName": change.display_name, "reason": reason,
        });
        let entry = self.audit_entry(call, "rename_user", &user_id.to_string(), detail);
        let user = match self.store.audited(entry).update_profile(user_id.0, change).await {
            Err(StoreError::Taken(Unique::Username)) => return Err(AccountError::UsernameTaken),
            changed => changed?,
        };
        self.sessions.invalidate(user_id);
        self.people.update(&user);
        self.notify_owner(&user, &EmailTemplate::renamed(&user.username, &user.display_name, &reason));
        Ok(user)
    }

    /// Removes somebody's picture, if there is one.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`].
    pub async fn remove_picture_of(&self, call: &Call, user_id: UserId, reason: &str) -> Result<User, AccountError> {
        let reason = fields::reason(reason).map_err(|text| CommonError::invalid("reason", text))?;
        let user = self.user(user_id).await?;
        let detail = json!({ "username": user.username, "reason": reason });
        let entry = self.audit_entry(call, "remove_picture", &user_id.to_string(), detail);
        self.store.audited(entry).set_avatar(user_id.0, None).await?;
        let user = self.user(user_id).await?;
        self.people.update(&user);
        self.notify_owner(&user, &EmailTemplate::picture_removed(&user.username, &reason));
        Ok(user)
    }

    /// Lets a member host private events without a verified email, or no longer.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn allow_hosting(&self, call: &Call, user_id: UserId, allowed: bool) -> Result<User, AccountError> {
        let user = self.user(user_id).await?;
        let detail = json!({ "username": user.username, "allowed": allowed });
        let entry = self.audit_entry(call, "allow_hosting", &user_id.to_string(), detail);
        self.store.audited(entry).allow_hosting(user_id.0, allowed).await?;
        self.user(user_id).await
    }

    /// Deletes somebody's account as its owner would.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`CommonError::NotFound`], [`CommonError::Invalid`], [`AccountError::Yourself`],
    /// [`AccountError::LastAdmin`].
    pub async fn delete_other(&self, call: &Call, user_id: UserId, reason: &str) -> Result<(), AccountError> {
        self.require_proof(call).await?;
        let reason = fields::reason(reason).map_err(|text| CommonError::invalid("reason", text))?;
        let user = self.other_user(call, user_id).await?;
        let detail = json!({ "username": user.username, "reason": reason });
        let entry = self.audit_entry(call, "delete_user", &user_id.to_string(), detail);
        if user.is_admin {
            // With an admin's account their rights go, too.
            call.caller.has_scope(TokenScope::All.into())?;
        }
        self.store.audited(entry).delete_user(user_id.0, self.clock.wall()).await?;
        self.was_deleted(user_id).await?;
        self.notify_owner(&user, &EmailTemplate::account_removed(&user.username, &reason));
        self.admins_changed(user_id.0).await
    }

    /// Accounts with a suspension, the latest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list_suspended(&self, page: PageRequest) -> Result<Page<User>, AccountError> {
        let (rows, total_count) = self.store.suspended_users(page.offset(), page.limit as usize).await?;
        Ok(Page { rows, total_count })
    }

    /// Reports somebody to the admins, with their names and picture as they are now.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`], [`AccountError::Yourself`], [`CommonError::TooMany`].
    pub async fn report(&self, call: &Call, new: NewReport) -> Result<(), AccountError> {
        let reporter = call.caller.member(None)?.user_id;
        let text = fields::line(&new.text, MAX_TEXT, "A report").map_err(|text| CommonError::invalid("text", text))?;
        let subject = self.other_user(call, new.subject).await?;
        let picture = match &subject.avatar {
            Some(_) => Some(self.store.avatar(subject.id, EVIDENCE_SIZE).await?),
            None => None,
        };
        let report = ReportRow {
            id: Uuid::now_v7(),
            at: self.clock.wall(),
            reporter: reporter.0,
            subject: subject.id,
            kind: new.kind.to_owned(),
            text,
            game: new.game,
            username: subject.username,
            display_name: subject.display_name,
            picture_type: picture.as_ref().map(|picture| picture.media_type.clone()),
            picture: picture.map(|picture| picture.image),
            is_open: true,
            outcome: None,
            note: None,
            closed_by: None,
            closed_at: None,
        };
        let happened = message::of_report(&report);
        match self.store.add_report(report, REPORTS_A_DAY, happened).await? {
            ReportOutcome::Stored => Ok(()),
            ReportOutcome::TooMany => {
                Err(CommonError::TooMany { retry_after: std::time::Duration::from_secs(3_600) }.into())
            }
        }
    }

    /// A page of the reports, the newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list_reports(&self, is_open: bool, page: PageRequest) -> Result<Page<ReportView>, AccountError> {
        let (found, total_count) = self.store.reports(is_open, page.offset(), page.limit as usize).await?;
        let mut rows = Vec::with_capacity(found.len());
        for row in found {
            rows.push(self.report_view(row).await?);
        }
        Ok(Page { rows, total_count })
    }

    /// Closes a report.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for a report that is not open, [`CommonError::Invalid`].
    pub async fn close_report(
        &self,
        call: &Call,
        id: Uuid,
        outcome: &'static str,
        note: &str,
    ) -> Result<ReportView, AccountError> {
        let note = fields::line(note, MAX_TEXT, "A note").map_err(|text| CommonError::invalid("note", text))?;
        let entry =
            self.audit_entry(call, "close_report", &id.to_string(), json!({ "outcome": outcome, "note": note }));
        let (actor, now) = (call.caller.audit_name(), self.clock.wall());
        let closed = self.store.audited(entry).close_report(id, outcome, &note, &actor, now).await?;
        self.report_view(closed.ok_or(CommonError::NotFound("report"))?).await
    }

    async fn report_view(&self, row: ReportRow) -> Result<ReportView, AccountError> {
        let by = row.closed_by.as_ref().and_then(|by| by.parse::<Uuid>().ok());
        let ids: Vec<Uuid> = [Some(row.reporter), Some(row.subject), by].into_iter().flatten().collect();
        let people = self.store.users(&ids).await?;
        let person = |id: Uuid| people.iter().find(|user| user.id == id && user.deleted_at.is_none()).cloned();
        let closer = by.and_then(person).map(|user| user.username);
        Ok(ReportView {
            reporter: person(row.reporter),
            subject: person(row.subject),
            same_subject_open: self.store.open_reports_about(row.subject).await?,
            closed_by: closer.or_else(|| row.closed_by.clone()),
            row,
        })
    }

    /// Blocks somebody, who is not told.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`AccountError::Yourself`], [`AccountError::TooManyBlocks`].
    pub async fn block(&self, call: &Call, other: UserId) -> Result<(), AccountError> {
        let own = call.caller.user()?.user_id;
        let other = self.other_user(call, other).await?;
        match self.store.block(own.0, other.id, MAX_BLOCKS, self.clock.wall()).await? {
            true => Ok(()),
            false => Err(AccountError::TooManyBlocks),
        }
    }

    /// Takes a block back. Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn unblock(&self, identity: &Identity, other: UserId) -> Result<(), AccountError> {
        Ok(self.store.unblock(identity.user_id.0, other.0).await?)
    }

    /// Whom one blocks, the latest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list_blocked(&self, identity: &Identity) -> Result<Vec<User>, AccountError> {
        let ids = self.store.blocked_by(identity.user_id.0).await?;
        let mut users = self.store.users(&ids).await?;
        users.retain(|user| user.deleted_at.is_none());
        users.sort_by_key(|user| ids.iter().position(|id| *id == user.id));
        Ok(users)
    }

    /// Refuses somebody who is suspended.
    ///
    /// # Errors
    /// [`AccountError::Suspended`].
    pub(super) fn check_suspension(&self, user: &User) -> Result<(), AccountError> {
        match suspension(user, self.clock.wall()) {
            Some(suspension) => Err(AccountError::Suspended(suspension.clone())),
            None => Ok(()),
        }
    }

    /// An account that is not the caller's.
    async fn other_user(&self, call: &Call, user_id: UserId) -> Result<User, AccountError> {
        if call.caller.user_id() == Some(user_id) {
            return Err(AccountError::Yourself);
        }
        self.user(user_id).await
    }
}
