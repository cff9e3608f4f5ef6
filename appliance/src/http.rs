//! HTTP: the whole route table, and what every request passes through.
//!
//! ```text
//! request id and log → security headers → threads of queries → compression → faults and panics as JSON → length → who calls
//! → route
//! ```
//!
//! A handler authenticates, makes one call into a part and turns the result into a wire type.

pub mod admin;
mod allow;
pub mod assets;
pub mod auth;
pub mod backend;
mod backup;
pub mod body;
mod cluster;
pub mod constant;
pub(crate) mod convert;
mod data_export;
pub mod docs;
pub mod embeds;
pub mod encoding;
mod engine_use;
mod envelope;
mod error;
pub mod event;
mod event_files;
pub mod event_sign_up;
pub mod game;
mod game_export;
pub mod headers;
pub mod health;
pub mod identify;
pub mod image;
pub mod logger;
mod moderation;
mod notifications;
pub mod own_account;
pub mod passing;
pub mod passkey;
mod personal_token;
pub mod player;
mod player_import;
mod player_page;
pub mod repeats;
pub mod request_log;
pub mod resource;
pub mod second_factor;
pub mod series;
pub mod site;
mod spreadsheet;
pub mod streamed;
mod subscription;
mod unsubscribe;
pub mod userprofile;
mod webhook;
pub mod well_known;

use std::{sync::Arc, time::Duration};

use morpion_openapi::document;
use poem::{
    Endpoint, EndpointExt, FromRequest, IntoResponse, Request, Response, Route,
    endpoint::make,
    error::InternalServerError,
    http::header,
    middleware::{NormalizePath, TrailingSlash},
};
use poem_openapi::{OpenApi, OpenApiService, Webhook};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use crate::{
    account::identify::{client_address, may_change},
    api_error::{ApiError, ErrorKind},
    app::App,
    background,
    caller::{Call, RequestId},
    cluster::{Cluster, Freshness, NO_MAJORITY},
    config::Config,
    health::NotReady,
    metrics::Metrics,
    scope::REALTIME,
};
use passing::Passing;
use repeats::Repeats;
use resource::ActionApi;

fn resource<R: resource::Resource>(resource: R) -> ActionApi<R> {
    ActionApi(Arc::new(resource))
}

fn service(app: &Arc<App>) -> OpenApiService<impl OpenApi + 'static, impl Webhook> {
    describe((
        auth::AuthApi(Arc::clone(app)),
        own_account::OwnAccountApi(Arc::clone(app)),
        second_factor::SecondFactorApi(Arc::clone(app)),
        passkey::PasskeyApi(Arc::clone(app)),
        personal_token::PersonalTokenApi(Arc::clone(app)),
        backend::BackendApi(Arc::clone(app)),
        site::SiteApi(Arc::clone(app)),
        resource(userprofile::UserProfileResource(Arc::clone(app))),
        resource(game::GameResource(Arc::clone(app))),
        resource(admin::AdminResource(Arc::clone(app))),
        resource(event::EventResource(Arc::clone(app))),
        resource(series::SeriesResource(Arc::clone(app))),
        resource(event_sign_up::EventSignUpResource(Arc::clone(app))),
        resource(player::PlayerResource(Arc::clone(app))),
        resource(subscription::SubscriptionResource(Arc::clone(app))),
        resource(logger::LoggerResource(Arc::clone(app))),
    ))
}

fn describe<T: OpenApi>(api: T) -> OpenApiService<T, ()> {
    OpenApiService::new(api, "Morpion", env!("CARGO_PKG_VERSION"))
        .description("Tic-tac-toe on boards of 3 to 6 cells a side: accounts, live games, events.")
        .url_prefix("/api")
}

/// The OpenAPI document, as `GET /api/openapi.json` and `morpion openapi` return it.
pub fn openapi_document(app: &Arc<App>) -> serde_json::Value {
    document::complete(&service(app).spec())
}

/// The path and query of a request. The longest is a filter of some 2 KiB.
const MAX_TARGET: usize = 8 * 1024;

fn check_target(request: &Request) -> Result<(), ApiError> {
    let target = request.original_uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target <= MAX_TARGET {
        return Ok(());
    }
    let text = format!("The path and query have more than {MAX_TARGET} bytes.");
    Err(ApiError::new(ErrorKind::AddressTooLong, "address-too-long", text))
}

