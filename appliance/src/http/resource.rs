//! The action API: one resource, its reads and writes, and its part of the document.

use std::{collections::HashMap, future::Future, sync::Arc};

use morpion_openapi::action::{self, Action, ActionError, ActionSet, Kind};
use poem::{
    Body, Endpoint, EndpointExt, FromRequest, Request, Response,
    endpoint::{BoxEndpoint, make},
    http::Method,
};
use poem_openapi::{
    OpenApi,
    registry::{MetaApi, Registry},
};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    ApiError, ErrorKind,
    body::{json_response, parse_json, read_json_text, succeeded_text},
};
use crate::{caller::Call, scope};

/// The handlers of a resource's actions.
pub trait Resource: Send + Sync + 'static {
    type Reads: ActionSet;
    type Writes: ActionSet;
    /// Operation ids in the document, for example `readGame` and `writeGame`.
    const IDS: (&'static str, &'static str);

    fn read(&self, call: Call, action: Self::Reads) -> impl Future<Output = Result<Reply, ApiError>> + Send;
    fn write(&self, call: Call, action: Self::Writes) -> impl Future<Output = Result<Reply, ApiError>> + Send;

    /// Whether this write is also served as `GET`, as `delete_event` is; the
    /// identifying middleware asks for the CSRF header there too.
    fn write_by_get(_action: &str) -> bool {
        false
    }
}

/// An action's response as JSON text.
#[derive(Debug)]
pub struct Reply(pub Body);

/// Ties a response to its action, so that no handler can return another's.
pub fn reply<A: Action>(answer: Result<A::Answer, ApiError>) -> Result<Reply, ApiError> {
    answer.map(|answer| Reply(succeeded_text(&answer).into()))
}

impl From<ActionError> for ApiError {
    fn from(error: ActionError) -> Self {
        match error {
            ActionError::Unknown { .. } => ApiError::new(ErrorKind::Malformed, "unknown-action", error.to_string()),
            ActionError::Malformed(text) => ApiError::malformed(text),
            ActionError::NoSuchId => ApiError::no_such_id(),
        }
    }
}

/// A [`Resource`] as a part of the OpenAPI service.
pub struct ActionApi<R>(pub Arc<R>);

impl<R: Resource> ActionApi<R> {
    fn path() -> String {
        format!("/backend/{}", R::Reads::RESOURCE)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadQuery {
    action: Option<String>,
    payload: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteBody {
    action: Option<String>,
    payload: Option<Box<RawValue>>,
}

fn action_name(action: Option<String>, known: &'static [&'static str]) -> Result<String, ApiError> {
    action.ok_or_else(|| ApiError::malformed(format!("An action is needed: one of {}.", known.join(", "))))
}

async fn serve_read<R: Resource>(resource: Arc<R>, request: Request) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = Call::from_request(&request, &mut body).await.map_err(|_| ApiError::internal("no caller"))?;
    let query: ReadQuery =
        request.params().map_err(|error| ApiError::malformed(format!("The query could not be read: {error}.")))?;
    let name = action_name(query.action, R::Reads::NAMES)?;
    let payload: Option<Box<RawValue>> = match query.payload.as_deref() {
        None | Some("") => None,
        Some(text) => Some(serde_json::from_str(text).map_err(|_| ApiError::malformed("payload: not JSON text."))?),
    };
    let kind = if R::write_by_get(&name) { Kind::Write } else { Kind::Read };
    call.caller.has_scope(scope::of_action(R::Reads::RESOURCE, kind, &name))?;
    let reply = if kind == Kind::Write {
        resource.write(call, R::Writes::parse(&name, payload.as_deref())?).await?
    } else {
        resource.read(call, R::Reads::parse(&name, payload.as_deref())?).await?
    };
    Ok(json_response(reply.0))
}

async fn serve_write<R: Resource>(resource: Arc<R>, request: Request) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = Call::from_request(&request, &mut body).await.map_err(|_| ApiError::internal("no caller"))?;
    let write: WriteBody = parse_json(&read_json_text(&request, &mut body).await?)?;
    let name = action_name(write.action, R::Writes::NAMES)?;
    call.caller.has_scope(scope::of_action(R::Writes::RESOURCE, Kind::Write, &name))?;
    // Without fields the payload is `{}`: what is left out by mistake must not be the same as everything (`clearLogs`).
    let payload = write.payload.ok_or_else(|| ApiError::malformed("payload: it is missing."))?;
    let reply = resource.write(call, R::Writes::parse(&name, Some(&payload))?).await?;
    Ok(json_response(reply.0))
}

fn boxed<E: Endpoint<Output = Response> + 'static>(endpoint: E) -> BoxEndpoint<'static> {
    endpoint.boxed()
}

impl<R: Resource> OpenApi for ActionApi<R> {
    fn meta() -> Vec<MetaApi> {
        let (read_id, write_id) = R::IDS;
        vec![MetaApi { paths: vec![action::meta::<R::Reads, R::Writes>(&Self::path(), read_id, write_id)] }]
    }

    fn register(registry: &mut Registry) {
        action::register::<R::Reads, R::Writes>(registry);
    }

    fn add_routes(self, routes: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {
        let methods = routes.entry(Self::path()).or_default();
        let resource = Arc::clone(&self.0);
        methods.insert(
            Method::GET,
            boxed(make(move |request| {
                let resource = Arc::clone(&resource);
                async move { Ok::<_, poem::Error>(serve_read(resource, request).await?) }
            })),
        );
        let resource = self.0;
        methods.insert(
            Method::POST,
            boxed(make(move |request| {
                let resource = Arc::clone(&resource);
                async move { Ok::<_, poem::Error>(serve_write(resource, request).await?) }
            })),
        );
    }
}
