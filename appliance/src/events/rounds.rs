//! Stage rounds of an event: its owner begins the tournament, pairs each round, opens the games of its matches, and ends the
//! event after the last.

use std::sync::Arc;

use morpion_openapi::realtime::{RoundEnded, RoundPaired, ServerFrame, StandingsChanged};
use morpion_rules::{
    EventId, Millis, UserId,
    event::{EventCommand, EventRefusal, EventState, EventType, UNPAIRED_LIMIT},
    tournament::Side,
};
use morpion_store::{AuditEntry, EventRow, Store};

use super::{
    Events, SERVER,
    activities::Activity,
    corrections::Receipt,
    error::EventError,
    owner::RETRY_AFTER,
    room::ELSEWHERE,
    runtime::EventRuntime,
    stage::{DueGame, Stage, StageRefusal},
    state::State,
};
use crate::{background, connections::frame::encode, error::CommonError};

/// The rating of an entrant who has none.
const UNRATED: u32 = 1_500;

/// What is to be done next for the rounds of an event.
enum Next {
    Begin,
    Pair(Box<Stage>),
    /// A match needs the id of another game, which is stored before it opens; or somebody was removed.
    Save(Box<Stage>),
    End,
    Nothing,
}

fn next(state: &State, now: Millis) -> Next {
    let details = state.event.details();
    let (EventState::Started, true) = (state.event.state(), details.stages.is_some()) else { return Next::Nothing };
    let Some(stage) = &state.stage else {
        let is_late = state.stage_awaited_since.is_some_and(|since| now >= since + UNPAIRED_LIMIT);
        return match state.taking_part() {
            0 | 1 if details.event_type == EventType::Closed || is_late => Next::End,
            0 | 1 => Next::Nothing,
            _ => Next::Begin,
        };
    };
    if stage.is_decided() {
        let mut stage = stage.clone();
        stage.update_entrants(&state.order, |user| state.is_removed(user));
        return Next::Pair(Box::new(stage));
    }
    let removed = if state.removed > 0 { stage.not_withdrawn(|user| state.is_removed(user)) } else { vec![] };
    if removed.is_empty() && !stage.lacks_games() {
        return Next::Nothing;
    }
    let mut stage = stage.clone();
    stage.reserve_games();
    for user in removed {
        // An entrant, as it was found among them.
        let _ = stage.withdraw(user);
    }
    Next::Save(Box::new(stage))
}

impl Events {
    /// Does what is due in the rounds of an event. Only its owner calls this.
    pub(super) async fn follow_rounds(&self, runtime: &Arc<EventRuntime>) -> Result<(), EventError> {
        loop {
            let next = {
                let mut state = runtime.state.lock();
                let now = self.now();
                let is_awaited = state.event.state() == EventState::Started && state.stage.is_none();
                state.stage_awaited_since = is_awaited.then(|| state.stage_awaited_since.unwrap_or(now));
                next(&state, now)
            };
            match next {
                Next::Begin => self.begin_rounds(runtime).await?,
                Next::Pair(stage) => self.pair_round(runtime, *stage).await?,
                Next::Save(stage) => self.save_stage(runtime, self.store(), *stage).await?,
                Next::End => {
                    self.change(runtime, &[EventCommand::End], self.store(), SERVER).await?;
                    return Ok(());
                }
                Next::Nothing => break,
            }
        }
        self.open_due_games(runtime);
        self.tell_changes(runtime);
        Ok(())
    }

    /// Stores a tournament that changed in its last two rounds, and then lets it stand.
    async fn save_stage(&self, runtime: &EventRuntime, store: &Store, stage: Stage) -> Result<(), EventError> {
        let from = stage.number().saturating_sub(1);
        self.save_stage_from(runtime, store, stage, from).await
    }

    async fn save_stage_from(
        &self,
        runtime: &EventRuntime,
        store: &Store,
        stage: Stage,
        from: u32,
    ) -> Result<(), EventError> {
        let (text, rounds) = stage.encode(from).map_err(CommonError::internal)?;
        store.save_tournament(runtime.id.0, &text, &rounds).await?;
        runtime.state.lock().put_stage(stage);
        runtime.changed.notify_one();
        Ok(())
    }

