//! Corrections by admins: standings, results that no game shows, removals. Each leaves a receipt.

use std::sync::Arc;

use morpion_rules::{EventId, UserId, event::Registration, standings::FIRST_LEVEL};
use morpion_store::{AuditEntry, CorrectionKind, CorrectionRow, CountsRow, NewsKind};
use uuid::Uuid;

use super::{Events, convert, error::EventError, runtime::EventRuntime, views::PlayerView};
use crate::{clock::utc, error::CommonError};

/// The largest level and number of wins or losses that can be set.
const MOST: u32 = 1_000_000;

/// Who made a correction, and why.
#[derive(Debug, Clone)]
pub struct Receipt {
    pub actor: String,
    pub reason: Option<String>,
}

/// What an admin sets of a standing.
#[derive(Debug, Clone, Copy)]
pub struct StandingChange {
    pub level: Option<u32>,
    pub wins: Option<u32>,
    pub losses: Option<u32>,
    pub is_eliminated: Option<bool>,
}

/// Adds to an entry of the audit trail about a player in which event it was done.
pub(super) fn in_event(mut audit: AuditEntry, event: &EventRuntime) -> AuditEntry {
    audit.detail["eventId"] = event.id.to_string().into();
    audit.detail["event"] = event.state.lock().event.details().title.clone().into();
    audit
}

impl Events {
    /// An admin corrects a standing; `event` is the one joined last if absent.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for a user who is not in the event; [`EventError::Refused`] once its winners are
    /// written; [`CommonError::Invalid`], [`EventError::NoElimination`].
    pub async fn correct_player(
        &self,
        user: UserId,
        event: Option<EventId>,
        request: StandingChange,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<PlayerView, EventError> {
        for (field, value) in [("level", request.level), ("wins", request.wins), ("losses", request.losses)] {
            let least = if field == "level" { FIRST_LEVEL } else { 0 };
            if value.is_some_and(|value| !(least..=MOST).contains(&value)) {
                return Err(
                    CommonError::invalid(&format!("updates.{field}"), format!("Between {least} and {MOST}.")).into()
                );
            }
        }
        self.correct(user, event, CorrectionKind::Standing, (receipt, audit), move |level, wins, losses, max_losses| {
            let losses = request.losses.unwrap_or(losses);
            let losses = match request.is_eliminated {
                None => losses,
                // Elimination follows from the losses.
                Some(_) if max_losses == 0 => {
                    return Err(EventError::NoElimination);
                }
                Some(true) => losses.max(max_losses),
                Some(false) => losses.min(max_losses - 1),
            };
            Ok([request.level.unwrap_or(level), request.wins.unwrap_or(wins), losses])
        })
        .await
    }

    /// An admin counts a win or a loss that no game shows.
    ///
    /// # Errors
    /// As [`Events::correct_player`].
    pub async fn record_result(
        &self,
        user: UserId,
        event: Option<EventId>,
        did_win: bool,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<PlayerView, EventError> {
        self.correct(user, event, CorrectionKind::Result, (receipt, audit), move |level, wins, losses, _| {
            Ok(if did_win { [level + 1, wins + 1, losses] } else { [level, wins, losses + 1] })
        })
        .await
    }

    /// An admin removes a player from the queue, the room and the ranking of winners; a live game is lost. Idempotent.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for a user who is not in the event; [`EventError::Refused`] once its winners are
    /// final.
    pub async fn remove_participant(
        &self,
        user: UserId,
        event: EventId,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<PlayerView, EventError> {
        let runtime = self.runtime(event).await?;
        let keep = |level, wins, losses, _| Ok([level, wins, losses]);
        self.correct(user, Some(event), CorrectionKind::Removal, (receipt, audit), keep).await?;
        self.evict(&runtime, user);
        let state = runtime.state.lock();
        PlayerView::of(&state, event, user).ok_or(CommonError::NotFound("player").into())
    }

    async fn correct(
        &self,
        user: UserId,
        event: Option<EventId>,
        kind: CorrectionKind,
        (receipt, audit): (Receipt, AuditEntry),
        wanted: impl FnOnce(u32, u32, u32, u32) -> Result<[u32; 3], EventError> + Send + 'static,
    ) -> Result<PlayerView, EventError> {
        let runtime = self.event_of(user, event).await?;
        let audit = in_event(audit, &runtime);
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let (correction, row) = {
                    let state = owned.state.lock();
                    state.event.check_correction()?;
                    if kind == CorrectionKind::Removal && state.registration(user) == Registration::Removed {
                        return PlayerView::of(&state, owned.id, user).ok_or(CommonError::NotFound("player").into());
                    }
                    let standing = state.standing(user).ok_or(CommonError::NotFound("player"))?;
                    let [level, wins, losses] =
                        wanted(standing.level, standing.wins, standing.losses, state.standings.max_losses())?;
                    let difference = |after: u32, before: u32| i64::from(after) - i64::from(before);
                    let counts = |[level, wins, losses]: [u32; 3]| CountsRow {
                        level: level.into(),
                        wins: wins.into(),
                        losses: losses.into(),
                    };
                    let correction = CorrectionRow {
                        id: Uuid::new_v4(),
                        event_id: owned.id.0,
                        user_id: user.0,
                        level: difference(level, standing.level),
                        wins: difference(wins, standing.wins),
                        losses: difference(losses, standing.losses),
                        // As for results: the earlier time wins ties.
                        at: utc(events.times().steady),
                        actor: receipt.actor,
                        kind: Some(kind),
                        before: Some(counts([standing.level, standing.wins, standing.losses])),
                        after: Some(counts([level, wins, losses])),
                        reason: receipt.reason,
                    };
                    (correction, state.row(owned.id))
                };
                let news = (kind == CorrectionKind::Removal).then(|| events.news(NewsKind::Removed, &row, Some(user)));
                // Stored as a difference, so that results stored meanwhile are not lost.
                events.store().audited(audit).correct_standing(&correction, news.as_ref()).await?;
                if news.is_some() {
                    events.registry.news.send_replace(());
                }
                let mut state = owned.state.lock();
                let standing = state.standings.correct(&convert::correction(&correction))?;
                state.removed += usize::from(kind == CorrectionKind::Removal);
                state.queue.set_level(user, standing.level);
                state.pending.leaderboard = true;
                if state.registration(user) == Registration::Eliminated {
                    drop(state);
                    events.stop_seeking(&owned, user, "You've Been Eliminated");
                    state = owned.state.lock();
                }
                owned.changed.notify_one();
                PlayerView::of(&state, owned.id, user).ok_or(CommonError::NotFound("player").into())
            })
            .await
    }
}
