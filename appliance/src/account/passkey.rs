//! Passkeys (WebAuthn): as a second factor, or alone. See `docs/behaviour/accounts.md#passkeys`.
//!
//! A challenge is used once, within [`CHALLENGE_LIFE`], and only by the session or browser that it was made for.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{PasskeyRow, StoreError, User};
use serde_json::{Value, json};
use std::time::Instant;
use url::{Host, Url};
use uuid::Uuid;
use webauthn_rs_core::{
    WebauthnCore,
    error::WebauthnError,
    proto::{
        AuthenticationResult, AuthenticationState, Credential, CredentialID, PublicKeyCredential,
        RegisterPublicKeyCredential, RegistrationState, UserVerificationPolicy,
    },
};

use super::{
    Accounts,
    error::AccountError,
    failures::{AccountKey, Source},
    limits::RateLimit,
    proof::ProofMethod,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    session::IssuedSession,
    short_lived::ShortLived,
    sign_in::Browser,
    token,
};
use crate::{caller::Call, config::Config, error::CommonError, fields, mail::EmailTemplate};

/// Passkeys of an account.
pub(super) const MAX_PASSKEYS: usize = 20;

/// Characters of a passkey's name.
const MAX_NAME: usize = 40;

/// Bytes of a credential's id, by WebAuthn.
const MAX_CREDENTIAL_ID: usize = 1_023;

const CHALLENGE_LIFE: TimeDelta = TimeDelta::minutes(5);

/// A challenge that waits for its answer.
enum Ceremony {
    Registration(Box<RegistrationState>),
    Authentication(Box<AuthenticationState>),
}

/// The relying party, and the challenges that wait.
#[derive(Debug)]
pub(super) struct Passkeys {
    /// `None` on a server without a name.
    party: Option<WebauthnCore>,
    /// Of those who are known.
    ceremonies: ShortLived<Ceremony>,
    /// Of visitors who sign in: anybody asks for these, and takes no place of the others.
    of_visitors: ShortLived<Ceremony>,
}

impl Passkeys {
    pub fn new(config: &Config) -> Self {
        Self {
            party: relying_party(config),
            ceremonies: ShortLived::new(CHALLENGE_LIFE),
            of_visitors: ShortLived::new(CHALLENGE_LIFE),
        }
    }

    pub fn are_available(&self) -> bool {
        self.party.is_some()
    }

    fn party(&self) -> Result<&WebauthnCore, AccountError> {
        self.party.as_ref().ok_or(AccountError::PasskeysUnavailable)
    }

    /// `of` is whose challenge it is, among these; without passkeys it is for any that the browser finds.
    fn begin(
        &self,
        among: &ShortLived<Ceremony>,
        of: String,
        passkeys: Vec<Credential>,
        policy: UserVerificationPolicy,
        now: DateTime<Utc>,
    ) -> Result<Value, AccountError> {
        let party = self.party()?;
        let begun = party
            .new_challenge_authenticate_builder(passkeys, Some(policy))
            // A passkey may begin to be copied to the owner's other devices.
            .map(|challenge| challenge.allow_backup_eligible_upgrade(true))
            .and_then(|challenge| party.generate_challenge_authenticate(challenge));
        let (options, state) = begun.map_err(CommonError::internal)?;
        among.insert(of, Ceremony::Authentication(Box::new(state)), now);
        Ok(json!(options.public_key))
    }

    /// Options for the passkeys of an account whose owner is known otherwise.
    pub fn begin_second_factor(
        &self,
        of: &str,
        user_id: Uuid,
        passkeys: &[PasskeyRow],
        now: DateTime<Utc>,
    ) -> Result<Value, AccountError> {
        let passkeys: Vec<Credential> = passkeys.iter().filter_map(|row| credential(row).ok()).collect();
        if passkeys.is_empty() {
            tracing::warn!(%user_id, "no passkey of this account can be read");
        }
        self.begin(&self.ceremonies, of.to_owned(), passkeys, UserVerificationPolicy::Preferred, now)
    }
}

impl Accounts {
    /// Whether passkeys can be used: the server has a name. Without a configured one, it has that by which it was
    /// reached, `host`.
    pub fn are_passkeys_available(&self, host: Option<&str>) -> bool {
        self.passkeys.are_available() && (self.config.server.public_url.is_some() || host.is_some_and(is_name))
    }

