//! Nonces for the provider's button.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use subtle::ConstantTimeEq;

use crate::account::{csrf::ServerSecret, token};

/// How long a page with the provider's button may be open before somebody presses it.
const NONCE_LIFE: Duration = Duration::from_secs(3_600);

/// Used nonces that are remembered, one per sign-in of the last hour. When it is full, nobody can sign in with the
/// button until the oldest expire.
const MAX_USED: usize = 50_000;

/// Nonces, each bound to a browser and valid once. Their key belongs to this process alone, so after a restart, when
/// the used ones are forgotten, no earlier nonce is valid.
pub(super) struct Nonces {
    key: ServerSecret,
    began: Instant,
    used: Mutex<HashMap<String, Instant>>,
}

impl Default for Nonces {
    fn default() -> Self {
        Self { key: ServerSecret::random(), began: Instant::now(), used: Mutex::default() }
    }
}

impl Nonces {
    pub(super) fn issue(&self, device: &str, now: Instant) -> String {
        let body = format!("{}.{}", now.duration_since(self.began).as_secs(), token::new());
        let mac = self.key.hmac_hex(&format!("{body}.{device}"));
        format!("{body}.{mac}")
    }

    pub(super) fn is_valid(&self, nonce: &str, device: &str, now: Instant) -> bool {
        let Some((body, mac)) = nonce.rsplit_once('.') else { return false };
        let is_sealed: bool = self.key.hmac_hex(&format!("{body}.{device}")).as_bytes().ct_eq(mac.as_bytes()).into();
        let issued = body.split('.').next().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        let age = issued.and_then(|issued| now.duration_since(self.began).checked_sub(issued));
        is_sealed && age.is_some_and(|age| age < NONCE_LIFE) && !self.used.lock().contains_key(nonce)
    }

    /// Returns false for a used nonce, or when no more can be remembered.
    pub(super) fn consume(&self, nonce: String, now: Instant) -> bool {
        let mut used = self.used.lock();
        if used.len() >= MAX_USED {
            used.retain(|_, at| now.duration_since(*at) < NONCE_LIFE);
        }
        used.len() < MAX_USED && used.insert(nonce, now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_good_once_in_its_time_and_in_its_browser() {
        let nonces = Nonces::default();
        let now = nonces.began + Duration::from_secs(10);
        let nonce = nonces.issue("here", now);
        assert!(nonces.is_valid(&nonce, "here", now));
        assert!(!nonces.is_valid(&nonce, "elsewhere", now));
        assert!(!nonces.is_valid(&nonce, "here", now + NONCE_LIFE + Duration::from_secs(1)));
        assert!(!Nonces::default().is_valid(&nonce, "here", now), "another process has another key");
        for forged in ["", "a", "a.b.c", &nonce.replace("10.", "11."), &nonce[..nonce.len() - 1]] {
            assert!(!nonces.is_valid(forged, "here", now), "{forged}");
        }
        assert!(nonces.consume(nonce.clone(), now));
        assert!(!nonces.is_valid(&nonce, "here", now));
        assert!(!nonces.consume(nonce, now), "of two at once only one passes");
    }
}
