//! The one OpenID Connect provider that a server may be configured with: its keys, its tokens, and the way of a browser
//! to it and back. See `docs/behaviour/accounts.md#sign-in-with-a-provider`.
//!
//! An ID token comes on one of two ways: from Google's button, with a nonce that [`Provider::nonce`] issued to this
//! browser, or for a code that the browser brings back from the provider, with PKCE and a state that this browser began
//! with. Both end in [`Claims`], which were checked in full: signature, issuer, audience, end, nonce, verified email.

use std::{
    collections::HashMap,
    str::FromStr,
    sync::Arc,
    time::{Duration, Instant},
};

use morpion_rules::UserId;
use morpion_store::ProviderLink;
use openidconnect::{
    AuthorizationCode, ClaimsVerificationError, ClientId, ClientSecret, CsrfToken, IssuerUrl, Nonce,
    OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RefreshToken, Scope,
    SignatureVerificationError, TokenResponse,
    core::{
        CoreAuthenticationFlow, CoreClient, CoreIdToken, CoreIdTokenClaims, CoreIdTokenVerifier,
        CoreJwsSigningAlgorithm as Algorithm, CoreProviderMetadata, CoreTokenResponse,
    },
};
use parking_lot::{Mutex, RwLock};

use super::{
    forgery::ServerSecret,
    names::{Email, PersonName},
    token,
};
use crate::{
    config::{Config, OidcIdentity},
    error::{ApiError, ErrorKind},
};

/// The provider's keys and addresses are asked for anew after so long.
const KEPT: Duration = Duration::from_secs(3_600);

/// A token signed with an unknown key has them asked for anew, at most so often: anybody can send such tokens.
const ASKED_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// The provider has so long for an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page with the provider's button may stand open for so long before somebody presses it.
const NONCE_LIFE: Duration = Duration::from_secs(3_600);

/// So long somebody may take at the provider.
const FLOW_LIFE: Duration = Duration::from_secs(600);

/// Browsers that are at the provider at once, some 400 bytes each; a further one is told to try again.
const MAX_FLOWS: usize = 10_000;

/// Nonces remembered as used, one a sign-in of the last hour. When it is full nobody signs in by the button until the
/// oldest are forgotten.
const MAX_USED: usize = 50_000;

/// An ID token is some 1,200 characters; a longer one is not looked at.
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

/// What a checked ID token says of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claims {
    pub link: ProviderLink,
    /// Verified by the provider.
    pub email: Email,
    pub first_name: PersonName,
    pub last_name: PersonName,
    /// As the person is called as a whole.
    pub name: Option<String>,
}

/// Tokens for a person's calendar.
#[derive(Debug)]
pub struct CalendarTokens {
    pub access: String,
    pub refresh: Option<String>,
    pub life: Duration,
}

/// Why a browser is at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    SignIn {
        /// A guest brings their games along.
        keep_guest_games: bool,
    },
    /// To let this account's calendar be written into.
    Calendar(UserId),
}

struct Flow {
    /// The hash of the device cookie of the browser that began it.
    device: String,
    purpose: Purpose,
    verifier: PkceCodeVerifier,
    nonce: Nonce,
    ends: Instant,
}

struct Fetched {
    metadata: CoreProviderMetadata,
    at: Instant,
}

/// What the provider says of itself beyond what the library reads.
#[derive(serde::Deserialize)]
struct Revoking {
    revocation_endpoint: Option<String>,
}

/// See the module.
pub struct Provider {
    config: OidcIdentity,
    issuer: IssuerUrl,
    http: openidconnect::reqwest::Client,
    /// Where people find this server.
    origin: String,
    fetched: RwLock<Option<Arc<Fetched>>>,
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
                // An answer that sends us elsewhere could have us ask within our own network.
                .redirect(openidconnect::reqwest::redirect::Policy::none())
                .timeout(PATIENCE)
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

    /// Asks the provider for its addresses and keys, whatever is known of them.
    ///
    /// # Errors
    /// 503: it does not answer as it should; the reason is in the log.
    pub async fn ask(&self) -> Result<(), ApiError> {
        self.fetch().await.map(drop)
    }

    async fn fetch(&self) -> Result<Arc<Fetched>, ApiError> {
        let metadata = CoreProviderMetadata::discover_async(self.issuer.clone(), &self.http).await;
        let metadata = metadata.map_err(|error| self.unreachable(&error))?;
        let fetched = Arc::new(Fetched { metadata, at: Instant::now() });
        *self.fetched.write() = Some(Arc::clone(&fetched));
        Ok(fetched)
    }

