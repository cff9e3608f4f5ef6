//! Mails about second factors.

use super::{About, EmailTemplate};

impl EmailTemplate {
    /// An authenticator app was set up.
    pub fn second_factor_added(username: &str) -> Self {
        Self::about_second_factor(
            "An authenticator app was added to your Morpion account",
            "An authenticator app was added",
            vec![format!("Signing in to the account {username} now asks for a code of an authenticator app too.")],
        )
    }

    /// The authenticator app was removed.
    pub fn second_factor_removed(username: &str) -> Self {
        Self::about_second_factor(
            "The authenticator app of your Morpion account was removed",
            "An authenticator app was removed",
            vec![format!("Signing in to the account {username} no longer asks for codes of an authenticator app.")],
        )
    }

    /// An administrator removed the whole second factor.
    pub fn second_factor_removed_by_admin(username: &str) -> Self {
        Self::about_second_factor(
            "The second factor of your Morpion account was removed",
            "Your second factor was removed",
            vec![
                format!(
                    "An administrator of this server removed the authenticator app, the passkeys and the recovery \
                     codes of the account {username}."
                ),
                "Signing in works without them again. You can set up new ones in your settings.".to_owned(),
            ],
        )
    }

    pub fn passkey_added(username: &str, name: &str) -> Self {
        Self::about_second_factor(
            "Your Morpion account has a new passkey",
            "A passkey was added",
            vec![format!("The passkey '{name}' can now sign in to the account {username}.")],
        )
    }

    pub fn passkey_removed(username: &str, name: &str) -> Self {
        Self::about_second_factor(
            "A passkey of your Morpion account was removed",
            "A passkey was removed",
            vec![format!("The passkey '{name}' can no longer sign in to the account {username}.")],
        )
    }

    pub fn recovery_codes_renewed(username: &str) -> Self {
        Self::about_second_factor(
            "Your Morpion account has new recovery codes",
            "New recovery codes",
            vec![format!("The account {username} has ten new recovery codes. The old ones no longer work.")],
        )
    }

    /// A recovery code was used; `left` are left, which may be `few`.
    pub fn recovery_code_used(username: &str, left: usize, few: bool) -> Self {
        let left = match left {
            0 => "It was the last one.".to_owned(),
            1 => "One is left.".to_owned(),
            left => format!("{left} are left."),
        };
        let renew = if few { " Create new ones in your settings." } else { "" };
        Self::about_second_factor(
            "A recovery code of your Morpion account was used",
            "A recovery code was used",
            vec![format!("A recovery code of the account {username} was used. {left}{renew}")],
        )
    }

    fn about_second_factor(subject: &str, heading: &str, before: Vec<String>) -> Self {
        Self {
            about: About::Security,
            subject: subject.to_owned(),
            heading: heading.to_owned(),
            before,
            code: None,
            link: None,
            after: vec![
                "If this was you, there is nothing to do.".to_owned(),
                "If this was not you, set a new password with 'Forgot your password?', which signs out every device, \
                 and check your settings."
                    .to_owned(),
            ],
        }
    }
}
