//! The part of the action resource `admin` that is about webhooks out.

use morpion_openapi::{
    Acknowledgement, PageRequest,
    webhook::{
        CreateWebhook, CreateWebhookAnswer, DeleteWebhook, ListDeliveries, ResendDelivery, TestWebhook,
        WebhookDeliveriesAnswer, WebhookDeliveryAnswer, WebhooksAnswer,
    },
};
use morpion_store::AuditEntry;
use serde_json::Value;
use uuid::Uuid;

use super::{
    ApiError,
    admin::{AdminResource, PAGE},
    convert::webhook as convert,
};
use crate::{
    caller::Call,
    webhooks::{Listed, MAX_WEBHOOKS},
};

impl AdminResource {
    pub(super) async fn list_webhooks(&self) -> Result<WebhooksAnswer, ApiError> {
        let webhooks = &self.0.webhooks;
        Ok(WebhooksAnswer {
            webhooks: webhooks.list().await?.into_iter().map(convert::webhook).collect(),
            most: MAX_WEBHOOKS as u32,
            is_sending: webhooks.is_sending(),
        })
    }

    pub(super) async fn list_deliveries(&self, payload: ListDeliveries) -> Result<WebhookDeliveriesAnswer, ApiError> {
        let page = PageRequest::new(payload.page, payload.limit, PAGE);
        let limit = page.limit as usize;
        let (found, total) = self.0.webhooks.deliveries(payload.webhook_id, page.offset(), limit).await?;
        Ok(WebhookDeliveriesAnswer {
            deliveries: found.into_iter().map(convert::delivery).collect(),
            pagination: page.pagination(total),
        })
    }

    pub(super) async fn create_webhook(
        &self,
        call: &Call,
        payload: CreateWebhook,
    ) -> Result<CreateWebhookAnswer, ApiError> {
        self.0.accounts.require_proof(call).await?;
        let CreateWebhook { url, kinds } = payload;
        // Its id is the subject once it has one.
        let entry = self.entry(call, "create_webhook", Uuid::nil());
        let (secret, hook) = self.0.webhooks.create(&url, &kinds, entry).await?;
        Ok(CreateWebhookAnswer { secret, webhook: convert::webhook(Listed { hook, waiting: 0 }) })
    }

    pub(super) async fn delete_webhook(
        &self,
        call: &Call,
        DeleteWebhook { webhook_id }: DeleteWebhook,
    ) -> Result<Acknowledgement, ApiError> {
        self.0.webhooks.delete(webhook_id, self.entry(call, "delete_webhook", webhook_id)).await?;
        Ok(Acknowledgement {})
    }

    pub(super) async fn resend_delivery(
        &self,
        call: &Call,
        ResendDelivery { webhook_id, message_id }: ResendDelivery,
    ) -> Result<WebhookDeliveryAnswer, ApiError> {
        let entry = self.entry(call, "resend_delivery", webhook_id);
        let delivery = self.0.webhooks.resend(webhook_id, message_id, entry).await?;
        Ok(WebhookDeliveryAnswer { delivery: convert::delivery(delivery) })
    }

    pub(super) async fn test_webhook(
        &self,
        call: &Call,
        TestWebhook { webhook_id }: TestWebhook,
    ) -> Result<Acknowledgement, ApiError> {
        self.0.webhooks.test(webhook_id, self.entry(call, "test_webhook", webhook_id)).await?;
        Ok(Acknowledgement {})
    }

    fn entry(&self, call: &Call, action: &str, webhook: Uuid) -> AuditEntry {
        self.0.accounts.audit_entry(call, action, &webhook.to_string(), Value::Null)
    }
}
