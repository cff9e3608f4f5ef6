//! The token of a private event's calendar file, which a calendar fetches without a sign-in: `docs/behaviour/events.md`.
//!
//! It is an HMAC over the event and its join code, so a new join code revokes it. Only the host and the entrants get it, and it
//! only gives access to the file.

use subtle::ConstantTimeEq;
use uuid::Uuid;

use super::Accounts;

/// Characters of a token: 128 bits in hex.
const LENGTH: usize = 32;

impl Accounts {
    /// The token of an event with this join code.
    pub fn calendar_token(&self, event: Uuid, join_code: &str) -> String {
        let mut token = self.secret.hmac_hex(&format!("calendar of event {event} {join_code}"));
        token.truncate(LENGTH);
        token
    }

    /// Whether a text is that token.
    pub fn is_calendar_token(&self, event: Uuid, join_code: &str, text: &str) -> bool {
        self.calendar_token(event, join_code).as_bytes().ct_eq(text.as_bytes()).into()
    }
}
