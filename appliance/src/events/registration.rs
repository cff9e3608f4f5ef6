//! Signing up, joining, the free plan's limit, and changed names.

use std::sync::Arc;

use chrono::{DateTime, Datelike, Months, NaiveTime, Utc};
use morpion_rules::{
    EventId, UserId,
    event::{Admission, EventState, Registration},
    standings::FIRST_LEVEL,
};
use morpion_store::{
    AuditEntry, DELETED_NAME, EventState as StoredState, MonthlyLimit, NewEventNews, NewsKind, SignupRow, Store,
    StoreError, User,
};
use uuid::Uuid;

use super::{
    Events, SERVER,
    activities::Activity,
    check_in::check_entry_round,
    corrections::{Receipt, in_event},
    error::EventError,
    runtime::EventRuntime,
    state::State,
    views::{PlayerView, SignupView},
};
use crate::{
    account::{moderation::suspension, profile::is_pro},
    caller::Identity,
    clock::utc,
    error::CommonError,
};

/// How much of the free plan is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeEvents {
    pub used: u32,
    pub limit: u32,
    /// When the count restarts.
    pub reset_at: DateTime<Utc>,
}

/// Sign-ups of an account, the newest, among which one is looked for whose event is not over.
const MOST_LOOKED_AT: usize = 1_000;

/// The calendar month in which joined events are counted.
fn month(now: DateTime<Utc>) -> String {
    now.format("%Y-%m").to_string()
}

fn next_month(now: DateTime<Utc>) -> DateTime<Utc> {
    let first = now.date_naive().with_day(1).unwrap_or_default();
    (first + Months::new(1)).and_time(NaiveTime::MIN).and_utc()
}

/// How somebody enters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// They see the event, or have its code.
    Own,
    Invitation,
}

impl Way {
    /// Whether it is open still, now that they are to be let in.
    fn check(self, state: &State, user: UserId) -> Result<(), EventError> {
        let is_open = self == Self::Own || state.open_invitation(user).is_some();
        if is_open { Ok(()) } else { Err(CommonError::NotFound("invitation").into()) }
    }
}

impl Events {
    /// Registers a user for a published event. Idempotent.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Guest`], [`EventError::EmailNotVerified`]; [`EventError::Refused`]
    /// unless the event is published; [`EventError::Entry`]; [`EventError::Full`].
    pub async fn sign_up(&self, identity: &Identity, id: EventId) -> Result<SignupView, EventError> {
        let runtime = self.visible(identity.user_id, id).await?;
        self.sign_up_to(&runtime, identity, Way::Own).await
    }

    /// As [`Events::sign_up`], also for who does not see the event.
    pub(super) async fn sign_up_to(
        &self,
        runtime: &Arc<EventRuntime>,
        identity: &Identity,
        way: Way,
    ) -> Result<SignupView, EventError> {
        let user = self.entrant(identity).await?;
        let (events, owned, id) = (self.clone(), Arc::clone(runtime), runtime.id);
        runtime
            .run_in_order(async move {
                {
                    let state = owned.state.lock();
                    state.event.check_registration(state.registration(UserId(user.id)))?;
                    if let Some(known) = SignupView::of(&state, id, UserId(user.id)) {
                        return Ok(known);
                    }
                    way.check(&state, UserId(user.id))?;
                }
                events.check_entry(&owned, &user).await?;
                events.register(&owned, &user, events.store(), None).await
            })
            .await
    }

    /// Stores a registration, with a handle of the store that may be audited. For the event's owner only.
    async fn register(
        &self,
        runtime: &EventRuntime,
        user: &User,
        store: &Store,
        news: Option<NewEventNews>,
    ) -> Result<SignupView, EventError> {
        self.check_room(runtime)?;
        let row = self.new_signup(runtime, user);
        store.create_signup(&row, news.as_ref()).await?;
        if news.is_some() {
            self.registry.news.send_replace(());
        }
        let mut state = runtime.state.lock();
        state.signed_up(&row);
        runtime.changed.notify_one();
        let signup = SignupView::of(&state, runtime.id, UserId(user.id));
        Ok(signup.ok_or_else(|| CommonError::internal("a sign-up was lost"))?)
    }

