//! What receivers are told, and how it is signed: Standard Webhooks (<https://www.standardwebhooks.com>).

use base64::{Engine, prelude::BASE64_STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use hmac::{Hmac, Mac};
pub use morpion_openapi::webhook::WebhookKind;
use morpion_store::{EventRow, HookEvent, ReportRow};
use serde_json::{Value, json};
use sha2::Sha256;
use uuid::Uuid;

/// The kind of the message that an admin sends to try a webhook.
pub const TEST: &str = "webhook.test";

/// What the text of a secret begins with.
pub const SECRET_PREFIX: &str = "whsec_";

/// Something of an event that is public.
pub fn of_event(kind: WebhookKind, row: &EventRow, at: DateTime<Utc>) -> HookEvent {
    let mut data = json!({
        "eventId": row.id,
        "title": row.title,
        "startTime": row.start_time.map(text),
        "endTime": row.end_time.map(text),
    });
    if kind == WebhookKind::EventConcluded {
        let winners = row.winners.iter();
        let winner = |winner: &morpion_store::WinnerRow| {
            json!({
                "userId": winner.user_id, "username": winner.username, "level": winner.level, "wins": winner.wins,
            })
        };
        data["winners"] = winners.map(winner).collect();
    }
    message(kind.as_str(), Uuid::new_v4(), at, data)
}

/// A report, in ids alone: what it says is for admins.
pub fn of_report(row: &ReportRow) -> HookEvent {
    let data = json!({ "reportId": row.id, "subjectId": row.subject, "gameId": row.game });
    message(WebhookKind::ReportOpened.as_str(), row.id, row.at, data)
}

/// Backups have begun to fail.
pub fn of_backup_failure(at: DateTime<Utc>) -> HookEvent {
    message(WebhookKind::BackupFailed.as_str(), Uuid::new_v4(), at, json!({ "failingSince": text(at) }))
}

/// An admin tries whether a receiver takes what it is sent.
pub fn test(at: DateTime<Utc>) -> HookEvent {
    message(TEST, Uuid::new_v4(), at, json!({}))
}

fn message(kind: &str, id: Uuid, at: DateTime<Utc>, mut data: Value) -> HookEvent {
    // What is not known is left out, as everywhere in the contract.
    if let Some(fields) = data.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    let payload = json!({ "type": kind, "timestamp": text(at), "data": data }).to_string();
    HookEvent { id, kind: kind.to_owned(), at, payload }
}

fn text(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
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
        let expected = r#"{"data":{"failingSince":"2026-11-27T17:20:00Z"},"timestamp":"2026-11-27T17:20:00Z","type":"backup.failed"}"#;
        let (told, expected): (Value, Value) =
            (serde_json::from_str(&told.payload).unwrap(), serde_json::from_str(expected).unwrap());
        assert_eq!(told, expected);
        let empty = message("a", Uuid::nil(), at, json!({ "b": null }));
        assert!(empty.payload.contains("\"data\":{}"), "{}", empty.payload);
    }
}
