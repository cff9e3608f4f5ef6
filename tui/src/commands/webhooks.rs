//! The commands for webhooks.

use std::process::ExitCode;

use morpion_openapi::{
    Timestamp,
    webhook::{
        CreateWebhook, DeleteWebhook, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook, WebhookDelivery,
        WebhookKind,
    },
};
use morpion_shell::{
    command_error::CommandError,
    output::{Format, json_line, print_synced},
    webhook,
};
use uuid::Uuid;

use super::print::TextTable;
use crate::{
    args::{TheWebhook, Webhooks},
    script::{Outcome, Script},
};

impl Script {
    pub(super) async fn webhooks(&self, command: &Webhooks) -> Outcome {
        match command {
            Webhooks::List => {
                let answer = self.api.ask(&ListWebhooks {}).await?;
                self.list(&answer.webhooks, None, |webhooks| {
                    let mut table = TextTable::new(&["ID", "STATE", "WAITING", "LAST DELIVERED", "KINDS", "ADDRESS"]);
                    for hook in webhooks {
                        let (id, waiting) = (hook.webhook_id.to_string(), hook.waiting.to_string());
                        let kinds: Vec<_> = hook.kinds.iter().map(|kind| kind.as_str()).collect();
                        let (state, taken) = (webhook::state(hook), moment(hook.delivered_at));
                        table.row(&[&id, &state, &waiting, &taken, &kinds.join(" "), &hook.url]);
                    }
                    table.text()
                })
            }
            Webhooks::Create { url, kinds } => {
                let kinds = if kinds.is_empty() { WebhookKind::ALL.to_vec() } else { kinds.clone() };
                self.create_webhook(CreateWebhook { url: url.clone(), kinds }).await
            }
            Webhooks::Deliveries { hook, page } => {
                let webhook_id = self.webhook(hook).await?;
                let call = ListDeliveries { webhook_id, page: Some(page.page), limit: Some(page.limit) };
                let answer = self.api.ask(&call).await?;
                self.list(&answer.deliveries, Some(&answer.pagination), deliveries)
            }
            Webhooks::Resend { hook, message } => {
                let call = ResendDelivery { webhook_id: self.webhook(hook).await?, message_id: *message };
                self.show(call, |_| "It will be sent again.\n".to_owned()).await
            }
            Webhooks::Test { hook } => {
                let call = TestWebhook { webhook_id: self.webhook(hook).await? };
                self.show(call, |_| {
                    "A test is on its way; `morpion-tui webhooks deliveries` shows the outcome.\n".to_owned()
                })
                .await
            }
            Webhooks::Delete { hook } => {
                let call = DeleteWebhook { webhook_id: self.webhook(hook).await? };
                self.show(call, |_| "The webhook was deleted.\n".to_owned()).await
            }
        }
    }

    async fn webhook(&self, TheWebhook { webhook }: &TheWebhook) -> Result<Uuid, CommandError> {
        webhook::named(&self.api.ask(&ListWebhooks {}).await?.webhooks, webhook)
    }

    /// A webhook whose secret could not be printed is useless, so it is deleted again.
    async fn create_webhook(&self, wanted: CreateWebhook) -> Outcome {
        let answer = self.api.ask(&wanted).await?;
        let text = match self.format {
            Format::Json => json_line(&answer),
            Format::Text => format!("{}\n", answer.secret),
        };
        let Err(unwritten) = print_synced(&text) else { return Ok(ExitCode::SUCCESS) };
        let webhook_id = answer.webhook.webhook_id;
        let deleted = self.api.ask(&DeleteWebhook { webhook_id }).await;
        let command = format!("morpion-tui webhooks delete {webhook_id}");
        Err(webhook::lost(unwritten, deleted.map(drop).map_err(|why| why.text), &command))
    }
}

fn moment(at: Option<Timestamp>) -> String {
    at.map_or("never".to_owned(), |at| at.to_string())
}

fn deliveries(deliveries: &[WebhookDelivery]) -> String {
    let mut table = TextTable::new(&["ID", "WHAT", "WHEN", "STATE", "TRIES", "NEXT", "LAST ANSWER"]);
    for delivery in deliveries {
        let (id, at) = (delivery.message_id.to_string(), delivery.happened_at.to_string());
        let next = delivery.next_at.map(|at| at.to_string()).unwrap_or_default();
        let (state, tries) = (delivery.state.as_str(), delivery.attempts.to_string());
        table.row(&[&id, &delivery.kind, &at, state, &tries, &next, &webhook::answer(delivery)]);
    }
    table.text()
}
