//! Stage rounds and their table, as callers may see them.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use morpion_rules::{
    EventId, Millis, UserId,
    tournament::{Format, Player, Standing, trf::Report},
};
use morpion_store::User;

use super::{
    Events,
    error::EventError,
    runtime::EventRuntime,
    stage::{DirectorAct, MatchView, RoundView, Stage},
    state::State,
};
use crate::{
    caller::Caller,
    clock::utc,
    people::{PublicProfile, Width},
};

/// The entrants of a tournament, by their numbers there.
#[derive(Debug, Clone, Default)]
pub struct EntrantsView(Vec<(UserId, PublicProfile)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundProgress {
    Planned,
    Playing,
    Ended,
}

/// A stage round.
#[derive(Debug, Clone)]
pub struct StageRoundView {
    pub progress: RoundProgress,
    /// In calendar time; `None` for one that is not paired yet.
    pub starts_at: Option<DateTime<Utc>>,
    /// The fixed time of one that has not begun, in calendar time.
    pub not_before: Option<DateTime<Utc>>,
    pub matches: Vec<MatchView>,
}

/// The stage rounds of an event, the first first.
#[derive(Debug, Clone, Default)]
pub struct RoundsView {
    pub rounds: Vec<StageRoundView>,
    pub entrants: EntrantsView,
    pub expected_rounds: u32,
}

/// The table of an event in stage rounds.
#[derive(Debug, Clone, Default)]
pub struct TableView {
    pub rows: Vec<Standing>,
    pub entrants: EntrantsView,
    /// Who is disqualified, and why if the caller may know.
    pub disqualified: HashMap<Player, Option<String>>,
}

/// What a director did, as it is shown.
#[derive(Debug, Clone)]
pub struct ActView {
    pub done: DirectorAct,
    /// In calendar time.
    pub at: DateTime<Utc>,
    /// The account that did it; `None` for an operator token.
    pub by: Option<User>,
}

impl EntrantsView {
    fn of(state: &State, stage: &Stage) -> Self {
        let shown = |user: UserId| match state.participants.get(&user) {
            Some(participant) => state.shown(user, participant, Width::Row),
            None => state.people.shown(user, &user.to_string(), Width::Row),
        };
        Self(stage.tournament().entrants.iter().map(|entrant| (entrant.user, shown(entrant.user))).collect())
    }

    pub fn user(&self, player: Player) -> UserId {
        self.0[player as usize].0
    }

    pub fn shown(&self, player: Player) -> PublicProfile {
        self.0[player as usize].1.clone()
    }
}

/// The tournament as it is now, with its entrants. What is computed of it is computed without the lock, for which play waits.
fn tournament(runtime: &EventRuntime) -> Option<(Arc<Stage>, EntrantsView)> {
    let state = runtime.state.lock();
    let stage = Arc::clone(state.stage.as_ref()?);
    let entrants = EntrantsView::of(&state, &stage);
    Some((stage, entrants))
}

fn progress(round: &RoundView, now: Millis) -> RoundProgress {
    match round.starts_at {
        Some(_) if round.matches.iter().all(|it| it.pairing.outcome.is_some()) => RoundProgress::Ended,
        Some(at) if at <= now && round.waits_for.is_none() => RoundProgress::Playing,
        _ => RoundProgress::Planned,
    }
}

impl Events {
    /// The stage rounds of an event, with the matches of one user alone where one is named; empty before the start.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn rounds(&self, caller: &Caller, id: EventId, user: Option<UserId>) -> Result<RoundsView, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        self.load_entrants(&runtime).await?;
        let (now, calendar) = (self.now(), self.registry.clock.to_calendar());
        let Some((stage, entrants)) = tournament(&runtime) else { return Ok(RoundsView::default()) };
        let is_asked = |it: &MatchView| {
            user.is_none_or(|user| it.pairing.players.iter().flatten().any(|player| entrants.user(*player) == user))
        };
        let details = runtime.state.lock().event.details().clone();
        let rounds = (1..).zip(stage.views()).map(|(number, mut round)| {
            let progress = progress(&round, now);
            round.matches.retain(is_asked);
            let not_before = match round.starts_at {
                Some(_) => round.waits_for,
                None => details.round_begins(number),
            };
            let starts_at = round.starts_at.map(|at| not_before.unwrap_or_default().max(at + calendar));
            StageRoundView {
                progress,
                starts_at: starts_at.map(utc),
                not_before: not_before.map(utc),
                matches: round.matches,
            }
        });
        let rounds = rounds.collect();
        Ok(RoundsView { rounds, entrants, expected_rounds: stage.tournament().expected_rounds() })
    }

    /// The table of an event in stage rounds, or the row of one user; empty before the start.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn table(&self, caller: &Caller, id: EventId, user: Option<UserId>) -> Result<TableView, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        self.load_entrants(&runtime).await?;
        let Some((stage, entrants)) = tournament(&runtime) else { return Ok(TableView::default()) };
        let directs = caller.admin().is_ok() || runtime.state.lock().is_hosted_by(caller);
        let mut rows = stage.standings();
        rows.retain(|row| user.is_none_or(|user| entrants.user(row.player) == user));
        let disqualified = rows.iter().filter_map(|row| {
            let reason = stage.disqualification(row.player)?;
            let may_know = directs || caller.user_id() == Some(entrants.user(row.player));
            Some((row.player, may_know.then(|| reason.to_owned())))
        });
        let disqualified = disqualified.collect();
        Ok(TableView { rows, entrants, disqualified })
    }

    /// A Swiss for other programs, with usernames; `None` for other formats, for matches of two games, and before the start.
    ///
    /// # Errors
    /// [`CommonError::NotFound`](crate::error::CommonError::NotFound).
    pub async fn swiss_report(&self, caller: &Caller, id: EventId) -> Result<Option<Report>, EventError> {
        let runtime = self.visible_to(caller, id).await?;
        self.load_entrants(&runtime).await?;
        let title = runtime.state.lock().event.details().title.clone();
        let Some((stage, entrants)) = tournament(&runtime) else { return Ok(None) };
        let tournament = stage.tournament();
        if !matches!(tournament.format, Format::Swiss { .. }) || tournament.match_games != 1 {
            return Ok(None);
        }
        let names = entrants.0.into_iter().map(|(_, shown)| shown.username).collect();
        Ok(Some(Report { title, names, tournament: tournament.clone() }))
    }

    /// The entrants of an event as they are shown.
    ///
    /// # Errors
    /// The store is unavailable.
    pub(super) async fn entrants(&self, id: EventId) -> Result<EntrantsView, EventError> {
        let runtime = self.runtime(id).await?;
        self.load_entrants(&runtime).await?;
        Ok(tournament(&runtime).map(|(_, entrants)| entrants).unwrap_or_default())
    }

    /// Their names and pictures.
    async fn load_entrants(&self, runtime: &EventRuntime) -> Result<(), EventError> {
        let users: Vec<UserId> = {
            let state = runtime.state.lock();
            let entrants = state.stage.iter().flat_map(|stage| &stage.tournament().entrants);
            entrants.map(|entrant| entrant.user).collect()
        };
        Ok(self.people().load(users).await?)
    }
}
