//! Mails about events.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{About, EmailTemplate, day};
use crate::mail::LetterKind;

impl EmailTemplate {
    /// Reminds somebody of an event that they signed up for.
    pub fn event_reminder(
        username: &str,
        title: &str,
        event: Uuid,
        start: DateTime<Utc>,
        check_in_opens: Option<DateTime<Utc>>,
    ) -> Self {
        let time = start.format("%H:%M");
        let be_there = match check_in_opens {
            Some(opens) => format!(
                "Check in on its page from {} (UTC) until the start. Players who do not check in are not paired.",
                opens.format("%H:%M")
            ),
            None => "Be there at the start: players are paired right away.".to_owned(),
        };
        Self {
            about: About::Optional(LetterKind::Event),
            subject: format!("{title} starts at {time} UTC"),
            heading: "Your event starts soon".to_owned(),
            before: vec![
                format!("{title} starts on {} at {time} (UTC). You signed up for it as {username}.", day(start)),
                be_there,
            ],
            code: None,
            link: Some((format!("/app/events/view/{event}"), "Open the event".to_owned())),
            after: vec!["If you cannot make it, you can unregister there until it starts.".to_owned()],
        }
    }
    /// Tells somebody what became of an event that they signed up for, or of their part in it.
    pub fn event_news(username: &str, title: &str, event: Uuid, text: &str) -> Self {
        Self {
            about: About::Optional(LetterKind::Event),
            subject: format!("{title}: {text}").trim_end_matches('.').to_owned(),
            heading: title.to_owned(),
            before: vec![text.to_owned(), format!("You get this as {username}.")],
            code: None,
            link: Some((format!("/app/events/view/{event}"), "Open the event".to_owned())),
            after: vec![],
        }
    }
}
