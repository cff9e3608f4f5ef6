//! The listener of the metrics: `/metrics`, and nothing else.

use std::{future::Future, io, sync::Arc};

use poem::{
    Endpoint, Response, Route,
    endpoint::make,
    get,
    http::{StatusCode, header},
};
use tokio::net::TcpListener;

use super::{
    FINISH_REQUESTS,
    edge::{self, EdgeLimits, Listening},
};
use crate::{
    app::App,
    config::Config,
    http::{headers::SecurityHeaders, repeats::Repeats},
    shares::Shares,
};

/// Connections of monitoring at once, in all and from one address: a scraper has one.
const MAX_CONNECTIONS: usize = 16;

impl App {
    /// Serves the metrics until `shutdown` resolves.
    ///
    /// # Errors
    /// As [`serve`].
    pub async fn serve_metrics(
        self: Arc<Self>,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let config = Arc::clone(&self.config);
        serve(listener, &config, move || self.scrape(), shutdown).await
    }
}

/// Serves what `scrape` returns until `shutdown` resolves, with the limits of the main listener but for fewer connections.
///
/// # Errors
/// When the listener has no address.
pub async fn serve<F>(
    listener: TcpListener,
    config: &Config,
    scrape: F,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()>
where
    F: Fn() -> prometheus::Result<String> + Send + Sync + 'static,
{
    let mut config = config.clone();
    config.server.max_connections = MAX_CONNECTIONS;
    config.server.max_connections_per_address = MAX_CONNECTIONS;
    let limits = EdgeLimits::new(&config.server, Shares::of_bytes(&config.server));
    let headers = SecurityHeaders::new(&config).without_hsts();
    let listening = Listening { listener, tls: None, limits, headers, tunnelled: None };
    let routes = routes(scrape);
    edge::serve(listening, routes, Arc::new(config), Repeats::default(), shutdown, FINISH_REQUESTS).await
}

fn routes<F>(scrape: F) -> impl Endpoint<Output = Response> + 'static
where
    F: Fn() -> prometheus::Result<String> + Send + Sync + 'static,
{
    let scrape = Arc::new(scrape);
    let answer = make(move |_| {
        let scrape = Arc::clone(&scrape);
        async move { answer(scrape).await }
    });
    Route::new().at("/metrics", get(answer))
}

async fn answer<F>(scrape: Arc<F>) -> Response
where
    F: Fn() -> prometheus::Result<String> + Send + Sync + 'static,
{
    let text = tokio::task::spawn_blocking(move || scrape()).await;
    let answer = Response::builder().header(header::CACHE_CONTROL, "no-store");
    match text {
        Ok(Ok(text)) => answer.content_type(prometheus::TEXT_FORMAT).body(text),
        _ => answer.status(StatusCode::INTERNAL_SERVER_ERROR).finish(),
    }
}
