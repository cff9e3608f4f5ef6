//! A server that does not lead passes what it is asked to the one that does.
//!
//! Each request has a stream of its own through a tunnel, in HTTP/1.1: no stream is used again, so none is given up by the
//! other side just when a request is sent. Websockets have tunnels of their own, so that no large answer delays a move, and
//! several, since opening a stream takes the longer the more a tunnel has.

use std::{
    error::Error as _,
    io,
    net::{Ipv4Addr, SocketAddr},
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use bytes::Bytes;
use futures_util::{
    Stream,
    future::{select_all, try_join_all},
    poll, stream,
};
use hyper::{
    body::{Body as HttpBody, Frame, Incoming, SizeHint},
    client::conn::http1,
    upgrade,
};
use hyper_util::rt::TokioIo;
use morpion_cluster::NodeId;
use poem::{
    Body, Endpoint, OnUpgrade, Request, Response,
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header, request::Parts, uri::Scheme},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::watch,
    time::{Instant, sleep, timeout, timeout_at},
};
use tokio_util::task::AbortOnDropHandle;
use uuid::Uuid;

use super::request_log::REQUEST_ID;
use crate::{
    account::identify::{CHANGES_BY_GET, client_address},
    api_error::{ApiError, ErrorKind},
    cluster::{Cluster, MAX_STREAMS, Tunnel, TunnelStream, WINDOW},
    config::Config,
    shares::{Full, Share, Shares},
    subject::ClientAddress,
};

/// Names the client of a passed request: [`PassedClient`]. What a client sends under this name is removed.
pub const CLIENT: HeaderName = HeaderName::from_static("x-morpion-client");

/// Tunnels for websockets.
const SOCKET_TUNNELS: usize = 8;

/// Requests of one address that are under way at once: a small part of [`MAX_STREAMS`], and several times what the pages of
/// a school ask for at the same moment.
const REQUESTS_PER_ADDRESS: usize = 256;

/// How long a request waits for a leader: a takeover takes about as long.
const WAIT: Duration = Duration::from_secs(2);

/// When a client may try again that found no leader, or too many requests under way.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Pauses between attempts to reach the leader.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Bytes that are moved at once from a websocket's client, whose frames are small, and to it: an idle websocket keeps
/// memory for no more.
const FROM_CLIENT: usize = 512;
const TO_CLIENT: usize = 2 << 10;

/// Once one side of a websocket has ended, the other has so long.
const GOODBYE: Duration = Duration::from_secs(2);

/// Headers of one connection, besides those that `Connection` names.
const HOP_BY_HOP: [&str; 6] = ["connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade"];

const ADDED_BY_PROXIES: [&str; 5] = ["forwarded", "host", "x-forwarded-for", "x-forwarded-proto", "x-real-ip"];

/// The client of a passed request, as the server saw it that it is connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassedClient {
    pub address: SocketAddr,
    pub scheme: Scheme,
}

impl PassedClient {
    fn of(request: &Request) -> Self {
        // Only a test that calls the endpoint directly has no address.
        let address = request.remote_addr().as_socket_addr().copied();
        let address = address.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 0).into());
        Self { address, scheme: request.scheme().clone() }
    }

    fn to_header(&self) -> HeaderValue {
        HeaderValue::try_from(format!("{} {}", self.scheme, self.address)).expect("schemes and addresses are ASCII")
    }

    /// The client that a passed request names; `None` if it is not in the form that nodes write.
    pub fn from_header(value: &HeaderValue) -> Option<Self> {
        let (scheme, address) = value.to_str().ok()?.split_once(' ')?;
        let scheme = match scheme {
            "http" => Scheme::HTTP,
            "https" => Scheme::HTTPS,
            _ => return None,
        };
        Some(Self { address: address.parse().ok()?, scheme })
    }
}

/// Passes requests to the node that leads. Keeps tunnels to it, also while there are no requests; they end when this is
/// dropped.
#[derive(Debug)]
pub struct Passing {
    config: Arc<Config>,
    /// Those of requests; websockets are among them until they are answered.
    streams: Arc<Shares>,
    /// Bytes that are held for clients: what a tunnel has of answers that they do not read is among them.
    held: Arc<Shares>,
    tunnels: watch::Receiver<Option<Arc<Tunnels>>>,
    _keeper: AbortOnDropHandle<()>,
}

impl Passing {
    /// To whoever leads the cluster, once `cluster` tells of this node.
    pub fn new(config: &Arc<Config>, held: Arc<Shares>, cluster: watch::Receiver<Option<Cluster>>) -> Self {
        Self::kept_by(config, held, |tunnels| async move {
            let cluster = Cluster::started(cluster).await;
            let leader = cluster.leaders();
            let dial = move |leader: NodeId| {
                let cluster = cluster.clone();
                async move { cluster.dial(leader).await }
            };
            keep(leader, tunnels, dial).await;
        })
    }

