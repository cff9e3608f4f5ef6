//! Second factors as wire types, and proofs from the wire.

use morpion_openapi::second_factor as wire;
use morpion_store::PasskeyRow;

use crate::account::{
    proof::{Proof, ProofMethod, ProofOptions},
    second_factor::{OwnSecondFactor, TotpSetup},
};

impl From<wire::Proof> for Proof {
    fn from(proof: wire::Proof) -> Self {
        let wire::Proof { password, totp, recovery_code, passkey } = proof;
        Self { password, totp, recovery_code, passkey }
    }
}

fn method(method: ProofMethod) -> wire::ProofMethod {
    match method {
        ProofMethod::Password => wire::ProofMethod::Password,
        ProofMethod::Totp => wire::ProofMethod::Totp,
        ProofMethod::RecoveryCode => wire::ProofMethod::RecoveryCode,
        ProofMethod::Passkey => wire::ProofMethod::Passkey,
        ProofMethod::Provider => wire::ProofMethod::Provider,
    }
}

/// `passkeys`: whether they can be used by the name that the server was reached by.
pub fn proof_options(options: ProofOptions, passkeys: bool) -> wire::ProofOptionsAnswer {
    let methods = options.methods.into_iter().filter(|method| passkeys || *method != ProofMethod::Passkey);
    wire::ProofOptionsAnswer {
        methods: methods.map(method).collect(),
        passkey_options: options.passkey_options.filter(|_| passkeys),
    }
}

pub fn passkey(row: &PasskeyRow) -> wire::Passkey {
    wire::Passkey {
        passkey_id: row.id.to_string(),
        name: row.name.clone(),
        created_at: row.created_at.into(),
        last_used_at: row.last_used_at.map(Into::into),
    }
}

pub fn second_factor(found: OwnSecondFactor, passkeys_available: bool) -> wire::SecondFactorAnswer {
    wire::SecondFactorAnswer {
        totp: found.has_totp,
        recovery_codes_left: found.recovery_codes_left,
        passkeys: found.passkeys.iter().map(passkey).collect(),
        required: found.is_required,
        passkeys_available,
    }
}

pub fn totp_setup(setup: TotpSetup) -> wire::TotpSetupAnswer {
    wire::TotpSetupAnswer { secret: setup.secret, uri: setup.uri, qr_code: setup.qr_code }
}