    /// # Errors
    /// [`AccountError::PasskeysUnavailable`].
    pub fn require_passkeys(&self, host: Option<&str>) -> Result<(), AccountError> {
        if self.are_passkeys_available(host) { Ok(()) } else { Err(AccountError::PasskeysUnavailable) }
    }

    /// Options for a sign-in with any passkey alone; it has to verify its user.
    ///
    /// # Errors
    /// [`AccountError::PasskeysUnavailable`], [`CommonError::TooMany`].
    pub fn passkey_sign_in_options(&self, call: &Call, browser: &Browser) -> Result<Value, AccountError> {
        self.limits().check(RateLimit::PasskeyOptions, call.address)?;
        let (passkeys, now) = (&self.passkeys, self.clock.steady());
        passkeys.begin(&passkeys.of_visitors, sign_in_of(browser), vec![], UserVerificationPolicy::Required, now)
    }

    /// Signs in with a passkey alone: it is a second factor in itself.
    ///
    /// # Errors
    /// [`AccountError::PasskeyRefused`], [`AccountError::TooManyFailedSignIns`], [`CommonError::TooMany`].
    pub async fn sign_in_with_passkey(
        &self,
        call: &Call,
        browser: &Browser,
        sent: Value,
    ) -> Result<(User, IssuedSession), AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        // Its id stands for the account, which is not known yet.
        let id = sent["id"].as_str().unwrap_or_default();
        let event = SecurityEvent::SignIn(Some(ProofMethod::Passkey));
        let log = |outcome| self.log_security_event(call, event, outcome, SecuritySubject::Typed(id));
        let attempt = self
            .failures
            .begin(AccountKey::new(id), Source::passkey(call.address), Instant::now())
            .inspect_err(|_| log(Outcome::LockedOut))?;
        match self.use_passkey(&sign_in_of(browser), &sent, None).await {
            Ok(user) => {
                attempt.succeeded();
                let issued = self.begin_session(call, browser, &user, Some(ProofMethod::Passkey)).await?;
                Ok((user, issued))
            }
            Err(AccountError::PasskeyRefused) => {
                log(Outcome::Failed);
                Err(AccountError::PasskeyRefused)
            }
            Err(error) => {
                attempt.cancel();
                Err(error)
            }
        }
    }

    /// Checks an assertion against the challenge of `of`, and records the use; returns whose passkey it is, as they were when
    /// it was looked at. Without a known `owner` the passkey has to name them.
    pub(super) async fn use_passkey(&self, of: &str, sent: &Value, owner: Option<Uuid>) -> Result<User, AccountError> {
        let party = self.passkeys.party()?;
        let now = self.clock.steady();
        let among = if owner.is_some() { &self.passkeys.ceremonies } else { &self.passkeys.of_visitors };
        let Some(Ceremony::Authentication(state)) = among.take(of, now) else {
            return Err(AccountError::PasskeyRefused);
        };
        let sent: PublicKeyCredential =
            serde_json::from_value(sent.clone()).map_err(|_| AccountError::PasskeyRefused)?;
        let id = BASE64_URL_SAFE_NO_PAD.encode(&sent.raw_id);
        let found = self.store.passkey(&id).await?;
        let found = found.filter(|(row, _)| owner.is_none_or(|owner| owner == row.user_id));
        let (row, user) = found.ok_or(AccountError::PasskeyRefused)?;
        match sent.get_user_unique_id() {
            Some(named) if named != row.user_id.as_bytes() => return Err(AccountError::PasskeyRefused),
            None if owner.is_none() => return Err(AccountError::PasskeyRefused),
            _ => {}
        }
        let mut stored = credential(&row)?;
        let result =
            party.authenticate_single_credential(&sent, &state, &stored).map_err(|error| refused(&row, &error))?;
        apply(&mut stored, &result);
        let (stored, counter) = (json!(stored).to_string(), i64::from(result.counter()));
        if !self.store.use_passkey(&id, &stored, counter, self.clock.wall()).await? {
            return Err(AccountError::PasskeyRefused);
        }
        Ok(user)
    }

    /// Options for a new passkey of the caller.
    ///
    /// # Errors
    /// [`AccountError::PasskeysUnavailable`], [`AccountError::ProofRequired`], [`AccountError::TooManyPasskeys`].
    pub async fn begin_passkey(&self, call: &Call) -> Result<Value, AccountError> {
        let identity = call.caller.member(None)?;
        self.passkeys.party()?;
        self.require_proof(call).await?;
        let user = self.user(identity.user_id).await?;
        let passkeys = self.store.second_factor(user.id).await?.passkeys;
        if passkeys.len() >= MAX_PASSKEYS {
            return Err(AccountError::TooManyPasskeys);
        }
        let known = passkeys.iter().filter_map(|row| credential(row).ok()).map(|known| known.cred_id).collect();
        self.passkey_options(new_of(identity.session_id), &user, known)
    }

    /// Options for a new passkey of an account beside `known` ones; `of` is whose challenge it is.
    pub(super) fn passkey_options(
        &self,
        of: String,
        user: &User,
        known: Vec<CredentialID>,
    ) -> Result<Value, AccountError> {
        let party = self.passkeys.party()?;
        let begun = party
            .new_challenge_register_builder(user.id.as_bytes(), &user.username, &user.display_name)
            .map(|challenge| {
                challenge
                    .require_resident_key(true)
                    .user_verification_policy(UserVerificationPolicy::Preferred)
                    .exclude_credentials(Some(known))
            })
            .and_then(|challenge| party.generate_challenge_register(challenge));
        let (options, state) = begun.map_err(CommonError::internal)?;
        self.passkeys.ceremonies.insert(of, Ceremony::Registration(Box::new(state)), self.clock.steady());
        Ok(json!(options.public_key))
    }

    /// Checks a passkey that the browser made for the challenge of `of`; returns its credential's id, and what to store.
    pub(super) fn made_passkey(
        &self,
        of: &str,
        owner: UserId,
        name: &str,
        sent: Value,
    ) -> Result<(String, PasskeyRow), AccountError> {
        let party = self.passkeys.party()?;
        let name = passkey_name(name)?;
        let ceremony = self.passkeys.ceremonies.take(of, self.clock.steady());
        let Some(Ceremony::Registration(state)) = ceremony else { return Err(AccountError::SetupExpired) };
        let sent: RegisterPublicKeyCredential =
            serde_json::from_value(sent).map_err(|_| AccountError::PasskeyRefused)?;
        let made = party.register_credential(&sent, &state, None).map_err(|error| {
            tracing::info!(user_id = %owner, %error, "a new passkey was refused");
            AccountError::PasskeyRefused
        })?;
        if made.cred_id.len() > MAX_CREDENTIAL_ID {
            return Err(AccountError::PasskeyRefused);
        }
        let row = PasskeyRow {
            id: Uuid::new_v4(),
            user_id: owner.0,
            name,
            credential: json!(made).to_string(),
            counter: i64::from(made.counter),
            created_at: self.clock.wall(),
            last_used_at: None,
        };
        Ok((BASE64_URL_SAFE_NO_PAD.encode(&made.cred_id), row))
    }

    /// Stores the passkey that the browser made; returns the recovery codes with the account's first factor.
    ///
    /// # Errors
    /// [`CommonError::Invalid`] for a bad name, [`AccountError::PasskeyRefused`], [`AccountError::TooManyPasskeys`].
    pub async fn finish_passkey(
        &self,
        call: &Call,
        name: &str,
        sent: Value,
    ) -> Result<(PasskeyRow, Option<Vec<String>>), AccountError> {
        let identity = call.caller.member(None)?;
        let (id, row) = self.made_passkey(&new_of(identity.session_id), identity.user_id, name, sent)?;
        let user = self.user(identity.user_id).await?;
        let (codes, hashes) = self.new_recovery_codes(user.id);
        let inserted = self.store.insert_passkey(identity.credentials(), &id, &row, &hashes, MAX_PASSKEYS).await;
        let is_first = inserted.map_err(|error| match error {
            StoreError::Taken(_) => AccountError::PasskeyRefused,
            StoreError::LimitReached => AccountError::TooManyPasskeys,
            error => error.into(),
        })?;
        self.report_factor_change(call, &user, &EmailTemplate::passkey_added(&user.username, &row.name)).await?;
        Ok((row, is_first.then_some(codes)))
    }

    /// Renames one of the caller's passkeys.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`], [`AccountError::ProofRequired`].
    pub async fn rename_passkey(&self, call: &Call, id: &str, name: &str) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        self.require_proof(call).await?;
        let name = passkey_name(name)?;
        let id: Uuid = id.parse().map_err(|_| CommonError::NotFound("passkey"))?;
        match self.store.rename_passkey(identity.user_id.0, id, &name).await? {
            true => Ok(()),
            false => Err(CommonError::NotFound("passkey").into()),
        }
    }

    /// Removes one of the caller's passkeys.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`AccountError::ProofRequired`].
    pub async fn remove_passkey(&self, call: &Call, id: &str) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        let user = self.user(identity.user_id).await?;
        self.require_proof(call).await?;
        let passkeys = self.store.second_factor(user.id).await?.passkeys;
        let removed = passkeys.into_iter().find(|row| row.id.to_string() == id);
        let removed = removed.ok_or(CommonError::NotFound("passkey"))?;
        self.store.remove_passkey(identity.credentials(), removed.id).await?;
        self.report_factor_change(call, &user, &EmailTemplate::passkey_removed(&user.username, &removed.name)).await?;
        Ok(())
    }
}

