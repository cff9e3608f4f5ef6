//! The event room and the queue, for connections.

use std::{net::IpAddr, sync::Arc};

use morpion_openapi::realtime::{EventJoined, MatchmakingCancelled, RedirectToGame, RemovedFromRoom, ServerFrame};
use morpion_rules::{
    EventId, GameId, UserId,
    event::{Admission, EventRefusal},
};

use super::{
    Events,
    activities::Activity,
    error::EventError,
    lifecycle::LEAVE_ROOM_MS,
    results::still_there,
    runtime::EventRuntime,
    state::State,
    views::{PlayerView, RoomView},
    wire,
};
use crate::{
    account::{
        limits::{ClientAddress, network},
        played_from::PlayedFrom,
    },
    caller::Identity,
    connections::{frame::encode, handle::ConnectionHandle},
    error::CommonError,
};

/// Delay before a client opens the game that it is already in.
const ENGAGED_REDIRECT_MS: u32 = 1_500;

const CANCELLED: &str = "Matchmaking cancelled.";
pub(super) const ELSEWHERE: &str = "You are looking for an opponent in another event now.";

impl Events {
    /// A connection opens the event room; a user who has not joined the event does so.
    ///
    /// # Errors
    /// As [`Events::join`], and [`EventError::TooManyRooms`].
    pub async fn enter_room(
        &self,
        identity: &Identity,
        id: EventId,
        connection: &Arc<ConnectionHandle>,
    ) -> Result<RoomView, EventError> {
        let player = self.join(identity, id).await?;
        let runtime = self.runtime(id).await?;
        let user = identity.user_id;
        if !connection.enter_event(id) {
            return Err(EventError::TooManyRooms);
        }
        let from = PlayedFrom::devices_of(self.store(), user).await?;
        let now = self.now();
        let mut state = runtime.state.lock();
        if let Some(participant) = state.participants.get_mut(&user) {
            participant.from.update(&from);
        }
        state.enter_room(user, connection, now);
        let view = entered(&state, id, player);
        connection.send_frame(&ServerFrame::EventJoined(EventJoined {
            event_id: id.0,
            player: wire::player(view.player.clone()),
            queue_size: view.queue_size as u32,
            still_there: view.absence.is_some().then_some(true),
            absence: view.absence.clone(),
        }));
        match (self.game_of(user), state.queue_state(id, user, now, self.registry.clock.to_calendar())) {
            (Some(game), _) => connection.send_frame(&redirect(game)),
            (None, Some(queue)) => connection.send_frame(&ServerFrame::MatchmakingStarted(queue)),
            (None, None) => {}
        }
        drop(state);
        runtime.changed.notify_one();
        Ok(view)
    }

    /// As [`Events::enter_room`], called over HTTP: with the named socket of the caller, if there is one.
    ///
    /// # Errors
    /// As there, and [`CommonError::NotFound`] for a socket that is not theirs.
    pub async fn enter_room_by_call(
        &self,
        identity: &Identity,
        id: EventId,
        socket: Option<&str>,
    ) -> Result<RoomView, EventError> {
        match socket {
            Some(socket) => {
                let connection =
                    self.registry.hub.find(identity.user_id, socket).ok_or(CommonError::NotFound("socket"))?;
                self.enter_room(identity, id, &connection).await
            }
            None => {
                let player = self.join(identity, id).await?;
                let runtime = self.runtime(id).await?;
                Ok(entered(&runtime.state.lock(), id, player))
            }
        }
    }

    /// A connection leaves the room; with the last one the player also leaves the queue.
    pub fn leave_room(&self, user: UserId, id: EventId, connection: &ConnectionHandle) {
        connection.leave_event(id);
        let Some(runtime) = self.registry.loaded(id) else { return };
        let was_last = runtime.state.lock().leave_room(user, connection.id);
        if was_last {
            self.leave_queue(&runtime, user);
        }
    }

    /// All of a player's connections leave the room.
    pub fn leave_room_by_call(&self, user: UserId, id: EventId) {
        let Some(runtime) = self.registry.loaded(id) else { return };
        let connections = runtime.state.lock().room.remove(&user).unwrap_or_default();
        connections.iter().for_each(|connection| connection.leave_event(id));
        self.leave_queue(&runtime, user);
    }

    /// Takes a removed player out of the queue and the room, and tells them; the owner ends their game.
    pub(super) fn evict(&self, runtime: &EventRuntime, user: UserId) {
        let mut state = runtime.state.lock();
        let connections = state.room.remove(&user).unwrap_or_default();
        let was_waiting = state.dequeue(user);
        state.pending.decided_at = None;
        drop(state);
        connections.iter().for_each(|connection| connection.leave_event(runtime.id));
        if was_waiting {
            self.registry.activities.stop_seeking(user, runtime.id);
        }
        let frame = RemovedFromRoom { event_id: runtime.id.0, message: EventRefusal::Removed.text().to_owned() };
        let frame = encode(&ServerFrame::RemovedFromRoom(frame).to_text());
        self.registry.hub.send_to_user(user, &frame, |_| false);
        runtime.changed.notify_one();
    }

