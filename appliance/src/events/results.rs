//! Play reports the games of events here: which are resumed, and how they ended.

use futures_util::future::BoxFuture;
use morpion_openapi::realtime::{
    AbsenceReason, RemovedFromRoom, ServerFrame, StillThere, TournamentLoser, TournamentResult, TournamentWinner,
};
use morpion_rules::{
    EndReason, EventId, Game, Mark, UserId,
    attendance::{Absence, MAX_STRIKES, PresenceCheck},
    event::{EventState, Registration},
    standings::{GameResult, Recorded},
};
use morpion_store::StoreError;

use super::{EventRegistry, state::State};
use crate::{
    account::limits::{ClientAddress, network},
    caller::Caller,
    connections::frame::encode,
    play::{
        EventConsequences, EventGameListener,
        notifications::{Notification, Recipient},
    },
};

pub(super) const AWAY_TWICE: &str =
    "You were away for two games in a row, so you left the event room. Come back any time.";

impl EventGameListener for EventRegistry {
    fn game_resumed(&self, game: &Game) {
        let Some(event) = game.event_id() else { return };
        for (_, player) in game.players() {
            self.activities.stop_seeking(player.user, event);
            self.activities.play(player.user, event, game.id());
        }
        if let Some(runtime) = self.loaded(event) {
            let mut state = runtime.state.lock();
            if let Some(stage) = state.stage_mut() {
                stage.game_resumed(game.id());
            }
            for (_, player) in game.players() {
                state.dequeue(player.user);
                state.playing.insert(player.user, game.id());
            }
        }
    }

    fn is_private(&self, event: EventId) -> bool {
        self.private.read().contains(&event)
    }

    fn admits<'a>(&'a self, event: EventId, caller: &'a Caller) -> BoxFuture<'a, Result<bool, StoreError>> {
        Box::pin(async move {
            if let Some(runtime) = self.loaded(event) {
                return Ok(runtime.admits(caller));
            }
            let Some(user) = caller.user_id() else { return Ok(false) };
            let is_host = self.store.event(event.0).await?.is_some_and(|row| row.host == Some(user.0));
            Ok(is_host || self.store.has_signed_up(event.0, user.0).await?)
        })
    }

    fn game_over(&self, game: &Game) -> EventConsequences {
        let Some(event) = game.event_id() else { return EventConsequences::default() };
        for (_, player) in game.players() {
            self.activities.stop_playing(player.user, game.id());
        }
        let Some(runtime) = self.loaded(event) else { return EventConsequences::default() };
        let mut state = runtime.state.lock();
        for (_, player) in game.players() {
            if state.playing.get(&player.user) == Some(&game.id()) {
                state.playing.remove(&player.user);
            }
            let opponent = game.opponent_of(player.user).map(|opponent| opponent.user);
            if let Some(participant) = state.participants.get_mut(&player.user) {
                participant.last_opponent = opponent;
            }
        }
        if let Some(stage) = state.stage_mut() {
            stage.game_over(game);
        }
        let result = GameResult::of(game);
        let recorded = result.map(|result| state.standings.record(&result));
        if let Some(Ok(Recorded::Now { loser, loser_eliminated: true, .. })) = recorded {
            // After a restart the saved queue, which is older than this game's end, may have put them back.
            state.dequeue(loser.user);
            self.activities.stop_seeking(loser.user, event);
        }
        state.pending.leaderboard = true;
        let mut notifications = vec![];
        for (mark, player) in game.players() {
            notifications.extend(self.check_presence(&mut state, event, game, player.user));
            if state.stage.is_none() {
                self.move_to_front(&mut state, event, game, mark);
            }
        }
        drop(state);
        runtime.changed.notify_one();
        let result = match recorded {
            Some(Ok(Recorded::Now { winner, loser, loser_eliminated })) => Some(TournamentResult {
                winner: TournamentWinner { user_id: winner.user.0 },
                loser: TournamentLoser { user_id: loser.user.0, is_eliminated: loser_eliminated },
            }),
            Some(Ok(Recorded::Already)) | None => None,
            Some(Err(refusal)) => {
                tracing::error!(game = %game.id(), %refusal, "a result does not fit the standings");
                None
            }
        };
        EventConsequences { result, notifications }
    }
}

impl EventRegistry {
    /// A player who lost by absence is asked whether they are still there, if they can still play; the second time in a
    /// row they are removed from the room.
    fn check_presence(&self, state: &mut State, event: EventId, game: &Game, user: UserId) -> Vec<Notification> {
        let Some(participant) = state.participants.get_mut(&user) else { return vec![] };
        let Some(check) = participant.attendance.game_over(game, user) else { return vec![] };
        if state.event.state() != EventState::Started || state.registration(user) != Registration::Registered {
            return vec![];
        }
        let notification =
            |frame: &ServerFrame| Notification { recipient: Recipient::Player(user), frame: encode(&frame.to_text()) };
        let mut notifications = vec![notification(&ServerFrame::StillThere(still_there(event, check)))];
        if check.is_out() {
            let connections = state.room.remove(&user).unwrap_or_default();
            connections.iter().for_each(|connection| connection.leave_event(event));
            if state.dequeue(user) {
                self.activities.stop_seeking(user, event);
            }
            let frame = RemovedFromRoom { event_id: event.0, message: AWAY_TWICE.to_owned() };
            notifications.push(notification(&ServerFrame::RemovedFromRoom(frame)));
        }
        notifications
    }

    /// A player whose opponent did not show up goes to the front of the queue: at once if they are in the room, else
    /// when they return.
    fn move_to_front(&self, state: &mut State, event: EventId, game: &Game, mark: Mark) {
        let outcome = game.outcome();
        let has_won =
            outcome.is_some_and(|end| end.reason.is_some_and(EndReason::is_no_show) && end.winner == Some(mark));
        let Some(user) = game.player(mark).map(|player| player.user).filter(|_| has_won) else { return };
        let Some(participant) = state.participants.get_mut(&user) else { return };
        participant.goes_first = true;
        let address = state
            .room
            .get(&user)
            .and_then(|own| own.first())
            .map(|connection| connection.address.map(ClientAddress::ip));
        let (Some(address), EventState::Started) = (address, state.event.state()) else { return };
        let is_welcome = state.registration(user) == Registration::Registered;
        let Some(seeker) = state.seeker(user, address.map(network)).filter(|_| is_welcome) else { return };
        if self.activities.seek(user, event) && state.enqueue(seeker, self.clock.now()).is_err() {
            self.activities.stop_seeking(user, event);
        }
    }
}

pub(super) fn still_there(event: EventId, check: PresenceCheck) -> StillThere {
    StillThere {
        event_id: event.0,
        reason: match check.absence {
            Absence::NoShow => AbsenceReason::NoShow,
            Absence::Timeout => AbsenceReason::Timeout,
        },
        strikes: check.strikes,
        max_strikes: MAX_STRIKES,
    }
}
