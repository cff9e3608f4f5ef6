//! The stream of a connection that becomes a websocket, from whoever accepted the connection.

use std::{io, sync::Arc};

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::tcp::{OwnedReadHalf, OwnedWriteHalf},
};

/// Both halves of the stream, and what is to be kept until its end.
pub enum UpgradedStream {
    /// The socket itself: layers around it would be a few calls and as many cache misses for each frame.
    Socket { read: OwnedReadHalf, write: OwnedWriteHalf, guard: Box<dyn Send> },
    /// With TLS, from another node, or with bytes that came with the request.
    Other { read: Box<dyn AsyncRead + Send + Unpin>, write: Box<dyn AsyncWrite + Send + Unpin>, guard: Box<dyn Send> },
}

/// Ends once the answer to the request is written, or with an error if the connection has ended.
type Upgrading = BoxFuture<'static, io::Result<UpgradedStream>>;

/// An extension of a request that asks for an upgrade.
#[derive(Clone)]
pub struct Upgrade(Arc<Mutex<Option<Upgrading>>>);

impl Upgrade {
    pub fn new(upgrading: impl Future<Output = io::Result<UpgradedStream>> + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Some(Box::pin(upgrading)))))
    }

    /// `None` if it was taken before.
    pub fn take(&self) -> Option<Upgrading> {
        self.0.lock().take()
    }
}
