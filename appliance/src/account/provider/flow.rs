//! The authorization code flow: to the provider with PKCE and a state, and back with a code.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use morpion_rules::UserId;
use openidconnect::{PkceCodeChallenge, PkceCodeVerifier};
use serde_json::{Map, Value};

use super::{
    Provider, Vouched,
    discovery::{Announced, ClientAuthentication},
    jwt::{Refusal, seconds, text},
    requests::{Failure, object},
};
use crate::{
    account::{error::AccountError, token},
    error::CommonError,
};

/// How long a user may take at the provider.
const FLOW_LIFE: Duration = Duration::from_secs(600);

/// Flows in progress at once with one provider, some 400 bytes each; further users are asked to try again.
const MAX_FLOWS: usize = 10_000;

/// Of an access token whose lifetime the provider does not say, so that it is refreshed soon.
const UNKNOWN_LIFE: Duration = Duration::from_secs(300);

/// Longer ones are not believed.
const MAX_LIFE: f64 = 30.0 * 86_400.0;

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

/// What a browser brings back from the provider.
#[derive(Debug, Clone, Copy)]
pub struct Returned<'a> {
    pub state: &'a str,
    pub code: &'a str,
    /// Who the provider says that it is (RFC 9207), if it does.
    pub issuer: Option<&'a str>,
}

pub(super) struct Flow {
    /// The hash of the device cookie of the browser that started it.
    device: String,
    purpose: Purpose,
    verifier: PkceCodeVerifier,
    nonce: String,
    ends: Instant,
}

