//! Turns every failure of a call into the one shape of failing answers, in one place.

use poem::{Endpoint, IntoResponse, Middleware, Request, Response, Result, http::StatusCode};

use super::{Fault, RequestId};

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
        let request_id = request.extensions().get::<RequestId>().map_or_else(String::new, |id| id.0.clone());
        match self.0.call(request).await {
            Ok(response) => Ok(response.into_response()),
            Err(error) => Ok(fault_of(error).respond(&request_id)),
        }
    }
}

/// What poem refuses by itself, in our words.
fn fault_of(error: poem::Error) -> Fault {
    if let Some(fault) = error.downcast_ref::<Fault>() {
        return fault.clone();
    }
    match error.status() {
        StatusCode::NOT_FOUND => {
            Fault::new(StatusCode::NOT_FOUND, "no-such-address", "There is nothing at this address.")
        }
        StatusCode::METHOD_NOT_ALLOWED => {
            Fault::new(StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "This address does not take this method.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            Fault::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too large.")
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Fault::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "unsupported-type",
            "The content type is not supported here.",
        ),
        status if status.is_client_error() => {
            let text = error.to_string();
            Fault::new(
                status,
                "malformed",
                if text.is_empty() { "The request cannot be read.".to_owned() } else { text },
            )
        }
        _ => Fault::internal(error),
    }
}
