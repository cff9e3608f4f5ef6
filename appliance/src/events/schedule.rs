//! When the events that are open start, for reminders.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::{EventId, UserId, event::EventState};
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    Events,
    stage::{LastRound, OwnMatch},
};
use crate::{clock::utc, error::CommonError, people::Width};

/// An event that is published or under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduled {
    pub id: EventId,
    pub title: String,
    /// As planned.
    pub starts_at: Option<DateTime<Utc>>,
    /// When those who signed up can begin to check in.
    pub check_in_opens: Option<DateTime<Utc>>,
    /// Of one under way.
    pub started_at: Option<DateTime<Utc>>,
    /// The stage round that was paired last.
    pub round: Option<ScheduledRound>,
}

/// A stage round that was paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledRound {
    /// From 1.
    pub number: u32,
    /// In play time, which no change of the machine's clock moves: it tells one round from another.
    pub paired_at: DateTime<Utc>,
    /// When its games open, in calendar time.
    pub starts_at: DateTime<Utc>,
    /// The fixed time that it waits for, in calendar time.
    pub fixed_for: Option<DateTime<Utc>>,
    /// How long before that it was paired.
    pub paired_ahead: TimeDelta,
}

/// A player's pairing in a stage round, as a push reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedPlayer {
    pub user: Uuid,
    /// With their display name; `None`: the player has a bye.
    pub opponent: Option<(UserId, String)>,
    pub board: u32,
}

impl Events {
    /// Changes whenever there is news of an event to tell.
    pub fn news_to_tell(&self) -> watch::Receiver<()> {
        self.registry.news.subscribe()
    }

    /// The events that are published or under way; all of them are in memory.
    pub fn schedule(&self) -> Vec<Scheduled> {
        let runtimes: Vec<_> = self.registry.runtimes.read().values().cloned().collect();
        let calendar = self.registry.clock.to_calendar();
        let scheduled = runtimes.iter().filter_map(|runtime| {
            let state = runtime.state.lock();
            let is_under_way = match state.event.state() {
                EventState::Published => false,
                EventState::Started => true,
                _ => return None,
            };
            Some(Scheduled {
                id: runtime.id,
                title: state.event.details().title.clone(),
                starts_at: state.event.details().start_time.map(utc),
                check_in_opens: state.event.details().check_in_opens().map(utc),
                started_at: state.event.started_at().filter(|_| is_under_way).map(utc),
                round: state.stage.as_ref().and_then(|stage| stage.last_round()).map(|round| round_of(round, calendar)),
            })
        });
        scheduled.collect()
    }

    /// What those of these people are told who play in this round of an event, or have a bye in it; nobody where it is not the last
    /// one any more.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn paired_players(
        &self,
        id: EventId,
        round: u32,
        users: &[Uuid],
    ) -> Result<Vec<PairedPlayer>, CommonError> {
        let Some(runtime) = self.registry.loaded(id) else { return Ok(vec![]) };
        let Some(stage) = runtime.state.lock().stage.clone() else { return Ok(vec![]) };
        if stage.number() != round {
            return Ok(vec![]);
        }
        let own = |user: &Uuid| Some((*user, stage.own_match(UserId(*user))?));
        let paired: Vec<(Uuid, OwnMatch)> = users.iter().filter_map(own).collect();
        let opponents: Vec<UserId> = paired.iter().filter_map(|(_, own)| own.opponent).collect();
        self.people().load(opponents).await?;
        let state = runtime.state.lock();
        let name = |user: UserId| match state.participants.get(&user) {
            Some(participant) => state.shown(user, participant, Width::Row).display_name,
            None => state.people.shown(user, &user.to_string(), Width::Row).display_name,
        };
        let told = paired.into_iter().map(|(user, own)| PairedPlayer {
            user,
            opponent: own.opponent.map(|opponent| (opponent, name(opponent))),
            board: own.board,
        });
        Ok(told.collect())
    }
}

fn round_of(round: LastRound, calendar: i64) -> ScheduledRound {
    let LastRound { number, paired_at, starts_at, waits_for } = round;
    let opens = waits_for.unwrap_or_default().max(starts_at + calendar);
    let ahead = waits_for.map_or(0, |at| at - (paired_at + calendar));
    ScheduledRound {
        number,
        paired_at: utc(paired_at),
        starts_at: utc(opens),
        fixed_for: waits_for.map(utc),
        paired_ahead: TimeDelta::milliseconds(ahead),
    }
}
