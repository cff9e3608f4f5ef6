//! Proofs of an owner: for a pending sign-in, and before sensitive acts when the last proof is too old
//! (`docs/behaviour/accounts.md#proofs`).

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use morpion_rules::UserId;
use morpion_store::{Credentials, SecondFactor, StoreError, User};
use serde_json::Value;

use super::{
    Accounts,
    error::AccountError,
    failures::{AccountKey, Source},
    limits::RateLimit,
    security_events::{Outcome, SecurityEvent, SecuritySubject},
};
use crate::{
    caller::{Call, Caller, Identity},
    error::CommonError,
};

/// How long a proof counts.
const PROOF_LIFE: TimeDelta = TimeDelta::minutes(10);

/// Wrong codes of an authenticator app within [`WRONG_CODES_MEMORY`], from everywhere, after which none is taken. Only
/// somebody who knows the password gets there, so that strangers cannot lock anybody out.
const MAX_WRONG_CODES: u32 = 20;
pub(super) const WRONG_CODES_MEMORY: TimeDelta = TimeDelta::hours(1);

/// What an owner can prove themselves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofMethod {
    Password,
    Totp,
    RecoveryCode,
    Passkey,
    /// Another sign-in with the provider.
    Provider,
}

impl ProofMethod {
    /// What is said of a wrong one: only codes are used once.
    pub fn refusal(self) -> &'static str {
        match self {
            Self::Password => "That password is wrong.",
            _ => "That code is wrong or was used already.",
        }
    }
}

/// A proof as it was sent; it has to be exactly one.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    pub password: Option<String>,
    pub totp: Option<String>,
    pub recovery_code: Option<String>,
    pub passkey: Option<Value>,
}

