//! Signing in with the configured provider: which account it is, and how a new one comes about. See
//! `docs/behaviour/accounts.md#sign-in-with-a-provider`.
//!
//! The account is the one linked to issuer and subject; else the one that has verified this email, which is linked then;
//! else a new one. An account that only claims the email is never linked, and loses the email to whom the provider
//! vouches for.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::account::{LoginRequest, RegisterRequest};
use morpion_rules::UserId;
use morpion_store::{CalendarGrant, NewUser, StoreError, Unique, User};
use rand::Rng;
use uuid::Uuid;

use super::{
    Accounts,
    limits::Kind,
    names::{DisplayName, Username},
    provider::{Claims, Provider, Purpose},
    session::Fresh,
    sign_in::{Browser, guest},
};
use crate::{
    caller::{Call, Identity},
    error::{ApiError, ErrorKind},
};

/// Usernames that are tried before somebody has to hear that none was free.
const NAMES_TRIED: usize = 8;

/// Digits that tell a username from a taken one make it at most this much longer than the longest one allowed.
const ROOM_FOR_DIGITS: usize = 15;

/// What the provider's button sends, of which only the token is believed.
#[derive(Debug, Clone)]
pub struct ButtonPayload {
    pub credential: Option<String>,
    /// A wish, for a new account.
    pub username: Option<String>,
}

/// Somebody came in with a provider.
#[derive(Debug)]
pub struct Entered {
    pub user: User,
    pub fresh: Fresh,
    /// The account was made now.
    pub is_new: bool,
    /// A guest brings their games along.
    pub keep_guest_games: bool,
}

impl From<LoginRequest> for ButtonPayload {
    fn from(request: LoginRequest) -> Self {
        Self { credential: request.credential, username: request.username }
    }
}

impl From<RegisterRequest> for ButtonPayload {
    fn from(request: RegisterRequest) -> Self {
        Self { credential: request.credential, username: request.username }
    }
}

impl Accounts {
    /// # Errors
    /// 403 where no provider is configured.
    pub fn provider(&self) -> Result<&Provider, ApiError> {
        self.provider.as_deref().ok_or_else(|| {
            let text = "This server has no other provider to sign in with.";
            ApiError::new(ErrorKind::Forbidden, "provider-off", text)
        })
    }

    /// Signs in, or makes an account, with the ID token that the provider's button gave.
    ///
    /// # Errors
    /// As [`Provider::check_credential`], and 403 where no account may be made, 422 without a token, 429.
    pub async fn sign_in_by_button(
        &self,
        call: &Call,
        browser: &Browser,
        payload: ButtonPayload,
    ) -> Result<Entered, ApiError> {
        let provider = self.provider()?;
        self.limits().check(Kind::SignIn, call.address)?;
        let credential = payload.credential.unwrap_or_default();
        if credential.is_empty() {
            return Err(ApiError::invalid("credential", "The identity credential is missing."));
        }
        let claims = provider.check_credential(&credential, &browser.device).await?;
        self.enter(call, browser, claims, payload.username.as_deref()).await
    }