    async fn begin_rounds(&self, runtime: &Arc<EventRuntime>) -> Result<(), EventError> {
        let users: Vec<UserId> = {
            let state = runtime.state.lock();
            state.order.iter().copied().filter(|user| !state.is_removed(*user)).collect()
        };
        self.people().load(users.iter().copied()).await?;
        let rating = |user| self.people().rating(user).map_or(UNRATED, |rating| rating.value);
        let entrants = users.into_iter().map(|user| (user, rating(user))).collect();
        let lot = if rand::random() { Side::First } else { Side::Second };
        let stage = {
            let state = runtime.state.lock();
            state.event.details().stages.map(|stages| Stage::begin(stages, entrants, lot))
        };
        match stage {
            Some(stage) => self.pair_round(runtime, stage).await,
            None => Ok(()),
        }
    }

    /// Pairs the next round, or ends the event where there is none.
    async fn pair_round(&self, runtime: &Arc<EventRuntime>, stage: Stage) -> Result<(), EventError> {
        let ended = stage.number();
        let starts_at = self.now() + self.options().round_pause;
        let (stage, paired) = background::spawn(move || {
            let paired = stage.with_next_round(starts_at);
            (stage, paired)
        })
        .await
        .map_err(CommonError::internal)?;
        match paired.map_err(CommonError::internal)? {
            Some(next) => {
                let round = next.number();
                self.save_stage(runtime, self.store(), next).await?;
                self.tell_ended(runtime, ended);
                let paired = RoundPaired { event_id: runtime.id.0, round };
                self.registry.hub.broadcast(&encode(&ServerFrame::RoundPaired(paired).to_text()), |_| true);
            }
            None => {
                self.save_stage(runtime, self.store(), stage).await?;
                self.tell_ended(runtime, ended);
                self.change(runtime, &[EventCommand::End], self.store(), SERVER).await?;
            }
        }
        Ok(())
    }

    fn tell_ended(&self, runtime: &EventRuntime, round: u32) {
        if round > 0 {
            let ended = RoundEnded { event_id: runtime.id.0, round };
            self.registry.hub.broadcast(&encode(&ServerFrame::RoundEnded(ended).to_text()), |_| true);
        }
    }

    /// Opens the games that are due. Whoever has not joined, or plays elsewhere, has a minute to come.
    fn open_due_games(&self, runtime: &EventRuntime) {
        let now = self.now();
        let opened: Vec<_> = {
            let mut state = runtime.state.lock();
            let is_due = state.event.state() == EventState::Started;
            let Some(mut stage) = state.stage.take() else { return };
            let due = match is_due {
                true => stage.due_games(now, |user, game| state.playing.get(&user) == Some(&game)),
                false => vec![],
            };
            let mut opened = vec![];
            for game in due {
                let is_there = |user: UserId| self.is_there(runtime, &state, user);
                if !game.players.iter().all(|user| is_there(*user)) {
                    stage.note_absence(&game, is_there, now);
                    continue;
                }
                if let Some(prepared) = self.prepare_match(runtime, &mut state, &game) {
                    opened.push((game, prepared));
                }
            }
            for (game, _) in &opened {
                stage.opened(game.index);
            }
            state.put_stage(stage);
            opened
        };
        for (game, (setup, notifications)) in opened {
            if let Err(error) = self.play.open_event_game(setup, notifications) {
                tracing::warn!(event = %runtime.id, %error, "a game could not be opened; trying again");
                self.undo_opening(runtime, &game);
            }
        }
    }

    /// Whether a player may be given a game: joined, and plays nowhere else. Waiting for an opponent elsewhere ends.
    fn is_there(&self, runtime: &EventRuntime, state: &State, user: UserId) -> bool {
        let has_joined = state.participants.get(&user).is_some_and(|participant| participant.joined_at.is_some());
        match self.registry.activities.of(user) {
            Some(Activity::Playing { .. }) => false,
            Some(Activity::Seeking(other)) if has_joined && other != runtime.id => {
                if let Some(other) = self.registry.loaded(other) {
                    self.stop_seeking(&other, user, ELSEWHERE);
                }
                true
            }
            Some(Activity::Seeking(_)) | None => has_joined,
        }
    }

    fn undo_opening(&self, runtime: &EventRuntime, game: &DueGame) {
        let mut state = runtime.state.lock();
        for user in game.players {
            state.playing.remove(&user);
            self.registry.activities.stop_playing(user, game.id);
        }
        state.pending.not_before = Some(self.now() + RETRY_AFTER);
    }

