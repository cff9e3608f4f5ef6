//! Webhooks out: who is told by HTTP of what happens here. `docs/behaviour/webhooks.md`.

use uuid::Uuid;

use crate::{Pagination, Timestamp};

words! {
    /// What a webhook is told of.
    pub enum WebhookKind {
        EventPublished = "event.published",
        EventStarted = "event.started",
        EventConcluded = "event.concluded",
        ReportOpened = "report.opened",
        BackupFailed = "backup.failed",
    }
}

words! {
    /// How far a delivery is.
    pub enum DeliveryState {
        /// It is sent, or sent again, at `nextAt`.
        Waiting = "waiting",
        Delivered = "delivered",
        /// It was tried for a day.
        Failed = "failed",
        /// Too many were waiting, or the receiver is gone.
        Discarded = "discarded",
    }
}

request! {
    /// Makes a webhook: from now on its receiver is told of what happens. Its secret is shown this once.
    pub struct CreateWebhook {
        /// Where it is told: https://, at a public address.
        pub url: String,
        /// What it is told of, at least one.
        pub kinds: Vec<WebhookKind>,
    }

    /// Removes a webhook with its deliveries. What waits is not sent.
    pub struct DeleteWebhook { pub webhook_id: Uuid }

    pub struct ListWebhooks {}

    /// The newest first.
    pub struct ListDeliveries {
        pub webhook_id: Uuid,
        pub page: Option<u32>,
        pub limit: Option<u32>,
    }

    /// Sends again what is over, with the same id and body.
    pub struct ResendDelivery { pub webhook_id: Uuid, pub message_id: Uuid }

    /// Sends a message of the type `webhook.test`, once. One at a time.
    pub struct TestWebhook { pub webhook_id: Uuid }
}

answer! {
    pub struct Webhook {
        pub webhook_id: Uuid,
        pub url: String,
        pub kinds: Vec<WebhookKind>,
        pub created_at: Timestamp,
        /// When it last took something.
        pub delivered_at: Option<Timestamp>,
        /// Since when it takes nothing; absent while it does.
        pub failing_since: Option<Timestamp>,
        /// Why nothing more is sent to it.
        pub disabled_reason: Option<String>,
        /// Deliveries that wait to be sent, or sent again.
        pub waiting: u32,
    }

    pub struct WebhooksAnswer {
        /// The newest first.
        pub webhooks: Vec<Webhook>,
        /// How many there may be.
        pub most: u32,
        /// False where this server sends nothing: in a drill, or by its configuration.
        pub is_sending: bool,
    }

    pub struct CreateWebhookAnswer {
        /// With which the receiver checks signatures. Shown this once.
        pub secret: String,
        pub webhook: Webhook,
    }

    pub struct WebhookDelivery {
        /// The same however often it is sent; `webhook-id` is `msg_` and this without hyphens.
        pub message_id: Uuid,
        /// One of the webhook's kinds, or `webhook.test`.
        pub kind: String,
        pub happened_at: Timestamp,
        pub state: DeliveryState,
        /// Since it was made, or sent again.
        pub attempts: u32,
        /// While it waits.
        pub next_at: Option<Timestamp>,
        pub last_at: Option<Timestamp>,
        /// The status of the last answer.
        pub status: Option<u16>,
        /// The beginning of the last answer, if it was a refusal.
        pub answer: Option<String>,
        /// Why the last attempt failed.
        pub failure: Option<String>,
        /// What is sent.
        pub payload: String,
    }

    pub struct WebhookDeliveriesAnswer {
        pub deliveries: Vec<WebhookDelivery>,
        pub pagination: Pagination,
    }

    pub struct WebhookDeliveryAnswer { pub delivery: WebhookDelivery }
}
