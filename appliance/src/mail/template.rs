//! The content of all mails, each as plain text and as HTML with the same words.

mod second_factor;

mod billing;
mod event;
mod moderation;

use std::time::Duration;

use chrono::{DateTime, Utc};
use morpion_store::LetterClass;

use super::{LetterKind, schedule::Urgency};
use crate::scope::ProgramScope;

/// What a letter is about, which decides whether it can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum About {
    /// A code.
    Code,
    /// 'Undo the email change'.
    Undo,
    /// The security of an account, such as new passwords: whoever took the account over must not stop these.
    Security,
    /// What an admin decided about an account.
    Decision,
    /// The operator's own test.
    Test,
    Optional(LetterKind),
}

impl About {
    /// As what it is counted when it is sent; codes were counted as they were issued.
    pub(super) fn class(self) -> Option<LetterClass> {
        match self {
            Self::Code | Self::Test => None,
            Self::Undo => Some(LetterClass::Undo),
            Self::Security | Self::Decision => Some(LetterClass::Notice),
            Self::Optional(_) => Some(LetterClass::Optional),
        }
    }

    pub(super) fn urgency(self) -> Urgency {
        match self {
            Self::Code => Urgency::Code,
            Self::Undo | Self::Security => Urgency::Security,
            Self::Decision | Self::Test | Self::Optional(_) => Urgency::Other,
        }
    }

    /// How long it is of use: as long as it is tried.
    pub(super) fn of_use(self) -> Duration {
        const HOUR: Duration = Duration::from_secs(3_600);
        match self {
            // As long as the code is good.
            Self::Code => Duration::from_secs(600),
            // As long as the link is good.
            Self::Undo => 7 * 24 * HOUR,
            Self::Security | Self::Decision | Self::Test | Self::Optional(LetterKind::Payment) => 48 * HOUR,
            Self::Optional(LetterKind::Event) => HOUR,
        }
    }

    /// Why somebody gets it.
    fn reason(self) -> Option<&'static str> {
        match self {
            Self::Code | Self::Undo | Self::Security => Some(
                "You are receiving this email because it concerns the security of your account. Security emails cannot be turned off.",
            ),
            Self::Decision => Some(
                "You are receiving this email because it tells you about a decision on your account. Such emails cannot be \
                 turned off.",
            ),
            Self::Test => None,
            Self::Optional(LetterKind::Event) => {
                Some("You are receiving this email because you asked for emails about events that you signed up for.")
            }
            Self::Optional(LetterKind::Payment) => {
                Some("You are receiving this email because it concerns one of your payments.")
            }
        }
    }
}

/// The content of one email.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailTemplate {
    pub(super) about: About,
    pub subject: String,
    heading: String,
    before: Vec<String>,
    /// Shown large.
    code: Option<String>,
    /// A path on this server, and what its button says.
    link: Option<(String, String)>,
    after: Vec<String>,
}

impl EmailTemplate {
    /// The code for a new password. `username` shows users with several accounts which one it is for.
    pub fn recovery(username: &str, code: u32) -> Self {
        Self {
            about: About::Code,
            subject: "Your code for a new Morpion password".to_owned(),
            heading: "A new password".to_owned(),
            before: vec![
                format!("Somebody, probably you, asked for a new password for the Morpion account {username}."),
                "Enter this code on the page where you asked for it:".to_owned(),
            ],
            code: Some(code.to_string()),
            link: None,
            after: vec![
                "It works once, within 10 minutes, and only in the browser that asked for it.".to_owned(),
                "If this was not you, ignore this email: nobody can get in without the code. Never share it with anybody; we \
                 will never ask you for it."
                    .to_owned(),
            ],
        }
    }

    /// The code that verifies an email.
    pub fn verification(username: &str, code: u32) -> Self {
        Self {
            about: About::Code,
            subject: "Confirm your email for Morpion".to_owned(),
            heading: "Confirm your email".to_owned(),
            before: vec![
                format!("The Morpion account {username} was given this email address."),
                "If it is yours, enter this code:".to_owned(),
            ],
            code: Some(code.to_string()),
            link: None,
            after: vec![
                "It works once, within 10 minutes.".to_owned(),
                "If you did not ask for this, ignore this email: the address is then not used.".to_owned(),
            ],
        }
    }

