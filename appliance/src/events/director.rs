//! What a director does in an event in stage rounds: `docs/behaviour/formats.md#the-directors-desk`.

use std::sync::Arc;

use morpion_rules::{EventId, GameId, UserId, event::EventRefusal};
use morpion_store::{AuditEntry, EventRow, NewEventNews, NewsKind};

use super::{
    Events,
    corrections::Receipt,
    error::EventError,
    stage::{Act, Stage, StageRefusal},
    state::State,
};
use crate::error::CommonError;

/// What follows from an act.
struct Done {
    /// The first round that changed, from 1.
    from: u32,
    /// What somebody is told of it.
    news: Option<NewEventNews>,
}

impl Done {
    fn from(round: u32) -> Self {
        Self { from: round, news: None }
    }
}

impl Events {
    /// Changes the tournament of an event by a director's act, stores it in one transaction with the entry of the audit trail
    /// and what is told of it, and returns the event. A game that goes on although its match is decided now, or played again,
    /// is void in the next step.
    async fn direct(
        &self,
        id: EventId,
        audit: AuditEntry,
        act: impl FnOnce(&Events, &State, &mut Stage) -> Result<Done, EventError> + Send + 'static,
    ) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let (stage, Done { from, news }) = {
                    let state = owned.state.lock();
                    if state.event.details().stages.is_none() {
                        return Err(EventError::NoRounds);
                    }
                    state.event.check_correction()?;
                    let mut stage = state.stage.as_deref().cloned().ok_or(EventError::NoRoundYet)?;
                    let done = act(&events, &state, &mut stage)?;
                    (stage, done)
                };
                events.save_stage_from(&owned, &events.store().audited(audit), stage, from, news.as_ref()).await?;
                if news.is_some() {
                    events.registry.news.send_replace(());
                }
                let (row, event_state) = {
                    let mut state = owned.state.lock();
                    state.pending.decided_at = None;
                    (state.row(id), state.event.state())
                };
                events.broadcast_state(&owned, event_state);
                Ok(row)
            })
            .await
    }

    /// A director decides a match, from 1 as the round and the board; without a winner both have lost.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], [`CommonError::Invalid`], [`EventError::NoRounds`], [`EventError::NoRoundYet`];
    /// [`EventError::Refused`] once the winners are written.
    pub async fn set_result(
        &self,
        id: EventId,
        place: (u32, u32),
        winner: Option<UserId>,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let act = move |events: &Events, _: &State, stage: &mut Stage| {
            stage.rule(place, winner, &receipt, events.now())?;
            Ok(Done::from(place.0))
        };
        self.direct(id, audit, act).await
    }

    /// A director has a match of the last round played again; `game` is one of it that they saw.
    ///
    /// # Errors
    /// As of [`Events::set_result`]; [`EventError::Director`]; [`EventError::Refused`] unless the event has started and not ended.
    pub async fn replay_match(
        &self,
        id: EventId,
        place: (u32, u32),
        game: Option<GameId>,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let act = move |events: &Events, state: &State, stage: &mut Stage| {
            state.event.check_under_way()?;
            stage.replay(place, game, &receipt, events.now())?;
            Ok(Done::from(place.0))
        };
        self.direct(id, audit, act).await
    }

    /// A director has the round with this number, from 1, begin at once.
    ///
    /// # Errors
    /// As of [`Events::replay_match`].
    pub async fn start_round(&self, id: EventId, round: u32, audit: AuditEntry) -> Result<EventRow, EventError> {
        let act = move |events: &Events, state: &State, stage: &mut Stage| {
            state.event.check_under_way()?;
            stage.start_round(round, events.now())?;
            Ok(Done::from(round))
        };
        self.direct(id, audit, act).await
    }

    /// A director withdraws or disqualifies a player, or lets them play again.
    ///
    /// # Errors
    /// As of [`Events::set_result`]; [`EventError::Director`].
    pub async fn set_out(
        &self,
        id: EventId,
        user: UserId,
        act: Act,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let change = move |events: &Events, state: &State, stage: &mut Stage| {
            let now = events.now();
            match act {
                Act::DisqualifyPlayer => stage.disqualify(user, &receipt, now)?,
                Act::ReinstatePlayer if state.is_removed(user) => return Err(EventRefusal::Removed.into()),
                Act::ReinstatePlayer => stage.reinstate(user, &receipt, now)?,
                _ => stage.withdraw(user, &receipt, now)?,
            }
            let kind = match act {
                Act::DisqualifyPlayer => NewsKind::Disqualified,
                Act::ReinstatePlayer => NewsKind::Reinstated,
                _ => NewsKind::Withdrawn,
            };
            let news = NewEventNews { reason: receipt.reason, ..events.news(kind, &state.row(id), Some(user)) };
            Ok(Done { from: stage.number(), news: Some(news) })
        };
        self.direct(id, audit, change).await
    }

    /// A director stops the next round from beginning, or lets it begin. Idempotent.
    ///
    /// # Errors
    /// As of [`Events::set_result`]; [`EventError::Refused`] unless the event has started and not ended.
    pub async fn set_paused(&self, id: EventId, paused: bool, audit: AuditEntry) -> Result<EventRow, EventError> {
        let act = move |events: &Events, state: &State, stage: &mut Stage| {
            state.event.check_under_way()?;
            stage.pause(paused, events.now() + events.options().round_pause);
            Ok(Done::from(stage.number()))
        };
        self.direct(id, audit, act).await
    }
}

impl From<StageRefusal> for EventError {
    fn from(refusal: StageRefusal) -> Self {
        match refusal {
            StageRefusal::UnknownMatch => CommonError::NotFound("match").into(),
            StageRefusal::UnknownPlayer => CommonError::NotFound("player").into(),
            StageRefusal::NotInTheMatch => CommonError::invalid("winnerUserId", refusal.to_string()).into(),
            refusal => EventError::Director(refusal),
        }
    }
}