    async fn metadata(&self) -> Result<Arc<Fetched>, ApiError> {
        let known = self.fetched.read().clone();
        match known {
            Some(fetched) if fetched.at.elapsed() < KEPT => Ok(fetched),
            // Keys hardly ever change: with the provider away, those of before are better than none.
            Some(old) => Ok(self.fetch().await.unwrap_or(old)),
            None => self.fetch().await,
        }
    }

    /// A nonce for the provider's button in this browser, named by its device cookie.
    pub fn nonce(&self, device: &str) -> String {
        self.nonces.issue(device, Instant::now())
    }

    /// Checks an ID token that the provider's button gave to this browser. It is good once.
    ///
    /// # Errors
    /// 401 for a token that is not good, 403 for one without a verified email, 503.
    pub async fn check_credential(&self, credential: &str, device: &str) -> Result<Claims, ApiError> {
        let check = |nonce: Option<&Nonce>| match nonce {
            Some(nonce) if self.nonces.is_good(nonce.secret(), device, Instant::now()) => Ok(()),
            _ => Err("the nonce is none of ours, of another browser, too old or was used".to_owned()),
        };
        let claims = self.check_token(credential, check).await?;
        let nonce = claims.nonce().map(|nonce| nonce.secret().clone()).unwrap_or_default();
        if !self.nonces.use_up(nonce, Instant::now()) {
            return Err(self.refused("the nonce was used meanwhile"));
        }
        self.claims(&claims)
    }