/// The relying party of the server's public name. Without a configured one a server on this machine is `localhost`; an
/// IP address cannot be one.
fn relying_party(config: &Config) -> Option<WebauthnCore> {
    let public: Url = config.public_origin().to_string().parse().ok()?;
    let name = match public.host()? {
        Host::Domain(name) => name.to_owned(),
        Host::Ipv4(ip) if ip.is_loopback() => "localhost".to_owned(),
        Host::Ipv6(ip) if ip.is_loopback() => "localhost".to_owned(),
        Host::Ipv4(_) | Host::Ipv6(_) => return None,
    };
    let origins = config.allowed_origins().into_iter().filter_map(|origin| origin.to_string().parse::<Url>().ok());
    let origins = origins.filter(|origin| origin.host_str() == Some(&name)).collect();
    let timeout = CHALLENGE_LIFE.to_std().ok()?;
    // The wrapper of this crate does not ask for discoverable passkeys, which sign in alone.
    Some(WebauthnCore::new_unsafe_experts_only("Morpion", &name, origins, timeout, None, None))
}

/// Whether a `Host` header has a name, not an IP address.
fn is_name(host: &str) -> bool {
    matches!(format!("http://{host}").parse::<Url>().as_ref().map(Url::host), Ok(Some(Host::Domain(_))))
}

