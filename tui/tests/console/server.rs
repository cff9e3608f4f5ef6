//! A fake server with the real protocol, controlled by the test.

use std::{
    collections::HashMap,
    io::Cursor,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use morpion_openapi::{
    event::EventsAnswer,
    realtime::{ClientFrame, ServerFrame},
};
use serde::Serialize;
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpListener,
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
        http::StatusCode,
    },
};

use crate::fixtures::{events, overview, page_of, succeeded};

pub const TOKEN: &str = "the-right-token";

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The server's answer to each action: a status and a body.
type Answers = Arc<Mutex<HashMap<String, (u16, String)>>>;

pub struct Server {
    pub address: std::net::SocketAddr,
    connections: mpsc::Receiver<Connection>,
    answers: Answers,
    calls: Arc<Mutex<Vec<(String, Value)>>>,
    task: JoinHandle<()>,
}

/// What the tasks of the connections share.
#[derive(Clone)]
struct Shared {
    connections: mpsc::Sender<Connection>,
    answers: Answers,
    calls: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().expect("an address")).await
    }

    /// Has what the first two tabs of the console show: the overview and five events.
    pub async fn start_with_events() -> Self {
        let server = Self::start().await;
        server.answer("overview", &overview());
        server.answer("list_events", &EventsAnswer { events: events(), pagination: page_of(5) });
        server
    }

    pub async fn start_at(address: std::net::SocketAddr) -> Self {
        Self::start_with(address, None).await
    }

    /// Over TLS, if there is an acceptor.
    pub async fn start_with(address: std::net::SocketAddr, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (sender, connections) = mpsc::channel(8);
        let (answers, calls) = (Answers::default(), Arc::default());
        let shared = Shared { connections: sender, answers: Arc::clone(&answers), calls: Arc::clone(&calls) };
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (shared, tls) = (shared.clone(), tls.clone());
                tokio::spawn(async move {
                    match tls {
                        None => serve(Box::new(stream), shared).await,
                        // Clients that do not trust the certificate hang up.
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                serve(Box::new(stream), shared).await;
                            }
                        }
                    }
                });
            }
        });
        Self { address, connections, answers, calls, task }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Sets the answer to an action. Actions without one are answered with 501.
    pub fn answer(&self, action: &str, answer: &impl Serialize) {
        let mut body = serde_json::to_value(answer).expect("an answer is plain data");
        body["succeeded"] = true.into();
        self.put(action, 200, body.to_string());
    }

    pub fn refuse(&self, action: &str, status: u16, message: &str) {
        let failure = serde_json::json!({
            "succeeded": false, "errorMessage": message, "errorCode": "refused", "requestId": "req-1"
        });
        self.fail(action, status, &failure);
    }

    pub fn fail(&self, action: &str, status: u16, failure: &Value) {
        self.put(action, status, failure.to_string());
    }

    fn put(&self, action: &str, status: u16, body: String) {
        self.answers.lock().expect("no test panicked with it").insert(action.to_owned(), (status, body));
    }

    /// The payloads with which an action was called, so far.
    pub fn called(&self, action: &str) -> Vec<Value> {
        let calls = self.calls.lock().expect("no test panicked with it");
        calls.iter().filter(|(name, _)| name == action).map(|(_, payload)| payload.clone()).collect()
    }

    /// The next console that connected with the right token.
    pub async fn connection(&mut self) -> Connection {
        timeout(PATIENCE, self.connections.recv()).await.expect("a console connects").expect("the server runs")
    }

    pub async fn stop(self) {
        self.task.abort();
        self.task.await.ok();
    }
}

/// A connection, with TLS or without.
pub trait Wire: AsyncRead + AsyncWrite + Unpin + Send {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send> Wire for T {}

/// A connection whose first bytes were read already.
struct Read {
    first: Cursor<Vec<u8>>,
    rest: Box<dyn Wire>,
}

impl AsyncRead for Read {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        if (self.first.position() as usize) < self.first.get_ref().len() {
            return Pin::new(&mut self.first).poll_read(context, buffer);
        }
        Pin::new(&mut self.rest).poll_read(context, buffer)
    }
}

impl AsyncWrite for Read {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.rest).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.rest).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.rest).poll_shutdown(context)
    }
}