    async fn check_token(
        &self,
        text: &str,
        nonce: impl Fn(Option<&Nonce>) -> Result<(), String>,
    ) -> Result<CoreIdTokenClaims, ApiError> {
        let parsed = if text.len() <= MAX_TOKEN { CoreIdToken::from_str(text).ok() } else { None };
        let token = parsed.ok_or_else(|| self.refused("it is no token"))?;
        let mut known = self.metadata().await?;
        loop {
            let verifier = self.verifier(&known.metadata);
            match token.claims(&verifier, &nonce) {
                Ok(claims) => return Ok(claims.clone()),
                Err(ClaimsVerificationError::SignatureVerification(SignatureVerificationError::NoMatchingKey))
                    if known.at.elapsed() > ASKED_AGAIN_AFTER =>
                {
                    known = self.fetch().await?;
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

    fn claims(&self, claims: &CoreIdTokenClaims) -> Result<Claims, ApiError> {
        let email = claims.email().filter(|_| claims.email_verified() == Some(true));
        let Some(email) = email.and_then(|email| Email::parse(email.as_str()).ok()) else {
            let text =
                format!("{} has not confirmed your email yet. Please confirm it there first.", self.config.label());
            return Err(ApiError::new(ErrorKind::Forbidden, "provider-email-unverified", text));
        };
        // What is no name for us is left out; it can be entered in the settings.
        let name = |text: Option<String>| PersonName::parse(&text.unwrap_or_default()).unwrap_or_default();
        Ok(Claims {
            link: ProviderLink { iss: claims.issuer().as_str().to_owned(), sub: claims.subject().as_str().to_owned() },
            email,
            first_name: name(claims.given_name().and_then(|names| names.get(None)).map(|name| name.to_string())),
            last_name: name(claims.family_name().and_then(|names| names.get(None)).map(|name| name.to_string())),
            name: claims.name().and_then(|names| names.get(None)).map(|name| name.to_string()),
        })
    }

    /// Where to send this browser, which comes back to the address of the purpose.
    ///
    /// # Errors
    /// 503.
    pub async fn begin(&self, purpose: Purpose, device: &str) -> Result<String, ApiError> {
        let known = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(
            known.metadata.clone(),
            ClientId::new(self.config.client_id.clone()),
            self.secret(),
        )
        .set_redirect_uri(self.way_back(purpose)?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new(token::new()),
                Nonce::new_random,
            )
            .set_pkce_challenge(challenge);
        match purpose {
            // The library asks for `openid` by itself.
            Purpose::SignIn { .. } => {
                let scopes = self.config.scopes.iter().filter(|scope| *scope != "openid");
                request = request.add_scopes(scopes.cloned().map(Scope::new));
            }
            Purpose::Calendar(_) => {
                request = request
                    .add_scope(Scope::new(self.config.calendar_scope.clone()))
                    // Without these Google gives nothing that lasts longer than an hour.
                    .add_extra_param("access_type", "offline")
                    .add_extra_param("prompt", "consent");
            }
        }
        let (address, state, nonce) = request.url();
        let ends = Instant::now() + FLOW_LIFE;
        let flow = Flow { device: token::hash(device), purpose, verifier, nonce, ends };
        self.remember(state.into_secret(), flow)?;
        Ok(address.to_string())
    }

    fn remember(&self, state: String, flow: Flow) -> Result<(), ApiError> {
        let mut flows = self.flows.lock();
        if flows.len() >= MAX_FLOWS {
            let now = Instant::now();
            flows.retain(|_, flow| flow.ends > now);
        }
        if flows.len() >= MAX_FLOWS {
            return Err(ApiError::unavailable("Many people are signing in right now. Please try again."));
        }
        flows.insert(state, flow);
        Ok(())
    }

    /// The flow that this browser began with this state. It can be ended once.
    fn end(&self, state: &str, device: &str) -> Result<Flow, ApiError> {
        let flow = self.flows.lock().remove(state);
        let device = token::hash(device);
        flow.filter(|flow| flow.device == device && flow.ends > Instant::now()).ok_or_else(|| {
            let text = "This sign-in was not begun in this browser, or took too long. Please try again.";
            ApiError::new(ErrorKind::Malformed, "provider-flow-over", text)
        })
    }

    /// The browser is back from a sign-in: who it is, and whether a guest's games come along.
    ///
    /// # Errors
    /// 400 for a state that this browser did not begin with, and as [`Provider::check_credential`].
    pub async fn finish_sign_in(&self, state: &str, code: &str, device: &str) -> Result<(Claims, bool), ApiError> {
        let Flow { verifier, nonce, purpose, .. } = self.end(state, device)?;
        let Purpose::SignIn { keep_guest_games } = purpose else {
            return Err(self.refused("the state is of another purpose"));
        };
        let tokens = self.exchange(code, verifier, purpose).await?;
        let token = tokens.id_token().ok_or_else(|| self.refused("there is no ID token"))?;
        let check = |given: Option<&Nonce>| {
            if given.is_some_and(|given| given.secret() == nonce.secret()) {
                Ok(())
            } else {
                Err("the nonce is not the one we sent".to_owned())
            }
        };
        let claims = self.check_token(&token.to_string(), check).await?;
        Ok((self.claims(&claims)?, keep_guest_games))
    }

    /// The browser is back with leave to write into the calendar of this account.
    ///
    /// # Errors
    /// As [`Provider::finish_sign_in`], and 400 when somebody else is signed in by now.
    pub async fn finish_calendar(
        &self,
        state: &str,
        code: &str,
        device: &str,
        user: UserId,
    ) -> Result<CalendarTokens, ApiError> {
        let flow = self.end(state, device)?;
        if flow.purpose != Purpose::Calendar(user) {
            return Err(self.refused("the state is of another account"));
        }
        Ok(calendar_tokens(&self.exchange(code, flow.verifier, flow.purpose).await?))
    }

    async fn exchange(
        &self,
        code: &str,
        verifier: PkceCodeVerifier,
        purpose: Purpose,
    ) -> Result<CoreTokenResponse, ApiError> {
        let known = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(
            known.metadata.clone(),
            ClientId::new(self.config.client_id.clone()),
            self.secret(),
        )
        .set_redirect_uri(self.way_back(purpose)?);
        let request =
            client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(|error| self.refused(&error))?;
        request.set_pkce_verifier(verifier).request_async(&self.http).await.map_err(|error| self.refused(&error))
    }

    /// New tokens for a calendar.
    ///
    /// # Errors
    /// 401 when leave was taken back, 503.
    pub async fn renew_calendar(&self, refresh: &str) -> Result<CalendarTokens, ApiError> {
        let known = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(
            known.metadata.clone(),
            ClientId::new(self.config.client_id.clone()),
            self.secret(),
        );
        let refresh = RefreshToken::new(refresh.to_owned());
        let request = client.exchange_refresh_token(&refresh).map_err(|error| self.refused(&error))?;
        let tokens = request.request_async(&self.http).await.map_err(|error| self.refused(&error))?;
        Ok(calendar_tokens(&tokens))
    }

    /// Has the provider forget a token, and all that was given with it (RFC 7009). One that it does not know is forgotten.
    ///
    /// # Errors
    /// It does not answer, or does not do it.
    pub async fn revoke(&self, token: &str) -> anyhow::Result<()> {
        let address = format!("{}/.well-known/openid-configuration", self.config.issuer.trim_end_matches('/'));
        let metadata = self.http.get(address).timeout(PATIENCE).send().await?.error_for_status()?.bytes().await?;
        let Revoking { revocation_endpoint } = serde_json::from_slice(&metadata)?;
        // Without such an address the token ends with its time.
        let Some(endpoint) = revocation_endpoint else { return Ok(()) };
        let secret = self.config.client_secret.expose();
        let body = url::form_urlencoded::Serializer::new(String::new()).append_pair("token", token).finish();
        let answer = self
            .http
            .post(endpoint)
            .timeout(PATIENCE)
            .basic_auth(&self.config.client_id, (!secret.is_empty()).then_some(secret))
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await?;
        // Google says 400 of a token that is none any more.
        match answer.status() {
            status if status.is_success() || status.as_u16() == 400 => Ok(()),
            status => anyhow::bail!("the provider answered {status}"),
        }
    }

    fn secret(&self) -> Option<ClientSecret> {
        let secret = self.config.client_secret.expose();
        (!secret.is_empty()).then(|| ClientSecret::new(secret.to_owned()))
    }

    fn way_back(&self, purpose: Purpose) -> Result<RedirectUrl, ApiError> {
        let path = match purpose {
            Purpose::SignIn { .. } => "oidc",
            Purpose::Calendar(_) => "calendar",
        };
        RedirectUrl::new(format!("{}/api/auth/{path}/callback", self.origin)).map_err(ApiError::internal)
    }

    fn unreachable(&self, cause: &dyn std::error::Error) -> ApiError {
        tracing::warn!(issuer = self.config.issuer, cause = causes(cause), "the identity provider cannot be asked");
        ApiError::unavailable(format!("{} cannot be reached right now. Please try again.", self.config.label()))
    }

    /// What exactly was wrong is for the log alone; nothing of the token is in it.
    fn refused(&self, cause: impl std::fmt::Display) -> ApiError {
        tracing::warn!(issuer = self.config.issuer, %cause, "a sign-in with the identity provider was refused");
        let text = format!("The sign-in with {} did not work. Please try again.", self.config.label());
        ApiError::new(ErrorKind::NotSignedIn, "provider-refused", text)
    }
}

fn causes(error: &dyn std::error::Error) -> String {
    std::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn calendar_tokens(tokens: &CoreTokenResponse) -> CalendarTokens {
    CalendarTokens {
        access: tokens.access_token().secret().clone(),
        refresh: tokens.refresh_token().map(|token| token.secret().clone()),
        // Google says an hour; one that does not say is asked again soon.
        life: tokens.expires_in().unwrap_or(Duration::from_secs(300)),
    }
}

/// Nonces: each is bound to a browser and good once. Their key is of this process alone, so that after a restart, when
/// the used ones are forgotten, none from before is good.
struct Nonces {
    key: ServerSecret,
    began: Instant,
    used: Mutex<HashMap<String, Instant>>,
}

impl Default for Nonces {
    fn default() -> Self {
        Self { key: ServerSecret::random(), began: Instant::now(), used: Mutex::default() }
    }
}

impl Nonces {
    fn issue(&self, device: &str, now: Instant) -> String {
        let body = format!("{}.{}", now.duration_since(self.began).as_secs(), token::new());
        let seal = self.key.seal(&format!("{body}.{device}"));
        format!("{body}.{seal}")
    }

    fn is_good(&self, nonce: &str, device: &str, now: Instant) -> bool {
        use subtle::ConstantTimeEq;
        let Some((body, seal)) = nonce.rsplit_once('.') else { return false };
        let right: bool = self.key.seal(&format!("{body}.{device}")).as_bytes().ct_eq(seal.as_bytes()).into();
        let issued = body.split('.').next().and_then(|seconds| seconds.parse().ok()).map(Duration::from_secs);
        let age = issued.and_then(|issued| now.duration_since(self.began).checked_sub(issued));
        right && age.is_some_and(|age| age < NONCE_LIFE) && !self.used.lock().contains_key(nonce)
    }

    /// Answers false for one that was used already, or when no more can be remembered.
    fn use_up(&self, nonce: String, now: Instant) -> bool {
        let mut used = self.used.lock();
        if used.len() >= MAX_USED {
            used.retain(|_, at| now.duration_since(*at) < NONCE_LIFE);
        }
        used.len() < MAX_USED && used.insert(nonce, now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nonce_is_good_once_in_its_time_and_in_its_browser() {
        let nonces = Nonces::default();
        let now = nonces.began + Duration::from_secs(10);
        let nonce = nonces.issue("here", now);
        assert!(nonces.is_good(&nonce, "here", now));
        assert!(!nonces.is_good(&nonce, "elsewhere", now));
        assert!(!nonces.is_good(&nonce, "here", now + NONCE_LIFE + Duration::from_secs(1)));
        assert!(!Nonces::default().is_good(&nonce, "here", now), "another process has another key");
        for forged in ["", "a", "a.b.c", &nonce.replace("10.", "11."), &nonce[..nonce.len() - 1]] {
            assert!(!nonces.is_good(forged, "here", now), "{forged}");
        }
        assert!(nonces.use_up(nonce.clone(), now));
        assert!(!nonces.is_good(&nonce, "here", now));
        assert!(!nonces.use_up(nonce, now), "of two at once only one passes");
    }
}
