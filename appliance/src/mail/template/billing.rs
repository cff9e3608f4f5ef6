//! Mails about payments.

use chrono::{DateTime, Utc};

use super::{About, EmailTemplate, day};
use crate::mail::LetterKind;

impl EmailTemplate {
    /// A payment was made. `until` is the end of what it paid for.
    pub fn receipt(username: &str, amount: &str, until: Option<DateTime<Utc>>) -> Self {
        Self {
            about: About::Optional(LetterKind::Payment),
            subject: "Your receipt from Morpion".to_owned(),
            heading: "Thank you".to_owned(),
            before: vec![
                format!("We received {amount} for Morpion Pro, for the account {username}."),
                until.map_or_else(String::new, |until| format!("It is paid until {}.", day(until))),
            ],
            code: None,
            link: None,
            after: vec!["Your invoices, payment methods and plan are in your settings, under Subscription.".to_owned()],
        }
        .without_empty()
    }

    /// A renewal was not paid. Pro lasts until `until`.
    pub fn purchase_failed(username: &str, amount: &str) -> Self {
        Self {
            about: About::Optional(LetterKind::Payment),
            subject: "Your payment for Morpion Pro failed".to_owned(),
            heading: "A payment failed".to_owned(),
            before: vec![
                format!(
                    "Your payment of {amount} for Morpion Pro, for the account {username}, was refused by your bank."
                ),
                "Nothing was charged, and Pro did not start. You can try again in your settings, under Subscription."
                    .to_owned(),
            ],
            code: None,
            link: None,
            after: vec!["If you no longer want it, there is nothing to do.".to_owned()],
        }
    }

    pub fn renewal_failed(username: &str, amount: &str, until: Option<DateTime<Utc>>) -> Self {
        Self {
            about: About::Optional(LetterKind::Payment),
            subject: "Your payment for Morpion Pro failed".to_owned(),
            heading: "A payment failed".to_owned(),
            before: vec![
                format!("We could not take {amount} to renew Morpion Pro for the account {username}."),
                until.map_or_else(String::new, |until| {
                    format!(
                        "Pro lasts until {}. Pay until then, in your settings under Subscription, to keep it.",
                        day(until)
                    )
                }),
            ],
            code: None,
            link: None,
            after: vec!["If you no longer want it, there is nothing to do.".to_owned()],
        }
        .without_empty()
    }

    /// Pro has ended.
    pub fn pro_ended(username: &str) -> Self {
        Self {
            about: About::Optional(LetterKind::Payment),
            subject: "Morpion Pro has ended".to_owned(),
            heading: "Pro has ended".to_owned(),
            before: vec![format!(
                "The subscription of the account {username} has ended. Nothing more will be charged."
            )],
            code: None,
            link: None,
            after: vec![
                "You keep your account, your games and the free plan. You can subscribe again at any time.".to_owned(),
            ],
        }
    }

    fn without_empty(mut self) -> Self {
        self.before.retain(|paragraph| !paragraph.is_empty());
        self
    }
}
