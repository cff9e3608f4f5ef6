//! Passkeys.

use morpion_store::{PasskeyRow, User};
use serde_json::Value;

use super::{Accounts, error::AccountError, session::IssuedSession, sign_in::Browser};
use crate::caller::Call;

/// Passkeys of an account.
pub(super) const MAX_PASSKEYS: usize = 20;

impl Accounts {
    /// Whether this server has a name, which passkeys are bound to.
    pub fn are_passkeys_available(&self) -> bool {
        false
    }

    pub fn passkey_sign_in_options(&self, _call: &Call, _browser: &Browser) -> Result<Value, AccountError> {
        Err(AccountError::PasskeysUnavailable)
    }

    pub async fn sign_in_with_passkey(
        &self,
        _call: &Call,
        _browser: &Browser,
        _credential: Value,
    ) -> Result<(User, IssuedSession), AccountError> {
        Err(AccountError::PasskeyRefused)
    }

    pub async fn begin_passkey(&self, _call: &Call) -> Result<Value, AccountError> {
        Err(AccountError::PasskeysUnavailable)
    }

    pub async fn finish_passkey(
        &self,
        _call: &Call,
        _name: &str,
        _credential: Value,
    ) -> Result<(PasskeyRow, Option<Vec<String>>), AccountError> {
        Err(AccountError::TooManyPasskeys)
    }

    pub async fn rename_passkey(&self, _call: &Call, _id: &str, _name: &str) -> Result<(), AccountError> {
        Err(AccountError::PasskeysUnavailable)
    }

    pub async fn remove_passkey(&self, _call: &Call, _id: &str) -> Result<(), AccountError> {
        Err(AccountError::PasskeysUnavailable)
    }
}
