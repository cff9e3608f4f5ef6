//! A websocket through one node, which may be gone at any time.

use std::{net::SocketAddr, time::Duration};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::client::HOST;

/// How long a connection may take, and a frame until it is handed over.
const PATIENCE: Duration = Duration::from_secs(4);

pub struct Socket(WebSocketStream<TcpStream>);

pub enum Heard {
    Frame(Value),
    /// Nothing in this time.
    Nothing,
    /// The connection is gone.
    Gone,
}

impl Socket {
    /// Of whom these cookies are; `None` if the node does not take it in time.
    pub async fn open(node: SocketAddr, cookies: &str) -> Option<Self> {
        let mut request = format!("ws://{HOST}/api/backend/realtime").into_client_request().unwrap();
        request.headers_mut().insert("origin", format!("http://{HOST}").parse().unwrap());
        request.headers_mut().insert("cookie", cookies.parse().unwrap());
        let connecting = async {
            let stream = TcpStream::connect(node).await.ok()?;
            client_async(request, stream).await.ok()
        };
        let (stream, _) = timeout(PATIENCE, connecting).await.ok()??;
        Some(Self(stream))
    }

    /// Sends a frame; false once the connection is gone.
    pub async fn say(&mut self, frame: Value) -> bool {
        matches!(timeout(PATIENCE, self.0.send(Message::text(frame.to_string()))).await, Ok(Ok(())))
    }

    /// The next frame.
    pub async fn hear(&mut self, within: Duration) -> Heard {
        let next = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).ok(),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                }
            }
        };
        match timeout(within, next).await {
            Ok(Some(frame)) => Heard::Frame(frame),
            Ok(None) => Heard::Gone,
            Err(_) => Heard::Nothing,
        }
    }
}
