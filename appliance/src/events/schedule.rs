//! When the events that are open start, for reminders.

use chrono::{DateTime, Utc};
use morpion_rules::{EventId, event::EventState};
use tokio::sync::watch;

use super::Events;
use crate::clock::utc;

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
}

impl Events {
    /// Changes whenever there is news of an event to tell.
    pub fn news_to_tell(&self) -> watch::Receiver<()> {
        self.registry.news.subscribe()
    }

    /// The events that are published or under way; all of them are in memory.
    pub fn schedule(&self) -> Vec<Scheduled> {
        let runtimes: Vec<_> = self.registry.runtimes.read().values().cloned().collect();
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
            })
        });
        scheduled.collect()
    }
}
