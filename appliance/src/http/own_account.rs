//! One's own account, under `/api/auth`: password, email, sessions, calendar.

use std::sync::Arc;

use morpion_openapi::{
    Acknowledgement,
    account::{
        CalendarAuthUrlAnswer, CalendarStatusAnswer, ChangePassword, CheckPasswordLink, EmailChangedAnswer, Empty,
        PasswordLinkOwnerAnswer, RequestEmailChange, RequestEmailCode, RevokeAllSessions, RevokeAllSessionsAnswer,
        RevokeSession, SessionsAnswer, UndoEmailChange, UseLinkForPasskey, UsePasswordLink, VerifyEmail,
        VerifyEmailChange,
    },
    second_factor::{PasskeyAnswer, PasskeyOptionsAnswer},
};
use poem::{http::HeaderMap, web::cookie::CookieJar};
use poem_openapi::{OpenApi, param::Query};
use uuid::Uuid;

use super::{
    ApiError,
    auth::{AuthApi, callback_params, host},
    body::{Answer, Body, Redirect},
    convert::{account as convert, second_factor as factor},
};
use crate::{
    account::cookies::Cookies,
    app::App,
    caller::{Call, Caller},
};

type Result<T> = std::result::Result<T, ApiError>;

pub struct OwnAccountApi(pub Arc<App>);

#[OpenApi(prefix_path = "/auth")]
impl OwnAccountApi {
    /// Where to allow access to one's calendar.
    #[oai(path = "/api/v1/calendar/auth-url", method = "get", operation_id = "getCalendarAuthUrl")]
    async fn calendar_auth_url(
        &self,
        call: Call,
        jar: &CookieJar,
        headers: &HeaderMap,
    ) -> Result<Answer<CalendarAuthUrlAnswer>> {
        let browser = AuthApi(Arc::clone(&self.0)).browser(jar, headers);
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
        self.0.cleanup_needed.notify_one();
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
        let browser = AuthApi(Arc::clone(&self.0)).browser(jar, headers);
        let connected = match (&call.caller, callback_params(&code.0, &state.0, error.0.as_deref())) {
            (Caller::User(identity), Ok((code, state))) => {
                let finished = self.0.accounts.finish_calendar(identity, &browser, state, code).await;
                finished.map_err(|error| ApiError::from(error).code)
            }
            (_, Ok(_)) => Err("not-signed-in"),
            (_, Err(reason)) => Err(reason),
        };
        Ok(Redirect(match connected {
            Ok(()) => "/app/setting/preferences?calendar=connected".to_owned(),
            Err(reason) => format!("/app/setting/preferences?calendar={reason}"),
        }))
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
        let auth = AuthApi(Arc::clone(&self.0));
        let browser = auth.browser(jar, headers);
        let ChangePassword { current_password, new_password } = body.0;
        let accounts = &self.0.accounts;
        let (user, issued) = accounts.change_password(&call, &browser, &current_password, &new_password).await?;
        auth.signed_in(jar, &user, &issued, false);
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

    /// Whose account an operator's one-time link opens. For whoever has the link, signed in or not.
    #[oai(path = "/password-link", method = "post", operation_id = "checkPasswordLink")]
    async fn check_password_link(
        &self,
        call: Call,
        headers: &HeaderMap,
        body: Body<CheckPasswordLink>,
    ) -> Result<Answer<PasswordLinkOwnerAnswer>> {
        let accounts = &self.0.accounts;
        let owner = accounts.password_link_owner(&call, &body.0.token).await?;
        let takes_passkey = owner.as_ref().is_some_and(|(_, takes_passkey)| *takes_passkey);
        Ok(Answer(PasswordLinkOwnerAnswer {
            username: owner.map(|(owner, _)| owner.username),
            takes_passkey: takes_passkey && accounts.are_passkeys_available(host(headers)),
        }))
    }

    /// Sets a new password with an operator's one-time link; every session of the account ends. For whoever has the
    /// link, signed in or not.
    #[oai(path = "/password-link/use", method = "post", operation_id = "usePasswordLink")]
    async fn use_password_link(&self, call: Call, body: Body<UsePasswordLink>) -> Result<Answer<Acknowledgement>> {
        self.0.accounts.use_password_link(&call, &body.0.token, &body.0.new_password).await?;
        Ok(Answer(Acknowledgement {}))
    }

    /// Begins a passkey that an operator's one-time link makes in place of a password.
    #[oai(path = "/password-link/passkey/begin", method = "post", operation_id = "beginPasskeyByLink")]
    async fn begin_passkey_by_link(
        &self,
        call: Call,
        headers: &HeaderMap,
        body: Body<CheckPasswordLink>,
    ) -> Result<Answer<PasskeyOptionsAnswer>> {
        self.0.accounts.require_passkeys(host(headers))?;
        Ok(Answer(PasskeyOptionsAnswer { options: self.0.accounts.begin_passkey_by_link(&call, &body.0.token).await? }))
    }

    /// Uses an operator's one-time link for the passkey that the browser made: the account has no password afterwards, and
    /// every session of it ends.
    #[oai(path = "/password-link/passkey/use", method = "post", operation_id = "useLinkForPasskey")]
    async fn use_link_for_passkey(&self, call: Call, body: Body<UseLinkForPasskey>) -> Result<Answer<PasskeyAnswer>> {
        let UseLinkForPasskey { token, name, credential } = body.0;
        let (passkey, codes) = self.0.accounts.use_link_for_passkey(&call, &token, &name, credential).await?;
        Ok(Answer(PasskeyAnswer { passkey: factor::passkey(&passkey), recovery_codes: Some(codes) }))
    }

    /// One's sessions.
    #[oai(path = "/sessions", method = "get", operation_id = "listSessions")]
    async fn sessions(&self, call: Call) -> Result<Answer<SessionsAnswer>> {
        let identity = call.caller.user()?;
        let sessions = self.0.accounts.sessions().list(identity.user_id, self.0.clock.steady()).await?;
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

    /// Signs out everywhere, or everywhere else, and closes the sockets of these sessions.
    #[oai(path = "/sessions/revoke-all", method = "post", operation_id = "revokeAllSessions")]
    async fn revoke_all_sessions(
        &self,
        call: Call,
        jar: &CookieJar,
        body: Body<RevokeAllSessions>,
    ) -> Result<Answer<RevokeAllSessionsAnswer>> {
        let include_current = body.0.include_current;
        let revoked = self.0.accounts.sign_out_everywhere(&call, include_current).await? as u64;
        if include_current {
            Cookies::new(&self.0.accounts, jar).sign_out();
        }
        Ok(Answer(RevokeAllSessionsAnswer { revoked }))
    }
}