    /// `keeper` gets where it shows the tunnels to the node that leads.
    fn kept_by<F, K>(config: &Arc<Config>, held: Arc<Shares>, keeper: K) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
        K: FnOnce(watch::Sender<Option<Arc<Tunnels>>>) -> F,
    {
        let (shown, tunnels) = watch::channel(None);
        Self {
            config: Arc::clone(config),
            streams: Shares::new(MAX_STREAMS as u64, REQUESTS_PER_ADDRESS as u64),
            held,
            tunnels,
            _keeper: AbortOnDropHandle::new(tokio::spawn(keeper(shown))),
        }
    }

    /// Tells whether there is a leader that requests can be passed to.
    pub fn readiness(&self) -> impl Fn() -> bool + Send + Sync + use<> {
        let tunnels = self.tunnels.clone();
        move || usable(&tunnels.borrow()).is_some()
    }

    async fn pass(&self, mut request: Request) -> Result<Response, ApiError> {
        if request.method() == Method::CONNECT {
            return Err(ApiError::new(ErrorKind::WrongMethod, "method-not-allowed", "This server is no proxy."));
        }
        let upgrading = if wants_upgrade(&request) { request.take_upgrade().ok() } else { None };
        let client = client_address(&self.config, &request);
        let (head, body) = (head_for_leader(&request, upgrading.is_some()), PassedBody::from(request.take_body()));
        let (whole, mut may_repeat) = (body.is_empty.then(|| head.clone()), only_reads(&head));
        let again = || whole.clone().map(|head| hyper::Request::from_parts(head, PassedBody::empty()));
        let mut request = hyper::Request::from_parts(head, body);
        let deadline = Instant::now() + WAIT;
        // What waits for a leader takes no stream yet, and so no permit.
        self.wait_for_tunnels(deadline).await?;
        let permit = self.permit(client)?;
        loop {
            let tunnels = self.wait_for_tunnels(deadline).await?;
            let failed = match exchange(tunnels.choose(upgrading.is_some()), request, Arc::clone(&permit)).await {
                Ok(answer) => {
                    let subject = Some(client.into());
                    let upgrading = upgrading.map(|upgrade| (upgrade, self.held.begin(subject)));
                    return match self.held.take(subject, bytes_in_tunnel(answer.body())) {
                        Ok(room) => answer_for_client(answer, room, upgrading),
                        Err(full) => Ok(full.respond()),
                    };
                }
                Err(failed) => failed,
            };
            request = match (failed, again()) {
                (Failed::Unsent(request), _) if Instant::now() < deadline => *request,
                (Failed::Untaken, Some(request)) if Instant::now() < deadline => {
                    sleep(FIRST_PAUSE).await;
                    request
                }
                (Failed::Unsent(_) | Failed::Untaken, _) => return Err(nobody_leads()),
                (Failed::Unanswered, Some(request)) if may_repeat => {
                    may_repeat = false;
                    request
                }
                (Failed::Unanswered, _) => return Err(unanswered()),
                (Failed::Refused(error), _) => return Err(error),
            };
        }
    }

    /// A permit for one stream. Otherwise few clients could take all streams of the tunnel, which all clients share.
    fn permit(&self, client: ClientAddress) -> Result<Arc<Share>, ApiError> {
        match self.streams.take(Some(client.into()), 1) {
            Ok(permit) => Ok(Arc::new(permit)),
            Err(Full::InAll) => Err(too_many_under_way()),
            Err(Full::ForOne) => Err(ApiError::too_many(RETRY_AFTER)),
        }
    }

    async fn wait_for_tunnels(&self, deadline: Instant) -> Result<Arc<Tunnels>, ApiError> {
        let mut tunnels = self.tunnels.clone();
        let usable_ones = async {
            let tunnels = tunnels.wait_for(|tunnels| usable(tunnels).is_some()).await.ok()?;
            usable(&tunnels)
        };
        timeout_at(deadline, usable_ones).await.ok().flatten().ok_or_else(nobody_leads)
    }
}

impl Endpoint for Passing {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let error = match self.pass(request).await {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        let id = Uuid::now_v7().to_string();
        let mut response = error.respond(&id);
        response.headers_mut().insert(REQUEST_ID, id.parse().expect("a UUID is a header value"));
        Ok(response)
    }
}

fn nobody_leads() -> ApiError {
    ApiError::unavailable("No server leads at the moment. Please try again.").and_retry_after(RETRY_AFTER)
}

fn too_many_under_way() -> ApiError {
    ApiError::unavailable("Too many requests are under way. Please try again.").and_retry_after(RETRY_AFTER)
}

