//! The authentication service, under `/api/auth` (account and platform, section 7).

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{
        CalendarAuthUrlAnswer, ChangePassword, CheckLoginAnswer, Empty, LoginAnswer, LoginRequest, ProvidersAnswer,
        RegisterRequest, RequestVerificationCode, RequestVerificationCodeAnswer, RevokeSession, SessionsAnswer,
        SetupAnswer, SetupRequest, UpdatePassword, ValidateVerificationCode, VerifyEmail,
    },
};
use poem::{Request, Response};
use poem_openapi::{OpenApi, param::Query};

use super::{
    Fault,
    body::{Answer, Body, Call},
};
use crate::app::App;

type Result<T> = std::result::Result<T, Fault>;

pub struct AuthApi(pub Arc<App>);

#[OpenApi]
impl AuthApi {
    /// Who is signed in; sets the anti-forgery cookie.
    #[oai(path = "/check-login", method = "get", operation_id = "checkLogin")]
    async fn check_login(&self, call: Call) -> Result<Answer<CheckLoginAnswer>> {
        let _ = call;
        Err(Fault::not_built())
    }

    /// Signs in.
    #[oai(path = "/login", method = "post", operation_id = "login")]
    async fn login(&self, call: Call, request: &Request, body: Body<LoginRequest>) -> Result<Answer<LoginAnswer>> {
        let _ = (call, request, body);
        Err(Fault::not_built())
    }

    /// Makes an account and signs it in.
    #[oai(path = "/register", method = "post", operation_id = "register")]
    async fn register(&self, call: Call, request: &Request, body: Body<RegisterRequest>) -> Result<Answer<LoginAnswer>> {
        let _ = (call, request, body);
        Err(Fault::not_built())
    }

    /// Signs out.
    #[oai(path = "/logout", method = "post", operation_id = "logout")]
    async fn logout(&self, call: Call, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        let _ = call;
        Err(Fault::not_built())
    }

    /// Gives the session a new token; the old one works until the new one is first used.
    #[oai(path = "/secure/token/refresh", method = "post", operation_id = "refreshToken")]
    async fn refresh_token(&self, call: Call, request: &Request, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        let _ = (call, request);
        Err(Fault::not_built())
    }

    /// What one can sign in with.
    #[oai(path = "/providers", method = "get", operation_id = "getProviders")]
    async fn providers(&self, call: Call) -> Result<Answer<ProvidersAnswer>> {
        let _ = call;
        Err(Fault::not_built())
    }

    /// Recovery, step 1: mails a code. The answer is the same whether or not the email is known.
    #[oai(path = "/api/v1/requestverificationcode", method = "post", operation_id = "requestVerificationCode")]
    async fn request_verification_code(
        &self,
        _call: Call,
        _body: Body<RequestVerificationCode>,
    ) -> Result<Answer<RequestVerificationCodeAnswer>> {
        Err(Fault::not_built())
    }

    /// Recovery, step 2: checks the code.
    #[oai(path = "/api/v1/validate-verification-code", method = "post", operation_id = "validateVerificationCode")]
    async fn validate_verification_code(
        &self,
        _call: Call,
        _body: Body<ValidateVerificationCode>,
    ) -> Result<Answer<Acknowledgement>> {
        Err(Fault::not_built())
    }

    /// Recovery, step 3: sets a new password, after a validated code from the same browser.
    #[oai(path = "/api/v1/update-password", method = "post", operation_id = "updatePassword")]
    async fn update_password(&self, _call: Call, _body: Body<UpdatePassword>) -> Result<Answer<Acknowledgement>> {
        Err(Fault::not_built())
    }

    /// Where to allow access to one's calendar.
    #[oai(path = "/api/v1/calendar/auth-url", method = "get", operation_id = "getCalendarAuthUrl")]
    async fn calendar_auth_url(&self, _call: Call) -> Result<Answer<CalendarAuthUrlAnswer>> {
        Err(Fault::not_built())
    }

    /// The provider's way back from there.
    #[oai(path = "/calendar/callback", method = "get", operation_id = "calendarCallback")]
    async fn calendar_callback(
        &self,
        _call: Call,
        _code: Query<Option<String>>,
        _state: Query<Option<String>>,
        _error: Query<Option<String>>,
    ) -> Result<Response> {
        Err(Fault::not_built())
    }

    /// Begins a sign-in with the configured provider: authorization code flow with PKCE.
    #[oai(path = "/oidc/start", method = "get", operation_id = "startOidc")]
    async fn oidc_start(&self, _call: Call) -> Result<Response> {
        Err(Fault::not_built())
    }

    /// The provider's way back from there.
    #[oai(path = "/oidc/callback", method = "get", operation_id = "oidcCallback")]
    async fn oidc_callback(
        &self,
        _call: Call,
        _code: Query<Option<String>>,
        _state: Query<Option<String>>,
        _error: Query<Option<String>>,
    ) -> Result<Response> {
        Err(Fault::not_built())
    }

    /// Makes a guest and signs it in.
    #[oai(path = "/guest", method = "post", operation_id = "playAsGuest")]
    async fn guest(&self, _call: Call, _body: Body<Empty>) -> Result<Answer<LoginAnswer>> {
        Err(Fault::not_built())
    }

    /// Changes one's password.
    #[oai(path = "/password", method = "post", operation_id = "changePassword")]
    async fn change_password(&self, _call: Call, _body: Body<ChangePassword>) -> Result<Answer<Acknowledgement>> {
        Err(Fault::not_built())
    }

    /// Mails a code that proves one's email.
    #[oai(path = "/email/request-code", method = "post", operation_id = "requestEmailCode")]
    async fn request_email_code(&self, _call: Call, _body: Body<Empty>) -> Result<Answer<Acknowledgement>> {
        Err(Fault::not_built())
    }

    /// Proves one's email.
    #[oai(path = "/email/verify", method = "post", operation_id = "verifyEmail")]
    async fn verify_email(&self, _call: Call, _body: Body<VerifyEmail>) -> Result<Answer<Acknowledgement>> {
        Err(Fault::not_built())
    }

    /// One's sessions.
    #[oai(path = "/sessions", method = "get", operation_id = "listSessions")]
    async fn sessions(&self, call: Call) -> Result<Answer<SessionsAnswer>> {
        let _ = call;
        Err(Fault::not_built())
    }

    /// Ends one of one's sessions and closes its sockets.
    #[oai(path = "/sessions/revoke", method = "post", operation_id = "revokeSession")]
    async fn revoke_session(&self, call: Call, body: Body<RevokeSession>) -> Result<Answer<Acknowledgement>> {
        let _ = (call, body);
        Err(Fault::not_built())
    }

    /// Whether there is still no admin, and the link's token is good.
    #[oai(path = "/setup", method = "get", operation_id = "getSetup")]
    async fn setup_state(&self, call: Call, token: Query<Option<String>>) -> Result<Answer<SetupAnswer>> {
        let _ = (call, token);
        Err(Fault::not_built())
    }

    /// Makes the first admin and signs it in.
    #[oai(path = "/setup", method = "post", operation_id = "setUp")]
    async fn set_up(&self, call: Call, request: &Request, body: Body<SetupRequest>) -> Result<Answer<LoginAnswer>> {
        let _ = (call, request, body);
        Err(Fault::not_built())
    }
}
