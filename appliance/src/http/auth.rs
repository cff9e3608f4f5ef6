//! The authentication service, under `/api/auth`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{
        AccountType, CheckLoginAnswer, Empty, LoginAnswer, LoginRequest, Provider, ProvidersAnswer, RegisterRequest,
        RequestVerificationCode, RequestVerificationCodeAnswer, SetupAnswer, SetupRequest, SucceededData,
        UpdatePassword, ValidateVerificationCode,
    },
};
use morpion_store::User;
use poem::{http::HeaderMap, web::cookie::CookieJar};
use poem_openapi::{
    OpenApi,
    param::{Path, Query},
};

use super::{
    ApiError,
    body::{Answer, Body, Redirect},
    convert::account::own_user,
};
use crate::{
    account::{
        cookies::Cookies, csrf::Binding, error::AccountError, limits::RateLimit, provider, provider::Returned,
        session::IssuedSession, sign_in::Browser,
    },
    app::App,
    caller::{Call, Caller},
};

type Result<T> = std::result::Result<T, ApiError>;

pub struct AuthApi(pub Arc<App>);

impl AuthApi {
    fn cookies<'a>(&'a self, jar: &'a CookieJar) -> Cookies<'a> {
        Cookies::new(&self.0.accounts, jar)
    }

    pub(super) fn browser(&self, jar: &CookieJar, headers: &HeaderMap) -> Browser {
        let user_agent = headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        Browser { device: self.cookies(jar).ensure_device(), user_agent }
    }

    /// The way to the provider with this id; empty for the one without.
    async fn begin_with(
        &self,
        call: &Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        id: &str,
        keep_guest_games: Option<bool>,
    ) -> Redirect {
        if is_led_here(headers) {
            return Redirect("/login".to_owned());
        }
        let browser = self.browser(jar, headers);
        let keep_guest_games = keep_guest_games.unwrap_or(false);
        let address = self.0.accounts.begin_provider_sign_in(call, &browser, id, keep_guest_games).await;
        // A user sees this, so an error redirects back to the page that they came from.
        Redirect(address.unwrap_or_else(|error| self.sign_in_failed(ApiError::from(error).code, id)))
    }

    /// Signs in whoever comes back from the provider with this id.
    async fn finish_with(
        &self,
        call: &Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        id: &str,
        returned: std::result::Result<Returned<'_>, &'static str>,
    ) -> Redirect {
        let browser = self.browser(jar, headers);
        let returned = match returned {
            Ok(returned) => returned,
            Err(reason) => return Redirect(self.sign_in_failed(reason, id)),
        };
        match self.0.accounts.finish_provider_sign_in(call, &browser, id, returned).await {
            Ok(sign_in) => {
                let answer = self.signed_in(jar, &sign_in.user, &sign_in.issued, sign_in.is_new);
                self.merge_guest_games(call, Some(sign_in.keep_guest_games), answer).await;
                // The login page redirects signed-in users to where they wanted to go.
                Redirect(if sign_in.is_new { "/login?welcome=1" } else { "/login" }.to_owned())
            }
            Err(AccountError::SecondFactorRequired) => Redirect("/login?step=second-factor".to_owned()),
            Err(error) => Redirect(self.sign_in_failed(ApiError::from(error).code, id)),
        }
    }

    /// The page that says so, and with which provider, if that is one of ours.
    fn sign_in_failed(&self, reason: &str, id: &str) -> String {
        match self.0.accounts.provider(id) {
            Ok(_) if !id.is_empty() => format!("/login?error={reason}&provider={id}"),
            _ => format!("/login?error={reason}"),
        }
    }

    /// Moves the games of a caller who was a guest until now, if requested.
    pub(super) async fn merge_guest_games(
        &self,
        call: &Call,
        requested: Option<bool>,
        mut answer: Answer<LoginAnswer>,
    ) -> Answer<LoginAnswer> {
        let account = answer.0.user.user_id;
        if let (Some(true), Caller::User(before)) = (requested, &call.caller)
            && before.is_temp
            && before.user_id.0 != account
        {
            answer.0.guest_games = match self.0.keep_guest_games(before, account.into()).await {
                Ok(games) => Some(games),
                Err(error) => {
                    // They are signed in anyway; the guest stays as it was.
                    tracing::warn!(%error, "a guest's games could not be moved to the account");
                    None
                }
            };
        }
        answer
    }

