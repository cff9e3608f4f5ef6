//! What is known of one event in memory: players, standings, the room, the queue, games under way.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
    sync::Arc,
};

use chrono::{DateTime, Utc};
use morpion_openapi::realtime::{QueueState, ServerFrame};
use morpion_rules::{
    EventId, GameId, Millis, UserId,
    attendance::{Attendance, PresenceCheck},
    clock::RESTART_GRACE,
    event::{Event, EventState, Registration, UNPAIRED_LIMIT},
    matchmaking::{Queue, QueueFull, Seeker},
    standings::{Standing, Standings},
};
use morpion_store::{AnnouncementRow, EventInvitationRow, EventRow, SignupRow, VouchRow, WinnerRow};
use uuid::Uuid;

use super::{audience::Audience, convert, presence::PresenceWatch, stage::Stage};
use crate::{
    account::{limits::ClientAddress, played_from::PlayedFrom},
    caller::Caller,
    clock::{millis, utc},
    connections::{
        frame::encode,
        handle::{ConnectionHandle, ConnectionId},
    },
    people::{People, PublicProfile, Width},
};

/// What is known of a player beside the standing.
#[derive(Debug, Clone)]
pub struct Participant {
    pub signup_id: Uuid,
    pub username: String,
    pub created_at: DateTime<Utc>,
    /// When they first joined to play.
    pub joined_at: Option<DateTime<Utc>>,
    /// When they checked in, in play time: [`State::has_checked_in`].
    pub checked_in_at: Option<Millis>,
    pub last_opponent: Option<UserId>,
    pub attendance: Attendance,
    /// When the wait for the latest pairing began.
    pub waited_since: Option<Millis>,
    /// The opponent of the latest pairing did not show up: goes to the front of the queue next time.
    pub goes_first: bool,
    /// Since they entered the room.
    pub from: PlayedFrom,
}

#[derive(Debug)]
pub struct State {
    pub event: Event,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub version: i64,
    pub winners: Vec<WinnerRow>,
    pub announcements: Vec<AnnouncementRow>,
    /// Whom the host of a private event named, also those who declined.
    pub(super) invitations: Vec<EventInvitationRow>,
    /// Who said that players on one network are different people.
    pub vouch: Option<VouchRow>,
    /// Whose private event it is.
    pub host: Option<UserId>,
    pub join_code: Option<String>,
    /// Who checked in before is to do so again, in play time.
    pub(super) check_ins_from: Option<Millis>,
    /// It starts no earlier, in play time: the server was down while players were to check in.
    pub(super) starts_after: Option<Millis>,
    /// Who may see a private event.
    pub(super) audience: Option<Arc<Audience>>,
    pub standings: Standings,
    /// How many have joined to play.
    pub(super) joined_count: usize,
    /// How many were removed.
    pub removed: usize,
    /// One for each sign-up.
    pub participants: HashMap<UserId, Participant>,
    /// In the order of the sign-ups.
    pub order: Vec<UserId>,
    /// Connections in the event room.
    pub room: HashMap<UserId, Vec<Arc<ConnectionHandle>>>,
    pub queue: Queue,
    /// When the players in the queue who are disconnected lost their connection.
    pub away_since: HashMap<UserId, Millis>,
    pub playing: HashMap<UserId, GameId>,
    pub pending: Pending,
    /// The tournament of an event in stage rounds, once it has begun.
    pub stage: Option<Arc<Stage>>,
    /// Since when there have been too few players to begin it, or since the last start of the server.
    pub(super) stage_awaited_since: Option<Millis>,
    /// Since when nobody can be paired, if so.
    pub(super) unpaired_since: Option<Millis>,
    /// When the last result before a restart came, until the first look after it.
    pub(super) last_result: Option<Millis>,
    /// Who follows which players are there.
    pub(super) presence: PresenceWatch,
    pub people: People,
}

