//! Making, changing, publishing, starting, ending and cancelling events.

use std::sync::Arc;

use morpion_openapi::{
    event::{CreateEvent, EventState as WireState, UpdateEvent},
    realtime::{EventStateChanged, MatchmakingCancelled, ServerFrame},
};
use morpion_rules::{
    Command, EventId, UserId,
    event::{DEFAULT_MAX_LOSSES, Details, Event, EventCommand, EventRefusal, EventState, EventType},
};
use morpion_store::{EventRow, WinnerRow};
use uuid::Uuid;

use super::{
    Tournaments,
    contest::{Contest, State},
    convert,
};
use crate::{clock::millis, http::Fault, realtime::outbox::encode};

/// What a client waits before it leaves the room (events and gameplay, section 9).
pub const LEAVE_ROOM_MS: u32 = 1_500;

impl Tournaments {
    /// Makes a draft.
    ///
    /// # Errors
    /// 422 with the field that is wrong.
    pub async fn create(&self, wish: CreateEvent) -> Result<EventRow, Fault> {
        if wish.event_state.is_some_and(|state| state != WireState::Drafted) {
            return Err(Fault::invalid("eventState", "A new event is a draft; publish it afterwards."));
        }
        let event = Event::draft(Details {
            title: wish.title,
            description: wish.description.unwrap_or_default(),
            prize: wish.prize,
            event_type: wish.event_type.map_or(EventType::Open, convert::asked_type),
            start_time: wish.start_time.map(convert::moment),
            end_time: wish.end_time.map(convert::moment),
            max_losses: wish.max_losses.unwrap_or(DEFAULT_MAX_LOSSES),
        })?;
        let today = self.today();
        let mut row = convert::empty_row(EventId(Uuid::new_v4()), today);
        convert::fill(&mut row, &event, millis(today));
        self.store().create_event(&row).await?;
        Ok(row)
    }

    /// Edits an event, publishes a draft, or both at once.
    ///
    /// # Errors
    /// 404; 422 with the field that is wrong; 409 for any other state, and once the event has started.
    pub async fn update(&self, wish: UpdateEvent) -> Result<EventRow, Fault> {
        let contest = self.contest(EventId(wish.event_id)).await?;
        let (tournaments, owned) = (self.clone(), Arc::clone(&contest));
        contest
            .in_turn(async move {
                let commands = update_commands(&owned.state.lock().event, wish)?;
                tournaments.change(&owned, &commands).await
            })
            .await
    }

    /// Removes a draft.
    ///
    /// # Errors
    /// 404, and 409 for anything but a draft.
    pub async fn delete(&self, id: EventId) -> Result<(), Fault> {
        let contest = self.contest(id).await?;
        let (tournaments, owned) = (self.clone(), Arc::clone(&contest));
        contest
            .in_turn(async move {
                owned.state.lock().event.check_delete()?;
                tournaments.store().delete_event(id.0).await?;
                tournaments.events.contests.write().remove(&id);
                Ok(())
            })
            .await
    }

    /// Starts, ends or cancels an event.
    ///
    /// # Errors
    /// 404, and 409 where its state does not allow it.
    pub async fn command(&self, id: EventId, command: EventCommand) -> Result<EventRow, Fault> {
        let contest = self.contest(id).await?;
        let (tournaments, owned) = (self.clone(), Arc::clone(&contest));
        contest.in_turn(async move { tournaments.change(&owned, &[command]).await }).await
    }

