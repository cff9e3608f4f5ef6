//! Stage rounds of an event: its owner begins the tournament, pairs each round, opens the games of its matches, and ends the
//! event after the last.

use std::sync::Arc;

use morpion_openapi::realtime::{RoundEnded, RoundPaired, ServerFrame, StandingsChanged};
use morpion_rules::{
    Times, UserId,
    event::{EventCommand, EventState, EventType, UNPAIRED_LIMIT},
    rating::Rating,
    tournament::Side,
};
use morpion_store::{NewEventNews, Store};

use super::{
    Events, SERVER,
    activities::Activity,
    error::EventError,
    owner::RETRY_AFTER,
    room::ELSEWHERE,
    runtime::EventRuntime,
    stage::{DueGame, RoundTime, Stage},
    state::State,
};
use crate::{background, error::CommonError};

/// What is to be done next for the rounds of an event.
enum Next {
    Begin,
    Pair(Box<Stage>),
    /// A match needs the id of another game, which is stored before it opens; or somebody was removed; or the fixed time of the
    /// round has come.
    Save(Box<Stage>),
    End,
    Nothing,
}

fn next(state: &State, now: Times) -> Next {
    let details = state.event.details();
    let (EventState::Started, true) = (state.event.state(), details.stages.is_some()) else { return Next::Nothing };
    let Some(stage) = &state.stage else {
        let is_late = state.stage_awaited_since.is_some_and(|since| now.steady >= since + UNPAIRED_LIMIT);
        return match state.expected().len() {
            0 | 1 if details.event_type == EventType::Closed || is_late => Next::End,
            0 | 1 => Next::Nothing,
            _ => Next::Begin,
        };
    };
    if stage.is_decided() {
        let mut stage = Stage::clone(stage);
        stage.update_entrants(&state.expected(), |user| state.is_removed(user));
        return Next::Pair(Box::new(stage));
    }
    let removed = if state.removed > 0 { stage.not_withdrawn(|user| state.is_removed(user)) } else { vec![] };
    let is_due = stage.is_due(now);
    if removed.is_empty() && !stage.lacks_games() && !is_due {
        return Next::Nothing;
    }
    let mut stage = Stage::clone(stage);
    stage.reserve_games();
    if is_due {
        stage.begin_round(now);
    }
    for user in removed {
        stage.remove(user);
    }
    Next::Save(Box::new(stage))
}

impl Events {
    /// Does what is due in the rounds of an event. Only its owner calls this.
    pub(super) async fn follow_rounds(&self, runtime: &Arc<EventRuntime>) -> Result<(), EventError> {
        loop {
            let next = {
                let mut state = runtime.state.lock();
                let now = self.times();
                let is_awaited = state.event.state() == EventState::Started && state.stage.is_none();
                state.stage_awaited_since = is_awaited.then(|| state.stage_awaited_since.unwrap_or(now.steady));
                next(&state, now)
            };
            match next {
                Next::Begin => self.begin_rounds(runtime).await?,
                Next::Pair(stage) => self.pair_round(runtime, *stage).await?,
                Next::Save(stage) => self.save_stage(runtime, *stage).await?,
                Next::End => {
                    self.change(runtime, &[EventCommand::End], self.store(), SERVER).await?;
                    return Ok(());
                }
                Next::Nothing => break,
            }
        }
        match self.open_due_games(runtime) {
            // Told only once it is stored: after a restart somebody may be there again.
            Some(decided) => self.save_stage(runtime, decided).await,
            None => Ok(()),
        }
    }

    /// Stores a tournament that changed in its last two rounds, and then lets it stand.
    async fn save_stage(&self, runtime: &EventRuntime, stage: Stage) -> Result<(), EventError> {
        let from = stage.number().saturating_sub(1);
        self.save_stage_from(runtime, self.store(), stage, from, None).await
    }

    /// The same with the rounds from this one on, with a handle of the store that may be audited, and with what is to be told.
    pub(super) async fn save_stage_from(
        &self,
        runtime: &EventRuntime,
        store: &Store,
        stage: Stage,
        from: u32,
        news: Option<&NewEventNews>,
    ) -> Result<(), EventError> {
        let (text, rounds) = stage.encode(from).map_err(CommonError::internal)?;
        store.save_tournament(runtime.id.0, &text, &rounds, news).await?;
        runtime.state.lock().put_stage(stage);
        runtime.changed.notify_one();
        Ok(())
    }

