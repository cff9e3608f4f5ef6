//! The providers for sign-in, `identity.oidc`. One of them may have no id; it is a section, `[identity.oidc]`. The others are sections of
//! their ids, `[identity.oidc.ID]`, as are the entries of a list, `[[identity.oidc]]`, which have it as `id`.

use std::borrow::Cow;

use serde::Deserialize;
use toml::{Table, Value};

use super::{Config, ConfigError, Identity, Secret, values};

/// More buttons nobody reads, and the sign-ins in progress of each take memory.
const MAX_PROVIDERS: usize = 8;

const MAX_ID: usize = 32;

/// Keys of a provider that look like an id.
const KEYS: [&str; 3] = ["issuer", "name", "scopes"];

const SECTION: &str = "identity.oidc.";

/// Where [`Config`] has the providers with an id.
const MORE: &str = "more_oidc";

/// A provider for sign-in; off without a client id.
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
    /// Who is an admin, for a while after each sign-in. Empty: nobody by that.
    pub admin_groups: Vec<String>,
    /// Empty: calendars are not offered. Only the provider without an id can have them.
    #[serde(default)]
    pub calendar_scope: String,
    #[serde(default, deserialize_with = "values::issuer")]
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

impl Identity {
    /// The providers that are on, with their ids: first the one without, whose id is empty here, then by their ids.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &OidcIdentity)> {
        let others = self.more_oidc.iter().map(|(id, oidc)| (id.as_str(), oidc));
        std::iter::once(("", &self.oidc)).chain(others).filter(|(_, oidc)| !oidc.client_id.is_empty())
    }

    /// Whether the page for signing in leads on to the provider: it is the only way in, and not a button on the page itself.
    pub fn leads_to_provider(&self) -> bool {
        let mut providers = self.providers();
        let only = providers.next().filter(|_| providers.next().is_none());
        let has_page = only.is_some_and(|(id, oidc)| !id.is_empty() || !oidc.is_google());
        self.redirect_to_only_provider && !self.local.enabled && has_page
    }
}

impl Config {
    /// # Errors
    /// The providers do not go together.
    pub(super) fn with_checked_providers(self) -> Result<Self, ConfigError> {
        let refuse = |reason| Err(ConfigError::Together { key: "identity.oidc", reason });
        // Accounts are linked to issuer and subject.
        let mut issuers: Vec<_> =
            self.identity.providers().map(|(_, oidc)| oidc.issuer.trim_end_matches('/').to_owned()).collect();
        if issuers.len() > MAX_PROVIDERS {
            return refuse(format!("there are {} providers; keep at most {MAX_PROVIDERS}", issuers.len()));
        }
        issuers.sort_unstable();
        match issuers.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => refuse(format!("two providers have the issuer {}; give each another one", two[0])),
            None => Ok(self),
        }
    }
}

/// The id in a key of a provider with one, and the same key of the provider without.
pub(super) fn with_id(key: &str) -> Option<(&str, String)> {
    let (id, rest) = key.strip_prefix(SECTION)?.split_once('.')?;
    Some((id, format!("{SECTION}{rest}")))
}

/// The key that has the default and the kind of this one.
pub(super) fn like(key: &str) -> Cow<'_, str> {
    with_id(key).map_or(Cow::Borrowed(key), |(_, like)| Cow::Owned(like))
}

/// The key of a provider with this id that is like this key, if it can have that.
pub(super) fn of_id(like: &str, id: &str) -> Option<String> {
    let rest = like.strip_prefix(SECTION).filter(|rest| !rest.contains('.') && !rest.starts_with("calendar_"))?;
    Some(format!("{SECTION}{id}.{rest}"))
}

/// A key as a variable names it: an id may have hyphens, which a variable cannot.
pub(super) fn of_variable(key: String) -> String {
    let spelled =
        with_id(&key).map(|(id, like)| format!("{SECTION}{}.{}", id.replace('_', "-"), &like[SECTION.len()..]));
    spelled.unwrap_or(key)
}

/// # Errors
/// It cannot be the id of a provider.
pub(super) fn check_id(id: &str) -> Result<(), String> {
    let is_plain = id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if id.is_empty() || id.len() > MAX_ID || !is_plain || KEYS.contains(&id) {
        let others = KEYS.join(", ");
        return Err(format!("'{id}' cannot be an id; write 1 to {MAX_ID} of a-z 0-9 -, and not one of {others}"));
    }
    Ok(())
}

/// A source that lists the providers, with a section for each instead; `None` for one that does not.
///
/// # Errors
/// What is wrong with the list.
pub(super) fn by_id(source: &Table) -> Result<Option<Table>, String> {
    let Some(Value::Array(list)) = source.get("identity").and_then(|identity| identity.get("oidc")) else {
        return Ok(None);
    };
    let (mut sections, mut has_one_without) = (Table::new(), false);
    for entry in list {
        let Value::Table(entry) = entry else { return Err("write [[identity.oidc]] and its keys below".to_owned()) };
        let mut entry = entry.clone();
        match entry.remove("id") {
            None if has_one_without => return Err("two providers have no id; give one of them an id".to_owned()),
            None => {
                has_one_without = true;
                sections.extend(entry);
            }
            Some(Value::String(id)) => {
                check_id(&id)?;
                if sections.contains_key(&id) {
                    return Err(format!("two providers have the id {id}"));
                }
                sections.insert(id, Value::Table(entry));
            }
            Some(_) => return Err("the id of a provider must be text in quotes".to_owned()),
        }
    }
    let mut source = source.clone();
    if let Some(Value::Table(identity)) = source.get_mut("identity") {
        identity.insert("oidc".to_owned(), Value::Table(sections));
    }
    Ok(Some(source))
}

/// The settings as [`Config`] reads them: providers with an id are apart from the one without.
pub(super) fn apart(settings: &Table) -> Table {
    let mut settings = settings.clone();
    let Some(Value::Table(identity)) = settings.get_mut("identity") else { return settings };
    let mut more = Table::new();
    if let Some(Value::Table(oidc)) = identity.get_mut("oidc") {
        let ids: Vec<String> = oidc.iter().filter(|(_, value)| value.is_table()).map(|(id, _)| id.clone()).collect();
        for id in ids {
            if let Some(provider) = oidc.remove(&id) {
                more.insert(id, provider);
            }
        }
    }
    identity.insert(MORE.to_owned(), Value::Table(more));
    settings
}

/// The key of a name that [`apart`] gave.
pub(super) fn together(name: String) -> String {
    let of_provider = name.strip_prefix("identity.").and_then(|rest| rest.strip_prefix(MORE)?.strip_prefix('.'));
    of_provider.map(|rest| format!("{SECTION}{rest}")).unwrap_or(name)
}
