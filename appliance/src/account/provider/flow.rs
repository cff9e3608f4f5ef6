//! The authorization code flow: to the provider with PKCE and a state, and back with a code.

use std::time::{Duration, Instant};

use morpion_rules::UserId;
use openidconnect::{
    AuthorizationCode, ClientId, CsrfToken, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier,
    RedirectUrl, RefreshToken, Scope, TokenResponse,
    core::{CoreAuthenticationFlow, CoreClient, CoreTokenResponse},
};

use super::{Claims, Provider};
use crate::{
    account::{error::AccountError, token},
    error::CommonError,
};

/// How long a user may take at the provider.
const FLOW_LIFE: Duration = Duration::from_secs(600);

/// Flows in progress at once, some 400 bytes each; further users are asked to try again.
const MAX_FLOWS: usize = 10_000;

/// Tokens for a person's calendar.
#[derive(Debug)]
pub struct CalendarTokens {
    pub access: String,
    pub refresh: Option<String>,
    pub life: Duration,
}

/// Why a browser was redirected to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    SignIn {
        /// The guest's games move to the account.
        keep_guest_games: bool,
    },
    /// To get access to this account's calendar.
    Calendar(UserId),
}

pub(super) struct Flow {
    /// The hash of the device cookie of the browser that started it.
    device: String,
    purpose: Purpose,
    verifier: PkceCodeVerifier,
    nonce: Nonce,
    ends: Instant,
}

impl Provider {
    /// The URL at the provider to which this browser is redirected; it returns to the URL of the purpose.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`].
    pub async fn authorization_url(&self, purpose: Purpose, device: &str) -> Result<String, AccountError> {
        let known = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(
            known.metadata.clone(),
            ClientId::new(self.config.client_id.clone()),
            self.secret(),
        )
        .set_redirect_uri(self.redirect_url(purpose)?);
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let mut request = client
            .authorize_url(
                CoreAuthenticationFlow::AuthorizationCode,
                || CsrfToken::new(token::new()),
                Nonce::new_random,
            )
            .set_pkce_challenge(challenge);
        match purpose {
            // The library requests `openid` by itself.
            Purpose::SignIn { .. } => {
                let scopes = self.config.scopes.iter().filter(|scope| *scope != "openid");
                request = request.add_scopes(scopes.cloned().map(Scope::new));
            }
            Purpose::Calendar(_) => {
                request = request
                    .add_scope(Scope::new(self.config.calendar_scope.clone()))
                    // Without these Google grants access for an hour only.
                    .add_extra_param("access_type", "offline")
                    .add_extra_param("prompt", "consent");
            }
        }
        let (address, state, nonce) = request.url();
        let ends = Instant::now() + FLOW_LIFE;
        let flow = Flow { device: token::hash(device), purpose, verifier, nonce, ends };
        self.store_flow(state.into_secret(), flow)?;
        Ok(address.to_string())
    }

    fn store_flow(&self, state: String, flow: Flow) -> Result<(), AccountError> {
        let mut flows = self.flows.lock();
        if flows.len() >= MAX_FLOWS {
            let now = Instant::now();
            flows.retain(|_, flow| flow.ends > now);
        }
        if flows.len() >= MAX_FLOWS {
            return Err(CommonError::unavailable("Many people are signing in right now. Please try again.").into());
        }
        flows.insert(state, flow);
        Ok(())
    }

    /// Removes and returns the flow that this browser started with this state.
    fn take_flow(&self, state: &str, device: &str) -> Result<Flow, AccountError> {
        let flow = self.flows.lock().remove(state);
        let device = token::hash(device);
        flow.filter(|flow| flow.device == device && flow.ends > Instant::now()).ok_or(AccountError::ProviderFlowOver)
    }

    /// Completes a sign-in: returns who it is, and whether a guest's games move to the account.
    ///
    /// # Errors
    /// [`AccountError::ProviderFlowOver`] for a state that this browser did not start with, and as [`Provider::check_credential`].
    pub async fn finish_sign_in(&self, state: &str, code: &str, device: &str) -> Result<(Claims, bool), AccountError> {
        let Flow { verifier, nonce, purpose, .. } = self.take_flow(state, device)?;
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

    /// Completes a request for access to the calendar of this account.
    ///
    /// # Errors
    /// As [`Provider::finish_sign_in`], and [`AccountError::ProviderRefused`] when somebody else is signed in by now.
    pub async fn finish_calendar(
        &self,
        state: &str,
        code: &str,
        device: &str,
        user: UserId,
    ) -> Result<CalendarTokens, AccountError> {
        let flow = self.take_flow(state, device)?;
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
    ) -> Result<CoreTokenResponse, AccountError> {
        let known = self.metadata().await?;
        let client = CoreClient::from_provider_metadata(
            known.metadata.clone(),
            ClientId::new(self.config.client_id.clone()),
            self.secret(),
        )
        .set_redirect_uri(self.redirect_url(purpose)?);
        let request =
            client.exchange_code(AuthorizationCode::new(code.to_owned())).map_err(|error| self.refused(&error))?;
        request.set_pkce_verifier(verifier).request_async(&self.http).await.map_err(|error| self.refused(&error))
    }

    /// New tokens for a calendar.
    ///
    /// # Errors
    /// [`AccountError::ProviderRefused`] when access was revoked, [`CommonError::Unavailable`].
    pub async fn refresh_calendar(&self, refresh: &str) -> Result<CalendarTokens, AccountError> {
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

    fn redirect_url(&self, purpose: Purpose) -> Result<RedirectUrl, AccountError> {
        let path = match purpose {
            Purpose::SignIn { .. } => "oidc",
            Purpose::Calendar(_) => "calendar",
        };
        RedirectUrl::new(format!("{}/api/auth/{path}/callback", self.origin))
            .map_err(|error| CommonError::internal(error).into())
    }
}

fn calendar_tokens(tokens: &CoreTokenResponse) -> CalendarTokens {
    CalendarTokens {
        access: tokens.access_token().secret().clone(),
        refresh: tokens.refresh_token().map(|token| token.secret().clone()),
        // Google returns an hour; without a lifetime the token is refreshed soon.
        life: tokens.expires_in().unwrap_or(Duration::from_secs(300)),
    }
}
