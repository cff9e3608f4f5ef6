//! The action API: one resource, its reads and writes, and its part of the document.

use std::{collections::HashMap, future::Future, sync::Arc};

use morpion_openapi::action::{self, Action, ActionError, ActionSet, ActionSpec, Kind};
use poem::{
    Body, EndpointExt, FromRequest, Request, RequestBody, Response,
    endpoint::{BoxEndpoint, make},
    http::Method,
};
use poem_openapi::{
    OpenApi,
    registry::{MetaApi, Registry},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;

use super::{
    ApiError, ErrorKind,
    body::{json_response, parse_json, read_json_if_any, read_json_text, succeeded_text},
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
struct OwnReadQuery {
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

/// A payload of a query; a missing one counts as `{}`.
fn payload_of(text: Option<&str>) -> Result<Option<Box<RawValue>>, ApiError> {
    match text {
        None | Some("") => Ok(None),
        Some(text) => serde_json::from_str(text).map_err(|_| ApiError::malformed("payload: not JSON text.")),
    }
}

fn query_of<Q: DeserializeOwned>(request: &Request) -> Result<Q, ApiError> {
    request.params().map_err(|error| ApiError::malformed(format!("The query could not be read: {error}.")))
}

async fn call_of(request: &Request, body: &mut RequestBody) -> Result<Call, ApiError> {
    Call::from_request(request, body).await.map_err(|_| ApiError::internal("no caller"))
}

async fn read<R: Resource>(
    resource: &R,
    call: Call,
    name: &str,
    payload: Option<&RawValue>,
) -> Result<Response, ApiError> {
    call.caller.has_scope(scope::of_action(R::Reads::RESOURCE, Kind::Read, name))?;
    Ok(json_response(resource.read(call, R::Reads::parse(name, payload)?).await?.0))
}

async fn write<R: Resource>(
    resource: &R,
    call: Call,
    name: &str,
    payload: Option<&RawValue>,
) -> Result<Response, ApiError> {
    call.caller.has_scope(scope::of_action(R::Writes::RESOURCE, Kind::Write, name))?;
    Ok(json_response(resource.write(call, R::Writes::parse(name, payload)?).await?.0))
}

async fn serve_read<R: Resource>(resource: Arc<R>, request: Request) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = call_of(&request, &mut body).await?;
    let query: ReadQuery = query_of(&request)?;
    let name = action_name(query.action, R::Reads::NAMES)?;
    let payload = payload_of(query.payload.as_deref())?;
    if R::write_by_get(&name) {
        write(&*resource, call, &name, payload.as_deref()).await
    } else {
        read(&*resource, call, &name, payload.as_deref()).await
    }
}

async fn serve_write<R: Resource>(resource: Arc<R>, request: Request) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = call_of(&request, &mut body).await?;
    let body: WriteBody = parse_json(&read_json_text(&request, &mut body).await?)?;
    let name = action_name(body.action, R::Writes::NAMES)?;
    call.caller.has_scope(scope::of_action(R::Writes::RESOURCE, Kind::Write, &name))?;
    // Without fields the payload is `{}`: what is left out by mistake must not be the same as everything (`clearLogs`).
    let payload = body.payload.ok_or_else(|| ApiError::malformed("payload: it is missing."))?;
    write(&*resource, call, &name, Some(&payload)).await
}

/// A read at its own path.
async fn serve_own_read<R: Resource>(
    resource: Arc<R>,
    name: &'static str,
    request: Request,
) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = call_of(&request, &mut body).await?;
    let query: OwnReadQuery = query_of(&request)?;
    read(&*resource, call, name, payload_of(query.payload.as_deref())?.as_deref()).await
}

/// A write at its own path, with its payload as the body.
async fn serve_own_write<R: Resource>(
    resource: Arc<R>,
    spec: Arc<ActionSpec>,
    request: Request,
) -> Result<Response, ApiError> {
    let (request, mut body) = request.split();
    let call = call_of(&request, &mut body).await?;
    call.caller.has_scope(scope::of_action(R::Writes::RESOURCE, Kind::Write, spec.name))?;
    let payload: Option<Box<RawValue>> = match read_json_if_any(&request, &mut body).await? {
        Some(text) => Some(serde_json::from_str(&text).map_err(|_| ApiError::malformed("The body is not JSON."))?),
        // As above: only where there is nothing to say may nothing be said.
        None if spec.has_fields => {
            return Err(ApiError::malformed("The body is missing: it is the action's payload."));
        }
        None => None,
    };
    write(&*resource, call, spec.name, payload.as_deref()).await
}

fn handled<F, Handled>(handle: F) -> BoxEndpoint<'static>
where
    F: Fn(Request) -> Handled + Send + Sync + 'static,
    Handled: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    make(move |request| {
        let handled = handle(request);
        async move { Ok::<_, poem::Error>(handled.await?) }
    })
    .boxed()
}

impl<R: Resource> OpenApi for ActionApi<R> {
    fn meta() -> Vec<MetaApi> {
        let (read_id, write_id) = R::IDS;
        vec![MetaApi { paths: action::meta::<R::Reads, R::Writes>(&Self::path(), read_id, write_id) }]
    }

    fn register(registry: &mut Registry) {
        action::register::<R::Reads, R::Writes>(registry);
    }

    fn add_routes(self, routes: &mut HashMap<String, HashMap<Method, BoxEndpoint<'static>>>) {
        let mut add = |path: String, method, endpoint| routes.entry(path).or_default().insert(method, endpoint);
        let resource = Arc::clone(&self.0);
        let endpoint = handled(move |request| serve_read(Arc::clone(&resource), request));
        add(Self::path(), Method::GET, endpoint);
        let resource = Arc::clone(&self.0);
        let endpoint = handled(move |request| serve_write(Arc::clone(&resource), request));
        add(Self::path(), Method::POST, endpoint);
        for name in R::Reads::NAMES {
            let resource = Arc::clone(&self.0);
            let endpoint = handled(move |request| serve_own_read(Arc::clone(&resource), name, request));
            add(format!("{}/{name}", Self::path()), Method::GET, endpoint);
        }
        for spec in R::Writes::specs() {
            let (resource, spec) = (Arc::clone(&self.0), Arc::new(spec));
            let path = format!("{}/{}", Self::path(), spec.name);
            let endpoint = handled(move |request| serve_own_write(Arc::clone(&resource), Arc::clone(&spec), request));
            add(path, Method::POST, endpoint);
        }
    }
}