    /// Where this browser signs in with the provider.
    ///
    /// # Errors
    /// 403 where no provider is configured, 429, 503.
    pub async fn begin_provider_sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        keep_guest_games: bool,
    ) -> Result<String, ApiError> {
        let provider = self.provider()?;
        self.limits().check(Kind::SignIn, call.address)?;
        provider.begin(Purpose::SignIn { keep_guest_games }, &browser.device).await
    }

    /// The browser is back from there.
    ///
    /// # Errors
    /// As [`Provider::finish_sign_in`], and 403 where no account may be made.
    pub async fn finish_provider_sign_in(
        &self,
        call: &Call,
        browser: &Browser,
        state: &str,
        code: &str,
    ) -> Result<Entered, ApiError> {
        self.limits().check(Kind::SignIn, call.address)?;
        let (claims, keep_guest_games) = self.provider()?.finish_sign_in(state, code, &browser.device).await?;
        let entered = self.enter(call, browser, claims, None).await?;
        Ok(Entered { keep_guest_games, ..entered })
    }

    async fn enter(
        &self,
        call: &Call,
        browser: &Browser,
        claims: Claims,
        wished: Option<&str>,
    ) -> Result<Entered, ApiError> {
        let mut is_new = false;
        let user = match self.store.user_by_provider(&claims.link).await? {
            // A guest with a link is one whose registration broke off.
            Some(user) if !user.is_temp => self.with_email(user, &claims).await?,
            linked => match self.store.user_by_verified_email(claims.email.as_str()).await? {
                Some(user) => {
                    self.store.link_provider(user.id, claims.link.clone()).await?;
                    user
                }
                None => {
                    is_new = true;
                    let guest = linked.map(|user| UserId(user.id)).or_else(|| guest(&call.caller));
                    self.make_account(call, &claims, wished, guest).await?
                }
            },
        };
        let fresh = self.begin_session(call, browser, &user).await?;
        Ok(Entered { user, fresh, is_new, keep_guest_games: false })
    }

    /// Somebody who has verified no email yet gets the one that the provider vouches for, unless another has it.
    async fn with_email(&self, user: User, claims: &Claims) -> Result<User, ApiError> {
        if user.email_verified {
            return Ok(user);
        }
        match self.store.verify_email(user.id, claims.email.as_str()).await {
            Ok(()) => self.user(UserId(user.id)).await,
            Err(StoreError::Taken(Unique::Email)) => Ok(user),
            Err(error) => Err(error.into()),
        }
    }

    async fn make_account(
        &self,
        call: &Call,
        claims: &Claims,
        wished: Option<&str>,
        guest: Option<UserId>,
    ) -> Result<User, ApiError> {
        if !self.config.identity.registration {
            let text = "There is no account for this sign-in, and this server takes no new ones.";
            return Err(ApiError::new(ErrorKind::Forbidden, "registration-off", text));
        }
        self.limits().check(Kind::Registration, call.address)?;
        let before = match guest {
            Some(guest) => {
                // First the link: if this breaks off, the next sign-in finds the guest by it and goes on.
                self.store.link_provider(guest.0, claims.link.clone()).await?;
                Some(self.user(guest).await?)
            }
            None => None,
        };
        let user = self.with_free_username(claims, wished, before).await?;
        self.people.update(&user);
        self.with_email(user, claims).await
    }

    /// Makes the account, out of a guest's if there is one, under the wished username or one like it.
    async fn with_free_username(
        &self,
        claims: &Claims,
        wished: Option<&str>,
        guest: Option<User>,
    ) -> Result<User, ApiError> {
        let base = username_from(wished, claims);
        for attempt in 0..NAMES_TRIED {
            let username = if attempt == 0 { base.clone() } else { with_digits(&base) };
            let new = new_user(claims, username, self.clock.wall());
            let made = match &guest {
                Some(guest) => {
                    let new = NewUser { id: guest.id, display_name: guest.display_name.clone(), provider: None, ..new };
                    self.store.promote_guest(guest.id, new).await
                }
                None => self.store.create_user(new).await,
            };
            match made {
                Err(StoreError::Taken(Unique::Username)) => {}
                // Two tabs at once: the other one made the account.
                Err(StoreError::Taken(Unique::Provider)) => {
                    let made = self.store.user_by_provider(&claims.link).await?;
                    return made.ok_or_else(|| ApiError::unavailable("Please try again."));
                }
                made => return Ok(made?),
            }
        }
        Err(ApiError::unavailable("No username was free for you just now. Please try again."))
    }

    /// Where to allow access to one's calendar.
    ///
    /// # Errors
    /// 403 for guests, 409 `calendar-off` where none is configured, 503.
    pub async fn begin_calendar(&self, call: &Call, browser: &Browser) -> Result<String, ApiError> {
        let identity = call.caller.member(None)?;
        let offered = self.provider.as_ref().filter(|provider| provider.config().offers_calendar());
        let Some(provider) = offered else {
            return Err(ApiError::conflict("calendar-off", "Calendars cannot be connected on this server."));
        };
        self.limits().check(Kind::SignIn, call.address)?;
        provider.begin(Purpose::Calendar(identity.user_id), &browser.device).await
    }

    /// The browser is back from there: what it brings is kept until it is disconnected.
    ///
    /// # Errors
    /// As [`Provider::finish_calendar`].
    pub async fn finish_calendar(
        &self,
        identity: &Identity,
        browser: &Browser,
        state: &str,
        code: &str,
    ) -> Result<(), ApiError> {
        let user = identity.user_id;
        let tokens = self.provider()?.finish_calendar(state, code, &browser.device, user).await?;
        let grant = CalendarGrant {
            user_id: user.0,
            access_token: tokens.access,
            refresh_token: tokens.refresh,
            expires_at: self.clock.steady() + TimeDelta::from_std(tokens.life).unwrap_or_default(),
        };
        Ok(self.store.set_calendar_grant(grant).await?)
    }
}

