//! What those who signed up for an event are told of it without asking: reminders, and [`news`] of what became of it.
//!
//! Reminders are a letter for those who asked for one; shortly before and at the start a frame for those who have a page open,
//! and a push for the others. See `docs/behaviour/notifications.md#reminders-of-events`.
//!
//! They look at the schedule of the events in memory now and then, and take nothing of the events' owners' time. How far a
//! reminder has gone out is stored before each part of it goes, so that nobody is reminded twice, whenever the server stops;
//! those of the part that was under way then may not be reminded. With it is stored of which start: when an event is moved to
//! a later one, everybody is reminded of that too.

mod news;

use std::{collections::HashSet, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::realtime::{EventReminder, ServerFrame};
use morpion_rules::{EventId, UserId, tournament::MATCH_NO_SHOW};
use morpion_store::{NewsChannel, ReminderKind, ReminderMark, SignupRow, Store, User};
use parking_lot::Mutex;
use tokio::time::{MissedTickBehavior, interval};
use uuid::Uuid;

use crate::{
    account::{calendars::Calendars, moderation::suspension},
    clock::Clock,
    config::Origin,
    connections::{frame::encode, hub::Hub},
    error::CommonError,
    events::{
        Events,
        schedule::{PairedPlayer, Scheduled},
    },
    mail::{EmailTemplate, Mailer},
    push::{Notice, PairedRound, Push},
};

/// How often it is looked what is due.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// The first push comes this long before the start.
const SOON: TimeDelta = TimeDelta::minutes(10);

/// Later than this after the start nobody is told of it any more.
const START_TOLD_FOR: TimeDelta = TimeDelta::minutes(10);

/// Later than this after the begin of a stage round nobody is told of it any more: who is absent has lost the match.
const ROUND_TOLD_FOR: TimeDelta = TimeDelta::milliseconds(MATCH_NO_SHOW);

/// People who are reminded between two marks: as many may be left out by a crash.
const PAGE: usize = 100;

/// Reminders that are known to have gone out; more than this, and the store is asked again.
const MAX_REMEMBERED: usize = 10_000;

/// A reminder of an event, and the planned start that it tells.
type Reminder = (EventId, ReminderKind, Option<DateTime<Utc>>);

/// Whom a page of people consists of, for frames and pushes.
struct Audience {
    here: Vec<Uuid>,
    reached: Vec<Uuid>,
}

/// What sends reminders and news; one a process.
pub struct Reminders {
    store: Store,
    events: Events,
    mailer: Mailer,
    push: Push,
    hub: Hub,
    clock: Clock,
    /// Letters are sent this long before the start.
    letters_before: TimeDelta,
    calendars: Calendars,
    /// Where the links in calendars lead.
    origin: Origin,
    /// Those that went out whole.
    done: Mutex<HashSet<Reminder>>,
}

impl Reminders {
    pub fn new(
        store: Store,
        events: Events,
        mailer: Mailer,
        (push, hub): (Push, Hub),
        clock: Clock,
        letters_before: Duration,
        (calendars, origin): (Calendars, Origin),
    ) -> Self {
        let letters_before = TimeDelta::from_std(letters_before).unwrap_or(TimeDelta::MAX);
        Self { store, events, mailer, push, hub, clock, letters_before, calendars, origin, done: Mutex::default() }
    }

    /// Sends what is due, until it is dropped. Letters wait for the mail server, calendars for their provider, so nothing else
    /// waits for them.
    pub async fn run(self) {
        tokio::join!(
            self.run_kinds(&[ReminderKind::Letter]),
            self.run_kinds(&[ReminderKind::CheckIn, ReminderKind::Soon, ReminderKind::Start]),
            self.run_kinds(&[ReminderKind::Round, ReminderKind::RoundSoon]),
            self.run_news(NewsChannel::Page),
            self.run_news(NewsChannel::Letter),
            self.run_news(NewsChannel::Calendar)
        );
    }

    async fn run_kinds(&self, kinds: &[ReminderKind]) {
        let mut ticks = interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.send_due(kinds).await {
                // With the next tick it goes on where it stopped.
                tracing::warn!(%error, "reminders of events did not all go out yet");
            }
        }
    }

    /// Sends the reminders of these kinds that are due now.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn send_due(&self, kinds: &[ReminderKind]) -> Result<(), CommonError> {
        let now = self.clock.wall();
        for event in self.events.schedule() {
            for kind in kinds.iter().copied().filter(|kind| self.is_due(&event, *kind, now)) {
                if !self.done.lock().contains(&(event.id, kind, told_start(&event, kind))) {
                    self.send(event.id, kind).await?;
                }
            }
        }
        Ok(())
    }

    fn is_due(&self, event: &Scheduled, kind: ReminderKind, now: DateTime<Utc>) -> bool {
        let is_within = |before: TimeDelta| {
            let starts_at = event.starts_at.filter(|_| event.started_at.is_none());
            starts_at.is_some_and(|at| now < at && at - now <= before)
        };
        match kind {
            // What a member wrote is sent to nobody's mailbox.
            ReminderKind::Letter => is_within(self.letters_before) && !self.events.is_private(event.id),
            // Those who have not checked in by then are asked once more, with the next one.
            ReminderKind::CheckIn => {
                event.check_in_opens.is_some_and(|at| at <= now) && is_within(TimeDelta::MAX) && !is_within(SOON)
            }
            ReminderKind::Soon => is_within(SOON),
            ReminderKind::Start => event.started_at.is_some_and(|at| now - at < START_TOLD_FOR),
            // Pages hear of a round by `roundPaired`.
            ReminderKind::Round | ReminderKind::RoundSoon if !self.push.is_on() => false,
            ReminderKind::Round => event.round.is_some_and(|round| now - round.starts_at < ROUND_TOLD_FOR),
            // Who was told as late of the pairing needs no other one.
            ReminderKind::RoundSoon => event.round.is_some_and(|round| {
                let is_soon = |at: DateTime<Utc>| now < at && at - now <= SOON;
                round.fixed_for.is_some_and(is_soon) && round.paired_ahead > SOON
            }),
        }
    }

    /// Sends a reminder page by page, from where it stopped.
    async fn send(&self, event: EventId, kind: ReminderKind) -> Result<(), CommonError> {
        let mut mark = self.store.reminder_mark(event.0, kind).await?;
        loop {
            // Meanwhile it may have been cancelled, moved or started.
            let current = self.events.schedule().into_iter().find(|other| other.id == event);
            let Some(current) = current.filter(|current| self.is_due(current, kind, self.clock.wall())) else {
                return Ok(());
            };
            let start = told_start(&current, kind);
            let before = to_go_on_from(mark, start);
            if before.done {
                let mut done = self.done.lock();
                if done.len() >= MAX_REMEMBERED {
                    done.clear();
                }
                done.insert((event, kind, start));
                return Ok(());
            }
            mark = Some(self.send_page(&current, kind, before).await?);
        }
    }

    /// Sends the next page, noting before how far it goes; returns that.
    async fn send_page(
        &self,
        event: &Scheduled,
        kind: ReminderKind,
        before: ReminderMark,
    ) -> Result<ReminderMark, CommonError> {
        let page = self.store.signups_after(event.id.0, before.after, PAGE).await?;
        let after = page.last().map(|signup| signup.user_id).or(before.after);
        let mark = ReminderMark { start: before.start, after, done: page.len() < PAGE };
        let here: Vec<&SignupRow> = page.iter().filter(|signup| signup.removed_at.is_none()).collect();
        let users: Vec<Uuid> = here.iter().map(|signup| signup.user_id).collect();
        match kind {
            ReminderKind::Letter => {
                let readers = self.readers(&users).await?;
                self.store.set_reminder_mark(event.id.0, kind, mark, self.clock.wall()).await?;
                if let Some(start) = event.starts_at {
                    let letter = |reader: &User| {
                        EmailTemplate::event_reminder(
                            &reader.username,
                            &event.title,
                            event.id.0,
                            start,
                            event.check_in_opens,
                        )
                    };
                    self.write_to(&readers, letter).await;
                }
            }
            ReminderKind::CheckIn | ReminderKind::Soon | ReminderKind::Start => {
                let to_check_in = self.events.to_check_in(event.id, &users);
                let is_asked = |user: &Uuid| to_check_in.contains(user);
                let (asked, others): (Vec<Uuid>, Vec<Uuid>) = users.into_iter().partition(is_asked);
                let others = if kind == ReminderKind::CheckIn { vec![] } else { others };
                let audiences = [(true, self.audience(asked).await?), (false, self.audience(others).await?)];
                self.store.set_reminder_mark(event.id.0, kind, mark, self.clock.wall()).await?;
                let minutes = self.minutes_left(event, kind);
                for (is_asked, audience) in audiences {
                    let check_in = is_asked.then_some(true);
                    let frame = EventReminder { event_id: event.id.0, title: event.title.clone(), minutes, check_in };
                    self.tell(audience, &ServerFrame::EventReminder(frame), || notice(event, minutes, is_asked)).await;
                }
            }
            ReminderKind::Round | ReminderKind::RoundSoon => {
                let Audience { reached, .. } = self.audience(users).await?;
                let round = event.round.map_or(0, |round| round.number);
                let paired = self.events.paired_players(event.id, round, &reached).await?;
                self.store.set_reminder_mark(event.id.0, kind, mark, self.clock.wall()).await?;
                self.tell_paired(event, paired, kind == ReminderKind::RoundSoon).await;
            }
        }
        Ok(mark)
    }

    /// Tells players of a stage round whom they play in it; reminded are those alone who do.
    async fn tell_paired(&self, event: &Scheduled, paired: Vec<PairedPlayer>, is_reminder: bool) {
        let Some(round) = event.round else { return };
        for PairedPlayer { user, opponent, board } in paired {
            if is_reminder && opponent.is_none() {
                continue;
            }
            let opponent = match opponent {
                // A push never shows the name of a blocked person.
                Some((other, _)) if self.store.is_blocked(user, other.0).await.unwrap_or(true) => {
                    Some("your opponent".to_owned())
                }
                known => known.map(|(_, name)| name),
            };
            let notice = PairedRound {
                event: event.id,
                title: event.title.clone(),
                round: round.number,
                opponent,
                board,
                starts_at: round.starts_at,
                left: (round.starts_at - self.clock.wall()).num_seconds(),
                is_reminder,
            };
            self.push.tell_when_there_is_room(UserId(user), Notice::RoundPaired(notice)).await;
        }
    }

    /// Those of these people who have a page open, and those who can be pushed to.
    async fn audience(&self, users: Vec<Uuid>) -> Result<Audience, CommonError> {
        let (here, away): (Vec<Uuid>, Vec<Uuid>) =
            users.into_iter().partition(|user| self.hub.is_connected(UserId(*user)));
        let reached = match self.push.is_on() && !away.is_empty() {
            true => self.store.have_push_subscriptions(&away).await?,
            false => vec![],
        };
        Ok(Audience { here, reached })
    }

    async fn tell(&self, audience: Audience, frame: &ServerFrame, notice: impl Fn() -> Notice) {
        let frame = encode(&frame.to_text());
        audience.here.into_iter().for_each(|user| self.hub.send_to_user(UserId(user), &frame, |_| false));
        for user in audience.reached {
            self.push.tell_when_there_is_room(UserId(user), notice()).await;
        }
    }

    /// Those of these people who want letters about events.
    async fn readers(&self, users: &[Uuid]) -> Result<Vec<User>, CommonError> {
        let wanted = self.store.want_event_letters(users).await?;
        Ok(self.store.users(&wanted).await?)
    }

    async fn write_to(&self, readers: &[User], letter: impl Fn(&User) -> EmailTemplate) {
        let now = self.clock.wall();
        for reader in readers {
            let is_open = reader.deleted_at.is_none() && suspension(reader, now).is_none();
            if !is_open || !reader.email_verified {
                continue;
            }
            self.mailer.wait_for_room().await;
            self.mailer.notify(reader, &letter(reader));
        }
    }

    /// Until the start, rounded up; 0 once it has started.
    fn minutes_left(&self, event: &Scheduled, kind: ReminderKind) -> u32 {
        let Some(start) = event.starts_at.filter(|_| kind != ReminderKind::Start) else { return 0 };
        let seconds = (start - self.clock.wall()).num_seconds().max(1).unsigned_abs();
        seconds.div_ceil(60).try_into().unwrap_or(u32::MAX)
    }
}

