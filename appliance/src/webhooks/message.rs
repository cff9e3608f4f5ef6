//! What receivers are told, and how it is signed: Standard Webhooks (<https://www.standardwebhooks.com>).

use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::{DateTime, SubsecRound, Utc};
use hmac::{Hmac, Mac};
pub use morpion_openapi::webhook::{TEST, WebhookKind};
use morpion_openapi::{
    Timestamp,
    webhook::{
        WebhookBackupData, WebhookConclusionData, WebhookEventData, WebhookMessage, WebhookReportData, WebhookTestData,
        WebhookWinner,
    },
};
use morpion_store::{EventRow, HookEvent, ReportRow, WinnerRow};
use serde::Serialize;
use sha2::Sha256;
use uuid::Uuid;

/// What the text of a secret begins with.
pub const SECRET_PREFIX: &str = "whsec_";

/// Something of an event that is public.
pub fn of_event(kind: WebhookKind, row: &EventRow, at: DateTime<Utc>) -> HookEvent {
    let (event_id, title) = (row.id, row.title.clone());
    let (start_time, end_time) = (row.start_time.map(to_the_second), row.end_time.map(to_the_second));
    if kind == WebhookKind::EventConcluded {
        let winners = row.winners.iter().map(winner).collect();
        let data = WebhookConclusionData { event_id, title, start_time, end_time, winners };
        return message(kind.as_str(), Uuid::new_v4(), at, data);
    }
    message(kind.as_str(), Uuid::new_v4(), at, WebhookEventData { event_id, title, start_time, end_time })
}

fn winner(WinnerRow { user_id, username, level, wins }: &WinnerRow) -> WebhookWinner {
    let [level, wins] = [level, wins].map(|figure| u32::try_from(*figure).unwrap_or_default());
    WebhookWinner { user_id: *user_id, username: username.clone(), level, wins }
}

/// A report, in ids alone: what it says is for admins.
pub fn of_report(row: &ReportRow) -> HookEvent {
    let data = WebhookReportData { report_id: row.id, subject_id: row.subject, game_id: row.game };
    message(WebhookKind::ReportOpened.as_str(), row.id, row.at, data)
}

/// Backups have begun to fail.
pub fn of_backup_failure(at: DateTime<Utc>) -> HookEvent {
    let data = WebhookBackupData { failing_since: to_the_second(at) };
    message(WebhookKind::BackupFailed.as_str(), Uuid::new_v4(), at, data)
}

/// An admin tries whether a receiver takes what it is sent.
pub fn test(at: DateTime<Utc>) -> HookEvent {
    message(TEST, Uuid::new_v4(), at, WebhookTestData {})
}

fn message<D: Serialize>(kind: &'static str, id: Uuid, at: DateTime<Utc>, data: D) -> HookEvent {
    let message = WebhookMessage { kind, timestamp: to_the_second(at), data };
    let payload = serde_json::to_string(&message).expect("a message is plain data");
    HookEvent { id, kind: kind.to_owned(), at, payload }
}

fn to_the_second(at: DateTime<Utc>) -> Timestamp {
    at.trunc_subsecs(0).into()
}

/// The value of `webhook-id`.
pub fn header_id(id: Uuid) -> String {
    format!("msg_{}", id.simple())
}

/// The value of `webhook-signature`; `timestamp` is that of `webhook-timestamp`, in seconds of Unix time.
pub fn signature(secret: &[u8], id: &str, timestamp: i64, payload: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("any length of key will do");
    mac.update(format!("{id}.{timestamp}.{payload}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

/// A secret as its receiver gets it.
pub fn secret_text(secret: &[u8]) -> String {
    format!("{SECRET_PREFIX}{}", BASE64_STANDARD.encode(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the libraries of Standard Webhooks.
    #[test]
    fn a_signature_is_as_standard_webhooks_has_it() {
        let secret = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = signature(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        assert_eq!(secret_text(&secret), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assert_eq!(header_id(Uuid::nil()), "msg_00000000000000000000000000000000");
    }

    #[test]
    fn a_message_leaves_out_what_is_not_known() {
        let at = DateTime::from_timestamp(1_795_800_000, 5_000_000).unwrap();
        let told = of_backup_failure(at);
        let expected = r#"{"type":"backup.failed","timestamp":"2026-11-27T17:20:00Z","data":{"failingSince":"2026-11-27T17:20:00Z"}}"#;
        assert_eq!(told.payload, expected);
        let data = WebhookReportData { report_id: Uuid::nil(), subject_id: Uuid::nil(), game_id: None };
        let told = message(WebhookKind::ReportOpened.as_str(), Uuid::nil(), at, data);
        assert!(!told.payload.contains("gameId") && !told.payload.contains("null"), "{}", told.payload);
        assert!(test(at).payload.ends_with("\"data\":{}}"), "{}", test(at).payload);
    }
}
