//! What the payload of a push is encrypted with (RFC 8291, `aes128gcm` of RFC 8188), so that only the browser that subscribed
//! reads it.
//!
//! It is put together of the pieces that the workspace has anyway. The crates for it do not fit: `web-push` encrypts with
//! OpenSSL; `web-push-native` brings a second generation of the same pieces and, for the signature, an implementation of RSA
//! with an open advisory. The example of RFC 8291 is a test below.

use aes_gcm::{Aes128Gcm, KeyInit, aead::Aead};
use hkdf::Hkdf;
use p256::{PublicKey, SecretKey, elliptic_curve::sec1::ToSec1Point};
use rand::RngCore;
use sha2::Sha256;

/// Bytes of a public key as an uncompressed point, and of a subscription's secret.
pub const POINT: usize = 65;
pub const AUTH: usize = 16;

/// Push services take bodies of 4096 bytes (RFC 8030, 7.2), of which header, delimiter and tag take 103.
const RECORD: usize = 4_096;
pub const MAX_PAYLOAD: usize = RECORD - 16 - 4 - 1 - POINT - 1 - 16;

/// Payloads are padded to multiples of this, so that their length tells a push service nothing.
const PADDED_TO: usize = 512;

/// The keys of a subscription.
#[derive(Clone, PartialEq, Eq)]
pub struct BrowserKeys {
    public: PublicKey,
    auth: [u8; AUTH],
}

impl BrowserKeys {
    /// `None` unless the first is an uncompressed point of P-256 and the second has 16 bytes.
    pub fn new(point: &[u8], auth: &[u8]) -> Option<Self> {
        let is_uncompressed = point.len() == POINT && point[0] == 4;
        let public = is_uncompressed.then(|| PublicKey::from_sec1_bytes(point).ok()).flatten()?;
        Some(Self { public, auth: auth.try_into().ok()? })
    }

    /// The body of a push, with a key of its own.
    pub fn encrypt(&self, payload: &[u8]) -> Vec<u8> {
        let mut salt = [0; 16];
        rand::rng().fill_bytes(&mut salt);
        let padded = payload.len().next_multiple_of(PADDED_TO).min(MAX_PAYLOAD);
        self.encrypt_with(&new_secret(), salt, payload, padded)
    }

    fn encrypt_with(&self, own: &SecretKey, salt: [u8; 16], payload: &[u8], padded: usize) -> Vec<u8> {
        let public = point(&own.public_key());
        let shared = own.diffie_hellman(&self.public);
        let info = [b"WebPush: info\0".as_slice(), &point(&self.public), &public].concat();
        let ikm: [u8; 32] = derive(&self.auth, shared.raw_secret_bytes().as_slice(), &info);
        let key: [u8; 16] = derive(&salt, &ikm, b"Content-Encoding: aes128gcm\0");
        let nonce: [u8; 12] = derive(&salt, &ikm, b"Content-Encoding: nonce\0");
        // The only record, which 2 ends; zeros follow.
        let mut record = payload.to_vec();
        record.push(2);
        record.resize(padded.max(payload.len()) + 1, 0);
        let cipher = Aes128Gcm::new(&key.into());
        let sealed = cipher.encrypt(&nonce.into(), record.as_slice()).expect("a record is short enough");
        let mut body = salt.to_vec();
        body.extend((RECORD as u32).to_be_bytes());
        body.push(POINT as u8);
        body.extend(public);
        body.extend(sealed);
        body
    }
}

/// HKDF of RFC 5869.
fn derive<const N: usize>(salt: &[u8], ikm: &[u8], info: &[u8]) -> [u8; N] {
    let mut out = [0; N];
    Hkdf::<Sha256>::new(Some(salt), ikm).expand(info, &mut out).expect("short enough for HKDF");
    out
}

/// A random private key.
pub(super) fn new_secret() -> SecretKey {
    loop {
        let mut bytes = [0; 32];
        rand::rng().fill_bytes(&mut bytes);
        // One of 2^32 numbers is none of the curve's.
        if let Ok(secret) = SecretKey::from_slice(&bytes) {
            return secret;
        }
    }
}

/// A public key as an uncompressed point.
pub(super) fn point(key: &PublicKey) -> Vec<u8> {
    key.to_sec1_point(false).as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    #[test]
    fn it_is_as_in_the_example_of_rfc_8291() {
        let point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let keys = BrowserKeys::new(&bytes(point), &bytes("BTBZMqHH6r4Tts7J_aSIgg")).unwrap();
        let own = SecretKey::from_slice(&bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")).unwrap();
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let body = keys.encrypt_with(&own, salt, b"When I grow up, I want to be a watermelon", 0);
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6\
                        TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(URL_SAFE_NO_PAD.encode(body), expected);
    }

    #[test]
    fn lengths_are_hidden_and_within_the_limit_of_push_services() {
        let keys = BrowserKeys::new(&point(&new_secret().public_key()), &[7; 16]).unwrap();
        let length = |payload: usize| keys.encrypt(&vec![b'x'; payload]).len();
        assert_eq!((length(1), length(512), length(513)), (512 + 103, 512 + 103, 1_024 + 103));
        assert_eq!(length(MAX_PAYLOAD), RECORD);
    }

    #[test]
    fn keys_that_are_none_are_refused() {
        let valid = point(&new_secret().public_key());
        assert!(BrowserKeys::new(&valid, &[0; 16]).is_some());
        assert!(BrowserKeys::new(&valid, &[0; 15]).is_none() && BrowserKeys::new(&valid, &[0; 17]).is_none());
        assert!(BrowserKeys::new(&valid[..64], &[0; 16]).is_none() && BrowserKeys::new(&[], &[]).is_none());
        let mut compressed = vec![2];
        compressed.extend(&valid[1..33]);
        assert!(BrowserKeys::new(&compressed, &[0; 16]).is_none());
        let mut off_the_curve = valid;
        off_the_curve[64] ^= 1;
        assert!(BrowserKeys::new(&off_the_curve, &[0; 16]).is_none());
        assert!(BrowserKeys::new(&[4; POINT], &[0; 16]).is_none());
    }
}