/// The planned start that this reminder tells people; the one at the start tells none. Of a stage round, what tells it from those
/// before.
fn told_start(event: &Scheduled, kind: ReminderKind) -> Option<DateTime<Utc>> {
    match kind {
        ReminderKind::Letter | ReminderKind::CheckIn | ReminderKind::Soon => event.starts_at,
        ReminderKind::Start => None,
        ReminderKind::Round => event.round.map(|round| round.paired_at),
        ReminderKind::RoundSoon => event.round.and_then(|round| round.fixed_for),
    }
}

/// Where a reminder of this start goes on: behind those who were told, or with everybody if they were told an earlier start.
/// An event that is moved back and forth does not remind again and again.
fn to_go_on_from(mark: Option<ReminderMark>, start: Option<DateTime<Utc>>) -> ReminderMark {
    match mark {
        // Marks of earlier versions have no start.
        Some(mark) if mark.start.is_none() || mark.start >= start => mark,
        _ => ReminderMark { start, after: None, done: false },
    }
}

fn notice(event: &Scheduled, minutes: u32, check_in: bool) -> Notice {
    let (id, title) = (event.id, event.title.clone());
    match event.starts_at.filter(|_| minutes > 0) {
        Some(starts_at) => Notice::EventSoon { event: id, title, starts_at, minutes, check_in },
        None => Notice::EventStarted { event: id, title },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reminder_begins_anew_for_a_later_start_only() {
        let at = |hour: i64| DateTime::from_timestamp(hour * 3_600, 0);
        let told = |start| ReminderMark { start, after: Some(Uuid::nil()), done: true };
        let anew = |start| ReminderMark { start, after: None, done: false };
        assert_eq!(to_go_on_from(None, at(20)), anew(at(20)));
        assert_eq!(to_go_on_from(Some(told(at(20))), at(20)), told(at(20)));
        assert_eq!(to_go_on_from(Some(told(at(20))), at(21)), anew(at(21)));
        assert_eq!(to_go_on_from(Some(told(at(21))), at(20)), told(at(21)));
        // The reminder at the start, and a mark of an earlier version.
        assert_eq!(to_go_on_from(Some(told(None)), None), told(None));
        assert_eq!(to_go_on_from(Some(told(None)), at(20)), told(None));
    }
}