    /// Signs the browser in.
    pub(super) fn signed_in(
        &self,
        jar: &CookieJar,
        user: &User,
        issued: &IssuedSession,
        is_new: bool,
    ) -> Answer<LoginAnswer> {
        let cookies = self.cookies(jar);
        cookies.set_session(issued, self.0.clock.steady());
        cookies.set_csrf_token(Binding::Session(issued.session_id));
        let user = own_user(user, self.0.clock.wall());
        Answer(LoginAnswer { is_log_in: true, user, is_new, guest_games: None })
    }
}

#[OpenApi(prefix_path = "/auth")]
impl AuthApi {
    /// Who is signed in; sets the CSRF cookie.
    #[oai(path = "/check-login", method = "get", operation_id = "checkLogin")]
    async fn check_login(&self, call: Call, jar: &CookieJar) -> Result<Answer<CheckLoginAnswer>> {
        let accounts = &self.0.accounts;
        let cookies = self.cookies(jar);
        cookies.ensure_csrf_token(&call.caller);
        let user = match &call.caller {
            Caller::User(identity) => Some(accounts.user(identity.user_id).await?),
            Caller::Visitor | Caller::Operator(_) => {
                if cookies.session().is_some() {
                    cookies.clear_session();
                }
                None
            }
        };
        let user = user.map(|user| own_user(&user, self.0.clock.wall()));
        let guest_games = match &user {
            Some(user) if user.is_temp_user => Some(self.0.guest_games(user.user_id.into()).await?),
            _ => None,
        };
        Ok(Answer(CheckLoginAnswer { is_log_in: user.is_some(), user, guest_games }))
    }

    /// Signs in.
    #[oai(path = "/login", method = "post", operation_id = "login")]
    async fn login(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<LoginRequest>,
    ) -> Result<Answer<LoginAnswer>> {
        let request = body.0;
        let keep_guest_games = request.keep_guest_games;
        let browser = self.browser(jar, headers);
        if request.is_google_account || request.credential.is_some() || is_provider(request.account_type) {
            let sign_in = self.0.accounts.sign_in_by_button(&call, &browser, request.into()).await?;
            let answer = self.signed_in(jar, &sign_in.user, &sign_in.issued, sign_in.is_new);
            return Ok(self.merge_guest_games(&call, keep_guest_games, answer).await);
        }
        let password = request.password.unwrap_or_default();
        let (user, issued) = self
            .0
            .accounts
            .sign_in(&call, &browser, &request.email, &password, keep_guest_games.unwrap_or(false))
            .await?;
        let answer = self.signed_in(jar, &user, &issued, false);
        Ok(self.merge_guest_games(&call, keep_guest_games, answer).await)
    }

    /// Makes an account and signs it in.
    #[oai(path = "/register", method = "post", operation_id = "register")]
    async fn register(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<RegisterRequest>,
    ) -> Result<Answer<LoginAnswer>> {
        let request = body.0;
        let keep_guest_games = request.keep_guest_games;
        let browser = self.browser(jar, headers);
        if request.is_google_account || request.credential.is_some() || is_provider(Some(request.account_type)) {
            let sign_in = self.0.accounts.sign_in_by_button(&call, &browser, request.into()).await?;
            let answer = self.signed_in(jar, &sign_in.user, &sign_in.issued, sign_in.is_new);
            return Ok(self.merge_guest_games(&call, keep_guest_games, answer).await);
        }
        let (user, issued) = self.0.accounts.register(&call, &browser, (&request).into()).await?;
        Ok(self.signed_in(jar, &user, &issued, true))
    }

    /// Signs out.
    #[oai(path = "/logout", method = "post", operation_id = "logout")]
    async fn logout(&self, call: Call, jar: &CookieJar, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        if let Caller::User(identity) = &call.caller {
            self.0.accounts.sessions().end(identity.user_id, identity.session_id, self.0.clock.steady()).await?;
        }
        self.cookies(jar).sign_out();
        Ok(Answer(Acknowledgement {}))
    }

