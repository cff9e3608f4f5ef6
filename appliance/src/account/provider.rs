//! The OpenID Connect providers that may be configured: their keys, their tokens, and the redirect to one and back. See
//! `docs/behaviour/accounts.md#sign-in-with-a-provider`. Each stands alone: one that is away delays neither the start nor another.
//!
//! An ID token arrives in one of two ways: from Google's button, with a nonce that [`Provider::nonce`] issued to this
//! browser; or in exchange for a code that the browser brings back, with PKCE and a state that this browser started
//! with. Both lead to [`Claims`], after checking signature, issuer, audience, expiry, nonce and verified email. Where the
//! token of the second way lacks the email, userinfo is asked.
//!
//! Providers differ in what they leave out and in the form of what they send. Nothing that is not used decides: documents
//! and tokens are read member by member, not as a whole.

mod claims;
mod discovery;
mod flow;
mod jwt;
mod nonce;
mod requests;

use std::{
    collections::HashMap,
    fmt::Display,
    sync::Arc,
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use morpion_store::{AdminClaim, ProviderLink};
use parking_lot::{Mutex, RwLock};
use serde_json::{Map, Value};
use tokio::sync::Semaphore;

use super::error::AccountError;
use crate::{
    clock::Clock,
    config::{Config, OidcIdentity},
    error::CommonError,
};
pub use claims::Claims;
use discovery::Announced;
use flow::Flow;
pub use flow::{CalendarTokens, Purpose, Returned};
use jwt::{BadSignature, Expected, Jwt, Refusal};
use nonce::Nonces;
use requests::{Failure, Requests};

/// How long the provider's keys and endpoints are cached.
const ANNOUNCED_LIFE: Duration = Duration::from_secs(3_600);

/// A token signed with an unknown key causes a refetch, at most this often: anybody can send such tokens.
const MIN_REFETCH_INTERVAL: Duration = Duration::from_secs(30);

/// A provider that could not be reached or used is left alone for this long, twice as long after each further failure, and at
/// most for [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What is refused about somebody who is in no group that may sign in.
const NOT_ALLOWED: &str = "the person";

/// How long operators are told of a sign-in that was refused, unless one succeeds.
const NOTICE_LIFE: TimeDelta = TimeDelta::days(1);

/// Whom the provider vouches for.
#[derive(Debug)]
pub enum Vouched {
    Member(Claims),
    /// Somebody in no group that may sign in.
    Stranger(ProviderLink),
}

/// A provider that could not be reached or used the last time.
#[derive(Debug, Clone, Copy)]
struct Away {
    /// It is asked again then.
    until: Instant,
    pause: Duration,
}

/// See the module.
pub struct Provider {
    /// Empty for the one without.
    id: String,
    config: OidcIdentity,
    requests: Requests,
    /// Where people find this server.
    origin: String,
    fetched: RwLock<Option<Arc<Announced>>>,
    away: Mutex<Option<Away>>,
    /// Held while the metadata is fetched: other requests wait for that answer.
    turn: Semaphore,
    flows: Mutex<HashMap<String, Flow>>,
    nonces: Nonces,
    /// Why the latest sign-in was refused, unless one succeeded since.
    refusal: Mutex<Option<(DateTime<Utc>, String)>>,
    clock: Clock,
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.config.issuer).finish_non_exhaustive()
    }
}

impl Provider {
    /// The configured providers: first the one without an id, then by their ids.
    ///
    /// # Errors
    /// The system's certificates cannot be read.
    pub fn all(config: &Config, clock: &Clock) -> anyhow::Result<Vec<Self>> {
        config.identity.providers().map(|(id, oidc)| Self::new(id, oidc, config, clock)).collect()
    }

    fn new(id: &str, oidc: &OidcIdentity, config: &Config, clock: &Clock) -> anyhow::Result<Self> {
        Ok(Self {
            id: id.to_owned(),
            requests: Requests::new()?,
            origin: config.public_origin().to_string(),
            config: oidc.clone(),
            fetched: RwLock::default(),
            away: Mutex::default(),
            turn: Semaphore::new(1),
            flows: Mutex::default(),
            nonces: Nonces::default(),
            refusal: Mutex::default(),
            clock: clock.clone(),
        })
    }