    /// Withdraws a registration.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Refused`] once the event has started.
    pub async fn withdraw(&self, user: UserId, id: EventId) -> Result<(), EventError> {
        let runtime = self.visible(user, id).await?;
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                {
                    let state = owned.state.lock();
                    state.event.check_registration(state.registration(user))?;
                    state.standing(user).ok_or(CommonError::NotFound("sign-up"))?;
                }
                events.store().delete_signup(id.0, user.0).await?;
                owned.state.lock().withdrawn(user);
                owned.changed.notify_one();
                Ok(())
            })
            .await
    }

    /// Joins a started event to play; an open one signs up in the same step. Free for an event joined before.
    ///
    /// # Errors
    /// As [`Events::sign_up`], where the event's state or the player's does not allow it; and
    /// [`EventError::PlanLimit`].
    pub async fn join(&self, identity: &Identity, id: EventId) -> Result<PlayerView, EventError> {
        let runtime = self.visible(identity.user_id, id).await?;
        self.join_in(&runtime, identity, Way::Own).await
    }

    /// As [`Events::join`], also for who does not see the event.
    pub(super) async fn join_in(
        &self,
        runtime: &Arc<EventRuntime>,
        identity: &Identity,
        way: Way,
    ) -> Result<PlayerView, EventError> {
        let (user, id) = (identity.user_id, runtime.id);
        if let Some(player) = has_joined(runtime, user)? {
            return Ok(player);
        }
        let account = self.entrant(identity).await?;
        let (events, owned) = (self.clone(), Arc::clone(runtime));
        runtime
            .run_in_order(async move {
                if let Some(player) = has_joined(&owned, user)? {
                    return Ok(player);
                }
                let registration = owned.state.lock().registration(user);
                match registration {
                    Registration::None => {
                        way.check(&owned.state.lock(), user)?;
                        events.check_entry(&owned, &account).await?;
                        events.check_room(&owned)?;
                    }
                    Registration::NotCheckedIn => check_entry_round(&owned.state.lock())?,
                    Registration::Registered | Registration::Eliminated | Registration::Removed => {}
                }
                let today = events.today();
                let free = !is_pro(&account, today);
                let limit = MonthlyLimit { events: free.then_some(events.options().free_events_per_month) };
                // What friends play among themselves counts for nobody's plan.
                let month = (!owned.is_private()).then(|| month(today));
                let row = SignupRow { joined_at: Some(today), ..events.new_signup(&owned, &account) };
                events.store().join_event(&row, month.as_deref(), limit).await.map_err(|error| match error {
                    StoreError::LimitReached => EventError::PlanLimit,
                    error => error.into(),
                })?;
                let mut state = owned.state.lock();
                state.signed_up(&row);
                owned.changed.notify_one();
                let player = PlayerView::of(&state, id, user);
                Ok(player.ok_or_else(|| CommonError::internal("a player was lost"))?)
            })
            .await
    }

    /// The free plan's limit this month, and how much of it is used.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn free_events(&self, user: UserId) -> Result<FreeEvents, EventError> {
        let today = self.today();
        let limit = self.options().free_events_per_month;
        // A Pro member may have joined more than that.
        let used = self.store().events_joined(user.0, &month(today)).await?.min(limit);
        Ok(FreeEvents { used, limit, reset_at: next_month(today) })
    }

    /// An admin signs a user up, whatever the event's type and conditions, until it ends.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Guest`], [`EventError::EmailNotVerified`], [`EventError::Suspended`];
    /// [`EventError::Over`], [`EventError::Full`]; [`EventError::Entry`] for a bot.
    pub async fn create_player(&self, id: EventId, user: UserId, audit: AuditEntry) -> Result<PlayerView, EventError> {
        let account = self.account(user).await?;
        self.check_addable(&account)?;
        let runtime = self.runtime(id).await?;
        let audit = in_event(audit, &runtime);
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let (is_over, registration, row) = {
                    let state = owned.state.lock();
                    let over = matches!(state.event.state(), EventState::Ended | EventState::Cancelled);
                    (over, state.registration(user), state.row(id))
                };
                if is_over {
                    return Err(EventError::Over);
                }
                if registration == Registration::NotCheckedIn {
                    check_entry_round(&owned.state.lock())?;
                    let receipt = Receipt { actor: audit.actor.clone(), reason: None };
                    events.check_in_by(&owned, user, true, receipt, audit).await?;
                } else if registration == Registration::None {
                    events.check_bot(&owned, &account).await?;
                    // Nobody else sees a draft.
                    let is_shown = row.state != StoredState::Drafted;
                    let news = is_shown.then(|| events.news(NewsKind::Added, &row, Some(user)));
                    events.register(&owned, &account, &events.store().audited(audit), news).await?;
                }
                let state = owned.state.lock();
                PlayerView::of(&state, id, user).ok_or(CommonError::NotFound("player").into())
            })
            .await
    }

    /// Whether an admin may sign this account up at all.
    ///
    /// # Errors
    /// [`EventError::Guest`], [`EventError::EmailNotVerified`], [`EventError::Suspended`].
    fn check_addable(&self, account: &User) -> Result<(), EventError> {
        self.check_entrant(account)?;
        match suspension(account, self.today()) {
            Some(_) => Err(EventError::Suspended),
            None => Ok(()),
        }
    }

    /// Whether an admin may sign this account up for this event.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Guest`], [`EventError::EmailNotVerified`], [`EventError::Suspended`];
    /// [`EventError::Entry`] for a bot.
    pub async fn check_addable_to(&self, id: EventId, account: &User) -> Result<(), EventError> {
        self.check_addable(account)?;
        let runtime = self.runtime(id).await?;
        self.check_bot(&runtime, account).await
    }

    /// Whether somebody has entered an event.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown event.
    pub async fn has_entered(&self, id: EventId, user: UserId) -> Result<bool, EventError> {
        Ok(self.runtime(id).await?.state.lock().standing(user).is_some())
    }

    /// How many more players an event takes.
    ///
    /// # Errors
    /// [`CommonError::NotFound`]; [`EventError::Over`]; [`EventError::Refused`] once a tournament takes nobody.
    pub async fn room(&self, id: EventId) -> Result<usize, EventError> {
        let runtime = self.runtime(id).await?;
        if matches!(runtime.state.lock().event.state(), EventState::Ended | EventState::Cancelled) {
            return Err(EventError::Over);
        }
        self.room_in(&runtime)
    }

    /// The named event, or the one that the user joined last.
    pub(super) async fn event_of(&self, user: UserId, event: Option<EventId>) -> Result<Arc<EventRuntime>, EventError> {
        let id = match event {
            Some(id) => id,
            None => {
                let last = self.store().current_event(user.0).await?;
                EventId(last.ok_or(CommonError::NotFound("player"))?)
            }
        };
        self.runtime(id).await
    }

    /// An admin sets the event that a user joined last.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] unless they are in the event.
    pub async fn set_event(&self, user: UserId, event: EventId, audit: AuditEntry) -> Result<PlayerView, EventError> {
        let runtime = self.runtime(event).await?;
        let player = PlayerView::of(&runtime.state.lock(), event, user).ok_or(CommonError::NotFound("player"))?;
        let audit = in_event(audit, &runtime);
        self.store().audited(audit).set_current_event(user.0, Some(event.0)).await?;
        Ok(player)
    }

    /// # Errors
    /// The store is unavailable.
    pub async fn clear_event(&self, user: UserId, audit: AuditEntry) -> Result<(), EventError> {
        Ok(self.store().audited(audit).set_current_event(user.0, None).await?)
    }

    /// Renames a user in every event they are in.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn rename_player(&self, user: UserId, username: &str) -> Result<(), EventError> {
        self.store().rename_signups(user.0, username).await?;
        for runtime in self.registry.runtimes.read().values() {
            if let Some(participant) = runtime.state.lock().participants.get_mut(&user) {
                username.clone_into(&mut participant.username);
            }
        }
        self.profile_changed(user);
        Ok(())
    }

    /// An event that is not over and that a user is in, once all that began before are through.
    ///
    /// # Errors
    /// The store is unavailable; [`CommonError::Unavailable`] while an event has too much to do.
    pub async fn entered(&self, user: UserId) -> Result<Option<String>, EventError> {
        let loaded: Vec<Arc<EventRuntime>> = self.registry.runtimes.read().values().cloned().collect();
        let passed = loaded
            .into_iter()
            .filter(|runtime| !is_over(runtime))
            .map(|runtime| async move { runtime.run_in_order(async { Ok(()) }).await });
        futures_util::future::try_join_all(passed).await?;
        let (signups, _) = self.store().signups_of_user(user.0, 0, MOST_LOOKED_AT).await?;
        for signup in signups {
            let id = EventId(signup.event_id);
            match self.runtime(id).await {
                Ok(runtime) if !is_over(&runtime) => {
                    return Ok(Some(runtime.state.lock().event.details().title.clone()));
                }
                Ok(_) | Err(EventError::Common(CommonError::NotFound(_))) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// A user's name or picture changed: viewers of a leaderboard with them are told to refresh.
    pub fn profile_changed(&self, user: UserId) {
        for runtime in self.registry.runtimes.read().values() {
            let mut state = runtime.state.lock();
            if state.participants.contains_key(&user) {
                state.pending.leaderboard = true;
                runtime.changed.notify_one();
            }
        }
    }

    /// An account was deleted: it leaves its queue, and past results lose its name. Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn forget_player(&self, user: UserId) -> Result<(), EventError> {
        if let Some(Activity::Seeking(event)) = self.registry.activities.of(user) {
            self.leave_room_by_call(user, event);
        }
        self.rename_player(user, DELETED_NAME).await
    }

    /// Somebody was suspended: sign-ups for events to come are withdrawn, and they are removed from events under way.
    /// Idempotent.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn suspend_player(&self, user: UserId) -> Result<(), EventError> {
        let theirs: Vec<EventId> = {
            let runtimes = self.registry.runtimes.read();
            let has_signed_up = |runtime: &&Arc<EventRuntime>| runtime.state.lock().standing(user).is_some();
            runtimes.values().filter(has_signed_up).map(|runtime| runtime.id).collect()
        };
        for event in theirs {
            let reason = "suspended".to_owned();
            let detail = serde_json::json!({ "reason": reason });
            let audit = self.server_entry("remove_participant", user.0, detail);
            let receipt = Receipt { actor: SERVER.to_owned(), reason: Some(reason) };
            let outcome = match self.withdraw(user, event).await {
                // It has started.
                Err(EventError::Refused(_)) => self.remove_participant(user, event, receipt, audit).await.map(drop),
                outcome => outcome,
            };
            match outcome {
                // Its winners are final, or it is gone meanwhile.
                Err(EventError::Refused(_) | EventError::Common(CommonError::NotFound(_))) => {}
                outcome => outcome?,
            }
        }
        Ok(())
    }

    fn check_room(&self, runtime: &EventRuntime) -> Result<(), EventError> {
        if self.room_in(runtime)? == 0 { Err(EventError::Full) } else { Ok(()) }
    }

    fn room_in(&self, runtime: &EventRuntime) -> Result<usize, EventError> {
        let state = runtime.state.lock();
        let most = state.event.details().stages.map_or(usize::MAX, |stages| stages.format.max_entrants());
        let planned = state.event.details().max_players.map_or(usize::MAX, |most| most as usize);
        let room = self.options().max_players.min(most).min(planned).saturating_sub(state.taking_part());
        if room > 0 {
            check_entry_round(&state)?;
        }
        Ok(room)
    }

    /// A sign-up while players check in, or later, is a check-in.
    fn new_signup(&self, runtime: &EventRuntime, user: &User) -> SignupRow {
        // An earlier sign-up wins ties, so this must not depend on the machine's clock.
        let now = utc(self.now());
        let is_there = {
            let event = &runtime.state.lock().event;
            event.check_check_in(self.times().calendar).is_ok() || event.has_asked_to_check_in()
        };
        SignupRow {
            id: Uuid::new_v4(),
            event_id: runtime.id.0,
            user_id: user.id,
            username: user.username.clone(),
            created_at: now,
            joined_at: None,
            checked_in_at: is_there.then_some(now),
            level: i64::from(FIRST_LEVEL),
            wins: 0,
            losses: 0,
            starts: 0,
            reached_at: now,
            removed_at: None,
        }
    }

    pub(super) async fn account(&self, user: UserId) -> Result<User, EventError> {
        self.people().load([user]).await?;
        let account = self.store().user(user.0).await?.filter(|account| account.deleted_at.is_none());
        account.ok_or(CommonError::NotFound("user").into())
    }

    /// The account of a user who may take part in events.
    async fn entrant(&self, identity: &Identity) -> Result<User, EventError> {
        let account = self.account(identity.user_id).await?;
        self.check_entrant(&account)?;
        Ok(account)
    }

    fn check_entrant(&self, account: &User) -> Result<(), EventError> {
        if account.is_temp {
            return Err(EventError::Guest);
        }
        if self.options().require_verified_email && !account.email_verified {
            return Err(EventError::EmailNotVerified);
        }
        Ok(())
    }
}

/// Nobody will play in this event any more.
fn is_over(runtime: &EventRuntime) -> bool {
    let is_draft = runtime.state.lock().event.state() == EventState::Drafted;
    runtime.is_closed() && !is_draft
}

/// The player, if they joined before and may still play; an error if nobody may join.
fn has_joined(runtime: &EventRuntime, user: UserId) -> Result<Option<PlayerView>, EventError> {
    let state = runtime.state.lock();
    let admission = state.event.check_join(state.registration(user))?;
    let joined = state.participants.get(&user).is_some_and(|participant| participant.joined_at.is_some());
    Ok(if admission == Admission::Allowed && joined { PlayerView::of(&state, runtime.id, user) } else { None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_free_plan_counts_anew_with_the_month() {
        for (now, reset_at) in [
            ("2026-11-22T10:00:00Z", "2026-12-01T00:00:00Z"),
            ("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"),
            ("2028-01-31T00:00:00Z", "2028-02-01T00:00:00Z"),
        ] {
            let (now, reset_at): (DateTime<Utc>, DateTime<Utc>) = (now.parse().unwrap(), reset_at.parse().unwrap());
            assert_eq!(next_month(now), reset_at);
            assert_ne!(month(now), month(reset_at));
        }
    }
}
