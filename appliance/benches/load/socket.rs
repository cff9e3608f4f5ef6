//! A minimal websocket client, so that its cost does not distort the measurement.

use std::net::SocketAddr;

use anyhow::{Context, bail};
use fastwebsockets::{Frame, OpCode, Payload, Role, WebSocket};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const MORPION: &str = "/api/backend/realtime";

pub struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub async fn open(address: SocketAddr, cookie: &str) -> anyhow::Result<Self> {
        Self::upgrade(address, MORPION, cookie).await
    }

    pub async fn upgrade(address: SocketAddr, path: &str, cookie: &str) -> anyhow::Result<Self> {
        let mut stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: {cookie}\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            answer.push(stream.read_u8().await.context("no answer to the handshake")?);
        }
        if !answer.starts_with(b"HTTP/1.1 101") {
            bail!("refused: {}", String::from_utf8_lossy(&answer).lines().next().unwrap_or_default());
        }
        let mut socket = WebSocket::after_handshake(stream, Role::Client);
        socket.set_auto_pong(true);
        Ok(Self(socket))
    }

    pub async fn send(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.0.write_frame(Frame::text(Payload::Borrowed(text.as_bytes()))).await?)
    }

    /// Reads until a message contains this text.
    pub async fn wait_for(&mut self, wanted: &str) -> anyhow::Result<()> {
        loop {
            let frame = self.0.read_frame().await?;
            match frame.opcode {
                OpCode::Text => {
                    let text = std::str::from_utf8(&frame.payload)?;
                    if text.contains(wanted) {
                        return Ok(());
                    }
                    if text.contains("moveRejected") || text.contains("\"event\":\"error\"") {
                        bail!("refused: {text}");
                    }
                }
                OpCode::Close => bail!("closed by the server"),
                _ => {}
            }
        }
    }
}
