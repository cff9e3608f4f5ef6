//! Frames for several connections, which are written in one go, without waking the task of each.

use std::sync::Arc;

use bytes::Bytes;

use super::handle::ConnectionHandle;

/// So many connections are written to on the spot: those of the players of a few games. Another task would take longer
/// to begin.
const ON_THE_SPOT: usize = 8;

/// If there are more, one task writes to so many, and several cores share the work. tokio's budget of a task is 128
/// operations before it has to let others run; a write is one or two of them.
const CONNECTIONS_A_TASK: usize = 64;

/// What is queued has to be [written](Announcement::write).
#[derive(Debug, Default)]
pub struct Announcement {
    /// Connections for which nobody else writes what is queued.
    unwritten: Vec<Arc<ConnectionHandle>>,
}

impl Announcement {
    /// Queues a frame for a connection.
    pub fn queue(&mut self, connection: &Arc<ConnectionHandle>, frame: Bytes) {
        if connection.queue(frame) {
            self.unwritten.push(Arc::clone(connection));
        }
    }

    /// Writes what was queued. What a socket does not take at once is left to its connection's task.
    pub fn write(self) {
        if self.unwritten.len() <= ON_THE_SPOT {
            write_to(&self.unwritten);
            return;
        }
        for connections in self.unwritten.chunks(CONNECTIONS_A_TASK) {
            let connections = connections.to_vec();
            tokio::spawn(async move { write_to(&connections) });
        }
    }
}

fn write_to(connections: &[Arc<ConnectionHandle>]) {
    connections.iter().for_each(|connection| connection.write_now());
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::io::{AsyncReadExt, DuplexStream};

    use super::*;
    use crate::{
        caller::Caller,
        connections::{
            frame::encode,
            hub::{Hub, SocketLimits},
        },
    };

    fn connection() -> Arc<ConnectionHandle> {
        Arc::new(ConnectionHandle::new(Caller::Visitor, None))
    }

    async fn receives(client: &mut DuplexStream, frames: &[Bytes]) {
        let expected = frames.concat();
        let mut received = vec![0; expected.len()];
        client.read_exact(&mut received).await.unwrap();
        assert_eq!(received, expected);
        assert!(client.read(&mut [0]).now_or_never().is_none(), "nothing more");
    }

    #[tokio::test]
    async fn few_are_written_to_at_once_and_nobody_is_woken() {
        let (mut client, server) = tokio::io::duplex(100);
        let connection = connection();
        let _guard = connection.open_outlet(server);
        let mut announcement = Announcement::default();
        announcement.queue(&connection, encode("room"));
        announcement.queue(&connection, encode("ack"));
        assert!(client.read(&mut [0]).now_or_never().is_none());
        announcement.write();
        receives(&mut client, &[encode("room"), encode("ack")]).now_or_never().expect("no task had to run");
        assert!(connection.ready().now_or_never().is_none());
    }

    #[tokio::test]
    async fn many_are_written_to_by_tasks() {
        let sockets: Vec<_> =
            std::iter::repeat_with(|| tokio::io::duplex(100)).take(2 * CONNECTIONS_A_TASK + 1).collect();
        let (mut clients, servers): (Vec<_>, Vec<_>) = sockets.into_iter().unzip();
        let connections: Vec<_> = servers.iter().map(|_| connection()).collect();
        let _guards: Vec<_> =
            connections.iter().zip(servers).map(|(connection, server)| connection.open_outlet(server)).collect();
        let mut announcement = Announcement::default();
        connections.iter().for_each(|connection| announcement.queue(connection, encode("start")));
        announcement.write();
        for client in &mut clients {
            receives(client, &[encode("start")]).await;
        }
        assert!(connections.iter().all(|connection| connection.ready().now_or_never().is_none()), "none was woken");
    }

    #[tokio::test]
    async fn what_cannot_be_written_is_left_to_the_task() {
        let connection = connection();
        let announce = |text| {
            let mut announcement = Announcement::default();
            announcement.queue(&connection, encode(text));
            announcement.write();
        };
        let is_woken = || connection.ready().now_or_never().is_some();
        announce("before it has a socket");
        assert!(is_woken());
        assert_eq!(connection.next_write(), encode("before it has a socket"));
        let (client, server) = tokio::io::duplex(4);
        let _guard = connection.open_outlet(server);
        announce("more than the socket takes");
        assert!(is_woken());
        drop(client);
        announce("to a client that is gone");
        assert!(is_woken());
    }

    #[tokio::test]
    async fn deferred_frames_delay_nothing_and_go_before() {
        let hub = Hub::new(SocketLimits { total: 10, per_account: 10 });
        let (mut client, server) = tokio::io::duplex(100);
        let connection = connection();
        let _guard = connection.open_outlet(server);
        hub.send_deferred(&connection, encode("watched"));
        let mut announcement = Announcement::default();
        announcement.queue(&connection, encode("played"));
        hub.send_deferred(&connection, encode("watched too"));
        announcement.write();
        let frames = [encode("watched"), encode("played"), encode("watched too")];
        receives(&mut client, &frames).now_or_never().expect("all are written");
    }
}
