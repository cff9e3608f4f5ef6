//! Check-in: before the start those who signed up say that they are there: `docs/behaviour/events.md#check-in`.

use std::sync::Arc;

use morpion_rules::{
    EventId, Millis, Times, UserId,
    event::{EventCommand, EventRefusal, EventState, Registration},
};
use morpion_store::{AuditEntry, CorrectionKind, CorrectionRow, CountsRow, EventRow};
use uuid::Uuid;

use super::{
    Events,
    corrections::{Receipt, in_event},
    error::EventError,
    runtime::EventRuntime,
    state::{Participant, State},
    views::SignupView,
};
use crate::{clock::utc, error::CommonError};

/// Why an event is cancelled to whose start nobody came.
pub(super) const NOBODY_CHECKED_IN: &str = "nobody checked in.";

impl State {
    /// Whether a player has checked in since the event was planned as it is, or has come to it.
    pub(super) fn has_checked_in(&self, participant: &Participant) -> bool {
        let is_in = |at| self.check_ins_from.is_none_or(|from| at >= from);
        participant.joined_at.is_some() || participant.checked_in_at.is_some_and(is_in)
    }

    /// Whether somebody who is signed up plays: where they were asked to check in, only who did, or has come since.
    pub(super) fn is_expected(&self, user: UserId) -> bool {
        let is_in = |it: &Participant| self.has_checked_in(it);
        !self.event.has_asked_to_check_in() || self.participants.get(&user).is_some_and(is_in)
    }

    /// Those who play and are not removed, in the order of the sign-ups.
    pub(super) fn expected(&self) -> Vec<UserId> {
        let plays = |user: &UserId| !self.is_removed(*user) && self.is_expected(*user);
        self.order.iter().copied().filter(plays).collect()
    }

    /// How many have checked in and are not removed; `None` of an event without a check-in.
    pub(super) fn checked_in(&self) -> Option<usize> {
        self.event.details().check_in_minutes?;
        let is_in = |(user, it): &(&UserId, &Participant)| self.has_checked_in(it) && !self.is_removed(**user);
        Some(self.participants.iter().filter(is_in).count())
    }

    /// Whether the event is not to start since all who signed up could check in, and nobody has.
    pub(super) fn is_deserted(&self, now: Times) -> bool {
        self.event.check_check_in(now.calendar).is_ok() && self.checked_in() == Some(0)
    }

    /// As [`Event::due_in`](morpion_rules::event::Event::due_in), but that the start waits for those who could not check in while
    /// the server was down.
    pub(super) fn due_in(&self, now: Times) -> Option<i64> {
        let wait = self.event.due_in(now)?;
        let held = self.starts_after.filter(|_| self.event.state() == EventState::Published);
        Some(held.map_or(wait, |until| wait.max(until - now.steady)))
    }

    /// What is due of its schedule.
    pub(super) fn due(&self, now: Times) -> Option<EventCommand> {
        if self.due_in(now)? > 0 {
            return None;
        }
        self.event.due(now)
    }

    /// The server runs again, after a stop at this play time, for so many milliseconds.
    pub(super) fn resume(&mut self, stopped_at: Millis, down_for: i64, now: Times) -> Result<(), EventRefusal> {
        self.event.apply(&EventCommand::ResumeAfterRestart { stopped_at }, now)?;
        let until = self.event.check_in_grace(down_for.max(0), now.calendar).map(|grace| now.steady + grace);
        self.starts_after = self.starts_after.max(until);
        Ok(())
    }
}

impl Events {
    /// Somebody who is signed up says that they are there, or takes that back. Idempotent.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for who is not signed up; [`EventError::Refused`] unless the check-in is open.
    pub async fn check_in(&self, user: UserId, id: EventId, is_there: bool) -> Result<SignupView, EventError> {
        let runtime = self.visible(user, id).await?;
        self.people().load([user]).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        let change = async move {
            let is_known = {
                let state = owned.state.lock();
                state.event.check_check_in(events.times().calendar)?;
                if state.is_removed(user) {
                    return Err(EventRefusal::Removed.into());
                }
                let participant = state.participants.get(&user).ok_or(CommonError::NotFound("sign-up"))?;
                state.has_checked_in(participant) == is_there
            };
            if !is_known {
                events.note_check_in(&owned, user, is_there, None).await?;
            }
            let signup = SignupView::of(&owned.state.lock(), owned.id, user);
            Ok(signup.ok_or_else(|| CommonError::internal("a sign-up was lost"))?)
        };
        runtime.run_in_order(change).await
    }

