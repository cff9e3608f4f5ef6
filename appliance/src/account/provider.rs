//! The OpenID Connect provider that may be configured: its keys, its tokens, and the redirect to it and back. See
//! `docs/behaviour/accounts.md#sign-in-with-a-provider`.
//!
//! An ID token arrives in one of two ways: from Google's button, with a nonce that [`Provider::nonce`] issued to this
//! browser; or in exchange for a code that the browser brings back, with PKCE and a state that this browser started
//! with. Both lead to [`Claims`], after checking signature, issuer, audience, expiry, nonce and verified email.

mod flow;
mod nonce;

use std::{
    collections::HashMap,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use morpion_store::ProviderLink;
use openidconnect::{
    ClaimsVerificationError, ClientId, ClientSecret, IssuerUrl, Nonce, SignatureVerificationError,
    core::{
        CoreIdToken, CoreIdTokenClaims, CoreIdTokenVerifier, CoreJwsSigningAlgorithm as Algorithm, CoreProviderMetadata,
    },
};
use parking_lot::{Mutex, RwLock};

use super::{
    error::AccountError,
    names::{Email, PersonName},
};
use crate::{
    config::{Config, OidcIdentity},
    error::CommonError,
};
use flow::Flow;
pub use flow::{CalendarTokens, Purpose};
use nonce::Nonces;

/// How long the provider's keys and endpoints are cached.
const METADATA_LIFE: Duration = Duration::from_secs(3_600);

/// A token signed with an unknown key causes a refetch, at most this often: anybody can send such tokens.
const MIN_REFETCH_INTERVAL: Duration = Duration::from_secs(30);

/// For one response of the provider.
const TIMEOUT: Duration = Duration::from_secs(10);

/// An ID token has some 1,200 characters; a longer one is rejected.
const MAX_TOKEN: usize = 16 * 1024;

/// Signatures with keys that the provider publishes. Never `none`, and no shared secret.
const ALGORITHMS: [Algorithm; 8] = [
    Algorithm::RsaSsaPkcs1V15Sha256,
    Algorithm::RsaSsaPkcs1V15Sha384,
    Algorithm::RsaSsaPkcs1V15Sha512,
    Algorithm::RsaSsaPssSha256,
    Algorithm::RsaSsaPssSha384,
    Algorithm::RsaSsaPssSha512,
    Algorithm::EcdsaP256Sha256,
    Algorithm::EcdsaP384Sha384,
];

/// The content of a verified ID token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub link: ProviderLink,
    /// Verified by the provider.
    pub email: Email,
    pub first_name: PersonName,
    pub last_name: PersonName,
    /// The full name.
    pub name: Option<String>,
}

struct CachedMetadata {
    metadata: CoreProviderMetadata,
    at: Instant,
}

/// The part of the provider's metadata that the library does not read.
#[derive(serde::Deserialize)]
struct RevocationMetadata {
    revocation_endpoint: Option<String>,
}

