//! Calls of the action API.

use std::time::Duration;

use anyhow::Context;
use morpion_openapi::{
    Failure,
    action::Action,
    admin::{ListLiveGames, LiveGamesAnswer},
};
use reqwest::Url;

use crate::token::TokenSource;

/// A call that takes longer has failed.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Rows a page: the server gives no more.
const PAGE: u32 = morpion_openapi::PageRequest::MAX_LIMIT;

#[derive(Debug, Clone)]
pub struct Api {
    client: reqwest::Client,
    server: Url,
    token: TokenSource,
}

impl Api {
    /// # Errors
    /// The client cannot be made.
    pub fn new(server: Url, token: TokenSource) -> anyhow::Result<Self> {
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            // A redirect would carry the token to another place.
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("morpion-tui/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("the HTTP client cannot be set up")?;
        Ok(Self { client, server, token })
    }

    /// A page of the live games, counted from 1.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn live_games(&self, page: u32) -> Result<LiveGamesAnswer, String> {
        self.read(&ListLiveGames { page: Some(page), limit: Some(PAGE) }).await
    }

    async fn read<A: Action>(&self, payload: &A) -> Result<A::Answer, String> {
        let mut url = self.server.clone();
        url.set_path(&format!("/api/backend/{}", A::RESOURCE));
        let payload = serde_json::to_string(payload).map_err(|error| error.to_string())?;
        url.query_pairs_mut().append_pair("action", A::NAME).append_pair("payload", &payload);
        let request = self.client.get(url).bearer_auth(self.token.read()?);
        let response = request.send().await.map_err(|error| format!("{error}."))?;
        let status = response.status();
        let body = response.bytes().await.map_err(|error| format!("{error}."))?;
        if status.is_success() {
            serde_json::from_slice(&body).map_err(|error| format!("The server's answer cannot be read: {error}."))
        } else {
            Err(failure_text(status.as_u16(), &body))
        }
    }
}

/// What a failing answer says, for a person.
pub fn failure_text(status: u16, body: &[u8]) -> String {
    match serde_json::from_slice::<Failure>(body) {
        Ok(failure) => failure.error_message,
        Err(_) => format!("The server answered {status}."),
    }
}
