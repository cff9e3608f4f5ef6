//! The owner of an event: one task that runs its changes in order, follows its schedule, pairs its players and tells
//! waiting players why they wait.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use morpion_openapi::realtime::{RefreshLeaderboard, ServerFrame};
use morpion_rules::{
    Command, GameId, Millis, Times, UserId,
    event::{EventCommand, EventState, Registration},
};
use morpion_store::QueuePlace;

use super::{
    Events, SERVER,
    check_in::NOBODY_CHECKED_IN,
    error::EventError,
    runtime::{EventRuntime, Jobs},
    state::State,
};
use crate::clock::utc;

/// The longest pause between two steps of an active event.
const POLL_EVERY: Duration = Duration::from_millis(250);

/// The same for an event in which nothing happens by itself.
const IDLE_POLL_EVERY: Duration = Duration::from_secs(3_600);

/// How often waiting players get the state of the queue, changed leaderboards and stage rounds are announced, and the queue
/// is saved; in milliseconds.
const REPORT_EVERY: i64 = 1_000;

/// Players informed in one report; a longer queue is informed in slices.
const REPORTS: usize = 1_000;

/// Milliseconds before a retry.
pub(super) const RETRY_AFTER: i64 = 1_000;

/// How long a player without a connection keeps their place in the queue, in milliseconds.
const AWAY_LIMIT: i64 = 60_000;

/// When the next report is due, and for which slice of the queue.
#[derive(Default)]
struct Reports {
    next: Millis,
    slice: usize,
}

/// The games that the event's state ends now.
fn due_decisions(state: &State, now: Millis) -> Vec<(GameId, Command)> {
    let all =
        |command: &Command| state.live_games().into_iter().map(|game| (game, command.clone())).collect::<Vec<_>>();
    match state.event.state() {
        EventState::Cancelled => all(&Command::Void),
        EventState::Ended if state.event.due(now).is_some() => all(&Command::DecideByTime),
        _ if state.stage.is_some() => {
            let is_superseded = |game: &GameId| state.stage.as_ref().is_some_and(|stage| stage.is_superseded(*game));
            let live = state.live_games().into_iter().filter(is_superseded);
            live.map(|game| (game, Command::Void)).collect()
        }
        _ if state.removed == 0 => vec![],
        _ => {
            let is_out = |user: &UserId| state.registration(*user) == Registration::Removed;
            let theirs = state.playing.iter().filter(|(user, _)| is_out(user));
            theirs.map(|(user, game)| (*game, Command::Remove { user: *user })).collect()
        }
    }
}

/// How long until the next step, unless something changes.
fn time_until_next_step(state: &State, auto_transitions: bool, next_report: Millis, times: Times) -> Duration {
    let now = times.steady;
    let schedule = match state.event.state() {
        EventState::Published | EventState::Started if !auto_transitions => None,
        // Decided games signal a change once they are stored; until then decisions are retried.
        _ if !due_decisions(state, now).is_empty() => Some(state.pending.decided_at.map_or(now, |at| at + RETRY_AFTER)),
        _ => state.due_in(times).map(|wait| now + wait),
    };
    let is_started = state.event.state() == EventState::Started;
    let pairing = state.queue.next_wakeup().filter(|_| is_started);
    let has_news = state.pending.leaderboard || state.pending.rounds;
    let report = (!state.queue.is_empty() || has_news).then_some(next_report);
    let soonest = [schedule, pairing, report].into_iter().flatten().min();
    let soonest = soonest.map(|at| state.pending.not_before.map_or(at, |not_before| at.max(not_before)));
    match soonest {
        // Rounded up, so that it is due after the wait.
        Some(at) => Duration::from_millis((at - now).max(0).unsigned_abs()).min(POLL_EVERY),
        None if is_started || state.event.next_due().is_some() => POLL_EVERY,
        None => IDLE_POLL_EVERY,
    }
}

impl Events {
    /// Starts the owner of an event; it stops when the event leaves memory, or with the server.
    pub(super) fn spawn_owner(&self, runtime: &Arc<EventRuntime>, jobs: Jobs) {
        let owner = self.clone().run(Arc::downgrade(runtime), jobs);
        self.owners.spawn_on(owner, &self.threads);
    }

