//! The section `[push]`: notifications by Web Push.

use std::num::{NonZeroU32, NonZeroUsize};

use serde::Deserialize;

use super::{Config, values};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Push {
    pub enabled: bool,
    /// An email address or an https: URL; read it through [`Config::push_contact`].
    #[serde(deserialize_with = "values::optional_contact")]
    pub contact: String,
    pub browsers_per_account: NonZeroUsize,
    /// Of one account.
    pub per_hour: NonZeroU32,
    pub allow_private_addresses: bool,
}

impl Config {
    /// Where push services reach the operator, as a URL of VAPID (RFC 8292, 2.1); `None` if nothing fitting is configured.
    pub fn push_contact(&self) -> Option<String> {
        let public = self.public_origin();
        let site = if public.is_secure() { public.to_string() } else { String::new() };
        [&self.push.contact, &self.operator.contact, &site].into_iter().find_map(|contact| contact_url(contact))
    }
}

/// An email address, with or without `mailto:`, or the address of a page over HTTPS.
pub(super) fn contact_url(contact: &str) -> Option<String> {
    if contact.starts_with("https://") {
        return url::Url::parse(contact).is_ok().then(|| contact.to_owned());
    }
    let mail = contact.strip_prefix("mailto:").unwrap_or(contact);
    mail.parse::<lettre::Address>().is_ok().then(|| format!("mailto:{mail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_contact_is_the_first_that_fits() {
        let mut config = Config::default();
        assert_eq!(config.push_contact(), None, "no push service could reach 127.0.0.1");
        config.server.public_url = Some("https://play.example.org".parse().unwrap());
        assert_eq!(config.push_contact().as_deref(), Some("https://play.example.org"));
        config.operator.contact = "https://example.org/contact".to_owned();
        assert_eq!(config.push_contact().as_deref(), Some("https://example.org/contact"));
        config.operator.contact = "by letter".to_owned();
        assert_eq!(config.push_contact().as_deref(), Some("https://play.example.org"));
        config.push.contact = "ann@example.org".to_owned();
        assert_eq!(config.push_contact().as_deref(), Some("mailto:ann@example.org"));
    }
}
