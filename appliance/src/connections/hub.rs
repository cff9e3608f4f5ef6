//! Who is connected: every socket, and the sockets of each account.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use morpion_openapi::realtime::{CheckLoginActivity, ServerDraining, ServerFrame};
use morpion_rules::{Millis, UserId};
use parking_lot::RwLock;
use uuid::Uuid;

use super::{
    frame::encode,
    handle::{ConnectionHandle, ConnectionId, close},
    round_trip::Ping,
};
use crate::error::CommonError;

/// How often the server pings.
pub const PING_EVERY: Duration = Duration::from_secs(15);

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

/// The connected sockets. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct Hub {
    sockets: Arc<RwLock<Sockets>>,
    limits: SocketLimits,
}

impl Hub {
    pub fn new(limits: SocketLimits) -> Self {
        Self { sockets: Arc::default(), limits }
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
            if own.len() >= self.limits.per_account {
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

    /// Whether this account has a socket.
    pub fn is_connected(&self, user: UserId) -> bool {
        self.sockets.read().by_user.contains_key(&user)
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

    /// Sessions or operator tokens ended: their sockets are closed, and the accounts' others are asked to check whether
    /// they are still signed in. `ended` has what each is told last.
    pub fn end_credentials(&self, ended: &HashMap<Uuid, CheckLoginActivity>) {
        if ended.is_empty() {
            return;
        }
        let encode = |check| encode(&ServerFrame::CheckLoginActivity(check).to_text());
        let sockets = self.sockets.read();
        let mut users = HashSet::new();
        for connection in sockets.all.values() {
            let Some(last) = connection.caller.credential_id().and_then(|id| ended.get(&id)) else { continue };
            connection.end(encode(last.clone()));
            users.extend(connection.user_id());
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

    /// Pings every socket and closes those that have been silent for too long.
    pub fn ping_all(&self, now: Millis) {
        let ping = Ping::new(Instant::now());
        for connection in self.sockets.read().all.values() {
            if connection.is_silent(now) {
                connection.close(close::GOING_AWAY);
            } else {
                connection.ping(&ping);
            }
        }
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
