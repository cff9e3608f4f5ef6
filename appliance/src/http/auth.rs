//! The authentication service, under `/api/auth`.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{
        AccountType, CalendarAuthUrlAnswer, CalendarStatusAnswer, ChangePassword, CheckLoginAnswer, EmailChangedAnswer,
        Empty, LoginAnswer, LoginRequest, Provider, ProvidersAnswer, RegisterRequest, RequestEmailChange,
        RequestEmailCode, RequestVerificationCode, RequestVerificationCodeAnswer, RevokeSession, SessionsAnswer,
        SetupAnswer, SetupRequest, SucceededData, UndoEmailChange, UpdatePassword, ValidateVerificationCode,
        VerifyEmail, VerifyEmailChange,
    },
};
use morpion_store::User;
use poem::{http::HeaderMap, web::cookie::CookieJar};
use poem_openapi::{OpenApi, param::Query};
use uuid::Uuid;

use super::{
    ApiError,
    body::{Answer, Body, Redirect},
};
use crate::{
    account::{convert, cookies::Cookies, forgery::Binding, limits::Kind, session::Fresh, sign_in::Browser},
    app::App,
    caller::{Call, Caller},
};

type Result<T> = std::result::Result<T, ApiError>;

pub struct AuthApi(pub Arc<App>);

impl AuthApi {
    fn cookies<'a>(&'a self, jar: &'a CookieJar) -> Cookies<'a> {
        Cookies::new(&self.0.accounts, jar)
    }

    fn browser(&self, jar: &CookieJar, headers: &HeaderMap) -> Browser {
        let user_agent = headers.get("user-agent").and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        Browser { device: self.cookies(jar).ensure_device(), user_agent }
    }

    /// Whoever was a guest until now and wishes it brings their games along.
    async fn with_guest_games(
        &self,
        call: &Call,
        wished: Option<bool>,
        mut answer: Answer<LoginAnswer>,
    ) -> Answer<LoginAnswer> {
        let account = answer.0.user.user_id;
        if let (Some(true), Caller::User(before)) = (wished, &call.caller)
            && before.is_temp
            && before.user_id.0 != account
        {
            answer.0.guest_games = match self.0.keep_guest_games(before.user_id, account.into()).await {
                Ok(games) => Some(games),
                Err(fault) => {
                    // They are signed in all the same; the guest is as it was.
                    tracing::warn!(%fault, "a guest's games did not come along");
                    None
                }
            };
        }
        answer
    }

    /// Signs the browser in.
    fn signed_in(&self, jar: &CookieJar, user: &User, fresh: &Fresh, is_new: bool) -> Answer<LoginAnswer> {
        let cookies = self.cookies(jar);
        cookies.set_session(fresh, self.0.clock.steady());
        cookies.set_forgery_token(Binding::Session(fresh.session_id));
        let user = convert::own_user(user, self.0.clock.wall());
        Answer(LoginAnswer { is_log_in: true, user, is_new, guest_games: None })
    }
}

