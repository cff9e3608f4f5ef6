//! What admins and operators do with other people's accounts. All of it is recorded in the audit trail.

use chrono::TimeDelta;
use morpion_openapi::{Page, PageRequest};
use morpion_rules::UserId;
use morpion_store::{AuditCheck, AuditRecord, OperatorToken, Session, StoreError, Unique, User};
use serde_json::json;
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    names::{Email, Username},
    operator::{self, LOCAL_TOKEN_NAME, TokenToMake},
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    sign_in::RegistrationForm,
};
use crate::{
    caller::Call,
    error::{CommonError, FieldErrors},
    fields,
    mail::EmailTemplate,
    scope::TokenScope,
};

/// The longest name of an operator token, in characters.
const MAX_TOKEN_NAME: usize = 50;

/// The longest life of an operator token, in days.
const MAX_TOKEN_DAYS: u32 = 3_650;

/// The life of an operator token unless another is asked for, in days.
const TOKEN_DAYS: u32 = 90;

/// The largest number of operator tokens: nobody keeps track of more.
pub(super) const MAX_TOKENS: usize = 100;

impl Accounts {
    /// Accounts, guests included, in the order of their usernames.
    pub async fn list_users(&self, text: Option<&str>, page: PageRequest) -> Result<Page<User>, AccountError> {
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        let (rows, total_count) = self.store.users_page(text, page.offset(), page.limit as usize).await?;
        Ok(Page { rows, total_count })
    }

    /// Everybody with admin rights, in the order of their usernames.
    pub async fn list_admins(&self, page: PageRequest) -> Result<Page<User>, AccountError> {
        let mut admins = self.store.admins().await?;
        admins.sort_by_key(|user| user.username.to_lowercase());
        let total_count = admins.len() as u64;
        let rows = admins.into_iter().skip(page.offset() as usize).take(page.limit as usize).collect();
        Ok(Page { rows, total_count })
    }