    /// Notifies the owner of a password that was set with a code.
    pub fn password_changed(username: &str) -> Self {
        Self::new_password(
            format!("The account {username} has a new password, set with a code that was sent here."),
            "Every device was signed out, and sign-in providers were removed from the account.",
        )
    }

    /// Notifies the owner of a password changed by somebody who knew the previous one.
    pub fn password_replaced(username: &str) -> Self {
        Self::new_password(
            format!("The account {username} has a new password, set by somebody who knew the previous one."),
            "Every other device was signed out.",
        )
    }

    /// Notifies the owner of a password set by an administrator.
    pub fn password_reset(username: &str) -> Self {
        Self::new_password(
            format!("The account {username} has a new password, set by an administrator of this server."),
            "Every device was signed out.",
        )
    }

    /// Notifies the owner of an operator's one-time link.
    pub fn password_link_made(username: &str, until: DateTime<Utc>) -> Self {
        Self {
            about: About::Security,
            subject: "A link for a new password of your Morpion account".to_owned(),
            heading: "A link for a new password".to_owned(),
            before: vec![
                format!(
                    "An administrator of this server made a link that sets a new password for the account {username}, or makes a passkey."
                ),
                format!("It works once, until {}.", until.format("%-d %B %Y at %H:%M (UTC)")),
            ],
            code: None,
            link: None,
            after: vec![
                "If you did not ask for it, change your password now, under Settings → Security: the link stops working \
                 then. And ask the administrator."
                    .to_owned(),
            ],
        }
    }

    /// Notifies the owner of a password that was set with an operator's link.
    pub fn password_set_by_link(username: &str) -> Self {
        Self::new_password(
            format!("The account {username} has a new password, set with a link of an administrator of this server."),
            "Every device was signed out, and sign-in with another provider was taken off the account.",
        )
    }

    /// Notifies the owner of a passkey that was made with an operator's link.
    pub fn passkey_set_by_link(username: &str, passkey: &str) -> Self {
        Self {
            subject: "Your Morpion account has a passkey".to_owned(),
            heading: "A passkey took the place of your password".to_owned(),
            ..Self::new_password(
                format!(
                    "The account {username} has a new passkey, '{passkey}', made with a link of an administrator of this \
                     server. Its password no longer works."
                ),
                "Every device was signed out, and sign-in with another provider was taken off the account.",
            )
        }
    }

    fn new_password(what_happened: String, consequence: &str) -> Self {
        Self {
            about: About::Security,
            subject: "Your Morpion password was changed".to_owned(),
            heading: "Your password was changed".to_owned(),
            before: vec![what_happened, consequence.to_owned()],
            code: None,
            link: None,
            after: vec!["If this was not you, set another one now with 'Forgot your password?'.".to_owned()],
        }
    }

    /// Notifies the owner of a sign-in on an unknown device.
    pub fn new_device(username: &str, device: &str, address: &str, at: DateTime<Utc>) -> Self {
        Self {
            about: About::Security,
            subject: "A new device signed in to your Morpion account".to_owned(),
            heading: "A new device".to_owned(),
            before: vec![
                format!("Somebody signed in to the account {username} on a new device:"),
                format!("{device}, from {address}, on {} (UTC).", at.format("%-d %B %Y at %H:%M")),
            ],
            code: None,
            link: None,
            after: vec![
                "If this was you, there is nothing to do.".to_owned(),
                "If this was not you, set a new password with 'Forgot your password?': that signs out every device."
                    .to_owned(),
            ],
        }
    }

    /// Notifies the owner that all sessions were ended, or all but the one that asked for it.
    pub fn signed_out_everywhere(username: &str, is_one_left: bool) -> Self {
        let what = if is_one_left { "Every other device was signed out" } else { "Every device was signed out" };
        Self {
            about: About::Security,
            subject: "Your Morpion account was signed out everywhere".to_owned(),
            heading: "Signed out everywhere".to_owned(),
            before: vec![format!("{what} of the account {username}, as somebody who was signed in asked for.")],
            code: None,
            link: None,
            after: vec![
                "If this was you, there is nothing to do.".to_owned(),
                "If this was not you, set a new password with 'Forgot your password?'.".to_owned(),
            ],
        }
    }

