//! Sign-ins that wait for the second factor.

use super::{
    Accounts,
    error::AccountError,
    proof::{Proof, ProofOptions},
    provider_sign_in::ProviderSignIn,
    sign_in::Browser,
};
use crate::caller::Call;

impl Accounts {
    pub async fn pending_options(&self, _call: &Call, _browser: &Browser) -> Result<ProofOptions, AccountError> {
        Err(AccountError::SignInExpired)
    }

    pub async fn finish_pending(
        &self,
        _call: &Call,
        _browser: &Browser,
        _proof: &Proof,
    ) -> Result<ProviderSignIn, AccountError> {
        Err(AccountError::SignInExpired)
    }
}