/// What the owner still has to send or to store.
#[derive(Debug, Default)]
pub struct Pending {
    /// A standing changed since the leaderboard was last announced.
    pub leaderboard: bool,
    /// Stage rounds changed since that was last announced.
    pub rounds: bool,
    /// The queue changed since it was saved last.
    pub queue: bool,
    /// When decisions about games were last sent to play.
    pub decided_at: Option<Millis>,
    /// No retry before this time.
    pub not_before: Option<Millis>,
}

impl Participant {
    pub(super) fn of(row: SignupRow) -> Self {
        Self {
            signup_id: row.id,
            username: row.username,
            created_at: row.created_at,
            joined_at: row.joined_at,
            checked_in_at: row.checked_in_at.map(millis),
            last_opponent: None,
            attendance: Attendance::default(),
            waited_since: None,
            goes_first: false,
            from: PlayedFrom::default(),
        }
    }
}

impl State {
    /// A participant as the wire shows them.
    pub fn shown(&self, user: UserId, participant: &Participant, width: Width) -> PublicProfile {
        self.people.shown(user, &participant.username, width)
    }

    /// Replaces the tournament by a changed one.
    pub(super) fn put_stage(&mut self, mut stage: Stage) {
        if let Some(before) = &self.stage {
            stage.learn_from(before);
        }
        self.stage = Some(Arc::new(stage));
        self.pending.rounds = true;
    }

    /// The tournament, to be changed in place; readers keep what they have.
    pub(super) fn stage_mut(&mut self) -> Option<&mut Stage> {
        self.pending.rounds |= self.stage.is_some();
        self.stage.as_mut().map(Arc::make_mut)
    }

    /// Whether it is this caller's private event.
    pub(super) fn is_hosted_by(&self, caller: &Caller) -> bool {
        self.host.is_some() && self.host == caller.user_id()
    }

    pub(super) fn is_removed(&self, user: UserId) -> bool {
        self.registration(user) == Registration::Removed
    }

    /// Notes whether anybody can still be paired: there is a game, or there are two who can play, or nobody has played yet.
    /// After a restart the time goes on, as that of an event's end.
    pub(super) fn note_pairing(&mut self, now: Millis) {
        let last_result = self.last_result.take();
        let max_losses = self.standings.max_losses();
        let can_play = |standing: &&Standing| !standing.removed && !standing.is_eliminated(max_losses);
        let is_possible = || {
            !self.playing.is_empty()
                || self.standings.leaderboard().filter(can_play).nth(1).is_some()
                || self.standings.leaderboard().all(|standing| standing.wins + standing.losses == 0)
        };
        self.unpaired_since = match self.event.state() {
            EventState::Started if self.event.details().stages.is_none() && !is_possible() => {
                let at_restart = || last_result.map(|at| at.max(now + RESTART_GRACE - UNPAIRED_LIMIT).min(now));
                self.unpaired_since.or_else(at_restart).or(Some(now))
            }
            _ => None,
        };
    }

    /// When the event ends because nobody can be paired, in play time.
    pub(super) fn ends_unpaired(&self) -> Option<Millis> {
        self.event.ends_unpaired(self.unpaired_since?)
    }

    /// The event's row, one change after the stored one.
    pub fn next_row(&self, id: EventId, event: &Event, now: Millis) -> EventRow {
        let mut row = self.row(id);
        convert::fill(&mut row, event, now);
        row.version += 1;
        row
    }

    /// The event's row as it is stored.
    pub fn row(&self, id: EventId) -> EventRow {
        let mut row = convert::empty_row(id, self.created_at);
        convert::fill(&mut row, &self.event, millis(self.updated_at));
        row.winners.clone_from(&self.winners);
        row.announcements.clone_from(&self.announcements);
        row.invitations = (!self.invitations.is_empty()).then(|| self.invitations.clone());
        row.vouch.clone_from(&self.vouch);
        row.host = self.host.map(|host| host.0);
        row.join_code.clone_from(&self.join_code);
        row.check_ins_from = self.check_ins_from.map(utc);
        row.signup_count = self.taking_part() as i64;
        row.participant_count = self.joined_count as i64;
        row.version = self.version;
        row.updated_at = self.updated_at;
        row
    }