    async fn run(self, runtime: Weak<EventRuntime>, mut jobs: Jobs) {
        let mut reports = Reports::default();
        loop {
            // Held only during a step: the wait must not keep the event in memory.
            let (wait, changed) = {
                let Some(held) = runtime.upgrade() else { return };
                self.step(&held, &mut reports).await;
                (self.until_next(&held, &reports), Arc::clone(&held.changed))
            };
            tokio::select! {
                () = self.stop.cancelled() => {
                    if let Some(held) = runtime.upgrade() {
                        self.save_queue(&held).await;
                    }
                    return;
                }
                job = jobs.recv() => match job {
                    Some(job) => job.await,
                    None => return,
                },
                () = changed.notified() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    fn until_next(&self, runtime: &EventRuntime, reports: &Reports) -> Duration {
        time_until_next_step(&runtime.state.lock(), self.options().auto_transitions, reports.next, self.times())
    }

    async fn step(&self, runtime: &Arc<EventRuntime>, reports: &mut Reports) {
        let now = self.now();
        {
            let mut state = runtime.state.lock();
            match state.pending.not_before {
                Some(at) if at > now => return,
                _ => state.pending.not_before = None,
            }
        }
        let followed = match self.run_schedule(runtime).await {
            Ok(()) => self.follow_rounds(runtime).await,
            failed => failed,
        };
        if let Err(error) = followed {
            tracing::warn!(event = %runtime.id, %error, "an event could not go on yet; trying again");
            runtime.state.lock().pending.not_before = Some(now + RETRY_AFTER);
            return;
        }
        self.decide_games(runtime);
        self.drop_absent(runtime);
        self.pair(runtime);
        if now >= reports.next {
            reports.next = now + REPORT_EVERY;
            self.report(runtime, reports);
            self.tell_changes(runtime);
            self.tell_presence(runtime);
            self.save_queue(runtime).await;
        }
    }

    /// Does what is due: starts, ends, also because nobody can be paired, decides games still in play, writes the winners.
    async fn run_schedule(&self, runtime: &Arc<EventRuntime>) -> Result<(), EventError> {
        loop {
            let now = self.times();
            let (phase, due, is_deserted, is_played, has_winners_to_write) = {
                let mut state = runtime.state.lock();
                state.note_pairing(now.steady);
                let is_unpaired = state.ends_unpaired().is_some_and(|at| at <= now.steady);
                let due = state.due(now).or_else(|| is_unpaired.then_some(EventCommand::End));
                let is_deserted = state.is_deserted(now);
                (state.event.state(), due, is_deserted, state.games_in_play() > 0, state.event.next_due().is_some())
            };
            match (phase, due) {
                (EventState::Published, Some(_)) if is_deserted && self.options().auto_transitions => {
                    self.change_because(
                        runtime,
                        &[EventCommand::Cancel],
                        self.store(),
                        SERVER,
                        Some(NOBODY_CHECKED_IN),
                    )
                    .await?;
                }
                (EventState::Published | EventState::Started, Some(command)) if self.options().auto_transitions => {
                    self.change(runtime, &[command], self.store(), SERVER).await?;
                }
                (EventState::Ended, _) if has_winners_to_write && !is_played => {
                    self.finish_rounds(runtime).await?;
                    self.change(runtime, &[EventCommand::Conclude], self.store(), SERVER).await?;
                    self.broadcast_leaderboard(runtime);
                }
                _ => return Ok(()),
            }
        }
    }

    /// Ends games as the event's state demands, retried until that is stored.
    fn decide_games(&self, runtime: &EventRuntime) {
        let now = self.now();
        let due = {
            let mut state = runtime.state.lock();
            let due = due_decisions(&state, now);
            if due.is_empty() || state.pending.decided_at.is_some_and(|at| at + RETRY_AFTER > now) {
                return;
            }
            state.pending.decided_at = Some(now);
            due
        };
        for (game, command) in due {
            if !self.play.decide(game, command) {
                // The game does not exist.
                runtime.state.lock().playing.retain(|_, other| *other != game);
            }
        }
    }

    /// Removes players who were away for too long from the queue.
    fn drop_absent(&self, runtime: &EventRuntime) {
        let now = self.now();
        let mut state = runtime.state.lock();
        let gone: Vec<UserId> =
            state.away_since.iter().filter(|(_, since)| now - **since > AWAY_LIMIT).map(|(user, _)| *user).collect();
        for user in gone {
            state.dequeue(user);
            self.registry.activities.stop_seeking(user, runtime.id);
        }
    }

    /// Sends waiting players the state of the queue, and announces a changed leaderboard.
    fn report(&self, runtime: &EventRuntime, reports: &mut Reports) {
        let (now, calendar) = (self.now(), self.registry.clock.to_calendar());
        let mut state = runtime.state.lock();
        if std::mem::take(&mut state.pending.leaderboard) {
            drop(state);
            self.broadcast_leaderboard(runtime);
            state = runtime.state.lock();
        }
        if state.queue.is_empty() {
            return;
        }
        let waiting: Vec<UserId> = state.room.keys().copied().filter(|user| state.queue.contains(*user)).collect();
        let slices = waiting.len().div_ceil(REPORTS).max(1);
        reports.slice = (reports.slice + 1) % slices;
        for user in waiting.iter().skip(reports.slice).step_by(slices) {
            if let Some(queue) = state.queue_state(runtime.id, *user, now, calendar) {
                state.send_to(*user, &ServerFrame::QueueUpdate(queue));
            }
        }
    }

    /// Sent to every connection, since any may show it; at most once a report, some 90 bytes each.
    fn broadcast_leaderboard(&self, runtime: &EventRuntime) {
        let frame = ServerFrame::RefreshLeaderboard(RefreshLeaderboard { event_id: runtime.id.0 });
        self.registry.broadcast(runtime, &frame);
    }

    /// Saves the queue for a restart, if it changed.
    async fn save_queue(&self, runtime: &EventRuntime) {
        let places: Vec<QueuePlace> = {
            let mut state = runtime.state.lock();
            if !std::mem::take(&mut state.pending.queue) {
                return;
            }
            let waiting = state.waiting();
            let place = |user: UserId| {
                let since = utc(state.queue.waiting_since(user)?);
                let last_opponent = state.participants.get(&user)?.last_opponent.map(|opponent| opponent.0);
                Some(QueuePlace { user_id: user.0, since, last_opponent })
            };
            waiting.into_iter().filter_map(place).collect()
        };
        if let Err(error) = self.store().save_queue(runtime.id.0, &places).await {
            tracing::warn!(event = %runtime.id, %error, "a queue could not be saved; trying again");
            runtime.state.lock().pending.queue = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use morpion_rules::event::Phase;
    use uuid::Uuid;

    use super::*;
    use crate::events::runtime::tests::event;

    const ENDED: Phase = Phase::Ended { at: Millis(2_000), decide_at: Millis(62_000), concluded: false };
    const CANCELLED: Phase = Phase::Cancelled { at: Millis(2_000) };

    /// Two players of an event in this phase, in a game.
    async fn playing(phase: Phase) -> Arc<EventRuntime> {
        let players = [7, 8].map(|id| UserId(Uuid::from_u128(id)));
        let (runtime, _) = event(phase, &players).await;
        runtime.state.lock().playing.extend(players.map(|user| (user, GameId(Uuid::from_u128(9)))));
        runtime
    }

    fn commands(runtime: &EventRuntime, now: Millis) -> Vec<Command> {
        due_decisions(&runtime.state.lock(), now).into_iter().map(|(_, command)| command).collect()
    }

    #[tokio::test]
    async fn games_of_a_cancelled_event_are_voided_until_none_is_left() {
        let runtime = playing(CANCELLED).await;
        for now in [2_000, 9_999_999] {
            assert_eq!(commands(&runtime, Millis(now)), [Command::Void]);
        }
        assert!(
            time_until_next_step(&runtime.state.lock(), true, Millis(0), Millis(2_000).into()).is_zero(),
            "at once"
        );
        runtime.state.lock().playing.clear();
        assert_eq!(commands(&runtime, Millis(2_000)), []);
        assert_eq!(time_until_next_step(&runtime.state.lock(), true, Millis(0), Millis(2_000).into()), IDLE_POLL_EVERY);
    }

    #[tokio::test]
    async fn after_the_decision_the_owner_waits_for_news() {
        let runtime = playing(ENDED).await;
        assert_eq!(commands(&runtime, Millis(61_999)), []);
        assert_eq!(commands(&runtime, Millis(62_000)), [Command::DecideByTime]);
        let wait_at = |now| time_until_next_step(&runtime.state.lock(), true, Millis(0), Millis(now).into());
        assert!(wait_at(62_000).is_zero());
        runtime.state.lock().pending.decided_at = Some(Millis(62_000));
        assert_eq!(wait_at(62_000), POLL_EVERY);
        assert_eq!(wait_at(62_900), Duration::from_millis(100));
        assert!(wait_at(63_000).is_zero(), "it is tried again");
    }
}