fn new_user(claims: &Claims, username: Username, now: DateTime<Utc>) -> NewUser {
    let called = claims.name.as_deref().and_then(|name| DisplayName::parse(name).ok());
    NewUser {
        id: Uuid::new_v4(),
        display_name: called.unwrap_or_else(|| DisplayName::from(&username)).into(),
        username: username.into(),
        first_name: claims.first_name.clone().into(),
        last_name: claims.last_name.clone().into(),
        // It comes right after, and takes it from those who only claim it.
        email: None,
        email_verified: false,
        password_hash: None,
        provider: Some(claims.link.clone()),
        is_temp: false,
        created_at: now,
    }
}

/// The wish if it is a username, else what can be made of the name. Never anything of the email: every opponent sees it.
fn username_from(wished: Option<&str>, claims: &Claims) -> Username {
    let given = claims.first_name.as_str();
    let names = [claims.name.as_deref().unwrap_or_default(), given];
    // A client may make its wish of the email by itself.
    let wished = wished.filter(|wish| !is_of_email(wish, claims.email.as_str()));
    let mut known = wished.into_iter().map(str::to_owned).chain(names.into_iter().map(in_ascii));
    let username = known.find_map(|text| Username::parse(&text).ok());
    username.unwrap_or_else(|| {
        let number = rand::rng().random_range(1_000..10_000);
        Username::parse(&format!("player{number}")).expect("letters and digits")
    })
}

fn is_of_email(wish: &str, email: &str) -> bool {
    let letters = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let local = letters(email.split('@').next().unwrap_or_default());
    let wish = letters(wish);
    // Two letters of it tell nothing.
    wish == local || (local.len() > 2 && wish.trim_start_matches("player").starts_with(&local))
}

/// A name in the letters that usernames have: `Zoë Müller` is `Zoe.Muller`. What looks like an email is no name.
fn in_ascii(name: &str) -> String {
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
            first_name: PersonName::parse(first_name).unwrap(),
            last_name: PersonName::default(),
            name: name.map(str::to_owned),
        }
    }

    #[test]
    fn a_username_is_the_wish_or_made_of_the_name_and_never_of_the_email() {
        let name = |wish: Option<&str>, name: Option<&str>| username_from(wish, &claims(name, "")).as_str().to_owned();
        assert_eq!(name(Some("ada"), Some("Ada Lovelace")), "ada");
        assert_eq!(name(Some("not a name"), Some("Ada  Lovelace")), "Ada.Lovelace");
        for of_email in ["secret.person", "SecretPerson", "player.secret.person", "secret_person_1"] {
            assert_eq!(name(Some(of_email), Some("Ada Lovelace")), "Ada.Lovelace", "{of_email}");
        }
        assert_eq!(name(None, Some("Zoë Müller-Lüdenscheidt")), "Zoe.MullerLudenschei");
        assert_eq!(name(None, Some("averyveryveryvery long name")), "averyveryveryvery.lo");
        assert_eq!(name(None, Some("averyveryveryveryve x")), "averyveryveryveryve");
        assert_eq!(username_from(None, &claims(None, "Zoë")).as_str(), "Zoe");
        for unusable in [None, Some(""), Some("é"), Some("  "), Some("secret.person@example.org"), Some("<>&\"'")] {
            let made = name(None, unusable);
            assert!(made.starts_with("player") && made.len() == 10, "{unusable:?}: {made}");
        }
        assert_eq!(with_digits(&Username::parse("12345678901234567890").unwrap()).as_str().len(), 19);
    }
}
