//! A change of a game on its way through the journal, and what is sent once it is on disk.

use std::{sync::Arc, time::Instant};

use bytes::Bytes;
use morpion_openapi::realtime::Ack;
use morpion_rules::{Game, GameId, Millis, Status};
use morpion_store::{AppendError, JournalHandle};
use tokio::sync::oneshot;
use tracing::Span;

use super::GameRuntime;
use crate::{
    connections::{announcement::Announcement, frame::encode, handle::ConnectionHandle, hub::Hub},
    error::CommonError,
    play::{
        EventGameListener,
        error::PlayError,
        news::News,
        notifications::{self, Notification, Recipient},
        record::Record,
    },
    push::Push,
    telemetry::trace_span,
};

/// Who gets the answer once a command is on disk.
#[derive(Debug)]
pub enum Reply {
    Nobody,
    /// The frame with this id, if it had one, gets its ack.
    Frame {
        connection: Arc<ConnectionHandle>,
        id: Option<String>,
    },
    /// A call over HTTP waits for the state.
    Call(oneshot::Sender<Arc<Game>>),
}

impl Reply {
    pub(super) fn send(self, game: &Arc<Game>) {
        if let Some((connection, ack)) = self.answer(game) {
            connection.send(ack);
        }
    }

    /// As [`Reply::send`], with everything else of an announcement.
    fn announce(self, game: &Arc<Game>, announcement: &mut Announcement) {
        if let Some((connection, ack)) = self.answer(game) {
            announcement.queue(&connection, ack);
        }
    }

    /// Answers a call, or returns the ack that is to be sent.
    fn answer(self, game: &Arc<Game>) -> Option<(Arc<ConnectionHandle>, Bytes)> {
        match self {
            Self::Nobody => None,
            Self::Frame { connection, id } => {
                let ack = Ack { succeeded: true, error_message: None, error_code: None };
                Some((connection, encode(&ack.to_text(&id?))))
            }
            Self::Call(sender) => {
                // The caller may have gone.
                sender.send(Arc::clone(game)).ok();
                None
            }
        }
    }
}

/// Travels through the journal with an entry's bytes: what to send once it is on disk.
#[derive(Debug)]
pub struct PendingCommit {
    pub runtime: Arc<GameRuntime>,
    pub(super) game: Arc<Game>,
    pub(super) now: Millis,
    pub(super) notifications: Vec<Notification>,
    pub(super) news: Option<News>,
    pub(super) reply: Reply,
    /// The connection that opened the game with this command; it gets the state.
    pub(super) joined: Option<Arc<ConnectionHandle>>,
    /// Absent for other commands.
    pub move_under_way: Option<MoveUnderWay>,
}

/// A move from its arrival until it is announced.
#[derive(Debug)]
pub struct MoveUnderWay {
    pub since: Instant,
    /// Ends with this.
    _trace: Span,
}

impl MoveUnderWay {
    pub(super) fn begin(game: GameId) -> Self {
        Self { since: Instant::now(), _trace: trace_span!("move", %game) }
    }
}

pub type GameJournal = JournalHandle<PendingCommit>;

pub(super) fn append(journal: &GameJournal, record: &Record, pending: PendingCommit) -> Result<(), PlayError> {
    let appended = journal.append(record.encode(), pending).map_err(|error| match error {
        AppendError::Full(_) => {
            CommonError::unavailable("The server cannot store moves fast enough right now. Please try again.")
        }
        AppendError::Closed(_) => CommonError::unavailable("The server is stopping. Please try again in a moment."),
        AppendError::TooLarge(_) => CommonError::internal("a journal entry larger than a batch"),
    });
    Ok(appended?)
}

impl PendingCommit {
    /// The state that it leads to.
    pub fn game(&self) -> Arc<Game> {
        Arc::clone(&self.game)
    }

    /// Announces an entry that is on disk in record `seq`; what players are told is only added to `announcement`.
    /// Returns whether the game is over.
    pub fn publish(
        self,
        seq: u64,
        hub: &Hub,
        push: &Push,
        events: &dyn EventGameListener,
        now: Millis,
        announcement: &mut Announcement,
    ) -> bool {
        let runtime = self.runtime;
        let is_over = self.game.status().is_over();
        let mut notifications = self.notifications;
        if is_over && self.game.is_event() {
            let consequences = events.game_over(&self.game);
            notifications.extend(notifications::of_end(&runtime.people, &self.game, consequences.result));
            notifications.extend(consequences.notifications);
        }
        let mut state = runtime.state.lock();
        state.committed = Some(Arc::clone(&self.game));
        state.unsaved_since.get_or_insert(seq);
        let position = self.game.position_version();
        if state.turn_sent.is_none_or(|(sent_for, _)| sent_for != position) {
            state.turn_sent = Some((position, now));
        }
        // A connection that ended or left in the meantime must not be added: nobody would remove it again.
        if let Some(connection) = &self.joined
            && state.present.iter().any(|(id, _)| *id == connection.id)
        {
            runtime.subscribe(&mut state, connection, false, self.now);
        }
        let joined = self.joined.as_ref().map(|connection| connection.id);
        for Notification { recipient, frame } in &notifications {
            match *recipient {
                Recipient::Room => {
                    // The connection that just joined already has this state.
                    let is_told = |to: &ConnectionHandle| Some(to.id) != joined || is_start(&self.game);
                    state.audience.announce(hub, frame, is_told, announcement);
                }
                Recipient::Spectators => {
                    let plays_not = |user| self.game.mark_of(user).is_none();
                    let is_told = |to: &ConnectionHandle| to.user_id().is_none_or(plays_not);
                    state.audience.announce(hub, frame, is_told, announcement);
                }
                Recipient::Player(user) => hub.announce_to_user(user, frame, announcement),
            }
        }
        if is_over {
            state.present.clear();
            state.counted = None;
        } else if self.game.status() == Status::Active
            && let Some(counted) = &mut state.counted
        {
            counted.started();
        }
        drop(state);
        if let Some(news) = self.news {
            news.tell(push, &runtime.people, &self.game);
        }
        self.reply.announce(&self.game, announcement);
        is_over
    }
}

/// The second player's arrival starts the game, which both have to hear.
fn is_start(game: &Game) -> bool {
    game.status() == Status::Active && game.history().is_empty()
}
