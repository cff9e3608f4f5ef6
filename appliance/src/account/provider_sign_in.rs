//! Signing in with a configured provider: which account it is, and how a new one is created. See
//! `docs/behaviour/accounts.md#sign-in-with-a-provider`.
//!
//! The account is the one linked to issuer and subject; otherwise the one that has verified this email, which is then
//! linked (an admin's, or for somebody whom a claim makes one, only after another proof); otherwise a new one. An account that only claims the email is never linked, and loses the email to the one
//! the provider vouches for.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_rules::UserId;
use morpion_store::{CalendarGrant, Credentials, NewUser, StoreError, Unique, User};
use rand::Rng;
use uuid::Uuid;

use super::{
    Accounts,
    error::AccountError,
    limits::RateLimit,
    name_rules::NameRules,
    names::{DisplayName, Username},
    proof::ProofMethod,
    provider::{Claims, Provider, Purpose, Returned, Vouched},
    security_events::{Outcome, SecurityEvent, SecuritySubject},
    session::IssuedSession,
    sign_in::{Browser, guest},
};
use crate::{
    caller::{Call, Identity},
    error::CommonError,
};

/// Usernames tried before the sign-in fails because none was free.
const MAX_NAME_ATTEMPTS: usize = 8;

/// Length of a username's stem before digits are appended, so that the result is not too long.
const ROOM_FOR_DIGITS: usize = 15;

/// What the provider's button sends; only the token is trusted.
#[derive(Debug, Clone)]
pub struct ButtonCredential {
    pub credential: Option<String>,
    /// The requested username, for a new account.
    pub username: Option<String>,
    /// The guest's games move to the account.
    pub keep_guest_games: bool,
}

/// A completed sign-in with the provider.
#[derive(Debug)]
pub struct ProviderSignIn {
    pub user: User,
    pub issued: IssuedSession,
    /// The account was created just now.
    pub is_new: bool,
    /// The guest's games move to the account.
    pub keep_guest_games: bool,
}

impl Accounts {
    /// The provider with this id; empty for the one without.
    ///
    /// # Errors
    /// [`AccountError::ProviderOff`].
    pub fn provider(&self, id: &str) -> Result<&Provider, AccountError> {
        self.providers().find(|provider| provider.id() == id).ok_or(AccountError::ProviderOff)
    }

    /// Those that are on: first the one without an id, then by their ids.
    pub fn providers(&self) -> impl Iterator<Item = &Provider> {
        self.providers.iter().map(|provider| &**provider)
    }

    /// Signs in with the ID token from the provider's button, creating an account if there is none.
    ///
    /// # Errors
    /// As [`Provider::check_credential`]; [`AccountError::SecondFactorRequired`], [`AccountError::NotRegistered`]; [`CommonError::Invalid`] without a token;
    /// [`CommonError::TooMany`].
    pub async fn sign_in_by_button(
        &self,
        call: &Call,
        browser: &Browser,
        payload: ButtonCredential,
    ) -> Result<ProviderSignIn, AccountError> {
        // The others have no button of their own.
        let provider = self.provider("")?;
        self.limits().check(RateLimit::SignIn, call.address)?;
        let credential = payload.credential.clone().unwrap_or_default();
        if credential.is_empty() {
            return Err(CommonError::invalid("credential", "The identity credential is missing.").into());
        }
        let checked = provider.check_credential(&credential, &browser.device).await;
        let vouched = checked.inspect_err(|error| self.log_refusal(call, error))?;
        let claims = self.member(call, provider, vouched).await?;
        let ButtonCredential { username, keep_guest_games, .. } = payload;
        self.sign_in_with_claims(call, browser, claims, username.as_deref(), keep_guest_games).await
    }

