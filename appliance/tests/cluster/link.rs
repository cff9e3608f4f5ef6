//! A TCP proxy between two programs of a cluster, which can be cut and slowed down.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::{JoinHandle, JoinSet},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    Open,
    /// What is sent arrives this much later.
    Slow(Duration),
    /// Nothing arrives, and nobody is told; what was sent arrives once the link is open again.
    Silent,
    /// Connections break, and there are no new ones.
    Broken,
}

/// A way to an address; closed when dropped.
pub struct Link {
    pub address: SocketAddr,
    condition: watch::Sender<Condition>,
    accepting: JoinHandle<()>,
}

impl Link {
    pub async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (condition, now) = watch::channel(Condition::Open);
        let accepting = tokio::spawn(accept(listener, target, now));
        Self { address, condition, accepting }
    }

    pub fn set(&self, condition: Condition) {
        self.condition.send_replace(condition);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Connections end with this.
async fn accept(listener: TcpListener, target: SocketAddr, condition: watch::Receiver<Condition>) {
    let mut connections = JoinSet::new();
    loop {
        let Ok((client, _)) = listener.accept().await else { continue };
        while connections.try_join_next().is_some() {}
        connections.spawn(connect(client, target, condition.clone()));
    }
}

async fn connect(client: TcpStream, target: SocketAddr, mut condition: watch::Receiver<Condition>) {
    if !passes(&mut condition).await {
        return;
    }
    let Ok(server) = TcpStream::connect(target).await else { return };
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    tokio::select! {
        () = pump(from_client, to_server, condition.clone()) => {}
        () = pump(from_server, to_client, condition) => {}
    }
}

/// Until the connection ends or the link breaks.
async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut condition: watch::Receiver<Condition>) {
    let mut buffer = vec![0; 256 << 10];
    let mut breaking = condition.clone();
    loop {
        let read = tokio::select! {
            read = from.read(&mut buffer) => read,
            () = broken(&mut breaking) => return,
        };
        let Ok(length @ 1..) = read else { return };
        if !passes(&mut condition).await || to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}

async fn broken(condition: &mut watch::Receiver<Condition>) {
    let _ = condition.wait_for(|now| *now == Condition::Broken).await;
}

/// Waits as long as the link's condition says; false when it is broken.
async fn passes(condition: &mut watch::Receiver<Condition>) -> bool {
    loop {
        let now = *condition.borrow_and_update();
        match now {
            Condition::Open => return true,
            Condition::Slow(delay) => {
                tokio::time::sleep(delay).await;
                return true;
            }
            Condition::Broken => return false,
            Condition::Silent => {
                if condition.changed().await.is_err() {
                    return false;
                }
            }
        }
    }
}

#[tokio::test]
async fn a_link_is_cut_and_healed() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let link = Link::to(listener.local_addr().unwrap()).await;
    let mut near = TcpStream::connect(link.address).await.unwrap();
    let (mut far, _) = listener.accept().await.unwrap();
    let mut byte = [0];
    near.write_all(b"a").await.unwrap();
    far.read_exact(&mut byte).await.unwrap();

    link.set(Condition::Silent);
    near.write_all(b"b").await.unwrap();
    let nothing = tokio::time::timeout(Duration::from_millis(100), far.read(&mut byte)).await;
    assert!(nothing.is_err(), "{nothing:?}");
    link.set(Condition::Open);
    far.read_exact(&mut byte).await.unwrap();
    assert_eq!(byte, *b"b");

    link.set(Condition::Broken);
    assert!(matches!(far.read(&mut byte).await, Ok(0) | Err(_)));
    assert!(matches!(near.read(&mut byte).await, Ok(0) | Err(_)));
}