    async fn begin_rounds(&self, runtime: &Arc<EventRuntime>) -> Result<(), EventError> {
        let users = runtime.state.lock().expected();
        self.people().load(users.iter().copied()).await?;
        let rating = |user| self.people().rating(user).map_or(Rating::START.value as u32, |rating| rating.value);
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
        let fixed_for = runtime.state.lock().event.details().round_begins(ended + 1);
        let time = RoundTime { now: self.now(), pause: self.options().round_pause, fixed_for };
        let (stage, paired) = background::spawn(move || {
            let paired = stage.with_next_round(time);
            (stage, paired)
        })
        .await
        .map_err(CommonError::internal)?;
        match paired.map_err(CommonError::internal)? {
            Some(next) => {
                let round = next.number();
                self.save_stage(runtime, next).await?;
                self.tell_ended(runtime, ended);
                let paired = RoundPaired { event_id: runtime.id.0, round };
                self.registry.broadcast(runtime, &ServerFrame::RoundPaired(paired));
            }
            None => {
                self.save_stage(runtime, stage).await?;
                self.tell_ended(runtime, ended);
                self.change(runtime, &[EventCommand::End], self.store(), SERVER).await?;
            }
        }
        Ok(())
    }

    fn tell_ended(&self, runtime: &EventRuntime, round: u32) {
        if round > 0 {
            let ended = RoundEnded { event_id: runtime.id.0, round };
            self.registry.broadcast(runtime, &ServerFrame::RoundEnded(ended));
        }
    }

    /// Opens the games that are due. Whoever has not joined, or plays elsewhere, has a minute to come; returns the tournament
    /// with the matches that are decided since they did not.
    fn open_due_games(&self, runtime: &EventRuntime) -> Option<Stage> {
        let now = self.now();
        let (opened, decided, waiting) = {
            let mut state = runtime.state.lock();
            let stage = state.stage.clone().filter(|_| state.event.state() == EventState::Started)?;
            let (mut opened, mut decided, mut waiting) = (vec![], vec![], vec![]);
            for game in stage.due_games(now, |user, game| state.playing.get(&user) == Some(&game)) {
                let is_there = |user: UserId| self.is_there(runtime, &state, user);
                if game.players.iter().all(|user| is_there(*user)) {
                    opened.extend(self.prepare_match(runtime, &mut state, &game).map(|prepared| (game, prepared)));
                } else {
                    decided.extend(stage.outcome_of_absence(&game, is_there, now).map(|outcome| (game.index, outcome)));
                    waiting.extend(game.players);
                }
            }
            drop(stage);
            if !opened.is_empty()
                && let Some(stage) = state.stage_mut()
            {
                opened.iter().for_each(|(game, _)| stage.opened(game.index));
            }
            let with_decided = |stage: &Arc<Stage>| {
                let mut stage = Stage::clone(stage);
                decided.iter().for_each(|(index, outcome)| stage.decide(*index, *outcome));
                stage
            };
            let decided = state.stage.as_ref().filter(|_| !decided.is_empty()).map(with_decided);
            (opened, decided, waiting)
        };
        self.stop_seeking_elsewhere(runtime, &waiting);
        for (game, (setup, notifications)) in opened {
            if let Err(error) = self.play.open_event_game(setup, notifications) {
                tracing::warn!(event = %runtime.id, %error, "a game could not be opened; trying again");
                self.undo_opening(runtime, &game);
            }
        }
        decided
    }

    /// Whether a player may be given a game: joined, and neither plays nor waits elsewhere.
    fn is_there(&self, runtime: &EventRuntime, state: &State, user: UserId) -> bool {
        let has_joined = state.participants.get(&user).is_some_and(|participant| participant.joined_at.is_some());
        let is_free = match self.registry.activities.of(user) {
            None => true,
            Some(Activity::Seeking(event)) => event == runtime.id,
            Some(Activity::Playing { .. }) => false,
        };
        has_joined && is_free
    }

    /// Takes players whose game is due out of the queue of another event. Called without a lock: it takes that event's.
    fn stop_seeking_elsewhere(&self, runtime: &EventRuntime, users: &[UserId]) {
        for user in users {
            if let Some(Activity::Seeking(event)) = self.registry.activities.of(*user)
                && event != runtime.id
                && let Some(other) = self.registry.loaded(event)
            {
                self.stop_seeking(&other, *user, ELSEWHERE);
                runtime.changed.notify_one();
            }
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

    /// Says that rounds or standings are to be read again, on every connection; at most once a report.
    pub(super) fn tell_changes(&self, runtime: &EventRuntime) {
        if std::mem::take(&mut runtime.state.lock().pending.rounds) {
            let frame = ServerFrame::StandingsChanged(StandingsChanged { event_id: runtime.id.0 });
            self.registry.broadcast(runtime, &frame);
        }
    }

    /// Decides what is left of the last round, before the winners of an ended event are written.
    pub(super) async fn finish_rounds(&self, runtime: &EventRuntime) -> Result<(), EventError> {
        let undecided = runtime.state.lock().stage.clone().filter(|stage| !stage.is_decided());
        if let Some(stage) = undecided {
            let mut stage = Stage::clone(&stage);
            stage.decide_all();
            self.save_stage(runtime, stage).await?;
        }
        Ok(())
    }
}
