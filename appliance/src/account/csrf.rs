//! Protection against requests forged by other sites: `docs/behaviour/accounts.md#cross-site-requests`.
//!
//! Three checks, from the cheapest to the strongest: the `Host` names this server (against DNS rebinding); `Origin`, or
//! `Sec-Fetch-Site` where there is none, names one of our pages; and every call that changes something repeats the
//! `XSRF-TOKEN` cookie in `X-XSRF-TOKEN`. That token is an HMAC over the browser's identity (its session, or before
//! sign-in its device cookie), so a planted or stolen one is worthless.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use poem::http::HeaderMap;
use rand::Rng;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::error::AccountError;
use crate::config::Config;

/// The cookie that our scripts read.
pub const COOKIE: &str = "XSRF-TOKEN";

/// The header in which they send it back.
pub const HEADER: &str = "x-xsrf-token";

/// Random bytes in a token, so that two tokens of one session differ.
const SALT: usize = 16;

/// What a token is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding<'a> {
    /// A session, through all its rotations.
    Session(Uuid),
    /// A visitor's device cookie.
    Device(&'a str),
}

/// The key of the tokens: with it they can be forged.
#[derive(Clone)]
pub struct ServerSecret([u8; 32]);

impl std::fmt::Debug for ServerSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ServerSecret(hidden)")
    }
}

impl ServerSecret {
    pub fn random() -> Self {
        Self(rand::rng().random())
    }

    /// From a configured text of any length.
    pub fn from_text(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    fn mac(&self, binding: Binding<'_>, salt: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        // The salt has a fixed length and the kind comes next: no two inputs are the same.
        mac.update(salt);
        match binding {
            Binding::Session(id) => {
                mac.update(b"session");
                mac.update(id.as_bytes());
            }
            Binding::Device(cookie) => {
                mac.update(b"device");
                mac.update(cookie.as_bytes());
            }
        }
        mac
    }

    /// The HMAC of a text, in hex.
    pub fn hmac_hex(&self, text: &str) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        // No token's input starts like this: those start with random bytes.
        mac.update(b"sealed\0\0\0\0\0\0\0\0\0\0");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// A key that is derived from this secret, for one purpose.
    pub fn derived_key(&self, purpose: &str) -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        mac.update(b"key\0\0\0\0\0\0\0\0\0\0\0\0\0");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// A new token.
    pub fn new_token(&self, binding: Binding<'_>) -> String {
        let salt: [u8; SALT] = rand::rng().random();
        let mut bytes = salt.to_vec();
        bytes.extend_from_slice(&self.mac(binding, &salt).finalize().into_bytes());
        BASE64_URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Whether this token was made here for this binding. Compares in constant time.
    pub fn verify_token(&self, token: &str, binding: Binding<'_>) -> bool {
        let Ok(bytes) = BASE64_URL_SAFE_NO_PAD.decode(token) else { return false };
        let Some((salt, mac)) = bytes.split_at_checked(SALT) else { return false };
        self.mac(binding, salt).verify_slice(mac).is_ok()
    }
}

/// # Errors
/// [`AccountError::BadHost`] when the request names a host that is not this server.
pub fn check_host(config: &Config, host: Option<&str>) -> Result<(), AccountError> {
    match host {
        Some(host) if config.allows_host(host) => Ok(()),
        _ => Err(AccountError::BadHost),
    }
}

/// # Errors
/// [`AccountError::BadOrigin`] when a page of another site made the request. One without `Origin` and `Sec-Fetch-Site`
/// does not come from a browser, and passes here.
pub fn check_origin(config: &Config, headers: &HeaderMap, host: Option<&str>) -> Result<(), AccountError> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let is_ours = match (text("origin"), text("sec-fetch-site")) {
        (Some(origin), _) => config.allows_origin(origin, host),
        (None, Some(site)) => matches!(site, "same-origin" | "none"),
        (None, None) => true,
    };
    if is_ours { Ok(()) } else { Err(AccountError::BadOrigin) }
}

/// # Errors
/// [`AccountError::MissingCsrfToken`], [`AccountError::BadCsrfToken`]; `GET check-login` sets a valid token.
pub fn check_token(
    secret: &ServerSecret,
    headers: &HeaderMap,
    binding: Option<Binding<'_>>,
) -> Result<(), AccountError> {
    let token = headers.get(HEADER).ok_or(AccountError::MissingCsrfToken)?.to_str().unwrap_or_default();
    match binding {
        Some(binding) if secret.verify_token(token, binding) => Ok(()),
        _ => Err(AccountError::BadCsrfToken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn a_token_is_good_for_its_binding_and_key_only() {
        let (secret, session) = (ServerSecret::random(), Uuid::new_v4());
        let token = secret.new_token(Binding::Session(session));
        assert!(secret.verify_token(&token, Binding::Session(session)));
        assert_ne!(token, secret.new_token(Binding::Session(session)));
        assert!(!secret.verify_token(&token, Binding::Session(Uuid::new_v4())));
        assert!(!secret.verify_token(&token, Binding::Device(&session.to_string())));
        assert!(!ServerSecret::random().verify_token(&token, Binding::Session(session)));
        for position in [0, 20, token.len() - 2] {
            let mut bytes = token.clone().into_bytes();
            bytes[position] = if bytes[position] == b'A' { b'B' } else { b'A' };
            assert!(!secret.verify_token(&String::from_utf8(bytes).unwrap(), Binding::Session(session)), "{position}");
        }
        for nonsense in ["", "AAAA", "not base64!", &"A".repeat(10_000)] {
            assert!(!secret.verify_token(nonsense, Binding::Session(session)));
        }
    }

    #[test]
    fn a_configured_key_makes_the_same_tokens_again() {
        let token = ServerSecret::from_text("a configured text").new_token(Binding::Device("d"));
        assert!(ServerSecret::from_text("a configured text").verify_token(&token, Binding::Device("d")));
    }

    #[test]
    fn only_our_origins_pass() {
        let config = Config::default();
        let host = Some("127.0.0.1:8080");
        let refusal = |pairs: &[(&'static str, &'static str)]| check_origin(&config, &headers(pairs), host).err();
        assert_eq!(refusal(&[]), None);
        assert_eq!(refusal(&[("origin", "http://127.0.0.1:8080")]), None);
        assert_eq!(refusal(&[("origin", "http://localhost:8080"), ("sec-fetch-site", "cross-site")]), None);
        assert_eq!(refusal(&[("sec-fetch-site", "same-origin")]), None);
        assert_eq!(refusal(&[("sec-fetch-site", "none")]), None);
        for bad in [
            &[("origin", "http://127.0.0.1:8081")][..],
            &[("origin", "https://127.0.0.1:8080")],
            &[("origin", "http://evil.example")],
            &[("origin", "null")],
            &[("origin", "")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
        ] {
            assert_eq!(refusal(bad), Some(AccountError::BadOrigin), "{bad:?}");
        }
    }

    #[test]
    fn only_our_names_pass() {
        let config = Config::default();
        for good in ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"] {
            assert!(check_host(&config, Some(good)).is_ok(), "{good}");
        }
        for bad in [Some("evil.example:8080"), Some("127.0.0.1"), Some(""), None] {
            assert_eq!(check_host(&config, bad).unwrap_err(), AccountError::BadHost, "{bad:?}");
        }
    }
}
