//! Webhooks on the command line.

use clap::builder::TypedValueParser;
use morpion_openapi::webhook::{Webhook, WebhookDelivery, WebhookKind};
use uuid::Uuid;

use crate::{
    command_error::{CommandError, FailureKind},
    reference::{self, Candidate},
    words::words,
};

/// Reads a kind of what webhooks are told of, and completes it.
pub fn kinds() -> impl TypedValueParser<Value = WebhookKind> {
    words(WebhookKind::ALL, WebhookKind::as_str)
}

/// The error when a new webhook's secret could not be written, and whether it was deleted. `command` deletes it by hand.
pub fn lost(unwritten: CommandError, deleted: Result<(), String>, command: &str) -> CommandError {
    let rest = match deleted {
        Ok(()) => "The webhook was deleted again.".to_owned(),
        Err(why) => {
            format!("The webhook exists, but its secret was not shown; delete it with `{command}` ({why}).")
        }
    };
    CommandError { text: format!("{} {rest}", unwritten.text), ..unwritten }
}

/// Webhooks as they are referred to: by the id, or the address.
pub fn candidates(webhooks: &[Webhook]) -> Vec<Candidate> {
    webhooks.iter().map(|hook| Candidate { id: hook.webhook_id.to_string(), name: hook.url.clone() }).collect()
}

/// The webhook that is meant.
///
/// # Errors
/// None is, or several are.
pub fn named(webhooks: &[Webhook], wanted: &str) -> Result<Uuid, CommandError> {
    let chosen = reference::choose("webhook", wanted, candidates(webhooks))?;
    let broken =
        |_| CommandError::new(FailureKind::Broken, format!("The server sent an invalid webhook id: '{}'.", chosen.id));
    chosen.id.parse().map_err(broken)
}

/// How a webhook is, in a few words.
pub fn state(hook: &Webhook) -> String {
    match (&hook.disabled_reason, hook.failing_since, hook.delivered_at) {
        (Some(why), ..) => format!("off: {why}"),
        (None, Some(since), _) => format!("failing since {since}"),
        (None, None, Some(_)) => "fine".to_owned(),
        (None, None, None) => "nothing sent yet".to_owned(),
    }
}

/// What a receiver said last, in a few words.
pub fn answer(delivery: &WebhookDelivery) -> String {
    let status = delivery.status.map(|status| status.to_string());
    let told = delivery.failure.clone().or(status).unwrap_or_default();
    match &delivery.answer {
        Some(answer) => format!("{told} {answer}"),
        None => told,
    }
}