fn credential(row: &PasskeyRow) -> Result<Credential, AccountError> {
    let stored: Credential = serde_json::from_str(&row.credential).map_err(CommonError::internal)?;
    Ok(Credential { counter: u32::try_from(row.counter).unwrap_or(u32::MAX), ..stored })
}

fn apply(stored: &mut Credential, result: &AuthenticationResult) {
    stored.counter = result.counter();
    stored.backup_state = result.backup_state();
    stored.backup_eligible = result.backup_eligible();
}

fn refused(row: &PasskeyRow, error: &WebauthnError) -> AccountError {
    let (user_id, passkey_id) = (row.user_id, row.id);
    if matches!(error, WebauthnError::CredentialPossibleCompromise) {
        tracing::warn!(%user_id, %passkey_id, "a passkey's signature counter went back: it may have been copied");
    } else {
        tracing::info!(%user_id, %passkey_id, %error, "a passkey was refused");
    }
    AccountError::PasskeyRefused
}

fn passkey_name(name: &str) -> Result<String, CommonError> {
    let name = fields::line(name, MAX_NAME, "The name").and_then(|name| match name.as_str() {
        "" => Err(format!("A passkey needs a name of 1 to {MAX_NAME} characters.")),
        _ => Ok(name),
    });
    name.map_err(|text| CommonError::invalid("name", text))
}

fn sign_in_of(browser: &Browser) -> String {
    format!("sign-in of {}", token::hash(&browser.device))
}

fn new_of(session_id: Uuid) -> String {
    format!("new passkey of {session_id}")
}