    /// Gives the session a new token; the old one works until the new one is first used.
    #[oai(path = "/secure/token/refresh", method = "post", operation_id = "refreshToken")]
    async fn refresh_token(&self, call: Call, jar: &CookieJar, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        call.caller.user()?;
        let cookies = self.cookies(jar);
        let token = cookies.session().ok_or_else(ApiError::not_signed_in)?;
        let now = self.0.clock.steady();
        // Without a new token another tab has it already, and the cookie too.
        if let Some(issued) = self.0.accounts.sessions().rotate(&token, now).await? {
            cookies.set_session(&issued, now);
        }
        cookies.ensure_csrf_token(&call.caller);
        Ok(Answer(Acknowledgement {}))
    }

    /// What one can sign in with.
    #[oai(path = "/providers", method = "get", operation_id = "getProviders")]
    async fn providers(&self, _call: Call, jar: &CookieJar, headers: &HeaderMap) -> Result<Answer<ProvidersAnswer>> {
        let identity = &self.0.config.identity;
        let accounts = &self.0.accounts;
        let device = accounts.providers().next().map(|_| self.cookies(jar).ensure_device()).unwrap_or_default();
        let told = |provider: &provider::Provider| {
            let config = provider.config();
            Provider {
                id: (!provider.id().is_empty()).then(|| provider.id().to_owned()),
                name: config.label(),
                issuer: config.issuer.clone(),
                client_id: config.client_id.clone(),
                is_google: provider.has_own_button(),
                nonce: provider.nonce(&device),
                calendar: config.offers_calendar(),
                is_away: provider.is_away().then_some(true),
            }
        };
        let provider = accounts.provider("").ok().map(told);
        let others: Vec<_> = accounts.providers().filter(|provider| !provider.id().is_empty()).map(told).collect();
        Ok(Answer(ProvidersAnswer {
            local: identity.local.enabled,
            registration: identity.registration && identity.local.enabled,
            guests: identity.guests,
            mail: self.0.accounts.mails_by_smtp(),
            passkeys: self.0.accounts.are_passkeys_available(host(headers)),
            provider,
            other_providers: (!others.is_empty()).then_some(others),
            redirect_to_provider: identity.leads_to_provider().then_some(true),
        }))
    }

    /// Recovery, step 1: mails a code. The answer is the same whether or not the email is known.
    #[oai(path = "/api/v1/requestverificationcode", method = "post", operation_id = "requestVerificationCode")]
    async fn request_verification_code(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<RequestVerificationCode>,
    ) -> Result<Answer<RequestVerificationCodeAnswer>> {
        let browser = self.browser(jar, headers);
        self.0.accounts.request_recovery(&call, &browser, &body.0.email).await?;
        Ok(Answer(RequestVerificationCodeAnswer { data: SucceededData { succeeded: true } }))
    }

