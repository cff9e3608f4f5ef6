//! A minimal websocket client, so that its cost does not distort the measurement.

use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::OnceLock,
};

use anyhow::{Context, bail};
use fastwebsockets::{Frame, OpCode, Payload, Role, WebSocket};
use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};
use tokio_rustls::{TlsConnector, client::TlsStream};
use tokio_util::either::Either;

pub const MORPION: &str = "/api/backend/realtime";

/// Connections from one address of the machine, which has only so many ports.
const OF_AN_ADDRESS: usize = 500;

/// The address of this machine that the connection with this number comes from.
pub fn source(number: usize) -> Ipv4Addr {
    Ipv4Addr::from(u32::from(Ipv4Addr::new(127, 3, 0, 1)) + (number / OF_AN_ADDRESS) as u32)
}

/// Connects from this address of the machine.
pub async fn connect_from(source: Ipv4Addr, address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind((source, 0).into())?;
    let stream = socket.connect(address).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// A connection, with TLS if the run has it.
pub type Connection = Either<TcpStream, TlsStream<TcpStream>>;

static TLS: OnceLock<TlsConnector> = OnceLock::new();

/// From now on connections speak TLS.
pub fn speak_tls(connector: TlsConnector) {
    let _ = TLS.set(connector);
}

pub fn speaks_tls() -> bool {
    TLS.get().is_some()
}

/// The origin of a server's pages.
pub fn origin(address: SocketAddr) -> String {
    let scheme = if speaks_tls() { "https" } else { "http" };
    format!("{scheme}://{address}")
}

/// Makes a connection of a socket.
pub async fn over_tcp(stream: TcpStream, address: SocketAddr) -> std::io::Result<Connection> {
    match TLS.get() {
        Some(tls) => Ok(Either::Right(tls.connect(ServerName::from(address.ip()), stream).await?)),
        None => Ok(Either::Left(stream)),
    }
}

/// Opens a connection from this address of the machine.
pub async fn open_from(source: Ipv4Addr, address: SocketAddr) -> std::io::Result<Connection> {
    over_tcp(connect_from(source, address).await?, address).await
}

/// The request for a websocket.
pub fn request_for(address: SocketAddr, path: &str, headers: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{headers}\r\n"
    )
}

pub async fn shake_hands(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    address: SocketAddr,
    path: &str,
    headers: &str,
) -> anyhow::Result<()> {
    stream.write_all(request_for(address, path, headers).as_bytes()).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.context("no answer to the handshake")?);
    }
    if !answer.starts_with(b"HTTP/1.1 101") {
        bail!("refused: {}", String::from_utf8_lossy(&answer).lines().next().unwrap_or_default());
    }
    Ok(())
}

pub struct Socket(WebSocket<Connection>);

impl Socket {
    /// From this address of the machine: limits count by it.
    pub async fn open_from(source: Ipv4Addr, address: SocketAddr, cookie: &str) -> anyhow::Result<Self> {
        let headers = format!("Cookie: {cookie}\r\n");
        Self::over(open_from(source, address).await?, address, MORPION, &headers).await
    }

    /// Asks for a websocket with these headers, each with its line end.
    pub async fn over(mut stream: Connection, address: SocketAddr, path: &str, headers: &str) -> anyhow::Result<Self> {
        shake_hands(&mut stream, address, path, headers).await?;
        let mut socket = WebSocket::after_handshake(stream, Role::Client);
        socket.set_auto_pong(true);
        Ok(Self(socket))
    }

    pub async fn send(&mut self, text: &str) -> anyhow::Result<()> {
        Ok(self.0.write_frame(Frame::text(Payload::Borrowed(text.as_bytes()))).await?)
    }

    /// Reads until a message contains this text.
    pub async fn wait_for(&mut self, wanted: &str) -> anyhow::Result<()> {
        self.find(wanted, |_| ()).await
    }

    /// The next message that contains this text.
    pub async fn next(&mut self, wanted: &str) -> anyhow::Result<serde_json::Value> {
        Ok(self.find(wanted, |text| serde_json::from_str(text)).await??)
    }

    async fn find<T>(&mut self, wanted: &str, read: impl FnOnce(&str) -> T) -> anyhow::Result<T> {
        loop {
            let frame = self.0.read_frame().await?;
            match frame.opcode {
                OpCode::Text => {
                    let text = std::str::from_utf8(&frame.payload)?;
                    if text.contains(wanted) {
                        return Ok(read(text));
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
    #[allow(dead_code, reason = "for the attacks")]
    /// Reads until the server closes, and returns its code; `None` if it just went away.
    pub async fn close_code(&mut self) -> Option<u16> {
        loop {
            let frame = self.0.read_frame().await.ok()?;
            if frame.opcode == OpCode::Close {
                return frame.payload.first_chunk().map(|code| u16::from_be_bytes(*code));
            }
        }
    }
}
