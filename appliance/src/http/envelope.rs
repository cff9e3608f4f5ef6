//! Turns every error of a call into the one format of failed responses.

use std::{any::Any, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use poem::{Endpoint, IntoResponse, Middleware, Request, Response, Result, http::StatusCode};
use poem_openapi::error::{ParseParamError, ParsePathError};

use super::{ApiError, ErrorKind, request_log::request_id};

/// The middleware.
#[derive(Debug, Clone, Copy)]
pub struct Envelope;

impl<E: Endpoint> Middleware<E> for Envelope {
    type Output = EnvelopeEndpoint<E>;

    fn transform(&self, inner: E) -> Self::Output {
        EnvelopeEndpoint(inner)
    }
}

#[derive(Debug)]
pub struct EnvelopeEndpoint<E>(E);

impl<E: Endpoint> Endpoint for EnvelopeEndpoint<E> {
    type Output = Response;

    async fn call(&self, request: Request) -> Result<Response> {
        let request_id = request_id(&request).to_owned();
        // A handler's panic leaves nothing half done: shared state changes only through the parts.
        match AssertUnwindSafe(self.0.call(request)).catch_unwind().await {
            Ok(Ok(response)) => Ok(response.into_response()),
            Ok(Err(error)) => {
                let error = if is_no_id(&error) { ApiError::no_such_id().into() } else { error };
                // poem's refusals have more statuses than kinds.
                let status = Some(error.status()).filter(StatusCode::is_client_error);
                let mut response = error_of(error).respond(&request_id);
                response.set_status(status.unwrap_or(response.status()));
                Ok(response)
            }
            Err(panic) => Ok(ApiError::internal(panic_text(panic.as_ref())).respond(&request_id)),
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a handler panicked: {}", text.unwrap_or("no text"))
}

/// Whether a part of the address should have been an id.
fn is_no_id(error: &poem::Error) -> bool {
    let of_query = error.downcast_ref::<ParseParamError>().map(|error| &error.reason);
    let reason = of_query.or_else(|| error.downcast_ref::<ParsePathError>().map(|error| &error.reason));
    reason.is_some_and(|reason| reason.starts_with("failed to parse \"string_uuid\""))
}

/// poem's own refusals, in our words.
fn error_of(error: poem::Error) -> ApiError {
    if let Some(error) = error.downcast_ref::<ApiError>() {
        return error.clone();
    }
    match error.status() {
        StatusCode::NOT_FOUND => {
            ApiError::new(ErrorKind::NotFound, "no-such-address", "There is nothing at this address.")
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            ApiError::new(ErrorKind::WrongMethod, "method-not-allowed", "This address does not take this method.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(ErrorKind::TooLarge, "too-large", "The body is too large."),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            ApiError::new(ErrorKind::Unsupported, "unsupported-type", "The content type is not supported here.")
        }
        status if status.is_client_error() => {
            let text = error.to_string();
            ApiError::new(
                ErrorKind::Malformed,
                "malformed",
                if text.is_empty() { "The request cannot be read.".to_owned() } else { text },
            )
        }
        _ => ApiError::internal(error),
    }
}

#[cfg(test)]
mod tests {
    use poem::{EndpointExt, endpoint::make, test::TestClient};

    use super::*;
    use crate::http::request_log::RequestLog;

    #[tokio::test]
    async fn a_panic_is_a_failure_like_any_other() {
        let endpoint = make(|_| async { panic!("secret detail") as Result<Response> });
        let answer =
            TestClient::new(endpoint.with(Envelope).with(RequestLog::of_one_client())).get("/api/x").send().await;
        answer.assert_status(StatusCode::INTERNAL_SERVER_ERROR);
        let id = answer.0.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body = answer.0.into_body().into_string().await.unwrap();
        assert!(body.contains(&id) && body.contains("\"succeeded\":false"), "{body}");
        assert!(!body.contains("secret detail"), "{body}");
    }

    #[tokio::test]
    async fn what_poem_refuses_keeps_its_status() {
        let refuses = make(|_| async {
            Err::<Response, _>(poem::Error::from_string("No range.", StatusCode::RANGE_NOT_SATISFIABLE))
        });
        let answer =
            TestClient::new(refuses.with(Envelope).with(RequestLog::of_one_client())).get("/api/x").send().await;
        answer.assert_status(StatusCode::RANGE_NOT_SATISFIABLE);
        let body = answer.0.into_body().into_string().await.unwrap();
        assert!(body.contains(r#""errorCode":"malformed""#) && body.contains("No range."), "{body}");
    }
}
