//! Proofs of an owner: what a pending sign-in or a sensitive act asks for.

use serde_json::Value;

use super::{Accounts, error::AccountError};
use crate::{caller::Call, error::CommonError};

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

/// A proof as it was sent; it has to be exactly one.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    pub password: Option<String>,
    pub totp: Option<String>,
    pub recovery_code: Option<String>,
    pub passkey: Option<Value>,
}

/// What can be proved with, and the options for a passkey.
#[derive(Debug)]
pub struct ProofOptions {
    pub methods: Vec<ProofMethod>,
    pub passkey_options: Option<Value>,
}

impl Accounts {
    pub async fn proof_options(&self, call: &Call) -> Result<ProofOptions, AccountError> {
        let _ = call.caller.user()?;
        Err(CommonError::unavailable("Not yet.").into())
    }

    pub async fn prove(&self, call: &Call, _proof: &Proof) -> Result<(), AccountError> {
        let _ = call.caller.user()?;
        Err(CommonError::unavailable("Not yet.").into())
    }
}