enum Given<'a> {
    Password(&'a str),
    Totp(&'a str),
    RecoveryCode(&'a str),
    Passkey(&'a Value),
}

impl Proof {
    fn given(&self) -> Result<Given<'_>, AccountError> {
        match (&self.password, &self.totp, &self.recovery_code, &self.passkey) {
            (Some(password), None, None, None) => Ok(Given::Password(password)),
            (None, Some(code), None, None) => Ok(Given::Totp(code)),
            (None, None, Some(code), None) => Ok(Given::RecoveryCode(code)),
            (None, None, None, Some(credential)) => Ok(Given::Passkey(credential)),
            _ => Err(CommonError::invalid("password", "Exactly one proof is needed.").into()),
        }
    }
}

impl Proof {
    /// # Errors
    /// It is not exactly one.
    pub(super) fn method(&self) -> Result<ProofMethod, AccountError> {
        Ok(self.given()?.method())
    }
}

impl Given<'_> {
    fn method(&self) -> ProofMethod {
        match self {
            Self::Password(_) => ProofMethod::Password,
            Self::Totp(_) => ProofMethod::Totp,
            Self::RecoveryCode(_) => ProofMethod::RecoveryCode,
            Self::Passkey(_) => ProofMethod::Passkey,
        }
    }
}

/// What can be proved with, and the options for a passkey.
#[derive(Debug)]
pub struct ProofOptions {
    pub methods: Vec<ProofMethod>,
    pub passkey_options: Option<Value>,
}

impl Accounts {
    /// Asks for a recent proof before a sensitive act. Operator tokens and guests need none.
    ///
    /// # Errors
    /// [`AccountError::ProofRequired`], [`CommonError::NotSignedIn`].
    pub async fn require_proof(&self, call: &Call) -> Result<(), AccountError> {
        let identity = match &call.caller {
            Caller::Operator(_) => return Ok(()),
            caller => caller.user()?,
        };
        if identity.is_temp {
            return Ok(());
        }
        let now = self.clock.steady();
        let sessions = self.sessions.list(identity.user_id, now).await?;
        let current = sessions.iter().find(|session| session.sid == identity.session_id);
        let proved_at = current.map(|session| session.proved_at.unwrap_or(session.created_at));
        match proved_at {
            Some(at) if now - at <= PROOF_LIFE => Ok(()),
            _ => Err(AccountError::ProofRequired),
        }
    }

    /// What the caller can prove themselves with.
    ///
    /// # Errors
    /// [`CommonError::Guest`], [`CommonError::NotSignedIn`].
    pub async fn proof_options(&self, call: &Call) -> Result<ProofOptions, AccountError> {
        let identity = call.caller.member(None)?;
        let user = self.user(identity.user_id).await?;
        let factor = self.store.second_factor(user.id).await?;
        let methods = self.proof_methods(&user, &factor);
        self.options_for(&user, &factor, methods, &ceremony(identity))
    }

    /// Records a proof of the caller: sensitive acts are open for [`PROOF_LIFE`].
    ///
    /// # Errors
    /// [`AccountError::WrongProof`], [`AccountError::TooManyFailedSignIns`], [`CommonError::TooMany`].
    pub async fn prove(&self, call: &Call, proof: &Proof) -> Result<(), AccountError> {
        let identity = call.caller.member(None)?;
        self.limits().check_own(RateLimit::SignIn, identity.session_id)?;
        let user = self.user(identity.user_id).await?;
        let factor = self.store.second_factor(user.id).await?;
        let methods = self.proof_methods(&user, &factor);
        let source = Source::session(identity.session_id);
        self.check_proof(call, source, &user, proof, &methods, &ceremony(identity)).await?;
        self.record_proof(identity, user.credentials()).await
    }

    /// Records that the caller proved who they are, to the account as it was then.
    pub(super) async fn record_proof(&self, identity: &Identity, checked: Credentials) -> Result<(), AccountError> {
        let recorded = self.store.prove_session(identity.session_id, checked, self.clock.steady()).await;
        recorded.map_err(|error| match error {
            StoreError::NotFound(_) => CommonError::NotSignedIn.into(),
            error => error.into(),
        })
    }

    fn proof_methods(&self, user: &User, factor: &SecondFactor) -> Vec<ProofMethod> {
        let mut methods = self.factor_methods(factor);
        if user.password_hash.is_some() {
            methods.insert(0, ProofMethod::Password);
        }
        if self.providers().next().is_some() && !user.providers.is_empty() {
            methods.push(ProofMethod::Provider);
        }
        methods
    }

    pub(super) fn factor_methods(&self, factor: &SecondFactor) -> Vec<ProofMethod> {
        [
            (ProofMethod::Totp, factor.totp_secret.is_some()),
            (ProofMethod::Passkey, !factor.passkeys.is_empty() && self.passkeys.are_available()),
            (ProofMethod::RecoveryCode, factor.recovery_codes > 0),
        ]
        .into_iter()
        .filter_map(|(method, has)| has.then_some(method))
        .collect()
    }

    /// `ceremony` is whose challenge it is.
    pub(super) fn options_for(
        &self,
        user: &User,
        factor: &SecondFactor,
        methods: Vec<ProofMethod>,
        ceremony: &str,
    ) -> Result<ProofOptions, AccountError> {
        let passkey_options = methods
            .contains(&ProofMethod::Passkey)
            .then(|| self.passkeys.begin_second_factor(ceremony, user.id, &factor.passkeys, self.clock.steady()))
            .transpose()?;
        Ok(ProofOptions { methods, passkey_options })
    }

    /// Wrong proofs count as failed sign-ins; every proof is a security event.
    pub(super) async fn check_proof(
        &self,
        call: &Call,
        source: Source,
        user: &User,
        proof: &Proof,
        methods: &[ProofMethod],
        ceremony: &str,
    ) -> Result<(), AccountError> {
        let given = proof.given()?;
        let method = given.method();
        let event = match method {
            ProofMethod::Password => SecurityEvent::SignIn(Some(method)),
            _ => SecurityEvent::SecondFactor(method),
        };
        let log = |outcome| self.log_security_event(call, event, outcome, SecuritySubject::User(UserId(user.id)));
        let attempt = self
            .failures
            .begin(AccountKey::of(user), source, Instant::now())
            .inspect_err(|_| log(Outcome::LockedOut))?;
        let is_right = match methods.contains(&method) {
            true => self.is_right(user, given, ceremony).await,
            false => Ok(false),
        };
        match is_right {
            Ok(true) => {
                attempt.succeeded();
                log(Outcome::Succeeded);
                Ok(())
            }
            Ok(false) => {
                log(Outcome::Failed);
                Err(AccountError::WrongProof(method))
            }
            Err(error) => {
                if matches!(error, AccountError::TooManyFailedSignIns { .. }) {
                    log(Outcome::LockedOut);
                }
                attempt.cancel();
                Err(error)
            }
        }
    }

    async fn is_right(&self, user: &User, given: Given<'_>, ceremony: &str) -> Result<bool, AccountError> {
        match given {
            Given::Password(password) => Ok(self.passwords.verify(password, user.password_hash.as_deref()).await?),
            Given::Totp(code) => self.is_right_code(user, code).await,
            Given::RecoveryCode(code) => self.use_recovery_code(user, code).await,
            Given::Passkey(credential) => match self.use_passkey(ceremony, credential, Some(user.id)).await {
                Ok(_) => Ok(true),
                Err(AccountError::PasskeyRefused) => Ok(false),
                Err(error) => Err(error),
            },
        }
    }

    async fn is_right_code(&self, user: &User, code: &str) -> Result<bool, AccountError> {
        let (key, now) = (user.id.to_string(), self.clock.steady());
        let wrong = self.wrong_codes.with(&key, now, |wrong| {
            *wrong += 1;
            *wrong
        });
        match wrong {
            Some(wrong) if wrong > MAX_WRONG_CODES => {
                let retry_after = Duration::from_secs(WRONG_CODES_MEMORY.num_seconds().unsigned_abs());
                return Err(AccountError::TooManyFailedSignIns { retry_after });
            }
            Some(_) => {}
            None => self.wrong_codes.insert(key.clone(), 1, now),
        }
        let is_right = self.use_totp_code(user, code).await?;
        if is_right {
            self.wrong_codes.with(&key, now, |wrong| *wrong = wrong.saturating_sub(1));
        }
        Ok(is_right)
    }
}

fn ceremony(identity: &Identity) -> String {
    format!("proof of {}", identity.session_id)
}
