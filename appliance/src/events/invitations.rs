//! Invitations of members, by name, to a private event: `docs/behaviour/events.md#invitations`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use morpion_rules::{EventId, UserId, event::EventState};
use morpion_store::{AuditEntry, DELETED_NAME, EventInvitationRow, EventRow, NewEventNews, NewsKind, Store, User};

use super::{
    Events, corrections::in_event, error::EventError, registration::Way, runtime::EventRuntime, state::State,
    views::SignupView,
};
use crate::{
    account::moderation::suspension,
    caller::Identity,
    clock::millis,
    error::CommonError,
    people::{PublicProfile, Width},
};

/// Invitations of one event, including those that were declined or withdrawn.
pub const INVITATIONS: usize = 128;

/// Own invitations that are listed, the newest.
const LISTED: usize = 100;

/// An invited member, as directors of the event see it.
#[derive(Debug, Clone)]
pub struct InvitationView {
    pub user: UserId,
    pub shown: PublicProfile,
    pub at: DateTime<Utc>,
    pub has_declined: bool,
}

/// An event that somebody is invited to: all that they see of it before they accept.
#[derive(Debug, Clone)]
pub struct OwnInvitationView {
    pub event: EventId,
    pub title: String,
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: Option<DateTime<Utc>>,
    pub has_started: bool,
    pub at: DateTime<Utc>,
    pub host: UserId,
    pub host_shown: PublicProfile,
}

/// Whether it is this user's, and was not withdrawn.
fn stands_for(invitation: &EventInvitationRow, user: UserId) -> bool {
    invitation.user_id == user.0 && invitation.withdrawn_at.is_none()
}

impl State {
    /// Somebody's invitation that they can still answer: to an event that is not over, and that they have not entered.
    pub(super) fn open_invitation(&self, user: UserId) -> Option<&EventInvitationRow> {
        let is_open = matches!(self.event.state(), EventState::Published | EventState::Started);
        let found = self.invitations.iter().find(|invitation| stands_for(invitation, user));
        found.filter(|invitation| is_open && invitation.declined_at.is_none() && self.standing(user).is_none())
    }
}

