//! Links that end letters of a kind with one press, without signing in (RFC 8058).
//!
//! The token in a link is the proof: an HMAC over the account, the kind and the last day of the link. It is in a mailbox for
//! years and passes through other hands (forwarded letters, mail scanners), so it can do nothing else.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// Where links lead. It is below `/api`, since the service worker answers everything else with the app.
pub const PATH: &str = "/api/unsubscribe";

/// A letter is read late, but not after years.
const VALID_FOR: TimeDelta = TimeDelta::days(365);

/// Distinguishes these tokens from any others that a key may make one day.
const VERSION: u8 = 1;

/// The version, the kind, the account, and the end in seconds of Unix time.
const CONTENT: usize = 1 + 1 + 16 + 8;

/// Bytes of the HMAC.
const MAC: usize = 32;

/// Letters that can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterKind {
    /// Reminders of events.
    Event,
    /// Receipts, and when Pro ends.
    Payment,
}

impl LetterKind {
    const ALL: [Self; 2] = [Self::Event, Self::Payment];

    fn number(self) -> u8 {
        match self {
            Self::Event => 1,
            Self::Payment => 2,
        }
    }
}

/// Makes and checks the tokens.
#[derive(Clone)]
pub struct UnsubscribeKey([u8; 32]);

impl std::fmt::Debug for UnsubscribeKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("UnsubscribeKey(hidden)")
    }
}

impl UnsubscribeKey {
    pub fn new(key: [u8; 32]) -> Self {
        Self(key)
    }

    /// The path of a link.
    pub fn link(&self, user: Uuid, kind: LetterKind, now: DateTime<Utc>) -> String {
        let mut token = vec![VERSION, kind.number()];
        token.extend(user.as_bytes());
        token.extend((now + VALID_FOR).timestamp().to_be_bytes());
        token.extend(self.mac(&token).finalize().into_bytes());
        format!("{PATH}?token={}", URL_SAFE_NO_PAD.encode(token))
    }

    /// Whose letters of which kind a token ends; `None` for one that was not made here, or is too old. Compares in constant
    /// time.
    pub fn open(&self, token: &str, now: DateTime<Utc>) -> Option<(Uuid, LetterKind)> {
        let token = URL_SAFE_NO_PAD.decode(token).ok().filter(|token| token.len() == CONTENT + MAC)?;
        let (content, mac) = token.split_at(CONTENT);
        self.mac(content).verify_slice(mac).ok()?;
        let kind = LetterKind::ALL.into_iter().find(|kind| kind.number() == content[1])?;
        let until = i64::from_be_bytes(content[18..].try_into().ok()?);
        let is_valid = content[0] == VERSION && now.timestamp() < until;
        is_valid.then_some((Uuid::from_slice(&content[2..18]).ok()?, kind))
    }

    fn mac(&self, content: &[u8]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("any length of key will do");
        mac.update(content);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token_of(link: &str) -> String {
        link.strip_prefix("/api/unsubscribe?token=").unwrap().to_owned()
    }

    #[test]
    fn a_token_is_good_for_a_year_for_its_account_and_kind_only() {
        let (key, user, now) = (UnsubscribeKey::new([7; 32]), Uuid::new_v4(), Utc::now());
        for kind in LetterKind::ALL {
            let token = token_of(&key.link(user, kind, now));
            assert_eq!(key.open(&token, now), Some((user, kind)));
            assert_eq!(key.open(&token, now + TimeDelta::days(364)), Some((user, kind)));
            assert_eq!(key.open(&token, now + TimeDelta::days(365)), None);
            assert_eq!(UnsubscribeKey::new([8; 32]).open(&token, now), None);
        }
    }

    #[test]
    fn whatever_is_changed_in_a_token_makes_it_worthless() {
        let (key, now) = (UnsubscribeKey::new([7; 32]), Utc::now());
        let token = URL_SAFE_NO_PAD.decode(token_of(&key.link(Uuid::new_v4(), LetterKind::Event, now))).unwrap();
        for at in 0..token.len() {
            let mut changed = token.clone();
            changed[at] ^= 1;
            assert_eq!(key.open(&URL_SAFE_NO_PAD.encode(&changed), now), None, "byte {at}");
        }
        let (shorter, longer) = (&token[1..], [token.as_slice(), &[0]].concat());
        let made_up = [[1_u8; CONTENT].as_slice(), &[0; MAC]].concat();
        for hostile in [shorter, &longer, &made_up, &[], &[0; 4_096]] {
            assert_eq!(key.open(&URL_SAFE_NO_PAD.encode(hostile), now), None);
        }
        for text in ["", "=", "not base64!", "../../etc/passwd", &"A".repeat(100_000)] {
            assert_eq!(key.open(text, now), None);
        }
    }
}
