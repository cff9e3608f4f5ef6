//! Making, changing, publishing, starting, ending and cancelling events.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use morpion_openapi::realtime::{
    EventAnnouncement, EventConcluded, EventStateChanged, MatchmakingCancelled, ServerFrame,
};
use morpion_rules::{
    BoardSize, EventId, Millis, UserId,
    clock::TimeControl,
    event::{
        ANNOUNCEMENTS_KEPT, Details, Event, EventCommand, EventRefusal, EventState, EventType, Stages,
        entry::Conditions,
    },
    standings::Standing,
    tournament::Format,
};
use morpion_store::{
    AnnouncementRow, AuditEntry, EventRow, HookEvent, NewEventNews, NewsKind, Store, VouchRow, WinnerRow,
};
use uuid::Uuid;

use super::{Events, convert, error::EventError, presence::PresenceWatch, runtime::EventRuntime, state::State, wire};
use crate::{
    account::readable_code::new_code,
    clock::{millis, utc},
    connections::frame::encode,
    webhooks::message::{self, WebhookKind},
};

/// What a client waits before it leaves the room, see `docs/behaviour/webapp.md#event-room`.
pub const LEAVE_ROOM_MS: u32 = 1_500;

/// The announcement of an event that is cancelled, before the reason.
const CANCELLED: &str = "This event was cancelled:";

/// What an admin changes of an event.
#[derive(Debug, Clone)]
pub struct EventChange {
    pub title: Option<String>,
    pub description: Option<String>,
    pub prize: Option<String>,
    pub event_type: Option<EventType>,
    pub start_time: Option<Millis>,
    pub end_time: Option<Millis>,
    pub max_losses: Option<u32>,
    pub rated_on_one_network: Option<bool>,
    pub clock: Option<TimeControl>,
    pub stages: StagesChange,
    /// `Some(None)`: as many as the server allows.
    pub max_players: Option<Option<u32>>,
    pub conditions: ConditionsChange,
    /// `Some(None)`: nobody is asked to check in.
    pub check_in_minutes: Option<Option<u32>>,
    pub round_times: Option<Vec<Millis>>,
    pub state: Option<EventState>,
}

/// What is changed of the conditions of entry; `Some(None)` takes one away.
#[derive(Debug, Clone, Default)]
pub struct ConditionsChange {
    pub min_rating: Option<Option<u32>>,
    pub max_rating: Option<Option<u32>>,
    pub min_games: Option<Option<u32>>,
    pub account_age_days: Option<Option<u32>>,
    pub allow_list: Option<Option<Vec<UserId>>>,
    pub bots_allowed: Option<bool>,
}

impl ConditionsChange {
    fn applied_to(self, before: &Conditions) -> Conditions {
        Conditions {
            min_rating: self.min_rating.unwrap_or(before.min_rating),
            max_rating: self.max_rating.unwrap_or(before.max_rating),
            min_games: self.min_games.unwrap_or(before.min_games),
            account_age_days: self.account_age_days.unwrap_or(before.account_age_days),
            allow_list: self.allow_list.unwrap_or_else(|| before.allow_list.clone()),
            bots_allowed: self.bots_allowed.unwrap_or(before.bots_allowed),
        }
    }
}

/// What an admin sets of an event's format, as of the contract's `create_event`.
#[derive(Debug, Clone, Copy, Default)]
pub struct StagesChange {
    /// `Some(None)`: an arena. Of a format its own fields below count.
    pub format: Option<Option<Format>>,
    pub rounds: Option<u32>,
    pub board: Option<BoardSize>,
    /// The board follows from the level, as it does in an arena alone.
    pub is_board_by_level: bool,
    pub match_games: Option<u8>,
    pub third_place: Option<bool>,
    pub double_rounds: Option<bool>,
}

/// Games of a match, unless the organiser says otherwise.
const MATCH_GAMES: u8 = 2;

