//! The edge: accepts connections within limits, and hands their requests to the routes. In a cluster the leader's edge also
//! takes what other nodes pass on, in streams of theirs: each has one request, whose head names the client.
//!
//! All of it runs on threads of its own ([`background::edge`]), and so does TLS: however much is asked, play goes on. A connection
//! that becomes a websocket moves to the threads of play.
//!
//! poem's own server has no limit of connections, of a head or of a body, and spins when there are no file descriptors.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use futures_util::future::{Either, ready};
use hyper::{
    Request, Response,
    body::{Body, Incoming},
    service::service_fn,
    upgrade::OnUpgrade,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto,
};
use morpion_store::yield_point;
use poem::{
    Endpoint, IntoResponse,
    http::{Method, StatusCode, Version, header, uri::Scheme},
    web::{LocalAddr, RemoteAddr},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
    time::{sleep, timeout},
};
use tokio_rustls::{TlsAcceptor, server::TlsStream};
use tokio_util::{
    sync::CancellationToken,
    task::{AbortOnDropHandle, TaskTracker},
};

use super::{
    activity::{Activity, ClientStream, OpenRequest},
    pace::paced,
    upgraded::upgraded,
};
use crate::{
    account::identify::client_address,
    api_error::{ApiError, ErrorKind},
    background,
    cluster::TunnelStream,
    config::{Config, Server as ServerConfig},
    http::{
        constant::IsConstant,
        headers::SecurityHeaders,
        passing::{CLIENT, PassedClient},
        repeats::Repeats,
    },
    process::connections_with_files,
    realtime::upgrade::Upgrade,
    shares::{Full, Share, Shares},
    subject::{ClientAddress, Subject},
    tls::ACME_TLS,
};

/// Streams of one HTTP/2 connection at once: several times what a page of ours asks for.
const MAX_STREAMS: u32 = 100;

/// A request's head: three times what our pages send with every cookie, answered 431 above.
const MAX_HEAD: usize = 32 * 1024;
const MAX_HEADERS: usize = 100;

/// What a client may send of the bodies of a connection before they are read, and of one of them, in bytes.
const CONNECTION_WINDOW: u32 = 128 * 1024;
const STREAM_WINDOW: u32 = 64 * 1024;

/// What a node adds to a head that it passes on, at most: the client, and the host of HTTP/2.
const ADDED_TO_HEAD: usize = 1_024;
const ADDED_HEADERS: usize = 2;

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
    /// Connections, one each, and bytes that are held for clients; shared by all listeners.
    pub limits: EdgeLimits,
    /// Of refusals.
    pub headers: SecurityHeaders,
    /// Streams of other nodes. They are not counted: those nodes have limits too.
    pub tunnelled: Option<mpsc::Receiver<TunnelStream>>,
}

/// What strangers may take of the edge.
#[derive(Clone)]
pub struct EdgeLimits {
    pub connections: Arc<Shares>,
    pub held: Arc<Shares>,
}

impl EdgeLimits {
    /// Those of a server, whose connections need file descriptors.
    pub fn new(config: &ServerConfig, held: Arc<Shares>) -> Self {
        let connections = connections_with_files(config.max_connections) as u64;
        Self { connections: Shares::new(connections, config.max_connections_per_address as u64), held }
    }
}

struct Edge<E> {
    endpoint: E,
    config: Arc<Config>,
    tls: Option<TlsAcceptor>,
    /// The security headers of refusals, and the same as lines.
    headers: SecurityHeaders,
    header_lines: String,
    repeats: Repeats,
    limits: EdgeLimits,
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
    let Listening { listener, tls, limits, headers, tunnelled } = listening;
    let listener = listener.into_std()?;
    let edge = Arc::new(Edge {
        endpoint,
        tls,
        limits,
        header_lines: headers.lines(),
        headers,
        repeats,
        config,
        local: listener.local_addr()?,
        refusals: Arc::new(Semaphore::new(MAX_REFUSALS)),
        finish: CancellationToken::new(),
        cut: CancellationToken::new(),
        connections: TaskTracker::new(),
    });
    tracing::info!(address = %edge.local, tls = edge.tls.is_some(), "listening");
    let mut accepting = AbortOnDropHandle::new(background::edge().spawn(accept_all(Arc::clone(&edge), listener)));
    tokio::select! {
        () = shutdown => {}
        ended = &mut accepting => ended??,
        () = accept_passed(&edge, tunnelled) => {}
    }
    accepting.abort();
    // The listener is closed then.
    let _ = accepting.await;
    edge.finish.cancel();
    edge.connections.close();
    if timeout(finish_within, edge.connections.wait()).await.is_err() {
        edge.cut.cancel();
        edge.connections.wait().await;
    }
    Ok(())
}