    /// Notifies an admin of an operator token made by their account.
    pub fn token_created(username: &str, token: &str, scope: &str) -> Self {
        Self {
            about: About::Security,
            subject: "An operator token was made with your Morpion account".to_owned(),
            heading: "A new operator token".to_owned(),
            before: vec![format!(
                "The account {username} made the operator token '{token}', with the scope '{scope}'."
            )],
            code: None,
            link: None,
            after: vec![
                "If this was not you, revoke it, and set a new password with 'Forgot your password?'.".to_owned(),
            ],
        }
    }

    /// Notifies the owner of a personal token made with their account.
    pub fn personal_token_created(username: &str, token: &str, scopes: &[ProgramScope], until: DateTime<Utc>) -> Self {
        let acts = scopes.iter().map(|scope| match scope {
            ProgramScope::Read => "read games, players and events",
            ProgramScope::Play => "play games",
            ProgramScope::Event => "sign up for events and host private ones",
        });
        let acts = acts.collect::<Vec<_>>().join(", ");
        Self {
            about: About::Security,
            subject: "A program may use your Morpion account".to_owned(),
            heading: "A new personal token".to_owned(),
            before: vec![
                format!("The account {username} made the personal token '{token}'."),
                format!("Until {} (UTC) a program that has it may, in your name: {acts}.", until.format("%-d %B %Y")),
            ],
            code: None,
            link: None,
            after: vec![
                "If this was you, there is nothing to do.".to_owned(),
                "If this was not you, set a new password with 'Forgot your password?': that ends every token."
                    .to_owned(),
            ],
        }
    }

    /// An account became a bot.
    pub fn became_bot(username: &str) -> Self {
        Self {
            about: About::Security,
            subject: "Your Morpion account is now a bot".to_owned(),
            heading: "Your account is a bot".to_owned(),
            before: vec![
                format!("The account {username} is now a bot, for good: everybody can see that a program plays on it."),
                "It plays casual games with people and rated ones with other bots.".to_owned(),
            ],
            code: None,
            link: None,
            after: vec![
                "If this was you, there is nothing to do.".to_owned(),
                "If this was not you, set a new password with 'Forgot your password?', and ask whoever runs the server."
                    .to_owned(),
            ],
        }
    }

    /// The code for a new email, sent to the new address.
    pub fn email_change(username: &str, code: u32) -> Self {
        Self {
            about: About::Code,
            subject: "Your code for a new email at Morpion".to_owned(),
            heading: "A new email".to_owned(),
            before: vec![
                format!("The Morpion account {username} is to use this email address from now on."),
                "If it is yours, enter this code:".to_owned(),
            ],
            code: Some(code.to_string()),
            link: None,
            after: vec![
                "It works once, within 10 minutes.".to_owned(),
                "If you did not ask for this, ignore this email: the address is then not used.".to_owned(),
            ],
        }
    }

    /// Notifies the previous address of a changed email; `token` undoes the change.
    pub fn email_changed(username: &str, email: &str, token: &str, until: DateTime<Utc>) -> Self {
        Self {
            about: About::Undo,
            subject: "The email of your Morpion account was changed".to_owned(),
            heading: "Your email was changed".to_owned(),
            before: vec![
                format!("The account {username} now has the email {email}. Emails go there from now on."),
                format!("If this was not you, undo the change. This works until {}.", day(until)),
            ],
            code: None,
            link: Some((format!("/email-undo?token={token}"), "Undo the change".to_owned())),
            after: vec![
                "This restores the old email address and signs out every device. Then set a new password with \
                 'Forgot your password?'."
                    .to_owned(),
            ],
        }
    }

    /// Notifies the owner that the email was restored.
    pub fn email_restored(username: &str) -> Self {
        Self {
            about: About::Security,
            subject: "Your Morpion account has its old email again".to_owned(),
            heading: "Your email was restored".to_owned(),
            before: vec![
                format!("The account {username} has its old email address again, and every device was signed out."),
                "Whoever changed it knew your password: set a new one with 'Forgot your password?'.".to_owned(),
            ],
            code: None,
            link: None,
            after: vec![],
        }
    }

    /// Notifies the owner that the account was deleted.
    pub fn account_deleted(username: &str) -> Self {
        Self {
            about: About::Security,
            subject: "Your Morpion account was deleted".to_owned(),
            heading: "Your account was deleted".to_owned(),
            before: vec![
                format!("The account {username} was deleted, with its picture, its sessions and this email."),
                "A paid plan will not renew. Past results stay under 'Deleted player'.".to_owned(),
            ],
            code: None,
            link: None,
            after: vec!["It cannot be restored. You can create a new account at any time.".to_owned()],
        }
    }