    /// A director checks somebody in, or takes that back; once the event has started, who did not check in plays from the next
    /// round on. Idempotent; a change leaves a receipt.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for who is not signed up; [`EventError::Refused`] unless the check-in is open, or the event under
    /// way takes somebody late.
    pub async fn check_in_player(
        &self,
        id: EventId,
        user: UserId,
        is_there: bool,
        receipt: Receipt,
        audit: AuditEntry,
    ) -> Result<EventRow, EventError> {
        let runtime = self.runtime(id).await?;
        let audit = in_event(audit, &runtime);
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        let change = async move {
            let is_known = {
                let state = owned.state.lock();
                let registration = state.registration(user);
                let participant = state.participants.get(&user).ok_or(CommonError::NotFound("player"))?;
                if registration == Registration::Removed {
                    return Err(EventRefusal::Removed.into());
                }
                match state.event.check_check_in(events.times().calendar) {
                    // Who is in plays already.
                    Err(EventRefusal::CheckInClosed) if is_there && registration != Registration::NotCheckedIn => {
                        return Ok(state.row(id));
                    }
                    Err(EventRefusal::CheckInClosed) if is_there => check_entry_round(&state)?,
                    checked => checked?,
                }
                state.has_checked_in(participant) == is_there
            };
            if !is_known {
                events.check_in_by(&owned, user, is_there, receipt, audit).await?;
            }
            let row = owned.state.lock().row(id);
            Ok(row)
        };
        runtime.run_in_order(change).await
    }

    /// The same by a director, with a receipt. For the event's owner only.
    pub(super) async fn check_in_by(
        &self,
        runtime: &EventRuntime,
        user: UserId,
        is_there: bool,
        by: Receipt,
        audit: AuditEntry,
    ) -> Result<(), EventError> {
        let standing = runtime.state.lock().standing(user).copied();
        let counts = standing.map(|standing| CountsRow {
            level: standing.level.into(),
            wins: standing.wins.into(),
            losses: standing.losses.into(),
        });
        let receipt = CorrectionRow {
            id: Uuid::new_v4(),
            event_id: runtime.id.0,
            user_id: user.0,
            level: 0,
            wins: 0,
            losses: 0,
            at: utc(self.now()),
            actor: by.actor,
            kind: Some(if is_there { CorrectionKind::CheckIn } else { CorrectionKind::CheckInUndone }),
            before: counts,
            after: counts,
            reason: by.reason,
        };
        self.note_check_in(runtime, user, is_there, Some((receipt, audit))).await
    }

    /// Stores it, then lets it stand. For the event's owner only.
    async fn note_check_in(
        &self,
        runtime: &EventRuntime,
        user: UserId,
        is_there: bool,
        by: Option<(CorrectionRow, AuditEntry)>,
    ) -> Result<(), EventError> {
        let at = is_there.then(|| self.now());
        let (event, time) = (runtime.id.0, at.map(utc));
        match by {
            None => self.store().set_checked_in(event, user.0, time, None).await?,
            Some((receipt, audit)) => {
                self.store().audited(audit).set_checked_in(event, user.0, time, Some(&receipt)).await?;
            }
        }
        let mut state = runtime.state.lock();
        if let Some(participant) = state.participants.get_mut(&user) {
            participant.checked_in_at = at;
        }
        state.pending.leaderboard = true;
        runtime.changed.notify_one();
        Ok(())
    }

    /// Those of these people who are asked to check in to an event and have not.
    pub fn to_check_in(&self, id: EventId, users: &[Uuid]) -> Vec<Uuid> {
        let Some(runtime) = self.registry.loaded(id) else { return vec![] };
        let state = runtime.state.lock();
        if state.event.check_check_in(self.times().calendar).is_err() {
            return vec![];
        }
        let has_not = |user: &Uuid| state.participants.get(&UserId(*user)).is_some_and(|it| !state.has_checked_in(it));
        users.iter().copied().filter(has_not).collect()
    }
}

/// Whether somebody can still come to an event under way.
///
/// # Errors
/// [`EventRefusal::TournamentClosed`].
pub(super) fn check_entry_round(state: &State) -> Result<(), EventRefusal> {
    match &state.stage {
        Some(stage) if stage.entry_round().is_none() => Err(EventRefusal::TournamentClosed),
        _ => Ok(()),
    }
}