    /// The URL at the provider with this id where this browser signs in.
    ///
    /// # Errors
    /// [`AccountError::ProviderOff`], [`CommonError::TooMany`], [`CommonError::Unavailable`].
    pub async fn begin_provider_sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        id: &str,
        keep_guest_games: bool,
    ) -> Result<String, AccountError> {
        let provider = self.provider(id)?;
        self.limits().check(RateLimit::SignIn, call.address)?;
        provider.authorization_url(Purpose::SignIn { keep_guest_games }, &browser.device).await
    }

    /// Completes the sign-in when the browser returns to the URL of the provider with this id.
    ///
    /// # Errors
    /// As [`Provider::finish_sign_in`]; [`AccountError::ProviderNotAllowed`], [`AccountError::NotRegistered`].
    pub async fn finish_provider_sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        id: &str,
        returned: Returned<'_>,
    ) -> Result<ProviderSignIn, AccountError> {
        self.limits().check(RateLimit::SignIn, call.address)?;
        let provider = self.provider(id)?;
        let finished = provider.finish_sign_in(returned, &browser.device).await;
        let (vouched, keep_guest_games) = finished.inspect_err(|error| self.log_refusal(call, error))?;
        let claims = self.member(call, provider, vouched).await?;
        self.sign_in_with_claims(call, browser, claims, None, keep_guest_games).await
    }

    /// Somebody came back with something that the provider did not vouch for.
    fn log_refusal(&self, call: &Call, error: &AccountError) {
        if matches!(error, AccountError::ProviderRefused(_)) {
            let event = SecurityEvent::SignIn(Some(ProofMethod::Provider));
            self.log_security_event(call, event, Outcome::Failed, SecuritySubject::Unknown);
        }
    }

    /// The claims of somebody who may sign in. Anybody else loses the rights that an earlier claim gave.
    async fn member(&self, call: &Call, provider: &Provider, vouched: Vouched) -> Result<Claims, AccountError> {
        match vouched {
            Vouched::Member(claims) => Ok(claims),
            Vouched::Stranger(link) => {
                self.end_claim_of_link(call, &link).await?;
                Err(AccountError::ProviderNotAllowed(provider.config().label()))
            }
        }
    }

    async fn sign_in_with_claims(
        &self,
        call: &Call,
        browser: &Browser,
        claims: Claims,
        requested: Option<&str>,
        keep_guest_games: bool,
    ) -> Result<ProviderSignIn, AccountError> {
        let mut is_new = false;
        let claim = self.admin_claim(&claims);
        let user = match self.store.user_by_provider(&claims.link).await? {
            // A guest with a link is a registration that was interrupted.
            Some(user) if !user.is_temp => self.with_verified_email(user, &claims).await?,
            linked => match self.account_of_email(&claims).await? {
                // An admin's account, or one that becomes one, is linked once it is proved that its owner wants it.
                Some(user) if user.is_admin || claim.is_some() || self.may_become_admin(&user) => {
                    if !user.second_factor && user.password_hash.is_none() {
                        return Err(AccountError::NoPassword);
                    }
                    return Err(self.wait_for_proof(browser, &user, keep_guest_games, Some(claims.link), claim));
                }
                Some(user) => {
                    let linked = self.store.link_provider(user.credentials(), claims.link.clone()).await?;
                    self.sessions.invalidate(UserId(user.id));
                    self.user_with(linked).await?
                }
                None => {
                    is_new = true;
                    let guest = linked.map(|user| user.credentials()).or_else(|| guest(&call.caller));
                    self.create_provider_account(call, &claims, requested, guest).await?
                }
            },
        };
        let user = if claim.is_none() { self.end_claim_of(call, user, &claims.link.iss).await? } else { user };
        if user.second_factor {
            return Err(self.wait_for_proof(browser, &user, keep_guest_games, None, claim));
        }
        let user = self.grant_by_claim(call, user, claim).await?;
        let issued = self.begin_session(call, browser, &user, Some(ProofMethod::Provider)).await?;
        Ok(ProviderSignIn { user, issued, is_new, keep_guest_games })
    }

    /// Whether a claim of a provider that the account is linked to can make it an admin.
    fn may_become_admin(&self, user: &User) -> bool {
        user.providers.iter().any(|link| self.providers().any(|provider| provider.can_make_admins(&link.iss)))
    }

    /// The account that has verified the email, if the provider vouches for it too.
    async fn account_of_email(&self, claims: &Claims) -> Result<Option<User>, AccountError> {
        if !claims.email_verified {
            return Ok(None);
        }
        Ok(self.store.user_by_verified_email(claims.email.as_str()).await?)
    }

    /// An account without a verified email gets the one that the provider vouches for, unless another account has it.
    async fn with_verified_email(&self, user: User, claims: &Claims) -> Result<User, AccountError> {
        if user.email_verified || !claims.email_verified {
            return Ok(user);
        }
        match self.store.verify_email(user.credentials(), claims.email.as_str()).await {
            Ok(verified) => {
                self.sessions.invalidate(UserId(user.id));
                self.user_with(verified).await
            }
            Err(StoreError::Taken(Unique::Email)) => Ok(user),
            Err(error) => Err(error.into()),
        }
    }

    async fn create_provider_account(
        &self,
        call: &Call,
        claims: &Claims,
        requested: Option<&str>,
        guest: Option<Credentials>,
    ) -> Result<User, AccountError> {
        if !self.config.identity.registration {
            return Err(AccountError::NotRegistered);
        }
        self.limits().check(RateLimit::Registration, call.address)?;
        let before = match guest {
            Some(guest) => {
                // The link first: if this is interrupted, the next sign-in finds the guest by it and continues.
                let linked = self.store.link_provider(guest, claims.link.clone()).await?;
                self.sessions.invalidate(UserId(guest.user_id));
                Some(self.user_with(linked).await?)
            }
            None => None,
        };
        let user = self.with_free_username(claims, requested, before).await?;
        self.people.update(&user);
        self.with_verified_email(user, claims).await
    }

    /// Creates the account, or turns the guest into it, under the requested username or a similar one.
    async fn with_free_username(
        &self,
        claims: &Claims,
        requested: Option<&str>,
        guest: Option<User>,
    ) -> Result<User, AccountError> {
        let base = username_from(&self.name_rules(), requested, claims);
        for attempt in 0..MAX_NAME_ATTEMPTS {
            let username = if attempt == 0 { base.clone() } else { with_digits(&base) };
            let new = new_user(&self.name_rules(), claims, username, self.clock.wall());
            let made = match &guest {
                Some(guest) => {
                    let new = NewUser { id: guest.id, display_name: guest.display_name.clone(), provider: None, ..new };
                    self.store.promote_guest(guest.credentials(), new).await
                }
                None => self.store.create_user(new).await,
            };
            match made {
                Err(StoreError::Taken(Unique::Username)) => {}
                // Two tabs at once: the other one created the account.
                Err(StoreError::Taken(Unique::Provider)) => {
                    let made = self.store.user_by_provider(&claims.link).await?;
                    return made.ok_or_else(|| CommonError::unavailable("Please try again.").into());
                }
                made => return Ok(made?),
            }
        }
        Err(CommonError::unavailable("No username was free for you just now. Please try again.").into())
    }

    /// The URL at the provider where the user grants access to the calendar.
    ///
    /// # Errors
    /// [`CommonError::Guest`], [`AccountError::CalendarOff`], [`CommonError::Unavailable`].
    pub async fn begin_calendar(&self, call: &Call, browser: &Browser) -> Result<String, AccountError> {
        let identity = call.caller.member(None)?;
        let Some(provider) = self.providers().find(|provider| provider.config().offers_calendar()) else {
            return Err(AccountError::CalendarOff);
        };
        self.limits().check(RateLimit::SignIn, call.address)?;
        provider.authorization_url(Purpose::Calendar(identity.user_id), &browser.device).await
    }

    /// Completes the request for calendar access; the tokens are stored until the user disconnects.
    ///
    /// # Errors
    /// As [`Provider::finish_calendar`].
    pub async fn finish_calendar(
        &self,
        identity: &Identity,
        browser: &Browser,
        state: &str,
        code: &str,
    ) -> Result<(), AccountError> {
        let user = identity.user_id;
        let tokens = self.provider("")?.finish_calendar(state, code, &browser.device, user).await?;
        let grant = CalendarGrant {
            user_id: user.0,
            access_token: tokens.access,
            refresh_token: tokens.refresh,
            expires_at: self.clock.steady() + TimeDelta::from_std(tokens.life).unwrap_or_default(),
        };
        Ok(self.store.set_calendar_grant(identity.credentials(), grant).await?)
    }
}