    /// Applies a row that was just stored.
    pub fn stored(&mut self, event: Event, row: &EventRow) {
        self.standings.set_max_losses(event.details().max_losses);
        self.event = event;
        self.updated_at = row.updated_at;
        self.version = row.version;
        self.winners.clone_from(&row.winners);
        self.announcements.clone_from(&row.announcements);
        self.invitations = row.invitations.clone().unwrap_or_default();
        self.vouch.clone_from(&row.vouch);
        self.join_code.clone_from(&row.join_code);
        self.check_ins_from = row.check_ins_from.map(millis);
    }

    /// Sign-ups without removed players.
    pub fn taking_part(&self) -> usize {
        self.standings.len() - self.removed
    }

    /// Games that are not over.
    pub fn games_in_play(&self) -> usize {
        self.playing.len().div_ceil(2)
    }

    pub fn registration(&self, user: UserId) -> Registration {
        match self.standings.get(user) {
            None => Registration::None,
            Some(standing) if standing.removed => Registration::Removed,
            Some(standing) if standing.is_eliminated(self.standings.max_losses()) => Registration::Eliminated,
            Some(_) if !self.is_expected(user) => Registration::NotCheckedIn,
            Some(_) => Registration::Registered,
        }
    }

    /// The sign-up is stored.
    pub fn signed_up(&mut self, row: &SignupRow) {
        let user = UserId(row.user_id);
        if let Some(audience) = &self.audience {
            audience.add(user);
        }
        self.standings.sign_up(user, millis(row.created_at));
        let participant = Participant::of(row.clone());
        let has_joined = self.participants.get(&user).is_some_and(|known| known.joined_at.is_some());
        self.joined_count += usize::from(!has_joined && participant.joined_at.is_some());
        match self.participants.get_mut(&user) {
            Some(known) => {
                known.username = participant.username;
                known.joined_at = known.joined_at.or(participant.joined_at);
            }
            None => {
                self.participants.insert(user, participant);
                self.order.push(user);
            }
        }
        self.pending.leaderboard = true;
    }

    /// The sign-up was withdrawn.
    pub fn withdrawn(&mut self, user: UserId) {
        // Registration closes when the event starts, so a withdrawn player has not played.
        if self.standings.withdraw(user).is_ok() {
            self.participants.remove(&user);
            if let Some(audience) = self.audience.as_ref().filter(|_| self.host != Some(user)) {
                audience.remove(user);
            }
            self.order.retain(|other| *other != user);
            self.pending.leaderboard = true;
        }
    }

    /// Restores a queue entry after a restart; false for a player who may no longer wait.
    pub fn restore_place(&mut self, user: UserId, since: Millis, last_opponent: Option<UserId>, now: Millis) -> bool {
        let is_open = self.event.state() == EventState::Started;
        if !is_open || self.registration(user) != Registration::Registered || self.playing.contains_key(&user) {
            return false;
        }
        if let Some(participant) = self.participants.get_mut(&user) {
            participant.last_opponent = last_opponent;
        }
        let Some(seeker) = self.seeker(user, None) else { return false };
        if self.queue.enqueue(seeker, since).is_err() {
            return false;
        }
        self.queue.away(user);
        self.away_since.insert(user, now + RESTART_GRACE);
        true
    }

    /// The player's data for the queue.
    pub fn seeker(&self, user: UserId, address: Option<IpAddr>) -> Option<Seeker> {
        let level = self.standings.get(user)?.level;
        let last_opponent = self.participants.get(&user)?.last_opponent;
        Some(Seeker { user, level, last_opponent, address, size: None })
    }

    /// Puts a player into the queue: at the end, or at the front if their last opponent did not show up.
    pub fn enqueue(&mut self, seeker: Seeker, now: Millis) -> Result<(), QueueFull> {
        let user = seeker.user;
        let participant =
            self.participants.get(&user).filter(|participant| participant.goes_first && !self.queue.contains(user));
        match participant {
            Some(participant) => self.queue.enqueue_first(seeker, participant.waited_since.unwrap_or(now))?,
            None => self.queue.enqueue(seeker, now)?,
        }
        if !self.room.contains_key(&user) {
            self.mark_away(user, now);
        }
        self.pending.queue = true;
        Ok(())
    }