impl Events {
    /// Invites somebody to a private event. Whether they can be reached, and whether they block the host, is not told: the
    /// answer is the same. Idempotent: people are notified once for each event, whatever becomes of the invitation, and only if
    /// `may_tell` allows it.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a public event; [`EventError::InviteLater`], [`EventError::Over`];
    /// [`EventError::TooManyInvitations`].
    pub async fn invite(
        &self,
        id: EventId,
        user: UserId,
        may_tell: impl FnOnce() -> bool + Send + 'static,
        audit: AuditEntry,
    ) -> Result<(), EventError> {
        self.account(user).await?;
        let runtime = self.private(id).await?;
        let audit = in_event(audit, &runtime);
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let at = events.today();
                let is_new = {
                    let state = owned.state.lock();
                    match state.event.state() {
                        EventState::Drafted => return Err(EventError::InviteLater),
                        EventState::Ended | EventState::Cancelled => return Err(EventError::Over),
                        EventState::Published | EventState::Started => {}
                    }
                    if state.host == Some(user) || state.standing(user).is_some() {
                        return Ok(());
                    }
                    match state.invitations.iter().find(|known| known.user_id == user.0) {
                        Some(known) if known.withdrawn_at.is_none() => return Ok(()),
                        Some(_) => false,
                        None if state.invitations.len() >= INVITATIONS => return Err(EventError::TooManyInvitations),
                        None => true,
                    }
                };
                let change = |invitations: &mut Vec<EventInvitationRow>| match invitations
                    .iter_mut()
                    .find(|known| known.user_id == user.0)
                {
                    Some(known) => known.withdrawn_at = None,
                    None => invitations.push(EventInvitationRow {
                        user_id: user.0,
                        at,
                        declined_at: None,
                        withdrawn_at: None,
                    }),
                };
                let news = (is_new && may_tell()).then_some(user);
                events.change_invitations(&owned, &events.store().audited(audit), news, change).await
            })
            .await
    }

    /// Withdraws an invitation; a player who has entered stays in. Idempotent.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a public event.
    pub async fn withdraw_invitation(&self, id: EventId, user: UserId, audit: AuditEntry) -> Result<(), EventError> {
        let runtime = self.private(id).await?;
        let audit = in_event(audit, &runtime);
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                let at = events.today();
                if !owned.state.lock().invitations.iter().any(|known| stands_for(known, user)) {
                    return Ok(());
                }
                let change = |invitations: &mut Vec<EventInvitationRow>| {
                    let own = invitations.iter_mut().filter(|known| stands_for(known, user));
                    own.for_each(|known| known.withdrawn_at = Some(at));
                };
                events.change_invitations(&owned, &events.store().audited(audit), None, change).await
            })
            .await
    }

    /// The members who are invited to a private event and have not entered it, in the order of the invitations.
    ///
    /// # Errors
    /// [`CommonError::NotFound`], also for a public event.
    pub async fn invitations(&self, id: EventId) -> Result<Vec<InvitationView>, EventError> {
        let runtime = self.private(id).await?;
        let rows: Vec<EventInvitationRow> = {
            let state = runtime.state.lock();
            let is_waiting =
                |row: &&EventInvitationRow| row.withdrawn_at.is_none() && state.standing(UserId(row.user_id)).is_none();
            state.invitations.iter().filter(is_waiting).cloned().collect()
        };
        self.people().load(rows.iter().map(|row| UserId(row.user_id))).await?;
        let view = |row: EventInvitationRow| {
            let user = UserId(row.user_id);
            let shown = self.people().shown(user, DELETED_NAME, Width::Row);
            InvitationView { user, shown, at: row.at, has_declined: row.declined_at.is_some() }
        };
        Ok(rows.into_iter().map(view).collect())
    }

    /// The private events that somebody is invited to, the latest invitation first. All open ones are in memory.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn invitations_of(&self, user: UserId) -> Result<Vec<OwnInvitationView>, EventError> {
        let account = self.account(user).await?;
        let invites =
            |runtime: &&Arc<EventRuntime>| runtime.is_private() && runtime.state.lock().open_invitation(user).is_some();
        let runtimes: Vec<_> = self.registry.runtimes.read().values().filter(invites).cloned().collect();
        let mut found = vec![];
        for runtime in runtimes {
            found.extend(self.shown_invitation(&runtime, &account).await?);
        }
        found.sort_by_key(|invitation| std::cmp::Reverse(invitation.at));
        found.truncate(LISTED);
        Ok(found)
    }

    /// Somebody's open invitation to an event, if it may reach them.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn invitation_of(&self, user: UserId, id: EventId) -> Result<Option<OwnInvitationView>, EventError> {
        let account = match self.account(user).await {
            Err(EventError::Common(CommonError::NotFound(_))) => return Ok(None),
            account => account?,
        };
        let Some(runtime) = self.registry.loaded(id).filter(|runtime| runtime.is_private()) else { return Ok(None) };
        self.shown_invitation(&runtime, &account).await
    }

    /// `None` for guests and suspended people, for bots where bots are not allowed, and where host and member block each other.
    async fn shown_invitation(
        &self,
        runtime: &EventRuntime,
        account: &User,
    ) -> Result<Option<OwnInvitationView>, EventError> {
        let user = UserId(account.id);
        if account.is_temp || suspension(account, self.today()).is_some() {
            return Ok(None);
        }
        let (row, at, host, has_started) = {
            let state = runtime.state.lock();
            let (Some(invitation), Some(host)) = (state.open_invitation(user), state.host) else { return Ok(None) };
            let is_bot = account.bot_since.is_some() || self.people().is_bot(user);
            if is_bot && !state.event.details().conditions.bots_allowed {
                return Ok(None);
            }
            (state.row(runtime.id), invitation.at, host, state.event.state() == EventState::Started)
        };
        for (blocker, other) in [(user, host), (host, user)] {
            if self.store().is_blocked(blocker.0, other.0).await? {
                return Ok(None);
            }
        }
        self.people().load([host]).await?;
        Ok(Some(OwnInvitationView {
            event: runtime.id,
            title: row.title,
            starts_at: row.start_time,
            ends_at: row.end_time,
            has_started,
            at,
            host,
            host_shown: self.people().shown(host, DELETED_NAME, Width::Row),
        }))
    }

    /// Accepts an invitation, which signs up for the event, or joins one that has started, as its code does; or declines it for
    /// good. `None` for one that is declined.
    ///
    /// # Errors
    /// [`EventError::Guest`]; [`CommonError::NotFound`] whatever is wrong with the invitation; otherwise as
    /// [`Events::sign_up_by_code`].
    pub async fn answer_invitation(
        &self,
        identity: &Identity,
        id: EventId,
        accepts: bool,
    ) -> Result<Option<SignupView>, EventError> {
        if identity.is_temp {
            return Err(EventError::Guest);
        }
        let user = identity.user_id;
        let invited = self.invitation_of(user, id).await?;
        let runtime = self.registry.loaded(id).filter(|_| invited.is_some());
        let runtime = runtime.ok_or(CommonError::NotFound("invitation"))?;
        if accepts {
            return self.enter_private(&runtime, identity, Way::Invitation).await.map(Some);
        }
        let (events, owned) = (self.clone(), Arc::clone(&runtime));
        runtime
            .run_in_order(async move {
                if owned.state.lock().open_invitation(user).is_none() {
                    return Err(CommonError::NotFound("invitation").into());
                }
                let at = events.today();
                let change = |invitations: &mut Vec<EventInvitationRow>| {
                    let own = invitations.iter_mut().filter(|known| known.user_id == user.0);
                    own.for_each(|known| known.declined_at = Some(at));
                };
                events.change_invitations(&owned, events.store(), None, change).await?;
                Ok(None)
            })
            .await
    }

    /// Changes and stores the invitations of an event and notifies `invited`; open pages of the event reload it. Only the event's
    /// owner task calls this.
    async fn change_invitations(
        &self,
        runtime: &EventRuntime,
        store: &Store,
        invited: Option<UserId>,
        change: impl FnOnce(&mut Vec<EventInvitationRow>),
    ) -> Result<(), EventError> {
        let (event, row, news): (_, EventRow, Option<NewEventNews>) = {
            let state = runtime.state.lock();
            let mut row = state.next_row(runtime.id, &state.event, millis(self.today()));
            change(row.invitations.get_or_insert_default());
            let news = invited.map(|user| self.news(NewsKind::Invited, &row, Some(user)));
            (state.event.clone(), row, news)
        };
        store.update_event(&row, news.as_ref(), &[]).await?;
        if news.is_some() {
            self.registry.news.send_replace(());
        }
        let state = event.state();
        self.note_stored(&mut runtime.state.lock(), event, &row);
        self.broadcast_state(runtime, state);
        Ok(())
    }

    /// The private event with this id.
    async fn private(&self, id: EventId) -> Result<Arc<EventRuntime>, EventError> {
        let runtime = self.runtime(id).await?;
        if runtime.is_private() { Ok(runtime) } else { Err(CommonError::NotFound("event").into()) }
    }
}
