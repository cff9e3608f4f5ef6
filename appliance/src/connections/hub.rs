//! Who is connected: every socket, and the sockets of each account.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use morpion_openapi::realtime::{CheckLoginActivity, ServerDraining, ServerFrame};
use morpion_rules::{Millis, UserId};
use parking_lot::{Mutex, RwLock};
use tokio::{sync::Notify, time::sleep};
use uuid::Uuid;

use super::{
    announcement::Announcement,
    frame::encode,
    handle::{ConnectionHandle, ConnectionId, close},
    round_trip::Ping,
};
use crate::error::CommonError;

/// How often the server pings each socket.
pub const PING_EVERY: Duration = Duration::from_secs(15);

/// The sockets are pinged in so many parts, one after the other: all at once would be a burst of writes and pongs that
/// moves wait behind.
pub const PING_PARTS: u32 = 150;

/// Connections whose deferred frames are written at once, before there is a pause for others.
const WAKE_AT_ONCE: usize = 64;

/// As short as timers are exact.
const WAKE_PAUSE: Duration = Duration::from_millis(1);

/// How long a client waits before it reconnects to a server that drains.
const RECONNECT_IN_MS: u32 = 1_000;

/// Limits on the number of sockets.
#[derive(Debug, Clone, Copy)]
pub struct SocketLimits {
    /// In all: memory is 4 KiB a socket.
    pub total: usize,
    /// Of one account: tabs and devices of one person.
    pub per_account: usize,
}

#[derive(Debug, Default)]
struct Sockets {
    all: HashMap<ConnectionId, Arc<ConnectionHandle>>,
    by_user: HashMap<UserId, Vec<Arc<ConnectionHandle>>>,
}

#[derive(Debug, Default)]
struct Deferred {
    waiting: Mutex<VecDeque<Arc<ConnectionHandle>>>,
    added: Notify,
}

/// The connected sockets. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Hub {
    sockets: Arc<RwLock<Sockets>>,
    /// Connections with deferred frames, whose writers are woken a few at a time.
    deferred: Arc<Deferred>,
    limits: SocketLimits,
}

impl Hub {
    pub fn new(limits: SocketLimits) -> Self {
        Self { sockets: Arc::default(), deferred: Arc::default(), limits }
    }

    /// # Errors
    /// 503 when the server is full, 429 when the account is.
    pub fn admit(&self, connection: &Arc<ConnectionHandle>) -> Result<(), CommonError> {
        let mut sockets = self.sockets.write();
        if sockets.all.len() >= self.limits.total {
            return Err(CommonError::unavailable("The server has no room for another connection right now."));
        }
        if let Some(user) = connection.user_id() {
            let own = sockets.by_user.entry(user).or_default();
            let programs = own.iter().filter(|other| other.caller.is_program()).count();
            // Programs leave their owner's pages room.
            let is_full = connection.caller.is_program() && programs >= self.limits.per_account.div_ceil(2);
            if is_full || own.len() >= self.limits.per_account {
                return Err(CommonError::TooMany { retry_after: Duration::from_secs(30) });
            }
            own.push(Arc::clone(connection));
        }
        sockets.all.insert(connection.id, Arc::clone(connection));
        Ok(())
    }