impl Provider {
    /// The URL at the provider to which this browser is redirected; it returns to the URL of the purpose.
    ///
    /// # Errors
    /// [`CommonError::Unavailable`].
    pub async fn authorization_url(&self, purpose: Purpose, device: &str) -> Result<String, AccountError> {
        let announced = self.announced().await?;
        let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
        let (state, nonce) = (token::new(), token::new());
        let mut address = announced.authorization.clone();
        let mut query = address.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.config.client_id)
            .append_pair("redirect_uri", &self.redirect_uri(purpose))
            .append_pair("scope", &self.scope(purpose))
            .append_pair("state", &state)
            .append_pair("nonce", &nonce)
            .append_pair("code_challenge", challenge.as_str())
            .append_pair("code_challenge_method", challenge.method().as_str());
        if let Purpose::Calendar(_) = purpose {
            // Without these Google grants access for an hour only.
            query.append_pair("access_type", "offline").append_pair("prompt", "consent");
        }
        drop(query);
        let ends = Instant::now() + FLOW_LIFE;
        self.store_flow(state, Flow { device: token::hash(device), purpose, verifier, nonce, ends })?;
        Ok(address.into())
    }

    fn scope(&self, purpose: Purpose) -> String {
        let asked = match purpose {
            Purpose::SignIn { .. } => self.config.scopes.clone(),
            Purpose::Calendar(_) => vec![self.config.calendar_scope.clone()],
        };
        let others = asked.into_iter().filter(|scope| scope != "openid");
        std::iter::once("openid".to_owned()).chain(others).collect::<Vec<_>>().join(" ")
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
    /// [`AccountError::ProviderFlowOver`] for a state that this browser did not start with at this provider, and as
    /// [`Provider::check_credential`].
    pub async fn finish_sign_in(&self, returned: Returned<'_>, device: &str) -> Result<(Vouched, bool), AccountError> {
        let Flow { verifier, nonce, purpose, .. } = self.take_flow(returned.state, device)?;
        let Purpose::SignIn { keep_guest_games } = purpose else {
            return Err(self.refused(&"the state is of another purpose"));
        };
        // A code of another provider must not be sent to this one (RFC 9207, 2.4).
        let announced = self.announced().await?;
        match returned.issuer {
            Some(issuer) if issuer != announced.issuer => {
                return Err(self.refused(&"iss of the way back is another provider's"));
            }
            None if announced.names_itself => return Err(self.refused(&"iss of the way back is missing")),
            _ => {}
        }
        let (announced, tokens) = self.exchange(returned.code, verifier, purpose).await?;
        let refused = |refusal| self.refused_by_us(&refusal);
        let token = text(&tokens, "id_token").ok_or_else(|| refused(Refusal::new("id_token", "is missing")))?;
        let check = |given: Option<&str>| match given {
            Some(given) if given == nonce => Ok(()),
            _ => Err(Refusal::new("nonce", "is not the one that was sent")),
        };
        let (link, claims) = self.check_id_token(token, check).await?.map_err(refused)?;
        let read = self.complete(&announced, link.clone(), &claims, text(&tokens, "access_token")).await;
        Ok((self.vouched(link, read)?, keep_guest_games))
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
            return Err(self.refused(&"the state is of another account"));
        }
        let (_, tokens) = self.exchange(code, flow.verifier, flow.purpose).await?;
        self.calendar_tokens(&tokens)
    }

    async fn exchange(
        &self,
        code: &str,
        verifier: PkceCodeVerifier,
        purpose: Purpose,
    ) -> Result<(Arc<Announced>, Map<String, Value>), AccountError> {
        let announced = self.announced().await?;
        let redirect = self.redirect_uri(purpose);
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &redirect),
            ("code_verifier", verifier.secret()),
        ];
        let answer = self.post_as_client(&announced, announced.token.as_str(), &form).await;
        let tokens = answer.and_then(|answer| object(announced.token.as_str(), &answer));
        let tokens = tokens.map_err(|failure| self.failed(&failure))?;
        Ok((announced, tokens))
    }

    /// New tokens for a calendar.
    ///
    /// # Errors
    /// [`AccountError::ProviderRefused`] when access was revoked, [`CommonError::Unavailable`].
    pub async fn refresh_calendar(&self, refresh: &str) -> Result<CalendarTokens, AccountError> {
        let announced = self.announced().await?;
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
        let answer = self.post_as_client(&announced, announced.token.as_str(), &form).await;
        let tokens = answer.and_then(|answer| object(announced.token.as_str(), &answer));
        self.calendar_tokens(&tokens.map_err(|failure| self.failed(&failure))?)
    }

    fn calendar_tokens(&self, tokens: &Map<String, Value>) -> Result<CalendarTokens, AccountError> {
        let access = text(tokens, "access_token").ok_or_else(|| {
            self.failed(&Failure::Unusable("the token endpoint answered without access_token".to_owned()))
        })?;
        let life = tokens.get("expires_in").and_then(seconds).filter(|life| (0.0..MAX_LIFE).contains(life));
        Ok(CalendarTokens {
            access: access.to_owned(),
            refresh: text(tokens, "refresh_token").map(str::to_owned),
            life: life.map_or(UNKNOWN_LIFE, Duration::from_secs_f64),
        })
    }

    /// Sends a form as this client, authenticated as the provider announces.
    pub(super) async fn post_as_client(
        &self,
        announced: &Announced,
        address: &str,
        form: &[(&str, &str)],
    ) -> Result<Vec<u8>, Failure> {
        let (id, secret) = (self.config.client_id.as_str(), self.config.client_secret.expose());
        if announced.authentication == ClientAuthentication::Basic && !secret.is_empty() {
            return self.requests.post(address, Some((id, secret)), form).await;
        }
        let mut form = [form, &[("client_id", id)]].concat();
        if !secret.is_empty() {
            form.push(("client_secret", secret));
        }
        self.requests.post(address, None, &form).await
    }

    fn redirect_uri(&self, purpose: Purpose) -> String {
        // Each provider has a URI of its own, so that none can pass what it knows to another.
        let path = match purpose {
            Purpose::SignIn { .. } if self.id.is_empty() => "oidc".to_owned(),
            Purpose::SignIn { .. } => format!("oidc/{}", self.id),
            Purpose::Calendar(_) => "calendar".to_owned(),
        };
        format!("{}/api/auth/{path}/callback", self.origin)
    }
}
