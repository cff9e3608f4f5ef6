use serde::Deserialize;

use super::{Secret, values};

/// The provider for sign-in; off without a client id.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OidcIdentity {
    #[serde(deserialize_with = "values::issuer")]
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Secret,
    /// Read it through [`OidcIdentity::label`].
    #[serde(deserialize_with = "values::one_line")]
    pub name: String,
    pub scopes: Vec<String>,
    pub accept_missing_email_verified: bool,
    /// The claim that names a person's groups.
    pub groups_claim: String,
    /// Who may sign in. Empty: everybody whom the provider vouches for.
    pub allowed_groups: Vec<String>,
    /// Empty: calendars are not offered.
    pub calendar_scope: String,
    #[serde(deserialize_with = "values::issuer")]
    pub calendar_url: String,
}

impl OidcIdentity {
    /// Whether the button is Google's own.
    pub fn is_google(&self) -> bool {
        self.issuer.trim_end_matches('/') == "https://accounts.google.com"
    }

    /// The provider's display name.
    pub fn label(&self) -> String {
        match self.name.as_str() {
            "" if self.is_google() => "Google".to_owned(),
            "" => {
                url::Url::parse(&self.issuer).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
            }
            name => name.to_owned(),
        }
    }

    /// Whether users can connect their calendar.
    pub fn offers_calendar(&self) -> bool {
        !self.client_id.is_empty() && !self.calendar_scope.is_empty()
    }
}