    /// Recovery, step 2: checks the code.
    #[oai(path = "/api/v1/validate-verification-code", method = "post", operation_id = "validateVerificationCode")]
    async fn validate_verification_code(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<ValidateVerificationCode>,
    ) -> Result<Answer<Acknowledgement>> {
        let browser = self.browser(jar, headers);
        self.0.accounts.validate_recovery(&call, &browser, &body.0.email, body.0.code).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Recovery, step 3: sets a new password, after a validated code from the same browser.
    #[oai(path = "/api/v1/update-password", method = "post", operation_id = "updatePassword")]
    async fn update_password(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<UpdatePassword>,
    ) -> Result<Answer<Acknowledgement>> {
        let (browser, request) = (self.browser(jar, headers), body.0);
        self.0
            .accounts
            .finish_recovery(
                &call,
                &browser,
                &request.email,
                &request.new_password,
                request.open_unconfirmed == Some(true),
            )
            .await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Begins a sign-in with the provider that has no id: authorization code flow with PKCE.
    #[oai(path = "/oidc/start", method = "get", operation_id = "startOidc")]
    async fn oidc_start(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        #[oai(name = "keepGuestGames")] keep_guest_games: Query<Option<bool>>,
    ) -> Result<Redirect> {
        Ok(self.begin_with(&call, jar, headers, "", keep_guest_games.0).await)
    }

    /// The provider's way back from there.
    #[oai(path = "/oidc/callback", method = "get", operation_id = "oidcCallback")]
    #[allow(clippy::too_many_arguments, reason = "each is a parameter of the contract")]
    async fn oidc_callback(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        code: Query<Option<String>>,
        state: Query<Option<String>>,
        iss: Query<Option<String>>,
        error: Query<Option<String>>,
    ) -> Result<Redirect> {
        let returned = returned(&code.0, &state.0, &iss.0, error.0.as_deref());
        Ok(self.finish_with(&call, jar, headers, "", returned).await)
    }

    /// Begins a sign-in with the provider of this id.
    #[oai(path = "/oidc/:id/start", method = "get", operation_id = "startOidcWith")]
    async fn oidc_start_with(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        id: Path<String>,
        #[oai(name = "keepGuestGames")] keep_guest_games: Query<Option<bool>>,
    ) -> Result<Redirect> {
        Ok(self.begin_with(&call, jar, headers, &id.0, keep_guest_games.0).await)
    }

    /// The way back from the provider of this id.
    #[oai(path = "/oidc/:id/callback", method = "get", operation_id = "oidcCallbackFrom")]
    #[allow(clippy::too_many_arguments, reason = "each is a parameter of the contract")]
    async fn oidc_callback_from(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        id: Path<String>,
        code: Query<Option<String>>,
        state: Query<Option<String>>,
        iss: Query<Option<String>>,
        error: Query<Option<String>>,
    ) -> Result<Redirect> {
        let returned = returned(&code.0, &state.0, &iss.0, error.0.as_deref());
        Ok(self.finish_with(&call, jar, headers, &id.0, returned).await)
    }

    /// Makes a guest and signs it in.
    #[oai(path = "/guest", method = "post", operation_id = "playAsGuest")]
    async fn guest(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        _body: Body<Empty>,
    ) -> Result<Answer<LoginAnswer>> {
        let browser = self.browser(jar, headers);
        match self.0.accounts.play_as_guest(&call, &browser).await? {
            (user, Some(issued)) => Ok(self.signed_in(jar, &user, &issued, true)),
            (user, None) => {
                let user = own_user(&user, self.0.clock.wall());
                Ok(Answer(LoginAnswer { is_log_in: true, user, is_new: false, guest_games: None }))
            }
        }
    }

    /// Whether there is still no admin, and the link's token is good.
    #[oai(path = "/setup", method = "get", operation_id = "getSetup")]
    async fn setup_state(&self, call: Call, token: Query<Option<String>>) -> Result<Answer<SetupAnswer>> {
        let accounts = &self.0.accounts;
        if token.0.is_some() {
            accounts.limits().check(RateLimit::SignIn, call.address)?;
        }
        let open = accounts.is_setup_open(token.0.as_deref()).await?;
        Ok(Answer(SetupAnswer { open }))
    }

    /// Makes the first admin and signs it in.
    #[oai(path = "/setup", method = "post", operation_id = "setUp")]
    async fn set_up(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<SetupRequest>,
    ) -> Result<Answer<LoginAnswer>> {
        let browser = self.browser(jar, headers);
        let (user, issued) = self.0.accounts.set_up(&call, &browser, &body.0.token, (&body.0).into()).await?;
        Ok(self.signed_in(jar, &user, &issued, true))
    }
}

/// The parameters of the provider's redirect: a code and our state, or an error, which anybody can make up and so is
/// not shown.
pub(super) fn callback_params<'a>(
    code: &'a Option<String>,
    state: &'a Option<String>,
    error: Option<&str>,
) -> std::result::Result<(&'a str, &'a str), &'static str> {
    match (code, state, error) {
        (_, _, Some("access_denied")) => Err("provider-denied"),
        (Some(code), Some(state), None) => Ok((code, state)),
        _ => Err("provider-refused"),
    }
}

/// What a browser brings back from a provider, or the error that the sign-in page shows.
fn returned<'a>(
    code: &'a Option<String>,
    state: &'a Option<String>,
    issuer: &'a Option<String>,
    error: Option<&str>,
) -> std::result::Result<Returned<'a>, &'static str> {
    let (code, state) = callback_params(code, state, error)?;
    Ok(Returned { state, code, issuer: issuer.as_deref() })
}

/// Whether another site's page led the browser here. A provider that still knows its user would sign them in without any
/// act of theirs, so that they are asked first.
fn is_led_here(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none")
}

/// By what name the server was reached, over HTTP/1.
pub(super) fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get("host").and_then(|host| host.to_str().ok())
}

fn is_provider(account_type: Option<AccountType>) -> bool {
    account_type.is_some_and(|account_type| account_type != AccountType::Local)
}
