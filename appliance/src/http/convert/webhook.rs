//! Webhooks and their deliveries as wire types.

use morpion_openapi::webhook::{self as wire, WebhookKind};
use morpion_store::{DeliveryState, HookDelivery};

use crate::webhooks::Listed;

pub fn webhook(Listed { hook, waiting }: Listed) -> wire::Webhook {
    wire::Webhook {
        webhook_id: hook.id,
        url: hook.url,
        kinds: WebhookKind::ALL
            .iter()
            .copied()
            .filter(|kind| hook.kinds.iter().any(|own| own == kind.as_str()))
            .collect(),
        created_at: hook.created_at.into(),
        delivered_at: hook.delivered_at.map(Into::into),
        failing_since: hook.failing_since.map(Into::into),
        disabled_reason: hook.disabled_why,
        waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
    }
}

pub fn delivery(delivery: HookDelivery) -> wire::WebhookDelivery {
    let is_waiting = delivery.state == DeliveryState::Waiting;
    wire::WebhookDelivery {
        message_id: delivery.event.id,
        kind: delivery.event.kind,
        happened_at: delivery.event.at.into(),
        state: match delivery.state {
            DeliveryState::Waiting => wire::DeliveryState::Waiting,
            DeliveryState::Delivered => wire::DeliveryState::Delivered,
            DeliveryState::Failed => wire::DeliveryState::Failed,
            DeliveryState::Discarded => wire::DeliveryState::Discarded,
        },
        attempts: u32::try_from(delivery.attempts).unwrap_or_default(),
        next_at: is_waiting.then(|| delivery.due_at.into()),
        last_at: delivery.last_at.map(Into::into),
        status: delivery.status.and_then(|status| u16::try_from(status).ok()),
        answer: delivery.answer,
        failure: delivery.failure,
        payload: delivery.event.payload,
    }
}
