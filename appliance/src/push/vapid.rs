//! The server's key for push services, and what it signs with it (VAPID, RFC 8292).

use std::{fmt, path::Path};

use anyhow::Context;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::DatabaseUrl;
use p256::{
    SecretKey,
    ecdsa::{Signature, SigningKey, signature::Signer},
};
use serde_json::json;

use crate::{config::Config, private_file};

/// The key, in the data folder: a private scalar of P-256 in base64url.
pub const KEY_FILE: &str = "push.key";

/// How long a signature is good. Push services refuse more than a day.
const VALID_FOR: TimeDelta = TimeDelta::hours(12);

/// Signs pushes, so that a push service knows that they come from whom the browser subscribed to.
#[derive(Clone)]
pub struct VapidKey {
    signing: SigningKey,
    public: String,
    contact: Option<String>,
}

impl fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VapidKey").field("public", &self.public).finish_non_exhaustive()
    }
}

impl VapidKey {
    /// The key in the data folder, made now if there is none; with a store in memory a new one.
    ///
    /// # Errors
    /// The file cannot be read or written, or holds no key.
    pub fn load(config: &Config) -> anyhow::Result<Self> {
        let contact = config.push_contact();
        if config.database_url() == DatabaseUrl::Memory {
            return Ok(Self::of(&super::encryption::new_secret(), contact));
        }
        let path = config.data_dir.join(KEY_FILE);
        Self::at(&path, contact)
    }

    /// Whether the key, if there is one already, can be used. Changes nothing.
    ///
    /// # Errors
    /// As [`VapidKey::load`].
    pub fn check(config: &Config) -> anyhow::Result<()> {
        let path = config.data_dir.join(KEY_FILE);
        if !config.push.enabled {
            return Ok(());
        }
        read(&path).map(drop)
    }

    fn at(path: &Path, contact: Option<String>) -> anyhow::Result<Self> {
        let secret = match read(path)? {
            Some(secret) => secret,
            None => {
                let secret = super::encryption::new_secret();
                let text = URL_SAFE_NO_PAD.encode(secret.to_bytes());
                private_file::write(path, &text).with_context(|| cannot(path, "written"))?;
                secret
            }
        };
        Ok(Self::of(&secret, contact))
    }

    fn of(secret: &SecretKey, contact: Option<String>) -> Self {
        let public = URL_SAFE_NO_PAD.encode(super::encryption::point(&secret.public_key()));
        Self { signing: SigningKey::from(secret), public, contact }
    }

    /// What browsers subscribe with: the public key, an uncompressed point in base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// The `Authorization` of a push to a service with this origin.
    pub fn authorization(&self, audience: &str, now: DateTime<Utc>) -> String {
        let mut claims = json!({ "aud": audience, "exp": (now + VALID_FOR).timestamp() });
        if let Some(contact) = &self.contact {
            claims["sub"] = json!(contact);
        }
        let header = URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{header}.{}", URL_SAFE_NO_PAD.encode(claims.to_string()));
        let signature: Signature = self.signing.sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", URL_SAFE_NO_PAD.encode(signature.to_bytes()), self.public)
    }
}

/// The stored key; none before the first start, and an empty file is none.
fn read(path: &Path) -> anyhow::Result<Option<SecretKey>> {
    let text = private_file::read(path).with_context(|| cannot(path, "read"))?;
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let secret = URL_SAFE_NO_PAD.decode(&text).ok().and_then(|bytes| SecretKey::from_slice(&bytes).ok());
    // Another key would silently end all subscriptions.
    let damaged = || format!("{} is damaged; restore it, or remove it for a new one", path.display());
    secret.map(Some).with_context(damaged)
}

fn cannot(path: &Path, what: &str) -> String {
    format!("{} cannot be {what}; make it a file that this user owns", path.display())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_key_is_made_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(KEY_FILE);
        let first = VapidKey::at(&path, None).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(VapidKey::at(&path, None).unwrap().public(), first.public());
        assert_eq!(URL_SAFE_NO_PAD.decode(first.public()).unwrap().len(), 65);
        assert!(!format!("{first:?}").contains(std::fs::read_to_string(&path).unwrap().trim()));
        std::fs::write(&path, "").unwrap();
        VapidKey::check(&Config { data_dir: folder.path().to_owned(), ..Config::default() }).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "", "a check makes none");
        for damaged in ["hunter2", "AAAA", &"A".repeat(43)] {
            std::fs::write(&path, damaged).unwrap();
            let error = VapidKey::at(&path, None).unwrap_err().to_string();
            assert!(error.contains("push.key is damaged"), "{error}");
        }
    }
}
