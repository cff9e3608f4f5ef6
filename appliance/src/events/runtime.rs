//! One event in memory, and the order in which its changes are made.

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use chrono::{DateTime, Utc};
use morpion_rules::{
    EventId, UserId,
    event::EventState,
    matchmaking::{Addresses, Queue},
    standings::Standings,
};
use morpion_store::{EventRow, SignupRow};
use parking_lot::Mutex;
use tokio::sync::{Notify, mpsc, oneshot};
use uuid::Uuid;

use super::{
    audience::Audience,
    convert,
    error::EventError,
    presence::PresenceWatch,
    stage::Stage,
    state::{Participant, Pending, State},
};
use crate::{caller::Caller, clock::millis, error::CommonError, people::People};

/// Changes of one event that may be queued: each is a commit, so this is some seconds' worth.
const JOBS: usize = 2_048;

/// A change of an event, run by its owner to its end.
pub type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The receiving end of an event's changes, for its owner.
pub type Jobs = mpsc::Receiver<Job>;

/// One event.
#[derive(Debug)]
pub struct EventRuntime {
    pub id: EventId,
    /// Who may see it; `None`: everybody.
    audience: Option<Arc<Audience>>,
    /// Held for a moment, never across an `.await`.
    pub state: Mutex<State>,
    jobs: mpsc::Sender<Job>,
    /// Signals a change that the owner may have to act on.
    pub changed: Arc<Notify>,
}

impl EventRuntime {
    /// An event as it was stored.
    pub fn restore(
        row: EventRow,
        signups: Vec<SignupRow>,
        stage: Option<Stage>,
        addresses: Addresses,
        people: People,
    ) -> (Arc<Self>, Jobs) {
        let event = convert::event(&row);
        let audience = row.host.map(|host| {
            let users = signups.iter().map(|row| row.user_id).chain([host]);
            Arc::new(Audience::of(users.map(UserId)))
        });
        let rows = signups.iter().map(convert::standing);
        // Games counted in the rows are not replayed here: play reports only those that are not.
        let standings = Standings::restore(event.details().max_losses, rows, []);
        let mut order: Vec<(DateTime<Utc>, Uuid)> = signups.iter().map(|row| (row.created_at, row.user_id)).collect();
        order.sort_unstable();
        let state = State {
            event,
            created_at: row.created_at,
            updated_at: row.updated_at,
            version: row.version,
            winners: row.winners,
            announcements: row.announcements,
            invitations: row.invitations.unwrap_or_default(),
            vouch: row.vouch,
            host: row.host.map(UserId),
            join_code: row.join_code,
            check_ins_from: row.check_ins_from.map(millis),
            starts_after: None,
            audience: audience.clone(),
            unpaired_since: None,
            last_result: standings
                .leaderboard()
                .filter(|standing| standing.wins + standing.losses > 0)
                .map(|standing| standing.reached_at)
                .max(),
            joined_count: signups.iter().filter(|row| row.joined_at.is_some()).count(),
            removed: signups.iter().filter(|row| row.removed_at.is_some()).count(),
            standings,
            order: order.into_iter().map(|(_, user)| UserId(user)).collect(),
            participants: signups.into_iter().map(|row| (UserId(row.user_id), Participant::of(row))).collect(),
            room: HashMap::new(),
            queue: Queue::new(addresses),
            away_since: HashMap::new(),
            playing: HashMap::new(),
            pending: Pending::default(),
            stage: stage.map(Arc::new),
            stage_awaited_since: None,
            presence: PresenceWatch::default(),
            people,
        };
        let (jobs, receiver) = mpsc::channel(JOBS);
        let runtime = Self { id: EventId(row.id), audience, state: Mutex::new(state), jobs, changed: Arc::default() };
        (Arc::new(runtime), receiver)
    }