impl StagesChange {
    /// The format after the change; `None` for an arena.
    ///
    /// # Errors
    /// [`EventRefusal::BoardByLevel`] in another format.
    pub fn applied_to(self, before: Option<Stages>) -> Result<Option<Stages>, EventRefusal> {
        let present = before.map(|stages| stages.format);
        let (mut rounds, mut third_place, mut double) = (0, false, false);
        match present {
            Some(Format::Knockout { third_place: present }) => third_place = present,
            Some(Format::Swiss { rounds: present }) => rounds = present,
            Some(Format::RoundRobin { double: present }) => double = present,
            None => {}
        }
        let Some(format) = self.format.unwrap_or(present) else { return Ok(None) };
        if self.is_board_by_level {
            return Err(EventRefusal::BoardByLevel);
        }
        let format = match format {
            Format::Knockout { .. } => Format::Knockout { third_place: self.third_place.unwrap_or(third_place) },
            Format::Swiss { .. } => Format::Swiss { rounds: self.rounds.unwrap_or(rounds) },
            Format::RoundRobin { .. } => Format::RoundRobin { double: self.double_rounds.unwrap_or(double) },
        };
        Ok(Some(Stages {
            format,
            match_games: self.match_games.or(before.map(|stages| stages.match_games)).unwrap_or(MATCH_GAMES),
            board: self.board.or(before.map(|stages| stages.board)).unwrap_or(BoardSize::MIN),
        }))
    }
}

impl Events {
    /// Makes a draft.
    ///
    /// # Errors
    /// [`EventError::Refused`].
    pub async fn create(&self, details: Details, audit: AuditEntry) -> Result<EventRow, EventError> {
        let event = Event::draft(details)?;
        self.store_new(&event, None, audit).await
    }

    /// Stores a draft, a private one for a host; the entry of the audit trail gets its id and title.
    pub(super) async fn store_new(
        &self,
        event: &Event,
        host: Option<UserId>,
        mut audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let today = self.today();
        let mut row = convert::empty_row(EventId(Uuid::new_v4()), today);
        convert::fill(&mut row, event, millis(today));
        row.vouch = vouch(event, None, &audit.actor, today);
        row.host = host.map(|host| host.0);
        row.join_code = host.map(|_| new_code());
        audit.target = row.id.to_string();
        audit.detail["title"] = row.title.clone().into();
        if row.vouch.is_some() {
            audit.detail["ratedOnOneNetwork"] = true.into();
        }
        // Before it is there, so that nobody sees it as a public one.
        if host.is_some() {
            self.registry.private.write().insert(EventId(row.id));
        }
        self.store().audited(audit).create_event(&row).await?;
        Ok(row)
    }