#[OpenApi(prefix_path = "/auth")]
impl AuthApi {
    /// Who is signed in; sets the anti-forgery cookie.
    #[oai(path = "/check-login", method = "get", operation_id = "checkLogin")]
    async fn check_login(&self, call: Call, jar: &CookieJar) -> Result<Answer<CheckLoginAnswer>> {
        let accounts = &self.0.accounts;
        let cookies = self.cookies(jar);
        cookies.ensure_forgery_token(&call.caller);
        let user = match &call.caller {
            Caller::User(identity) => Some(accounts.user(identity.user_id).await?),
            Caller::Visitor | Caller::Operator(_) => {
                if cookies.session().is_some() {
                    cookies.clear_session();
                }
                None
            }
        };
        let user = user.map(|user| convert::own_user(&user, self.0.clock.wall()));
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
        let keeps = request.keep_guest_games;
        let browser = self.browser(jar, headers);
        if request.is_google_account || request.credential.is_some() || is_provider(request.account_type) {
            let entered = self.0.accounts.sign_in_by_button(&call, &browser, request.into()).await?;
            let answer = self.signed_in(jar, &entered.user, &entered.fresh, entered.is_new);
            return Ok(self.with_guest_games(&call, keeps, answer).await);
        }
        let password = request.password.unwrap_or_default();
        let (user, fresh) = self.0.accounts.sign_in(&call, &browser, &request.email, &password).await?;
        let answer = self.signed_in(jar, &user, &fresh, false);
        Ok(self.with_guest_games(&call, keeps, answer).await)
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
        let keeps = request.keep_guest_games;
        let browser = self.browser(jar, headers);
        if request.is_google_account || request.credential.is_some() || is_provider(Some(request.account_type)) {
            let entered = self.0.accounts.sign_in_by_button(&call, &browser, request.into()).await?;
            let answer = self.signed_in(jar, &entered.user, &entered.fresh, entered.is_new);
            return Ok(self.with_guest_games(&call, keeps, answer).await);
        }
        let (user, fresh) = self.0.accounts.register(&call, &browser, &request).await?;
        Ok(self.signed_in(jar, &user, &fresh, true))
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
        // Without a new token another tab has it already, and the cookie with it.
        if let Some(fresh) = self.0.accounts.sessions().rotate(&token, now).await? {
            cookies.set_session(&fresh, now);
        }
        cookies.ensure_forgery_token(&call.caller);
        Ok(Answer(Acknowledgement {}))
    }