    pub fn remove(&self, connection: &ConnectionHandle) {
        let mut sockets = self.sockets.write();
        sockets.all.remove(&connection.id);
        if let Some(user) = connection.user_id()
            && let Some(own) = sockets.by_user.get_mut(&user)
        {
            own.retain(|other| other.id != connection.id);
            if own.is_empty() {
                sockets.by_user.remove(&user);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.sockets.read().all.len()
    }

    /// Whether this person has a socket; those of their programs do not count, since nobody looks at them.
    pub fn is_connected(&self, user: UserId) -> bool {
        let sockets = self.sockets.read();
        sockets.by_user.get(&user).is_some_and(|own| own.iter().any(|connection| !connection.caller.is_program()))
    }

    /// Those of these accounts that have a socket, also one of a program.
    pub fn connected(&self, users: &[UserId]) -> HashSet<UserId> {
        let sockets = self.sockets.read();
        users.iter().copied().filter(|user| sockets.by_user.contains_key(user)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sends a frame to every socket of an account for which `except` is false.
    pub fn send_to_user(&self, user: UserId, frame: &Bytes, except: impl Fn(ConnectionId) -> bool) {
        if let Some(own) = self.sockets.read().by_user.get(&user) {
            own.iter()
                .filter(|connection| !except(connection.id))
                .for_each(|connection| connection.send(frame.clone()));
        }
    }

    /// As [`Hub::send_to_user`], for every socket, with everything else of an announcement.
    pub fn announce_to_user(&self, user: UserId, frame: &Bytes, announcement: &mut Announcement) {
        if let Some(own) = self.sockets.read().by_user.get(&user) {
            own.iter().for_each(|connection| announcement.queue(connection, frame.clone()));
        }
    }

    /// Queues a frame that may be written a little later: for one of many who watch, so that nobody who plays waits for a
    /// crowd. What the connection is sent otherwise is not delayed, and takes it along.
    pub fn send_deferred(&self, connection: &Arc<ConnectionHandle>, frame: Bytes) {
        if connection.queue_deferred(frame) {
            self.deferred.waiting.lock().push_back(Arc::clone(connection));
            self.deferred.added.notify_one();
        }
    }

    /// Has deferred frames written, until it is dropped.
    pub async fn run_deferred(&self) {
        loop {
            let next: Vec<_> = {
                let mut waiting = self.deferred.waiting.lock();
                let count = waiting.len().min(WAKE_AT_ONCE);
                waiting.drain(..count).collect()
            };
            if next.is_empty() {
                self.deferred.added.notified().await;
                continue;
            }
            next.iter().for_each(|connection| connection.wake());
            sleep(WAKE_PAUSE).await;
        }
    }

    /// The account's socket with this id, which `authenticated` reported.
    pub fn find(&self, user: UserId, socket: &str) -> Option<Arc<ConnectionHandle>> {
        let sockets = self.sockets.read();
        sockets.by_user.get(&user)?.iter().find(|connection| connection.id.to_string() == socket).cloned()
    }

    /// Sends a frame to all sockets for which `wanted` holds; for rare frames.
    pub fn broadcast(&self, frame: &Bytes, wanted: impl Fn(&ConnectionHandle) -> bool) {
        let sockets = self.sockets.read();
        sockets
            .all
            .values()
            .filter(|connection| wanted(connection))
            .for_each(|connection| connection.send(frame.clone()));
    }

    /// Closes the sockets of sessions and operator tokens. Sockets with a last frame are sent it, since their session
    /// ended, and the account's remaining sockets are asked to check whether they are still signed in. Sockets without one
    /// are to connect again.
    pub fn close_sockets_of(&self, credentials: &HashMap<Uuid, Option<CheckLoginActivity>>) {
        if credentials.is_empty() {
            return;
        }
        let encode = |check| encode(&ServerFrame::CheckLoginActivity(check).to_text());
        let sockets = self.sockets.read();
        let mut users = HashSet::new();
        for connection in sockets.all.values() {
            match connection.caller.credential_id().and_then(|id| credentials.get(&id)) {
                Some(Some(last)) => {
                    connection.end(close::SIGNED_OUT, Some(encode(last.clone())));
                    users.extend(connection.user_id());
                }
                Some(None) => connection.end(close::RIGHTS_CHANGED, None),
                None => {}
            }
        }
        let check = encode(CheckLoginActivity::default());
        for connection in users.iter().filter_map(|user| sockets.by_user.get(user)).flatten() {
            connection.send(check.clone());
        }
    }

    /// The sockets whose session or token has ended, as far as known; it may have been used since.
    pub fn overdue(&self, steady: Millis, wall: Millis) -> Vec<Arc<ConnectionHandle>> {
        let sockets = self.sockets.read();
        sockets.all.values().filter(|connection| connection.is_overdue(steady, wall)).cloned().collect()
    }

    /// Ends of sessions or tokens may have been missed: all are looked at again.
    pub fn check_all(&self) {
        self.sockets.read().all.values().for_each(|connection| connection.request_check());
    }

    /// Pings the sockets of a part, of [`PING_PARTS`], and closes those that have been silent for too long.
    pub fn ping(&self, part: u32) {
        let ping = Ping::new(Instant::now());
        let mut announcement = Announcement::default();
        let is_in_part = |id: &ConnectionId| id.0 % u64::from(PING_PARTS) == u64::from(part);
        for (_, connection) in self.sockets.read().all.iter().filter(|(id, _)| is_in_part(id)) {
            if connection.is_silent() {
                connection.close(close::GOING_AWAY);
            } else {
                connection.record_ping(&ping);
                announcement.queue(connection, ping.frame());
            }
        }
        announcement.write();
    }

    /// Tells every client to reconnect in a moment, and closes all sockets.
    pub fn drain(&self) {
        let frame = encode(&ServerFrame::ServerDraining(ServerDraining { reconnect_in_ms: RECONNECT_IN_MS }).to_text());
        for connection in self.sockets.read().all.values() {
            connection.send(frame.clone());
            connection.close(close::GOING_AWAY);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::caller::Caller;

    #[tokio::test(start_paused = true)]
    async fn a_crowd_is_written_to_a_few_at_a_time_and_in_order() {
        let hub = Hub::new(SocketLimits { total: 1_000, per_account: 10 });
        let connection = || Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        let crowd: Vec<_> = std::iter::repeat_with(connection).take(2 * WAKE_AT_ONCE + 1).collect();
        crowd.iter().for_each(|connection| hub.send_deferred(connection, encode("first")));
        let woken = || crowd.iter().filter(|connection| connection.ready().now_or_never().is_some()).count();
        assert_eq!(woken(), 0);
        let waking = hub.clone();
        tokio::spawn(async move { waking.run_deferred().await });
        let mut steps = vec![];
        for _ in 0..4 {
            tokio::task::yield_now().await;
            steps.push(woken());
            tokio::time::advance(WAKE_PAUSE).await;
        }
        assert_eq!(steps, [WAKE_AT_ONCE, WAKE_AT_ONCE, 1, 0]);
        // What is not deferred is written at once, behind what came before it.
        crowd[0].send(encode("second"));
        assert_eq!(woken(), 1);
        assert_eq!(crowd[0].next_write(), [encode("first"), encode("second")].concat());
        // Once all are written to, it begins anew.
        hub.send_deferred(&crowd[0], encode("third"));
        tokio::task::yield_now().await;
        assert_eq!(woken(), 1);
    }

    #[tokio::test]
    async fn every_connection_is_pinged_in_one_part_of_the_interval() {
        let hub = Hub::new(SocketLimits { total: 1_000, per_account: 10 });
        let connections: Vec<_> =
            (0..PING_PARTS).map(|_| Arc::new(ConnectionHandle::new(Caller::Visitor, None))).collect();
        connections.iter().for_each(|connection| hub.admit(connection).unwrap());
        let pinged = |part| {
            hub.ping(part);
            connections.iter().filter(|connection| !connection.next_write().is_empty()).count()
        };
        let parts: Vec<_> = (0..PING_PARTS).map(pinged).collect();
        // Other tests make connections, too, so that not every part has one of these.
        assert_eq!(parts.iter().sum::<usize>(), connections.len());
        assert!(parts.iter().all(|pinged| *pinged <= connections.len() / 10), "{parts:?}");
    }
}
