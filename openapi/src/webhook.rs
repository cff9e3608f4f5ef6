//! Outgoing webhooks: which servers are notified of what happens here. `docs/behaviour/webhooks.md`.

use uuid::Uuid;

use crate::{Pagination, Timestamp};

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