    /// Empty for the one without.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether the page has Google's own button for it.
    pub fn has_own_button(&self) -> bool {
        self.id.is_empty() && self.config.is_google()
    }

    /// Whether this is its issuer, and its claims can make people admins.
    pub fn can_make_admins(&self, issuer: &str) -> bool {
        self.config.issuer.trim_end_matches('/') == issuer.trim_end_matches('/') && !self.config.admin_groups.is_empty()
    }

    /// Whether it still grants this claim.
    pub fn grants(&self, AdminClaim { iss, group, .. }: &AdminClaim) -> bool {
        self.can_make_admins(iss) && self.config.admin_groups.contains(group)
    }

    /// Whether it could not be reached or used when it was asked last.
    pub fn is_away(&self) -> bool {
        self.away.lock().is_some()
    }

    pub fn config(&self) -> &OidcIdentity {
        &self.config
    }

    /// Fetches the provider's endpoints and keys, whatever is cached, and returns what an operator should know of them.
    ///
    /// # Errors
    /// Why the answer cannot be used.
    pub async fn check(&self) -> anyhow::Result<Vec<String>> {
        match Announced::fetch(&self.requests, &self.config.issuer).await {
            Ok(announced) => Ok(announced.notes),
            Err(failure @ Failure::Unreachable(_)) => {
                anyhow::bail!("{} cannot be reached: {failure}", self.config.label())
            }
            Err(failure) => anyhow::bail!("the announcement of {} cannot be used: {failure}", self.config.label()),
        }
    }

    /// What operators should know of sign-ins, if anything.
    pub fn notice(&self) -> Option<String> {
        let (at, why) = self.refusal.lock().clone()?;
        (self.clock.wall() - at < NOTICE_LIFE).then(|| {
            let (name, at) = (self.config.label(), at.format("%F %T UTC"));
            format!("The latest sign-in with {name} was refused ({at}): {why}.")
        })
    }

    async fn fetch_announced(&self) -> Result<Arc<Announced>, AccountError> {
        let asked = Instant::now();
        let _turn = self.turn.acquire().await.map_err(|_| self.unavailable())?;
        // Somebody else may have got an answer meanwhile, or none.
        let fetched = self.fetched.read().clone().filter(|fetched| fetched.at > asked);
        if let Some(fetched) = fetched {
            return Ok(fetched);
        }
        let away = *self.away.lock();
        if away.is_some_and(|away| Instant::now() < away.until) {
            return Err(self.unavailable().into());
        }
        let announced = Announced::fetch(&self.requests, &self.config.issuer).await;
        let pause = away.map_or(FIRST_PAUSE, |away| (away.pause * 2).min(LONGEST_PAUSE));
        *self.away.lock() = announced.is_err().then(|| Away { until: Instant::now() + pause, pause });
        let fetched = Arc::new(announced.map_err(|failure| self.unreachable(&failure))?);
        for note in &fetched.notes {
            tracing::warn!(issuer = self.config.issuer, note, "the identity provider may not work");
        }
        *self.fetched.write() = Some(Arc::clone(&fetched));
        Ok(fetched)
    }

    async fn announced(&self) -> Result<Arc<Announced>, AccountError> {
        let known = self.fetched.read().clone();
        match known {
            Some(fetched) if fetched.at.elapsed() < ANNOUNCED_LIFE => Ok(fetched),
            // Keys rarely change: while the provider is down, the cached ones are better than none.
            Some(old) => Ok(self.fetch_announced().await.unwrap_or(old)),
            None => self.fetch_announced().await,
        }
    }

    /// A nonce for the provider's button in this browser, identified by its device cookie.
    pub fn nonce(&self, device: &str) -> String {
        self.nonces.issue(device, Instant::now())
    }