    /// What one can sign in with.
    #[oai(path = "/providers", method = "get", operation_id = "getProviders")]
    async fn providers(&self, _call: Call, jar: &CookieJar) -> Result<Answer<ProvidersAnswer>> {
        let identity = &self.0.config.identity;
        let provider = self.0.accounts.provider().ok().map(|provider| {
            let config = provider.config();
            Provider {
                name: config.label(),
                issuer: config.issuer.clone(),
                client_id: config.client_id.clone(),
                is_google: config.is_google(),
                nonce: provider.nonce(&self.cookies(jar).ensure_device()),
                calendar: config.offers_calendar(),
            }
        });
        Ok(Answer(ProvidersAnswer {
            local: identity.local.enabled,
            registration: identity.registration && identity.local.enabled,
            guests: identity.guests,
            mail: self.0.accounts.mails_by_smtp(),
            provider,
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
        _call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<UpdatePassword>,
    ) -> Result<Answer<Acknowledgement>> {
        let browser = self.browser(jar, headers);
        self.0.accounts.finish_recovery(&browser, &body.0.email, &body.0.new_password).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Where to allow access to one's calendar.
    #[oai(path = "/api/v1/calendar/auth-url", method = "get", operation_id = "getCalendarAuthUrl")]
    async fn calendar_auth_url(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
    ) -> Result<Answer<CalendarAuthUrlAnswer>> {
        let browser = self.browser(jar, headers);
        Ok(Answer(CalendarAuthUrlAnswer { auth_url: self.0.accounts.begin_calendar(&call, &browser).await? }))
    }

    /// Whether one's calendar is connected.
    #[oai(path = "/api/v1/calendar/status", method = "get", operation_id = "getCalendarStatus")]
    async fn calendar_status(&self, call: Call) -> Result<Answer<CalendarStatusAnswer>> {
        let user = call.caller.user()?.user_id;
        let calendars = self.0.accounts.calendars();
        let (configured, connected) = (calendars.are_offered(), calendars.is_connected(user).await?);
        Ok(Answer(CalendarStatusAnswer { configured, connected }))
    }

    /// Disconnects one's calendar: leave to write into it is forgotten here and given back at the provider.
    #[oai(path = "/calendar/disconnect", method = "post", operation_id = "disconnectCalendar")]
    async fn disconnect_calendar(&self, call: Call, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.calendars().disconnect(call.caller.member(None)?.user_id).await?;
        self.0.departed.notify_one();
        Ok(Answer(Acknowledgement {}))
    }

    /// The provider's way back from there.
    #[oai(path = "/calendar/callback", method = "get", operation_id = "calendarCallback")]
    async fn calendar_callback(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        code: Query<Option<String>>,
        state: Query<Option<String>>,
        error: Query<Option<String>>,
    ) -> Result<Redirect> {
        let browser = self.browser(jar, headers);
        let connected = match (&call.caller, brought(&code.0, &state.0, error.0.as_deref())) {
            (Caller::User(identity), Ok((code, state))) => {
                self.0.accounts.finish_calendar(identity, &browser, state, code).await.map_err(|fault| fault.code)
            }
            (_, Ok(_)) => Err("not-signed-in"),
            (_, Err(reason)) => Err(reason),
        };
        Ok(Redirect(match connected {
            Ok(()) => "/app/setting/preferences?calendar=connected".to_owned(),
            Err(reason) => format!("/app/setting/preferences?calendar={reason}"),
        }))
    }

    /// Begins a sign-in with the configured provider: authorization code flow with PKCE.
    #[oai(path = "/oidc/start", method = "get", operation_id = "startOidc")]
    async fn oidc_start(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        #[oai(name = "keepGuestGames")] keep_guest_games: Query<Option<bool>>,
    ) -> Result<Redirect> {
        let browser = self.browser(jar, headers);
        let keeps = keep_guest_games.0.unwrap_or(false);
        let begun = self.0.accounts.begin_provider_sign_in(&call, &browser, keeps).await;
        // A person looks at this, so a refusal leads back to the page that they came from.
        Ok(Redirect(begun.unwrap_or_else(|fault| sign_in_failed(fault.code))))
    }

    /// The provider's way back from there.
    #[oai(path = "/oidc/callback", method = "get", operation_id = "oidcCallback")]
    async fn oidc_callback(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        code: Query<Option<String>>,
        state: Query<Option<String>>,
        error: Query<Option<String>>,
    ) -> Result<Redirect> {
        let browser = self.browser(jar, headers);
        let (code, state) = match brought(&code.0, &state.0, error.0.as_deref()) {
            Ok(brought) => brought,
            Err(reason) => return Ok(Redirect(sign_in_failed(reason))),
        };
        match self.0.accounts.finish_provider_sign_in(&call, &browser, state, code).await {
            Ok(entered) => {
                let answer = self.signed_in(jar, &entered.user, &entered.fresh, entered.is_new);
                self.with_guest_games(&call, Some(entered.keep_guest_games), answer).await;
                // From there the signed-in are taken to where they wanted to go.
                Ok(Redirect(if entered.is_new { "/login?welcome=1" } else { "/login" }.to_owned()))
            }
            Err(fault) => Ok(Redirect(sign_in_failed(fault.code))),
        }
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
            (user, Some(fresh)) => Ok(self.signed_in(jar, &user, &fresh, true)),
            (user, None) => {
                let user = convert::own_user(&user, self.0.clock.wall());
                Ok(Answer(LoginAnswer { is_log_in: true, user, is_new: false, guest_games: None }))
            }
        }
    }

    /// Changes one's password.
    #[oai(path = "/password", method = "post", operation_id = "changePassword")]
    async fn change_password(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
        body: Body<ChangePassword>,
    ) -> Result<Answer<Acknowledgement>> {
        let browser = self.browser(jar, headers);
        let ChangePassword { current_password, new_password } = body.0;
        let accounts = &self.0.accounts;
        let (user, fresh) = accounts.change_password(&call, &browser, &current_password, &new_password).await?;
        self.signed_in(jar, &user, &fresh, false);
        Ok(Answer(Acknowledgement {}))
    }

    /// Mails a code that proves one's email.
    #[oai(path = "/email/request-code", method = "post", operation_id = "requestEmailCode")]
    async fn request_email_code(&self, call: Call, body: Body<RequestEmailCode>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.request_email_code(&call, body.0.email.as_deref()).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Proves one's email.
    #[oai(path = "/email/verify", method = "post", operation_id = "verifyEmail")]
    async fn verify_email(&self, call: Call, body: Body<VerifyEmail>) -> Result<Answer<Acknowledgement>> {
        let identity = call.caller.member(None)?;
        self.0.accounts.verify_email(&call, identity, body.0.code).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Mails a code to another email that the account is to have.
    #[oai(path = "/email/change/request", method = "post", operation_id = "requestEmailChange")]
    async fn request_email_change(
        &self,
        call: Call,
        body: Body<RequestEmailChange>,
    ) -> Result<Answer<Acknowledgement>> {
        let RequestEmailChange { new_email, password } = body.0;
        self.0.accounts.request_email_change(&call, &new_email, password.as_deref()).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Takes it. The one before gets a letter with a link to `/email-undo?token=…`, good for 7 days.
    #[oai(path = "/email/change/verify", method = "post", operation_id = "verifyEmailChange")]
    async fn verify_email_change(
        &self,
        call: Call,
        body: Body<VerifyEmailChange>,
    ) -> Result<Answer<EmailChangedAnswer>> {
        let identity = call.caller.member(None)?;
        let user = self.0.accounts.finish_email_change(&call, identity, body.0.code).await?;
        Ok(Answer(EmailChangedAnswer { user: convert::own_user(&user, self.0.clock.wall()) }))
    }

    /// Brings the email back that was there before; every session of the account ends. For whoever has the letter,
    /// signed in or not.
    #[oai(path = "/email/change/undo", method = "post", operation_id = "undoEmailChange")]
    async fn undo_email_change(&self, call: Call, body: Body<UndoEmailChange>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.undo_email_change(&call, &body.0.token).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// One's sessions.
    #[oai(path = "/sessions", method = "get", operation_id = "listSessions")]
    async fn sessions(&self, call: Call) -> Result<Answer<SessionsAnswer>> {
        let identity = call.caller.user()?;
        let sessions = self.0.accounts.sessions().of(identity.user_id, self.0.clock.steady()).await?;
        let wire = |session| convert::session(session, Some(identity.session_id));
        Ok(Answer(SessionsAnswer { sessions: sessions.iter().map(wire).collect() }))
    }

    /// Ends one of one's sessions and closes its sockets.
    #[oai(path = "/sessions/revoke", method = "post", operation_id = "revokeSession")]
    async fn revoke_session(&self, call: Call, body: Body<RevokeSession>) -> Result<Answer<Acknowledgement>> {
        let identity = call.caller.user()?;
        let session_id: Uuid = body.0.session_id.parse().map_err(|_| ApiError::not_found("session"))?;
        if !self.0.accounts.sessions().end(identity.user_id, session_id, self.0.clock.steady()).await? {
            return Err(ApiError::not_found("session"));
        }
        Ok(Answer(Acknowledgement {}))
    }

    /// Whether there is still no admin, and the link's token is good.
    #[oai(path = "/setup", method = "get", operation_id = "getSetup")]
    async fn setup_state(&self, call: Call, token: Query<Option<String>>) -> Result<Answer<SetupAnswer>> {
        let accounts = &self.0.accounts;
        if token.0.is_some() {
            accounts.limits().check(Kind::SignIn, call.address)?;
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
        let (user, fresh) = self.0.accounts.set_up(&call, &browser, &body.0).await?;
        Ok(self.signed_in(jar, &user, &fresh, true))
    }
}

/// What the provider sent a browser back with: a code and our state, or a reason of its own, which anybody can make up
/// and so is not shown.
fn brought<'a>(
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

fn sign_in_failed(reason: &str) -> String {
    format!("/login?error={reason}")
}

fn is_provider(account_type: Option<AccountType>) -> bool {
    account_type.is_some_and(|account_type| account_type != AccountType::Local)
}