/// What is answered by the edge: whether the server lives is told, and a websocket opened, however much is asked of the database.
const BESIDE_QUERIES: [&str; 3] = [REALTIME, "/healthz", "/readyz"];

/// Handles a request where queries run.
async fn behind_queries<E>(inner: Arc<E>, request: Request) -> poem::Result<Response>
where
    E: Endpoint<Output = Response> + 'static,
{
    let path = request.uri().path().trim_end_matches('/');
    if BESIDE_QUERIES.contains(&path) {
        return inner.call(request).await;
    }
    let is_read = request.method().is_safe();
    let handling = background::queries().spawn(async move { inner.call(request).await }.in_current_span());
    // A read ends with its caller. An act goes on to its end: what follows a change, such as closing the sockets of an
    // ended session, must not depend on whether somebody waits for the answer.
    let handled = if is_read { AbortOnDropHandle::new(handling).await } else { handling.await };
    handled.map_err(InternalServerError)?
}

/// When a call may be tried again that found no majority, or no leader.
const RETRY_AFTER: Duration = Duration::from_secs(1);

const STALE: &str = "110 - \"Response is Stale\"";

/// The leader of a cluster tells only what the cluster has acknowledged, and only while it leads; without a majority it
/// says that its answers may be old, in the way of RFC 7234.
async fn acknowledged<E>(inner: Arc<E>, request: Request, cluster: Option<Cluster>) -> poem::Result<Response>
where
    E: Endpoint<Output = Response>,
{
    let path = request.uri().path();
    let cluster = cluster.filter(|_| is_of_api(path) && path.trim_end_matches('/') != REALTIME);
    let Some(cluster) = cluster else { return inner.call(request).await };
    if cluster.has_no_majority() && may_change(&request) {
        return Err(ApiError::unavailable(NO_MAJORITY).and_retry_after(RETRY_AFTER).into());
    }
    let answer = inner.call(request).await;
    match cluster.freshness().await {
        Freshness::Current => answer,
        Freshness::Stale => answer.map(|answer| answer.with_header(header::WARNING, STALE).into_response()),
        Freshness::Unknown => {
            let text = "Another server may lead by now, so it is not known whether this was done. Please try again.";
            Err(ApiError::new(ErrorKind::Unavailable, "no-leader", text).and_retry_after(RETRY_AFTER).into())
        }
    }
}

/// Everything that is served; `repeats` counts what would fill the log.
pub fn routes(app: &Arc<App>, repeats: Repeats) -> impl Endpoint<Output = Response> + 'static {
    let document = openapi_document(app);
    let allow = allow::Allow::new(&document);
    let for_log = Arc::clone(app);
    let realtime = {
        let app = Arc::clone(app);
        make(move |request: Request| {
            let app = Arc::clone(&app);
            async move {
                let (request, mut body) = request.split();
                let call = Call::from_request(&request, &mut body).await?;
                Ok::<Response, poem::Error>(crate::realtime::upgrade(&app, call, &request).await?)
            }
        })
    };
    let api = Route::new()
        .nest("/api", service(app))
        .at(REALTIME, poem::get(realtime))
        .with(identify::Identify::new(Arc::clone(app)));
    let api = unsubscribe::mount(docs::mount(api_route(api), &document), app);
    let api = embeds::mount(api, app);
    let health = app.health.clone();
    let route = health::mount(api, move || (health.check().err(), health.notices()));
    let log = request_log::RequestLog::new(repeats, app.metrics.clone(), allow.clone(), move |request| {
        for_log.accounts.client_address(request).ip()
    });
    complete(route, &app.config, allow, app.cluster.clone(), log)
}