    /// Runs a change after all earlier ones, and to its end even if the caller is dropped, so that memory and store
    /// agree.
    ///
    /// # Errors
    /// The change's own errors; [`CommonError::Unavailable`] when the queue is full or the server is stopping.
    pub async fn run_in_order<T: Send + 'static>(
        &self,
        change: impl Future<Output = Result<T, EventError>> + Send + 'static,
    ) -> Result<T, EventError> {
        let (sender, receiver) = oneshot::channel();
        let job: Job = Box::pin(async move { drop(sender.send(change.await)) });
        let stopping = || CommonError::unavailable("The server is stopping. Please try again in a moment.");
        self.jobs.try_send(job).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => {
                CommonError::unavailable("Too many people want something of this event right now. Please try again.")
            }
            mpsc::error::TrySendError::Closed(_) => stopping(),
        })?;
        receiver.await.map_err(|_| stopping())?
    }

    /// Whether the caller may know of this event; drafts are not looked at.
    pub fn admits(&self, caller: &Caller) -> bool {
        self.audience.as_ref().is_none_or(|audience| audience.has(caller))
    }

    pub fn admits_user(&self, user: UserId) -> bool {
        self.audience.as_ref().is_none_or(|audience| audience.has_user(user))
    }

    pub fn is_private(&self) -> bool {
        self.audience.is_some()
    }

    /// Nothing more will happen in this event.
    pub fn is_closed(&self) -> bool {
        let state = self.state.lock();
        let is_open = match state.event.state() {
            EventState::Published | EventState::Started => true,
            EventState::Ended => state.event.next_due().is_some(),
            EventState::Drafted | EventState::Cancelled => false,
        };
        !is_open && state.playing.is_empty()
    }
}

#[cfg(test)]
pub mod tests {
    use morpion_rules::{Millis, event::Event};
    use morpion_store::{DatabaseUrl, OpenOptions, Store};

    use super::*;
    use crate::connections::handle::ConnectionHandle;

    /// An event in this phase, with these players.
    pub async fn event(phase: morpion_rules::event::Phase, players: &[UserId]) -> (Arc<EventRuntime>, Jobs) {
        let details = morpion_rules::event::Details {
            title: "Cup".to_owned(),
            description: String::new(),
            prize: None,
            event_type: morpion_rules::event::EventType::Open,
            start_time: Some(Millis(1_000)),
            end_time: Some(Millis(2_000)),
            max_losses: 3,
            rated_on_one_network: false,
            clock: morpion_rules::clock::TimeControl::PerTurn,
            stages: None,
            max_players: None,
            conditions: morpion_rules::event::entry::Conditions::default(),
            check_in_minutes: None,
            round_times: vec![],
        };
        let mut row = convert::empty_row(EventId(Uuid::from_u128(1)), crate::clock::utc(Millis(0)));
        convert::fill(&mut row, &Event::restore(details, phase, None), Millis(0));
        let signups = players.iter().map(|user| SignupRow {
            id: Uuid::new_v4(),
            event_id: row.id,
            user_id: user.0,
            username: "ann".to_owned(),
            created_at: row.created_at,
            joined_at: Some(row.created_at),
            checked_in_at: None,
            level: 1,
            wins: 0,
            losses: 0,
            starts: 0,
            reached_at: row.created_at,
            removed_at: None,
        });
        let signups = signups.collect();
        let store = Store::open(&DatabaseUrl::Memory, OpenOptions::default()).await.unwrap();
        EventRuntime::restore(
            row,
            signups,
            None,
            Addresses::Together,
            People::new(store, crate::clock::Clock::default()),
        )
    }

    #[tokio::test]
    async fn a_connection_that_ended_while_it_entered_leaves_no_ghost() {
        let user = UserId(Uuid::from_u128(7));
        let (runtime, _jobs) =
            event(morpion_rules::event::Phase::Started { at: Millis(1), ends_at: Millis(9) }, &[user]).await;
        let mut state = runtime.state.lock();
        let connection = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        assert!(connection.enter_event(runtime.id));
        let seeker = state.seeker(user, None).unwrap();
        state.enqueue(seeker, Millis(2)).unwrap();
        // The end of the connection runs between the note that it is in the room, and the room itself.
        assert_eq!(connection.leave_all_events(), [runtime.id]);
        state.enter_room(user, &connection, Millis(3));
        assert!(state.room.is_empty());
        assert_eq!(state.queue.why_waiting(user, 0, Millis(4)), Some(morpion_rules::matchmaking::Waiting::Away));
        let lasting = Arc::new(ConnectionHandle::new(Caller::Visitor, None));
        state.enter_room(user, &lasting, Millis(5));
        assert_eq!(state.queue.why_waiting(user, 0, Millis(6)), Some(morpion_rules::matchmaking::Waiting::Alone));
    }
}
