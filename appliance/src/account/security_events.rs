//! The log of security events: `docs/behaviour/accounts.md#security-events`.

use std::fmt;

use morpion_rules::UserId;

use super::{Accounts, proof::ProofMethod};
use crate::caller::Call;

/// What concerned the security of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent {
    /// With what it was tried; with nothing by new accounts and guests.
    SignIn(Option<ProofMethod>),
    SecondFactor(ProofMethod),
    SecondFactorChange,
    RecoveryRequest,
    RecoveryCode,
    EmailCode,
    PasswordChange,
    EmailChange,
    RoleChange,
    TokenCreation,
    TokenRevocation,
    Suspension,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Succeeded,
    /// What was shown as proof was wrong.
    Failed,
    /// Not looked at, after too many failures.
    LockedOut,
}

impl fmt::Display for SecurityEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SignIn(_) => "sign-in",
            Self::SecondFactor(_) => "second-factor",
            Self::SecondFactorChange => "second-factor-change",
            Self::RecoveryRequest => "recovery-request",
            Self::RecoveryCode => "recovery-code",
            Self::EmailCode => "email-code",
            Self::PasswordChange => "password-change",
            Self::EmailChange => "email-change",
            Self::RoleChange => "role-change",
            Self::TokenCreation => "token-creation",
            Self::TokenRevocation => "token-revocation",
            Self::Suspension => "suspension",
        })
    }
}

impl SecurityEvent {
    fn method(self) -> Option<&'static str> {
        let method = match self {
            Self::SignIn(method) => method?,
            Self::SecondFactor(method) => method,
            _ => return None,
        };
        Some(match method {
            ProofMethod::Password => "password",
            ProofMethod::Totp => "totp",
            ProofMethod::RecoveryCode => "recovery-code",
            ProofMethod::Passkey => "passkey",
            ProofMethod::Provider => "provider",
        })
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::LockedOut => "locked-out",
        })
    }
}

/// The account concerned; the log shows a keyed hash of it.
#[derive(Debug, Clone, Copy)]
pub enum SecuritySubject<'a> {
    User(UserId),
    /// What was typed as an email, whether or not an account has it.
    Typed(&'a str),
    /// Nobody can say whose it is.
    Unknown,
    /// An operator token by its name, which is no secret and shown as it is.
    Token(&'a str),
}

/// Hexadecimal digits of the hash of an account: enough to tell accounts of one log apart.
const HASH_DIGITS: usize = 16;

impl Accounts {
    /// Logs a security event. The order and names of the fields are what log watchers such as fail2ban match, so they
    /// stay; none of them holds what a stranger typed.
    pub(crate) fn log_security_event(
        &self,
        call: &Call,
        event: SecurityEvent,
        outcome: Outcome,
        subject: SecuritySubject<'_>,
    ) {
        let account = match subject {
            SecuritySubject::User(user) => self.account_hash(&user.to_string()),
            SecuritySubject::Typed(text) => self.account_hash(&text.trim().to_lowercase()),
            SecuritySubject::Unknown => "unknown".to_owned(),
            SecuritySubject::Token(name) => format!("token:{name}"),
        };
        self.metrics.security_events.with_label_values(&[event.to_string(), outcome.to_string()]).inc();
        let (address, method) = (call.address.ip(), event.method());
        macro_rules! log {
            ($level:ident) => {
                tracing::$level!(target: "morpion_appliance::security", %event, %outcome, %address, account, method, "security event")
            };
        }
        match outcome {
            Outcome::Succeeded => log!(info),
            Outcome::Failed | Outcome::LockedOut => log!(warn),
        }
    }

    fn account_hash(&self, account: &str) -> String {
        let mut hash = self.secret.hmac_hex(&format!("account {account}"));
        hash.truncate(HASH_DIGITS);
        hash
    }
}