/// Adds what needs no parts of the server, and what every request passes through.
fn complete(
    route: Route,
    config: &Arc<Config>,
    allow: allow::Allow,
    cluster: Option<Cluster>,
    log: request_log::RequestLog,
) -> impl Endpoint<Output = Response> + use<> {
    let for_compression = Arc::clone(config);
    well_known::mount(route, config)
        .nest_no_strip("/", assets::endpoint(config))
        .with(NormalizePath::new(TrailingSlash::Trim))
        .around({
            let allow = allow.clone();
            move |inner, request| {
                let checked = check_target(&request).map_err(poem::Error::from).and_then(|()| allow.check(&request));
                async move {
                    checked?;
                    inner.call(request).await
                }
            }
        })
        .around(move |inner, request| acknowledged(inner, request, cluster.clone()))
        .with(envelope::Envelope)
        .with(allow)
        .with(encoding::Compression::new(move |request| client_address(&for_compression, request)))
        .around(behind_queries)
        .with(headers::SecurityHeaders::new(config))
        .with(log)
}

/// What a node of a cluster serves that does not lead: the web app and its health by itself, as a leader would, and the
/// API from the leader.
pub fn passing_routes(
    config: &Arc<Config>,
    passing: Passing,
    repeats: Repeats,
    metrics: Metrics,
) -> impl Endpoint<Output = Response> + use<> {
    let has_leader = passing.readiness();
    let route = health::mount(Route::new(), move || ((!has_leader()).then_some(NotReady::NobodyLeads), vec![]));
    let (allow, for_log) = (allow::Allow::new(&serde_json::Value::Null), Arc::clone(config));
    let log = request_log::RequestLog::new(repeats, metrics, allow.clone(), move |request| {
        client_address(&for_log, request).ip()
    });
    let passing = Arc::new(passing.with(headers::SecurityHeaders::new(config)));
    complete(route, config, allow, None, log).around(move |here, request: Request| {
        let passing = Arc::clone(&passing);
        async move {
            if is_of_api(request.uri().path()) { passing.call(request).await } else { here.call(request).await }
        }
    })
}

/// What is answered by the leader.
fn is_of_api(path: &str) -> bool {
    let first = path.split('/').find(|part| !part.is_empty());
    first == Some("api") || path.trim_end_matches('/') == embeds::OEMBED
}

fn api_route(api: impl Endpoint<Output = Response> + 'static) -> Route {
    Route::new().nest_no_strip("/api", api)
}

#[cfg(test)]
mod tests {
    use poem::{endpoint::make_sync, http::Method, test::TestClient};

    use super::*;

    #[test]
    fn only_the_api_needs_the_leader() {
        for path in ["/api", "/api/", "//api/backend/event", "/api/backend/realtime", "/oembed"] {
            assert!(is_of_api(path), "{path}");
        }
        for path in ["/", "/apis", "/app/api", "/oembed/x", "/embed/event/x", "/assets/x.js", "/readyz"] {
            assert!(!is_of_api(path), "{path}");
        }
    }

    #[tokio::test]
    async fn an_act_ends_without_its_caller_and_a_read_does_not() {
        let (ended, mut ends) = tokio::sync::mpsc::unbounded_channel();
        let slow = make(move |request: Request| {
            let ended = ended.clone();
            async move {
                tokio::time::sleep(Duration::from_millis(50)).await;
                ended.send(request.method().clone()).map_err(InternalServerError)?;
                Ok::<Response, poem::Error>(().into_response())
            }
        });
        let client = TestClient::new(slow.around(behind_queries));
        let patience = Duration::from_millis(10);
        assert!(tokio::time::timeout(patience, client.get("/api/x").send()).await.is_err());
        assert!(tokio::time::timeout(patience, client.post("/api/x").send()).await.is_err());
        assert_eq!(ends.recv().await, Some(Method::POST));
        drop(client);
        assert_eq!(ends.recv().await, None);
    }

    #[tokio::test]
    async fn requests_are_handled_where_queries_run_and_health_and_handshakes_are_not() {
        let thread = make_sync(|_| std::thread::current().name().unwrap_or_default().to_owned());
        let client = TestClient::new(thread.map_to_response().around(behind_queries));
        for path in ["/api/backend/event", "/api/openapi.json", "/app/home", "/"] {
            client.get(path).send().await.assert_text("queries").await;
        }
        for path in ["/api/backend/realtime", "/api/backend/realtime/", "/healthz", "/readyz"] {
            let here = std::thread::current().name().unwrap().to_owned();
            client.get(path).send().await.assert_text(here).await;
        }
    }
}