fn new_user(rules: &NameRules, claims: &Claims, username: Username, now: DateTime<Utc>) -> NewUser {
    let called =
        claims.name.as_deref().and_then(|name| DisplayName::parse(name).and_then(|name| rules.allow(name)).ok());
    NewUser {
        id: Uuid::new_v4(),
        display_name: called.unwrap_or_else(|| DisplayName::from(&username)).into(),
        username: username.into(),
        first_name: claims.first_name.clone().into(),
        last_name: claims.last_name.clone().into(),
        // One that the provider vouches for is set right afterwards, which also removes it from accounts that only claim it.
        email: (!claims.email_verified).then(|| claims.email.clone().into()),
        email_verified: false,
        password_hash: None,
        provider: Some(claims.link.clone()),
        is_temp: false,
        created_at: now,
    }
}

/// The requested username if it is valid and allowed, otherwise one derived from the name. Never from the email: every
/// opponent sees it.
fn username_from(rules: &NameRules, requested: Option<&str>, claims: &Claims) -> Username {
    let given = claims.first_name.as_str();
    let names = [claims.name.as_deref().unwrap_or_default(), given];
    // A client may derive its request from the email by itself.
    let requested = requested.filter(|requested| !derives_from_email(requested, claims.email.as_str()));
    let mut known = requested.into_iter().map(str::to_owned).chain(names.into_iter().map(to_ascii));
    let username = known.find_map(|text| Username::parse(&text).and_then(|name| rules.allow(name)).ok());
    username.unwrap_or_else(|| {
        let number = rand::rng().random_range(1_000..10_000);
        Username::parse(&format!("player{number}")).expect("letters and digits")
    })
}

