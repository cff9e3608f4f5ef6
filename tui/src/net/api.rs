//! Calls of the action API.

use std::{error::Error, time::Duration};

use anyhow::Context;
use morpion_openapi::action::{Action, Kind as ActionKind};
use reqwest::{
    Url,
    header::{HOST, HeaderValue},
};

use super::command_error::{CommandError, FailureKind};
use crate::{
    calls::{Call, Reply, for_each_call},
    config::Settings,
    token::TokenSource,
};

/// A call that takes longer has failed.
const TIMEOUT: Duration = Duration::from_secs(20);

/// A file takes longer; the server gives up after ten minutes.
const DOWNLOADED_WITHIN: Duration = Duration::from_secs(660);

/// A game as a line of JSON has some 20 KiB.
const LONGEST_LINE: usize = 1024 * 1024;

#[derive(Debug, Clone)]
pub struct Api {
    client: reqwest::Client,
    server: Url,
    host_header: Option<HeaderValue>,
    token: TokenSource,
    is_read_only: bool,
}

impl Api {
    /// # Errors
    /// The client cannot be made.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            // A redirect would carry the token to another place.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("morpion-tui/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("the HTTP client cannot be set up")?;
        Ok(Self {
            client,
            server: settings.server.clone(),
            host_header: settings.host_header.clone(),
            token: settings.token.clone(),
            is_read_only: settings.is_read_only,
        })
    }

    /// Makes a call. In read-only mode this is the one gate that no write passes.
    ///
    /// # Errors
    /// The server's refusal, or why it could not be asked.
    pub async fn ask<A: Action>(&self, payload: &A) -> Result<A::Answer, CommandError> {
        let mut url = self.server.clone();
        url.set_path(&format!("/api/backend/{}", A::RESOURCE));
        let broken = |error: serde_json::Error| CommandError::new(FailureKind::Broken, format!("{error}."));
        let request = match A::KIND {
            ActionKind::Read => {
                let payload = serde_json::to_string(payload).map_err(broken)?;
                url.query_pairs_mut().append_pair("action", A::NAME).append_pair("payload", &payload);
                self.client.get(url)
            }
            ActionKind::Write if self.is_read_only => {
                return Err(CommandError::new(FailureKind::ReadOnly, "This console is read-only."));
            }
            ActionKind::Write => {
                let payload = serde_json::to_value(payload).map_err(broken)?;
                let body = serde_json::json!({ "action": A::NAME, "payload": payload });
                self.client.post(url).header("content-type", "application/json").body(body.to_string())
            }
        };
        let body = self.send(request).await?.bytes().await.map_err(unreachable)?;
        serde_json::from_slice(&body).map_err(|error| {
            CommandError::new(FailureKind::Broken, format!("The server's answer cannot be read: {error}."))
        })
    }

    /// Reads a file of lines of text, and hands over each as it comes.
    ///
    /// # Errors
    /// The server's refusal, why it could not be asked, or what taking a line said; the file may break off at any line.
    pub async fn download(
        &self,
        path: &str,
        query: &[(&str, String)],
        mut take: impl FnMut(&str) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let mut url = self.server.clone();
        url.set_path(path);
        url.query_pairs_mut().extend_pairs(query);
        let mut response = self.send(self.client.get(url).timeout(DOWNLOADED_WITHIN)).await?;
        let mut rest = vec![];
        while let Some(part) = response.chunk().await.map_err(unreachable)? {
            rest.extend_from_slice(&part);
            let whole = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
            for line in String::from_utf8_lossy(&rest[..whole]).lines() {
                take(line)?;
            }
            rest.drain(..whole);
            if rest.len() > LONGEST_LINE {
                return Err(CommandError::new(FailureKind::Broken, "The server sends an endless line."));
            }
        }
        if rest.is_empty() { Ok(()) } else { take(&String::from_utf8_lossy(&rest)) }
    }

    /// Sends a request as an operator.
    async fn send(&self, request: reqwest::RequestBuilder) -> Result<reqwest::Response, CommandError> {
        let request = match &self.host_header {
            Some(host) => request.header(HOST, host.clone()),
            None => request,
        };
        let token = self.token.read().map_err(|why| CommandError::new(FailureKind::NotAllowed, why))?;
        let response = request.bearer_auth(token).send().await.map_err(unreachable)?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body = response.bytes().await.map_err(unreachable)?;
        Err(super::named_wrong(CommandError::from_answer(status.as_u16(), &body)))
    }
}

fn unreachable(error: reqwest::Error) -> CommandError {
    CommandError::new(FailureKind::Unreachable, why_unreachable(&error))
}

macro_rules! implement_calls {
    ($($name:ident),* $(,)?) => {
        impl Api {
            /// Makes a call.
            ///
            /// # Errors
            /// The server's refusal, or why it could not be asked.
            pub async fn call(&self, call: &Call) -> Result<Reply, CommandError> {
                match call { $(Call::$name(payload) => self.ask(payload).await.map(Reply::$name)),* }
            }
        }
    };
}

for_each_call!(implement_calls);

/// The innermost cause says what is wrong; the layers around it say only that something is.
fn why_unreachable(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return format!("No answer within {} s.", TIMEOUT.as_secs());
    }
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    if let Some(error) = cause.downcast_ref::<std::io::Error>() {
        return super::io_sentence(error);
    }
    super::tls_sentence(&cause.to_string())
}
