//! A player's websocket.

use std::{net::SocketAddr, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::{
    net::TcpStream,
    time::{Instant, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async, connect_async,
    tungstenite::{
        Error, Message,
        client::IntoClientRequest,
        http::Request,
        protocol::frame::{
            Frame,
            coding::{Data, OpCode},
        },
    },
};

use crate::support::{Browser, Server};

/// Generous: on an idle machine an answer takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Received frames that were not awaited, in order.
    seen: Vec<Value>,
}

pub fn handshake(address: SocketAddr) -> Request<()> {
    let mut request = format!("ws://{address}/api/backend/realtime").into_client_request().unwrap();
    request.headers_mut().insert("origin", format!("http://{address}").parse().unwrap());
    request
}

impl Socket {
    pub async fn open(server: &Server, browser: &Browser) -> Self {
        let session = browser.cookie("morpion_session").unwrap();
        Self::with_session(server.address, &session).await
    }

    /// A connection that a proxy passes on for this address.
    pub async fn forwarded_for(client: &str, server: &Server, browser: &Browser) -> Self {
        let mut request = handshake(server.address);
        let session = browser.cookie("morpion_session").unwrap();
        request.headers_mut().insert("cookie", format!("morpion_session={session}").parse().unwrap());
        request.headers_mut().insert("x-forwarded-for", client.parse().unwrap());
        Self::connect(request).await.unwrap()
    }

    pub async fn with_session(address: SocketAddr, session: &str) -> Self {
        let mut request = handshake(address);
        request.headers_mut().insert("cookie", format!("morpion_session={session}").parse().unwrap());
        Self::connect(request).await.unwrap()
    }

    /// As [`Socket::with_session`], where the server may be gone at any time.
    pub async fn try_with_session(address: SocketAddr, session: &str) -> Result<Self, Error> {
        let mut request = handshake(address);
        request.headers_mut().insert("cookie", format!("morpion_session={session}").parse().unwrap());
        let (stream, _) = connect_async(request).await?;
        Ok(Self { stream, seen: vec![] })
    }

    /// A connection to the server by way of another address.
    pub async fn through(way: SocketAddr, server: SocketAddr, session: &str) -> Self {
        let mut request = handshake(server);
        request.headers_mut().insert("cookie", format!("morpion_session={session}").parse().unwrap());
        let stream = MaybeTlsStream::Plain(TcpStream::connect(way).await.unwrap());
        let (stream, _) = client_async(request, stream).await.unwrap();
        let mut socket = Self { stream, seen: vec![] };
        socket.wait("authenticated").await;
        socket
    }

    /// Sends a frame; false once the connection is gone.
    pub async fn say(&mut self, event: &str, data: Value) -> bool {
        self.stream.send(Message::text(json!({ "event": event, "data": data }).to_string())).await.is_ok()
    }

    /// The next frame, however long it takes; `None` once the connection is gone.
    pub async fn heard(&mut self) -> Option<Value> {
        loop {
            match self.stream.next().await? {
                Ok(Message::Text(text)) => return serde_json::from_str(&text).ok(),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    pub async fn with_token(address: SocketAddr, token: &str) -> Self {
        let mut request = handshake(address);
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        Self::connect(request).await.unwrap()
    }

    pub async fn connect(request: Request<()>) -> Result<Self, Error> {
        let (stream, _) = connect_async(request).await?;
        let mut socket = Self { stream, seen: vec![] };
        socket.wait("authenticated").await;
        Ok(socket)
    }

    pub async fn text(&mut self, text: impl Into<String>) {
        assert!(self.try_text(text).await, "the connection is gone");
    }

    /// Returns whether the connection is still open.
    pub async fn try_text(&mut self, text: impl Into<String>) -> bool {
        self.stream.send(Message::text(text.into())).await.is_ok()
    }

    /// As [`Socket::text`], in two frames and with a ping between them.
    pub async fn text_in_pieces(&mut self, text: &str) {
        let (head, tail) = text.as_bytes().split_at(text.len() / 2);
        for frame in [
            Frame::message(head.to_vec(), OpCode::Data(Data::Text), false),
            Frame::ping(vec![7]),
            Frame::message(tail.to_vec(), OpCode::Data(Data::Continue), true),
        ] {
            self.stream.feed(Message::Frame(frame)).await.unwrap();
        }
        self.stream.flush().await.unwrap();
    }

    pub async fn send(&mut self, event: &str, data: Value) {
        self.text(json!({ "event": event, "data": data }).to_string()).await;
    }

    /// Sends frames until the server closes the connection.
    pub async fn flood(&mut self, frames: usize) {
        let frame = json!({ "event": "authenticate", "data": {} }).to_string();
        for _ in 0..frames {
            if !self.try_text(frame.clone()).await {
                return;
            }
        }
    }

    /// Sends frames as they are, until the server has had enough.
    pub async fn frames(&mut self, frames: impl IntoIterator<Item = Frame>) {
        for frame in frames {
            if self.stream.send(Message::Frame(frame)).await.is_err() {
                return;
            }
        }
    }

    /// Sends a frame and returns its ack's data.
    pub async fn ask(&mut self, event: &str, data: Value) -> Value {
        let id = uuid::Uuid::new_v4().to_string();
        self.text(json!({ "event": event, "data": data, "id": id }).to_string()).await;
        self.acked(&id).await
    }

    /// The data of the ack of the frame with this id.
    pub async fn acked(&mut self, id: &str) -> Value {
        self.wait_for(|frame| frame["event"] == "ack" && frame["id"] == id).await["data"].clone()
    }

    /// The next frame; `None` once the server closed.
    pub async fn next(&mut self) -> Option<Value> {
        timeout(PATIENCE, self.heard()).await.expect("the server said nothing")
    }

    /// The next frame that is `wanted`.
    pub async fn wait_for(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.seen.iter().position(&wanted) {
            return self.seen.remove(at);
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let frame = self.next().await.unwrap_or_else(|| panic!("closed; seen: {:?}", self.seen));
            if wanted(&frame) {
                return frame;
            }
            self.seen.push(frame);
            assert!(Instant::now() < deadline, "it did not come; seen: {:?}", self.seen);
        }
    }

    /// The data of the next frame of this event.
    pub async fn wait(&mut self, event: &str) -> Value {
        self.wait_for(|frame| frame["event"] == event).await["data"].clone()
    }

    /// The code with which the server closes.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            match timeout(PATIENCE, self.stream.next()).await.expect("the server did not close") {
                Some(Ok(Message::Close(Some(frame)))) => return frame.code.into(),
                Some(Ok(_)) => {}
                other => panic!("no code: {other:?}"),
            }
        }
    }

    /// All frames until the ack of a frame sent now.
    pub async fn drained(&mut self) -> Vec<Value> {
        let id = "drained";
        self.text(json!({ "event": "authenticate", "data": {}, "id": id }).to_string()).await;
        self.acked(id).await;
        std::mem::take(&mut self.seen)
    }
}
