//! Settings of notifications, between the wire and the store.

use morpion_openapi::notifications as wire;
use morpion_store::{MailSettings, PushSettings, PushSubscriptionRow};
use uuid::Uuid;

pub fn push(settings: PushSettings) -> wire::PushSettings {
    let PushSettings { invitation, answer, turn, paired, event } = settings;
    wire::PushSettings { invitation, answer, turn, paired, event }
}

pub fn stored_push(settings: wire::PushSettings) -> PushSettings {
    let wire::PushSettings { invitation, answer, turn, paired, event } = settings;
    PushSettings { invitation, answer, turn, paired, event }
}

pub fn mail(settings: MailSettings) -> wire::MailSettings {
    let MailSettings { event, payment } = settings;
    wire::MailSettings { event, payment }
}

pub fn stored_mail(settings: wire::MailSettings) -> MailSettings {
    let wire::MailSettings { event, payment } = settings;
    MailSettings { event, payment }
}

/// Without the endpoint, which is a secret between the push service and the server.
pub fn subscription(row: &PushSubscriptionRow, current: Uuid) -> wire::PushSubscription {
    wire::PushSubscription {
        subscription_id: row.id,
        device: row.device.clone(),
        is_current: row.session_id == current,
        created_at: row.created_at.into(),
        last_used_at: row.used_at.into(),
    }
}