    /// Checks an ID token that the provider's button gave to this browser. It can be used once.
    ///
    /// # Errors
    /// [`AccountError::ProviderRefused`] for an invalid token, [`AccountError::ProviderEmailUnverified`],
    /// [`CommonError::Unavailable`].
    pub async fn check_credential(&self, credential: &str, device: &str) -> Result<Vouched, AccountError> {
        let check = |nonce: Option<&str>| match nonce {
            Some(nonce) if self.nonces.is_valid(nonce, device, Instant::now()) => Ok(()),
            _ => Err(Refusal::new("nonce", "is none of ours, of another browser, too old or was used")),
        };
        let checked = self.check_id_token(credential, check).await?;
        let (link, claims) = checked.map_err(|refusal| self.refused(&refusal))?;
        let nonce = jwt::text(&claims, "nonce").unwrap_or_default();
        if !self.nonces.consume(nonce.to_owned(), Instant::now()) {
            return Err(self.refused(&Refusal::new("nonce", "was used meanwhile")));
        }
        let read = self.read(link.clone(), &[&claims]).map_err(|refusal| self.refused_by_us(&refusal));
        self.vouched(link, read)
    }

    /// The subject and claims of an ID token, or why it is refused.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`].
    async fn check_id_token(
        &self,
        text: &str,
        nonce: impl FnOnce(Option<&str>) -> Result<(), Refusal>,
    ) -> Result<Result<(ProviderLink, Map<String, Value>), Refusal>, AccountError> {
        let token = match Jwt::parse(text) {
            Ok(token) => token,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let mut announced = self.announced().await?;
        let claims = loop {
            match token.verify(&announced.keys) {
                Ok(claims) => break claims,
                Err(BadSignature::NoKey) if announced.at.elapsed() > MIN_REFETCH_INTERVAL => {
                    announced = self.fetch_announced().await?;
                }
                Err(BadSignature::NoKey) => {
                    return Ok(Err(Refusal::new("kid", "is that of no key of the provider")));
                }
                Err(BadSignature::Refused(refusal)) => return Ok(Err(refusal)),
            }
        };
        let expected = Expected { issuer: &announced.issuer, client: &self.config.client_id };
        let checked = expected.check_id_token(claims, self.clock.wall()).and_then(|sub| {
            nonce(jwt::text(claims, "nonce"))?;
            Ok((ProviderLink { iss: announced.issuer.clone(), sub }, claims.clone()))
        });
        Ok(checked)
    }

    /// The claims of an ID token, with those of userinfo where it lacks some.
    async fn complete(
        &self,
        announced: &Announced,
        link: ProviderLink,
        token: &Map<String, Value>,
        access: Option<&str>,
    ) -> Result<Claims, AccountError> {
        if claims::are_complete(token, &self.config) {
            return self.read(link, &[token]).map_err(|refusal| self.refused_by_us(&refusal));
        }
        let (told, asked) = match (&announced.userinfo, access) {
            (Some(address), Some(access)) => {
                match self.userinfo(announced, address.as_str(), access, &link.sub).await {
                    Ok(userinfo) => (userinfo, Ok(" in the ID token and at userinfo".to_owned())),
                    Err(failure) => (Map::new(), Err(failure)),
                }
            }
            _ => (Map::new(), Ok(" in the ID token, and there is no userinfo_endpoint or access_token".to_owned())),
        };
        // Perhaps it would have said who is an admin.
        if let Err(failure @ Failure::Unreachable(_)) = &asked
            && !self.config.admin_groups.is_empty()
            && !claims::name_groups(token, &self.config)
        {
            return Err(self.unreachable(failure).into());
        }
        self.read(link, &[token, &told]).map_err(|mut refusal| match asked {
            // Perhaps it would have said what is missing.
            Err(failure @ Failure::Unreachable(_)) => self.unreachable(&failure).into(),
            Err(failure) => {
                refusal.why += &format!(" in the ID token, and userinfo cannot be used: {failure}");
                self.refused_by_us(&refusal)
            }
            Ok(asked) => {
                refusal.why += if refusal.why.ends_with("is missing") { &asked } else { "" };
                self.refused_by_us(&refusal)
            }
        })
    }

    /// What the claims say of somebody who may sign in.
    fn read(&self, link: ProviderLink, told: &[&Map<String, Value>]) -> Result<Claims, Refusal> {
        let membership = claims::membership(told, &self.config)?;
        if !membership.is_allowed {
            return Err(Refusal::new(NOT_ALLOWED, "has none of identity.oidc.allowed_groups"));
        }
        Claims::read(link, told, self.config.accept_missing_email_verified, membership.admin_group)
    }

    /// Tells who may not sign in apart from what cannot be used.
    fn vouched(&self, link: ProviderLink, read: Result<Claims, AccountError>) -> Result<Vouched, AccountError> {
        match read {
            Ok(claims) => {
                self.note_success();
                Ok(Vouched::Member(claims))
            }
            Err(AccountError::ProviderNotAllowed(_)) => Ok(Vouched::Stranger(link)),
            Err(error) => Err(error),
        }
    }

    async fn userinfo(
        &self,
        announced: &Announced,
        address: &str,
        access: &str,
        subject: &str,
    ) -> Result<Map<String, Value>, Failure> {
        let answer = self.requests.get(address, Some(access)).await?;
        let refused = |why: &dyn Display| Failure::Unusable(format!("{address}: {why}"));
        // It is an object or, where the client is registered so, a signed token.
        let claims = match requests::object(address, &answer) {
            Ok(claims) => claims,
            Err(failure) => {
                let text = std::str::from_utf8(&answer).map_err(|_| failure)?;
                let token = Jwt::parse(text).map_err(|refusal| refused(&refusal))?;
                let claims = token.verify(&announced.keys).map_err(|_| refused(&"the signature is not the provider's"));
                claims?.clone()
            }
        };
        // OpenID Connect Core, 5.3.2: an answer about somebody else must not be used.
        if jwt::subject(&claims).as_deref() != Some(subject) {
            return Err(refused(&"sub is not that of the ID token"));
        }
        Ok(claims)
    }

    /// Revokes a token and its whole grant at the provider (RFC 7009). An unknown token counts as revoked.
    ///
    /// # Errors
    /// The provider is unreachable or refuses.
    pub async fn revoke(&self, token: &str) -> anyhow::Result<()> {
        let announced = self.announced().await?;
        // Without such an endpoint the token expires by itself.
        let Some(endpoint) = &announced.revocation else { return Ok(()) };
        match self.post_as_client(&announced, endpoint.as_str(), &[("token", token)]).await {
            Ok(_) => Ok(()),
            // Google returns 400 for a token that is no longer valid.
            Err(Failure::Refused { status, .. }) if status.as_u16() == 400 => Ok(()),
            Err(failure) => Err(failure.into()),
        }
    }

    fn unreachable(&self, failure: &Failure) -> CommonError {
        let cause = failure.to_string();
        tracing::warn!(issuer = self.config.issuer, cause, "the identity provider cannot be reached or used");
        self.unavailable()
    }

    fn unavailable(&self) -> CommonError {
        CommonError::unavailable(format!("{} cannot be reached right now. Please try again.", self.config.label()))
    }

    /// A request as this client failed.
    fn failed(&self, failure: &Failure) -> AccountError {
        match failure {
            Failure::Unreachable(_) => self.unreachable(failure).into(),
            // Anybody can come back with a code that was made up.
            Failure::Refused { error, .. } if error == "invalid_grant" => self.refused(failure),
            Failure::Refused { .. } | Failure::Unusable(_) => {
                self.note_refusal(failure);
                self.refused(failure)
            }
        }
    }

    /// Refuses what came from the provider itself, so that operators are told: it may be so for everybody.
    fn refused_by_us(&self, refusal: &Refusal) -> AccountError {
        let error = self.refused(refusal);
        if refusal.member == NOT_ALLOWED {
            // As it should be, for a person who is not a member.
            return AccountError::ProviderNotAllowed(self.config.label());
        }
        self.note_refusal(refusal);
        match refusal.member {
            "email" | "email_verified" => AccountError::ProviderEmailUnverified(self.config.label()),
            claims::GROUPS_CLAIM => AccountError::ProviderNotAllowed(self.config.label()),
            _ => error,
        }
    }

    /// The cause is for the log alone; it contains nothing of the token.
    fn refused(&self, cause: &dyn Display) -> AccountError {
        tracing::warn!(issuer = self.config.issuer, %cause, "a sign-in with the identity provider was refused");
        AccountError::ProviderRefused(self.config.label())
    }

    fn note_refusal(&self, cause: &dyn Display) {
        *self.refusal.lock() = Some((self.clock.wall(), cause.to_string()));
    }

    fn note_success(&self) {
        *self.refusal.lock() = None;
    }
}
