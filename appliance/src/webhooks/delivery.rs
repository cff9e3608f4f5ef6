//! One attempt to tell a receiver something, and what is made of its answer.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_shell::escape;
use morpion_store::{AfterAttempt, HookAttempt, HookDelivery, HookRow};
use reqwest::{Client, Response, StatusCode, header};

use super::{Webhooks, message};
use crate::reach::{self, is_not_public};

/// For one attempt, connecting and the read part of the answer included.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);

/// For the body of an answer whose status is there already.
const BODY_TIMEOUT: Duration = Duration::from_secs(2);

/// Bytes that are read of the body of a refusal, and characters that are kept of it.
const MAX_ANSWER: usize = 2_048;
const MAX_SHOWN: usize = 200;

/// Pauses after failed attempts: a day in all, but a few minutes.
pub(super) const PAUSES: [TimeDelta; 11] = [
    TimeDelta::seconds(5),
    TimeDelta::seconds(30),
    TimeDelta::minutes(2),
    TimeDelta::minutes(10),
    TimeDelta::minutes(30),
    TimeDelta::hours(1),
    TimeDelta::hours(2),
    TimeDelta::hours(4),
    TimeDelta::hours(4),
    TimeDelta::hours(6),
    TimeDelta::hours(6),
];

/// The longest pause that a receiver is given.
const MAX_PAUSE: TimeDelta = TimeDelta::hours(6);

/// What one request came to.
struct Outcome {
    status: Option<u16>,
    answer: Option<String>,
    failure: Option<String>,
    /// `Retry-After`.
    wished: Option<TimeDelta>,
    is_gone: bool,
}

impl Outcome {
    fn failed(why: impl Into<String>) -> Self {
        Self { status: None, answer: None, failure: Some(why.into()), wished: None, is_gone: false }
    }
}

impl Webhooks {
    /// Tells a receiver something. `now` is when the attempt ends by the steady clock, asked for once it has.
    pub(super) async fn attempt(
        &self,
        hook: &HookRow,
        delivery: &HookDelivery,
        now: impl Fn() -> DateTime<Utc>,
    ) -> HookAttempt {
        let outcome = self.request(hook, delivery).await;
        let Outcome { status, answer, failure, wished, is_gone } = outcome;
        let pause = usize::try_from(delivery.attempts).ok().and_then(|attempts| PAUSES.get(attempts));
        let then = match (&failure, pause) {
            (None, _) => AfterAttempt::Delivered,
            _ if is_gone => AfterAttempt::Gone,
            // A test is tried once: whoever made it waits for what comes of it.
            (Some(_), Some(pause)) if delivery.event.kind != message::TEST => {
                AfterAttempt::Later(now() + wished.map_or(*pause, |wished| wished.clamp(*pause, MAX_PAUSE.max(*pause))))
            }
            (Some(_), _) => AfterAttempt::Failed,
        };
        HookAttempt { at: self.shared.clock.wall(), status, answer, failure, then }
    }

    async fn request(&self, hook: &HookRow, delivery: &HookDelivery) -> Outcome {
        let shared = &self.shared;
        // What is allowed may have changed since it was stored.
        let url = match reach::parse(&hook.url, shared.reach) {
            Ok(url) => url,
            Err(why) => return Outcome::failed(why),
        };
        let Some(secret) = shared.seal.open(hook.id, &hook.secret) else {
            return Outcome::failed("Its secret cannot be read: the server's secret was replaced. Make a new webhook.");
        };
        let event = &delivery.event;
        let (id, timestamp) = (message::header_id(event.id), shared.clock.wall().timestamp());
        let signature = message::signature(&secret, &id, timestamp, &event.payload);
        let request = shared
            .client
            .post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", timestamp)
            .header("webhook-signature", signature)
            .body(event.payload.clone());
        match request.send().await {
            Ok(response) => outcome_of(response).await,
            Err(error) if is_not_public(&error) => Outcome::failed("Its name does not resolve to a public address."),
            // Before the other one: it may be a connection that was not made in time.
            Err(error) if error.is_connect() => Outcome::failed("The connection could not be made."),
            Err(error) if error.is_timeout() => Outcome::failed("It did not answer within 10 seconds."),
            Err(_) => Outcome::failed("The connection broke before it answered."),
        }
    }
}

/// What an answer means, by its status. Of a refusal's body the beginning is read, for whoever looks for the cause.
async fn outcome_of(response: Response) -> Outcome {
    let status = response.status();
    if status.is_success() {
        return Outcome { status: Some(status.as_u16()), answer: None, failure: None, wished: None, is_gone: false };
    }
    let failure = match status {
        StatusCode::GONE => "It answered 410: it wants no more messages.".to_owned(),
        status if status.is_redirection() => {
            format!("It answered {}: redirects are not followed. Use the final address.", status.as_u16())
        }
        status => format!("It answered {}.", status.as_u16()),
    };
    Outcome {
        status: Some(status.as_u16()),
        wished: retry_after(&response),
        is_gone: status == StatusCode::GONE,
        failure: Some(failure),
        answer: beginning(response).await,
    }
}

/// `Retry-After` in seconds; a date counts as absent.
fn retry_after(response: &Response) -> Option<TimeDelta> {
    let seconds = response.headers().get(header::RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    TimeDelta::try_seconds(seconds)
}

/// The beginning of a body, in one line without characters that a terminal obeys; `None` for an empty one.
async fn beginning(mut response: Response) -> Option<String> {
    let mut read = Vec::new();
    let reading = async {
        while read.len() < MAX_ANSWER {
            match response.chunk().await {
                Ok(Some(chunk)) => read.extend_from_slice(&chunk[..chunk.len().min(MAX_ANSWER - read.len())]),
                Ok(None) | Err(_) => break,
            }
        }
    };
    // What came until then is shown.
    let _ = tokio::time::timeout(BODY_TIMEOUT, reading).await;
    let text = String::from_utf8_lossy(&read);
    let words: Vec<&str> = text.split_whitespace().collect();
    let line: String = escape::line(&words.join(" ")).chars().take(MAX_SHOWN).collect();
    (!line.is_empty()).then_some(line)
}

/// A client for receivers.
///
/// # Errors
/// TLS cannot be set up.
pub(super) fn client(reach: reach::Reach) -> reqwest::Result<Client> {
    reach::client(reach, TIMEOUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_tried_for_a_day_with_growing_pauses() {
        let total: TimeDelta = PAUSES.iter().sum();
        assert!((TimeDelta::hours(23)..=TimeDelta::hours(24)).contains(&total), "{total}");
        assert!(PAUSES.is_sorted());
    }
}
