//! Secrets as they are stored: readable with the server's secret only, and only for what they belong to.

use aes_gcm::{
    Aes256Gcm, KeyInit, Nonce,
    aead::{Aead, Payload},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use rand::Rng;
use uuid::Uuid;

/// Bytes of the nonce before a sealed secret.
const NONCE: usize = 12;

/// Seals and opens the secrets of one kind. Cheap to clone.
#[derive(Clone)]
pub struct Seal(Aes256Gcm);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(hidden)")
    }
}

impl Seal {
    /// With a key for this kind of secrets alone.
    pub fn new(key: [u8; 32]) -> Self {
        Self(Aes256Gcm::new(&key.into()))
    }

    /// A secret of `owner` as it is stored, in Base64.
    pub fn seal(&self, owner: Uuid, secret: &[u8]) -> String {
        let nonce: [u8; NONCE] = rand::rng().random();
        let payload = Payload { msg: secret, aad: owner.as_bytes() };
        let encrypted = self.0.encrypt(&Nonce::from(nonce), payload).expect("a secret is shorter than 64 GiB");
        BASE64_STANDARD.encode([&nonce[..], &encrypted].concat())
    }

    /// `None` for one that was sealed with another key or for another owner, or is damaged.
    pub fn open(&self, owner: Uuid, stored: &str) -> Option<Vec<u8>> {
        let bytes = BASE64_STANDARD.decode(stored).ok()?;
        let (nonce, encrypted) = bytes.split_first_chunk::<NONCE>()?;
        let payload = Payload { msg: encrypted, aad: owner.as_bytes() };
        self.0.decrypt(&Nonce::from(*nonce), payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_read_with_the_same_key_and_for_the_same_owner_only() {
        let (seal, owner, secret) = (Seal::new([1; 32]), Uuid::new_v4(), [7; 20]);
        let stored = seal.seal(owner, &secret);
        assert_ne!(stored, seal.seal(owner, &secret));
        assert_eq!(seal.open(owner, &stored).as_deref(), Some(&secret[..]));
        assert_eq!(Seal::new([2; 32]).open(owner, &stored), None);
        assert_eq!(seal.open(Uuid::new_v4(), &stored), None);
        for damaged in ["", "AAAA", "not base64", &stored[4..]] {
            assert_eq!(seal.open(owner, damaged), None);
        }
    }
}
