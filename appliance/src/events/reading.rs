//! Lists and single records, as callers may see them.

use std::{collections::HashMap, sync::Arc};

use morpion_openapi::{Page, PageRequest};
use morpion_rules::{
    EventId, UserId,
    event::{EventState, Phase},
    standings::Standing,
};
use morpion_store::{DELETED_NAME, EventFilter, EventRow, EventState as StoredState, SignupRow, User, WinnerRow};
use uuid::Uuid;

use super::{
    Events, convert,
    error::EventError,
    results::AWAY_TWICE,
    runtime::EventRuntime,
    views::{EventView, PlaceView, PlayerCheck, PlayerView, SignupView},
};
use crate::{
    caller::Caller,
    clock::utc,
    error::CommonError,
    people::{PublicProfile, Width},
    play::view::GameView,
};

/// Events on a player's page. Each is loaded as for a visit of its leaderboard, and stays loaded for a while.
const PLACES: usize = 5;

/// Sign-ups among which these are found.
const PLACES_SOUGHT: usize = 20;

/// In which order events of different states are listed.
const ORDER: [StoredState; 5] =
    [StoredState::Started, StoredState::Published, StoredState::Drafted, StoredState::Ended, StoredState::Cancelled];

impl Events {
    /// The event in memory, for this caller: admins see all, hosts their own, and others no drafts and of private events those
    /// that they have entered.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub(super) async fn visible_to(&self, caller: &Caller, id: EventId) -> Result<Arc<EventRuntime>, EventError> {
        let runtime = self.runtime(id).await?;
        let is_visible = runtime.admits(caller) && {
            let state = runtime.state.lock();
            caller.is_admin() || state.event.state() != EventState::Drafted || state.is_hosted_by(caller)
        };
        if is_visible { Ok(runtime) } else { Err(CommonError::NotFound("event").into()) }
    }

    /// The event in memory, for somebody who takes part or wants to: no draft.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub(super) async fn visible(&self, user: UserId, id: EventId) -> Result<Arc<EventRuntime>, EventError> {
        let runtime = self.runtime(id).await?;
        let is_draft = runtime.state.lock().event.state() == EventState::Drafted;
        if is_draft || !runtime.admits_user(user) { Err(CommonError::NotFound("event").into()) } else { Ok(runtime) }
    }

    /// An event; drafts are for admins and hosts.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn event(&self, caller: &Caller, id: EventId) -> Result<EventView, EventError> {
        let row = self.row(caller, id).await?;
        Ok(self.shown(vec![row]).await?.remove(0))
    }

    /// An event's title; `None` for an unknown event.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn title(&self, id: EventId) -> Result<Option<String>, EventError> {
        Ok(match self.registry.loaded(id) {
            Some(runtime) => Some(runtime.state.lock().event.details().title.clone()),
            None => self.store().event(id.0).await?.map(|row| row.title),
        })
    }

    /// The title of an event for those who may see the event; `None` for others.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn title_for(&self, caller: &Caller, id: EventId) -> Result<Option<String>, EventError> {
        match self.row(caller, id).await {
            Ok(row) => Ok(Some(row.title)),
            Err(EventError::Common(CommonError::NotFound(_))) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// # Errors
    /// [`CommonError::NotFound`].
    pub(super) async fn row(&self, caller: &Caller, id: EventId) -> Result<EventRow, EventError> {
        if self.is_private(id) {
            return Ok(self.visible_to(caller, id).await?.state.lock().row(id));
        }
        let row = match self.registry.loaded(id) {
            Some(runtime) => Some(runtime.state.lock().row(id)),
            None => self.store().event(id.0).await?,
        };
        let is_visible = |row: &EventRow| row.state != StoredState::Drafted || caller.is_admin();
        row.filter(is_visible).ok_or(CommonError::NotFound("event").into())
    }

    /// Events in one of these states, live ones first; drafts and private ones are for admins, and cancelled ones are listed
    /// only when asked for.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn list(
        &self,
        caller: &Caller,
        asked: Option<&[EventState]>,
        filter: &EventFilter,
        page: PageRequest,
    ) -> Result<Page<EventView>, EventError> {
        let mut states = ORDER.to_vec();
        match asked {
            Some(asked) => states.retain(|state| asked.iter().any(|asked| convert::stored_state(*asked) == *state)),
            None => states.retain(|state| *state != StoredState::Cancelled),
        }
        let filter = &EventFilter { with_private: caller.is_admin(), ..filter.clone() };
        if !caller.is_admin() {
            states.retain(|state| *state != StoredState::Drafted);
        }
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let found = self.store().events_page(&states, filter, offset, page.limit as usize).await?;
        Ok(Page { rows: self.shown(found.events).await?, total_count: found.total })
    }

    /// The open events that somebody is signed up for, in the order of [`Events::list`]; all of them are in memory.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn own(
        &self,
        user: Option<UserId>,
        asked: Option<&[EventState]>,
        filter: &EventFilter,
        page: PageRequest,
    ) -> Result<Page<EventView>, EventError> {
        let runtimes: Vec<_> = self.registry.runtimes.read().values().cloned().collect();
        let own = |runtime: &Arc<EventRuntime>| {
            let state = runtime.state.lock();
            let present = state.event.state();
            let is_open = matches!(present, EventState::Published | EventState::Started)
                && asked.is_none_or(|asked| asked.contains(&present));
            let is_in = user.and_then(|user| state.standing(user)).is_some_and(|standing| !standing.removed);
            (is_open && is_in).then(|| state.row(runtime.id))
        };
        let mut rows: Vec<EventRow> = runtimes.iter().filter_map(own).filter(|row| filter.takes(row)).collect();
        let place = |row: &EventRow| ORDER.iter().position(|state| *state == row.state);
        rows.sort_by_key(|row| (place(row), row.position, row.id));
        let total_count = rows.len() as u64;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let rows = rows.into_iter().skip(offset).take(page.limit as usize).collect();
        Ok(Page { rows: self.shown(rows).await?, total_count })
    }

    /// Events as callers may see them, winners by their names of today.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn shown(&self, rows: Vec<EventRow>) -> Result<Vec<EventView>, EventError> {
        let winners = rows.iter().flat_map(|row| &row.winners).map(|winner| UserId(winner.user_id));
        let hosts = rows.iter().filter_map(|row| row.host).map(UserId);
        self.people().load(winners.chain(hosts)).await?;
        Ok(rows.into_iter().map(|row| self.view(row)).collect())
    }

    fn view(&self, row: EventRow) -> EventView {
        let event = convert::event(&row);
        EventView {
            winners: row.winners.iter().map(|winner| self.winner(winner)).collect(),
            games_in_play: self
                .registry
                .loaded(EventId(row.id))
                .map_or(0, |runtime| runtime.state.lock().games_in_play()),
            is_paused: self
                .registry
                .loaded(EventId(row.id))
                .is_some_and(|runtime| runtime.state.lock().stage.as_ref().is_some_and(|stage| stage.is_paused())),
            checked_in: self.registry.loaded(EventId(row.id)).and_then(|runtime| {
                let state = runtime.state.lock();
                matches!(state.event.state(), EventState::Published | EventState::Started)
                    .then(|| state.checked_in())?
            }),
            decided_by: match event.phase() {
                Phase::Ended { decide_at, concluded: false, .. } => {
                    Some(utc(decide_at + self.registry.clock.to_calendar()))
                }
                _ => None,
            },
            host: row.host.map(|host| self.people().shown(UserId(host), DELETED_NAME, Width::Row)),
            event,
            row,
        }
    }

    /// A winner's current name, if it is known.
    pub(super) fn winner(&self, winner: &WinnerRow) -> PublicProfile {
        self.people().shown(UserId(winner.user_id), &winner.username, Width::Row)
    }

    /// A user's sign-up, if there is one.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown event.
    pub async fn signup(&self, caller: &Caller, id: EventId, user: UserId) -> Result<Option<SignupView>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        self.people().load([user]).await?;
        let signup = SignupView::of(&runtime.state.lock(), id, user);
        match signup {
            Some(signup) => Ok(self.with_emails(caller, vec![signup]).await?.pop()),
            None => Ok(None),
        }
    }

    /// All sign-ups, in order.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn signups(
        &self,
        caller: &Caller,
        id: EventId,
        page: PageRequest,
    ) -> Result<Page<SignupView>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown: Vec<UserId> =
            runtime.state.lock().order.iter().skip(offset).take(page.limit as usize).copied().collect();
        self.people().load(shown.iter().copied()).await?;
        let connected = self.registry.hub.connected(&shown);
        let (rows, total_count) = {
            let state = runtime.state.lock();
            let tells_presence = (caller.is_admin() || state.is_hosted_by(caller)) && state.has_presence();
            let rows = shown.into_iter().filter_map(|user| {
                let presence = tells_presence.then(|| state.presence_of(user, connected.contains(&user)));
                Some(SignupView { presence, ..SignupView::of(&state, id, user)? })
            });
            (rows.collect(), state.order.len() as u64)
        };
        Ok(Page { rows: self.with_emails(caller, rows).await?, total_count })
    }

    /// A user's sign-ups, newest first.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn signups_of(&self, user: UserId, page: PageRequest) -> Result<Page<SignupView>, EventError> {
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let (stored, total_count) = self.store().signups_of_user(user.0, offset, page.limit as usize).await?;
        self.people().load([user]).await?;
        let mut rows = vec![];
        for row in stored {
            let id = EventId(row.event_id);
            // Memory is ahead of the store by the games of the last moments.
            let signup = match self.registry.loaded(id) {
                Some(runtime) => SignupView::of(&runtime.state.lock(), id, user),
                None => {
                    let event = self.store().event(row.event_id).await?;
                    event.map(|event| {
                        SignupView::stored(&row, convert::event(&event).details().max_losses, self.people())
                    })
                }
            };
            rows.extend(signup);
        }
        Ok(Page { rows, total_count })
    }

    /// The last public events that a player took part in, the latest sign-up first, with the places as they are now.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn places_of(&self, user: UserId) -> Result<Vec<PlaceView>, EventError> {
        let (signups, _) = self.store().signups_of_user(user.0, 0, PLACES_SOUGHT).await?;
        let mut places = vec![];
        let public = |signup: &SignupRow| signup.joined_at.is_some() && !self.is_private(EventId(signup.event_id));
        for signup in signups.into_iter().filter(public) {
            let id = EventId(signup.event_id);
            let runtime = match self.runtime(id).await {
                Err(EventError::Common(CommonError::NotFound(_))) => continue,
                found => found?,
            };
            let (mut place, stage) = {
                let state = runtime.state.lock();
                let Some(standing) = state.standing(user).copied() else { continue };
                if !matches!(state.event.state(), EventState::Started | EventState::Ended) {
                    continue;
                }
                let place = PlaceView {
                    row: state.row(id),
                    standing,
                    place: state.standings.rank_of(user),
                    players: state.standings.len(),
                };
                (place, state.stage.clone())
            };
            if let Some(stage) = stage {
                place.place = stage.rank_of(user);
            }
            let Standing { wins, losses, removed, .. } = place.standing;
            place.place = place.place.filter(|_| wins + losses > 0 && !removed);
            places.push(place);
            if places.len() == PLACES {
                break;
            }
        }
        Ok(places)
    }

    /// An event's players, best first.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn leaderboard(
        &self,
        caller: &Caller,
        id: EventId,
        page: PageRequest,
    ) -> Result<Page<PlayerView>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown: Vec<UserId> = {
            let state = runtime.state.lock();
            state.standings.leaderboard().skip(offset).take(page.limit as usize).map(|row| row.user).collect()
        };
        self.people().load(shown).await?;
        let (rows, total_count) = {
            let state = runtime.state.lock();
            let ranked = state.standings.leaderboard().enumerate().skip(offset).take(page.limit as usize);
            let rows = ranked.filter_map(|(index, standing)| {
                let participant = state.participants.get(&standing.user)?;
                Some(PlayerView::ranked(&state, standing, participant, id, index + 1))
            });
            (rows.collect(), state.standings.len() as u64)
        };
        Ok(Page { rows: self.with_player_emails(caller, rows).await?, total_count })
    }

    /// A player of an event, by default of the one they joined last.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn player(
        &self,
        caller: &Caller,
        user: UserId,
        event: Option<EventId>,
    ) -> Result<PlayerView, EventError> {
        let runtime = self.event_of(user, event).await?;
        self.visible_to(caller, runtime.id).await?;
        self.people().load([user]).await?;
        let player = PlayerView::of(&runtime.state.lock(), runtime.id, user);
        let player = player.ok_or(CommonError::NotFound("player"))?;
        Ok(self.with_player_emails(caller, vec![player]).await?.remove(0))
    }

    /// Whether a user is eliminated or was removed from the room; no player for users who are not in the event.
    ///
    /// # Errors
    /// [`CommonError::NotFound`] for an unknown event.
    pub async fn check_player(&self, caller: &Caller, id: EventId, user: UserId) -> Result<PlayerCheck, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        self.people().load([user]).await?;
        let state = runtime.state.lock();
        let player = PlayerView::of(&state, id, user);
        let taken_out = state.is_out(user).then_some(AWAY_TWICE);
        Ok(PlayerCheck { player, taken_out })
    }

    /// An event's games, or those of one player there: what is played first, then the newest.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn games(
        &self,
        caller: &Caller,
        id: EventId,
        player: Option<UserId>,
        page: PageRequest,
    ) -> Result<Page<GameView>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        let live = runtime.state.lock().live_games();
        Ok(self.play.games_of_event(id, player, &live, page).await?)
    }

    /// The games of an event that can be watched right now.
    ///
    /// # Errors
    /// [`CommonError::NotFound`].
    pub async fn spectatable(&self, caller: &Caller, id: EventId) -> Result<Vec<GameView>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        let live = runtime.state.lock().live_games();
        Ok(self.play.views(&live))
    }

    async fn with_emails(&self, caller: &Caller, mut rows: Vec<SignupView>) -> Result<Vec<SignupView>, EventError> {
        let emails = self.emails(caller, rows.iter().map(|row| row.standing.user)).await?;
        for row in &mut rows {
            row.email = emails.get(&row.standing.user).cloned();
        }
        Ok(rows)
    }

    async fn with_player_emails(
        &self,
        caller: &Caller,
        mut rows: Vec<PlayerView>,
    ) -> Result<Vec<PlayerView>, EventError> {
        let emails = self.emails(caller, rows.iter().map(|row| row.standing.user)).await?;
        for row in &mut rows {
            row.email = emails.get(&row.standing.user).cloned();
        }
        Ok(rows)
    }

    /// Only admins see emails.
    async fn emails(
        &self,
        caller: &Caller,
        users: impl Iterator<Item = UserId>,
    ) -> Result<HashMap<UserId, String>, EventError> {
        let users: Vec<Uuid> = if caller.is_admin() { users.map(|user| user.0).collect() } else { vec![] };
        if users.is_empty() {
            return Ok(HashMap::new());
        }
        let accounts: Vec<User> = self.store().users(&users).await?;
        Ok(accounts.into_iter().filter_map(|user| Some((user.id.into(), user.email?))).collect())
    }
}