/// See the module.
pub struct Provider {
    config: OidcIdentity,
    issuer: IssuerUrl,
    http: openidconnect::reqwest::Client,
    /// Where people find this server.
    origin: String,
    fetched: RwLock<Option<Arc<CachedMetadata>>>,
    flows: Mutex<HashMap<String, Flow>>,
    nonces: Nonces,
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

impl Provider {
    /// The configured provider; `None` without a client id.
    ///
    /// # Errors
    /// The address of the issuer cannot be used.
    pub fn new(config: &Config) -> anyhow::Result<Option<Self>> {
        let oidc = &config.identity.oidc;
        if oidc.client_id.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            issuer: IssuerUrl::new(oidc.issuer.clone())?,
            http: openidconnect::reqwest::Client::builder()
                // A redirect could make us send requests into our own network.
                .redirect(openidconnect::reqwest::redirect::Policy::none())
                .timeout(TIMEOUT)
                .build()?,
            origin: config.public_origin().to_string(),
            config: oidc.clone(),
            fetched: RwLock::default(),
            flows: Mutex::default(),
            nonces: Nonces::default(),
        }))
    }

    pub fn config(&self) -> &OidcIdentity {
        &self.config
    }

    /// Fetches the provider's endpoints and keys, whatever is cached.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`] when the response is unusable; the reason is in the log.
    pub async fn check(&self) -> Result<(), AccountError> {
        self.fetch_metadata().await.map(drop)
    }

    async fn fetch_metadata(&self) -> Result<Arc<CachedMetadata>, AccountError> {
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = metadata.map_err(|error| self.unreachable(&error))?;
        let fetched = Arc::new(CachedMetadata { metadata, at: Instant::now() });
        *self.fetched.write() = Some(Arc::clone(&fetched));
        Ok(fetched)
    }

    async fn metadata(&self) -> Result<Arc<CachedMetadata>, AccountError> {
        let known = self.fetched.read().clone();
        match known {
            Some(fetched) if fetched.at.elapsed() < METADATA_LIFE => Ok(fetched),
            // Keys rarely change: while the provider is down, the cached ones are better than none.
            Some(old) => Ok(self.fetch_metadata().await.unwrap_or(old)),
            None => self.fetch_metadata().await,
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
    pub async fn check_credential(&self, credential: &str, device: &str) -> Result<Claims, AccountError> {
        let check = |nonce: Option<&Nonce>| match nonce {
            Some(nonce) if self.nonces.is_valid(nonce.secret(), device, Instant::now()) => Ok(()),
            _ => Err("the nonce is none of ours, of another browser, too old or was used".to_owned()),
        };
        let claims = self.check_token(credential, check).await?;
        let nonce = claims.nonce().map(|nonce| nonce.secret().clone()).unwrap_or_default();
        if !self.nonces.consume(nonce, Instant::now()) {
            return Err(self.refused("the nonce was used meanwhile"));
        }
        self.claims(&claims)
    }

    async fn check_token(
        &self,
        text: &str,
        nonce: impl Fn(Option<&Nonce>) -> Result<(), String>,
    ) -> Result<CoreIdTokenClaims, AccountError> {
        let parsed = if text.len() <= MAX_TOKEN { CoreIdToken::from_str(text).ok() } else { None };
        let token = parsed.ok_or_else(|| self.refused("it is no token"))?;
        let mut known = self.metadata().await?;
        loop {
            let verifier = self.verifier(&known.metadata);
            match token.claims(&verifier, &nonce) {
                Ok(claims) => return Ok(claims.clone()),
                Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey))
                    if known.at.elapsed() > MIN_REFETCH_INTERVAL =>
                {
                    known = self.fetch_metadata().await?;
                }
                Err(error) => return Err(self.refused(&error)),
            }
        }
    }

    fn verifier(&self, metadata: &CoreProviderMetadata) -> CoreIdTokenVerifier<'static> {
        let client = ClientId::new(self.config.client_id.clone());
        CoreIdTokenVerifier::new_public_client(client, metadata.issuer().clone(), metadata.jwks().clone())
            .set_allowed_algs(ALGORITHMS)
    }

    fn claims(&self, claims: &CoreIdTokenClaims) -> Result<Claims, AccountError> {
        let email = claims.email().filter(|_| claims.email_verified() == Some(true));
        let Some(email) = email.and_then(|email| Email::parse(email.as_str()).ok()) else {
            return Err(AccountError::ProviderEmailUnverified(self.config.label()));
        };
        // Names that we do not accept are left out; they can be entered in the settings.
        let name = |text: Option<String>| PersonName::parse(&text.unwrap_or_default()).unwrap_or_default();
        Ok(Claims {
            link: ProviderLink { iss: claims.issuer().as_str().to_owned(), sub: claims.subject().as_str().to_owned() },
            email,
            first_name: name(claims.given_name().and_then(|names| names.get(None)).map(|name| name.to_string())),
            last_name: name(claims.family_name().and_then(|names| names.get(None)).map(|name| name.to_string())),
            name: claims.name().and_then(|names| names.get(None)).map(|name| name.to_string()),
        })
    }

    /// Revokes a token and its whole grant at the provider (RFC 7009). An unknown token counts as revoked.
    ///
    /// # Errors
    /// The provider is unreachable or refuses.
    pub async fn revoke(&self, token: &str) -> anyhow::Result<()> {
        let address = format!("{}/.well-known/openid-configuration", self.config.issuer.trim_end_matches('/'));
        let metadata = self.http.get(address).timeout(TIMEOUT).send().await?.error_for_status()?.bytes().await?;
        let RevocationMetadata { revocation_endpoint } = serde_json::from_slice(&metadata)?;
        // Without such an endpoint the token expires by itself.
        let Some(endpoint) = revocation_endpoint else { return Ok(()) };
        let secret = self.config.client_secret.expose();
        let body = url::form_urlencoded::Serializer::new(String::new()).append_pair("token", token).finish();
        let answer = self
            .http
            .post(endpoint)
            .timeout(TIMEOUT)
            .basic_auth(&self.config.client_id, (!secret.is_empty()).then_some(secret))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await?;
        // Google returns 400 for a token that is no longer valid.
        match answer.status() {
            status if status.is_success() || status.as_u16() == 400 => Ok(()),
            status => anyhow::bail!("the provider answered {status}"),
        }
    }

    fn secret(&self) -> Option<ClientSecret> {
        let secret = self.config.client_secret.expose();
        (!secret.is_empty()).then(|| ClientSecret::new(secret.to_owned()))
    }

    fn unreachable(&self, cause: &dyn std::error::Error) -> CommonError {
        tracing::warn!(issuer = self.config.issuer, cause = causes(cause), "the identity provider cannot be reached");
        CommonError::unavailable(format!("{} cannot be reached right now. Please try again.", self.config.label()))
    }

    /// The cause is for the log alone; it contains nothing of the token.
    fn refused(&self, cause: impl std::fmt::Display) -> AccountError {
        tracing::warn!(issuer = self.config.issuer, %cause, "a sign-in with the identity provider was refused");
        AccountError::ProviderRefused(self.config.label())
    }
}

fn causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
