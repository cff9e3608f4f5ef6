//! Mails about what an administrator did with an account.

use chrono::{DateTime, Utc};

use super::{About, EmailTemplate};

impl EmailTemplate {
    /// Tells a person that they are suspended, and why.
    pub fn suspended(username: &str, reason: &str, until: Option<DateTime<Utc>>) -> Self {
        let until = match until {
            Some(until) => format!(" until {} (UTC)", until.format("%-d %B %Y at %H:%M")),
            None => String::new(),
        };
        Self::moderated(
            "Your Morpion account was suspended",
            "Your account was suspended",
            format!("The account {username} was suspended by an administrator of this server{until}."),
            Some(reason),
            "Live games were forfeited, and sign-ups for events were withdrawn. Until then nobody can sign in to it.",
        )
    }

    /// Tells a person that they may sign in again.
    pub fn suspension_lifted(username: &str) -> Self {
        Self::moderated(
            "Your Morpion account is no longer suspended",
            "Your account is no longer suspended",
            format!("The suspension of the account {username} was lifted."),
            None,
            "You can sign in again.",
        )
    }

    /// Tells a person of the names that an admin gave them.
    pub fn renamed(username: &str, display_name: &str, reason: &str) -> Self {
        Self::moderated(
            "Your Morpion name was changed",
            "Your name was changed",
            format!("An administrator of this server changed your name: {display_name}, with the username {username}."),
            Some(reason),
            "You can choose another display name in the settings at any time, and another username after 30 days.",
        )
    }

    /// Tells a person that an admin removed their picture.
    pub fn picture_removed(username: &str, reason: &str) -> Self {
        Self::moderated(
            "Your Morpion picture was removed",
            "Your picture was removed",
            format!("An administrator of this server removed the picture of the account {username}."),
            Some(reason),
            "You can choose another one in the settings.",
        )
    }

    /// Tells a person that an admin deleted their account.
    pub fn account_removed(username: &str, reason: &str) -> Self {
        Self::moderated(
            "Your Morpion account was deleted",
            "Your account was deleted",
            format!("The account {username} was deleted by an administrator of this server."),
            Some(reason),
            "A paid plan will not renew. Past results stay under 'Deleted player'.",
        )
    }

    fn moderated(subject: &str, heading: &str, what_happened: String, reason: Option<&str>, consequence: &str) -> Self {
        let reason = reason.map(|reason| format!("The reason given: {reason}"));
        Self {
            about: About::Decision,
            subject: subject.to_owned(),
            heading: heading.to_owned(),
            before: std::iter::once(what_happened).chain(reason).collect(),
            code: None,
            link: None,
            after: vec![consequence.to_owned()],
        }
    }
}