/// Ends only if this runtime cannot have the listener.
async fn accept_all<E: Endpoint<Output = poem::Response> + 'static>(
    edge: Arc<Edge<E>>,
    listener: std::net::TcpListener,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
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

/// Never ends.
async fn accept_passed<E: Endpoint<Output = poem::Response> + 'static>(
    edge: &Arc<Edge<E>>,
    tunnelled: Option<mpsc::Receiver<TunnelStream>>,
) {
    if let Some(mut tunnelled) = tunnelled {
        while let Some(stream) = tunnelled.recv().await {
            edge.admit_passed(stream);
        }
    }
    std::future::pending().await
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
        let counted = Some(peer.ip()).filter(|&ip| !self.config.trusts_proxy(ip)).map(|ip| self.config.client(ip));
        let permit = match self.limits.connections.take(counted.map(Subject::from), 1) {
            Ok(permit) => permit,
            Err(full) => return self.refuse(stream, peer, full),
        };
        // Small frames are sent at once instead of waiting some 40 ms for an acknowledgement. A client that has
        // already gone is noticed when it is read from.
        let _ = stream.set_nodelay(true);
        let (edge, stream) = (Arc::clone(self), self.watched(stream, Some(permit), counted));
        self.spawn(async move { edge.serve_client(stream, peer).await });
    }

    fn admit_passed(self: &Arc<Self>, stream: TunnelStream) {
        let (edge, stream) = (Arc::clone(self), self.watched(stream, None, None));
        self.spawn(async move {
            let activity = Arc::clone(&stream.activity);
            edge.serve_connection(stream, activity, None).await;
        });
    }

    fn watched<S>(&self, stream: S, permit: Option<Share>, peer: Option<ClientAddress>) -> ClientStream<S> {
        let limits = &self.config.server;
        let head = self.limits.held.begin(peer.map(Subject::from));
        let activity = Activity::new(limits.head_timeout, limits.idle_timeout, head);
        ClientStream { stream, activity, permit }
    }

    fn spawn(&self, serving: impl Future<Output = ()> + Send + 'static) {
        self.connections.spawn_on(self.cut.clone().run_until_cancelled_owned(serving), &background::edge());
    }

    async fn serve_client(self: &Arc<Self>, stream: ClientStream<TcpStream>, peer: SocketAddr) {
        let activity = Arc::clone(&stream.activity);
        let Some(tls) = &self.tls else { return self.serve_connection(stream, activity, Some(peer)).await };
        if let Some(stream) = self.shake_hands(tls, stream, peer).await {
            self.serve_connection(stream, activity, Some(peer)).await;
        }
    }

    /// A client has as long for the handshake and its first head together as it has for a head without TLS.
    async fn shake_hands(
        &self,
        tls: &TlsAcceptor,
        stream: ClientStream<TcpStream>,
        peer: SocketAddr,
    ) -> Option<TlsStream<ClientStream<TcpStream>>> {
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

    /// Without a `peer` the stream is another node's.
    async fn serve_connection(
        self: &Arc<Self>,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        activity: Arc<Activity>,
        peer: Option<SocketAddr>,
    ) {
        let service = service_fn(|request: Request<Incoming>| {
            yield_point();
            // Of an answer to HEAD nothing is sent.
            let may_be_cancelled = request.version() == Version::HTTP_2 && request.method() != Method::HEAD;
            let mut open = activity.begin(may_be_cancelled);
            let request = match self.admit_request(request, peer, &mut open) {
                Ok(request) => request,
                Err(refusal) => return Either::Left(ready(Ok::<_, Infallible>(open.answered((*refusal).into())))),
            };
            let edge = Arc::clone(self);
            // In a box: a stream of HTTP/2 keeps the room of this future until its answer is sent, and has it before its turn
            // comes.
            Either::Right(Box::pin(async move {
                let mut answer = Response::from(edge.endpoint.get_response(request).await.into_response());
                if let Err(full) = open.hold_answer(own_bytes(&answer)) {
                    answer = Response::from(edge.has_no_room(full, peer));
                }
                Ok(open.answered(answer))
            }))
        });
        let mut http = auto::Builder::new(TokioExecutor::new());
        let (max_headers, max_head) = match peer {
            Some(_) => (MAX_HEADERS, MAX_HEAD),
            None => (MAX_HEADERS + ADDED_HEADERS, MAX_HEAD + ADDED_TO_HEAD),
        };
        http.http1().max_headers(max_headers).max_buf_size(max_head).header_read_timeout(None);
        http.http2()
            .max_concurrent_streams(MAX_STREAMS)
            .max_header_list_size(MAX_HEAD as u32)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_stream_window_size(STREAM_WINDOW);
        let connection = http.serve_connection_with_upgrades(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        tokio::select! {
            ended = &mut connection => {
                activity.end();
                return self.log_unread(ended, peer);
            }
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

    /// A request for the routes, or why it is refused.
    fn admit_request(
        &self,
        mut request: Request<Incoming>,
        peer: Option<SocketAddr>,
        open: &mut OpenRequest,
    ) -> Result<poem::Request, Box<poem::Response>> {
        // A client cannot name itself.
        let named = request.headers_mut().remove(CLIENT);
        let client = match peer {
            Some(address) => {
                let scheme = if self.tls.is_some() { Scheme::HTTPS } else { Scheme::HTTP };
                Some(PassedClient { address, scheme })
            }
            None => named.as_ref().and_then(PassedClient::from_header),
        };
        let Some(PassedClient { address, scheme }) = client else {
            return Err(Box::new(self.refusal_of(&ApiError::malformed("The request names no client."), peer)));
        };
        self.check_host(&request).map_err(|error| Box::new(self.refusal_of(&error, peer)))?;
        let head = bytes_of_head(&request);
        let local = LocalAddr(self.local.into());
        // poem would keep the stream of an upgrade to itself.
        let upgrade = request.extensions().get::<OnUpgrade>().cloned();
        let mut request = poem::Request::from((request, local, RemoteAddr(address.into()), scheme));
        if let Some(upgrade) = upgrade {
            request.extensions_mut().insert(Upgrade::new(upgraded(upgrade)));
        }
        let held = open
            .hold(&self.limits.held, client_address(&self.config, &request), head)
            .map_err(|full| Box::new(self.has_no_room(full, peer)))?;
        let body = request.take_body();
        request.set_body(if body.is_empty() { body } else { paced(body, self.config.server.body_timeout, held) });
        Ok(request)
    }

    /// A request names one host, and says so once; otherwise whatever stands in front may have taken it for another's. A
    /// target in the absolute form has to be ours.
    fn check_host(&self, request: &Request<Incoming>) -> Result<(), ApiError> {
        let named = request.headers().get_all(header::HOST).iter().map(|host| host.to_str().ok());
        let named: Vec<_> = named.chain(request.uri().authority().map(|authority| Some(authority.as_str()))).collect();
        let is_one = match named[..] {
            [] => request.version() < Version::HTTP_11,
            [Some(host), ..] => named.iter().all(|other| other.is_some_and(|other| other.eq_ignore_ascii_case(host))),
            [None, ..] => false,
        };
        if !is_one || request.headers().get_all(header::HOST).iter().nth(1).is_some() {
            return Err(ApiError::malformed("A request names one host, once."));
        }
        let is_absolute = request.version() < Version::HTTP_2 && request.method() != Method::CONNECT;
        match request.uri().authority().filter(|_| is_absolute) {
            Some(host) if !self.config.allows_host(host.as_str()) => {
                Err(ApiError::new(ErrorKind::Misdirected, "bad-host", "This server is not the host of that address."))
            }
            _ => Ok(()),
        }
    }

    fn refusal_of(&self, error: &ApiError, peer: Option<SocketAddr>) -> poem::Response {
        let mut response = error.respond("");
        self.headers.add_to(&mut response);
        self.log_refusal(response.status(), peer, None);
        response
    }

    fn has_no_room(&self, full: Full, peer: Option<SocketAddr>) -> poem::Response {
        let mut response = full.respond();
        self.headers.add_to(&mut response);
        self.log_refusal(response.status(), peer, None);
        response
    }

    /// A head that is too large is answered by hyper, and reaches no route.
    fn log_unread(&self, ended: Result<(), Box<dyn std::error::Error + Send + Sync>>, peer: Option<SocketAddr>) {
        let is_too_large = |error: &hyper::Error| error.is_parse_too_large();
        if ended.is_err_and(|error| error.downcast_ref().is_some_and(is_too_large)) {
            self.log_refusal(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, peer, None);
        }
    }

    /// What comes through another node is that one's to refuse.
    fn log_refusal(&self, status: StatusCode, peer: Option<SocketAddr>, request_id: Option<&str>) {
        if let Some(peer) = peer
            && self.repeats.lists(status, peer.ip())
        {
            tracing::info!(address = %peer.ip(), status = status.as_u16(), request_id, "refused");
        }
    }

    /// Says why a connection is refused, as long as that costs little; a TLS handshake would cost more than to serve it.
    fn refuse(&self, stream: TcpStream, peer: SocketAddr, full: Full) {
        let request_id = uuid::Uuid::now_v7().to_string();
        let status = full.status();
        let text = match full {
            Full::InAll => "The server has as many connections as it can take.",
            Full::ForOne => "Too many connections come from your address.",
        };
        self.log_refusal(status, Some(peer), Some(&request_id));
        if self.tls.is_some() {
            return;
        }
        let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() else { return };
        let answer = refusal(status, text, &request_id, &self.header_lines);
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

/// What an answer has in memory for itself. What is generated while it is sent is counted as it comes.
fn own_bytes(answer: &Response<impl Body>) -> u64 {
    let is_constant = answer.extensions().get::<IsConstant>().is_some();
    answer.body().size_hint().exact().filter(|_| !is_constant).unwrap_or_default()
}

/// About what a request's head takes in memory.
fn bytes_of_head(request: &Request<Incoming>) -> u64 {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    (target + headers.sum::<usize>()) as u64
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
    use poem::endpoint::make_sync;
    use tokio::io::{AsyncReadExt, DuplexStream, duplex};

    use super::*;
    use crate::{
        cluster::{Tunnel, serve_tunnel},
        realtime::upgrade::UpgradedStream,
    };

    trait Stream: AsyncRead + AsyncWrite + Unpin {}
    impl<S: AsyncRead + AsyncWrite + Unpin> Stream for S {}

    /// An edge with room for this many connections, and a tunnel to it.
    async fn edge_of(endpoint: impl Endpoint<Output = poem::Response> + 'static, room: u64) -> (SocketAddr, Tunnel) {
        let bytes = 64 << 20;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, config) = (listener.local_addr().unwrap(), Arc::new(Config::default()));
        let (accepted, tunnelled) = mpsc::channel(1);
        let (near, far): (DuplexStream, DuplexStream) = duplex(4 << 10);
        tokio::spawn(serve_tunnel(far, accepted));
        let headers = SecurityHeaders::new(&config);
        let limits = EdgeLimits { connections: Shares::new(room, room), held: Shares::new(bytes, bytes) };
        let listening = Listening { listener, tls: None, limits, headers, tunnelled: Some(tunnelled) };
        let serving = serve(listening, endpoint, config, Repeats::default(), std::future::pending(), Duration::ZERO);
        tokio::spawn(serving);
        (address, Tunnel::over(near))
    }

    /// An edge that tells each client's address and scheme.
    async fn edge() -> (SocketAddr, Tunnel) {
        let told = make_sync(|request: poem::Request| {
            let is_named = request.headers().contains_key(CLIENT);
            poem::Response::from(format!("{} {} {is_named}", request.scheme(), request.remote_addr()))
        });
        edge_of(told, 10).await
    }

    /// Answers each word of four letters with the word and where it was read from.
    async fn answer_words(mut read: impl AsyncRead + Unpin, mut write: impl AsyncWrite + Unpin, from: &str) {
        let mut word = [0; 4];
        while read.read_exact(&mut word).await.is_ok() {
            write.write_all(&[&word, from.as_bytes()].concat()).await.unwrap();
        }
    }

    /// An edge that upgrades every request.
    async fn upgrading_edge(room: u64) -> (SocketAddr, Tunnel) {
        let upgrading = make_sync(|request: poem::Request| {
            let upgrade = request.extensions().get::<Upgrade>().unwrap().take().unwrap();
            tokio::spawn(async move {
                match upgrade.await.unwrap() {
                    UpgradedStream::Socket { read, write, guard: _guard } => {
                        answer_words(read, write, " direct.").await;
                    }
                    UpgradedStream::Other { read, write, guard: _guard } => {
                        answer_words(read, write, " layered").await;
                    }
                }
            });
            let answer = StatusCode::SWITCHING_PROTOCOLS.with_header("connection", "upgrade");
            answer.with_header("upgrade", "websocket").into_response()
        });
        edge_of(upgrading, room).await
    }

    /// Asks for an upgrade, with these bytes of the upgraded connection in the same write, and returns the answer's head.
    async fn upgrade(mut stream: impl Stream, client: &str, first: &str) -> String {
        let head = "GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n";
        let request = format!("{head}{client}\r\n{first}");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = vec![];
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        String::from_utf8(head).unwrap()
    }

    #[tokio::test]
    async fn an_upgraded_connection_begins_with_what_came_with_its_request() {
        let (address, tunnel) = upgrading_edge(10).await;
        let answers = async |mut stream: Box<dyn Stream>, client: &str, first: &str| {
            upgrade(&mut stream, client, first).await;
            stream.write_all(b"line").await.unwrap();
            let mut answers = vec![0; 12 + 3 * first.len()];
            stream.read_exact(&mut answers).await.unwrap();
            String::from_utf8(answers).unwrap()
        };
        let connected = async || Box::new(TcpStream::connect(address).await.unwrap());
        assert_eq!(answers(connected().await, "", "").await, "line direct.");
        assert_eq!(answers(connected().await, "", "pipe").await, "pipe layeredline layered");
        let named = "x-morpion-client: https 192.0.2.1:7\r\n";
        let stream = tunnel.open().await.unwrap();
        assert_eq!(answers(Box::new(stream), named, "pipe").await, "pipe layeredline layered");
    }

    #[tokio::test]
    async fn an_upgraded_connection_counts_until_its_end() {
        let (address, _tunnel) = upgrading_edge(1).await;
        let connected = async || TcpStream::connect(address).await.unwrap();
        let upgraded = async |first: &str| {
            loop {
                let mut stream = connected().await;
                if upgrade(&mut stream, "", first).await.starts_with("HTTP/1.1 101") {
                    return stream;
                }
            }
        };
        for first in ["", "pipe"] {
            // The end of the one before takes a moment.
            let mut stream = timeout(Duration::from_secs(10), upgraded(first)).await.unwrap();
            stream.write_all(b"line").await.unwrap();
            stream.read_exact(&mut [0; 12]).await.unwrap();
            let refused = upgrade(connected().await, "", "").await;
            assert!(refused.starts_with("HTTP/1.1 503"), "{refused}");
        }
    }

    async fn asked(mut stream: impl AsyncRead + AsyncWrite + Unpin, client: &str) -> String {
        let request = format!("GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n{client}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn another_node_names_the_client_and_the_client_does_not() {
        const NAMED: &str = "x-morpion-client: https 192.0.2.1:7\r\n";
        let (address, tunnel) = edge().await;
        let answer = asked(tunnel.open().await.unwrap(), NAMED).await;
        assert!(answer.ends_with("https socket://192.0.2.1:7 false"), "{answer}");
        let answer = asked(tunnel.open().await.unwrap(), "").await;
        assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
        let stream = TcpStream::connect(address).await.unwrap();
        let own = stream.local_addr().unwrap();
        let answer = asked(stream, NAMED).await;
        assert!(answer.ends_with(&format!("http socket://{own} false")), "{answer}");
    }

    #[test]
    fn without_file_descriptors_accepting_pauses() {
        // EMFILE, ENFILE, ENOMEM; then ECONNABORTED.
        for code in [24, 23, 12] {
            assert!(!is_of_the_client(&io::Error::from_raw_os_error(code)));
        }
        assert!(is_of_the_client(&io::Error::from_raw_os_error(103)));
    }
}
