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
    edge::{self, Listening},
    limits::ConnectionLimits,
};
use crate::{
    app::App,
    config::Config,
    http::{headers::SecurityHeaders, repeats::Repeats},
};

/// Connections of monitoring at once, in all and from one address: a scraper has one.
const MAX_CONNECTIONS: usize = 16;

impl App {
    /// Serves the metrics until `shutdown` resolves, with the limits of the main listener but for fewer connections.
    ///
    /// # Errors
    /// When the listener has no address.
    pub async fn serve_metrics(
        self: Arc<Self>,
        listener: TcpListener,
        shutdown: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let mut config = Config::clone(&self.config);
        config.server.max_connections = MAX_CONNECTIONS;
        config.server.max_connections_per_address = MAX_CONNECTIONS;
        let limits = ConnectionLimits::new(MAX_CONNECTIONS, MAX_CONNECTIONS);
        let listening =
            Listening { listener, tls: None, limits, headers: SecurityHeaders::new(&config).without_hsts() };
        let routes = routes(self);
        edge::serve(listening, routes, Arc::new(config), Repeats::default(), shutdown, FINISH_REQUESTS).await
    }
}

fn routes(app: Arc<App>) -> impl Endpoint<Output = Response> + 'static {
    let scrape = make(move |_| {
        let app = Arc::clone(&app);
        async move { scrape(app).await }
    });
    Route::new().at("/metrics", get(scrape))
}

async fn scrape(app: Arc<App>) -> Response {
    let text = tokio::task::spawn_blocking(move || app.scrape()).await;
    let answer = Response::builder().header(header::CACHE_CONTROL, "no-store");
    match text {
        Ok(Ok(text)) => answer.content_type(prometheus::TEXT_FORMAT).body(text),
        _ => answer.status(StatusCode::INTERNAL_SERVER_ERROR).finish(),
    }
}
