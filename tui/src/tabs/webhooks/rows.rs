//! Webhooks and deliveries as rows of tables.

use std::cmp::Ordering;

use morpion_openapi::webhook::{DeliveryState, Webhook, WebhookDelivery};
use morpion_shell::webhook;
use uuid::Uuid;

use crate::list::Row;

impl Row for Webhook {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["Made", "Address", "State", "Waiting"];

    fn key(&self) -> Uuid {
        self.webhook_id
    }

    fn words(&self) -> String {
        format!("{} {} {} {}", self.url, kinds(self), webhook::state(self), self.webhook_id).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        // What needs a look comes first.
        let trouble = |hook: &Self| (hook.disabled_reason.is_none(), hook.failing_since.is_none());
        match sort {
            0 => Ordering::Equal,
            1 => self.url.cmp(&other.url),
            2 => trouble(self).cmp(&trouble(other)),
            _ => other.waiting.cmp(&self.waiting),
        }
        .then_with(|| other.created_at.cmp(&self.created_at))
        .then_with(|| self.webhook_id.cmp(&other.webhook_id))
    }
}

impl Row for WebhookDelivery {
    type Key = Uuid;
    const SORTS: &'static [&'static str] = &["When", "What", "State", "Tries"];

    fn key(&self) -> Uuid {
        self.message_id
    }

    fn words(&self) -> String {
        format!("{} {} {} {}", self.kind, self.state, webhook::answer(self), self.message_id).to_lowercase()
    }

    fn compare(&self, other: &Self, sort: usize) -> Ordering {
        let rank = |state: DeliveryState| match state {
            DeliveryState::Waiting => 0,
            DeliveryState::Failed => 1,
            DeliveryState::Discarded => 2,
            DeliveryState::Delivered => 3,
        };
        match sort {
            0 => Ordering::Equal,
            1 => self.kind.cmp(&other.kind),
            2 => rank(self.state).cmp(&rank(other.state)),
            _ => other.attempts.cmp(&self.attempts),
        }
        .then_with(|| other.happened_at.cmp(&self.happened_at))
        .then_with(|| self.message_id.cmp(&other.message_id))
    }
}

/// What a webhook is told of.
pub fn kinds(hook: &Webhook) -> String {
    hook.kinds.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" ")
}