    /// Applies the commands, stores the event, then tells everybody. For its owner only.
    pub(super) async fn change(&self, contest: &Arc<Contest>, commands: &[EventCommand]) -> Result<EventRow, Fault> {
        let (now, today) = (self.times(), millis(self.today()));
        let (event, before, row) = {
            let state = contest.state.lock();
            let mut event = state.event.clone();
            for command in commands {
                event.apply(command, now)?;
            }
            let mut row = state.next_row(contest.id, &event, today);
            if commands.contains(&EventCommand::Conclude) {
                row.winners = winners(&state);
            }
            (event, state.event.state(), row)
        };
        self.store().update_event(&row).await?;
        let after = event.state();
        let waited = {
            let mut state = contest.state.lock();
            state.stored(event, &row);
            match after {
                EventState::Ended | EventState::Cancelled => state.waiting(),
                EventState::Drafted | EventState::Published | EventState::Started => vec![],
            }
        };
        if after != before {
            self.tell_state(contest.id, after);
        }
        let message = if after == EventState::Cancelled { "Event Cancelled" } else { "This event has ended." };
        for user in waited {
            self.stop_seeking(contest, user, message);
        }
        if after == EventState::Cancelled {
            let live = contest.state.lock().live_games();
            live.into_iter().for_each(|game| self.rule_on(contest, game, Command::Void));
        }
        contest.news.notify_one();
        Ok(row)
    }

    /// Takes somebody out of the queue, tells them why and where to go.
    pub(super) fn stop_seeking(&self, contest: &Contest, user: UserId, message: &str) -> bool {
        let mut state = contest.state.lock();
        let was_in = state.stop_waiting(user);
        if was_in {
            self.events.engagements.stop_seeking(user, contest.id);
            state.tell(
                user,
                &ServerFrame::MatchmakingCancelled(MatchmakingCancelled {
                    event_id: contest.id.0,
                    message: message.to_owned(),
                    redirect_in_ms: LEAVE_ROOM_MS,
                }),
            );
        }
        drop(state);
        contest.news.notify_one();
        was_in
    }

    /// Everybody who is connected: lists, countdowns and rooms turn by themselves.
    fn tell_state(&self, id: EventId, state: EventState) {
        let frame = ServerFrame::EventStateChanged(EventStateChanged {
            event_id: id.0,
            event_state: convert::wire_state(state),
        });
        self.events.hub.tell_where(&encode(&frame.to_text()), |_| true);
    }
}

fn winners(state: &State) -> Vec<WinnerRow> {
    let name = |user| state.entries.get(&user).map(|entry| entry.username.clone()).unwrap_or_default();
    let winners = state.standings.winners();
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

/// What an update asks for. An event's present state may be named beside other changes; to be published a draft names
/// `published`, and every other state has an action of its own.
fn update_commands(event: &Event, wish: UpdateEvent) -> Result<Vec<EventCommand>, Fault> {
    let details = event.details();
    let edited = Details {
        title: wish.title.unwrap_or_else(|| details.title.clone()),
        description: wish.description.unwrap_or_else(|| details.description.clone()),
        prize: wish.prize.or_else(|| details.prize.clone()),
        event_type: wish.event_type.map_or(details.event_type, convert::asked_type),
        start_time: wish.start_time.map(convert::moment).or(details.start_time),
        end_time: wish.end_time.map(convert::moment).or(details.end_time),
        max_losses: wish.max_losses.unwrap_or(details.max_losses),
    };
    let edit = (edited != *details).then_some(EventCommand::Edit(edited));
    let present = convert::wire_state(event.state());
    match wish.event_state {
        None => Ok(vec![edit.unwrap_or_else(|| EventCommand::Edit(details.clone()))]),
        Some(WireState::Published) if present == WireState::Drafted => {
            if edit.as_ref().is_some_and(blanks_the_title) {
                return Err(EventRefusal::TitleRequiredToPublish.into());
            }
            Ok(edit.into_iter().chain([EventCommand::Publish]).collect())
        }
        Some(WireState::Published) if edit.is_none() => Ok(vec![EventCommand::Publish]),
        Some(state) if state == present => Ok(edit.into_iter().collect()),
        Some(_) => Err(Fault::conflict(
            "unlisted-transition",
            "Only a draft can be published this way; an event is started, ended or cancelled by those actions.",
        )),
    }
}

fn blanks_the_title(edit: &EventCommand) -> bool {
    matches!(edit, EventCommand::Edit(details) if details.title.trim().is_empty())
}