fn unanswered() -> ApiError {
    let text = "The leading server did not answer; the request may have been carried out.";
    ApiError::new(ErrorKind::Unavailable, "unanswered", text).and_retry_after(RETRY_AFTER)
}

fn unreadable(error: &io::Error) -> ApiError {
    match error.kind() {
        io::ErrorKind::TimedOut => ApiError::new(ErrorKind::TooSlow, "too-slow", "The body came too slowly."),
        _ => ApiError::malformed("The body cannot be read."),
    }
}

/// Tunnels to one node.
#[derive(Debug)]
struct Tunnels {
    requests: Tunnel,
    sockets: Vec<Tunnel>,
    next: AtomicUsize,
}

impl Tunnels {
    async fn dial<F, L>(dial: impl Fn() -> F) -> io::Result<Self>
    where
        F: Future<Output = io::Result<L>>,
        L: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (requests, sockets) = tokio::try_join!(dial(), try_join_all((0..SOCKET_TUNNELS).map(|_| dial())))?;
        let sockets = sockets.into_iter().map(Tunnel::over).collect();
        Ok(Self { requests: Tunnel::over(requests), sockets, next: AtomicUsize::new(0) })
    }

    fn choose(&self, is_socket: bool) -> &Tunnel {
        if !is_socket {
            return &self.requests;
        }
        &self.sockets[self.next.fetch_add(1, Ordering::Relaxed) % self.sockets.len()]
    }

    fn all(&self) -> impl Iterator<Item = &Tunnel> {
        std::iter::once(&self.requests).chain(&self.sockets)
    }

    fn is_broken(&self) -> bool {
        self.all().any(Tunnel::is_broken)
    }

    /// Resolves when one of them has ended.
    async fn broken(&self) {
        select_all(self.all().map(|tunnel| Box::pin(tunnel.broken()))).await;
    }
}

fn usable(tunnels: &Option<Arc<Tunnels>>) -> Option<Arc<Tunnels>> {
    tunnels.as_ref().filter(|tunnels| !tunnels.is_broken()).cloned()
}

/// Keeps tunnels to the node that leads.
async fn keep<D, F, L>(
    mut leader: watch::Receiver<Option<NodeId>>,
    tunnels: watch::Sender<Option<Arc<Tunnels>>>,
    dial: D,
) where
    D: Fn(NodeId) -> F + Send + Sync + 'static,
    F: Future<Output = io::Result<L>> + Send,
    L: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    loop {
        let node = *leader.borrow_and_update();
        let keeping = async {
            match node {
                Some(node) => keep_to(node, &tunnels, &dial).await,
                None => std::future::pending().await,
            }
        };
        let is_over = tokio::select! {
            changed = leader.wait_for(|now| *now != node) => changed.is_err(),
            () = keeping => return,
        };
        tunnels.send_replace(None);
        if is_over {
            return;
        }
    }
}

