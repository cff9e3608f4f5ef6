//! Takes what HTTP needs around a connection, its limits included, off one that became a websocket, and moves it to the threads
//! of play.

use std::io::{self, Cursor};

use bytes::Bytes;
use hyper::upgrade::OnUpgrade;
use hyper_util::{
    rt::TokioIo,
    server::conn::auto::upgrade::{Parts, downcast},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::server::TlsStream;

use super::activity::ClientStream;
use crate::realtime::upgrade::UpgradedStream;

type Plain = TokioIo<ClientStream<TcpStream>>;
type Encrypted = TokioIo<TlsStream<ClientStream<TcpStream>>>;

/// Waits until the answer to the request is written. From then on what arrives wakes the runtime that polls this.
///
/// # Errors
/// The connection has ended.
pub async fn upgraded(upgrade: OnUpgrade) -> io::Result<UpgradedStream> {
    let upgraded = match downcast::<Plain>(upgrade.await.map_err(io::Error::other)?) {
        Ok(parts) => return plain(parts),
        Err(upgraded) => upgraded,
    };
    match downcast::<Encrypted>(upgraded) {
        Ok(parts) => encrypted(parts),
        Err(of_a_node) => Ok(layered(TokioIo::new(of_a_node), Bytes::new())),
    }
}

fn plain(Parts { io, read_buf, .. }: Parts<Plain>) -> io::Result<UpgradedStream> {
    let mut stream = io.into_inner();
    stream.move_here()?;
    let ClientStream { stream, permit, .. } = stream;
    let ((read, write), guard) = (stream.into_split(), Box::new(permit));
    if read_buf.is_empty() {
        return Ok(UpgradedStream::Socket { read, write, guard });
    }
    Ok(UpgradedStream::Other { read: after(&read_buf, read), write: Box::new(write), guard })
}

fn encrypted(Parts { io, read_buf, .. }: Parts<Encrypted>) -> io::Result<UpgradedStream> {
    let mut stream = io.into_inner();
    stream.get_mut().0.move_here()?;
    Ok(layered(stream, read_buf))
}

/// The stream keeps its permit.
fn layered(stream: impl AsyncRead + AsyncWrite + Send + 'static, received: Bytes) -> UpgradedStream {
    let (read, write) = tokio::io::split(stream);
    UpgradedStream::Other { read: after(&received, read), write: Box::new(write), guard: Box::new(()) }
}

/// A copy of what was received, since it is a part of a buffer as large as a head may be, which would stay as long as the
/// connection.
fn after(received: &Bytes, read: impl AsyncRead + Send + Unpin + 'static) -> Box<dyn AsyncRead + Send + Unpin> {
    if received.is_empty() { Box::new(read) } else { Box::new(Cursor::new(received.to_vec()).chain(read)) }
}
