//! Who waits, and with which connections.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use morpion_openapi::realtime::ServerFrame;
use morpion_rules::{
    Millis, UserId,
    game::Player,
    matchmaking::QueueFull,
    quick_match::{Candidate, Lobby, Match, Wish},
};

use super::wire;
use crate::{
    account::{limits::ClientAddress, played_from::PlayedFrom},
    connections::{
        frame::encode,
        handle::{ConnectionHandle, ConnectionId},
    },
};

/// Last opponents that are remembered; beyond that all are forgotten.
const MAX_LAST_OPPONENTS: usize = 200_000;

/// A player who looks for an opponent.
#[derive(Debug)]
pub struct Seeker {
    pub player: Player,
    pub from: PlayedFrom,
    rating: u32,
    blocked: BTreeSet<UserId>,
    connections: Vec<Arc<ConnectionHandle>>,
    away_since: Option<Millis>,
}

impl Seeker {
    pub fn send(&self, frame: &ServerFrame) {
        let frame = encode(&frame.to_text());
        self.connections.iter().for_each(|connection| connection.send(frame.clone()));
    }
}

/// Somebody who begins to look, or looks for something else.
#[derive(Debug)]
pub struct Entrant {
    pub player: Player,
    pub rating: u32,
    pub blocked: BTreeSet<UserId>,
    pub from: PlayedFrom,
    pub is_bot: bool,
}

/// Somebody who waits, for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedPlayer {
    pub user: UserId,
    pub username: String,
    pub wish: Wish,
    pub rating: u32,
    /// The difference of ratings that is accepted by now.
    pub window: u32,
    pub waited_ms: i64,
    /// Without a connection.
    pub is_away: bool,
}

#[derive(Debug, Default)]
pub struct State {
    pub lobby: Lobby,
    /// Of everybody in the lobby.
    pub seekers: HashMap<UserId, Seeker>,
    pub last_opponents: HashMap<UserId, UserId>,
}

impl State {
    /// Enters a player with a connection into the lobby, or changes the wish.
    ///
    /// # Errors
    /// There are too many already.
    pub fn enter(
        &mut self,
        entrant: Entrant,
        wish: Wish,
        connection: &Arc<ConnectionHandle>,
        now: Millis,
    ) -> Result<(), QueueFull> {
        let Entrant { player, rating, blocked, from, is_bot } = entrant;
        let user = player.user;
        let last_opponent = self.last_opponents.get(&user).copied();
        let candidate = Candidate { user, rating, last_opponent, blocked: blocked.clone(), is_bot };
        self.lobby.enter(candidate, wish, now)?;
        let new = || Seeker {
            player,
            from: PlayedFrom::default(),
            rating,
            blocked: BTreeSet::new(),
            connections: vec![],
            away_since: None,
        };
        let seeker = self.seekers.entry(user).or_insert_with(new);
        seeker.from.update(&from);
        seeker.from.add(connection.address.map(ClientAddress::ip));
        seeker.rating = rating;
        seeker.blocked = blocked;
        seeker.away_since = None;
        if !seeker.connections.iter().any(|other| other.id == connection.id) {
            seeker.connections.push(Arc::clone(connection));
        }
        // It ended while the store was asked, and nobody would remove it again.
        if connection.is_gone() {
            self.connection_lost(user, connection.id, now);
        }
        Ok(())
    }

    /// With the last connection the player is away.
    pub fn connection_lost(&mut self, user: UserId, connection: ConnectionId, now: Millis) {
        let Some(seeker) = self.seekers.get_mut(&user) else { return };
        seeker.connections.retain(|other| other.id != connection);
        if seeker.connections.is_empty() && seeker.away_since.is_none() {
            seeker.away_since = Some(now);
            self.lobby.away(user);
        }
    }

    /// Removes a player from the lobby.
    pub fn remove(&mut self, user: UserId) -> Option<Seeker> {
        self.lobby.leave(user);
        self.seekers.remove(&user)
    }

    /// Removes everybody who is away since then or longer.
    pub fn remove_away(&mut self, since: Millis) {
        let is_away = |seeker: &Seeker| seeker.away_since.is_some_and(|at| at <= since);
        let away = self.seekers.values().filter(|seeker| is_away(seeker)).map(|seeker| seeker.player.user);
        for user in away.collect::<Vec<_>>() {
            self.remove(user);
        }
    }

    /// Takes a player whom the lobby has paired.
    pub fn take(&mut self, user: UserId) -> Option<Seeker> {
        self.seekers.remove(&user)
    }

    /// Puts a paired player, the first or the second of a match, back in their place.
    pub fn put_back(&mut self, seeker: Seeker, paired: &Match, number: usize) {
        let user = seeker.player.user;
        let blocked = seeker.blocked.clone();
        let is_bot = paired.is_bot;
        let candidate = Candidate { user, rating: seeker.rating, last_opponent: None, blocked, is_bot };
        if self.lobby.enter(candidate, paired.wish(number), paired.pairing.since[number]).is_err() {
            return;
        }
        if seeker.connections.is_empty() {
            self.lobby.away(user);
        }
        self.seekers.insert(user, seeker);
    }

    /// Two players get a game.
    pub fn met(&mut self, a: UserId, b: UserId) {
        if self.last_opponents.len() >= MAX_LAST_OPPONENTS {
            self.last_opponents.clear();
        }
        self.last_opponents.insert(a, b);
        self.last_opponents.insert(b, a);
    }

    /// Everybody who waits, in no order.
    pub fn queue(&self, now: Millis) -> Vec<QueuedPlayer> {
        let queued = |(user, seeker): (&UserId, &Seeker)| {
            let (since, window) = self.lobby.waiting(*user, now)?;
            Some(QueuedPlayer {
                user: *user,
                username: seeker.player.username.clone(),
                wish: self.lobby.wish(*user)?,
                rating: seeker.rating,
                window,
                waited_ms: now - since,
                is_away: seeker.connections.is_empty(),
            })
        };
        self.seekers.iter().filter_map(queued).collect()
    }

    /// What a waiting player is told: of those whom they can be paired with.
    pub fn status(&self, user: UserId, playing: usize, now: Millis) -> Option<ServerFrame> {
        let (since, window) = self.lobby.waiting(user, now)?;
        Some(wire::status(self.lobby.count(self.lobby.is_bot(user)), playing, now - since, window))
    }
}
