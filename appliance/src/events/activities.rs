//! Which players wait for an opponent or play, and in which event: never in two events at once.

use std::collections::HashMap;

use morpion_rules::{EventId, GameId, UserId};
use parking_lot::Mutex;

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// Waits in this event's queue.
    Seeking(EventId),
    Playing {
        event: EventId,
        game: GameId,
    },
}

/// One entry for each player in a queue or a game of an event, so it is bounded by both. Locked last and briefly.
#[derive(Debug, Default)]
pub struct Activities(Mutex<HashMap<UserId, Activity>>);

impl Activities {
    pub fn of(&self, user: UserId) -> Option<Activity> {
        self.0.lock().get(&user).copied()
    }

    /// The player enters this event's queue; false if they wait or play elsewhere.
    pub fn seek(&self, user: UserId, event: EventId) -> bool {
        let mut all = self.0.lock();
        match all.get(&user) {
            Some(Activity::Seeking(other)) => *other == event,
            Some(Activity::Playing { .. }) => false,
            None => {
                all.insert(user, Activity::Seeking(event));
                true
            }
        }
    }

    /// The player left this event's queue.
    pub fn stop_seeking(&self, user: UserId, event: EventId) {
        let mut all = self.0.lock();
        if all.get(&user) == Some(&Activity::Seeking(event)) {
            all.remove(&user);
        }
    }

    pub fn play(&self, user: UserId, event: EventId, game: GameId) {
        self.0.lock().insert(user, Activity::Playing { event, game });
    }

    /// The game is over.
    pub fn stop_playing(&self, user: UserId, over: GameId) {
        let mut all = self.0.lock();
        if matches!(all.get(&user), Some(Activity::Playing { game, .. }) if *game == over) {
            all.remove(&user);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn nobody_is_in_two_places() {
        let all = Activities::default();
        let user = UserId(Uuid::from_u128(1));
        let [first, second] = [2, 3].map(|id| EventId(Uuid::from_u128(id)));
        let game = GameId(Uuid::from_u128(4));
        assert!(all.seek(user, first) && all.seek(user, first) && !all.seek(user, second));
        all.stop_seeking(user, second);
        assert_eq!(all.of(user), Some(Activity::Seeking(first)));
        all.play(user, first, game);
        assert!(!all.seek(user, first) && !all.seek(user, second));
        all.stop_playing(user, GameId(Uuid::nil()));
        assert_eq!(all.of(user), Some(Activity::Playing { event: first, game }));
        all.stop_playing(user, game);
        assert!(all.seek(user, second));
    }
}
