//! The connections that have a game open, and the people among them who watch.

use std::{collections::HashMap, sync::Arc};

use bytes::Bytes;
use morpion_rules::UserId;

use crate::connections::{
    announcement::Announcement,
    handle::{ConnectionHandle, ConnectionId},
    hub::Hub,
};

/// Connections that have received the state and get every change of it.
#[derive(Debug, Default)]
pub struct Audience {
    members: Vec<Member>,
    /// Connections of spectators.
    spectators: usize,
    /// How many connections each person who watches has. Operator tokens are nobody, and not counted.
    watching: HashMap<UserId, usize>,
}

#[derive(Debug)]
struct Member {
    connection: Arc<ConnectionHandle>,
    watches: bool,
}

impl Audience {
    pub fn connections(&self) -> impl Iterator<Item = &Arc<ConnectionHandle>> {
        self.members.iter().map(|member| &member.connection)
    }

    /// Sends a frame to everybody for whom `wanted` holds: to players at once, to spectators a few at a time.
    pub fn send(&self, hub: &Hub, frame: &Bytes, wanted: impl Fn(&ConnectionHandle) -> bool) {
        self.send_by(hub, frame, wanted, |connection, frame| connection.send(frame));
    }

    /// As [`Audience::send`], to players with everything else of an announcement.
    pub fn announce(
        &self,
        hub: &Hub,
        frame: &Bytes,
        wanted: impl Fn(&ConnectionHandle) -> bool,
        announcement: &mut Announcement,
    ) {
        self.send_by(hub, frame, wanted, |connection, frame| announcement.queue(connection, frame));
    }

    fn send_by(
        &self,
        hub: &Hub,
        frame: &Bytes,
        wanted: impl Fn(&ConnectionHandle) -> bool,
        mut to_player: impl FnMut(&Arc<ConnectionHandle>, Bytes),
    ) {
        for Member { connection, watches } in self.members.iter().filter(|member| wanted(&member.connection)) {
            match watches {
                true => hub.send_deferred(connection, frame.clone()),
                false => to_player(connection, frame.clone()),
            }
        }
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Connections of spectators.
    pub fn spectators(&self) -> usize {
        self.spectators
    }

    /// How many people watch: nobody is counted twice.
    pub fn watchers(&self) -> u32 {
        self.watching.len() as u32
    }

    /// Adds a connection of a player, or of somebody who watches. Who watched and plays now is a player.
    pub fn add(&mut self, connection: &Arc<ConnectionHandle>, watches: bool) {
        match self.members.iter_mut().find(|member| member.connection.id == connection.id) {
            Some(member) if member.watches == watches => return,
            Some(member) => member.watches = watches,
            None => self.members.push(Member { connection: Arc::clone(connection), watches }),
        }
        self.count(connection, watches);
    }

    /// Removes a connection, if it is there.
    pub fn remove(&mut self, id: ConnectionId) {
        let Some(at) = self.members.iter().position(|member| member.connection.id == id) else { return };
        let Member { connection, watches } = self.members.swap_remove(at);
        if watches {
            self.count(&connection, false);
        }
    }

    /// Counts a connection that begins to watch, or no longer does.
    fn count(&mut self, connection: &ConnectionHandle, watches: bool) {
        match (connection.user_id(), watches) {
            (Some(user), true) => *self.watching.entry(user).or_default() += 1,
            (Some(user), false) => {
                if let Some(own) = self.watching.get_mut(&user) {
                    *own -= 1;
                    if *own == 0 {
                        self.watching.remove(&user);
                    }
                }
            }
            (None, _) => {}
        }
        self.spectators = if watches { self.spectators + 1 } else { self.spectators.saturating_sub(1) };
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        caller::{Caller, Identity, Operator},
        connections::{frame::encode, hub::SocketLimits},
        scope::TokenScope,
    };

    fn connection(user: u128) -> Arc<ConnectionHandle> {
        let identity = Identity {
            user_id: UserId(Uuid::from_u128(user)),
            username: user.to_string(),
            is_admin: false,
            is_temp: false,
            session_id: Uuid::nil(),
            needs_second_factor: false,
            credential_version: None,
            scopes: None,
        };
        Arc::new(ConnectionHandle::new(Caller::User(Arc::new(identity)), None))
    }

    #[test]
    fn people_are_counted_once_and_players_and_operators_are_not() {
        let mut audience = Audience::default();
        let (tab, other_tab, player) = (connection(1), connection(1), connection(2));
        audience.add(&player, false);
        audience.add(&tab, true);
        audience.add(&tab, true);
        audience.add(&other_tab, true);
        assert_eq!((audience.watchers(), audience.spectators(), audience.connections().count()), (1, 2, 3));
        let operator = Operator { token_id: Uuid::nil(), name: "wall".to_owned(), scope: TokenScope::Read };
        let operator = Arc::new(ConnectionHandle::new(Caller::Operator(Arc::new(operator)), None));
        audience.add(&operator, true);
        assert_eq!((audience.watchers(), audience.spectators()), (1, 3));
        audience.remove(operator.id);
        audience.remove(tab.id);
        audience.remove(tab.id);
        assert_eq!((audience.watchers(), audience.spectators()), (1, 1));
        audience.remove(other_tab.id);
        audience.remove(player.id);
        assert!(audience.is_empty() && audience.watchers() == 0 && audience.spectators() == 0);
    }

    #[test]
    fn an_announcement_is_written_to_players_and_spectators_wait() {
        let hub = Hub::new(SocketLimits { total: 10, per_account: 10 });
        let mut audience = Audience::default();
        let (player, spectator, other) = (connection(1), connection(2), connection(3));
        audience.add(&player, false);
        audience.add(&spectator, true);
        audience.add(&other, false);
        let frame = encode("{}");
        let mut announcement = Announcement::default();
        audience.announce(&hub, &frame, |connection| connection.id != other.id, &mut announcement);
        assert!(!player.queue(frame.clone()), "the announcement writes this one, too");
        assert!(spectator.queue(frame.clone()), "nobody is about to write what was deferred");
        assert_eq!(spectator.next_write(), frame.repeat(2));
        assert!(other.next_write().is_empty());
    }

    #[test]
    fn who_takes_a_seat_no_longer_watches() {
        let mut audience = Audience::default();
        let tab = connection(1);
        audience.add(&tab, true);
        audience.add(&tab, false);
        assert_eq!((audience.watchers(), audience.spectators(), audience.connections().count()), (0, 0, 1));
        audience.remove(tab.id);
        assert_eq!((audience.watchers(), audience.spectators()), (0, 0));
    }
}