    /// An account's sessions, the most recently used first.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn list_sessions(&self, user_id: UserId) -> Result<Vec<Session>, AccountError> {
        self.user(user_id).await?;
        self.sessions.list(user_id, self.clock.steady()).await
    }

    /// Ends a user's session.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] when the account has no such session.
    pub async fn revoke_session(&self, call: &Call, user_id: UserId, session_id: &str) -> Result<(), AccountError> {
        let session: Uuid = session_id.parse().map_err(|_| CommonError::NotFound("session"))?;
        let entry = self.audit_entry(call, "revoke_session", &user_id.to_string(), json!({ "sessionId": session }));
        if !self.sessions.end_in(&self.store.audited(entry), user_id, session, self.clock.steady()).await? {
            return Err(CommonError::NotFound("session").into());
        }
        Ok(())
    }

    /// Grants or removes admin rights. Those by a provider's claim become rights that stay, or end until the next sign-in that
    /// brings the claim.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`AccountError::LastAdmin`], [`AccountError::GuestAsAdmin`].
    pub async fn set_admin(&self, call: &Call, user_id: UserId, is_admin: bool) -> Result<User, AccountError> {
        self.require_proof(call).await?;
        let user = self.user(user_id).await?;
        if user.is_temp {
            return Err(AccountError::GuestAsAdmin);
        }
        if user.is_admin == is_admin && user.admin_claim.is_none() {
            return Ok(user);
        }
        if is_admin {
            self.require_promoted(call).await?;
        }
        let detail = json!({ "username": user.username, "isAdmin": is_admin });
        let entry = self.audit_entry(call, "set_admin", &user_id.to_string(), detail);
        self.store.audited(entry).set_admin(user_id.0, is_admin).await?;
        self.sessions.role_changed(user_id, self.clock.steady()).await?;
        self.admins_changed(user_id.0).await?;
        let subject = SecuritySubject::User(user_id);
        self.log_security_event(call, SecurityEvent::RoleChange, Outcome::Succeeded, subject);
        self.user(user_id).await
    }

    /// Refuses admins by a provider's claim: their rights end, and cannot grant lasting ones.
    async fn require_promoted(&self, call: &Call) -> Result<(), AccountError> {
        let Some(user_id) = call.caller.user_id() else { return Ok(()) };
        match self.user(user_id).await?.admin_claim {
            Some(_) => Err(CommonError::forbidden("Only an admin who was promoted can do this.").into()),
            None => Ok(()),
        }
    }

    /// Creates an account that is an admin from the start.
    ///
    /// # Errors
    /// [`CommonError::Invalid`], [`AccountError::UsernameTaken`], [`AccountError::EmailTaken`].
    pub async fn create_admin(
        &self,
        call: &Call,
        email: &str,
        username: &str,
        password: &str,
    ) -> Result<User, AccountError> {
        self.require_proof(call).await?;
        self.require_promoted(call).await?;
        let form = RegistrationForm { email, password, username, ..RegistrationForm::default() };
        let new = self.new_admin(form).await?;
        let entry = self.audit_entry(call, "create_admin", &new.id.to_string(), json!({ "username": new.username }));
        self.created(self.store.audited(entry).create_admin(new).await)
    }

    /// Sets a new password, ends all sessions and notifies the owner.
    ///
    /// # Errors
    /// As [`Accounts::named_account_to_change`]; [`CommonError::Invalid`] for a password that breaks a rule.
    pub async fn reset_password(&self, call: &Call, account: &str, password: &str) -> Result<(), AccountError> {
        let user = self.named_account_to_change(call, account).await?;
        let password = self.passwords.check_field("newPassword", password).await?;
        let detail = json!({ "username": user.username });
        let entry = self.audit_entry(call, "reset_password", &user.id.to_string(), detail);
        self.set_password(&self.store.audited(entry), &user, password, Some(user.credentials())).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::PasswordChange, Outcome::Succeeded, subject);
        self.notify_owner(&user, &EmailTemplate::password_reset(&user.username));
        Ok(())
    }

    /// Gives an account another email, which nobody confirmed. The one before, if it was confirmed, gets a letter that
    /// takes it back; the new one gets a code.
    ///
    /// # Errors
    /// As [`Accounts::named_account_to_change`]; [`CommonError::Invalid`], [`AccountError::UnchangedEmail`],
    /// [`AccountError::NewEmailTaken`].
    pub async fn change_email_of(
        &self,
        call: &Call,
        account: &str,
        new_email: &str,
        reason: &str,
    ) -> Result<User, AccountError> {
        let before = self.named_account_to_change(call, account).await?;
        let email = Email::parse(new_email).map_err(|reason| CommonError::invalid("newEmail", reason))?;
        if before.email.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(email.as_str())) {
            return Err(AccountError::UnchangedEmail);
        }
        let (undo, letter) = self.email_undo(&before, &email).unzip();
        let detail = json!({ "username": before.username, "reason": reason });
        let entry = self.audit_entry(call, "change_email", &before.id.to_string(), detail);
        self.store.audited(entry).replace_email(before.credentials(), email.as_str(), undo).await.map_err(|error| {
            match error {
                StoreError::Taken(Unique::Email) => AccountError::NewEmailTaken,
                error => error.into(),
            }
        })?;
        self.sessions.invalidate(UserId(before.id));
        let subject = SecuritySubject::User(UserId(before.id));
        self.log_security_event(call, SecurityEvent::EmailChange, Outcome::Succeeded, subject);
        if let Some(letter) = letter {
            self.notify_owner(&before, &letter);
        }
        let user = self.user(UserId(before.id)).await?;
        // The change stands without the letter: its owner can ask for another one in the settings.
        if let Err(error) = self.mail_email_code(&user, &email).await {
            tracing::info!(%error, "the new email of an account got no code");
        }
        Ok(user)
    }

    /// The account that an operator names, whose way of signing in is to be changed; after a proof.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`]; as [`Accounts::named_account`]; [`AccountError::GuestWithoutSignIn`];
    /// [`AccountError::AdminOnlyByShell`].
    pub(super) async fn named_account_to_change(&self, call: &Call, account: &str) -> Result<User, AccountError> {
        self.require_proof(call).await?;
        let user = self.named_account(account).await?;
        if user.is_temp {
            return Err(AccountError::GuestWithoutSignIn);
        }
        // A role that changes until the write changes the credentials, which every write compares.
        if user.is_admin && !operator::is_local(&call.caller) {
            return Err(AccountError::AdminOnlyByShell);
        }
        Ok(user)
    }

    /// The account that an operator names by username, or by an email that its owner confirmed: a stranger may have claimed
    /// any other one first.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`AccountError::UnconfirmedEmail`].
    pub async fn named_account(&self, name: &str) -> Result<User, AccountError> {
        if let Ok(username) = Username::parse(name)
            && let Some(user) = self.store.user_by_name(username.as_str(), self.clock.steady()).await?
        {
            return Ok(user);
        }
        let email = Email::parse(name).map_err(|_| CommonError::NotFound("account"))?;
        match self.store.user_by_email(email.as_str()).await? {
            None => Err(CommonError::NotFound("account").into()),
            Some(user) if user.email_verified => Ok(user),
            Some(_) => Err(AccountError::UnconfirmedEmail),
        }
    }

    /// The audit trail with the accounts that acted and those it was done to, the newest first.
    pub async fn list_audit(&self, page: PageRequest) -> Result<(Page<AuditRecord>, Vec<User>), AccountError> {
        let (rows, total_count) = self.store.audit_entries(page.offset(), page.limit as usize).await?;
        let ids = rows.iter().flat_map(|record| [&record.entry.actor, &record.entry.target]);
        let mut people: Vec<Uuid> = ids.filter_map(|id| id.parse().ok()).collect();
        people.sort_unstable();
        people.dedup();
        let people = self.store.users(&people).await?;
        Ok((Page { rows, total_count }, people))
    }

    /// Checks the hash chain of the audit trail.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn check_audit(&self) -> Result<AuditCheck, AccountError> {
        Ok(self.store.check_audit().await?)
    }

    /// The entries of the audit trail behind this one, the oldest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn audit_after(&self, after: u64, limit: u64) -> Result<Vec<AuditRecord>, AccountError> {
        Ok(self.store.audit_after(after, limit).await?)
    }

    /// All operator tokens, the newest first, and warnings of those that expire soon or never.
    pub async fn list_tokens(&self) -> Result<(Vec<OperatorToken>, Vec<String>), AccountError> {
        let tokens = self.store.operator_tokens().await?;
        let warnings = operator::warnings(&tokens, self.clock.wall());
        Ok((tokens, warnings))
    }

    /// Creates an operator token; its text is shown only once.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a bad name or life, [`AccountError::TooManyTokens`],
    /// [`AccountError::TokenNameTaken`].
    pub async fn create_token(
        &self,
        call: &Call,
        name: &str,
        scope: TokenScope,
        days: Option<u32>,
    ) -> Result<(String, OperatorToken), AccountError> {
        self.require_proof(call).await?;
        self.require_promoted(call).await?;
        let mut fields = FieldErrors::default();
        let name = fields.check("name", token_name(name));
        let days = fields.check("expiresInDays", token_days(days.unwrap_or(TOKEN_DAYS)));
        let (Some(name), Some(days)) = (name, days) else { return Err(fields.into()) };
        if name.eq_ignore_ascii_case(LOCAL_TOKEN_NAME) {
            return Err(AccountError::TokenNameTaken);
        }
        let now = self.clock.wall();
        let expires_at = now + TimeDelta::days(days.into());
        let id = Uuid::new_v4();
        let detail = json!({ "name": name, "scope": scope, "expiresAt": expires_at });
        let entry = self.audit_entry(call, "create_token", &id.to_string(), detail);
        let store = self.store.audited(entry);
        let new = TokenToMake { id, name: &name, scope, expires_at };
        let created = self.operators.create_token(&store, new, now).await?;
        self.log_security_event(call, SecurityEvent::TokenCreation, Outcome::Succeeded, SecuritySubject::Token(&name));
        if let Some(maker) = call.caller.user_id() {
            let maker = self.user(maker).await?;
            self.notify_owner(&maker, &EmailTemplate::token_created(&maker.username, &name, scope.as_str()));
        }
        Ok(created)
    }

    /// Revokes an operator token and closes its sockets.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn revoke_token(&self, call: &Call, token_id: &str) -> Result<(), AccountError> {
        let id: Uuid = token_id.parse().map_err(|_| CommonError::NotFound("token"))?;
        let entry = self.audit_entry(call, "revoke_token", token_id, serde_json::Value::Null);
        if !self.store.audited(entry).revoke_operator_token(id).await? {
            return Err(CommonError::NotFound("token").into());
        }
        self.sessions.notify_ended(id);
        let subject = SecuritySubject::Token(token_id);
        self.log_security_event(call, SecurityEvent::TokenRevocation, Outcome::Succeeded, subject);
        Ok(())
    }
}

/// The name of an account in the audit trail; a deleted one has only this name left.
pub fn audit_name(user: &User) -> String {
    if user.deleted_at.is_some() { user.display_name.clone() } else { user.username.clone() }
}

fn token_name(name: &str) -> Result<String, String> {
    let name = fields::line(name, MAX_TOKEN_NAME, "The name")?;
    if name.is_empty() { Err(format!("A token needs a name of 1 to {MAX_TOKEN_NAME} characters.")) } else { Ok(name) }
}

fn token_days(days: u32) -> Result<u32, String> {
    let fits = (1..=MAX_TOKEN_DAYS).contains(&days);
    fits.then_some(days).ok_or_else(|| format!("A token can last 1 to {MAX_TOKEN_DAYS} days."))
}
