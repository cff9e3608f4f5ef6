//! What an owner proves with a form before a change that others cannot undo, and the emails that report such changes.
//! Also the change of an email: confirmed by a code sent to the new one; an email to the old one can undo it.

use std::time::Instant;

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{CodeKey, EmailUndo, StoreError, Unique, User};

use super::{
    Accounts,
    error::AccountError,
    failures::{AccountKey, Source},
    limits::RateLimit,
    names::Email,
    proof::ProofMethod,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    sign_in::Browser,
    token,
};
use crate::{
    caller::{Call, Caller, Identity},
    error::CommonError,
    mail::EmailTemplate,
};

/// How long the old email can undo the change.
const UNDO_LIFE: TimeDelta = TimeDelta::days(7);

impl Accounts {
    /// Verifies that the caller is the owner: by the password, if it is sent, or by a recent proof. Guests need none.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a wrong password; [`AccountError::ProofRequired`];
    /// [`AccountError::TooManyFailedSignIns`].
    pub async fn verify_owner(&self, call: &Call, user: &User, password: Option<&str>) -> Result<(), AccountError> {
        match password.filter(|password| !password.is_empty()) {
            Some(password) if user.password_hash.is_some() => {
                self.check_password(call, user, password, "password").await?;
                self.record_proof(call.caller.user()?, user.credentials()).await
            }
            _ => self.require_proof(call).await,
        }
    }

    /// `field` is the field of the payload that held the password.
    pub(super) async fn check_password(
        &self,
        call: &Call,
        user: &User,
        password: &str,
        field: &str,
    ) -> Result<(), AccountError> {
        let log = |outcome| {
            let event = SecurityEvent::SignIn(Some(ProofMethod::Password));
            self.log_security_event(call, event, outcome, SecuritySubject::User(UserId(user.id)));
        };
        let source = Source::session(call.caller.user()?.session_id);
        let attempt = self
            .failures
            .begin(AccountKey::of(user), source, Instant::now())
            .inspect_err(|_| log(Outcome::LockedOut))?;
        match self.passwords.verify(password, user.password_hash.as_deref()).await {
            Ok(true) => attempt.succeeded(),
            Ok(false) => {
                log(Outcome::Failed);
                let text = match field {
                    "currentPassword" => "The current password is wrong.",
                    _ => "The password is wrong.",
                };
                return Err(CommonError::invalid(field, text).into());
            }
            Err(error) => {
                attempt.cancel();
                return Err(error.into());
            }
        }
        Ok(())
    }

    /// Signs the caller out everywhere, or everywhere else, and tells the owner; returns how many sessions ended.
    ///
    /// # Errors
    /// [`CommonError::NotSignedIn`].
    pub async fn sign_out_everywhere(&self, call: &Call, include_current: bool) -> Result<usize, AccountError> {
        let identity = call.caller.user()?;
        let user = self.user(identity.user_id).await?;
        let kept = (!include_current).then_some(identity.session_id);
        self.end_pending(identity.user_id);
        let ended = self.sessions.end_all_but(identity.user_id, kept).await?;
        if ended > 0 {
            self.notify_owner(&user, &EmailTemplate::signed_out_everywhere(&user.username, kept.is_some()));
        }
        Ok(ended)
    }

    /// Emails the owner at the stored address, if it is verified.
    pub(crate) fn notify_owner(&self, user: &User, template: &EmailTemplate) {
        self.mailer.notify(user, template);
    }