    fn leave_queue(&self, runtime: &EventRuntime, user: UserId) {
        if runtime.state.lock().dequeue(user) {
            self.registry.activities.stop_seeking(user, runtime.id);
            runtime.changed.notify_one();
        }
    }

    /// A connection ended. The player keeps their place in the queue for a while, but is not paired.
    pub fn connection_lost(&self, connection: &ConnectionHandle) {
        let Some(user) = connection.user_id() else { return };
        let now = self.now();
        for id in connection.leave_all_events() {
            let Some(runtime) = self.registry.loaded(id) else { continue };
            let mut state = runtime.state.lock();
            if state.leave_room(user, connection.id) {
                state.mark_away(user, now);
            }
            drop(state);
            runtime.changed.notify_one();
        }
    }

    /// Puts a player into the queue of an event, and takes them out of any other queue.
    ///
    /// # Errors
    /// As [`Events::enter_room`]; [`EventError::Engaged`]; [`CommonError::Unavailable`] when the queue is full.
    pub async fn find_match(
        &self,
        identity: &Identity,
        id: EventId,
        connection: &Arc<ConnectionHandle>,
    ) -> Result<(), EventError> {
        let user = identity.user_id;
        let runtime = self.visible(user, id).await?;
        if runtime.state.lock().event.details().stages.is_some() {
            return Err(EventError::NoQueue);
        }
        let is_in_room =
            runtime.state.lock().room.get(&user).is_some_and(|own| own.iter().any(|other| other.id == connection.id));
        if !is_in_room {
            self.enter_room(identity, id, connection).await?;
        }
        match self.registry.activities.of(user) {
            Some(Activity::Playing { game, .. }) => {
                connection.send_frame(&redirect(game));
                return Ok(());
            }
            Some(Activity::Seeking(other)) if other != id => {
                if let Some(runtime) = self.registry.loaded(other) {
                    self.stop_seeking(&runtime, user, ELSEWHERE);
                }
            }
            Some(Activity::Seeking(_)) | None => {}
        }
        self.enqueue(&runtime, user, connection.address.map(ClientAddress::ip))
    }

    fn enqueue(&self, runtime: &EventRuntime, user: UserId, address: Option<IpAddr>) -> Result<(), EventError> {
        let now = self.now();
        let mut state = runtime.state.lock();
        if state.event.check_join(state.registration(user))? != Admission::Allowed {
            return Err(CommonError::NotFound("player").into());
        }
        // Where it is said that those at one address are different people, nothing keeps them apart.
        let address = address.map(network).filter(|_| !state.event.details().rated_on_one_network);
        let seeker = state.seeker(user, address).ok_or(CommonError::NotFound("player"))?;
        // Another tab may have been quicker.
        if !self.registry.activities.seek(user, runtime.id) {
            return Err(EventError::Engaged);
        }
        if let Err(full) = state.enqueue(seeker, now) {
            self.registry.activities.stop_seeking(user, runtime.id);
            return Err(CommonError::unavailable(full.to_string()).into());
        }
        if let Some(participant) = state.participants.get_mut(&user) {
            participant.attendance.confirm();
        }
        if let Some(queue) = state.queue_state(runtime.id, user, now, self.registry.clock.to_calendar()) {
            state.send_to(user, &ServerFrame::MatchmakingStarted(queue));
        }
        drop(state);
        runtime.changed.notify_one();
        Ok(())
    }

    /// Takes a player out of the queue; the answer is the same if they were not in it.
    pub fn cancel_matchmaking(&self, user: UserId, id: EventId, connection: &ConnectionHandle) {
        let was_in = self.registry.loaded(id).is_some_and(|runtime| self.stop_seeking(&runtime, user, CANCELLED));
        if !was_in {
            connection.send_frame(&ServerFrame::MatchmakingCancelled(MatchmakingCancelled {
                event_id: id.0,
                message: CANCELLED.to_owned(),
                redirect_in_ms: LEAVE_ROOM_MS,
            }));
        }
    }

    /// Whether a user waits or plays, in any event.
    pub fn is_engaged(&self, user: UserId) -> bool {
        self.registry.activities.of(user).is_some()
    }

    /// The event game that a user is playing, in any event.
    pub fn game_of(&self, user: UserId) -> Option<GameId> {
        match self.registry.activities.of(user) {
            Some(Activity::Playing { game, .. }) => Some(game),
            Some(Activity::Seeking(_)) | None => None,
        }
    }
}

/// The room for a player who enters it.
fn entered(state: &State, id: EventId, player: PlayerView) -> RoomView {
    let absence = state.unconfirmed(player.standing.user).map(|check| still_there(id, check));
    RoomView { player, queue_size: state.queue.len(), absence }
}

fn redirect(game: GameId) -> ServerFrame {
    ServerFrame::RedirectToGame(RedirectToGame { game_id: game.0, redirect_in_ms: ENGAGED_REDIRECT_MS })
}
