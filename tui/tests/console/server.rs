//! A server that says what the test wants: the real protocol, no game behind it.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use morpion_openapi::realtime::{ClientFrame, ServerFrame};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
        http::StatusCode,
    },
};

use crate::fixtures::succeeded;

pub const TOKEN: &str = "the-right-token";

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Server {
    pub address: std::net::SocketAddr,
    connections: mpsc::Receiver<Connection>,
    task: JoinHandle<()>,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_at("127.0.0.1:0".parse().expect("an address")).await
    }

    pub async fn start_at(address: std::net::SocketAddr) -> Self {
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let (sender, connections) = mpsc::channel(8);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, sender.clone()));
            }
        });
        Self { address, connections, task }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
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

async fn serve(mut stream: TcpStream, connections: mpsc::Sender<Connection>) {
    let mut head = [0; 2048];
    let length = stream.peek(&mut head).await.unwrap_or(0);
    let head = String::from_utf8_lossy(&head[..length]).into_owned();
    if head.starts_with("GET /api/backend/admin?action=list_live_games&payload=") {
        let length = stream.read(&mut [0; 2048]).await.expect("the request");
        assert!(length > 0);
        let is_known = head.contains(&format!("authorization: Bearer {TOKEN}\r\n"));
        let (status, body) = if is_known {
            (
                "200 OK",
                r#"{"succeeded":true,"games":[],"pagination":{"currentPage":2,"limit":100,"totalCount":0,"hasPrevPage":true,"hasNextPage":false}}"#,
            )
        } else {
            ("401 Unauthorized", REFUSAL)
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(answer.as_bytes()).await.ok();
        return;
    }
    assert!(head.starts_with("GET /api/backend/realtime "), "{head}");
    if let Ok(stream) = accept_hdr_async(stream, check).await {
        connections.send(Connection(stream)).await.ok();
    }
}

const REFUSAL: &str =
    r#"{"succeeded":false,"errorMessage":"Please sign in.","errorCode":"not-signed-in","requestId":"r1"}"#;

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
pub struct Connection(WebSocketStream<TcpStream>);

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
        self.acknowledge(&id.expect("it wants to know")).await;
    }

    /// Answers the console's wish to watch a game.
    pub async fn tell_state(&mut self, joined: &ServerFrame) {
        let (frame, id) = self.receive().await;
        assert!(matches!(frame, ClientFrame::SpectateGame(_)), "{frame:?}");
        self.send(joined).await;
        self.acknowledge(&id.expect("it wants to know")).await;
    }

    pub async fn close(mut self) {
        self.0.close(None).await.ok();
    }
}
