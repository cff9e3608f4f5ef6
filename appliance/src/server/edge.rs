//! The edge: accepts connections within limits, and hands their requests to the routes.
//!
//! poem's own server has no limit of connections, of a head or of a body, and spins when there are no file descriptors.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use hyper::{Request, Response, body::Incoming, service::service_fn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use poem::{
    Endpoint, IntoResponse,
    http::{Method, StatusCode, Version, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{
    activity::{Activity, ClientStream},
    limits::{ConnectionLimits, LimitReached},
    pace::paced,
};
use crate::{
    api_error::{ApiError, ErrorKind},
    config::Config,
    http::{headers::SecurityHeaders, repeats::Repeats},
    tls::ACME_TLS,
};

/// Streams of one HTTP/2 connection at once: several times what a page of ours asks for.
const MAX_STREAMS: u32 = 100;

/// A request's head: three times what our pages send with every cookie, answered 431 above.
const MAX_HEAD: usize = 32 * 1024;
const MAX_HEADERS: usize = 100;

/// How long a connection has to say goodbye after it was idle too long.
const GOODBYE: Duration = Duration::from_secs(1);

/// The same after a flood: until the goodbye is written.
const FLOOD_GOODBYE: Duration = Duration::from_millis(50);

/// Refused connections that are told why at the same time; further ones are closed.
const MAX_REFUSALS: usize = 64;

/// When a refused client may try again.
const RETRY_AFTER: Duration = Duration::from_secs(10);

/// The pause after the system could not accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Where connections come from.
pub struct Listening {
    pub listener: TcpListener,
    /// They begin with a TLS handshake.
    pub tls: Option<TlsAcceptor>,
    /// Shared by all listeners.
    pub limits: Arc<ConnectionLimits>,
    /// Of refusals.
    pub headers: SecurityHeaders,
}

struct Edge<E> {
    endpoint: E,
    config: Arc<Config>,
    tls: Option<TlsAcceptor>,
    /// The security headers of refusals.
    headers: String,
    repeats: Repeats,
    limits: Arc<ConnectionLimits>,
    local: SocketAddr,
    refusals: Arc<Semaphore>,
    /// Connections finish their requests.
    finish: CancellationToken,
    /// Connections end.
    cut: CancellationToken,
    connections: TaskTracker,
}

/// Serves until `shutdown` resolves. Requests then have `finish_within` to finish.
///
/// # Errors
/// When the listener has no address.
pub async fn serve(
    listening: Listening,
    endpoint: impl Endpoint<Output = poem::Response> + 'static,
    config: Arc<Config>,
    repeats: Repeats,
    shutdown: impl Future<Output = ()>,
    finish_within: Duration,
) -> io::Result<()> {
    let Listening { listener, tls, limits, headers } = listening;
    let edge = Arc::new(Edge {
        endpoint,
        tls,
        limits,
        headers: headers.lines(),
        repeats,
        config,
        local: listener.local_addr()?,
        refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
        finish: CancellationToken::new(),
        cut: CancellationToken::new(),
        connections: TaskTracker::new(),
    });
    tracing::info!(address = %edge.local, tls = edge.tls.is_some(), "listening");
    tokio::select! {
        () = shutdown => {}
        () = accept_all(&edge, &listener) => {}
    }
    drop(listener);
    edge.finish.cancel();
    edge.connections.close();
    if timeout(finish_within, edge.connections.wait()).await.is_err() {
        edge.cut.cancel();
        edge.connections.wait().await;
    }
    Ok(())
}

async fn accept_all<E: Endpoint<Output = poem::Response> + 'static>(edge: &Arc<Edge<E>>, listener: &TcpListener) {
    let mut is_paused = false;
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                is_paused = false;
                edge.admit(stream, peer);
            }
            Err(error) if is_of_the_client(&error) => {}
            Err(error) => {
                if !is_paused {
                    tracing::error!(%error, "no connection can be accepted; trying again until it works");
                }
                is_paused = true;
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Whether only this one connection failed. Otherwise file descriptors or memory are missing, and the next attempt would
/// fail at once.
fn is_of_the_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

impl<E: Endpoint<Output = poem::Response> + 'static> Edge<E> {
    fn admit(self: &Arc<Self>, stream: TcpStream, peer: SocketAddr) {
        // Behind a proxy all clients have its address.
        let counted = Some(peer.ip()).filter(|&ip| !self.config.trusts_proxy(ip));
        let permit = match self.limits.take(counted) {
            Ok(permit) => permit,
            Err(full) => return self.refuse(stream, peer, full),
        };
        // Small frames are sent at once instead of waiting some 40 ms for an acknowledgement. A client that has
        // already gone is noticed when it is read from.
        let _ = stream.set_nodelay(true);
        let limits = &self.config.server;
        let activity = Activity::new(limits.head_timeout, limits.idle_timeout);
        let stream = ClientStream { stream, activity, _permit: permit };
        let edge = Arc::clone(self);
        self.connections.spawn(async move {
            let cut = edge.cut.clone();
            cut.run_until_cancelled(edge.serve_client(stream, peer)).await;
        });
    }

    async fn serve_client(self: &Arc<Self>, stream: ClientStream, peer: SocketAddr) {
        let activity = Arc::clone(&stream.activity);
        let Some(tls) = &self.tls else { return self.serve_connection(stream, activity, peer).await };
        if let Some(stream) = self.shake_hands(tls, stream, peer).await {
            self.serve_connection(stream, activity, peer).await;
        }
    }

    /// A client has as long for the handshake and its first head together as it has for a head without TLS.
    async fn shake_hands(
        &self,
        tls: &TlsAcceptor,
        stream: ClientStream,
        peer: SocketAddr,
    ) -> Option<TlsStream<ClientStream>> {
        let activity = Arc::clone(&stream.activity);
        let accepted = tokio::select! {
            accepted = tls.accept(stream) => accepted,
            () = self.finish.cancelled() => return None,
            () = activity.expired() => return None,
        };
        match accepted {
            Ok(mut stream) if stream.get_ref().1.alpn_protocol() == Some(ACME_TLS) => {
                let _ = timeout(GOODBYE, stream.shutdown()).await;
                None
            }
            Ok(stream) => Some(stream),
            Err(error) => {
                tracing::debug!(address = %peer.ip(), %error, "no TLS handshake");
                None
            }
        }
    }

    async fn serve_connection(
        self: &Arc<Self>,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        activity: Arc<Activity>,
        peer: SocketAddr,
    ) {
        let service = service_fn(|request: Request<Incoming>| {
            // Of an answer to HEAD nothing is sent.
            let may_be_cancelled = request.version() == Version::HTTP_2 && request.method() != Method::HEAD;
            let (edge, open) = (Arc::clone(self), activity.begin(may_be_cancelled));
            async move {
                let response = Response::from(edge.answer(request, peer).await);
                let (head, body) = response.into_parts();
                Ok::<_, Infallible>(Response::from_parts(head, open.answered(body)))
            }
        });
        let mut http = auto::Builder::new(TokioExecutor::new());
        http.http1().max_headers(MAX_HEADERS).max_buf_size(MAX_HEAD).header_read_timeout(None);
        http.http2().max_concurrent_streams(MAX_STREAMS).max_header_list_size(MAX_HEAD as u32);
        let connection = http.serve_connection_with_upgrades(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            ended = &mut connection => return self.log_unread(ended, peer),
            () = self.finish.cancelled() => {}
            () = activity.expired() => {
                let goodbye = if activity.is_flood() {
                    self.log_refusal(StatusCode::TOO_MANY_REQUESTS, peer, None);
                    FLOOD_GOODBYE
                } else {
                    GOODBYE
                };
                connection.as_mut().graceful_shutdown();
                let _ = timeout(goodbye, connection).await;
                return;
            }
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }

    async fn answer(&self, request: Request<Incoming>, peer: SocketAddr) -> poem::Response {
        let local = LocalAddr(self.local.into());
        let scheme = if self.tls.is_some() { Scheme::HTTPS } else { Scheme::HTTP };
        let mut request = poem::Request::from((request, local, RemoteAddr(peer.into()), scheme));
        let body = request.take_body();
        request.set_body(if body.is_empty() { body } else { paced(body, self.config.server.body_timeout) });
        self.endpoint.get_response(request).await.into_response()
    }

    /// A head that is too large is answered by hyper, and reaches no route.
    fn log_unread(&self, ended: Result<(), Box<dyn std::error::Error + Send + Sync>>, peer: SocketAddr) {
        let is_too_large = |error: &hyper::Error| error.is_parse_too_large();
        if ended.is_err_and(|error| error.downcast_ref().is_some_and(is_too_large)) {
            self.log_refusal(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, peer, None);
        }
    }

    fn log_refusal(&self, status: StatusCode, peer: SocketAddr, request_id: Option<&str>) {
        if self.repeats.lists(status, peer.ip()) {
            tracing::info!(address = %peer.ip(), status = status.as_u16(), request_id, "refused");
        }
    }

    /// Says why a connection is refused, as long as that costs little; a TLS handshake would cost more than to serve it.
    fn refuse(&self, stream: TcpStream, peer: SocketAddr, full: LimitReached) {
        let request_id = uuid::Uuid::now_v7().to_string();
        let (status, text) = match full {
            LimitReached::Server => {
                (StatusCode::SERVICE_UNAVAILABLE, "The server has as many connections as it can take.")
            }
            LimitReached::Address => (StatusCode::TOO_MANY_REQUESTS, "Too many connections come from your address."),
        };
        self.log_refusal(status, peer, Some(&request_id));
        if self.tls.is_some() {
            return;
        }
        let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() else { return };
        let answer = refusal(status, text, &request_id, &self.headers);
        self.connections.spawn(async move {
            // Closing with an unread request would reset the connection, and the client would not receive the answer.
            let told = async {
                let mut stream = stream;
                stream.write_all(answer.as_bytes()).await?;
                stream.shutdown().await?;
                tokio::io::copy(&mut stream, &mut tokio::io::sink()).await
            };
            let _ = timeout(GOODBYE, told).await;
            drop(permit);
        });
    }
}

/// The whole answer to a connection that is refused before it has asked.
fn refusal(status: StatusCode, text: &'static str, request_id: &str, headers: &str) -> String {
    // Its kind is in the status already.
    let failure = ApiError::new(ErrorKind::TooMany, "too-many-connections", text).failure(request_id);
    let body = serde_json::to_string(&failure).expect("a failure is plain data");
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: {}\r\n\
         retry-after: {}\r\nx-request-id: {request_id}\r\n{headers}connection: close\r\n\r\n{body}",
        body.len(),
        RETRY_AFTER.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_file_descriptors_accepting_pauses() {
        // EMFILE, ENFILE, ENOMEM; then ECONNABORTED.
        for code in [24, 23, 12] {
            assert!(!is_of_the_client(&io::Error::from_raw_os_error(code)));
        }
        assert!(is_of_the_client(&io::Error::from_raw_os_error(103)));
    }
}
