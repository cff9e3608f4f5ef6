//! The presence of an event's players, for its directors: `docs/behaviour/events.md#who-is-there`.

use std::{collections::HashMap, sync::Arc};

use morpion_openapi::realtime::{PlayerPresence, Presence, PresenceChanged, ServerFrame};
use morpion_rules::{EventId, Millis, UserId, event::EventState};

use super::{Events, error::EventError, runtime::EventRuntime, state::State};
use crate::{
    caller::Caller,
    connections::{
        frame::encode,
        handle::{ConnectionHandle, ConnectionId},
    },
    error::CommonError,
};

/// Pause between two frames, in milliseconds.
const TELL_EVERY: i64 = 2_000;

/// Players whose presence is reported, the first who signed up: as many as a desk lists.
const PLAYERS: usize = 5_000;

/// Players in one frame; the others are in the next.
const TOLD_AT_ONCE: usize = 1_000;

/// Connections that follow one event.
const WATCHERS: usize = 64;

/// The connections that follow the presence of an event's players. Without any, nothing is computed.
#[derive(Debug, Default)]
pub(super) struct PresenceWatch {
    watchers: Vec<Arc<ConnectionHandle>>,
    /// What they were told last. Empty where somebody new has to be told everything.
    told: HashMap<UserId, Presence>,
    /// Nothing is told before.
    next: Millis,
}

impl PresenceWatch {
    fn add(&mut self, connection: &Arc<ConnectionHandle>) -> Result<(), CommonError> {
        self.watchers.retain(|watcher| watcher.id != connection.id && !watcher.is_gone());
        if self.watchers.len() >= WATCHERS {
            return Err(CommonError::unavailable("Too many pages follow this event. Close one of them."));
        }
        self.watchers.push(Arc::clone(connection));
        self.told.clear();
        Ok(())
    }

    fn remove(&mut self, id: ConnectionId) {
        self.watchers.retain(|watcher| watcher.id != id);
    }

    /// Whether there is somebody to tell now.
    fn is_due(&mut self, now: Millis) -> bool {
        if now < self.next {
            return false;
        }
        self.next = now + TELL_EVERY;
        self.watchers.retain(|watcher| !watcher.is_gone());
        if self.watchers.is_empty() {
            self.told = HashMap::new();
        }
        !self.watchers.is_empty()
    }

    /// What is news of these, as far as it is told at once; it counts as told.
    fn news(&mut self, players: impl Iterator<Item = (UserId, Presence)>) -> Vec<PlayerPresence> {
        let told = &mut self.told;
        let is_news = |(user, presence): &(UserId, Presence)| told.get(user) != Some(presence);
        let news: Vec<_> = players.filter(is_news).take(TOLD_AT_ONCE).collect();
        told.extend(news.iter().copied());
        news.into_iter().map(|(user, presence)| PlayerPresence { user_id: user.0, presence }).collect()
    }
}

impl State {
    /// Whether presence is reported: while the event is published or under way.
    pub(super) fn has_presence(&self) -> bool {
        matches!(self.event.state(), EventState::Published | EventState::Started)
    }

    /// Whether a player is there; `is_connected` says whether they have a socket.
    pub(super) fn presence_of(&self, user: UserId, is_connected: bool) -> Presence {
        if !is_connected {
            Presence::Offline
        } else if self.playing.contains_key(&user) {
            Presence::Playing
        } else if self.queue.contains(user) {
            Presence::Waiting
        } else if self.room.contains_key(&user) {
            Presence::Room
        } else {
            Presence::Online
        }
    }
}

impl Events {
    /// Lets a connection follow the presence of an event's players, from a full report on. Idempotent.
    ///
    /// # Errors
    /// 401, 403 unless the caller directs the event; [`CommonError::NotFound`]; [`CommonError::Unavailable`] with too many watchers.
    pub async fn watch_presence(
        &self,
        caller: &Caller,
        id: EventId,
        connection: &Arc<ConnectionHandle>,
    ) -> Result<(), EventError> {
        self.check_director(caller, id).await?;
        let runtime = self.runtime(id).await?;
        {
            let mut state = runtime.state.lock();
            // In other states nothing is sent, and nothing would remove the watcher.
            if state.has_presence() {
                state.presence.add(connection)?;
            }
        }
        runtime.changed.notify_one();
        Ok(())
    }

    /// It follows it no longer; idempotent.
    pub fn unwatch_presence(&self, id: EventId, connection: &ConnectionHandle) {
        if let Some(runtime) = self.registry.loaded(id) {
            runtime.state.lock().presence.remove(connection.id);
        }
    }

    /// Sends the watchers what has changed since the last frame.
    pub(super) fn tell_presence(&self, runtime: &EventRuntime) {
        let now = self.now();
        let players: Vec<UserId> = {
            let mut state = runtime.state.lock();
            if !state.has_presence() || !state.presence.is_due(now) {
                return;
            }
            state.order.iter().take(PLAYERS).copied().collect()
        };
        // Not under the lock of the event: sockets have their own.
        let connected = self.registry.hub.connected(&players);
        let mut state = runtime.state.lock();
        let present: Vec<_> =
            players.into_iter().map(|user| (user, state.presence_of(user, connected.contains(&user)))).collect();
        let players = state.presence.news(present.into_iter());
        if players.is_empty() {
            return;
        }
        let frame = ServerFrame::PresenceChanged(PresenceChanged { event_id: runtime.id.0, players });
        let frame = encode(&frame.to_text());
        state.presence.watchers.iter().for_each(|watcher| watcher.send(frame.clone()));
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn user(id: usize) -> UserId {
        UserId(Uuid::from_u128(id as u128))
    }

    #[test]
    fn a_crowd_is_told_in_parts_and_then_only_what_changed() {
        let mut watch = PresenceWatch::default();
        let connection = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        watch.add(&connection).unwrap();
        let crowd = |changed: usize| {
            (0..TOLD_AT_ONCE + 5).map(move |id| {
                let presence = if id < changed { Presence::Playing } else { Presence::Offline };
                (user(id), presence)
            })
        };
        let counts = [0, 0, 0, 3, 3].map(|changed| watch.news(crowd(changed)).len());
        assert_eq!(counts, [TOLD_AT_ONCE, 5, 0, 3, 0]);
        // Whoever comes later is told all.
        watch.add(&Arc::new(ConnectionHandle::new(Caller::Visitor, None))).unwrap();
        assert_eq!(watch.news(crowd(3)).len(), TOLD_AT_ONCE);
    }

    #[test]
    fn nobody_is_told_twice_in_two_seconds_and_nothing_without_watchers() {
        let mut watch = PresenceWatch::default();
        assert!(!watch.is_due(Millis(10_000)));
        let connection = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        watch.add(&connection).unwrap();
        watch.add(&connection).unwrap();
        assert_eq!(watch.watchers.len(), 1);
        let due = [11_999, 12_000, 13_999, 14_000].map(|now| watch.is_due(Millis(now)));
        assert_eq!(due, [false, true, false, true]);
        watch.remove(connection.id);
        assert!(!watch.is_due(Millis(16_000)));
    }

    #[test]
    fn one_event_has_a_limit_of_watchers() {
        let mut watch = PresenceWatch::default();
        let connections: Vec<_> =
            (0..=WATCHERS).map(|_| Arc::new(ConnectionHandle::new(Caller::Visitor, None))).collect();
        let outcomes: Vec<_> = connections.iter().map(|connection| watch.add(connection).is_ok()).collect();
        assert_eq!(outcomes.iter().filter(|is_in| **is_in).count(), WATCHERS);
    }
}
