//! `morpion webhook create|list|deliveries|resend|test|delete`.

use clap::Subcommand;
use clap_complete::engine::ArgValueCompleter;
use morpion_openapi::{
    Acknowledgement, Timestamp,
    webhook::{
        CreateWebhook, CreateWebhookAnswer, DeleteWebhook, ListDeliveries, ListWebhooks, ResendDelivery, TestWebhook,
        Webhook, WebhookDeliveriesAnswer, WebhookDelivery, WebhookDeliveryAnswer, WebhookKind, WebhooksAnswer,
    },
};
use morpion_shell::{
    escape,
    output::{Format, json_line, print_synced},
    webhook,
};
use serde_json::json;
use uuid::Uuid;

use super::{api::Api, complete};
use crate::config::Config;

#[derive(Debug, Subcommand)]
#[command(after_help = EXAMPLES)]
pub enum WebhookCommand {
    /// Make a webhook and print its secret; it is shown only once
    Create {
        /// Where messages are sent: https://, at a public address
        url: String,
        /// The messages to send; all of them unless some are named
        #[arg(long = "of", value_parser = webhook::kinds())]
        kinds: Vec<WebhookKind>,
    },
    /// List webhooks and their state
    List,
    /// List the deliveries to a webhook and their outcome
    Deliveries {
        /// Its id, or the beginning of it
        #[arg(add = ArgValueCompleter::new(complete::webhooks))]
        webhook: String,
        #[arg(long, default_value_t = 1)]
        page: u32,
    },
    /// Send a finished delivery again, with the same id
    Resend {
        #[arg(add = ArgValueCompleter::new(complete::webhooks))]
        webhook: String,
        /// The message's id, from the list of deliveries
        message: Uuid,
    },
    /// Send a test message, once
    Test {
        #[arg(add = ArgValueCompleter::new(complete::webhooks))]
        webhook: String,
    },
    /// Delete a webhook; waiting deliveries are not sent
    Delete {
        #[arg(add = ArgValueCompleter::new(complete::webhooks))]
        webhook: String,
    },
}

const EXAMPLES: &str = "\
Examples:
  morpion webhook create https://club.example.org/morpion --of event.concluded > ~/.morpion-webhook
  morpion webhook deliveries 4f2c";

/// # Errors
/// The server's refusal, in its words.
pub async fn run(command: WebhookCommand, config: Config, format: Format) -> anyhow::Result<()> {
    Api::with(config, async |api| send(command, api, format).await).await
}

async fn send(command: WebhookCommand, api: &Api, format: Format) -> anyhow::Result<()> {
    match command {
        WebhookCommand::Create { url, kinds } => {
            let kinds = if kinds.is_empty() { WebhookKind::ALL.to_vec() } else { kinds };
            let answer: CreateWebhookAnswer = api.write("create_webhook", CreateWebhook { url, kinds }).await?;
            let text = match format {
                Format::Json => json_line(&answer),
                Format::Text => format!("{}\n", answer.secret),
            };
            let Err(unwritten) = print_synced(&text) else { return Ok(()) };
            // Without its secret a webhook is useless.
            let webhook_id = answer.webhook.webhook_id;
            let deleted = api.write::<Acknowledgement>("delete_webhook", DeleteWebhook { webhook_id }).await;
            let deleted = deleted.map(drop).map_err(|why| format!("{why:#}"));
            Err(webhook::lost(unwritten, deleted, &format!("morpion webhook delete {webhook_id}")).into())
        }
        WebhookCommand::List => Ok(format.print_rows(&listed(api).await?, table)?),
        WebhookCommand::Deliveries { webhook, page } => {
            let webhook_id = named(api, &webhook).await?;
            let payload = ListDeliveries { webhook_id, page: Some(page), limit: None };
            let answer: WebhookDeliveriesAnswer = api.read("list_deliveries", payload).await?;
            Ok(format.print_rows(&answer.deliveries, deliveries)?)
        }
        WebhookCommand::Resend { webhook, message } => {
            let payload = ResendDelivery { webhook_id: named(api, &webhook).await?, message_id: message };
            let answer: WebhookDeliveryAnswer = api.write("resend_delivery", payload).await?;
            Ok(format.print(&answer, |_| "It will be sent again.\n".to_owned())?)
        }
        WebhookCommand::Test { webhook } => {
            let webhook_id = named(api, &webhook).await?;
            api.write::<Acknowledgement>("test_webhook", TestWebhook { webhook_id }).await?;
            let text = "A test is on its way; `morpion webhook deliveries` shows the outcome.\n";
            Ok(format.print(&json!({ "webhookId": webhook_id }), |_| text.to_owned())?)
        }
        WebhookCommand::Delete { webhook } => {
            let webhook_id = named(api, &webhook).await?;
            api.write::<Acknowledgement>("delete_webhook", DeleteWebhook { webhook_id }).await?;
            Ok(format.print(&json!({ "webhookId": webhook_id }), |_| "The webhook was deleted.\n".to_owned())?)
        }
    }
}

/// # Errors
/// The server's refusal, in its words.
pub(super) async fn listed(api: &Api) -> anyhow::Result<Vec<Webhook>> {
    let answer: WebhooksAnswer = api.read("list_webhooks", ListWebhooks {}).await?;
    Ok(answer.webhooks)
}

async fn named(api: &Api, typed: &str) -> anyhow::Result<Uuid> {
    Ok(webhook::named(&listed(api).await?, typed)?)
}

fn time(time: Option<Timestamp>) -> String {
    time.map_or_else(|| "never".to_owned(), |time| time.utc().format("%Y-%m-%d %H:%M").to_string())
}

fn table(webhooks: &[Webhook]) -> String {
    let mut text = format!("{:<36}  {:>7}  {:<16}  {:<40}  URL\n", "ID", "WAITING", "LAST DELIVERED", "STATE");
    for hook in webhooks {
        let (id, waiting, taken) = (hook.webhook_id, hook.waiting, time(hook.delivered_at));
        let (state, url) = (webhook::state(hook), escape::line(&hook.url));
        text.push_str(&format!("{id:<36}  {waiting:>7}  {taken:<16}  {:<40}  {url}\n", escape::line(&state)));
    }
    text
}

fn deliveries(deliveries: &[WebhookDelivery]) -> String {
    let mut text =
        format!("{:<36}  {:<16}  {:<16}  {:<10}  {:>5}  LAST ANSWER\n", "ID", "WHAT", "WHEN", "STATE", "TRIES");
    for delivery in deliveries {
        let (id, kind, at) = (delivery.message_id, escape::line(&delivery.kind), time(Some(delivery.happened_at)));
        let (state, tries) = (delivery.state.as_str(), delivery.attempts);
        let answer = webhook::answer(delivery);
        text.push_str(&format!("{id:<36}  {kind:<16}  {at:<16}  {state:<10}  {tries:>5}  {}\n", escape::line(&answer)));
    }
    text
}