    /// Edits an event, publishes a draft, or both at once.
    ///
    /// # Errors
    /// The event is unknown; [`EventError::Refused`], also once the event has started;
    /// [`EventError::UnlistedTransition`]; [`CommonError::Invalid`] for what a member who hosts it may not set.
    pub async fn update(
        &self,
        id: EventId,
        change: EventChange,
        by_host: bool,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let commands = {
                    let state = owned.state.lock();
                    let commands = update_commands(&state.event, change)?;
                    check_field(&commands, state.taking_part())?;
                    if by_host {
                        events.check_hosted(&state.event, &commands)?;
                    }
                    commands
                };
                let opens = by_host && commands.contains(&EventCommand::Publish);
                // Until it is among those that are counted.
                let _alone = match opens {
                    true => Some(events.check_open_private().await?),
                    false => None,
                };
                let actor = audit.actor.clone();
                events.change(&owned, &commands, &events.store().audited(audit), &actor).await
            })
            .await
    }

    /// Deletes a draft.
    ///
    /// # Errors
    /// The event is unknown; [`EventError::Refused`] for anything but a draft.
    pub async fn delete(&self, id: EventId, audit: AuditEntry) -> Result<(), EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                owned.state.lock().event.check_delete()?;
                events.store().audited(audit).delete_event(id.0).await?;
                events.registry.runtimes.write().remove(&id);
                Ok(())
            })
            .await
    }

    /// Makes a draft from an existing event.
    ///
    /// # Errors
    /// The event is unknown.
    pub async fn duplicate(&self, id: EventId, audit: AuditEntry) -> Result<EventRow, EventError> {
        let today = millis(self.today());
        let copy = self.runtime(id).await?.state.lock().event.duplicate(today);
        self.store_new(&copy, None, audit).await
    }

    /// Sends an announcement to the participants and stores it.
    ///
    /// # Errors
    /// The event is unknown; [`EventError::Refused`] for a draft, and for a text that is empty or too long.
    pub async fn announce(&self, id: EventId, message: &str, audit: AuditEntry) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        let message = message.to_owned();
        runtime
            .run_in_order(async move {
                let at = events.today();
                let change = |event: &Event, row: &mut EventRow| {
                    announce(row, event.announcement(&message)?, at);
                    Ok(())
                };
                let row = events.change_row(&owned, audit, change).await?;
                let state = owned.state.lock();
                if let Some(announcement) = row.announcements.last() {
                    let frame = encode(
                        &ServerFrame::EventAnnouncement(EventAnnouncement {
                            event_id: id.0,
                            title: row.title.clone(),
                            message: announcement.message.clone(),
                            at: announcement.at.into(),
                        })
                        .to_text(),
                    );
                    let takes_part = |user| state.standing(user).is_some_and(|standing| !standing.removed);
                    events.registry.hub.broadcast(&frame, |connection| connection.user_id().is_some_and(takes_part));
                }
                Ok(row)
            })
            .await
    }

    /// Changes and stores what an event has beside its life. Only its owner calls this.
    pub(super) async fn change_row(
        &self,
        runtime: &EventRuntime,
        audit: AuditEntry,
        change: impl FnOnce(&Event, &mut EventRow) -> Result<(), EventError>,
    ) -> Result<EventRow, EventError> {
        let (event, row) = {
            let state = runtime.state.lock();
            let mut row = state.next_row(runtime.id, &state.event, millis(self.today()));
            change(&state.event, &mut row)?;
            (state.event.clone(), row)
        };
        self.store().audited(audit).update_event(&row, None, &[]).await?;
        self.note_stored(&mut runtime.state.lock(), event, &row);
        Ok(row)
    }

    /// Starts, ends, cancels, reopens or concludes an event.
    ///
    /// # Errors
    /// The event is unknown; [`EventError::Refused`] where its state does not allow it; [`EventError::GamesInPlay`];
    /// [`CommonError::Invalid`] for what a member who hosts it may not set.
    pub async fn command(
        &self,
        id: EventId,
        command: EventCommand,
        by_host: bool,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                if by_host {
                    events.check_hosted(&owned.state.lock().event, std::slice::from_ref(&command))?;
                }
                let actor = audit.actor.clone();
                events.change(&owned, &[command], &events.store().audited(audit), &actor).await
            })
            .await
    }

    /// As [`Events::change_because`], where nobody says why.
    pub(super) async fn change(
        &self,
        runtime: &Arc<EventRuntime>,
        commands: &[EventCommand],
        store: &Store,
        actor: &str,
    ) -> Result<EventRow, EventError> {
        self.change_because(runtime, commands, store, actor, None).await
    }

    /// Applies the commands of this actor, stores the event with a handle that may be audited, then informs everybody, also
    /// why an event is cancelled. Only its owner calls this.
    pub(super) async fn change_because(
        &self,
        runtime: &Arc<EventRuntime>,
        commands: &[EventCommand],
        store: &Store,
        actor: &str,
        reason: Option<&str>,
    ) -> Result<EventRow, EventError> {
        let (now, today) = (self.times(), millis(self.today()));
        let (event, before, planned, row, opened) = {
            let state = runtime.state.lock();
            let mut event = state.event.clone();
            for command in commands {
                if *command == EventCommand::Start && state.is_deserted(now) {
                    return Err(EventRefusal::NobodyCheckedIn.into());
                }
                event.apply(command, now)?;
            }
            if commands.contains(&EventCommand::Conclude) && state.games_in_play() > 0 {
                return Err(EventError::GamesInPlay);
            }
            let mut row = state.next_row(runtime.id, &event, today);
            if commands.contains(&EventCommand::Conclude) {
                row.winners = winners(&state);
            }
            if commands.contains(&EventCommand::Reopen) {
                row.winners.clear();
            }
            row.vouch = vouch(&event, row.vouch, actor, utc(today));
            let is_planned_anew = event.details().check_in_opens() != state.event.details().check_in_opens();
            if is_planned_anew && event.check_check_in(now.calendar).is_err() {
                row.check_ins_from = Some(utc(now.steady));
            }
            if let Some(reason) = reason {
                announce(&mut row, format!("{CANCELLED} {reason}"), utc(today));
            }
            // Where the check-in opens by this change, those who signed up have a moment for it, wherever the start is.
            let was_open = state.event.check_check_in(now.calendar).is_ok();
            let opened = event.check_in_grace(0, now.calendar).filter(|_| !was_open);
            (event, state.event.state(), state.event.details().clone(), row, opened)
        };
        let after = event.state();
        let was_edited = planned != *event.details() && after != EventState::Drafted;
        let news = news(before, &planned, &event)
            .map(|kind| NewEventNews { reason: reason.map(str::to_owned), ..self.news(kind, &row, None) });
        let happened = happened(before, commands.contains(&EventCommand::Conclude), &row, utc(today));
        store.update_event(&row, news.as_ref(), &happened).await?;
        let waited = {
            let mut state = runtime.state.lock();
            self.note_stored(&mut state, event, &row);
            state.starts_after = state.starts_after.max(opened.map(|grace| now.steady + grace));
            match after {
                EventState::Ended | EventState::Cancelled => {
                    state.pending.decided_at = None;
                    state.presence = PresenceWatch::default();
                    state.waiting()
                }
                EventState::Drafted | EventState::Published | EventState::Started => vec![],
            }
        };
        if after != before || was_edited || commands.contains(&EventCommand::Reopen) {
            self.broadcast_state(runtime, after);
        }
        if news.is_some() {
            self.registry.news.send_replace(());
        }
        if commands.contains(&EventCommand::Conclude) {
            self.broadcast_winners(runtime, &row.winners);
        }
        let message = if after == EventState::Cancelled { "Event Cancelled" } else { "This event has ended." };
        for user in waited {
            self.stop_seeking(runtime, user, message);
        }
        runtime.changed.notify_one();
        Ok(row)
    }

    /// The event's row was stored.
    pub(super) fn note_stored(&self, state: &mut State, event: Event, row: &EventRow) {
        self.registry.note_join_code(state.join_code.as_deref(), row);
        state.stored(event, row);
    }

    /// What those concerned are to be told, of the event in this row: `user`, or everybody who is signed up.
    pub(super) fn news(&self, kind: NewsKind, row: &EventRow, user: Option<UserId>) -> NewEventNews {
        NewEventNews {
            event_id: row.id,
            user_id: user.map(|user| user.0),
            kind,
            title: row.title.clone(),
            starts_at: row.start_time,
            ends_at: row.end_time,
            at: self.today(),
            reason: None,
        }
    }

    /// Removes a player from the queue, and tells them why and where to go.
    pub(super) fn stop_seeking(&self, runtime: &EventRuntime, user: UserId, message: &str) -> bool {
        let mut state = runtime.state.lock();
        let was_in = state.dequeue(user);
        if was_in {
            self.registry.activities.stop_seeking(user, runtime.id);
            state.send_to(
                user,
                &ServerFrame::MatchmakingCancelled(MatchmakingCancelled {
                    event_id: runtime.id.0,
                    message: message.to_owned(),
                    redirect_in_ms: LEAVE_ROOM_MS,
                }),
            );
        }
        drop(state);
        runtime.changed.notify_one();
        was_in
    }

    /// Sent to every connection: lists, countdowns and rooms update themselves.
    pub(super) fn broadcast_state(&self, runtime: &EventRuntime, state: EventState) {
        let frame = EventStateChanged { event_id: runtime.id.0, event_state: wire::state(state) };
        self.registry.broadcast(runtime, &ServerFrame::EventStateChanged(frame));
    }

    /// Sent to every connection, as a change of state is: anybody may have the page open.
    fn broadcast_winners(&self, runtime: &EventRuntime, winners: &[WinnerRow]) {
        let winners = winners.iter().map(|row| wire::winner(row, self.winner(row))).collect();
        let frame = EventConcluded { event_id: runtime.id.0, winners };
        self.registry.broadcast(runtime, &ServerFrame::EventConcluded(frame));
    }
}

