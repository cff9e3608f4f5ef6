//! News of events: cancelled, moved to another time, and what an admin or a director did to somebody's part in it. They are stored
//! with the change, so that no stop of the server loses any: `docs/behaviour/notifications.md#changes-of-events`.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::realtime::{EventNews, EventNewsKind, ServerFrame};
use morpion_store::{EventNewsRow, NewEventNews, NewsChannel, NewsKind};
use uuid::Uuid;

use super::{LOOK_EVERY, PAGE, Reminders};
use crate::{
    error::CommonError,
    events::{error::EventError, invitations::OwnInvitationView},
    mail::EmailTemplate,
    push::Notice,
};

/// Older news are told nobody: the server did not run for so long.
const TOLD_FOR: TimeDelta = TimeDelta::days(7);

/// A push service keeps a push at most this long.
const MAX_LIFE: Duration = Duration::from_secs(24 * 3_600);

impl Reminders {
    /// Tells news by one way, until it is dropped.
    pub(super) async fn run_news(&self, channel: NewsChannel) {
        let mut changed = self.events.news_to_tell();
        loop {
            changed.mark_unchanged();
            if let Err(error) = self.send_news(channel).await {
                tracing::warn!(%error, "news of events did not all go out yet");
                tokio::time::sleep(LOOK_EVERY).await;
            } else if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// Tells all that is to be told by one way, of each event a page of people at a time.
    ///
    /// # Errors
    /// The store is unavailable.
    pub async fn send_news(&self, channel: NewsChannel) -> Result<(), CommonError> {
        loop {
            let rows = self.store.event_news(channel).await?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows {
                self.send_news_page(row, channel).await?;
            }
        }
    }

    async fn send_news_page(&self, row: EventNewsRow, channel: NewsChannel) -> Result<(), CommonError> {
        let EventNewsRow { news, after } = row;
        let is_over = !is_worth_telling(&news, self.clock.wall());
        // What a member wrote is sent to nobody's mailbox.
        let is_mailed = channel == NewsChannel::Letter && self.events.is_private(news.event_id.into());
        let invitation = self.invitation(&news).await?;
        let is_taken_back = news.kind == NewsKind::Invited && invitation.is_none();
        if is_over || is_mailed || is_taken_back || (channel == NewsChannel::Calendar && !self.calendars.are_offered())
        {
            self.store.tell_event_news(&news, channel, None).await?;
            return Ok(());
        }
        let (users, next) = match news.user_id {
            Some(user) => (vec![user], None),
            None => {
                let page = self.store.signups_after(news.event_id, after, PAGE).await?;
                let next = page.last().map(|signup| signup.user_id).filter(|_| page.len() == PAGE);
                let here = page.iter().filter(|signup| signup.removed_at.is_none());
                (here.map(|signup| signup.user_id).collect(), next)
            }
        };
        match channel {
            NewsChannel::Page => {
                let audience = self.audience(users).await?;
                if self.store.tell_event_news(&news, channel, next).await? {
                    self.tell(audience, &frame(&news), || notice(&news, invitation.as_ref(), self.clock.wall())).await;
                }
            }
            NewsChannel::Letter => {
                let readers = self.readers(&users).await?;
                if self.store.tell_event_news(&news, channel, next).await? {
                    let letter = |reader: &morpion_store::User| {
                        EmailTemplate::event_news(&reader.username, &news.title, news.event_id, &text(&news))
                    };
                    self.write_to(&readers, letter).await;
                }
            }
            NewsChannel::Calendar => {
                if self.store.tell_event_news(&news, channel, next).await? {
                    self.change_calendars(&news, &users).await?;
                }
            }
        }
        Ok(())
    }

    /// The invitation that is news, if it may still reach whom it is for.
    async fn invitation(&self, news: &NewEventNews) -> Result<Option<OwnInvitationView>, CommonError> {
        let Some(user) = news.user_id.filter(|_| news.kind == NewsKind::Invited) else { return Ok(None) };
        let found = self.events.invitation_of(user.into(), news.event_id.into()).await;
        found.map_err(|error| match error {
            EventError::Common(error) => error,
            error => CommonError::internal(error),
        })
    }

    async fn change_calendars(&self, news: &NewEventNews, users: &[Uuid]) -> Result<(), CommonError> {
        let entry = match news.kind {
            NewsKind::Cancelled | NewsKind::Removed => None,
            // They may come back, and see how it goes on.
            NewsKind::Withdrawn | NewsKind::Disqualified | NewsKind::Reinstated | NewsKind::Invited => return Ok(()),
            NewsKind::Moved | NewsKind::Added => {
                let Some(entry) = self.events.calendar_entry(news.event_id.into(), &self.origin) else { return Ok(()) };
                Some(entry)
            }
        };
        let changed = self.calendars.change_entries(users, news.event_id, entry.as_ref()).await;
        changed.map_err(CommonError::internal)
    }
}

/// Nobody is told when an event that is over was to start.
fn is_worth_telling(news: &NewEventNews, now: DateTime<Utc>) -> bool {
    let is_over = news.ends_at.is_some_and(|at| at <= now);
    now - news.at < TOLD_FOR && (news.kind == NewsKind::Cancelled || !is_over)
}

fn frame(news: &NewEventNews) -> ServerFrame {
    ServerFrame::EventNews(EventNews {
        event_id: news.event_id,
        title: news.title.clone(),
        news: match news.kind {
            NewsKind::Cancelled => EventNewsKind::Cancelled,
            NewsKind::Moved => EventNewsKind::Moved,
            NewsKind::Added => EventNewsKind::Added,
            NewsKind::Removed => EventNewsKind::Removed,
            NewsKind::Withdrawn => EventNewsKind::Withdrawn,
            NewsKind::Disqualified => EventNewsKind::Disqualified,
            NewsKind::Reinstated => EventNewsKind::Reinstated,
            NewsKind::Invited => EventNewsKind::Invited,
        },
        reason: news.reason.clone(),
        start_time: news.starts_at.map(Into::into),
        end_time: news.ends_at.map(Into::into),
    })
}

fn notice(news: &NewEventNews, invitation: Option<&OwnInvitationView>, now: DateTime<Utc>) -> Notice {
    let until = news.ends_at.and_then(|at| (at - now).to_std().ok()).unwrap_or(MAX_LIFE);
    if let Some(invitation) = invitation {
        return Notice::EventInvitation {
            event: news.event_id.into(),
            from: invitation.host,
            name: invitation.host_shown.display_name.clone(),
            text: format!("{}: {}", news.title, text(news)),
            at: news.at,
            life: until.min(MAX_LIFE),
        };
    }
    Notice::EventNews {
        event: news.event_id.into(),
        title: news.title.clone(),
        text: text(news),
        at: news.at,
        life: until.min(MAX_LIFE),
    }
}

/// In words for pushes and letters.
fn text(news: &NewEventNews) -> String {
    let at = |time: Option<DateTime<Utc>>| time.map(|time| time.format("%-d %B %Y, %H:%M UTC").to_string());
    let reason = news.reason.as_deref().unwrap_or_default();
    let starts = at(news.starts_at).map(|at| format!(" It starts on {at}.")).unwrap_or_default();
    match news.kind {
        NewsKind::Cancelled => match &news.reason {
            Some(reason) => format!("It was cancelled: {reason}"),
            None => "It was cancelled.".to_owned(),
        },
        NewsKind::Moved => {
            let ends = at(news.ends_at).map(|at| format!(" It ends on {at}.")).unwrap_or_default();
            format!("Its time has changed.{starts}{ends}")
        }
        NewsKind::Added => format!("An organiser has signed you up.{starts}"),
        NewsKind::Removed => "An organiser has taken you out.".to_owned(),
        NewsKind::Withdrawn => format!("The director has withdrawn you: {reason}"),
        NewsKind::Disqualified => format!("The director has disqualified you: {reason}"),
        NewsKind::Invited => format!("You are invited to this private event.{starts}"),
        NewsKind::Reinstated => format!("You play again from the next round on. The director's reason: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn news(kind: NewsKind) -> NewEventNews {
        NewEventNews {
            event_id: Uuid::nil(),
            user_id: None,
            kind,
            title: "Friday Night".to_owned(),
            starts_at: DateTime::from_timestamp(1_795_892_400, 0),
            ends_at: DateTime::from_timestamp(1_795_899_600, 0),
            at: DateTime::from_timestamp(1_795_800_000, 0).unwrap(),
            reason: None,
        }
    }

    #[test]
    fn news_are_told_in_words_and_while_they_are_of_use() {
        let moved = news(NewsKind::Moved);
        let told =
            "Its time has changed. It starts on 28 November 2026, 19:00 UTC. It ends on 28 November 2026, 21:00 UTC.";
        assert_eq!(text(&moved), told);
        let after = |seconds| moved.at + TimeDelta::seconds(seconds);
        assert!(is_worth_telling(&moved, after(60)));
        assert!(!is_worth_telling(&moved, after(200_000)), "it is over");
        assert!(is_worth_telling(&news(NewsKind::Cancelled), after(200_000)), "it did not take place");
        assert!(!is_worth_telling(&news(NewsKind::Cancelled), after(700_000)));
        let deserted = NewEventNews { reason: Some("nobody checked in.".to_owned()), ..news(NewsKind::Cancelled) };
        assert_eq!(text(&deserted), "It was cancelled: nobody checked in.");
        let Notice::EventNews { life, .. } = notice(&moved, None, after(95_000)) else { panic!() };
        assert_eq!(life, Duration::from_secs(4_600));
    }
}
