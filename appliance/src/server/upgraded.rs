//! Takes what HTTP needs around a connection, its limits included, off one that became a websocket.

use std::io::Cursor;

use hyper::upgrade::OnUpgrade;
use hyper_util::{rt::TokioIo, server::conn::auto::upgrade};
use tokio::{io::AsyncReadExt, net::TcpStream};

use super::activity::ClientStream;
use crate::realtime::upgrade::UpgradedStream;

/// Waits until the answer to the request is written.
///
/// # Errors
/// The connection has ended.
pub async fn upgraded(upgrade: OnUpgrade) -> hyper::Result<UpgradedStream> {
    let parts = match upgrade::downcast::<TokioIo<ClientStream<TcpStream>>>(upgrade.await?) {
        Ok(parts) => parts,
        Err(other) => {
            let (read, write) = tokio::io::split(TokioIo::new(other));
            return Ok(UpgradedStream::Other { read: Box::new(read), write: Box::new(write), guard: Box::new(()) });
        }
    };
    let ClientStream { stream, permit, .. } = parts.io.into_inner();
    let ((read, write), guard) = (stream.into_split(), Box::new(permit));
    if parts.read_buf.is_empty() {
        return Ok(UpgradedStream::Socket { read, write, guard });
    }
    // A copy, since it is a part of a buffer as large as a head may be, which would stay as long as the connection.
    let read = Box::new(Cursor::new(parts.read_buf.to_vec()).chain(read));
    Ok(UpgradedStream::Other { read, write: Box::new(write), guard })
}
