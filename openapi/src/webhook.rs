//! Outgoing webhooks: which servers are notified of what happens here. `docs/behaviour/webhooks.md`.

use poem_openapi::{registry::Registry, types::Type};
use uuid::Uuid;

use crate::{Pagination, Timestamp};

/// The `type` of the message that an admin sends to try a webhook.
pub const TEST: &str = "webhook.test";

words! {
    /// The kinds of messages.
    pub enum WebhookKind {
        EventPublished = "event.published",
        EventStarted = "event.started",
        EventConcluded = "event.concluded",
        ReportOpened = "report.opened",
        BackupFailed = "backup.failed",
    }
}

words! {
    /// The state of a delivery.
    pub enum DeliveryState {
        /// It will be sent, or sent again, at `nextAt`.
        Waiting = "waiting",
        Delivered = "delivered",
        /// It was retried for a day without success.
        Failed = "failed",
        /// Too many were waiting, or the receiver is gone.
        Discarded = "discarded",
    }
}

request! {
    /// Makes a webhook: from now on, its receiver is notified of what happens. Its secret is shown only in the answer.
    pub struct CreateWebhook {
        /// Where messages are sent: https://, at a public address.
        pub url: String,
        /// The messages to send, at least one kind.
        pub kinds: Vec<WebhookKind>,
    }

    /// Deletes a webhook with its deliveries. Waiting ones are not sent.
    pub struct DeleteWebhook { pub webhook_id: Uuid }

    pub struct ListWebhooks {}

    /// The newest first.
    pub struct ListDeliveries {
        pub webhook_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Sends a finished delivery again, with the same id and body.
    pub struct ResendDelivery { pub webhook_id: Uuid, pub message_id: Uuid }

    /// Sends a message of the type `webhook.test`, without retries. One at a time.
    pub struct TestWebhook { pub webhook_id: Uuid }
}

answer! {
    pub struct Webhook {
        pub webhook_id: Uuid,
        pub url: String,
        pub kinds: Vec<WebhookKind>,
        pub created_at: Timestamp,
        /// When a message was last delivered.
        pub delivered_at: Option<Timestamp>,
        /// Since when deliveries have been failing; absent while they succeed.
        pub failing_since: Option<Timestamp>,
        /// Why it is disabled; absent if it is not.
        pub disabled_reason: Option<String>,
        /// Deliveries waiting to be sent, or sent again.
        pub waiting: u32,
    }

    pub struct WebhooksAnswer {
        /// The newest first.
        pub webhooks: Vec<Webhook>,
        /// The maximum number of webhooks.
        pub most: u32,
        /// False if this server sends nothing: in a drill, or because of its configuration.
        pub is_sending: bool,
    }

    pub struct CreateWebhookAnswer {
        /// The receiver checks signatures with it. It is shown only here.
        pub secret: String,
        pub webhook: Webhook,
    }

    pub struct WebhookDelivery {
        /// The same for every attempt; `webhook-id` is `msg_` followed by this without hyphens.
        pub message_id: Uuid,
        /// One of the webhook's kinds, or `webhook.test`.
        pub kind: String,
        pub happened_at: Timestamp,
        pub state: DeliveryState,
        /// Attempts since it was made, or sent again by hand.
        pub attempts: u32,
        /// When it is tried next; absent unless it is waiting.
        pub next_at: Option<Timestamp>,
        pub last_at: Option<Timestamp>,
        /// The status of the last answer.
        pub status: Option<u16>,
        /// The beginning of the last answer, if it was a refusal.
        pub answer: Option<String>,
        /// Why the last attempt failed.
        pub failure: Option<String>,
        /// The body of the message.
        pub payload: String,
    }

    pub struct WebhookDeliveriesAnswer {
        pub deliveries: Vec<WebhookDelivery>,
        pub pagination: Pagination,
    }

    pub struct WebhookDeliveryAnswer { pub delivery: WebhookDelivery }
}

answer! {
    /// The `data` of what webhooks are told of an event.
    pub struct WebhookEventData {
        pub event_id: Uuid,
        pub title: String,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
    }

    /// The `data` of what webhooks are told of an event whose winners are final.
    pub struct WebhookConclusionData {
        pub event_id: Uuid,
        pub title: String,
        pub start_time: Option<Timestamp>,
        pub end_time: Option<Timestamp>,
        /// The best first.
        pub winners: Vec<WebhookWinner>,
    }

    pub struct WebhookWinner {
        pub user_id: Uuid,
        pub username: String,
        pub level: u32,
        pub wins: u32,
    }

    /// The `data` of what webhooks are told of a report: ids only.
    pub struct WebhookReportData {
        pub report_id: Uuid,
        /// Who is reported.
        pub subject_id: Uuid,
        pub game_id: Option<Uuid>,
    }

    /// The `data` of what webhooks are told of backups that fail.
    pub struct WebhookBackupData { pub failing_since: Timestamp }

    /// The `data` of a test.
    pub struct WebhookTestData {}
}

/// A message: the body of a request to a receiver.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct WebhookMessage<D> {
    /// One of the kinds, or [`TEST`].
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When it happened, exact to the second.
    pub timestamp: Timestamp,
    pub data: D,
}

/// What the document says of the messages of a kind.
pub struct MessageSpec {
    pub kind: &'static str,
    pub when: &'static str,
    /// The schema of `data`.
    pub data: String,
}

/// Every message that a receiver may get.
pub fn messages() -> Vec<MessageSpec> {
    let of_kind = |kind: &WebhookKind| {
        let (when, data) = match kind {
            WebhookKind::EventPublished => ("A draft is published", WebhookEventData::name()),
            WebhookKind::EventStarted => ("An event starts", WebhookEventData::name()),
            WebhookKind::EventConcluded => ("The winners of an event are final", WebhookConclusionData::name()),
            WebhookKind::ReportOpened => ("A player reports another one", WebhookReportData::name()),
            WebhookKind::BackupFailed => ("Backups start to fail", WebhookBackupData::name()),
        };
        MessageSpec { kind: kind.as_str(), when, data: data.into_owned() }
    };
    let test =
        MessageSpec { kind: TEST, when: "An admin tests the webhook", data: WebhookTestData::name().into_owned() };
    WebhookKind::ALL.iter().map(of_kind).chain([test]).collect()
}

/// Adds the schemas of the messages' `data`.
pub fn register(registry: &mut Registry) {
    WebhookEventData::register(registry);
    WebhookConclusionData::register(registry);
    WebhookReportData::register(registry);
    WebhookBackupData::register(registry);
    WebhookTestData::register(registry);
}
