//! Random secrets that are issued once and stored only as a hash.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::Rng;
use sha2::{Digest, Sha256};

/// 256 random bits as 43 characters that need no escaping anywhere.
pub fn new() -> String {
    let bytes: [u8; 32] = rand::rng().random();
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The stored form: SHA-256 in hex. With this much randomness a slow hash would add nothing.
pub fn hash(token: &str) -> String {
    use std::fmt::Write;
    Sha256::digest(token.as_bytes()).iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Whether it can be one of our tokens; anything else is not worth a read of the store.
pub fn is_plausible(text: &str) -> bool {
    (40..=128).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_kept_as_sha_256() {
        let (first, second) = (new(), new());
        assert_ne!(first, second);
        assert!(first.len() == 43 && is_plausible(&first));
        assert_eq!(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for hostile in ["", "short", &"x".repeat(129), "morpion session; or 1=1 -- aaaaaaaaaaaaaaaaaaaa"] {
            assert!(!is_plausible(hostile));
        }
    }
}