    /// Starts changing the account's email: sends a code to the new one.
    ///
    /// # Errors
    /// As [`Accounts::verify_owner`]; [`AccountError::NewEmailTaken`], [`AccountError::SameEmail`],
    /// [`CommonError::Invalid`], [`CommonError::TooMany`], [`CommonError::Guest`].
    pub async fn request_email_change(
        &self,
        call: &Call,
        new_email: &str,
        password: Option<&str>,
    ) -> Result<(), AccountError> {
        let user = self.user(call.caller.member(None)?.user_id).await?;
        let email = Email::parse(new_email).map_err(|reason| CommonError::invalid("newEmail", reason))?;
        self.verify_owner(call, &user, password).await?;
        self.limits().check(RateLimit::Code, call.address)?;
        if user.email_verified && user.email.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(email.as_str())) {
            return Err(AccountError::SameEmail);
        }
        let owner = self.store.user_by_verified_email(email.as_str()).await?;
        if owner.is_some_and(|owner| owner.id != user.id) {
            return Err(AccountError::NewEmailTaken);
        }
        let code = self.issue_code(&CodeKey::email_change(&user), &email, None).await?;
        self.mailer.send_code(email.as_str(), &EmailTemplate::email_change(&user.username, code));
        Ok(())
    }

    /// With the right code the account gets the new email. The previous one, if it was verified, receives a link that
    /// undoes the change for a week.
    ///
    /// # Errors
    /// [`AccountError::WrongCode`]; [`AccountError::EmailTaken`] when somebody verified the email meanwhile;
    /// [`CommonError::Invalid`], [`CommonError::TooMany`].
    pub async fn finish_email_change(&self, call: &Call, identity: &Identity, code: u32) -> Result<User, AccountError> {
        self.limits().check_own(RateLimit::SignIn, identity.session_id)?;
        let before = self.user(identity.user_id).await?;
        let email = self.take_code(call, &CodeKey::email_change(&before), code, None).await?;
        let email = Email::parse(&email).map_err(CommonError::internal)?;
        let changed = match self.email_undo(&before, &email) {
            Some((undo, letter)) => self
                .store
                .change_email(identity.credentials(), email.as_str(), undo)
                .await
                .map(|_| self.notify_owner(&before, &letter)),
            // An unverified email has nothing to undo.
            None => self.store.verify_email(identity.credentials(), email.as_str()).await.map(drop),
        };
        changed.map_err(taken_meanwhile)?;
        self.sessions.invalidate(identity.user_id);
        let subject = SecuritySubject::User(identity.user_id);
        self.log_security_event(call, SecurityEvent::EmailChange, Outcome::Succeeded, subject);
        self.user(identity.user_id).await
    }

    /// What takes the account's email back once it is another one, and the letter with it; `None` for an email that
    /// nobody confirmed.
    pub(super) fn email_undo(&self, before: &User, new_email: &Email) -> Option<(EmailUndo, EmailTemplate)> {
        let email = before.email.clone().filter(|_| before.email_verified)?;
        let (now, token) = (self.clock.steady(), token::new());
        let undo =
            EmailUndo { hash: token::hash(&token), user_id: before.id, email, created_at: now, until: now + UNDO_LIFE };
        let until = self.clock.wall() + UNDO_LIFE;
        Some((undo, EmailTemplate::email_changed(&before.username, new_email.as_str(), &token, until)))
    }

    /// Undoes a change with the link sent to the old email: restores the email and ends every session.
    ///
    /// # Errors
    /// [`AccountError::LinkOver`] for a link that is wrong, spent or too old; [`AccountError::EmailTaken`] when the
    /// email belongs to another account by now; [`CommonError::TooMany`].
    pub async fn undo_email_change(&self, call: &Call, token: &str) -> Result<(), AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let undone = match token::is_plausible(token) {
            true => self.store.undo_email_change(&token::hash(token), self.clock.steady()).await,
            false => Ok(None),
        };
        let (owner, _) = match undone {
            Ok(undone) => undone.ok_or(AccountError::LinkOver)?,
            Err(StoreError::NotFound(_)) => return Err(AccountError::LinkOver),
            Err(error) => return Err(taken_meanwhile(error)),
        };
        self.end_pending(UserId(owner));
        self.sessions.have_ended(UserId(owner), None).await?;
        let subject = SecuritySubject::User(UserId(owner));
        self.log_security_event(call, SecurityEvent::EmailChange, Outcome::Succeeded, subject);
        let user = self.user(UserId(owner)).await?;
        self.notify_owner(&user, &EmailTemplate::email_restored(&user.username));
        Ok(())
    }

    /// Remembers the browser of a sign-in, and emails the owner when it is new.
    pub(super) async fn record_device(&self, call: &Call, browser: &Browser, user: &User) -> Result<(), AccountError> {
        let now = self.clock.steady();
        let is_new = self.store.remember_device(user.credentials(), &token::hash(&browser.device), now).await?;
        // Somebody who was already signed in as this user merely gets another session.
        let is_own = matches!(&call.caller, Caller::User(identity) if identity.user_id.0 == user.id);
        if is_new && !is_own {
            let device = super::device::label(&browser.user_agent);
            let template =
                EmailTemplate::new_device(&user.username, &device, &call.address.to_string(), self.clock.wall());
            self.notify_owner(user, &template);
        }
        Ok(())
    }
}

fn taken_meanwhile(error: StoreError) -> AccountError {
    match error {
        StoreError::Taken(Unique::Email) => AccountError::EmailTaken,
        error => error.into(),
    }
}
