//! Signing in with the configured provider: which account it is, and how a new one comes about (decisions: accounts and
//! sessions).
//!
//! The account is the one linked to issuer and subject; else the one that has verified this email, which is linked then;
//! else a new one. An account that only claims the email is never linked, and loses the email to whom the provider
//! vouches for.

use chrono::{DateTime, TimeDelta, Utc};
use morpion_openapi::account::{LoginRequest, RegisterRequest};
use morpion_rules::UserId;
use morpion_store::{CalendarGrant, NewUser, StoreError, Unique, User};
use poem::http::StatusCode;
use rand::Rng;
use uuid::Uuid;

use super::{
    Accounts, Identity,
    limits::Kind,
    names::{DisplayName, Username},
    provider::{Claims, Provider, Purpose},
    session::Fresh,
    sign_in::{Browser, guest},
};
use crate::http::{Fault, body::Call};

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

impl From<LoginRequest> for ButtonPayload {
    fn from(request: LoginRequest) -> Self {
        Self { credential: request.credential, username: request.username }
    }
}

impl From<RegisterRequest> for ButtonPayload {
    fn from(request: RegisterRequest) -> Self {
        Self { credential: request.credential, username: Some(request.username) }
    }
}

impl Accounts {
    /// # Errors
    /// 403 where no provider is configured.
    pub fn provider(&self) -> Result<&Provider, Fault> {
        self.provider.as_deref().ok_or_else(|| {
            let text = "This server has no other provider to sign in with.";
            Fault::new(StatusCode::FORBIDDEN, "provider-off", text)
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
    ) -> Result<(User, Fresh), Fault> {
        let provider = self.provider()?;
        self.limits().check(Kind::SignIn, call.address)?;
        let credential = payload.credential.unwrap_or_default();
        if credential.is_empty() {
            return Err(Fault::invalid("credential", "The identity credential is missing."));
        }
        let claims = provider.check_credential(&credential, &browser.device).await?;
        self.enter(call, browser, claims, payload.username.as_deref()).await
    }

    /// Where this browser signs in with the provider.
    ///
    /// # Errors
    /// 403 where no provider is configured, 429, 503.
    pub async fn begin_provider_sign_in(&self, call: &Call, browser: &Browser) -> Result<String, Fault> {
        let provider = self.provider()?;
        self.limits().check(Kind::SignIn, call.address)?;
        provider.begin(Purpose::SignIn, &browser.device).await
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
    ) -> Result<(User, Fresh), Fault> {
        self.limits().check(Kind::SignIn, call.address)?;
        let claims = self.provider()?.finish_sign_in(state, code, &browser.device).await?;
        self.enter(call, browser, claims, None).await
    }

    async fn enter(
        &self,
        call: &Call,
        browser: &Browser,
        claims: Claims,
        wished: Option<&str>,
    ) -> Result<(User, Fresh), Fault> {
        let user = match self.store.user_by_provider(&claims.link).await? {
            // A guest with a link is one whose registration broke off.
            Some(user) if !user.is_temp => self.with_email(user, &claims).await?,
            linked => match self.store.user_by_verified_email(claims.email.as_str()).await? {
                Some(user) => {
                    self.store.link_provider(user.id, claims.link.clone()).await?;
                    user
                }
                None => {
                    let guest = linked.map(|user| UserId(user.id)).or_else(|| guest(&call.caller));
                    self.make_account(call, &claims, wished, guest).await?
                }
            },
        };
        let fresh = self.begin_session(call, browser, &user).await?;
        Ok((user, fresh))
    }

    /// Somebody who has verified no email yet gets the one that the provider vouches for, unless another has it.
    async fn with_email(&self, user: User, claims: &Claims) -> Result<User, Fault> {
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
    ) -> Result<User, Fault> {
        if !self.config.identity.registration {
            let text = "There is no account for this sign-in, and this server takes no new ones.";
            return Err(Fault::new(StatusCode::FORBIDDEN, "registration-off", text));
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
        self.people.note(&user);
        self.with_email(user, claims).await
    }

    /// Makes the account, out of a guest's if there is one, under the wished username or one like it.
    async fn with_free_username(
        &self,
        claims: &Claims,
        wished: Option<&str>,
        guest: Option<User>,
    ) -> Result<User, Fault> {
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
                    return made.ok_or_else(|| Fault::unavailable("Please try again."));
                }
                made => return Ok(made?),
            }
        }
        Err(Fault::unavailable("No username was free for you just now. Please try again."))
    }

    /// Where to allow access to one's calendar.
    ///
    /// # Errors
    /// 403 for guests, 409 `calendar-off` where none is configured, 503.
    pub async fn begin_calendar(&self, call: &Call, browser: &Browser) -> Result<String, Fault> {
        let identity = call.caller.member(None)?;
        let offered = self.provider.as_ref().filter(|provider| provider.config().offers_calendar());
        let Some(provider) = offered else {
            return Err(Fault::conflict("calendar-off", "Calendars cannot be connected on this server."));
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
    ) -> Result<(), Fault> {
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

/// The wish if it is a username, else what can be made of the email.
fn username_from(wished: Option<&str>, claims: &Claims) -> Username {
    if let Some(username) = wished.and_then(|text| Username::parse(text).ok()) {
        return username;
    }
    let local = claims.email.as_str().split('@').next().unwrap_or_default();
    let allowed = |character: &char| character.is_ascii_alphanumeric() || "_.-".contains(*character);
    let text: String = local.chars().filter(allowed).take(20).collect();
    Username::parse(&text).or_else(|_| Username::parse(&format!("player{text}"))).unwrap_or_else(|_| {
        let number = rand::rng().random_range(1_000..10_000);
        Username::parse(&format!("player{number}")).expect("letters and digits")
    })
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

    fn claims(email: &str) -> Claims {
        Claims {
            link: ProviderLink { iss: "https://id.example.org".to_owned(), sub: "1".to_owned() },
            email: Email::parse(email).unwrap(),
            first_name: PersonName::default(),
            last_name: PersonName::default(),
            name: None,
        }
    }

    #[test]
    fn a_username_is_the_wish_or_made_of_the_email() {
        let name = |wish: Option<&str>, email: &str| username_from(wish, &claims(email)).as_str().to_owned();
        assert_eq!(name(Some("ada"), "x@example.org"), "ada");
        assert_eq!(name(Some("not a name"), "ada.l@example.org"), "ada.l");
        assert_eq!(name(None, "ünï-é1x@example.org"), "n-1x");
        assert_eq!(name(None, "a@example.org"), "playera");
        assert_eq!(name(None, "averyveryveryverylongname@example.org").len(), 20);
        assert!(name(None, "é@example.org").starts_with("player"));
        assert_eq!(with_digits(&Username::parse("12345678901234567890").unwrap()).as_str().len(), 19);
    }
}