    /// The loss after which the player still has to confirm that they are there.
    pub fn unconfirmed(&self, user: UserId) -> Option<PresenceCheck> {
        self.participants.get(&user)?.attendance.unconfirmed()
    }

    /// Whether the player was removed from the room and has not come back.
    pub fn is_out(&self, user: UserId) -> bool {
        self.participants.get(&user).is_some_and(|participant| participant.attendance.is_out())
    }

    /// Removes a player from the queue; false if they were not in it.
    pub fn dequeue(&mut self, user: UserId) -> bool {
        self.away_since.remove(&user);
        let was_in = self.queue.remove(user);
        self.pending.queue |= was_in;
        was_in
    }

    /// All players in the queue.
    pub fn waiting(&self) -> Vec<UserId> {
        self.order.iter().copied().filter(|user| self.queue.contains(*user)).collect()
    }

    /// From where a player who is paired plays; `address` is that of the queue.
    pub fn played_from(&self, user: UserId, address: Option<IpAddr>) -> PlayedFrom {
        let mut from = self.participants.get(&user).map(|participant| participant.from.clone()).unwrap_or_default();
        from.add(address);
        self.room
            .get(&user)
            .into_iter()
            .flatten()
            .for_each(|connection| from.add(connection.address.map(ClientAddress::ip)));
        from
    }

    /// A connection of this player shows the event room.
    pub fn enter_room(&mut self, user: UserId, connection: &Arc<ConnectionHandle>, now: Millis) {
        if let Some(participant) = self.participants.get_mut(&user) {
            participant.attendance.entered_room();
        }
        let connections = self.room.entry(user).or_default();
        if !connections.iter().any(|other| other.id == connection.id) {
            connections.push(Arc::clone(connection));
        }
        self.queue.back(user);
        self.away_since.remove(&user);
        // A connection that ended meanwhile has already left its rooms and will not leave this one.
        if connection.is_gone() && self.leave_room(user, connection.id) {
            self.mark_away(user, now);
        }
    }

    /// A connection no longer shows the room; returns whether it was the player's last.
    pub fn leave_room(&mut self, user: UserId, id: ConnectionId) -> bool {
        let Some(connections) = self.room.get_mut(&user) else { return false };
        connections.retain(|connection| connection.id != id);
        let was_last = connections.is_empty();
        if was_last {
            self.room.remove(&user);
        }
        was_last
    }

    /// The player has no connection left.
    pub fn mark_away(&mut self, user: UserId, now: Millis) {
        if self.queue.contains(user) {
            self.queue.away(user);
            self.away_since.insert(user, now);
        }
    }

    /// Sends a frame to all of a player's connections in the room.
    pub fn send_to(&self, user: UserId, frame: &ServerFrame) {
        let Some(connections) = self.room.get(&user) else { return };
        let frame = encode(&frame.to_text());
        connections.iter().for_each(|connection| connection.send(frame.clone()));
    }

    /// The queue as a waiting player sees it; `None` for anybody else. `calendar` leads from play time to calendar time.
    pub fn queue_state(&self, id: EventId, user: UserId, now: Millis, calendar: i64) -> Option<QueueState> {
        let since = self.queue.waiting_since(user)?;
        let playing = self.playing.len();
        Some(QueueState {
            event_id: id.0,
            queue_size: self.queue.len() as u32,
            playing: playing as u32,
            waited_ms: (now - since).max(0),
            reason: self.queue.why_waiting(user, playing, now).map(|why| why.text().to_owned()),
            ends_at: self.ends_unpaired().map(|at| (at + calendar).0),
        })
    }

    /// The games under way.
    pub fn live_games(&self) -> Vec<GameId> {
        let games: HashSet<GameId> = self.playing.values().copied().collect();
        games.into_iter().collect()
    }

    pub fn standing(&self, user: UserId) -> Option<&Standing> {
        self.standings.get(user)
    }
}