/// Adds an announcement to an event's, of which the latest are kept.
fn announce(row: &mut EventRow, message: String, at: DateTime<Utc>) {
    row.announcements.push(AnnouncementRow { message, at });
    let surplus = row.announcements.len().saturating_sub(ANNOUNCEMENTS_KEPT);
    row.announcements.drain(..surplus);
}

/// What those who signed up are told of a change.
fn news(before: EventState, planned: &Details, event: &Event) -> Option<NewsKind> {
    let details = event.details();
    let is_moved = (planned.start_time, planned.end_time) != (details.start_time, details.end_time);
    match (before, event.state()) {
        (EventState::Published | EventState::Started, EventState::Cancelled) => Some(NewsKind::Cancelled),
        (EventState::Published, EventState::Published) if is_moved => Some(NewsKind::Moved),
        _ => None,
    }
}

/// What webhooks are told of a change: nothing of a private event.
fn happened(before: EventState, is_concluded: bool, row: &EventRow, at: DateTime<Utc>) -> Vec<HookEvent> {
    use morpion_store::EventState::{Published, Started};
    let kind = match (before, row.state) {
        _ if row.host.is_some() => None,
        (EventState::Drafted, Published) => Some(WebhookKind::EventPublished),
        (EventState::Published, Started) => Some(WebhookKind::EventStarted),
        _ if is_concluded => Some(WebhookKind::EventConcluded),
        _ => None,
    };
    kind.map(|kind| message::of_event(kind, row, at)).into_iter().collect()
}