async fn serve(mut stream: Box<dyn Wire>, shared: Shared) {
    let mut read = vec![];
    let mut chunk = [0; 4096];
    let head = loop {
        let length = stream.read(&mut chunk).await.unwrap_or(0);
        read.extend_from_slice(&chunk[..length]);
        // A TLS client gets a plain-text error, as from real servers.
        if read.first() == Some(&0x16) {
            stream.write_all(b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n").await.ok();
            return;
        }
        let text = String::from_utf8_lossy(&read).into_owned();
        match text.split_once("\r\n\r\n") {
            Some((head, _)) => break head.to_owned(),
            None if length == 0 => return,
            None => {}
        }
    };
    if head.starts_with("GET /api/backend/realtime ") {
        let stream = Read { first: Cursor::new(read), rest: stream };
        if let Ok(stream) = accept_hdr_async(stream, check).await {
            shared.connections.send(Connection(stream)).await.ok();
        }
        return;
    }
    let header = |name: &str| {
        let mut lines = head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let length: usize = header("content-length").and_then(|value| value.parse().ok()).unwrap_or(0);
    while read.len() < head.len() + 4 + length {
        let more = stream.read(&mut chunk).await.unwrap_or(0);
        assert!(more > 0, "the request is complete");
        read.extend_from_slice(&chunk[..more]);
    }
    let body = String::from_utf8_lossy(&read[head.len() + 4..]).into_owned();
    let path = head.split(' ').nth(1).expect("a path");
    let (action, payload) = if head.starts_with("POST ") {
        let body: Value = serde_json::from_str(&body).expect("a JSON body");
        (body["action"].as_str().expect("an action").to_owned(), body["payload"].clone())
    } else {
        let url = reqwest::Url::parse(&format!("http://server{path}")).expect("an address");
        let query: HashMap<_, _> = url.query_pairs().collect();
        (query["action"].to_string(), serde_json::from_str(&query["payload"]).expect("a JSON payload"))
    };
    let (status, answer) = if header("authorization").as_deref() == Some(&format!("Bearer {TOKEN}")) {
        shared.calls.lock().expect("no test panicked with it").push((action.clone(), payload));
        let answers = shared.answers.lock().expect("no test panicked with it");
        answers.get(&action).cloned().unwrap_or_else(|| (501, ABSENT.to_owned()))
    } else {
        (401, REFUSAL.to_owned())
    };
    let answer = format!(
        "HTTP/1.1 {status} So\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{answer}",
        answer.len()
    );
    stream.write_all(answer.as_bytes()).await.ok();
    stream.shutdown().await.ok();
}

const REFUSAL: &str =
    r#"{"succeeded":false,"errorMessage":"Please sign in.","errorCode":"not-signed-in","requestId":"r1"}"#;
const ABSENT: &str = r#"{"succeeded":false,"errorMessage":"This is not available on this server yet.","errorCode":"not-built-yet","requestId":"r1"}"#;

#[allow(clippy::result_large_err)] // The signature is the library's.
fn check(request: &Request, response: Response) -> Result<Response, ErrorResponse> {
    let expected = format!("Bearer {TOKEN}");
    if request.headers().get("authorization").is_some_and(|value| value == expected.as_str()) {
        return Ok(response);
    }
    let mut refusal = ErrorResponse::new(Some(REFUSAL.to_owned()));
    *refusal.status_mut() = StatusCode::UNAUTHORIZED;
    Err(refusal)
}

/// A connected console, seen from the server.
pub struct Connection(WebSocketStream<Read>);

impl Connection {
    /// The next frame and its id.
    pub async fn receive(&mut self) -> (ClientFrame, Option<String>) {
        loop {
            let message =
                timeout(PATIENCE, self.0.next()).await.expect("a frame").expect("a connection").expect("no error");
            if let Message::Text(text) = message {
                return ClientFrame::parse(&text).expect("a frame that the server can read");
            }
        }
    }

    pub async fn send(&mut self, frame: &ServerFrame) {
        self.send_text(frame.to_text()).await;
    }

    pub async fn send_text(&mut self, text: String) {
        self.0.send(Message::text(text)).await.expect("the console listens");
    }

    pub async fn acknowledge(&mut self, id: &str) {
        self.send_text(succeeded().to_text(id)).await;
    }

    /// Answers the console's subscription.
    pub async fn tell_games(&mut self, games: ServerFrame) {
        let (frame, id) = self.receive().await;
        assert!(matches!(frame, ClientFrame::SubscribeLiveGames(_)), "{frame:?}");
        self.send(&games).await;
        self.acknowledge(&id.expect("it asks for an ack")).await;
    }

    /// Answers the console's request to watch a game.
    pub async fn tell_state(&mut self, joined: &ServerFrame) {
        let (frame, id) = self.receive().await;
        assert!(matches!(frame, ClientFrame::SpectateGame(_)), "{frame:?}");
        self.send(joined).await;
        self.acknowledge(&id.expect("it asks for an ack")).await;
    }

    /// The same without an acknowledgement.
    pub async fn tell_state_quietly(&mut self, joined: &ServerFrame) {
        let (frame, _) = self.receive().await;
        assert!(matches!(frame, ClientFrame::SpectateGame(_)), "{frame:?}");
        self.send(joined).await;
    }

    pub async fn close(mut self) {
        self.0.close(None).await.ok();
    }
}