    /// Says that rounds or standings are to be read again; at most once a step.
    fn tell_changes(&self, runtime: &EventRuntime) {
        let has_changed = {
            let mut state = runtime.state.lock();
            state.stage.as_mut().is_some_and(|stage| std::mem::take(&mut stage.changed))
        };
        if has_changed {
            let frame = ServerFrame::StandingsChanged(StandingsChanged { event_id: runtime.id.0 });
            self.registry.hub.broadcast(&encode(&frame.to_text()), |_| true);
        }
    }

    /// Decides what is left of the last round, before the winners of an ended event are written.
    pub(super) async fn finish_rounds(&self, runtime: &EventRuntime) -> Result<(), EventError> {
        let undecided = runtime.state.lock().stage.clone().filter(|stage| !stage.is_decided());
        if let Some(mut stage) = undecided {
            stage.decide_all();
            self.save_stage(runtime, self.store(), stage).await?;
            self.tell_changes(runtime);
        }
        Ok(())
    }

    /// Changes the tournament of an event by a director's act, stores it with the rounds from the one that `act` returns, and
    /// returns the event. A game that goes on although its match is decided now is void in the next step.
    async fn direct(
        &self,
        id: EventId,
        audit: AuditEntry,
        act: impl FnOnce(&Events, &State, &mut Stage) -> Result<u32, EventError> + Send + 'static,
    ) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let (stage, from) = {
                    let state = owned.state.lock();
                    if state.event.details().stages.is_none() {
                        return Err(EventError::NoRounds);
                    }
                    state.event.check_correction()?;
                    let mut stage = state.stage.clone().ok_or(EventError::NoRounds)?;
                    let from = act(&events, &state, &mut stage)?;
                    (stage, from)
                };
                events.save_stage_from(&owned, &events.store().audited(audit), stage, from).await?;
                let (row, event_state) = {
                    let mut state = owned.state.lock();
                    state.pending.decided_at = None;
                    (state.row(id), state.event.state())
                };
                events.broadcast_state(id, event_state);
                Ok(row)
            })
            .await
    }

    /// A director decides a match, from 1 as the round and the board; without a winner both have lost.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`], [`EventError::NoRounds`]; [`EventError::Refused`] once the winners
    /// are written.
    pub async fn set_result(
        &self,
        id: EventId,
        (round, board): (u32, u32),
        winner: Option<UserId>,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let act = move |events: &Events, _: &State, stage: &mut Stage| {
            stage.rule(round, board, winner, &receipt, events.now())?;
            Ok(round)
        };
        self.direct(id, audit, act).await
    }

    /// A director withdraws a player, or lets them play again.
    ///
    /// # Errors
    /// As of [`Events::set_result`].
    pub async fn set_withdrawn(
        &self,
        id: EventId,
        user: UserId,
        withdrawn: bool,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let act = move |_: &Events, state: &State, stage: &mut Stage| {
            match withdrawn {
                true => stage.withdraw(user)?,
                false if state.is_removed(user) => {
                    return Err(EventRefusal::Removed.into());
                }
                false => stage.reinstate(user)?,
            }
            Ok(stage.number())
        };
        self.direct(id, audit, act).await
    }

    /// A director stops the next round from beginning, or lets it begin. Idempotent.
    ///
    /// # Errors
    /// As of [`Events::set_result`]; [`EventError::Refused`] unless the event has started and not ended.
    pub async fn set_paused(&self, id: EventId, paused: bool, audit: AuditEntry) -> Result<EventRow, EventError> {
        let act = move |events: &Events, state: &State, stage: &mut Stage| {
            state.event.check_under_way()?;
            stage.pause(paused, events.now() + events.options().round_pause);
            Ok(stage.number())
        };
        self.direct(id, audit, act).await
    }
}

impl From<StageRefusal> for EventError {
    fn from(refusal: StageRefusal) -> Self {
        match refusal {
            StageRefusal::UnknownMatch => CommonError::NotFound("match").into(),
            StageRefusal::UnknownPlayer => CommonError::NotFound("player").into(),
            StageRefusal::NotInTheMatch => {
                CommonError::invalid("winnerUserId", "That player is not in this match.").into()
            }
        }
    }
}
