//! The second factor of an account: an authenticator app (TOTP, RFC 6238) and recovery codes. See
//! `docs/behaviour/accounts.md#second-factor`.

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{PasskeyRow, User};
use rand::Rng;
use totp_rs::{Builder, Secret, Totp};
use uuid::Uuid;

use super::{
    Accounts,
    csrf::ServerSecret,
    error::AccountError,
    limits::RateLimit,
    readable_code::{in_groups, new_code, typed_code},
    security_events::{Outcome, SecurityEvent, SecuritySubject},
};
use crate::{caller::Call, error::CommonError, mail::EmailTemplate, seal::Seal};

/// How long a new secret waits for the app's first code.
pub(super) const SETUP_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Recovery codes of an account.
const RECOVERY_CODES: usize = 10;

/// From here on the letter about a used code asks for new ones.
const FEW_CODES: usize = 3;

/// An account's second factor, as its owner sees it.
#[derive(Debug)]
pub struct OwnSecondFactor {
    pub has_totp: bool,
    pub recovery_codes_left: u32,
    pub passkeys: Vec<PasskeyRow>,
    pub is_required: bool,
}

/// An authenticator app that is to be confirmed.
#[derive(Debug)]
pub struct TotpSetup {
    /// In Base32.
    pub secret: String,
    pub uri: String,
    /// A PNG as a `data:` URL.
    pub qr_code: String,
}

impl Accounts {
    /// The caller's second factor.
    ///
    /// # Errors
    /// [`CommonError::Guest`], [`CommonError::NotSignedIn`].
    pub async fn second_factor(&self, call: &Call) -> Result<OwnSecondFactor, AccountError> {
        let user = self.user(call.caller.member(None)?.user_id).await?;
        let factor = self.store.second_factor(user.id).await?;
        Ok(OwnSecondFactor {
            has_totp: factor.totp_secret.is_some(),
            recovery_codes_left: u32::try_from(factor.recovery_codes).unwrap_or(u32::MAX),
            passkeys: factor.passkeys,
            is_required: self.required_factor.asks(&user),
        })
    }

    /// Makes the secret of an authenticator app, which is to be confirmed in the same session.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`AccountError::TotpSetAlready`].
    pub async fn begin_totp(&self, call: &Call) -> Result<TotpSetup, AccountError> {
        let identity = call.caller.member(None)?;
        self.require_proof(call).await?;
        self.require_no_totp(identity.user_id.0).await?;
        let secret: [u8; 20] = rand::rng().random();
        let totp = totp(&secret, &identity.username)?;
        let setup = TotpSetup {
            secret: totp.secret().to_base32(),
            uri: totp.to_url().map_err(CommonError::internal)?,
            qr_code: format!("data:image/png;base64,{}", totp.to_qr_base64().map_err(CommonError::internal)?),
        };
        self.totp_setups.insert(identity.session_id.to_string(), secret, self.clock.steady());
        Ok(setup)
    }

    /// Stores the authenticator app, after its first code; returns the recovery codes with the account's first factor.
    ///
    /// # Errors
    /// [`AccountError::SetupExpired`]; [`CommonError::Invalid`] for a wrong code; [`AccountError::TotpSetAlready`].
    pub async fn confirm_totp(&self, call: &Call, code: &str) -> Result<Option<Vec<String>>, AccountError> {
        let identity = call.caller.member(None)?;
        self.limits().check_own(RateLimit::SignIn, identity.session_id)?;
        let user = self.user(identity.user_id).await?;
        self.require_no_totp(user.id).await?;
        let session = identity.session_id.to_string();
        let secret = self.totp_setups.with(&session, self.clock.steady(), |secret| *secret);
        let secret = secret.ok_or(AccountError::SetupExpired)?;
        let step = totp(&secret, &user.username)?.check(code, self.unix_seconds());
        let step =
            step.ok_or_else(|| CommonError::invalid("code", "This code is wrong. Is your device's time right?"))?;
        let encrypted = seal(&self.secret).seal(user.id, &secret);
        let (codes, hashes) = self.new_recovery_codes(user.id);
        let is_first = self.store.set_totp(identity.credentials(), &encrypted, to_signed(step), &hashes).await?;
        self.totp_setups.take(&session, self.clock.steady());
        self.report_factor_change(call, &user, &EmailTemplate::second_factor_added(&user.username)).await?;
        Ok(is_first.then_some(codes))
    }

