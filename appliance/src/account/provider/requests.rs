//! Requests to the provider.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, StatusCode};
use serde_json::{Map, Value};

use super::jwt::text;

/// For one response of the provider.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Documents of providers have some KiB.
const MAX_ANSWER: usize = 1024 * 1024;

/// Characters of the provider's own explanation that enter the log.
const MAX_EXPLANATION: usize = 200;

/// Why the provider gave no usable answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// It is away or has a problem; later it may work.
    #[error("{0}")]
    Unreachable(String),
    #[error("{0}")]
    Unusable(String),
    /// It refuses, with the `error` of OAuth 2.0.
    #[error("{address} answered {status} {error}{explanation}")]
    Refused { address: String, status: StatusCode, error: String, explanation: String },
}

pub(super) struct Requests(Client);

impl Requests {
    /// # Errors
    /// The system's certificates cannot be read.
    pub(super) fn new() -> anyhow::Result<Self> {
        // A redirect could make us send requests into our own network.
        let client = Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(TIMEOUT).build()?;
        Ok(Self(client))
    }

    pub(super) async fn get_object(&self, address: &str, bearer: Option<&str>) -> Result<Map<String, Value>, Failure> {
        object(address, &self.get(address, bearer).await?)
    }

    pub(super) async fn get(&self, address: &str, bearer: Option<&str>) -> Result<Vec<u8>, Failure> {
        let request = self.0.get(address).header("accept", "application/json");
        let request = bearer.into_iter().fold(request, RequestBuilder::bearer_auth);
        answer(address, request).await
    }

    pub(super) async fn post(
        &self,
        address: &str,
        basic: Option<(&str, &str)>,
        form: &[(&str, &str)],
    ) -> Result<Vec<u8>, Failure> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = self.0.post(address).header("accept", "application/json");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
        // RFC 6749, 2.3.1: name and secret are encoded before they are joined.
        let encode = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let request = basic
            .into_iter()
            .fold(request, |request, (name, secret)| request.basic_auth(encode(name), Some(encode(secret))));
        answer(address, request).await
    }
}

/// The whole answer, whatever media type it names.
async fn answer(address: &str, request: RequestBuilder) -> Result<Vec<u8>, Failure> {
    let unreachable = |error: reqwest::Error| Failure::Unreachable(format!("{address}: {}", causes(&error)));
    let mut response = request.send().await.map_err(unreachable)?;
    let status = response.status();
    let mut body = vec![];
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        body.extend_from_slice(&chunk);
        if body.len() > MAX_ANSWER {
            return Err(Failure::Unusable(format!("{address} answered more than {MAX_ANSWER} bytes")));
        }
    }
    if status.is_success() {
        return Ok(body);
    }
    if status.is_redirection() {
        let to = response.headers().get("location").and_then(|to| to.to_str().ok()).unwrap_or("another address");
        return Err(Failure::Unusable(format!("{address} redirects to {to}, which is not followed")));
    }
    if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS {
        return Err(Failure::Unreachable(format!("{address} answered {status}")));
    }
    let told = serde_json::from_slice::<Map<String, Value>>(&body).unwrap_or_default();
    let explanation = text(&told, "error_description").map(|text| text.chars().take(MAX_EXPLANATION).collect());
    Err(Failure::Refused {
        address: address.to_owned(),
        status,
        error: text(&told, "error").unwrap_or("without a reason").chars().take(MAX_EXPLANATION).collect(),
        explanation: explanation.map(|text: String| format!(": {text}")).unwrap_or_default(),
    })
}

pub(super) fn object(address: &str, body: &[u8]) -> Result<Map<String, Value>, Failure> {
    serde_json::from_slice(body).map_err(|_| Failure::Unusable(format!("{address} did not answer with a JSON object")))
}

fn causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