    /// For `morpion mail test`.
    pub fn test() -> Self {
        Self {
            about: About::Test,
            subject: "Morpion can send email".to_owned(),
            heading: "Mail works".to_owned(),
            before: vec!["This is the test that you asked for. Codes will look like this:".to_owned()],
            code: Some("123456".to_owned()),
            link: None,
            after: vec!["There is nothing to do.".to_owned()],
        }
    }

    /// As plain text; `site` is the server's public URL, and `unsubscribe` the one that ends letters of this kind.
    pub fn plain(&self, site: &str, unsubscribe: Option<&str>) -> String {
        let mut paragraphs = vec![self.heading.clone()];
        paragraphs.extend(self.before.iter().cloned());
        paragraphs.extend(self.code.iter().map(|code| format!("    {code}")));
        paragraphs.extend(self.link.iter().map(|(path, _)| format!("{site}{path}")));
        paragraphs.extend(self.after.iter().cloned());
        let mut footer = format!("-- \nMorpion, tic-tac-toe on {site}\n");
        footer.extend(self.about.reason().map(|reason| format!("{reason}\n")));
        footer.extend(unsubscribe.map(|address| format!("Unsubscribe: {address}\n")));
        paragraphs.push(footer);
        paragraphs.join("\n\n")
    }

    /// As HTML with tables and inline styles, which mail programs support; nothing is loaded from elsewhere.
    pub fn html(&self, site: &str, unsubscribe: Option<&str>) -> String {
        let paragraph = |text: &String| {
            format!("<p style=\"margin:0 0 16px;font-size:16px;line-height:24px;color:#22252b\">{}</p>", escaped(text))
        };
        let code = self.code.as_ref().map_or_else(String::new, |code| {
            format!(
                "<p style=\"margin:8px 0 24px;padding:20px 0;border-radius:12px;background:#f3ecdd;text-align:center;\
                 font:700 34px/40px ui-monospace,Menlo,Consolas,monospace;letter-spacing:8px;color:#22252b\">{}</p>",
                escaped(code)
            )
        });
        let link = self.link.as_ref().map_or_else(String::new, |(path, label)| {
            format!(
                "<p style=\"margin:8px 0 24px\"><a href=\"{}\" style=\"display:inline-block;padding:12px 24px;\
                 border-radius:12px;background:#1f5fa8;font-size:16px;font-weight:700;color:#fffdf8;\
                 text-decoration:none\">{}</a></p>",
                escaped(&format!("{site}{path}")),
                escaped(label)
            )
        });
        let reason = self.about.reason().map_or_else(String::new, |reason| format!("<br>{}", escaped(reason)));
        let unsubscribe = unsubscribe.map_or_else(String::new, |address| {
            format!(" <a href=\"{}\" style=\"color:#1f5fa8\">Unsubscribe</a>", escaped(address))
        });
        let before: String = self.before.iter().map(paragraph).collect();
        let after: String = self.after.iter().map(paragraph).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\"><title>{subject}</title></head>\n\
             <body style=\"margin:0;background:#fbf7ef;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif\">\n\
             <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\"><tr>\
             <td align=\"center\" style=\"padding:32px 16px\">\n\
             <table role=\"presentation\" width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"max-width:520px\">\n\
             <tr><td style=\"padding:0 8px 20px;font-size:20px;font-weight:800;color:#22252b\">\
             <span style=\"color:#c23329\">&#10005;</span> <span style=\"color:#1f5fa8\">&#9675;</span> Morpion</td></tr>\n\
             <tr><td style=\"padding:32px 32px 16px;border-radius:16px;background:#fffdf8\">\
             <h1 style=\"margin:0 0 20px;font-size:24px;line-height:32px;color:#22252b\">{heading}</h1>\
             {before}{code}{link}{after}</td></tr>\n\
             <tr><td style=\"padding:20px 8px;font-size:13px;line-height:20px;color:#595e69\">\
             Morpion, tic-tac-toe on <a href=\"{site}\" style=\"color:#1f5fa8\">{site}</a>{reason}{unsubscribe}</td></tr>\n\
             </table></td></tr></table></body></html>\n",
            subject = escaped(&self.subject),
            heading = escaped(&self.heading),
            site = escaped(site),
        )
    }
}