/// The receipt of an organiser's word, kept as long as the word is.
pub(super) fn vouch(event: &Event, before: Option<VouchRow>, actor: &str, at: DateTime<Utc>) -> Option<VouchRow> {
    let given = || VouchRow { actor: actor.to_owned(), at };
    event.details().rated_on_one_network.then(|| before.unwrap_or_else(given))
}

fn winners(state: &State) -> Vec<WinnerRow> {
    let name = |user| state.participants.get(&user).map(|participant| participant.username.clone()).unwrap_or_default();
    let winners: Vec<Standing> = match &state.stage {
        None => state.standings.winners(),
        Some(stage) => {
            let users = stage.winners(|user| state.is_removed(user)).into_iter();
            users.filter_map(|user| state.standing(user).copied()).collect()
        }
    };
    winners
        .into_iter()
        .map(|standing| WinnerRow {
            user_id: standing.user.0,
            username: name(standing.user),
            level: i64::from(standing.level),
            wins: i64::from(standing.wins),
        })
        .collect()
}

/// The commands for an update. The present state may be named beside other changes; a draft is published by naming
/// `published`; every other transition has its own action.
fn update_commands(event: &Event, change: EventChange) -> Result<Vec<EventCommand>, EventError> {
    let details = event.details();
    let edited = Details {
        title: change.title.unwrap_or_else(|| details.title.clone()),
        description: change.description.unwrap_or_else(|| details.description.clone()),
        prize: change.prize.or_else(|| details.prize.clone()),
        event_type: change.event_type.unwrap_or(details.event_type),
        start_time: change.start_time.or(details.start_time),
        end_time: change.end_time.or(details.end_time),
        max_losses: change.max_losses.unwrap_or(details.max_losses),
        rated_on_one_network: change.rated_on_one_network.unwrap_or(details.rated_on_one_network),
        clock: change.clock.unwrap_or(details.clock),
        stages: change.stages.applied_to(details.stages)?,
        max_players: change.max_players.unwrap_or(details.max_players),
        conditions: change.conditions.applied_to(&details.conditions),
        check_in_minutes: change.check_in_minutes.unwrap_or(details.check_in_minutes),
        round_times: change.round_times.unwrap_or_else(|| details.round_times.clone()),
    };
    let edit = (edited != *details).then(|| EventCommand::Edit(Box::new(edited)));
    let present = event.state();
    match change.state {
        None => Ok(vec![edit.unwrap_or_else(|| EventCommand::Edit(Box::new(details.clone())))]),
        Some(EventState::Published) if present == EventState::Drafted => {
            if edit.as_ref().is_some_and(blanks_the_title) {
                return Err(EventRefusal::TitleRequiredToPublish.into());
            }
            Ok(edit.into_iter().chain([EventCommand::Publish]).collect())
        }
        Some(EventState::Published) if edit.is_none() => Ok(vec![EventCommand::Publish]),
        Some(state) if state == present => Ok(edit.into_iter().collect()),
        Some(_) => Err(EventError::UnlistedTransition),
    }
}

/// Whether the event takes those who have signed up, after an edit.
fn check_field(commands: &[EventCommand], players: usize) -> Result<(), EventError> {
    let takes_all = |command: &EventCommand| match command {
        EventCommand::Edit(details) => {
            let most = details.stages.map_or(usize::MAX, |stages| stages.format.max_entrants());
            players <= most.min(details.max_players.map_or(usize::MAX, |most| most as usize))
        }
        _ => true,
    };
    if commands.iter().all(takes_all) { Ok(()) } else { Err(EventError::TooManySignups) }
}

fn blanks_the_title(edit: &EventCommand) -> bool {
    matches!(edit, EventCommand::Edit(details) if details.title.trim().is_empty())
}