    /// Removes the authenticator app.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`AccountError::NoSecondFactor`].
    pub async fn remove_totp(&self, call: &Call) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        let user = self.user(identity.user_id).await?;
        self.require_proof(call).await?;
        if self.store.second_factor(user.id).await?.totp_secret.is_none() {
            return Err(AccountError::NoSecondFactor);
        }
        self.store.remove_totp(identity.credentials()).await?;
        self.report_factor_change(call, &user, &EmailTemplate::second_factor_removed(&user.username)).await?;
        Ok(())
    }

    /// Makes new recovery codes in place of the previous ones.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`AccountError::NoSecondFactor`].
    pub async fn renew_recovery_codes(&self, call: &Call) -> Result<Vec<String>, AccountError> {
        let identity = call.caller.member(None)?;
        let user = self.user(identity.user_id).await?;
        self.require_proof(call).await?;
        let (codes, hashes) = self.new_recovery_codes(user.id);
        if !self.store.set_recovery_codes(identity.credentials(), &hashes).await? {
            return Err(AccountError::NoSecondFactor);
        }
        self.sessions.invalidate(identity.user_id);
        self.notify_owner(&user, &EmailTemplate::recovery_codes_renewed(&user.username));
        Ok(codes)
    }

    /// Removes the whole second factor of somebody who lost it, and notifies them.
    ///
    /// # Errors
    /// As [`Accounts::named_account_to_change`]; [`AccountError::NoSecondFactor`].
    pub async fn remove_second_factor(&self, call: &Call, account: &str, reason: &str) -> Result<(), AccountError> {
        let user = self.named_account_to_change(call, account).await?;
        if !user.second_factor {
            return Err(AccountError::NoSecondFactor);
        }
        let detail = serde_json::json!({ "username": user.username, "reason": reason });
        let entry = self.audit_entry(call, "remove_second_factor", &user.id.to_string(), detail);
        self.store.audited(entry).remove_second_factor(user.credentials()).await?;
        self.report_factor_change(call, &user, &EmailTemplate::second_factor_removed_by_admin(&user.username)).await?;
        Ok(())
    }

    /// Tells everything that depends on an account's second factor, the log and the owner that it was changed.
    pub(super) async fn report_factor_change(
        &self,
        call: &Call,
        user: &User,
        letter: &EmailTemplate,
    ) -> Result<(), AccountError> {
        self.second_factor_changed(user).await?;
        let subject = SecuritySubject::User(UserId(user.id));
        self.log_security_event(call, SecurityEvent::SecondFactorChange, Outcome::Succeeded, subject);
        self.notify_owner(user, letter);
        Ok(())
    }

    async fn require_no_totp(&self, user_id: Uuid) -> Result<(), AccountError> {
        match self.store.second_factor(user_id).await?.totp_secret {
            None => Ok(()),
            Some(_) => Err(AccountError::TotpSetAlready),
        }
    }

    /// Whether it is a code of the account's app that was not used yet. It is then.
    pub(super) async fn use_totp_code(&self, user: &User, code: &str) -> Result<bool, AccountError> {
        let Some(encrypted) = self.store.second_factor(user.id).await?.totp_secret else { return Ok(false) };
        let opened = seal(&self.secret).open(user.id, &encrypted).and_then(|secret| secret.try_into().ok());
        let Some(secret) = opened else {
            tracing::warn!(user_id = %user.id, "an authenticator app's secret cannot be decrypted: was the server's secret replaced?");
            return Ok(false);
        };
        match totp(&secret, &user.username)?.check(code, self.unix_seconds()) {
            Some(step) => Ok(self.store.use_totp_step(user.id, to_signed(step)).await?),
            None => Ok(false),
        }
    }

    /// Whether it is one of the account's recovery codes. It is used up then, and the owner notified.
    pub(super) async fn use_recovery_code(&self, user: &User, code: &str) -> Result<bool, AccountError> {
        let Some(code) = typed_code(code) else { return Ok(false) };
        let Some(left) = self.store.use_recovery_code(user.id, &self.recovery_code_hash(user.id, &code)).await? else {
            return Ok(false);
        };
        self.notify_owner(user, &EmailTemplate::recovery_code_used(&user.username, left, left <= FEW_CODES));
        Ok(true)
    }

    /// New codes as they are shown, and their hashes.
    pub(super) fn new_recovery_codes(&self, user_id: Uuid) -> (Vec<String>, Vec<String>) {
        (0..RECOVERY_CODES)
            .map(|_| {
                let code = new_code();
                (in_groups(&code), self.recovery_code_hash(user_id, &code))
            })
            .unzip()
    }

    fn recovery_code_hash(&self, user_id: Uuid, code: &str) -> String {
        self.secret.hmac_hex(&format!("recovery code of {user_id}: {code}"))
    }

    fn unix_seconds(&self) -> u64 {
        u64::try_from(self.clock.wall().timestamp()).unwrap_or_default()
    }
}

/// 6 digits, SHA-1, 30 seconds, one step of skew each way: what every app supports.
fn totp(secret: &[u8; 20], username: &str) -> Result<Totp, CommonError> {
    Builder::new()
        .with_secret(Secret::new_stack(*secret))
        .with_issuer(Some("Morpion"))
        .with_account_name(username)
        .build()
        .map_err(CommonError::internal)
}

fn to_signed(step: u64) -> i64 {
    i64::try_from(step).unwrap_or(i64::MAX)
}

/// What the secrets of authenticator apps are stored with.
fn seal(secret: &ServerSecret) -> Seal {
    Seal::new(secret.derived_key("secrets of authenticator apps"))
}