fn day(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y").to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_and_html_have_the_same_content() {
        let site = "https://play.example.org";
        for template in [
            EmailTemplate::recovery("ada", 123_456),
            EmailTemplate::verification("ada", 123_456),
            EmailTemplate::password_changed("ada"),
            EmailTemplate::password_replaced("ada"),
            EmailTemplate::password_reset("ada"),
            EmailTemplate::new_device("ada", "Firefox on Linux", "127.0.0.1", DateTime::UNIX_EPOCH),
            EmailTemplate::signed_out_everywhere("ada", true),
            EmailTemplate::signed_out_everywhere("ada", false),
            EmailTemplate::email_change("ada", 123_456),
            EmailTemplate::email_changed("ada", "new@example.org", "a-token", DateTime::UNIX_EPOCH),
            EmailTemplate::email_restored("ada"),
            EmailTemplate::account_deleted("ada"),
            EmailTemplate::second_factor_added("ada"),
            EmailTemplate::second_factor_removed("ada"),
            EmailTemplate::second_factor_removed_by_admin("ada"),
            EmailTemplate::password_link_made("ada", DateTime::UNIX_EPOCH),
            EmailTemplate::password_set_by_link("ada"),
            EmailTemplate::passkey_added("ada", "<my> phone"),
            EmailTemplate::passkey_removed("ada", "<my> phone"),
            EmailTemplate::recovery_codes_renewed("ada"),
            EmailTemplate::recovery_code_used("ada", 0, true),
            EmailTemplate::recovery_code_used("ada", 9, false),
            EmailTemplate::receipt("ada", "3.99 USD", Some(DateTime::UNIX_EPOCH)),
            EmailTemplate::receipt("ada", "3.99 USD", None),
            EmailTemplate::renewal_failed("ada", "3.99 USD", Some(DateTime::UNIX_EPOCH)),
            EmailTemplate::pro_ended("ada"),
            EmailTemplate::event_reminder("ada", "<Friday> Night", uuid::Uuid::nil(), DateTime::UNIX_EPOCH, None),
            EmailTemplate::event_news("ada", "<Friday> Night", uuid::Uuid::nil(), "It was cancelled."),
            EmailTemplate::became_bot("ada"),
            EmailTemplate::personal_token_created("ada", "<my> bot", ProgramScope::ALL, DateTime::UNIX_EPOCH),
            EmailTemplate::test(),
        ] {
            let (plain, html) = (template.plain(site, None), template.html(site, None));
            for words in template.before.iter().chain(&template.after).chain(&template.code).chain([&template.heading])
            {
                assert!(plain.contains(words.as_str()) && html.contains(&escaped(words)), "{words}");
            }
            if let Some((path, label)) = &template.link {
                let address = format!("{site}{path}");
                assert!(plain.contains(&address) && html.contains(&format!("href=\"{address}\"")));
                assert!(html.contains(label.as_str()));
            }
            assert!(plain.contains(site) && html.contains(site));
            let reason = template.about.reason();
            assert!(reason.is_none_or(|reason| plain.contains(reason) && html.contains(&escaped(reason))));
            assert!(
                !html.contains("<img") && !html.contains("<script") && !html.contains("url("),
                "nothing is fetched"
            );
        }
    }

    #[test]
    fn names_are_escaped_in_html() {
        let html = EmailTemplate::recovery("<b onclick=\"x\">&'", 123_456).html("https://play.example.org", None);
        assert!(html.contains("&lt;b onclick=&quot;x&quot;&gt;&amp;&#39;"), "{html}");
    }

    #[test]
    fn the_address_that_ends_them_is_in_both_forms() {
        let template = EmailTemplate::receipt("ada", "3.99 USD", None);
        let (site, address) = ("https://play.example.org", "https://play.example.org/api/unsubscribe?token=a&b");
        assert!(template.plain(site, Some(address)).ends_with(&format!("Unsubscribe: {address}\n")));
        assert!(
            template
                .html(site, Some(address))
                .contains("href=\"https://play.example.org/api/unsubscribe?token=a&amp;b\"")
        );
    }
}
