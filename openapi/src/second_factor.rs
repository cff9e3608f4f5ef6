//! Second factor, passkeys and step-up: `docs/behaviour/accounts.md#second-factor`.

use serde_json::Value;

use crate::Timestamp;

words! {
    /// What an owner can prove themselves with.
    pub enum ProofMethod {
        Password = "password",
        Totp = "totp",
        RecoveryCode = "recovery-code",
        Passkey = "passkey",
        /// Another sign-in with the provider.
        Provider = "provider",
    }
}

request! {
    /// Exactly one of them: the second factor of a pending sign-in, or a proof before a sensitive act.
    pub struct Proof {
        pub password: Option<String>,
        /// The six digits of an authenticator app.
        pub totp: Option<String>,
        /// One of the ten codes that were shown once; blanks, hyphens and case do not matter.
        pub recovery_code: Option<String>,
        /// `PublicKeyCredential.toJSON()` of an assertion.
        pub passkey: Option<Value>,
    }

    /// Signs in with a passkey alone.
    pub struct PasskeyLogin {
        /// `PublicKeyCredential.toJSON()` of an assertion.
        pub credential: Value,
        /// A guest brings their games along.
        pub keep_guest_games: Option<bool>,
    }

    pub struct ConfirmTotp {
        /// The six digits of the authenticator app.
        pub code: String,
    }

    pub struct FinishPasskey {
        /// What its owner calls it, 1 to 40 characters.
        pub name: String,
        /// `PublicKeyCredential.toJSON()` of a new credential.
        pub credential: Value,
    }

    pub struct RenamePasskey {
        pub passkey_id: String,
        /// 1 to 40 characters.
        pub name: String,
    }

    pub struct RemovePasskey {
        pub passkey_id: String,
    }
}

answer! {
    /// What a pending sign-in or a sensitive act can be proved with.
    pub struct ProofOptionsAnswer {
        pub methods: Vec<ProofMethod>,
        /// For `navigator.credentials.get`, as `PublicKeyCredentialRequestOptionsJSON`; present with the method `passkey`.
        pub passkey_options: Option<Value>,
    }

    /// What the browser makes or uses a passkey with.
    pub struct PasskeyOptionsAnswer {
        /// `PublicKeyCredentialCreationOptionsJSON` or `PublicKeyCredentialRequestOptionsJSON`.
        pub options: Value,
    }

    pub struct Passkey {
        pub passkey_id: String,
        pub name: String,
        pub created_at: Timestamp,
        pub last_used_at: Option<Timestamp>,
    }

    /// The second factor of one's own account.
    pub struct SecondFactorAnswer {
        /// An authenticator app is set up.
        pub totp: bool,
        pub recovery_codes_left: u32,
        pub passkeys: Vec<Passkey>,
        /// The server asks this account for a second factor (`identity.require_second_factor`).
        pub required: bool,
        /// This server can use passkeys: its address is a name, not an IP address.
        pub passkeys_available: bool,
    }

    /// An authenticator app that is to be confirmed with its first code.
    pub struct TotpSetupAnswer {
        /// In Base32, to type it in.
        pub secret: String,
        /// `otpauth://totp/…`
        pub uri: String,
        /// The same as a picture, a `data:` URL.
        pub qr_code: String,
    }

    pub struct TotpConfirmedAnswer {
        /// With the account's first factor; shown this once.
        pub recovery_codes: Option<Vec<String>>,
    }

    /// Shown this once; those before are no longer good.
    pub struct RecoveryCodesAnswer {
        pub recovery_codes: Vec<String>,
    }

    pub struct PasskeyAnswer {
        pub passkey: Passkey,
        /// With the account's first factor; shown this once.
        pub recovery_codes: Option<Vec<String>>,
    }
}