fn derives_from_email(requested: &str, email: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let local = letters(email.split('@').next().unwrap_or_default());
    let requested = letters(requested);
    // Two letters of it reveal nothing.
    requested == local || (local.len() > 2 && requested.trim_start_matches("player").starts_with(&local))
}

/// A name in the characters that usernames allow: `Zoë Müller` becomes `Zoe.Muller`. What looks like an email is not
/// used.
fn to_ascii(name: &str) -> String {
    if name.contains('@') {
        return String::new();
    }
    let words = deunicode::deunicode(name);
    let words =
        words.split_whitespace().map(|word| word.chars().filter(char::is_ascii_alphanumeric).collect::<String>());
    let text = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(".");
    text.chars().take(20).collect::<String>().trim_end_matches('.').to_owned()
}

fn with_digits(base: &Username) -> Username {
    let stem: String = base.as_str().chars().take(ROOM_FOR_DIGITS).collect();
    let number = rand::rng().random_range(1_000..10_000);
    Username::parse(&format!("{stem}{number}")).expect("a username with digits at its end is one")
}

#[cfg(test)]
mod tests {
    use morpion_store::ProviderLink;

    use super::*;
    use crate::account::names::{Email, PersonName};

    fn claims(name: Option<&str>, first_name: &str) -> Claims {
        Claims {
            link: ProviderLink { iss: "https://id.example.org".to_owned(), sub: "1".to_owned() },
            email: Email::parse("secret.person@example.org").unwrap(),
            email_verified: true,
            admin_group: None,
            first_name: PersonName::parse(first_name).unwrap(),
            last_name: PersonName::default(),
            name: name.map(str::to_owned),
        }
    }

    #[test]
    fn a_username_is_the_wish_or_made_of_the_name_and_never_of_the_email() {
        let name = |requested: Option<&str>, name: Option<&str>| {
            username_from(&NameRules::default(), requested, &claims(name, "")).as_str().to_owned()
        };
        assert_eq!(name(Some("ada"), Some("Ada Lovelace")), "ada");
        assert_eq!(name(Some("not a name"), Some("Ada  Lovelace")), "Ada.Lovelace");
        for of_email in ["secret.person", "SecretPerson", "player.secret.person", "secret_person_1"] {
            assert_eq!(name(Some(of_email), Some("Ada Lovelace")), "Ada.Lovelace", "{of_email}");
        }
        assert_eq!(name(None, Some("Zoë Müller-Lüdenscheidt")), "Zoe.MullerLudenschei");
        assert_eq!(name(None, Some("averyveryveryvery long name")), "averyveryveryvery.lo");
        assert_eq!(name(None, Some("averyveryveryveryve x")), "averyveryveryveryve");
        assert_eq!(username_from(&NameRules::default(), None, &claims(None, "Zoë")).as_str(), "Zoe");
        assert_eq!(name(Some("Adm1n"), Some("Ada Lovelace")), "Ada.Lovelace");
        assert_eq!(name(Some("admin"), Some("Mr F u c k")).len(), 10, "neither name is allowed");
        for unusable in [None, Some(""), Some("é"), Some("  "), Some("secret.person@example.org"), Some("<>&\"'")] {
            let made = name(None, unusable);
            assert!(made.starts_with("player") && made.len() == 10, "{unusable:?}: {made}");
        }
        assert_eq!(with_digits(&Username::parse("12345678901234567890").unwrap()).as_str().len(), 19);
    }
}