/// Never returns.
async fn keep_to<D, F, L>(node: NodeId, tunnels: &watch::Sender<Option<Arc<Tunnels>>>, dial: &D)
where
    D: Fn(NodeId) -> F,
    F: Future<Output = io::Result<L>>,
    L: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let mut pause = FIRST_PAUSE;
    loop {
        match Tunnels::dial(|| dial(node)).await {
            Ok(dialled) => {
                pause = FIRST_PAUSE;
                let dialled = Arc::new(dialled);
                tunnels.send_replace(Some(Arc::clone(&dialled)));
                tracing::info!(leader = %node, "connected to the leading server");
                dialled.broken().await;
                tunnels.send_replace(None);
                tracing::warn!(leader = %node, "the connection to the leading server ended");
            }
            Err(error) => tracing::debug!(leader = %node, %error, "the leading server cannot be reached"),
        }
        sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

/// Why there is no answer.
enum Failed {
    /// The request did not leave this server.
    Unsent(Box<hyper::Request<PassedBody>>),
    /// The leader stops leading, and did not look at it.
    Untaken,
    /// It may have been carried out.
    Unanswered,
    /// There is a reason that the client is told.
    Refused(ApiError),
}

/// The permit is held until the whole answer was read, or nobody reads it any longer. A websocket needs none from its
/// answer on: it has a whole connection of its client, and those are limited already.
async fn exchange(
    tunnel: &Tunnel,
    request: hyper::Request<PassedBody>,
    permit: Arc<Share>,
) -> Result<hyper::Response<Incoming>, Failed> {
    let stream = match tunnel.open().await {
        Ok(stream) => stream,
        Err(error) if error.kind() == io::ErrorKind::QuotaExceeded => {
            return Err(Failed::Refused(too_many_under_way()));
        }
        Err(_) => return Err(Failed::Unsent(Box::new(request))),
    };
    let opened = http1::handshake::<TokioIo<TunnelStream>, PassedBody>(TokioIo::new(stream)).await;
    let Ok((mut sender, connection)) = opened else { return Err(Failed::Unsent(Box::new(request))) };
    tokio::spawn(async move {
        if let Err(error) = connection.with_upgrades().await {
            tracing::debug!(%error, "a passed request failed");
        }
        drop(permit);
    });
    // When this is dropped, the stream is closed.
    sender.try_send_request(request).await.map_err(|mut failed| {
        if let Some(request) = failed.take_message() {
            return Failed::Unsent(Box::new(request));
        }
        let error = failed.into_error();
        let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
        match cause {
            Some(cause) if error.is_user() => Failed::Refused(unreadable(cause)),
            Some(cause) if cause.kind() == io::ErrorKind::ConnectionRefused => Failed::Untaken,
            _ => Failed::Unanswered,
        }
    })
}

/// Whether carrying it out twice changes nothing.
fn only_reads(head: &Parts) -> bool {
    let query = head.uri.query().unwrap_or_default();
    matches!(head.method, Method::GET | Method::HEAD) && !CHANGES_BY_GET.iter().any(|action| query.contains(action))
}

fn wants_upgrade(request: &Request) -> bool {
    let headers = request.headers();
    request.version() == Version::HTTP_11
        && headers.contains_key(header::UPGRADE)
        && listed(headers, header::CONNECTION).any(|token| token.eq_ignore_ascii_case("upgrade"))
}

/// The items of a header that is a list.
fn listed(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

fn head_for_leader(request: &Request, upgrades: bool) -> Parts {
    let (mut head, ()) = hyper::Request::new(()).into_parts();
    head.method = request.method().clone();
    head.uri = request.uri().path_and_query().cloned().map_or_else(Uri::default, Uri::from);
    head.headers = request.headers().clone();
    if head.headers.contains_key(header::TRANSFER_ENCODING) {
        head.headers.remove(header::CONTENT_LENGTH);
    }
    remove_hop_by_hop(&mut head.headers, upgrades);
    // HTTP/2 has the host in the address.
    let authority = request.uri().authority().and_then(|authority| authority.as_str().parse().ok());
    if let (Some(host), false) = (authority, head.headers.contains_key(header::HOST)) {
        head.headers.insert(header::HOST, host);
    }
    head.headers.insert(CLIENT, PassedClient::of(request).to_header());
    head
}

/// Leaves what belongs to the message. `upgrades` keeps the change to another protocol.
fn remove_hop_by_hop(headers: &mut HeaderMap, upgrades: bool) {
    let protocol = headers.get(header::UPGRADE).filter(|_| upgrades).cloned();
    let named: Vec<HeaderName> = listed(headers, header::CONNECTION).filter_map(|name| name.parse().ok()).collect();
    // A client must not remove what proxies say of it.
    for name in named.into_iter().filter(|name| !ADDED_BY_PROXIES.contains(&name.as_str())) {
        headers.remove(name);
    }
    for name in HOP_BY_HOP {
        headers.remove(name);
    }
    if let Some(protocol) = protocol {
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, protocol);
    }
}

/// What of an answer may wait here at once until its client reads.
fn bytes_in_tunnel(answer: &Incoming) -> u64 {
    answer.size_hint().upper().map_or(WINDOW, |bytes| bytes.min(WINDOW))
}

/// `room` is for what waits of it in the tunnel.
fn answer_for_client(
    mut answer: hyper::Response<Incoming>,
    room: Share,
    upgrading: Option<(OnUpgrade, Share)>,
) -> Result<Response, ApiError> {
    let switches = answer.status() == StatusCode::SWITCHING_PROTOCOLS;
    let leader = upgrade::on(&mut answer);
    let (head, body) = answer.into_parts();
    let body = match (switches, upgrading) {
        (true, Some((client, room))) => {
            tokio::spawn(async move {
                if let (Ok(client), Ok(leader)) = tokio::join!(client, leader) {
                    join(client, TokioIo::new(leader), room).await;
                }
            });
            Body::empty()
        }
        (true, None) => return Err(ApiError::internal("the leading server changed to a protocol nobody asked for")),
        (false, _) => streamed(body, room),
    };
    let mut response = Response::builder().status(head.status).body(body);
    *response.headers_mut() = head.headers;
    remove_hop_by_hop(response.headers_mut(), switches);
    Ok(response)
}

fn streamed(mut body: Incoming, room: Share) -> Body {
    if body.is_end_stream() {
        return Body::empty();
    }
    Body::from_bytes_stream(stream::poll_fn(move |context| {
        let _given_back_with_the_body = &room;
        loop {
            return Poll::Ready(match ready!(Pin::new(&mut body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(bytes) => Some(Ok(bytes)),
                    // Trailers; there are none.
                    Err(_) => continue,
                },
                Some(Err(error)) => Some(Err(io::Error::other(error))),
                None => None,
            });
        }
    }))
}

/// Moves bytes in both directions until both have ended, or one of them failed. `room` grows while the client does not read.
async fn join(client: impl AsyncRead + AsyncWrite, leader: impl AsyncRead + AsyncWrite, mut room: Share) {
    let ((client_read, client_write), (leader_read, leader_write)) =
        (tokio::io::split(client), tokio::io::split(leader));
    let mut up = pin!(pump(client_read, leader_write, FROM_CLIENT, None));
    let mut down = pin!(pump(leader_read, client_write, TO_CLIENT, Some(&mut room)));
    tokio::select! {
        ended = &mut up => if ended.is_ok() {
            let _ = timeout(GOODBYE, down).await;
        },
        ended = &mut down => if ended.is_ok() {
            let _ = timeout(GOODBYE, up).await;
        },
    }
}

/// While what is moved is not taken at once, more may come to wait in the tunnel: `room` is for it.
async fn pump(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    at_once: usize,
    mut room: Option<&mut Share>,
) -> io::Result<()> {
    let mut bytes = vec![0; at_once];
    loop {
        let read = from.read(&mut bytes).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        let mut writing = pin!(async {
            to.write_all(&bytes[..read]).await?;
            to.flush().await
        });
        if let Poll::Ready(written) = poll!(&mut writing) {
            written?;
            continue;
        }
        if let Some(room) = &mut room {
            room.grow(WINDOW).map_err(|full| io::Error::new(io::ErrorKind::QuotaExceeded, full.to_string()))?;
        }
        writing.await?;
        if let Some(room) = &mut room {
            room.shrink_to(0);
        }
    }
}

/// A request's body on its way to the leader.
struct PassedBody {
    chunks: Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>,
    is_empty: bool,
}

impl PassedBody {
    fn empty() -> Self {
        Self { chunks: Box::pin(stream::empty()), is_empty: true }
    }
}

impl From<Body> for PassedBody {
    fn from(body: Body) -> Self {
        if body.is_empty() {
            return Self::empty();
        }
        Self { chunks: Box::pin(body.into_bytes_stream()), is_empty: false }
    }
}

impl HttpBody for PassedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        self.chunks.as_mut().poll_next(context).map_ok(Frame::data)
    }

    fn is_end_stream(&self) -> bool {
        self.is_empty
    }

    fn size_hint(&self) -> SizeHint {
        if self.is_empty { SizeHint::with_exact(0) } else { SizeHint::default() }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        future::{Ready, ready},
        sync::atomic::AtomicBool,
    };

    use futures_util::StreamExt;
    use hyper::{server, service::service_fn};
    use parking_lot::Mutex;
    use poem::{
        IntoResponse,
        endpoint::{make, make_sync},
        test::TestClient,
        web::{LocalAddr, RemoteAddr},
    };
    use tokio::{
        io::{DuplexStream, duplex},
        sync::{Notify, mpsc},
        task::AbortHandle,
    };

    use super::*;
    use crate::cluster::serve_tunnel as serve;

    /// Serves one connection.
    async fn serve_http<E: Endpoint + 'static>(
        stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static,
        routes: Arc<E>,
    ) {
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let routes = Arc::clone(&routes);
            async move {
                let request = Request::from((request, LocalAddr::default(), RemoteAddr::default(), Scheme::HTTP));
                Ok::<_, Infallible>(hyper::Response::from(routes.get_response(request).await))
            }
        });
        let connection = server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        let _ = connection.with_upgrades().await;
    }

    type Links = Arc<Mutex<Vec<AbortHandle>>>;

    /// A node that leads, and can be dialled; aborting its links breaks them.
    fn leader(routes: impl Endpoint + 'static, links: Links) -> impl Fn(NodeId) -> Ready<io::Result<DuplexStream>> {
        let routes = Arc::new(routes);
        let (accepted, mut streams) = mpsc::channel::<TunnelStream>(16);
        tokio::spawn(async move {
            while let Some(stream) = streams.recv().await {
                tokio::spawn(serve_http(stream, Arc::clone(&routes)));
            }
        });
        move |_| {
            let (near, far) = duplex(64 << 10);
            links.lock().push(tokio::spawn(serve(far, accepted.clone())).abort_handle());
            ready(Ok(near))
        }
    }

    /// A node that follows this one.
    fn following(
        dial: impl Fn(NodeId) -> Ready<io::Result<DuplexStream>> + Send + Sync + 'static,
    ) -> (Passing, watch::Sender<Option<NodeId>>) {
        let (sender, leader) = watch::channel(Some(NodeId(1)));
        let mut config = Config::default();
        config.server.trusted_proxies = vec![std::net::IpAddr::from(Ipv4Addr::LOCALHOST).into()];
        let held = Shares::of_bytes(&config.server);
        (Passing::kept_by(&Arc::new(config), held, |tunnels| keep(leader, tunnels, dial)), sender)
    }

    #[tokio::test]
    async fn what_of_an_answer_waits_in_the_tunnel_is_counted_until_it_is_read() {
        const LONG: usize = 3 * WINDOW as usize;
        let answers = make_sync(|request: Request| match request.uri().path() {
            "/api/short" => Body::from("short"),
            "/api/long" => Body::from(vec![b'x'; LONG]),
            // Of a length that nobody knows.
            _ => Body::from_bytes_stream(stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"unknown"))])),
        });
        let (mut passing, _leader) = following(leader(answers, Links::default()));
        passing.held = Shares::new(3 * WINDOW, 2 * WINDOW + 5);
        let held = Arc::clone(&passing.held);
        let client = TestClient::new(passing);
        let at = |address: &'static str, path: &'static str| client.get(path).header("x-forwarded-for", address).send();
        let mut unread = vec![];
        for (path, taken) in [("/api/short", 5), ("/api/long", WINDOW + 5), ("/api/unknown", 2 * WINDOW + 5)] {
            unread.push(at("192.0.2.1", path).await);
            assert_eq!(held.taken(), taken, "{path}");
        }
        at("192.0.2.1", "/api/short").await.assert_status(StatusCode::TOO_MANY_REQUESTS);
        at("192.0.2.2", "/api/long").await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
        at("192.0.2.2", "/api/short").await.assert_text("short").await;
        let long = unread.remove(1).0.into_body().into_vec().await.unwrap();
        assert_eq!((long.len(), held.taken()), (LONG, WINDOW + 5));
        drop(unread);
        assert_eq!(held.taken(), 0);
    }

    #[tokio::test]
    async fn requests_are_passed_as_they_are_and_name_their_client() {
        let told = make(|mut request: Request| async move {
            let body = request.take_body().into_string().await.unwrap();
            let header = |name: &str| request.header(name).unwrap_or("-").to_owned();
            let headers = ["x-own", "keep-alive", "x-hop", "host", "x-morpion-client"].map(header).join(" ");
            Response::builder()
                .status(StatusCode::CREATED)
                .header("x-answer", "yes")
                .header("connection", "x-private")
                .header("x-private", "1")
                .body(format!("{} {} {body} {headers}", request.method(), request.uri()))
        });
        let (passing, _leader) = following(leader(told, Links::default()));
        let client = TestClient::new(passing);
        let request = client.post("/api/a?b=c").header("x-own", "kept").header("keep-alive", "5").header("x-hop", "1");
        let request = request.header("connection", "close, x-hop").header("host", "example.org");
        let answer = request.header(CLIENT, "https 192.0.2.1:1").body("text".repeat(30_000)).send().await;
        answer.assert_status(StatusCode::CREATED);
        answer.assert_header("x-answer", "yes");
        answer.assert_header_is_not_exist("x-private");
        let text = format!("POST /api/a?b=c {} kept - - example.org http 127.0.0.1:0", "text".repeat(30_000));
        answer.assert_text(text).await;
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_not_taken_for_whole() {
        let links = Links::default();
        let begins = make_sync(|request: Request| {
            let begun = stream::iter([Ok::<_, io::Error>(Bytes::from_static(b"begun"))]);
            // Once the head is on its way.
            let fails = async {
                sleep(FIRST_PAUSE).await;
                Err::<Bytes, _>(io::Error::other("the leader cannot go on"))
            };
            let rest = match request.uri().path() {
                "/api/fails" => stream::once(fails).boxed(),
                _ => stream::pending().boxed(),
            };
            Body::from_bytes_stream(begun.chain(rest))
        });
        let (passing, _leader) = following(leader(begins, Arc::clone(&links)));
        let client = TestClient::new(passing);
        let failing = client.get("/api/fails").send().await.0.into_body();
        assert!(failing.into_vec().await.is_err());
        let cut = client.get("/api/is-cut").send().await.0.into_body();
        links.lock().drain(..).for_each(|link| link.abort());
        assert!(cut.into_vec().await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_a_leader_and_not_for_long() {
        let (passing, leading) = following(leader(make_sync(|_| "answer"), Links::default()));
        leading.send_replace(None);
        let is_ready = passing.readiness();
        let client = TestClient::new(passing);
        let begun = Instant::now();
        let answer = client.post("/api/a").body("x").send().await;
        assert!((WAIT..WAIT + Duration::from_millis(100)).contains(&begun.elapsed()), "{:?}", begun.elapsed());
        answer.assert_status(StatusCode::SERVICE_UNAVAILABLE);
        answer.assert_header("retry-after", "1");
        let id = answer.0.headers()["x-request-id"].to_str().unwrap().to_owned();
        let body = answer.0.into_body().into_string().await.unwrap();
        assert!(body.contains(&id) && body.contains(r#""errorCode":"unavailable""#), "{body}");

        let later = async {
            sleep(WAIT / 2).await;
            leading.send_replace(Some(NodeId(2)));
        };
        let (answer, ()) = tokio::join!(client.post("/api/a").body("x").send(), later);
        answer.assert_text("answer").await;
        assert!(is_ready());
        leading.send_replace(None);
        sleep(Duration::from_millis(1)).await;
        assert!(!is_ready());
    }

    #[tokio::test]
    async fn what_may_have_been_done_is_repeated_only_if_it_reads() {
        for (method, is_answered) in [(Method::GET, true), (Method::POST, false)] {
            let (links, has_failed) = (Links::default(), Arc::new(AtomicBool::new(false)));
            let fails_once = make({
                let links = Arc::clone(&links);
                move |_| {
                    let is_first = !has_failed.swap(true, Ordering::Relaxed);
                    if is_first {
                        links.lock().drain(..).for_each(|link| link.abort());
                    }
                    async move {
                        if is_first {
                            std::future::pending::<()>().await;
                        }
                        "answer"
                    }
                }
            });
            let (passing, _leader) = following(leader(fails_once, links));
            let client = TestClient::new(passing);
            let answer = client.request(method, "/api/a").send().await;
            if is_answered {
                answer.assert_text("answer").await;
            } else {
                answer.assert_status(StatusCode::SERVICE_UNAVAILABLE);
                let body = answer.0.into_body().into_string().await.unwrap();
                assert!(body.contains("the request may have been carried out"), "{body}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_leader_that_stops_leaves_what_comes_to_the_next_one() {
        let (accepted, streams) = mpsc::channel::<TunnelStream>(1);
        drop(streams);
        let next = leader(make_sync(|_| "answer"), Links::default());
        let (passing, leading) = following(move |node| {
            if node == NodeId(2) {
                return next(node);
            }
            let (near, far) = duplex(64 << 10);
            tokio::spawn(serve(far, accepted.clone()));
            ready(Ok(near))
        });
        let client = TestClient::new(passing);
        client.post("/api/a").send().await.assert_status(StatusCode::SERVICE_UNAVAILABLE);
        let later = async {
            sleep(WAIT / 2).await;
            leading.send_replace(Some(NodeId(2)));
        };
        let (answer, ()) = tokio::join!(client.post("/api/a").send(), later);
        answer.assert_text("answer").await;
    }

    #[tokio::test]
    async fn a_client_that_leaves_takes_its_request_back() {
        let (arrived, dropped) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        struct Told(Arc<Notify>);
        impl Drop for Told {
            fn drop(&mut self) {
                self.0.notify_one();
            }
        }
        let waits = make({
            let (arrived, dropped) = (Arc::clone(&arrived), Arc::clone(&dropped));
            move |_| {
                let (arrived, told) = (Arc::clone(&arrived), Told(Arc::clone(&dropped)));
                async move {
                    arrived.notify_one();
                    std::future::pending::<()>().await;
                    drop(told);
                }
            }
        });
        let (passing, _leader) = following(leader(waits, Links::default()));
        let request = Request::builder().uri(Uri::from_static("/api/a")).finish();
        tokio::select! {
            _ = passing.call(request) => panic!("nobody answered"),
            () = arrived.notified() => {}
        }
        timeout(Duration::from_secs(5), dropped.notified()).await.unwrap();
    }

    #[tokio::test]
    async fn no_address_takes_the_streams_of_the_others() {
        let (arrived, mut arrivals) = mpsc::unbounded_channel();
        let slow = make(move |request: Request| {
            let (arrived, path) = (arrived.clone(), request.uri().path().to_owned());
            async move {
                match path.as_str() {
                    "/api/silent" => {
                        arrived.send(()).unwrap();
                        std::future::pending().await
                    }
                    "/api/endless" => Body::from_bytes_stream(stream::repeat_with(|| Ok::<_, io::Error>("part"))),
                    _ => Body::from("answer"),
                }
            }
        });
        let (passing, _leader) = following(leader(slow, Links::default()));
        let passing = Arc::new(passing);
        let ask = |path: &'static str, address: &'static str| {
            let passing = Arc::clone(&passing);
            let request = Request::builder().uri(Uri::from_static(path)).header("x-forwarded-for", address).finish();
            async move { passing.get_response(request).await }
        };
        let endless = ask("/api/endless", "192.0.2.1").await;
        assert_eq!(endless.status(), StatusCode::OK);
        let silent = (1..REQUESTS_PER_ADDRESS).map(|_| tokio::spawn(ask("/api/silent", "192.0.2.1")));
        let silent: Vec<_> = silent.map(AbortOnDropHandle::new).collect();
        for _ in &silent {
            arrivals.recv().await.unwrap();
        }
        let refused = ask("/api/quick", "192.0.2.1").await;
        assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(refused.headers()["retry-after"], "1");
        assert_eq!(ask("/api/quick", "192.0.2.2").await.status(), StatusCode::OK);

        drop(endless);
        let served = async {
            while ask("/api/quick", "192.0.2.1").await.status() != StatusCode::OK {
                sleep(FIRST_PAUSE).await;
            }
        };
        timeout(Duration::from_secs(5), served).await.unwrap();
    }

    /// A websocket through this node to one that sends back what it is sent.
    async fn echo_socket(passing: Passing) -> TokioIo<upgrade::Upgraded> {
        let (near, far) = duplex(4 << 10);
        tokio::spawn(serve_http(far, Arc::new(passing)));
        let (mut sender, connection) = http1::handshake(TokioIo::new(near)).await.unwrap();
        tokio::spawn(connection.with_upgrades());
        let request = hyper::Request::get("/api/socket").header("connection", "Upgrade").header("upgrade", "websocket");
        let mut answer = sender.send_request(request.body(PassedBody::empty()).unwrap()).await.unwrap();
        assert_eq!(answer.status(), StatusCode::SWITCHING_PROTOCOLS);
        assert_eq!(answer.headers()["upgrade"], "websocket");
        TokioIo::new(upgrade::on(&mut answer).await.unwrap())
    }

    fn echo() -> impl Endpoint + 'static {
        make(|request: Request| async move {
            let upgrading = request.take_upgrade().unwrap();
            tokio::spawn(async move {
                let (mut read, mut write) = tokio::io::split(upgrading.await.unwrap());
                tokio::io::copy(&mut read, &mut write).await?;
                write.shutdown().await
            });
            let answer = StatusCode::SWITCHING_PROTOCOLS.with_header("connection", "upgrade");
            answer.with_header("upgrade", request.header("upgrade").unwrap_or_default()).into_response()
        })
    }

    #[tokio::test]
    async fn a_websocket_is_joined_with_the_leader() {
        let (passing, _leader) = following(leader(echo(), Links::default()));
        let mut socket = echo_socket(passing).await;
        let sent = "frame".repeat(20_000);
        let (mut read, mut write) = tokio::io::split(&mut socket);
        let mut received = String::new();
        let writing = async {
            write.write_all(sent.as_bytes()).await?;
            write.shutdown().await
        };
        let (written, read) = tokio::join!(writing, read.read_to_string(&mut received));
        written.unwrap();
        read.unwrap();
        assert_eq!(received, sent);
    }

    #[tokio::test]
    async fn a_websocket_that_is_not_read_has_room_or_ends() {
        for (has_room, room) in [(true, WINDOW), (false, WINDOW - 1)] {
            let (mut passing, _leader) = following(leader(echo(), Links::default()));
            passing.held = Shares::new(room, room);
            let held = Arc::clone(&passing.held);
            let mut socket = echo_socket(passing).await;
            let sent = "frame".repeat(20_000);
            let _ = socket.write_all(sent.as_bytes()).await;
            let begun = Instant::now();
            while has_room && held.taken() < WINDOW {
                assert!(begun.elapsed() < Duration::from_secs(10), "nothing is counted");
                sleep(Duration::from_millis(1)).await;
            }
            let _ = socket.shutdown().await;
            let mut received = String::new();
            let _ = socket.read_to_string(&mut received).await;
            assert_eq!((received == sent, held.taken()), (has_room, 0));
        }
    }

    #[test]
    fn a_passed_client_is_read_as_it_was_written() {
        for (scheme, address) in [(Scheme::HTTPS, "192.0.2.1:50000"), (Scheme::HTTP, "[2001:db8::1]:1")] {
            let client = PassedClient { address: address.parse().unwrap(), scheme };
            assert_eq!(PassedClient::from_header(&client.to_header()), Some(client));
        }
        for wrong in ["", "https", "ftp 192.0.2.1:1", "https 192.0.2.1", "https  192.0.2.1:1"] {
            assert_eq!(PassedClient::from_header(&HeaderValue::from_static(wrong)), None, "{wrong}");
        }
    }
}
